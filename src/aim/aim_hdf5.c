/* Aim as HDF5. N throws (the best first), n parameters, d axes, J joints; units stand at each
 * array.
 *
 *   /                attributes document "aim", schema, arcfit, name, seed, experiment (its text),
 *                    experiment_path, versions of libraries; reachable (0, 1), shortfall_speed_m_s,
 *                    shortfall_miss_m, least_speed_m_s (NaN where there is none),
 *                    monte_carlo (throws)
 *   /axis            (d) names; /joint: 1 to J, with an arm
 *   /settings/{path,value}
 *   /parameters/{name,unit,unknown,value,sd}    (n) what each was taken for; sd 0: for known
 *   /target          attributes kind (point, hoop, area), and of those radius_m, backboard_axis,
 *                    backboard_m, axis; {centre,half} (d)
 *   /throws/rank     (N) from 1; along it {hits, speed, angle, azimuth, spin, miss, time,
 *                    entry_angle, entry_speed, height, clearance, energy, peak_torque, cost,
 *                    hit_probability, hit_probability_valid, checked, checked_sd},
 *                    {position, velocity, arrival, arrival_velocity, offset_sd} (N,d),
 *                    {values, miss_by} (N,n) in the unit of the parameter (m a unit of it),
 *                    commands (N,J): what encoders read
 *   /paths/row       {rank, time, position (rows,d)}: each throw's flight to its goal, 101 points
 *   /banks/rank      (with contact) throws off the board; along it the same as of throws
 *   /front/point     (where asked for) {first, second}, values (points,n); attributes first and
 *                    second name the numbers
 *   /reach           (of an arm that does not reach it) attributes spin_rad_s, too_short;
 *                    by (limits,J); throws/rank along which {theta, omega, angle_over, rate_over}
 *                    (.,J), {position, velocity, arrival_velocity, missing_velocity} (.,d),
 *                    {distance, miss, miss_speed, time, within}: the nearest, then the others;
 *                    cures/rank {limit, joint, change}
 *   /overrides       what was laid over the experiment
 */
#include "aim/aim_fields.h"
#include "aim/describe.h"
#include "aim/shot.h"
#include "arcfit/version.h"
#include "io/hdf5.h"
#include "report/document.h"
#include "report/libraries.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { PATH_POINTS = 101, PATH_SIZE = 64 };

/* The file, and room for one array of each throw, of the front or of the paths. */
typedef struct Writer {
    ArcHdf5 *file;
    ArcArena *arena;
    const ArcAim *aim;
    double *reals;
    int *integers;
} Writer;

static void write_array(const Writer *writer, const char *path, const char *units, size_t rows,
                        const char *scale)
{
    arc_hdf5_write(writer->file, &(ArcHdf5Array){.path = path,
                                                 .units = units,
                                                 .kind = ARC_HDF5_REAL,
                                                 .rows = rows,
                                                 .data = writer->reals,
                                                 .scale = {scale, NULL}});
}

static void write_integers(const Writer *writer, const char *path, size_t rows, const int *data,
                           const char *scale)
{
    arc_hdf5_write(writer->file, &(ArcHdf5Array){.path = path,
                                                 .units = "1",
                                                 .kind = ARC_HDF5_INTEGER,
                                                 .rows = rows,
                                                 .data = data,
                                                 .scale = {scale, NULL}});
}

static void write_texts(const Writer *writer, const char *path, size_t rows,
                        const char *const *data, const char *scale)
{
    arc_hdf5_write(writer->file, &(ArcHdf5Array){.path = path,
                                                 .units = "text",
                                                 .kind = ARC_HDF5_TEXT,
                                                 .rows = rows,
                                                 .data = data,
                                                 .scale = {scale, NULL}});
}

/* writer->reals as (rows, columns). */
static void write_matrix(const Writer *writer, const char *path, const char *units, size_t rows,
                         size_t columns, const char *const *scales)
{
    if (rows > 0)
        arc_hdf5_write(writer->file, &(ArcHdf5Array){.path = path,
                                                     .units = units,
                                                     .kind = ARC_HDF5_REAL,
                                                     .rows = rows,
                                                     .columns = columns,
                                                     .data = writer->reals,
                                                     .scale = {scales[0], scales[1]}});
}

static void write_root(const Writer *writer)
{
    static const char *const axes[] = {"x", "y", "z"};
    static const int joints[] = {1, 2, 3, 4};
    const ArcAim *aim = writer->aim;
    const ArcExperiment *experiment = aim->experiment;
    ArcHdf5 *file = writer->file;
    arc_hdf5_put_text(file, "/", "document", "aim");
    arc_hdf5_put_count(file, "/", "schema", ARC_DOCUMENT_SCHEMA);
    arc_hdf5_put_text(file, "/", "arcfit", ARC_VERSION);
    arc_hdf5_put_text(file, "/", "name", experiment->name);
    arc_hdf5_put_count(file, "/", "seed", experiment->seed);
    arc_hdf5_put_text(file, "/", "experiment", experiment->text);
    arc_hdf5_put_text(file, "/", "experiment_path", experiment->path);
    arc_libraries_write(file);
    arc_hdf5_put_count(file, "/", "reachable", aim->is_reachable ? 1 : 0);
    arc_hdf5_put_number(file, "/", "shortfall_speed_m_s", aim->shortfall_speed_m_s);
    arc_hdf5_put_number(file, "/", "shortfall_miss_m", aim->shortfall_miss_m);
    arc_hdf5_put_number(file, "/", "least_speed_m_s", aim->least_speed_m_s);
    arc_hdf5_put_count(file, "/", "monte_carlo", (uint64_t)aim->settings.monte_carlo);
    write_texts(writer, "/axis", (size_t)aim->dimensions, axes, NULL);
    if (aim->has_arm)
        write_integers(writer, "/joint", (size_t)arc_aim_joints(aim), joints, NULL);
    write_texts(writer, "/settings/path", (size_t)experiment->n_settings, experiment->setting_paths,
                NULL);
    write_texts(writer, "/settings/value", (size_t)experiment->n_settings,
                experiment->setting_values, "/settings/path");
    write_texts(writer, "/overrides", (size_t)experiment->n_overrides, experiment->overrides, NULL);
}

static void write_parameters(const Writer *writer)
{
    const ArcAim *aim = writer->aim;
    size_t n = (size_t)aim->n_parameters;
    const char *texts[ARC_MAX_PARAMETERS] = {NULL};
    static const char *const name = "/parameters/name";
    for (size_t i = 0; i < n; i++)
        texts[i] = aim->parameters[i].name;
    write_texts(writer, name, n, texts, NULL);
    for (size_t i = 0; i < n; i++) {
        texts[i] = aim->parameters[i].unit;
        writer->integers[i] = aim->unknown[i] ? 1 : 0;
    }
    write_texts(writer, "/parameters/unit", n, texts, name);
    write_integers(writer, "/parameters/unknown", n, writer->integers, name);
    memcpy(writer->reals, aim->believed, n * sizeof(double));
    write_array(writer, "/parameters/value", "unit of the row", n, name);
    memcpy(writer->reals, aim->believed_sd, n * sizeof(double));
    write_array(writer, "/parameters/sd", "unit of the row", n, name);
}

static void write_target(const Writer *writer)
{
    static const char *const axes[] = {"x", "y", "z"};
    const ArcGoal *goal = &writer->aim->settings.goal;
    ArcHdf5 *file = writer->file;
    size_t d = (size_t)writer->aim->dimensions;
    memcpy(writer->reals, goal->point_m, d * sizeof(double));
    write_array(writer, "/target/centre", "m", d, "/axis");
    arc_hdf5_put_text(file, "/target", "kind", arc_aim_goal_name(goal->kind));
    if (goal->kind == ARC_GOAL_HOOP)
        arc_hdf5_put_number(file, "/target", "radius_m", goal->radius_m);
    if (goal->kind == ARC_GOAL_HOOP && goal->has_backboard) {
        arc_hdf5_put_text(file, "/target", "backboard_axis", axes[goal->backboard.axis]);
        arc_hdf5_put_number(file, "/target", "backboard_m", goal->backboard.level_m);
    }
    if (goal->kind != ARC_GOAL_AREA)
        return;
    arc_hdf5_put_text(file, "/target", "axis", axes[goal->axis]);
    memcpy(writer->reals, goal->half_m, d * sizeof(double));
    write_array(writer, "/target/half", "m", d, "/axis");
}

/* What of the releases is told as people tell it. */
static void write_releases(const Writer *writer)
{
    static const struct {
        const char *name, *unit;
        size_t offset;
    } releases[] = {{"angle", "rad", offsetof(ArcAimRelease, angle_rad)},
                    {"azimuth", "rad", offsetof(ArcAimRelease, azimuth_rad)},
                    {"spin", "rad/s", offsetof(ArcAimRelease, spin_rad_s)}};
    const ArcAim *aim = writer->aim;
    char path[PATH_SIZE];
    for (size_t k = 0; k < sizeof releases / sizeof releases[0]; k++) {
        for (int i = 0; i < aim->n_solutions; i++) {
            ArcAimRelease release;
            arc_aim_describe(aim, &aim->solutions[i], &release);
            memcpy(&writer->reals[i], (const char *)&release + releases[k].offset, sizeof(double));
        }
        snprintf(path, sizeof path, "/throws/%s", releases[k].name);
        write_array(writer, path, releases[k].unit, (size_t)aim->n_solutions, "/throws/rank");
    }
}

/* Positions of a throw until its goal; false where it cannot be followed. */
static bool follow(const ArcAim *aim, ArcShot *shot, const ArcAimSolution *solution, double *x_m)
{
    ArcShotState state;
    double end_s = solution->numbers[ARC_AIM_TIME];
    int d = aim->dimensions;
    for (int i = 0; i < PATH_POINTS; i++) {
        double t_s = end_s * i / (PATH_POINTS - 1);
        if (!isfinite(end_s) || !arc_shot_at(shot, solution->values, t_s, false, &state))
            return false;
        memcpy(x_m + i * d, state.x_m, sizeof(double) * (size_t)d);
    }
    return true;
}

static ArcStatus write_paths(const Writer *writer, ArcError *err)
{
    const ArcAim *aim = writer->aim;
    const char *const scales[] = {"/paths/row", "/axis"};
    ArcShot *shot = NULL;
    ArcStatus status = arc_shot_create(aim->experiment, writer->arena, &shot, err);
    int rows = 0, d = aim->dimensions;
    int ranks[ARC_AIM_MAX_SOLUTIONS];
    if (status != ARC_OK)
        return status;
    for (int i = 0; i < aim->n_solutions; i++) {
        if (!follow(aim, shot, &aim->solutions[i], writer->reals + rows * d))
            continue;
        ranks[rows / PATH_POINTS] = i;
        rows += PATH_POINTS;
    }
    for (int i = 0; i < rows; i++)
        writer->integers[i] = i;
    write_integers(writer, "/paths/row", (size_t)rows, writer->integers, NULL);
    write_matrix(writer, "/paths/position", "m", (size_t)rows, (size_t)d, scales);
    for (int i = 0; i < rows; i++) {
        int rank = ranks[i / PATH_POINTS];
        writer->integers[i] = rank + 1;
        writer->reals[i] =
            aim->solutions[rank].numbers[ARC_AIM_TIME] * (i % PATH_POINTS) / (PATH_POINTS - 1);
    }
    write_integers(writer, "/paths/rank", (size_t)rows, writer->integers, "/paths/row");
    write_array(writer, "/paths/time", "s", (size_t)rows, "/paths/row");
    return ARC_OK;
}

static void write_front(const Writer *writer, ArcAimFile *fields)
{
    const ArcAim *aim = writer->aim;
    const ArcAimTable table = arc_aim_table_of_front();
    static const char *const names[] = {"first", "second"};
    if (!aim->settings.has_front)
        return;
    arc_aim_fields_write(fields, &table, aim->n_front, aim->front);
    for (int k = 0; k < 2; k++) {
        int number = (int)aim->settings.front[k];
        char path[PATH_SIZE];
        for (int i = 0; i < aim->n_front; i++)
            writer->reals[i] = aim->front[i].numbers[k];
        snprintf(path, sizeof path, "/front/%s", names[k]);
        write_array(writer, path, arc_aim_number_unit(number), (size_t)aim->n_front,
                    "/front/point");
        arc_hdf5_put_text(writer->file, "/front", names[k], arc_aim_number_name(number));
    }
}

/* The nearest throw, the others that reach as far, then poses of a release. */
static void write_reach(const Writer *writer, ArcAimFile *fields)
{
    const ArcReach *reach = &writer->aim->reach;
    const ArcAimTable throws = arc_aim_table_of_reach(), cures = arc_aim_table_of_cures();
    ArcHdf5 *file = writer->file;
    ArcReachThrow all[1 + ARC_ARM_MAX_POSES];
    if (!writer->aim->has_reach)
        return;
    all[0] = reach->nearest;
    memcpy(all + 1, reach->solutions, sizeof reach->solutions);
    arc_aim_fields_write(fields, &throws, 1 + reach->n_solutions, all);
    arc_aim_fields_write(fields, &cures, reach->n_cures, reach->cures);
    for (int i = 0; i < ARC_N_REACH_LIMITS; i++)
        memcpy(writer->reals + i * reach->n_joints, reach->by[i],
               sizeof(double) * (size_t)reach->n_joints);
    for (int i = 0; i < ARC_N_REACH_LIMITS; i++)
        writer->integers[i] = i;
    write_integers(writer, "/reach/limit", ARC_N_REACH_LIMITS, writer->integers, NULL);
    write_matrix(writer, "/reach/by", "1 per unit of the limit", ARC_N_REACH_LIMITS,
                 (size_t)reach->n_joints, (const char *const[]){"/reach/limit", "/joint"});
    arc_hdf5_put_number(file, "/reach", "spin_rad_s", reach->spin_rad_s);
    arc_hdf5_put_count(file, "/reach", "too_short", reach->is_too_short ? 1 : 0);
}

/* All that has rows. */
static void write_rows(const Writer *writer, ArcAimFile *fields)
{
    const ArcAim *aim = writer->aim;
    const ArcAimTable throws = arc_aim_table_of_throws(), banks = arc_aim_table_of_banks();
    arc_aim_fields_write(fields, &throws, aim->n_solutions, aim->solutions);
    write_releases(writer);
    if (aim->n_banks > 0)
        arc_aim_fields_write(fields, &banks, aim->n_banks, aim->banks);
    write_front(writer, fields);
    write_reach(writer, fields);
}

ArcStatus arc_aim_write(const ArcAim *aim, const char *path, ArcError *err)
{
    enum { MOST_ROWS = ARC_AIM_MAX_SOLUTIONS * PATH_POINTS, MOST_REALS = 3 * MOST_ROWS };
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    Writer writer = {.arena = arena,
                     .aim = aim,
                     .reals = ARC_ALLOC(arena, MOST_REALS, double),
                     .integers = ARC_ALLOC(arena, MOST_ROWS, int)};
    ArcStatus status = writer.reals == NULL || writer.integers == NULL
                           ? arc_error_no_memory(err)
                           : arc_hdf5_create(&writer.file, err);
    if (status == ARC_OK) {
        write_root(&writer);
        write_parameters(&writer);
        write_target(&writer);
        ArcAimFile fields = {.file = writer.file,
                             .arena = arena,
                             .n_axes = aim->dimensions,
                             .n_parameters = aim->n_parameters,
                             .n_joints = arc_aim_joints(aim)};
        write_rows(&writer, &fields);
        status = fields.no_memory ? arc_error_no_memory(err) : write_paths(&writer, err);
    }
    if (status == ARC_OK)
        status = arc_hdf5_save(writer.file, path, err);
    arc_hdf5_close(writer.file);
    arc_arena_free(arena);
    return status;
}
