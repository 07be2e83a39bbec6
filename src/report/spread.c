/* Loss, sigma, intervals and outliers as text, JSON and HDF5. */
#include "report/spread.h"

#include "report/camera_parts.h"

#include "report/section.h"
#include "report/states_parts.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SHOWN = 10, PATH_SIZE = 96, N_REALS = 3, N_INTEGERS = 4 };
static const char *const axis_names[] = {"x", "y", "z"};

static void text_loss(ArcText *table, const ArcSpread *spread)
{
    char line[160], a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER], c[ARC_TABLE_NUMBER];
    const ArcLoss *loss = &spread->loss;
    const char *name = arc_loss_name((int)loss->kind);
    arc_table_plain(b, spread->loss_dof_ci95[0], 2);
    arc_table_plain(c, spread->loss_dof_ci95[1], 3);
    if (loss->kind == ARC_LOSS_GAUSS)
        return;
    if (loss->kind != ARC_LOSS_STUDENT_T)
        snprintf(line, sizeof line, "%s from %.24s sigma on", name,
                 arc_table_plain(a, loss->tuning, 4));
    else if (!loss->dof_estimated)
        snprintf(line, sizeof line, "%s of %.24s degrees of freedom", name,
                 arc_table_plain(a, loss->dof, 4));
    else
        snprintf(line, sizeof line, "%s, %.24s degrees of freedom found, %.20s to %.20s (95 %%)",
                 name, arc_table_plain(a, loss->dof, 3), b,
                 isinf(spread->loss_dof_ci95[1]) ? "open end" : c);
    arc_table_entry(table, "loss", line);
    if (!spread->sigma_estimated)
        arc_table_entry(table, "",
                        "the p beside the degrees of freedom is that of the points "
                        "within 2.5 sigma");
}

static void text_sigma(ArcText *table, const ArcSpread *spread, bool has_channels)
{
    char line[160], number[ARC_TABLE_NUMBER];
    double relative = spread->sigma_factor_sd / spread->sigma_factor;
    if (!spread->sigma_estimated)
        return;
    if (isnan(spread->sigma_factor_sd))
        snprintf(line, sizeof line, "could not be estimated");
    else if (!isnan(spread->sigma_m) && !has_channels)
        snprintf(line, sizeof line, "%.40s mm, estimated",
                 arc_table_value(number, spread->sigma_m, relative * spread->sigma_m, 1e3));
    else if (spread->sigma_px > 0.0)
        snprintf(line, sizeof line, "%.40s px, estimated",
                 arc_table_value(number, spread->sigma_px, relative * spread->sigma_px, 1.0));
    else
        snprintf(line, sizeof line, "the capture's times %.40s, estimated",
                 arc_table_value(number, spread->sigma_factor, spread->sigma_factor_sd, 1.0));
    arc_table_entry(table, "sigma", line);
}

static void text_intervals(ArcText *table, const ArcFit *fit)
{
    char line[160], a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    if (isinf(fit->spread.interval_dof))
        return;
    snprintf(line, sizeof line, "95 %% is %.24s sd either way (t of %.24s degrees of freedom)",
             arc_table_plain(a, fit->interval_factor, 3),
             arc_table_plain(b, fit->spread.interval_dof, 3));
    arc_table_entry(table, "intervals", line);
    if (fit->spread.note != NULL)
        arc_table_entry(table, "", fit->spread.note);
}

/* Whether the cameras' points are from more than one file. */
static bool are_in_files(const ArcCapture *capture)
{
    for (int c = 1; c < capture->n_cameras; c++)
        if (strcmp(capture->camera_files[c], capture->camera_files[0]) != 0)
            return true;
    return false;
}

/* Of cameras, by their names, and their files where there are several. */
static void text_seen_outliers(ArcText *table, const ArcCapture *capture, const ArcSpread *spread)
{
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER], c[ARC_TABLE_NUMBER];
    arc_text_append(table, "%-15s %6s %6s %8s %12s %10s %8s  %s\n", "outliers", "point", "line",
                    "axis", "off", "off, sd", "weight", "seen by");
    for (int i = 0; i < spread->n_outliers && i < MOST_SHOWN; i++) {
        const ArcOutlier *o = &spread->outliers[i];
        bool is_px = o->camera >= 0;
        arc_text_append(table, "%-15s %6d %6d %8s %9s %s %10s %8s  ", "", o->point + 1, o->line,
                        is_px ? arc_camera_parts_axis(o->axis) : axis_names[o->axis],
                        arc_table_plain(a, (is_px ? 1.0 : 1e3) * o->residual_m, 4),
                        is_px ? "px" : "mm", arc_table_plain(b, o->residual_sd, 3),
                        arc_table_plain(c, o->weight, 2));
        if (is_px)
            arc_text_append(table, "%s", capture->cameras[o->camera].name);
        if (is_px && are_in_files(capture))
            arc_text_append(table, " (%s)", capture->camera_files[o->camera]);
        arc_text_append(table, "%s\n", is_px ? "" : capture->file);
    }
    if (spread->n_outliers > MOST_SHOWN)
        arc_text_append(table, "%-15s and %d more\n", "", spread->n_outliers - MOST_SHOWN);
}

/* Of own equations, by channels. */
static void text_channel_outliers(ArcText *table, const ArcStatesFit *states,
                                  const ArcSpread *spread)
{
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER], c[ARC_TABLE_NUMBER], line[ARC_TABLE_NUMBER];
    if (spread->n_outliers == 0)
        return;
    arc_text_append(table, "%-15s %6s %6s %12s %10s %8s  %s\n", "outliers", "point", "line", "off",
                    "off, sd", "weight", "channel");
    for (int i = 0; i < spread->n_outliers && i < MOST_SHOWN; i++) {
        const ArcOutlier *o = &spread->outliers[i];
        const ArcChannelFit *channel = &states->channels[o->axis];
        bool has_unit = strcmp(channel->unit, "1") != 0;
        snprintf(line, sizeof line, "%d", o->line);
        arc_text_append(table, "%-15s %6d %6s %12s %10s %8s  %s%s%s\n", "", o->point + 1,
                        o->line > 0 ? line : "-", arc_table_plain(a, o->residual_m, 4),
                        arc_table_plain(b, o->residual_sd, 3), arc_table_plain(c, o->weight, 2),
                        channel->name, has_unit ? ", " : "", has_unit ? channel->unit : "");
    }
    if (spread->n_outliers > MOST_SHOWN)
        arc_text_append(table, "%-15s and %d more\n", "", spread->n_outliers - MOST_SHOWN);
}

static void text_outliers(ArcText *table, const ArcSpread *spread)
{
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER], c[ARC_TABLE_NUMBER], line[ARC_TABLE_NUMBER];
    if (spread->n_outliers == 0)
        return;
    arc_text_append(table, "%-15s %6s %6s %4s %12s %10s %8s\n", "outliers", "point", "line", "axis",
                    "off, mm", "off, sd", "weight");
    for (int i = 0; i < spread->n_outliers && i < MOST_SHOWN; i++) {
        const ArcOutlier *o = &spread->outliers[i];
        snprintf(line, sizeof line, "%d", o->line);
        arc_text_append(table, "%-15s %6d %6s %4s %12s %10s %8s\n", "", o->point + 1,
                        o->line > 0 ? line : "-", axis_names[o->axis],
                        arc_table_plain(a, 1e3 * o->residual_m, 4),
                        arc_table_plain(b, o->residual_sd, 3), arc_table_plain(c, o->weight, 2));
    }
    if (spread->n_outliers > MOST_SHOWN)
        arc_text_append(table, "%-15s and %d more\n", "", spread->n_outliers - MOST_SHOWN);
}

void arc_spread_text(ArcText *table, const ArcResult *result)
{
    const ArcFit *fit = arc_section_fit(result);
    size_t before = table->size;
    const ArcStatesFit *states = fit->states;
    text_loss(table, &fit->spread);
    text_sigma(table, &fit->spread, states != NULL);
    text_intervals(table, fit);
    if (result->capture->n_cameras > 0 && fit->spread.n_outliers > 0)
        text_seen_outliers(table, result->capture, &fit->spread);
    else if (states != NULL)
        text_channel_outliers(table, states, &fit->spread);
    else
        text_outliers(table, &fit->spread);
    if (table->size != before)
        arc_text_append(table, "\n");
}

static json_t *json_outliers(ArcJson *json, const ArcSpread *spread, const ArcStatesFit *states)
{
    json_t *array = arc_json_array(json);
    for (int i = 0; i < spread->n_outliers; i++) {
        const ArcOutlier *o = &spread->outliers[i];
        json_t *object = arc_json_object(json);
        arc_json_put_integer(json, object, "point", o->point + 1);
        arc_json_put_integer(json, object, "line", o->line);
        bool is_px = o->camera >= 0;
        if (states != NULL)
            arc_json_put_string(json, object, "channel", states->channels[o->axis].name);
        else
            arc_json_put_string(json, object, "axis",
                                is_px ? arc_camera_parts_axis(o->axis) : axis_names[o->axis]);
        if (is_px)
            arc_json_put_integer(json, object, "camera", o->camera + 1);
        arc_json_put_number(json, object,
                            states != NULL ? "residual"
                            : is_px        ? "residual_px"
                                           : "residual_m",
                            o->residual_m);
        arc_json_put_number(json, object, "residual_sd", o->residual_sd);
        arc_json_put_number(json, object, "weight", o->weight);
        arc_json_push(json, array, object);
    }
    return array;
}

void arc_spread_json(ArcJson *json, json_t *object, const ArcFit *fit)
{
    const ArcSpread *spread = &fit->spread;
    json_t *loss = arc_json_object(json), *sigma = arc_json_object(json);
    json_t *intervals = arc_json_object(json);
    const ArcStatesFit *states = fit->states;
    arc_json_put_string(json, loss, "kind", arc_loss_name((int)spread->loss.kind));
    if (spread->loss.tuning > 0.0)
        arc_json_put_number(json, loss, "tuning", spread->loss.tuning);
    if (spread->loss.dof > 0.0)
        arc_json_put_number(json, loss, "dof", spread->loss.dof);
    if (spread->loss.dof_estimated)
        arc_json_put(json, loss, "dof_ci95", arc_json_vector(json, 2, spread->loss_dof_ci95));
    arc_json_put_bool(json, sigma, "estimated", spread->sigma_estimated);
    arc_json_put_number(json, sigma, "factor", spread->sigma_factor);
    arc_json_put_number(json, sigma, "factor_sd", spread->sigma_factor_sd);
    arc_json_put_number(json, sigma, "value_m", states != NULL ? (double)NAN : spread->sigma_m);
    if (spread->sigma_px > 0.0)
        arc_json_put_number(json, sigma, "value_px", spread->sigma_px);
    arc_json_put_number(json, intervals, "factor", fit->interval_factor);
    arc_json_put_number(json, intervals, "dof", spread->interval_dof);
    if (spread->note != NULL)
        arc_json_put_string(json, intervals, "note", spread->note);
    arc_json_put(json, object, "loss", loss);
    arc_json_put(json, object, "sigma", sigma);
    arc_json_put(json, object, "intervals", intervals);
    arc_json_put(json, object, "outliers", json_outliers(json, spread, states));
}

static const char *const integer_names[N_INTEGERS] = {"row", "point", "line", "axis"};
static const char *const real_names[N_REALS] = {"residual", "residual_sd", "weight"};

static const char *outliers_path(char path[PATH_SIZE], const char *group, const char *name)
{
    snprintf(path, PATH_SIZE, "%.40s/outliers/%.30s", group, name);
    return path;
}

static bool write_outliers(ArcHdf5 *file, ArcArena *arena, const char *group,
                           const ArcSpread *spread)
{
    char row_path[PATH_SIZE], path[PATH_SIZE];
    size_t n = (size_t)spread->n_outliers;
    int *integers = ARC_ALLOC(arena, N_INTEGERS * n, int);
    double *reals = ARC_ALLOC(arena, N_REALS * n, double);
    if (integers == NULL || reals == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        const ArcOutlier *o = &spread->outliers[i];
        const int whole[N_INTEGERS] = {(int)i, o->point, o->line, o->axis};
        const double real[N_REALS] = {o->residual_m, o->residual_sd, o->weight};
        for (size_t k = 0; k < N_INTEGERS; k++)
            integers[k * n + i] = whole[k];
        for (size_t k = 0; k < N_REALS; k++)
            reals[k * n + i] = real[k];
    }
    outliers_path(row_path, group, integer_names[0]);
    for (size_t k = 0; k < N_INTEGERS; k++)
        arc_hdf5_write(file, &(ArcHdf5Array){.path = outliers_path(path, group, integer_names[k]),
                                             .units = "1",
                                             .kind = ARC_HDF5_INTEGER,
                                             .rows = n,
                                             .data = integers + k * n,
                                             .scale = {k == 0 ? NULL : row_path, NULL}});
    for (size_t k = 0; k < N_REALS; k++)
        arc_hdf5_write(file, &(ArcHdf5Array){.path = outliers_path(path, group, real_names[k]),
                                             .units = k == 0 ? "m" : "1",
                                             .kind = ARC_HDF5_REAL,
                                             .rows = n,
                                             .data = reals + k * n,
                                             .scale = {row_path, NULL}});
    return true;
}

bool arc_spread_write(ArcHdf5 *file, ArcArena *arena, const char *group, const ArcFit *fit)
{
    const ArcSpread *spread = &fit->spread;
    arc_hdf5_put_text(file, group, "loss", arc_loss_name((int)spread->loss.kind));
    arc_hdf5_put_number(file, group, "loss_tuning", spread->loss.tuning);
    arc_hdf5_put_number(file, group, "loss_dof", spread->loss.dof);
    arc_hdf5_put_count(file, group, "loss_dof_estimated", spread->loss.dof_estimated ? 1 : 0);
    arc_hdf5_put_number(file, group, "loss_dof_low", spread->loss_dof_ci95[0]);
    arc_hdf5_put_number(file, group, "loss_dof_high", spread->loss_dof_ci95[1]);
    arc_hdf5_put_count(file, group, "sigma_estimated", spread->sigma_estimated ? 1 : 0);
    arc_hdf5_put_number(file, group, "sigma_factor", spread->sigma_factor);
    arc_hdf5_put_number(file, group, "sigma_factor_sd", spread->sigma_factor_sd);
    arc_hdf5_put_number(file, group, "sigma_m", spread->sigma_m);
    if (fit->residuals.n_cameras > 0)
        arc_hdf5_put_number(file, group, "sigma_px", spread->sigma_px);
    arc_hdf5_put_number(file, group, "interval_factor", fit->interval_factor);
    arc_hdf5_put_number(file, group, "interval_dof", spread->interval_dof);
    arc_hdf5_put_text(file, group, "interval_note", spread->note == NULL ? "" : spread->note);
    return write_outliers(file, arena, group, spread);
}

static bool read_outliers(ArcHdf5 *file, ArcArena *arena, const char *group,
                          const ArcCapture *capture, ArcSpread *spread)
{
    char path[PATH_SIZE];
    int n = arc_hdf5_rows(file, outliers_path(path, group, integer_names[0]));
    const int *integers[N_INTEGERS];
    const double *reals[N_REALS];
    for (int k = 0; k < N_INTEGERS; k++)
        integers[k] = arc_hdf5_integers(file, outliers_path(path, group, integer_names[k]), n);
    for (int k = 0; k < N_REALS; k++)
        reals[k] = arc_hdf5_reals(file, outliers_path(path, group, real_names[k]), n, 0);
    ArcOutlier *list = ARC_ALLOC(arena, (size_t)n, ArcOutlier);
    if (list == NULL)
        return false;
    for (int i = 0; arc_hdf5_is_good(file) && i < n; i++) {
        list[i] = (ArcOutlier){.point = integers[1][i],
                               .line = integers[2][i],
                               .axis = integers[3][i],
                               .camera = -1,
                               .residual_m = reals[0][i],
                               .residual_sd = reals[1][i],
                               .weight = reals[2][i]};
        bool is_known = list[i].point >= 0 && list[i].point < capture->n_points;
        if (is_known && capture->n_cameras > 0)
            list[i].camera = capture->camera[list[i].point];
        if (!is_known || list[i].axis < 0 ||
            list[i].axis >= (list[i].camera >= 0 ? 3 : capture->dimensions))
            arc_hdf5_refuse(file, "'%s/outliers' is out of range", group);
    }
    spread->n_outliers = arc_hdf5_is_good(file) ? n : 0;
    spread->outliers = list;
    return true;
}

static ArcLossKind read_kind(ArcHdf5 *file, const char *group)
{
    const char *text = arc_hdf5_text(file, group, "loss");
    for (int i = 0; arc_loss_name(i) != NULL; i++)
        if (strcmp(text, arc_loss_name(i)) == 0)
            return (ArcLossKind)i;
    arc_hdf5_refuse(file, "unknown loss in '%s'", group);
    return ARC_LOSS_GAUSS;
}

bool arc_spread_read(ArcHdf5 *file, ArcArena *arena, const char *group, const ArcCapture *capture,
                     ArcFit *fit)
{
    ArcSpread *spread = &fit->spread;
    spread->loss =
        (ArcLoss){.kind = read_kind(file, group),
                  .tuning = arc_hdf5_number(file, group, "loss_tuning"),
                  .dof = arc_hdf5_number(file, group, "loss_dof"),
                  .dof_estimated = arc_hdf5_count(file, group, "loss_dof_estimated") == 1};
    spread->loss_dof_ci95[0] = arc_hdf5_number(file, group, "loss_dof_low");
    spread->loss_dof_ci95[1] = arc_hdf5_number(file, group, "loss_dof_high");
    spread->sigma_estimated = arc_hdf5_count(file, group, "sigma_estimated") == 1;
    spread->sigma_factor = arc_hdf5_number(file, group, "sigma_factor");
    spread->sigma_factor_sd = arc_hdf5_number(file, group, "sigma_factor_sd");
    spread->sigma_m = arc_hdf5_number(file, group, "sigma_m");
    if (capture->n_cameras > 0)
        spread->sigma_px = arc_hdf5_number(file, group, "sigma_px");
    fit->interval_factor = arc_hdf5_number(file, group, "interval_factor");
    spread->interval_dof = arc_hdf5_number(file, group, "interval_dof");
    const char *note = arc_hdf5_text(file, group, "interval_note");
    spread->note = note[0] == '\0' ? NULL : note;
    return read_outliers(file, arena, group, capture, spread);
}
