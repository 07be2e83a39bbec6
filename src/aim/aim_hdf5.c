/* Aim as HDF5. N throws (the best first), n parameters, d axes, J joints; units stand at each
 * array.
 *
 *   /                attributes document "aim", schema, arcfit, name, seed, experiment (its text),
 *                    experiment_path, hdf5; reachable (0, 1), shortfall_speed_m_s,
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
 *   /banks/rank      (with contact) throws off the board; along it {speed, time, entry_angle,
 *                    miss}, {values, miss_by} (banks,n)
 *   /front/point     (where asked for) {first, second}, values (points,n); attributes first and
 *                    second name the numbers
 */
#include "aim/describe.h"
#include "aim/shot.h"
#include "arcfit/version.h"
#include "io/hdf5.h"
#include "report/document.h"

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
    char version[32];
    arc_hdf5_put_text(file, "/", "document", "aim");
    arc_hdf5_put_count(file, "/", "schema", ARC_DOCUMENT_SCHEMA);
    arc_hdf5_put_text(file, "/", "arcfit", ARC_VERSION);
    arc_hdf5_put_text(file, "/", "name", experiment->name);
    arc_hdf5_put_count(file, "/", "seed", experiment->seed);
    arc_hdf5_put_text(file, "/", "experiment", experiment->text);
    arc_hdf5_put_text(file, "/", "experiment_path", experiment->path);
    arc_hdf5_put_text(file, "/", "hdf5", arc_hdf5_version(version));
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

/* Numbers of which each throw has one. */
static void write_numbers(const Writer *writer)
{
    static const struct {
        const char *name, *unit;
        size_t offset;
    } rows[] = {{"cost", "1", offsetof(ArcAimSolution, cost)},
                {"hit_probability", "1", offsetof(ArcAimSolution, chance.value)},
                {"checked", "1", offsetof(ArcAimSolution, chance.checked)},
                {"checked_sd", "1", offsetof(ArcAimSolution, chance.checked_sd)}},
      releases[] = {{"speed", "m/s", offsetof(ArcAimRelease, speed_m_s)},
                    {"angle", "rad", offsetof(ArcAimRelease, angle_rad)},
                    {"azimuth", "rad", offsetof(ArcAimRelease, azimuth_rad)},
                    {"spin", "rad/s", offsetof(ArcAimRelease, spin_rad_s)}};
    const ArcAim *aim = writer->aim;
    size_t n = (size_t)aim->n_solutions;
    char path[PATH_SIZE];
    static const char *const rank = "/throws/rank";
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < n; i++) {
            ArcAimRelease release;
            arc_aim_describe(aim, &aim->solutions[i], &release);
            memcpy(&writer->reals[i], (const char *)&release + releases[k].offset, sizeof(double));
        }
        snprintf(path, sizeof path, "/throws/%s", releases[k].name);
        write_array(writer, path, releases[k].unit, n, rank);
    }
    for (int number = 0; number < ARC_N_AIM_NUMBERS; number++) {
        if (number == ARC_AIM_SPEED)
            continue;
        for (size_t i = 0; i < n; i++)
            writer->reals[i] = aim->solutions[i].numbers[number];
        snprintf(path, sizeof path, "/throws/%s", arc_aim_number_name(number));
        write_array(writer, path, arc_aim_number_unit(number), n, rank);
    }
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        for (size_t i = 0; i < n; i++)
            memcpy(&writer->reals[i], (const char *)&aim->solutions[i] + rows[k].offset,
                   sizeof(double));
        snprintf(path, sizeof path, "/throws/%s", rows[k].name);
        write_array(writer, path, rows[k].unit, n, rank);
    }
}

/* Of each throw a row of doubles at that offset. */
static void write_rows(const Writer *writer, const char *name, const char *units, size_t offset,
                       const char *scale, int columns)
{
    const ArcAim *aim = writer->aim;
    const char *const scales[] = {"/throws/rank", scale};
    char path[PATH_SIZE];
    for (int i = 0; i < aim->n_solutions; i++)
        memcpy(writer->reals + i * columns, (const char *)&aim->solutions[i] + offset,
               sizeof(double) * (size_t)columns);
    snprintf(path, sizeof path, "/throws/%s", name);
    write_matrix(writer, path, units, (size_t)aim->n_solutions, (size_t)columns, scales);
}

static void write_throws(const Writer *writer)
{
    const ArcAim *aim = writer->aim;
    int n = aim->n_solutions, d = aim->dimensions;
    static const char *const rank = "/throws/rank", *const name = "/parameters/name";
    for (int i = 0; i < n; i++)
        writer->integers[i] = i + 1;
    write_integers(writer, rank, (size_t)n, writer->integers, NULL);
    for (int i = 0; i < n; i++)
        writer->integers[i] = aim->solutions[i].hits ? 1 : 0;
    write_integers(writer, "/throws/hits", (size_t)n, writer->integers, rank);
    for (int i = 0; i < n; i++)
        writer->integers[i] = aim->solutions[i].chance.is_valid ? 1 : 0;
    write_integers(writer, "/throws/hit_probability_valid", (size_t)n, writer->integers, rank);
    write_numbers(writer);
#define AT(field) offsetof(ArcAimSolution, field)
    write_rows(writer, "position", "m", AT(position_m), "/axis", d);
    write_rows(writer, "velocity", "m/s", AT(velocity_m_s), "/axis", d);
    write_rows(writer, "arrival", "m", AT(arrival_m), "/axis", d);
    write_rows(writer, "arrival_velocity", "m/s", AT(arrival_velocity_m_s), "/axis", d);
    write_rows(writer, "offset_sd", "m", AT(chance.offset_sd_m), "/axis", d);
    write_rows(writer, "values", "unit of the column", AT(values), name, aim->n_parameters);
    write_rows(writer, "miss_by", "m per unit of the column", AT(miss_by), name, aim->n_parameters);
    if (aim->has_arm)
        write_rows(writer, "commands", "rad", AT(commands_rad), "/joint", arc_aim_joints(aim));
#undef AT
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

static void write_front(const Writer *writer)
{
    static const char *const names[] = {"first", "second"};
    const ArcAim *aim = writer->aim;
    const char *const scales[] = {"/front/point", "/parameters/name"};
    size_t n = (size_t)aim->n_front, columns = (size_t)aim->n_parameters;
    if (!aim->settings.has_front)
        return;
    for (size_t i = 0; i < n; i++)
        writer->integers[i] = (int)i + 1;
    write_integers(writer, "/front/point", n, writer->integers, NULL);
    for (int k = 0; k < 2; k++) {
        int number = (int)aim->settings.front[k];
        char path[PATH_SIZE];
        for (size_t i = 0; i < n; i++)
            writer->reals[i] = aim->front[i].numbers[k];
        snprintf(path, sizeof path, "/front/%s", names[k]);
        write_array(writer, path, arc_aim_number_unit(number), n, "/front/point");
        arc_hdf5_put_text(writer->file, "/front", names[k], arc_aim_number_name(number));
    }
    for (size_t i = 0; i < n; i++)
        memcpy(writer->reals + i * columns, aim->front[i].values, columns * sizeof(double));
    write_matrix(writer, "/front/values", "unit of the column", n, columns, scales);
}

static void write_banks(const Writer *writer)
{
    static const ArcAimNumber numbers[] = {ARC_AIM_SPEED, ARC_AIM_TIME, ARC_AIM_ENTRY_ANGLE,
                                           ARC_AIM_MISS};
    const ArcAim *aim = writer->aim;
    static const char *const rank = "/banks/rank";
    const char *const scales[] = {rank, "/parameters/name"};
    size_t n = (size_t)aim->n_banks, columns = (size_t)aim->n_parameters;
    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++)
        writer->integers[i] = (int)i + 1;
    write_integers(writer, rank, n, writer->integers, NULL);
    for (int k = 0; k < 4; k++) {
        char path[PATH_SIZE];
        int number = (int)numbers[k];
        for (size_t i = 0; i < n; i++)
            writer->reals[i] = aim->banks[i].numbers[number];
        snprintf(path, sizeof path, "/banks/%s", arc_aim_number_name(number));
        write_array(writer, path, arc_aim_number_unit(number), n, rank);
    }
    for (size_t i = 0; i < n; i++)
        memcpy(writer->reals + i * columns, aim->banks[i].values, columns * sizeof(double));
    write_matrix(writer, "/banks/values", "unit of the column", n, columns, scales);
    for (size_t i = 0; i < n; i++)
        memcpy(writer->reals + i * columns, aim->banks[i].miss_by, columns * sizeof(double));
    write_matrix(writer, "/banks/miss_by", "m per unit of the column", n, columns, scales);
}

ArcStatus arc_aim_write(const ArcAim *aim, const char *path, ArcError *err)
{
    enum {
        MOST_ROWS = ARC_AIM_MAX_SOLUTIONS * PATH_POINTS,
        MOST_REALS = ARC_AIM_MAX_FRONT * ARC_MAX_PARAMETERS
    };
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
        write_throws(&writer);
        write_banks(&writer);
        write_front(&writer);
        status = write_paths(&writer, err);
    }
    if (status == ARC_OK)
        status = arc_hdf5_save(writer.file, path, err);
    arc_hdf5_close(writer.file);
    arc_arena_free(arena);
    return status;
}
