/* One sentence for each way that a comparison can end. */
#include "report/verdict.h"

#include "report/arm_parts.h"
#include "report/breach_parts.h"
#include "report/flights_parts.h"
#include "report/hardly.h"
#include "report/section.h"
#include "report/states_parts.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Data that leave so much of a prior's sd, or of the width between bounds, tell next to nothing. */
static const double prior_share = 0.9, bounds_share = 0.25;
static const double short_share = 0.2; /* of the flight */
/* Beyond this chi2 is smaller than chance allows. */
static const double too_good_p = 0.999;

/* The parameter that differs most, NULL where none is comparable. */
static const char *worst_parameter(const ArcResult *result)
{
    const ArcComparison *comparison = &result->comparison;
    const char *name = NULL;
    double most = -1;
    for (int p = 0; comparison->both && p < comparison->n_parameters; p++) {
        if (fabs(comparison->in_sd[p]) > most) {
            most = fabs(comparison->in_sd[p]);
            name = result->fits[0]->parameters[p].name;
        }
    }
    /* Of several flights it may be one of theirs. */
    for (int f = 0; f < comparison->n_flights; f++) {
        const ArcFit *flight = &result->fits[0]->flights[f];
        for (int p = 0; p < flight->n_parameters; p++)
            if (fabs(comparison->flights[f].in_sd[p]) > most) {
                most = fabs(comparison->flights[f].in_sd[p]);
                name = flight->parameters[p].name;
            }
    }
    return name;
}

/* Of the flight's equations of motion, or of the swing's where only that one's net is at fault. */
static void say_loose_net(ArcText *text, const ArcFit *fit)
{
    static const double share = 0.1; /* of what is allowed, between the collocation points */
    const ArcResiduals *r = &fit->residuals;
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    double fine = NAN, allowed = NAN;
    arc_arm_parts_physics(fit, &fine, &allowed);
    bool is_swing =
        fine > share * allowed && !(r->physics_rms_fine_m_s2 > share * r->sigma_phys_m_s2);
    arc_text_append(text,
                    "came to rest, but its net does not follow the %sequations between the "
                    "collocation points (%s of %s%s allowed): give it another net, "
                    "`auto`, or other stages",
                    is_swing ? "swing's " : "",
                    arc_table_plain(a, is_swing ? fine : r->physics_rms_fine_m_s2, 2),
                    arc_table_plain(b, share * (is_swing ? allowed : r->sigma_phys_m_s2), 2),
                    is_swing ? " rad/s^2" : arc_section_physics_unit(fit));
}

static void say_not_converged(ArcText *text, const ArcResult *result)
{
    const char *between = "", *word = arc_states_parts_word(result);
    arc_text_append(text, "not converged: ");
    for (int i = 0; i < result->n_fits; i++) {
        const ArcFit *fit = result->fits[i];
        if (fit->converged)
            continue;
        arc_text_append(text, "%sthe %s fit ", between,
                        fit->method == ARC_PINN ? "PINN" : "direct");
        between = "; ";
        if (arc_stop_is_converged(fit->stop) && fit->stop_note != NULL)
            arc_text_append(text, "came to rest, but %s", fit->stop_note);
        else if (arc_stop_is_converged(fit->stop))
            say_loose_net(text, fit);
        else if (fit->stop == ARC_STOP_LIMIT)
            arc_text_append(text,
                            "ran out of steps (limit): give it more steps, starts or bounds "
                            "nearer to the %s, or several `starts`",
                            word);
        else if (fit->stop == ARC_STOP_NON_FINITE && fit->stop_note != NULL)
            arc_text_append(text, "met numbers that are not finite: %s", fit->stop_note);
        else if (fit->stop == ARC_STOP_NON_FINITE)
            arc_text_append(
                text, "met numbers that are not finite: give starts or bounds nearer to the %s",
                word);
        else if (fit->stop == ARC_STOP_INTERRUPTED)
            arc_text_append(text, "was interrupted: run it again, or go on from its checkpoint");
        else
            arc_text_append(text,
                            "found no better step (%s): fix or bound what the data do not tell, "
                            "or give starts nearer to the %s",
                            arc_stop_text(fit->stop), word);
    }
    arc_text_append(text, "; its numbers are no estimates");
}

/* Whether the push is over within a small part of the flight. */
static bool is_short(const ArcResult *result)
{
    const ArcFit *fit = arc_section_fit(result);
    const double *interval_s = result->comparison.physics.interval_s;
    double flight_s = fit->time_s[fit->n_trajectory - 1] - fit->time_s[0];
    return interval_s[1] - interval_s[0] < short_share * flight_s;
}

/* Where chi2 fails: one push somewhere along the flight, or nowhere in particular. */
static void say_where(ArcText *text, const ArcResult *result)
{
    const ArcBreach *breach = &result->comparison.physics;
    const ArcFit *pinn = arc_result_fit(result, ARC_PINN);
    const ArcResiduals *r = &arc_section_fit(result)->residuals;
    char number[ARC_TABLE_NUMBER], all[ARC_TABLE_NUMBER];
    if (arc_arm_parts_say_where(text, arc_section_fit(result)))
        return;
    if (arc_states_parts_of_result(result) != NULL) {
        arc_states_parts_say_where(text, arc_section_fit(result));
    } else if (!breach->searched) {
        arc_text_append(text, "; look for another force, a bounce, or a sigma that is too small");
    } else if (breach->p_scaled < ARC_BREACH_TOLD_P) {
        arc_text_append(text, "; an extra acceleration of ");
        arc_breach_parts_phrase(text, breach);
        if (pinn != NULL) /* whose flight was searched, and which may have another chi2 */
            r = &pinn->residuals;
        /* A linearised search may explain more than there is. */
        bool is_all = breach->chi2_explained >= r->chi2 + r->prior_chi2;
        arc_text_append(text, " explains %s of chi2 %s: look there for %s",
                        is_all ? "all" : arc_table_plain(number, breach->chi2_explained, 3),
                        arc_table_plain(all, r->chi2 + r->prior_chi2, 3),
                        is_short(result) ? "a bounce, a knock or a gust"
                                         : "a force that the model leaves out");
    } else {
        arc_text_append(text,
                        "; the noise is about %s times the stated sigma (no part of the flight "
                        "stands out from that), single points are wrong, or the law is wrong all "
                        "along",
                        arc_table_plain(number, sqrt((r->chi2 + r->prior_chi2) / r->dof), 2));
    }
}

/* Of the flight, or of the swing where only that breaks them. */
static void say_broken_equations(ArcText *text, const ArcFit *pinn)
{
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    bool is_own = pinn->states != NULL;
    double fine = pinn->residuals.physics_rms_fine_m_s2;
    double allowed = pinn->residuals.sigma_phys_m_s2, swing_fine, swing_allowed;
    arc_arm_parts_physics(pinn, &swing_fine, &swing_allowed);
    if (swing_fine > swing_allowed && !(fine > allowed))
        arc_text_append(text,
                        "misfit: the PINN breaks the swing's equations by %s rad/s^2 where %s was "
                        "allowed; the arm misses a torque",
                        arc_table_plain(a, swing_fine, 2), arc_table_plain(b, swing_allowed, 2));
    else
        arc_text_append(text,
                        "misfit: the PINN breaks the equations%s by %s%s where %s was "
                        "allowed; the model misses a %s",
                        is_own ? "" : " of motion", arc_table_plain(a, fine, 2),
                        arc_section_physics_unit(pinn), arc_table_plain(b, allowed, 2),
                        is_own ? "term" : "force");
}

static void say_misfit(ArcText *text, const ArcResult *result)
{
    char a[ARC_TABLE_NUMBER];
    const ArcComparison *comparison = &result->comparison;
    const ArcBreach *breach = &comparison->physics;
    const ArcFit *pinn = arc_result_fit(result, ARC_PINN);
    bool one_flight = result->n_flights > 0 && comparison->worst_p < ARC_MISFIT_P;
    if (one_flight && !(comparison->chi2_p < ARC_MISFIT_P)) {
        arc_text_append(text,
                        "misfit: the model explains the %ss as a whole (chi2 p %s), but "
                        "not each of them",
                        arc_states_parts_word(result), arc_table_plain(a, comparison->chi2_p, 2));
        arc_flights_say_worst(text, result);
    } else if (comparison->chi2_p < ARC_MISFIT_P || pinn == NULL) {
        arc_text_append(text, "misfit: the model does not explain the data (chi2 p %s)",
                        arc_table_plain(a, comparison->chi2_p, 2));
        if (result->n_flights == 0) {
            say_where(text, result);
        } else {
            arc_flights_say_worst(text, result);
            arc_arm_parts_say_where(text, arc_section_fit(result));
        }
    } else if (breach->searched && !breach->tolerated && breach->p < ARC_MISFIT_P) {
        arc_text_append(text, "misfit: ");
        if (!isnan(comparison->chi2_p))
            arc_text_append(text, "chi2 as a whole passes (p %s), but ",
                            arc_table_plain(a, comparison->chi2_p, 2));
        arc_text_append(text, "the flight leaves its equations: an extra acceleration of ");
        arc_breach_parts_phrase(text, breach);
        arc_text_append(text, " (");
        arc_breach_parts_chance(text, breach->p);
        arc_text_append(text, ")");
    } else {
        say_broken_equations(text, pinn);
    }
}

/* The number that a recorded setting parameters.NAME.KEY begins with, or its second one where it
 * is a list; NaN where there is none. */
static double setting_number(const ArcResult *result, const char *name, const char *key, int which)
{
    char path[128];
    snprintf(path, sizeof path, "parameters.%.60s.%.30s", name, key);
    const char *value = arc_result_setting(result, path);
    if (value != NULL && *value == '[')
        value++;
    if (value != NULL && which == 1) {
        value = strchr(value, ',');
        value = value != NULL ? value + 1 : NULL;
    }
    if (value == NULL)
        return NAN;
    char *end;
    double number = strtod(value, &end);
    return end == value ? (double)NAN : number;
}

/* What the data are too few for, NULL where they tell the parameter. */
static const char *too_little(const ArcResult *result, const ArcEstimate *e)
{
    if (e->status == ARC_PARAMETER_UNIDENTIFIED)
        return "unidentified";
    if (e->status != ARC_PARAMETER_FREE)
        return NULL;
    if (e->sd >= prior_share * setting_number(result, e->name, "prior.sd", 0))
        return "its prior alone tells it";
    double width =
        setting_number(result, e->name, "bounds", 1) - setting_number(result, e->name, "bounds", 0);
    if (isfinite(width) && e->sd >= bounds_share * width)
        return "its sd spans its bounds";
    /* What is usual is known of a flight's parameters alone. */
    return arc_states_parts_of_result(result) != NULL ? NULL : arc_hardly_known(e);
}

/* "; too little data for cd (unidentified) and spin (its prior alone tells it)"; of a run with one
 * reason the last says it. */
static void say_too_little(ArcText *text, const ArcResult *result)
{
    const ArcFit *fit = arc_section_fit(result);
    const char *whys[ARC_MAX_PARAMETERS], *names[ARC_MAX_PARAMETERS];
    int n = 0;
    for (int p = 0; p < fit->n_parameters && n < ARC_MAX_PARAMETERS; p++) {
        whys[n] = too_little(result, &fit->parameters[p]);
        names[n] = fit->parameters[p].name;
        n += whys[n] != NULL;
    }
    for (int i = 0; i < n; i++) {
        bool goes_on = i + 1 < n && strcmp(whys[i], whys[i + 1]) == 0;
        arc_text_append(text, "%s%s",
                        i == 0       ? "; but too little data for "
                        : i == n - 1 ? " and "
                                     : ", ",
                        names[i]);
        if (!goes_on)
            arc_text_append(text, " (%s)", whys[i]);
    }
}

/* What chi2 says where it does not rule the model out. */
static void say_chi2(ArcText *text, const ArcResult *result)
{
    char number[ARC_TABLE_NUMBER];
    double p = result->comparison.chi2_p;
    const ArcFit *fit = arc_section_fit(result);
    bool estimated = fit->spread.sigma_estimated;
    for (int i = 0; i < fit->residuals.n_cameras; i++)
        estimated = estimated || fit->residuals.cameras[i].sigma_factor_sd != 0.0;
    if (estimated)
        arc_text_append(text, "; sigma is estimated, so that chi2 cannot test the model");
    else if (isnan(p))
        arc_text_append(text, "; no degree of freedom is left to test the model by");
    else if (p > too_good_p)
        arc_text_append(text,
                        ", and chi2 is smaller than chance allows (p %s): the sigmas are too "
                        "large",
                        arc_table_plain(number, p, 5));
    else
        arc_text_append(text, ", and the model explains the data");
}

void arc_verdict_sentence(ArcText *text, const ArcResult *result)
{
    char number[ARC_TABLE_NUMBER];
    const ArcComparison *comparison = &result->comparison;
    const char *worst = worst_parameter(result);
    switch (comparison->verdict) {
    case ARC_VERDICT_AGREE:
        arc_text_append(text, "agree: both methods find the same %s%s",
                        arc_states_parts_word(result), result->n_flights > 0 ? "s" : "");
        break;
    case ARC_VERDICT_MISFIT:
        say_misfit(text, result);
        return;
    case ARC_VERDICT_DIFFER:
        if (arc_arm_parts_say_poses(text, result))
            return;
        arc_text_append(text,
                        "differ: PINN and direct fit are up to %s sd apart%s%s%s; trust neither "
                        "before you know why (more starts, another net)",
                        arc_table_plain(number, comparison->max_in_sd, 2),
                        worst == NULL ? "" : " (", worst == NULL ? "" : worst,
                        worst == NULL ? "" : ")");
        return;
    case ARC_VERDICT_NOT_CONVERGED:
        say_not_converged(text, result);
        if (arc_section_fit(result)->converged)
            say_too_little(text, result);
        return;
    default:
        arc_text_append(text, "one method only, which converged");
        break;
    }
    say_chi2(text, result);
    say_too_little(text, result);
}

/* The sentence as an entry. */
static void verdict_entry(ArcText *table, const ArcResult *result)
{
    ArcText text = {0};
    char *sentence;
    arc_verdict_sentence(&text, result);
    if (arc_text_finish(&text, &sentence, NULL) != ARC_OK) {
        table->failed = true;
        return;
    }
    arc_table_entry(table, "verdict", sentence);
    arc_text_free(sentence);
}

void arc_verdict_section(ArcText *table, const ArcResult *result)
{
    const ArcComparison *comparison = &result->comparison;
    char line[320], a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    bool is_own = arc_states_parts_of_result(result) != NULL;
    if (comparison->both) {
        const char *worst = worst_parameter(result);
        snprintf(line, sizeof line, "%.24s sd apart at most%s%s%s; trajectories %.24s %s",
                 arc_table_plain(a, comparison->max_in_sd, 2), worst == NULL ? "" : " (",
                 worst == NULL ? "" : worst, worst == NULL ? "" : ")",
                 arc_table_plain(b, (is_own ? 1.0 : 1e3) * comparison->trajectory_max_m, 2),
                 is_own ? "of a state's size apart at most" : "mm apart at most");
        if (!isnan(comparison->swing_max_rad))
            snprintf(line + strlen(line), sizeof line - strlen(line), ", swings %.24s deg",
                     arc_table_plain(a, 180 / M_PI * comparison->swing_max_rad, 2));
        arc_table_entry(table, "comparison", line);
    }
    arc_breach_parts_entry(table, &comparison->physics);
    const ArcFit *pinn = arc_result_fit(result, ARC_PINN);
    bool has_swing = pinn != NULL && pinn->arm != NULL && pinn->arm->swing != NULL;
    if (pinn != NULL && pinn->converged && !comparison->physics.searched &&
        result->n_flights == 0 && !is_own)
        arc_table_entry(
            table, "physics",
            has_swing ? "not searched for where the flight leaves its equations: that "
                        "of an arm's swing is not looked at by itself"
                      : "not searched for where the flight leaves its equations: too few degrees "
                        "of freedom, gravity alone tells its size, or its looser fit did not "
                        "settle");
    verdict_entry(table, result);
}
