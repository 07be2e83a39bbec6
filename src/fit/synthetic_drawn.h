/* The experiment that a synthetic capture is made of, where `randomise` draws some of it. */
#ifndef ARC_FIT_SYNTHETIC_DRAWN_H
#define ARC_FIT_SYNTHETIC_DRAWN_H

#include "arcfit/simulate.h"
#include "base/arena.h"
#include "base/text.h"

/* The experiment with the values of the settings' replica, which all flights of it share, in an
 * arena of its own; the experiment itself and NULL where nothing is randomised. ARC_INPUT where
 * there is no such flight, ARC_MEMORY. */
ArcStatus arc_synthetic_draw(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                             ArcArena **arena, const ArcExperiment **drawn, ArcError *err);

/* A line of the file's comment: what was drawn. */
void arc_synthetic_drawn_text(ArcText *out, const ArcExperiment *experiment,
                              const ArcSimulateSettings *settings);

#endif
