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
                       const ArcBeliefChange *change)
{
    char number[ARC_TABLE_NUMBER];
    const ArcBelief *before = &change->before, *after = &change->after;
    double factor = 1.0, was = sd_of(before, i);
    const char *other = arc_table_joint_unit(parameter->unit, &factor);
    if (other == NULL)
        factor = 1.0;
    arc_table_name(text, NAME, parameter->name);
    arc_table_cell(text, VALUE, arc_table_value(number, before->mean[i], was, factor));
    arc_table_cell(text, VALUE, arc_table_value(number, after->mean[i], sd_of(after, i), factor));
    arc_table_cell(text, UNIT, arc_table_unit(other != NULL ? other : parameter->unit));
    double moved = (after->mean[i] - before->mean[i]) / was;
    if (was > 0.0)
        arc_text_append(text, "%s%s sd\n", moved < 0.0 ? "-" : "+",
                        arc_table_plain(number, fabs(moved), 2));
    else
        arc_text_append(text, "new\n");
}

static void append_agreement(ArcText *text, const ArcBeliefChange *change)
{
    char chi2[ARC_TABLE_NUMBER], p[ARC_TABLE_NUMBER];
    int n = change->n_throws;
    arc_text_append(text, "corrected by %d throw%s", n, n == 1 ? "" : "s");
    if (change->dof < 1) {
        arc_text_append(text, "; nothing is left by which to judge whether they agree\n");
        return;
    }
    arc_table_plain(chi2, change->chi2, 4);
    arc_table_plain(p, change->chi2_p, 2);
    bool agree = !(change->chi2_p < ARC_MISFIT_P);
    arc_text_append(text, agree ? ": they and what was known before agree"
                                : ": they DO NOT AGREE with each other and what was known before");
    arc_text_append(text, "%schi2 %s of %d, p %s)\n", agree ? " (" : "\n(", chi2, change->dof, p);
    if (!agree)
        arc_text_append(text,
                        "the furthest off is result %d; a throw or an arm that changed since, or "
                        "a\nprior that is too narrow, would do that\n",
                        change->worst + 1);
}

ArcStatus arc_belief_change_text(const ArcExperiment *experiment, const ArcBeliefChange *change,
                                 char **text, ArcError *err)
{
    ArcText out = {0};
    append_agreement(&out, change);
    arc_text_append(&out, "\n");
    arc_table_cell(&out, NAME, "parameter");
    arc_table_cell(&out, VALUE, "before");
    arc_table_cell(&out, VALUE, "after");
    arc_table_cell(&out, UNIT, "unit");
    arc_table_last(&out, MOVED, "moved");
    for (int i = 0; i < change->after.n; i++)
        if (sd_of(&change->before, i) > 0.0 || sd_of(&change->after, i) > 0.0)
            append_row(&out, &experiment->parameters[i], i, change);
    return arc_text_finish(&out, text, err);
}
