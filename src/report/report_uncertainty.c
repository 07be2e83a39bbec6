/* Profiles, bootstrap and chains as tables, beside the covariance. */
#include "report/table.h"
#include "report/uncertainty.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 17, INTERVAL = 21, UNIT = 5 };

typedef struct Interval {
    char text[3 * ARC_TABLE_NUMBER];
} Interval;

/* "low to high", with the decimals that its width needs. */
static Interval interval_text(const double ends[2])
{
    Interval interval;
    char low[ARC_TABLE_NUMBER] = "open", high[ARC_TABLE_NUMBER] = "open";
    double sd = 0.25 * (ends[1] - ends[0]);
    if (isnan(sd)) {
        snprintf(interval.text, sizeof interval.text, "?");
        return interval;
    }
    if (!isfinite(sd))
        sd = 0.1 * fmin(fabs(ends[0]), fabs(ends[1]));
    if (isfinite(ends[0]))
        arc_table_number(low, ends[0], sd);
    if (isfinite(ends[1]))
        arc_table_number(high, ends[1], sd);
    snprintf(interval.text, sizeof interval.text, "%.60s to %.60s", low, high);
    return interval;
}

/* The estimate that a number of bootstrap or chains is about; NULL where there is none. */
static const ArcEstimate *estimate_of(const ArcFit *fit, const char *name)
{
    for (int i = 0; i < fit->n_parameters; i++)
        if (strcmp(fit->parameters[i].name, name) == 0)
            return &fit->parameters[i];
    for (int i = 0; i < fit->n_derived; i++)
        if (strcmp(fit->derived[i].name, name) == 0)
            return &fit->derived[i];
    return NULL;
}

static Interval covariance_text(const ArcFit *fit, const char *name)
{
    static const double unknown[2] = {NAN, NAN};
    const ArcEstimate *e = estimate_of(fit, name);
    return interval_text(e == NULL || e->status == ARC_PARAMETER_UNIDENTIFIED ? unknown : e->ci95);
}

/* What a profile says, in words. */
static const char *profile_word(const ArcProfile *profile)
{
    static const char *const kinds[] = {"", "open below", "open above", "open", "flat"};
    static const char *const bounds[] = {"lower bound", "upper bound"};
    for (int s = 0; s < 2; s++) {
        if (profile->end[s] == ARC_PROFILE_END_LOST)
            return "lost";
        if (profile->end[s] == ARC_PROFILE_END_BOUND &&
            profile->end[1 - s] == ARC_PROFILE_END_FOUND)
            return bounds[s];
    }
    return kinds[profile->kind];
}

/* A sentence for what is not identified or went wrong. */
static void profile_remark(ArcText *table, const ArcFit *fit, const ArcProfile *profile)
{
    static const char *const sentences[] = {
        "", "practically not identifiable: the data rule out no small value of %s",
        "practically not identifiable: the data rule out no large value of %s",
        "practically not identifiable: the data rule out no value of %s, small or large",
        "structurally not identifiable: any value of %s fits as well; fix it or another"};
    const char *name = fit->parameters[profile->parameter].name;
    char text[256], number[ARC_TABLE_NUMBER];
    bool lost = profile->end[0] == ARC_PROFILE_END_LOST || profile->end[1] == ARC_PROFILE_END_LOST;
    if (lost)
        snprintf(text, sizeof text,
                 "%.40s: no fit succeeds beyond the end of the curve, before the interval's end",
                 name);
    else if (profile->kind != ARC_PROFILE_IDENTIFIABLE)
        snprintf(text, sizeof text, sentences[profile->kind], name);
    if (lost || profile->kind != ARC_PROFILE_IDENTIFIABLE)
        arc_table_entry(table, "", text);
    if (profile->lowest < -0.01) {
        snprintf(text, sizeof text,
                 "%.40s: at %.24s the sum of squares is lower than the fit's; start it there", name,
                 arc_table_plain(number, profile->lowest_value, 6));
        arc_table_entry(table, "", text);
    }
}

static void heading(ArcText *table, const char *name, const char *text, const ArcFit *fit,
                    bool is_named)
{
    char line[256];
    snprintf(line, sizeof line, "%s%s%s%s", text, is_named ? " (" : "",
             !is_named                 ? ""
             : fit->method == ARC_PINN ? "PINN"
                                       : "direct",
             is_named ? ")" : "");
    arc_table_entry(table, name, line);
}

static void section_profiles(ArcText *table, const ArcFit *fit, bool is_named)
{
    const ArcUncertainty *u = fit->uncertainty;
    heading(table, "profiles", "of the likelihood, all else fitted again", fit, is_named);
    arc_table_cell(table, NAME, "");
    arc_table_cell(table, INTERVAL, "95 % by profile");
    arc_table_cell(table, INTERVAL, "95 % by covariance");
    arc_table_last(table, UNIT, "unit");
    for (int i = 0; i < u->n_profiles; i++) {
        const ArcProfile *profile = &u->profiles[i];
        const ArcEstimate *e = &fit->parameters[profile->parameter];
        arc_table_name(table, NAME, e->name);
        arc_table_cell(table, INTERVAL, interval_text(profile->interval).text);
        arc_table_cell(table, INTERVAL, covariance_text(fit, e->name).text);
        arc_table_cell(table, UNIT, e->unit);
        arc_table_last(table, 0, profile_word(profile));
    }
    for (int i = 0; i < u->n_profiles; i++)
        profile_remark(table, fit, &u->profiles[i]);
    arc_text_append(table, "\n");
}

static void section_bootstrap(ArcText *table, const ArcFit *fit, bool is_named)
{
    const ArcBootstrap *b = fit->uncertainty->bootstrap;
    char text[128], number[ARC_TABLE_NUMBER];
    snprintf(text, sizeof text, "%d captures of redrawn %s, %d of their fits failed", b->n,
             b->kind == ARC_BOOTSTRAP_CASE ? "points" : "residuals", b->n_failed);
    heading(table, "bootstrap", text, fit, is_named);
    arc_table_cell(table, NAME, "");
    arc_table_cell(table, INTERVAL, "95 % by bootstrap-t");
    arc_table_cell(table, INTERVAL, "95 % by covariance");
    arc_table_cell(table, UNIT, "unit");
    arc_table_last(table, 0, "sd");
    bool is_told = true;
    for (int j = 0; j < b->n_numbers; j++) {
        const ArcBootstrapNumber *row = &b->numbers[j];
        is_told = is_told && isfinite(row->t95[0]) && isfinite(row->t95[1]);
        arc_table_name(table, NAME, row->name);
        arc_table_cell(table, INTERVAL, interval_text(row->t95).text);
        arc_table_cell(table, INTERVAL, covariance_text(fit, row->name).text);
        arc_table_cell(table, UNIT, row->unit);
        arc_table_last(table, 0, arc_table_plain(number, row->sd, 3));
    }
    if (!is_told)
        arc_table_entry(table, "", "?: too few of the fits tell this interval; 1,000 captures do");
    arc_text_append(table, "\n");
}

static void section_samples(ArcText *table, const ArcFit *fit, bool is_named)
{
    const ArcSamples *s = fit->uncertainty->samples;
    char text[160], number[ARC_TABLE_NUMBER];
    snprintf(text, sizeof text,
             "%d draws of %d x %d walkers, one each %d sweeps after %d; %.0f %% accepted",
             s->n_kept, s->n_ensembles, s->n_walkers, s->thin, s->n_burn_in, 100.0 * s->acceptance);
    heading(table, "chains", text, fit, is_named);
    arc_table_cell(table, NAME, "");
    arc_table_cell(table, INTERVAL, "95 % by chains");
    arc_table_cell(table, INTERVAL, "95 % by covariance");
    arc_table_cell(table, UNIT, "unit");
    arc_table_last(table, 0, "R-hat  ESS");
    for (int k = 0; k < s->n_numbers; k++) {
        const ArcSampledNumber *row = &s->numbers[k];
        double least = fmin(row->ess_bulk, row->ess_tail);
        arc_table_name(table, NAME, row->name);
        arc_table_cell(table, INTERVAL, interval_text(row->ci95).text);
        arc_table_cell(table, INTERVAL, covariance_text(fit, row->name).text);
        arc_table_cell(table, UNIT, row->unit);
        snprintf(text, sizeof text, "%.24s  %.0f", arc_table_plain(number, row->r_hat, 4), least);
        arc_table_last(table, 0, text);
    }
    if (!s->believable)
        arc_table_entry(table, "",
                        "the chains have not come together (R-hat above 1.01, or fewer than 400 "
                        "independent draws): ask for more, or fix what the data do not tell");
    arc_text_append(table, "\n");
}

void arc_section_uncertainty(ArcText *table, const ArcFit *fit, bool is_named)
{
    const ArcUncertainty *u = fit->uncertainty;
    if (u == NULL)
        return;
    if (u->n_profiles > 0)
        section_profiles(table, fit, is_named);
    if (u->bootstrap != NULL)
        section_bootstrap(table, fit, is_named);
    if (u->samples != NULL)
        section_samples(table, fit, is_named);
    if (u->note != NULL) {
        heading(table, "uncertainty", u->note, fit, is_named);
        arc_text_append(table, "\n");
    }
}
