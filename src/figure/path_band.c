/* The 95 % band of a path, f half an interval in sds (interval_factor), C the covariance of the
 * position at a time.
 *
 * Against time: x_c(t) +- f sqrt(C_cc).
 *
 * In a plane (a, b) of the picture what lies along the path moves nothing to be seen, so that the
 * band is what is uncertain across it. Where the path goes on along a all the time, and never
 * steeper than 10 to 1, it stands above and below each a:
 *   b +- f sqrt(C_bb - 2 s C_ab + s^2 C_aa),   s = v_b / v_a:
 * the sd of b where the flight passes that a. Else (seen from the front, up and down again) it is
 * an outline on both sides, from the release to the end and back:
 *   (a, b) +- f sqrt(n' C n) n,   n = (-v_b, v_a) / |v|,
 * to first order the envelope of the ellipses at all times; nothing where |v| is 0 in the picture.
 */
#include "figure/path.h"

#include <math.h>

static const double steepest = 10.0;
static const char band_name[] = "95 % band";

void arc_path_add_band_in_time(ArcMaker *maker, const ArcPath *path, int axis)
{
    size_t room = (size_t)path->n;
    double *columns = path->sd_m == NULL ? NULL : ARC_ALLOC(maker->arena, 3 * room, double);
    int n = 0;
    if (columns == NULL)
        return;
    double *t = columns, *low = t + room, *high = low + room;
    for (int i = 0; i < path->n; i++) {
        double x = path->position_m[i * path->d + axis];
        double half = path->fit->interval_factor * path->sd_m[i * path->d + axis];
        if (!isfinite(x) || !isfinite(half))
            continue;
        t[n] = path->time_s[i];
        low[n] = x - half;
        high[n++] = x + half;
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_BAND,
                                         .role = arc_maker_method_role(path->fit->method),
                                         .name = band_name,
                                         .n = n,
                                         .x = t,
                                         .low = low,
                                         .high = high});
}

/* A row of the path in the plane of the picture. */
typedef struct Row {
    double a, b, v_a, v_b;
    double across; /* f times the sd across the path; NaN: not known */
} Row;

static Row row_of(const ArcPath *path, int i, int a, int b)
{
    int d = path->d;
    const double *C = path->covariance_m2 + i * d * d;
    Row row = {.a = path->position_m[i * d + a],
               .b = path->position_m[i * d + b],
               .v_a = path->velocity_m_s[i * d + a],
               .v_b = path->velocity_m_s[i * d + b]};
    double speed = hypot(row.v_a, row.v_b), n_a = -row.v_b / speed, n_b = row.v_a / speed;
    double square =
        n_a * n_a * C[a * d + a] + 2.0 * n_a * n_b * C[a * d + b] + n_b * n_b * C[b * d + b];
    row.across =
        isfinite(square) ? path->fit->interval_factor * sqrt(fmax(square, 0.0)) : (double)NAN;
    return row;
}

/* Whether the path goes on along a all the time. */
static bool goes_on(const ArcPath *path, int a, int b)
{
    double forward = path->velocity_m_s[a];
    for (int i = 0; i < path->n; i++) {
        double v_a = path->velocity_m_s[i * path->d + a];
        if (!(v_a * forward > 0.0) ||
            !(fabs(path->velocity_m_s[i * path->d + b]) <= steepest * fabs(v_a)))
            return false;
        if (i > 0 &&
            !((path->position_m[i * path->d + a] - path->position_m[(i - 1) * path->d + a]) *
                  forward >
              0.0))
            return false;
    }
    return true;
}

static void add_filled(ArcMaker *maker, const ArcPath *path, int n, const Row *rows)
{
    double *x = ARC_ALLOC(maker->arena, 3 * (size_t)n, double);
    if (x == NULL)
        return;
    double *low = x + n, *high = low + n;
    for (int i = 0; i < n; i++) {
        /* Above the same a the path is as much further away as it is steep. */
        double half = rows[i].across * hypot(rows[i].v_a, rows[i].v_b) / fabs(rows[i].v_a);
        x[i] = rows[i].a;
        low[i] = rows[i].b - half;
        high[i] = rows[i].b + half;
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_BAND,
                                         .role = arc_maker_method_role(path->fit->method),
                                         .name = band_name,
                                         .n = n,
                                         .x = x,
                                         .low = low,
                                         .high = high});
}

static void add_outline(ArcMaker *maker, int n, const Row *rows)
{
    int all = 2 * n + 1;
    double *x = ARC_ALLOC(maker->arena, 2 * (size_t)all, double);
    if (x == NULL)
        return;
    double *y = x + all;
    for (int i = 0; i < 2 * n; i++) {
        const Row *row = &rows[i < n ? i : 2 * n - 1 - i];
        double off = (i < n ? row->across : -row->across) / hypot(row->v_a, row->v_b);
        x[i] = row->a - off * row->v_b;
        y[i] = row->b + off * row->v_a;
    }
    x[all - 1] = x[0];
    y[all - 1] = y[0];
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = ARC_ROLE_EXPECTED,
                                         .name = band_name,
                                         .n = all,
                                         .x = x,
                                         .y = y});
}

double arc_path_add_band(ArcMaker *maker, const ArcPath *path, int a, int b)
{
    double widest = NAN;
    int n = 0;
    Row *rows = path->covariance_m2 == NULL ? NULL : ARC_ALLOC(maker->arena, (size_t)path->n, Row);
    if (rows == NULL)
        return NAN;
    for (int i = 0; i < path->n; i++) {
        Row row = row_of(path, i, a, b);
        if (!isfinite(row.across))
            continue;
        widest = fmax(widest, row.across);
        rows[n++] = row;
    }
    if (n == 0)
        return NAN;
    if (goes_on(path, a, b))
        add_filled(maker, path, n, rows);
    else
        add_outline(maker, n, rows);
    return widest;
}
