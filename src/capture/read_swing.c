/* The table of a swing: places of the arm, angles and rates of its joints, row by row.
 *
 * Columns (arcfit/swing.h): time; elbow, hand, ball and joint1.. with _x _y _z; theta1.. as the
 * encoders give them, not wrapped; omega1... A joint that the arm does not have, and a third axis
 * in the plane, are not read.
 */
#include "capture/arm_table.h"
#include "capture/points.h"

#include <math.h>
#include <string.h>

/* What a column holds. */
typedef struct Column {
    ArcSwingKind kind;
    int index, axis;
} Column;

static int joints_of(const ArcCaptureSettings *settings)
{
    return settings->swing.n_joints > 0 ? settings->swing.n_joints : ARC_ARM_MAX_JOINTS;
}

/* The place that the name begins with, and its axis; false: it is none. */
static bool place_find(const char *name, int n_joints, Column *column)
{
    static const char axes[] = "xyz";
    char stem[ARC_HEADING_BYTES];
    size_t length = strlen(name);
    if (length < 3 || name[length - 2] != '_' || strchr(axes, name[length - 1]) == NULL)
        return false;
    memcpy(stem, name, length - 2);
    stem[length - 2] = '\0';
    int joint = arc_heading_number(stem, "joint");
    column->kind = ARC_SWING_PLACE;
    column->axis = (int)(strchr(axes, name[length - 1]) - axes);
    if (strcmp(stem, "elbow") == 0)
        column->index = 1;
    else if (strcmp(stem, "hand") == 0)
        column->index = n_joints;
    else if (strcmp(stem, "ball") == 0)
        column->index = ARC_ARM_BALL;
    else if (joint > 0)
        column->index = joint;
    else
        return false;
    return true;
}

static bool column_find(const ArcCaptureSettings *settings, const char *name, Column *column)
{
    int n_joints = joints_of(settings);
    *column = (Column){.kind = ARC_SWING_ANGLE, .index = arc_heading_number(name, "theta") - 1};
    if (column->index < 0)
        *column = (Column){.kind = ARC_SWING_RATE, .index = arc_heading_number(name, "omega") - 1};
    if (column->index >= 0)
        return column->index < n_joints;
    return place_find(name, n_joints, column) && column->index <= n_joints &&
           column->axis < settings->dimensions;
}

static bool name_is_time(const char *name)
{
    return strcmp(name, "time") == 0 || strcmp(name, "t") == 0;
}

/* The number's standard deviation; NaN: the settings do not tell. */
static double sigma_of(const ArcCaptureSettings *settings, ArcSwingKind kind)
{
    const ArcSwingSettings *swing = &settings->swing;
    if (kind == ARC_SWING_PLACE)
        return isnan(swing->sigma_m) ? settings->sigma_m : swing->sigma_m;
    return kind == ARC_SWING_ANGLE ? swing->sigma_rad : swing->sigma_rad_s;
}

static ArcStatus sigma_check(const ArcCaptureSettings *settings, const ArcArmTable *read, int i,
                             ArcSwingKind kind, ArcError *err)
{
    static const char *const keys[] = {"sigma: 2 mm", "sigma_angle: 0.1 deg",
                                       "sigma_rate: 1 deg/s"};
    const ArcCell *cell = &read->table.header[i];
    if (sigma_of(settings, kind) > 0)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(&read->table, cell),
                            "'%.*s' has no standard deviation; give one in the experiment, for "
                            "example `swing: {%s}`",
                            arc_delimited_shown(cell->text, cell->length), cell->text, keys[kind]);
}

ArcStatus arc_swing_find_columns(const ArcCaptureSettings *settings, ArcArmTable *read,
                                 ArcError *err)
{
    static const ArcHeadingKind kinds[] = {ARC_HEADING_LENGTH, ARC_HEADING_ANGLE, ARC_HEADING_RATE};
    const ArcTable *table = &read->table;
    int n_times = 0, n_numbers = 0;
    for (int i = 0; i < table->n_columns; i++) {
        Column column;
        bool is_time = name_is_time(read->heading[i].name);
        ArcStatus status = ARC_OK;
        if (is_time)
            status = arc_arm_table_take(read, i, ARC_HEADING_TIME, err);
        else if (column_find(settings, read->heading[i].name, &column)) {
            status = arc_arm_table_take(read, i, kinds[column.kind], err);
            if (status == ARC_OK)
                status = sigma_check(settings, read, i, column.kind, err);
            n_numbers++;
        }
        if (is_time && status == ARC_OK && n_times++ > 0)
            status = arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, &table->header[i]),
                                      "two columns of times; leave one out");
        if (status != ARC_OK)
            return status;
    }
    if (n_times == 0)
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, table->header),
                                "no column of times; call it time_s");
    if (n_numbers == 0)
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, table->header),
                                "no column of the arm; known are elbow_x_m, hand_x_m, ball_x_m, "
                                "joint1_x_m, theta1_rad, omega1_rad_s and the like");
    return ARC_OK;
}

static int time_column(const ArcArmTable *read)
{
    int i = 0;
    while (!name_is_time(read->heading[i].name))
        i++;
    return i;
}

/* The swing while it is made. */
typedef struct Build {
    int n_rows, n_numbers;
    double *time_s;
    ArcSwingNumber *numbers;
    double last_s;
} Build;

/* All numbers of one row, as the build's next row. */
static ArcStatus row_take(const ArcSwingReading *reading, int row, Build *build, ArcError *err)
{
    const ArcArmTable *read = reading->read;
    ArcStatus status = ARC_OK;
    for (int i = 0; i < read->table.n_columns && status == ARC_OK; i++) {
        Column column;
        double value = NAN;
        if (!read->is_known[i] || !column_find(reading->settings, read->heading[i].name, &column))
            continue;
        status = arc_arm_table_number(read, row, i, &value, err);
        if (status != ARC_OK || isnan(value))
            continue;
        build->numbers[build->n_numbers++] =
            (ArcSwingNumber){.row = build->n_rows,
                             .kind = column.kind,
                             .index = column.index,
                             .axis = column.axis,
                             .value = value,
                             .sigma = sigma_of(reading->settings, column.kind),
                             .line = arc_arm_table_cell(read, row, i)->line};
    }
    return status;
}

static ArcStatus row_read(const ArcSwingReading *reading, int row, Build *build, ArcError *err)
{
    const ArcArmTable *read = reading->read;
    const double *window_s = reading->settings->swing.window_s;
    int time = time_column(read), before = build->n_numbers;
    const ArcCell *cell = arc_arm_table_cell(read, row, time);
    double t = NAN;
    ArcStatus status = arc_arm_table_number(read, row, time, &t, err);
    if (status == ARC_OK)
        status = row_take(reading, row, build, err);
    if (status != ARC_OK || build->n_numbers == before)
        return status;
    if (isnan(t))
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(&read->table, cell),
                                "a row without a time; give one, or empty the row");
    if (!(t > build->last_s))
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(&read->table, cell),
                                "time '%.*s' is not above the one before it; sort the rows, and "
                                "give each time once",
                                arc_delimited_shown(cell->text, cell->length), cell->text);
    build->last_s = t;
    if (t >= window_s[0] && t <= window_s[1])
        build->time_s[build->n_rows++] = t;
    else
        build->n_numbers = before;
    return ARC_OK;
}

static ArcStatus swing_keep(const ArcSwingReading *reading, const Build *build,
                            const ArcSwing **swing, ArcError *err)
{
    ArcArena *arena = reading->arena;
    size_t n_rows = (size_t)build->n_rows, n_numbers = (size_t)build->n_numbers;
    const char *file = reading->read->table.file;
    ArcSwing *made = ARC_ALLOC(arena, 1, ArcSwing);
    double *time_s = ARC_ALLOC(arena, n_rows, double);
    ArcSwingNumber *numbers = ARC_ALLOC(arena, n_numbers, ArcSwingNumber);
    char *name = arc_arena_copy_text(arena, file, strlen(file));
    if (made == NULL || time_s == NULL || numbers == NULL || name == NULL)
        return arc_error_no_memory(err);
    memcpy(time_s, build->time_s, n_rows * sizeof *time_s);
    memcpy(numbers, build->numbers, n_numbers * sizeof *numbers);
    *made = (ArcSwing){name, build->n_rows, time_s, build->n_numbers, numbers};
    *swing = made;
    return ARC_OK;
}

ArcStatus arc_swing_read(const ArcSwingReading *reading, const ArcSwing **swing, ArcError *err)
{
    size_t n = (size_t)reading->n, columns = (size_t)reading->read->table.n_columns;
    const double *window_s = reading->settings->swing.window_s;
    Build build = {.last_s = -INFINITY,
                   .time_s = ARC_ALLOC(reading->scratch, n + 1, double),
                   .numbers = ARC_ALLOC(reading->scratch, n * columns + 1, ArcSwingNumber)};
    ArcStatus status =
        build.time_s == NULL || build.numbers == NULL ? arc_error_no_memory(err) : ARC_OK;
    *swing = NULL;
    for (int i = 0; i < reading->n && status == ARC_OK; i++)
        status = row_read(reading, reading->rows[i], &build, err);
    if (status != ARC_OK || reading->n == 0 || isinf(build.last_s))
        return status;
    if (build.n_rows == 0)
        return arc_error_set_at(err, ARC_INPUT, reading->read->from,
                                "no row of '%s' is inside swing.window [%g s, %g s]",
                                reading->read->table.file, window_s[0], window_s[1]);
    return swing_keep(reading, &build, swing, err);
}
