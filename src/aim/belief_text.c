/* What throws taught, in words: each uncertain parameter before and after, and whether the throws
 * agree. */
#include "arcfit/belief.h"

#include "base/text.h"
#include "report/table.h"

#include <math.h>

enum { NAME = 14, VALUE = 22, UNIT = 9, MOVED = 10 };

static double sd_of(const ArcBelief *belief, int i)
{
    return sqrt(belief->covariance[i * (belief->n + 1)]);
}

static void append_row(ArcText *text, const ArcParameter *parameter, int i,
                       const ArcCorrection *correction)
{
    char number[ARC_TABLE_NUMBER];
    const ArcBelief *before = &correction->before, *after = &correction->after;
    double factor = 1.0, was = sd_of(before, i);
    const char *other = arc_table_joint_unit(parameter->unit, &factor);
    if (other == NULL)
        factor = 1.0;
    arc_table_name(text, NAME, parameter->name);
    arc_table_cell(text, VALUE, arc_table_value(number, before->mean[i], was, factor));
    arc_table_cell(text, VALUE, arc_table_value(number, after->mean[i], sd_of(after, i), factor));
    arc_table_cell(text, UNIT, arc_table_unit(other != NULL ? other : parameter->unit));
    if (was > 0.0)
        snprintf(number, sizeof number, "%+.1f sd", (after->mean[i] - before->mean[i]) / was);
    else
        snprintf(number, sizeof number, "new");
    arc_table_last(text, MOVED, number);
}

static void append_agreement(ArcText *text, const ArcCorrection *correction)
{
    char chi2[ARC_TABLE_NUMBER], p[ARC_TABLE_NUMBER];
    int n = correction->n_results;
    arc_text_append(text, "corrected by %d throw%s", n, n == 1 ? "" : "s");
    if (correction->dof < 1) {
        arc_text_append(text, "; nothing is left by which to judge whether they agree\n");
        return;
    }
    arc_table_plain(chi2, correction->chi2, 4);
    arc_table_plain(p, correction->chi2_p, 2);
    bool agree = !(correction->chi2_p < ARC_MISFIT_P);
    arc_text_append(text, agree ? ": they and what was known before agree" :
                                  ": they DO NOT AGREE with each other and what was known before");
    arc_text_append(text, "%schi2 %s of %d, p %s)\n", agree ? " (" : "\n(", chi2, correction->dof,
                    p);
    if (!agree)
        arc_text_append(text,
                        "the furthest off is result %d; a throw or an arm that changed since, or "
                        "a\nprior that is too narrow, would do that\n",
                        correction->worst + 1);
}

ArcStatus arc_correction_text(const ArcExperiment *experiment, const ArcCorrection *correction,
                              char **text, ArcError *err)
{
    ArcText out = {0};
    append_agreement(&out, correction);
    arc_text_append(&out, "\n");
    arc_table_cell(&out, NAME, "parameter");
    arc_table_cell(&out, VALUE, "before");
    arc_table_cell(&out, VALUE, "after");
    arc_table_cell(&out, UNIT, "unit");
    arc_table_last(&out, MOVED, "moved");
    for (int i = 0; i < correction->after.n; i++)
        if (sd_of(&correction->before, i) > 0.0 || sd_of(&correction->after, i) > 0.0)
            append_row(&out, &experiment->parameters[i], i, correction);
    return arc_text_finish(&out, text, err);
}
