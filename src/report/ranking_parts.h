/* Models ranked, as parts of the comparison's reports. */
#ifndef ARC_REPORT_RANKING_PARTS_H
#define ARC_REPORT_RANKING_PARTS_H

#include "arcfit/ranking.h"
#include "base/text.h"
#include "io/json.h"

/* Which model the data prefer, which cannot be told from it, which chi2 rules out; models by their
 * places, from 1. */
void arc_ranking_parts_sentence(ArcText *text, const ArcRanking *ranking);

/* Tables, nested tests and sentences of both methods. */
ArcStatus arc_ranking_parts_section(ArcText *table, int n, const ArcResult *const *results,
                                    ArcError *err);

/* What the rankings (direct, pinn; either may be empty) say of one result. */
json_t *arc_ranking_parts_json(ArcJson *json, const ArcRanking *const rankings[2],
                               const ArcResult *const *results, int index);

#endif
