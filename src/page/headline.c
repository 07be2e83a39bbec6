/* What was found and how well, in one line that a coach understands, and the few numbers that
 * everybody asks for. The report's own verdict stands below it, in the words of who fits. */
#include "page/markup.h"
#include "page/parts.h"
#include "report/remarks.h"
#include "report/section.h"
#include "report/states_parts.h"
#include "report/table.h"
#include "report/verdict.h"

#include <math.h>
#include <string.h>

enum { MOST_FACTS = 5 };

/* Beyond this chi2 is smaller than chance allows, as the verdict has it. */
static const double too_good_p = 0.999;

static const ArcEstimate *find(const ArcFit *fit, const char *derived, const char *parameter)
{
    const ArcEstimate *e = arc_remarks_derived(fit, derived);
    for (int p = 0; e == NULL && p < fit->n_parameters; p++)
        if (strcmp(fit->parameters[p].name, parameter) == 0)
            e = &fit->parameters[p];
    return e;
}

static const ArcEstimate *speed_of(const ArcFit *fit)
{
    return find(fit, "release_speed", "speed");
}

static const ArcEstimate *angle_of(const ArcFit *fit)
{
    return find(fit, "release_angle", "angle");
}

/* Angles are told in degrees, whatever units the tables have. */
static void say_angle(ArcText *page, double angle_rad)
{
    char number[ARC_TABLE_NUMBER];
    arc_table_plain(number, fabs(angle_rad) * 180 / M_PI, 2);
    arc_text_append(page, "%s° %s", number, angle_rad < 0 ? "down" : "up");
}

typedef struct Range {
    double low, high;
} Range;

static void write_speeds(ArcText *page, const void *what, ArcUnits units)
{
    const Range *range = what;
    char low[ARC_TABLE_NUMBER], high[ARC_TABLE_NUMBER];
    ArcShownUnit shown = arc_units_shown(units, "m/s");
    arc_text_append(page, "%s to %s", arc_table_plain(low, shown.slope * range->low, 3),
                    arc_table_plain(high, shown.slope * range->high, 3));
    arc_markup_unit(page, shown.unit);
}

/* One digit of the sd is enough here. */
static void write_speed(ArcText *page, const void *what, ArcUnits units)
{
    const ArcEstimate *e = what;
    char value[ARC_TABLE_NUMBER], sd[ARC_TABLE_NUMBER];
    ArcShownUnit shown = arc_units_shown(units, "m/s");
    if (e->sd > 0)
        arc_text_append(page, "%s ± %s",
                        arc_table_number(value, shown.slope * e->value, 10 * shown.slope * e->sd),
                        arc_table_number(sd, shown.slope * e->sd, 10 * shown.slope * e->sd));
    else
        arc_text_append(page, "%s", arc_table_plain(value, shown.slope * e->value, 3));
    arc_markup_unit(page, shown.unit);
}

/* "The ball left the hand at 7.39 ± 0.02 m/s, 52° up": of one flight. */
static void say_release(ArcText *page, const ArcFit *fit)
{
    const ArcEstimate *speed = speed_of(fit), *angle = angle_of(fit);
    if (speed == NULL) {
        arc_text_append(page, "The flight was fitted");
        return;
    }
    arc_text_append(page, "The ball left the hand at <strong>");
    arc_markup_in_units(page, write_speed, speed);
    arc_text_append(page, "</strong>");
    if (angle != NULL && isfinite(angle->value)) {
        arc_text_append(page, ", <strong>");
        say_angle(page, angle->value);
        arc_text_append(page, "</strong>");
    }
}

/* "12 flights were fitted together; the ball left the hand at 7.9 to 9.2 m/s": of several. */
static void say_flights(ArcText *page, const ArcResult *result, const ArcFit *fit)
{
    Range range = {INFINITY, -INFINITY};
    arc_text_append(page, "<strong>%d %ss</strong> were fitted together", result->n_flights,
                    arc_states_parts_word(result));
    for (int i = 0; i < fit->n_flights; i++) {
        const ArcEstimate *speed = speed_of(&fit->flights[i]);
        if (speed == NULL || !isfinite(speed->value))
            return;
        range.low = fmin(range.low, speed->value);
        range.high = fmax(range.high, speed->value);
    }
    if (fit->n_flights == 0)
        return;
    arc_text_append(page, "; the ball left the hand at <strong>");
    arc_markup_in_units(page, write_speeds, &range);
    arc_text_append(page, "</strong>");
}

/* What was fitted, without a full stop. */
static void say_what(ArcText *page, const ArcResult *result)
{
    const ArcFit *fit = arc_section_fit(result);
    if (result->n_flights > 0) {
        say_flights(page, result, fit);
    } else if (arc_states_parts_of_result(result) != NULL) {
        arc_text_append(page, "The run was fitted by its own equations, with <strong>%d",
                        fit->n_free);
        arc_text_append(page, "</strong> number%s to find", fit->n_free == 1 ? "" : "s");
    } else {
        say_release(page, fit);
    }
}

static const char *noun(const ArcResult *result)
{
    return arc_states_parts_of_result(result) != NULL ? "model" : "flight model";
}

/* Whether the model stands the test of its own points. */
static void say_explained(ArcText *page, const ArcResult *result)
{
    const ArcFit *fit = arc_section_fit(result);
    double p = result->comparison.chi2_p;
    bool is_own = arc_states_parts_of_result(result) != NULL;
    int n = is_own ? fit->residuals.observations : fit->residuals.points;
    if (fit->spread.sigma_estimated)
        arc_text_append(page,
                        ". How far the points scatter was found from them as well, so that "
                        "they cannot test the %s",
                        noun(result));
    else if (isnan(p))
        arc_text_append(page, ". The %d points are too few to test the %s", n, noun(result));
    else if (p > too_good_p)
        arc_text_append(page,
                        ", and the %d points lie closer to the %s than their stated errors "
                        "let them",
                        n, is_own ? "run" : "flight");
    else
        arc_text_append(page, " and the %s explains the %d %s", noun(result), n,
                        is_own ? "readings" : "points");
}

/* " The points do not tell cd and spin." */
static void say_untold(ArcText *page, const ArcResult *result)
{
    const ArcFit *fit = arc_section_fit(result);
    int n = 0, told = 0;
    for (int p = 0; p < fit->n_parameters; p++)
        n += fit->parameters[p].status == ARC_PARAMETER_UNIDENTIFIED;
    if (n == 0)
        return;
    arc_text_append(page, " But the points do not tell ");
    for (int p = 0; p < fit->n_parameters; p++) {
        if (fit->parameters[p].status != ARC_PARAMETER_UNIDENTIFIED)
            continue;
        arc_text_append(page, "%s", told == 0 ? "" : told == n - 1 ? " and " : ", ");
        arc_markup_name(page, fit->parameters[p].name);
        told++;
    }
    arc_text_append(page, ".");
}

static void say_failed(ArcText *page, const ArcResult *result)
{
    bool all = true;
    for (int i = 0; i < result->n_fits; i++)
        all = all && !result->fits[i]->converged;
    arc_text_append(page, "<strong>No answer yet.</strong> ");
    if (all)
        arc_text_append(page, "The fit did not come to rest; the numbers below are no estimates.");
    else
        for (int i = 0; i < result->n_fits; i++)
            if (!result->fits[i]->converged)
                arc_text_append(page,
                                "The %s fit did not come to rest, so that the other one "
                                "stands unchecked.",
                                result->fits[i]->method == ARC_PINN ? "PINN" : "direct");
}

static void say(ArcText *page, const ArcResult *result)
{
    char number[ARC_TABLE_NUMBER];
    switch (result->comparison.verdict) {
    case ARC_VERDICT_NOT_CONVERGED:
        say_failed(page, result);
        return;
    case ARC_VERDICT_MISFIT:
        say_what(page, result);
        arc_text_append(page,
                        ", if the %s is right; but it does <strong>not explain the "
                        "points</strong>: look at what is left over before you use these "
                        "numbers.",
                        noun(result));
        break;
    case ARC_VERDICT_DIFFER:
        say_what(page, result);
        arc_text_append(page,
                        "; but the two methods are up to %s standard deviations apart: "
                        "<strong>trust neither</strong> before you know why.",
                        arc_table_plain(number, result->comparison.max_in_sd, 2));
        break;
    default:
        say_what(page, result);
        arc_text_append(page, "; %s",
                        result->comparison.verdict == ARC_VERDICT_AGREE
                            ? "both methods agree"
                            : "one method alone was run");
        say_explained(page, result);
        arc_text_append(page, ".");
        break;
    }
    say_untold(page, result);
}

/* Good, to be looked at, or none. */
static const char *grade(const ArcResult *result)
{
    switch (result->comparison.verdict) {
    case ARC_VERDICT_AGREE:
    case ARC_VERDICT_NONE:
        return arc_result_exit_code(result) == 0 ? "good" : "unsure";
    case ARC_VERDICT_NOT_CONVERGED:
        return "bad";
    default:
        return "unsure";
    }
}

void arc_page_headline(ArcText *page, const ArcPagePart *part)
{
    const ArcResult *result = part->item->result;
    ArcText sentence = {0};
    char *text;
    arc_text_append(page, "<p class=\"headline %s\">", grade(result));
    say(page, result);
    arc_text_append(page, "</p>\n<p class=\"verdict\" dir=\"auto\"><span class=\"label\">Verdict"
                          "</span> ");
    arc_verdict_sentence(&sentence, result);
    if (arc_text_finish(&sentence, &text, NULL) != ARC_OK) {
        page->failed = true;
        return;
    }
    arc_markup_sentence(page, text);
    arc_text_free(text);
    arc_text_append(page, ".</p>\n");
}

/* "release_speed" as words. */
static void say_name(ArcText *page, const char *name)
{
    ArcText words = {0};
    char *text;
    arc_text_append(&words, "%s", name);
    for (size_t i = 0; i < words.size; i++)
        if (words.bytes[i] == '_')
            words.bytes[i] = ' ';
    if (arc_text_finish(&words, &text, NULL) != ARC_OK) {
        page->failed = true;
        return;
    }
    arc_markup_name(page, text);
    arc_text_free(text);
}

void arc_page_facts(ArcText *page, const ArcPagePart *part)
{
    const ArcResult *result = part->item->result;
    const ArcFit *fit = arc_section_fit(result);
    if (result->comparison.verdict == ARC_VERDICT_NOT_CONVERGED || fit->n_derived == 0)
        return;
    arc_text_append(page, "<dl class=\"facts\">\n");
    for (int i = 0, told = 0; i < fit->n_derived && told < MOST_FACTS; i++) {
        const ArcEstimate *e = &fit->derived[i];
        if (!isfinite(e->value))
            continue;
        told++;
        arc_text_append(page, "<div><dt>");
        say_name(page, e->name);
        arc_text_append(page, "</dt><dd>");
        arc_markup_said(page, e->value, e->sd, e->unit);
        arc_text_append(page, "</dd></div>\n");
    }
    arc_text_append(page, "</dl>\n");
}
