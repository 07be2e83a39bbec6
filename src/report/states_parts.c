/* Own equations in words, tables of 80 columns, and JSON. */
#include "report/states_parts.h"

#include "report/section.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    NAME_WIDTH = 15,
    START_WIDTH = 11, /* "state at t0" */
    VALUE_WIDTH = 22,
    UNIT_WIDTH = 5,
    LONG_UNIT_WIDTH = 9,
    COUNT_WIDTH = 7,
    RMS_WIDTH = 11,
    CHI2_WIDTH = 9
};

const ArcStatesFit *arc_states_parts_of_result(const ArcResult *result)
{
    return result->fits[0] != NULL ? result->fits[0]->states : NULL;
}

const char *arc_states_parts_word(const ArcResult *result)
{
    return arc_states_parts_of_result(result) != NULL ? "run" : "flight";
}

int arc_states_parts_start(const ArcStatesFit *states, const char *parameter)
{
    size_t length = strlen(parameter);
    if (length < 2 || parameter[length - 1] != '0')
        return -1;
    for (int c = 0; c < states->n_channels; c++) {
        const char *name = states->channels[c].name;
        if (strlen(name) == length - 1 && strncmp(name, parameter, length - 1) == 0)
            return c;
    }
    return -1;
}

const char *arc_states_parts_rate_unit(char buffer[ARC_STATES_UNIT], const char *unit, int n)
{
    const char *power = strstr(unit, "/s");
    int length = (int)strlen(unit);
    int had = power == NULL                   ? 0
              : strcmp(power, "/s") == 0      ? 1
              : strncmp(power, "/s^", 3) == 0 ? power[3] - '0'
                                              : 0;
    if (had < 1 || had > 9 || (power[2] == '^' && power[4] != '\0'))
        had = 0;
    else
        length = (int)(power - unit);
    if (n + had == 0)
        snprintf(buffer, ARC_STATES_UNIT, "%s", unit);
    else if (n + had == 1)
        snprintf(buffer, ARC_STATES_UNIT, "%.*s/s", length, unit);
    else
        snprintf(buffer, ARC_STATES_UNIT, "%.*s/s^%d", length, unit, n + had);
    return buffer;
}

/* Used numbers of a channel and their sigmas. */
typedef struct Seen {
    int fitted, held_out;
    double low, high;
} Seen;

static Seen channel_seen(const ArcCapture *capture, int channel)
{
    Seen seen = {.low = INFINITY};
    for (int i = 0; i < capture->n_points && channel < capture->dimensions; i++) {
        int at = i * capture->dimensions + channel;
        if (capture->use[i] == ARC_POINT_UNUSED || isnan(capture->position_m[at]))
            continue;
        seen.fitted += capture->use[i] == ARC_POINT_FIT;
        seen.held_out += capture->use[i] == ARC_POINT_HELD_OUT;
        seen.low = fmin(seen.low, capture->sigma_m[at]);
        seen.high = fmax(seen.high, capture->sigma_m[at]);
    }
    return seen;
}

/* "0.01", "0.01 to 0.02". */
static void sigma_text(char *text, size_t size, const Seen *seen)
{
    char low[ARC_TABLE_NUMBER], high[ARC_TABLE_NUMBER];
    arc_table_plain(low, seen->low, 3);
    arc_table_plain(high, seen->high, 3);
    bool is_one = strcmp(low, high) == 0;
    snprintf(text, size, "%.24s%s%.24s", low, is_one ? "" : " to ", is_one ? "" : high);
}

static void append_unit(ArcText *text, const char *unit)
{
    if (strcmp(unit, "1") != 0)
        arc_text_append(text, " %s", unit);
}

void arc_states_parts_header(ArcText *table, const ArcResult *result)
{
    const ArcStatesFit *states = arc_states_parts_of_result(result);
    const char *given = arc_result_setting(result, "capture.sigma");
    const char *path = result->model_path != NULL ? result->model_path
                                                  : arc_result_setting(result, "model.plugin");
    bool found = result->n_fits > 0 && result->fits[0]->spread.sigma_estimated;
    bool is_open = result->n_fits == 0 && given != NULL && strcmp(given, "estimate") == 0;
    ArcText line = {0};
    int n = 0;
    if (states == NULL)
        return;
    for (int c = 0; c < states->n_channels; c++) {
        char sigma[2 * ARC_TABLE_NUMBER];
        Seen seen = channel_seen(result->capture, c);
        if (seen.fitted + seen.held_out == 0)
            continue;
        sigma_text(sigma, sizeof sigma, &seen);
        arc_text_append(&line, "%s%s %s", n++ > 0 ? ", " : "", states->channels[c].name, sigma);
        append_unit(&line, states->channels[c].unit);
    }
    if (found || is_open)
        arc_text_append(&line, "; times a factor that is %s", found ? "estimated" : "to be found");
    arc_table_entry_of(table, "sigma", &line);
    arc_text_append(&line, "%s: %d %s%s of %s order", states->model, states->n_states,
                    states->order == 1 ? "state" : "coordinate", states->n_states == 1 ? "" : "s",
                    states->order == 1 ? "first" : "second");
    if (path != NULL)
        arc_text_append(&line, "; %s", path);
    arc_table_entry_of(table, "model", &line);
}

/* How wide names and units of a table are: together they leave room for the words at its end. */
typedef struct Widths {
    int name, unit;
} Widths;

static Widths widths_of(const ArcFit *fit)
{
    int unit = UNIT_WIDTH;
    for (int p = 0; p < fit->n_parameters; p++) {
        int length = arc_table_length(arc_table_unit(fit->parameters[p].unit));
        if (length > unit)
            unit = length < LONG_UNIT_WIDTH ? length : LONG_UNIT_WIDTH;
    }
    int name = NAME_WIDTH + UNIT_WIDTH - unit;
    return (Widths){name > START_WIDTH ? name : START_WIDTH, unit};
}

/* A unit keeps its whole text, at the cost of a line that is too long. */
static void unit_cell(ArcText *table, const Widths *widths, const char *unit)
{
    unit = arc_table_unit(unit);
    int length = arc_table_length(unit);
    arc_table_cell(table, length > widths->unit ? 0 : widths->unit, unit);
}

/* A parameter of all fits, and beside it what people read: degrees, degrees a second. */
static void estimate_rows(ArcText *table, const ArcResult *result, int p, const Widths *widths,
                          bool is_compared)
{
    char value[ARC_TABLE_NUMBER];
    const ArcEstimate *rows[2] = {&result->fits[0]->parameters[p],
                                  &result->fits[result->n_fits - 1]->parameters[p]};
    double factor = 1.0;
    const char *other = arc_table_joint_unit(rows[0]->unit, &factor);
    bool has_other = other != NULL && (rows[0]->value != 0.0 || rows[0]->sd != 0.0);
    for (int k = 0; k < (has_other ? 2 : 1); k++) {
        arc_table_name(table, widths->name, k == 0 ? rows[0]->name : "");
        for (int i = 0; i < result->n_fits; i++)
            arc_table_cell(
                table, VALUE_WIDTH,
                arc_table_value(value, rows[i]->value, rows[i]->sd, k == 0 ? 1.0 : factor));
        unit_cell(table, widths, k == 0 ? rows[0]->unit : other);
        if (k == 1) {
            arc_table_last(table, 0, "");
        } else if (is_compared) {
            double in_sd = result->comparison.in_sd[p];
            arc_table_plain(value, in_sd, 2);
            arc_text_append(table, "%s%s\n", isnan(in_sd) ? "-" : value, isnan(in_sd) ? "" : " sd");
        } else {
            arc_table_last(table, 0, arc_table_status(result->n_fits, rows));
        }
    }
}

void arc_states_parts_estimates(ArcText *table, const ArcResult *result, bool is_compared)
{
    const ArcFit *fit = result->fits[0];
    Widths widths = widths_of(fit);
    for (int pass = 0; pass < 2; pass++) {
        bool has_heading = false;
        for (int p = 0; p < fit->n_parameters; p++) {
            bool is_start = arc_states_parts_start(fit->states, fit->parameters[p].name) >= 0;
            if (is_start != (pass == 1))
                continue;
            if (!has_heading) {
                arc_table_cell(table, widths.name, pass == 0 ? "parameter" : "state at t0");
                for (int i = 0; i < result->n_fits; i++)
                    arc_table_cell(table, VALUE_WIDTH,
                                   result->fits[i]->method == ARC_PINN ? "PINN" : "direct");
                arc_table_cell(table, widths.unit, "unit");
                arc_table_last(table, 0, is_compared ? "difference" : "status");
            }
            has_heading = true;
            estimate_rows(table, result, p, &widths, is_compared);
        }
        if (has_heading)
            arc_text_append(table, "\n");
    }
}

/* A row of rms and, but for held-out numbers, chi2 of every fit. */
static void channel_row(ArcText *table, const ArcResult *result, int c, bool is_held_out)
{
    char number[ARC_TABLE_NUMBER];
    const ArcChannelFit *first = &result->fits[0]->states->channels[c];
    int n = is_held_out ? first->n_held_out : first->n;
    arc_table_name(table, NAME_WIDTH, is_held_out ? "  held out" : first->name);
    arc_table_cell(table, LONG_UNIT_WIDTH, is_held_out ? "" : first->unit);
    arc_text_append(table, "%*d", COUNT_WIDTH, n);
    for (int i = 0; i < result->n_fits; i++) {
        const ArcChannelFit *channel = &result->fits[i]->states->channels[c];
        double rms = is_held_out ? channel->held_out_rms : channel->rms;
        arc_text_append(table, " %*s", RMS_WIDTH, arc_table_plain(number, rms, 4));
        arc_table_plain(number, channel->chi2, 4);
        if (!is_held_out || i + 1 < result->n_fits)
            arc_text_append(table, " %*s", CHI2_WIDTH, is_held_out ? "" : number);
    }
    arc_text_append(table, "\n");
}

void arc_states_parts_text(ArcText *table, const ArcResult *result)
{
    const ArcStatesFit *states = arc_states_parts_of_result(result);
    ArcText unseen = {0};
    int n_unseen = 0;
    if (states == NULL)
        return;
    arc_table_cell(table, NAME_WIDTH, "channel");
    arc_table_cell(table, LONG_UNIT_WIDTH, "unit");
    arc_text_append(table, "%*s", COUNT_WIDTH, "numbers");
    for (int i = 0; i < result->n_fits; i++)
        arc_text_append(table, " %*s %*s", RMS_WIDTH,
                        result->fits[i]->method == ARC_PINN ? "rms PINN" : "rms direct", CHI2_WIDTH,
                        "chi2");
    arc_text_append(table, "\n");
    for (int c = 0; c < states->n_channels; c++) {
        const ArcChannelFit *channel = &states->channels[c];
        if (channel->n == 0 && channel->n_held_out == 0) {
            arc_text_append(&unseen, "%s%s", n_unseen++ > 0 ? ", " : "", channel->name);
            continue;
        }
        channel_row(table, result, c, false);
        if (channel->n_held_out > 0)
            channel_row(table, result, c, true);
    }
    if (n_unseen > 0)
        arc_table_entry_of(table, "not observed", &unseen);
    arc_text_append(table, "\n");
}

void arc_states_parts_say_where(ArcText *text, const ArcFit *fit)
{
    const ArcStatesFit *states = fit->states;
    const ArcChannelFit *worst = NULL;
    char number[ARC_TABLE_NUMBER];
    int seen = 0;
    for (int c = 0; c < states->n_channels; c++) {
        const ArcChannelFit *channel = &states->channels[c];
        seen += channel->n > 0;
        if (channel->n > 0 &&
            (worst == NULL || channel->chi2 / channel->n > worst->chi2 / worst->n))
            worst = channel;
    }
    arc_text_append(text, "; ");
    if (seen > 1)
        arc_text_append(text, "%s is furthest off (chi2 %s of %d numbers); ", worst->name,
                        arc_table_plain(number, worst->chi2, 3), worst->n);
    arc_text_append(text, "look for a term that the equations leave out, another start, single "
                          "wrong points, or a sigma that is too small");
}

static json_t *channel_json(ArcJson *json, const ArcChannelFit *channel)
{
    json_t *object = arc_json_object(json);
    arc_json_put_string(json, object, "name", channel->name);
    arc_json_put_string(json, object, "unit", channel->unit);
    arc_json_put_integer(json, object, "points", channel->n);
    arc_json_put_number(json, object, "rms", channel->rms);
    arc_json_put_number(json, object, "chi2", channel->n > 0 ? channel->chi2 : (double)NAN);
    arc_json_put_integer(json, object, "held_out_points", channel->n_held_out);
    arc_json_put_number(json, object, "held_out_rms", channel->held_out_rms);
    return object;
}

static void physics_json(ArcJson *json, json_t *object, const ArcResiduals *r)
{
    static const char *const names[] = {"physics_rms", "physics_rms_fine", "sigma_phys"};
    const double values[] = {r->physics_rms_m_s2, r->physics_rms_fine_m_s2, r->sigma_phys_m_s2};
    for (int i = 0; i < 3; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s_m_s2", names[i]);
        arc_json_put_number(json, object, name, NAN);
        arc_json_put_number(json, object, names[i], values[i]);
    }
    arc_json_put(json, object, "sigma_phys_ci95_m_s2",
                 arc_json_vector(json, 2, (const double[]){NAN, NAN}));
    arc_json_put(json, object, "sigma_phys_ci95",
                 arc_json_vector(json, 2, r->sigma_phys_ci95_m_s2));
}

void arc_states_parts_json(ArcJson *json, json_t *object, const ArcFit *fit)
{
    const ArcStatesFit *states = fit->states;
    if (states == NULL)
        return;
    json_t *model = arc_json_object(json), *channels = arc_json_array(json);
    arc_json_put_string(json, model, "model", states->model);
    arc_json_put_integer(json, model, "order", states->order);
    for (int c = 0; c < states->n_channels; c++)
        arc_json_push(json, channels, channel_json(json, &states->channels[c]));
    arc_json_put(json, model, "channels", channels);
    arc_json_put(json, object, "states", model);
    physics_json(json, json_object_get(object, "residuals"), &fit->residuals);
}

/* Column c of (n, d); null without an array. */
static json_t *column_json(ArcJson *json, int n, int d, int c, const double *values)
{
    json_t *array = arc_json_array(json);
    for (int i = 0; values != NULL && i < n; i++)
        arc_json_push(json, array, arc_json_number(json, values[i * d + c]));
    return array;
}

json_t *arc_states_parts_trajectory(ArcJson *json, const ArcFit *fit)
{
    const ArcStatesFit *of = fit->states;
    json_t *object = arc_json_object(json), *states = arc_json_object(json);
    int n = fit->n_trajectory, d = of->n_states;
    arc_json_put(json, object, "time_s", arc_json_vector(json, n, fit->time_s));
    for (int c = 0; c < d; c++) {
        json_t *state = arc_json_object(json);
        arc_json_put_string(json, state, "unit", of->channels[c].unit);
        arc_json_put(json, state, "value", column_json(json, n, d, c, fit->position_m));
        arc_json_put(json, state, "rate", column_json(json, n, d, c, fit->velocity_m_s));
        if (of->order == 2)
            arc_json_put(json, state, "second", column_json(json, n, d, c, fit->acceleration_m_s2));
        arc_json_put(json, states, of->channels[c].name, state);
    }
    arc_json_put(json, object, "states", states);
    return object;
}

void arc_states_parts_distance(ArcJson *json, json_t *object, const ArcResult *result,
                               double distance)
{
    bool is_own = arc_states_parts_of_result(result) != NULL;
    arc_json_put_number(json, object, "trajectory_max_m", is_own ? (double)NAN : distance);
    if (is_own)
        arc_json_put_number(json, object, "trajectory_max", distance);
}

void arc_states_parts_check_text(ArcText *table, const ArcStatesFit *states,
                                 const ArcCapture *capture)
{
    char sigma[2 * ARC_TABLE_NUMBER];
    arc_text_append(table, "%-*s %-*s %*s %*s  %s\n", NAME_WIDTH, "channel", LONG_UNIT_WIDTH,
                    "unit", COUNT_WIDTH, "fitted", RMS_WIDTH, "held out", "sigma");
    for (int c = 0; c < states->n_channels; c++) {
        const ArcChannelFit *channel = &states->channels[c];
        Seen seen = channel_seen(capture, c);
        arc_table_name(table, NAME_WIDTH, channel->name);
        arc_table_cell(table, LONG_UNIT_WIDTH, channel->unit);
        if (seen.fitted + seen.held_out == 0) {
            arc_table_last(table, 0, "not observed");
            continue;
        }
        sigma_text(sigma, sizeof sigma, &seen);
        arc_text_append(table, "%*d %*d  %s\n", COUNT_WIDTH, seen.fitted, RMS_WIDTH, seen.held_out,
                        sigma);
    }
    arc_text_append(table, "\n");
}

json_t *arc_states_parts_check_json(ArcJson *json, const ArcStatesFit *states,
                                    const ArcCapture *capture)
{
    json_t *object = arc_json_object(json), *channels = arc_json_array(json);
    arc_json_put_string(json, object, "model", states->model);
    arc_json_put_integer(json, object, "order", states->order);
    for (int c = 0; c < states->n_channels; c++) {
        const ArcChannelFit *channel = &states->channels[c];
        Seen seen = channel_seen(capture, c);
        bool is_seen = seen.fitted + seen.held_out > 0;
        const double sigma[2] = {is_seen ? seen.low : (double)NAN,
                                 is_seen ? seen.high : (double)NAN};
        json_t *row = arc_json_object(json);
        arc_json_put_string(json, row, "name", channel->name);
        arc_json_put_string(json, row, "unit", channel->unit);
        arc_json_put_integer(json, row, "points", seen.fitted);
        arc_json_put_integer(json, row, "held_out_points", seen.held_out);
        arc_json_put(json, row, "sigma", arc_json_vector(json, 2, sigma));
        arc_json_push(json, channels, row);
    }
    arc_json_put(json, object, "channels", channels);
    return object;
}
