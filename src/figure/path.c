/* Paths with their bounces, and lines of them. */
#include "figure/path.h"

#include "arcfit/predict.h"

#include <stdio.h>
#include <string.h>

enum { MOST_BOUNCES = 16 };

/* The trajectory with rows for the bounces; false on exhaustion. */
static bool insert_bounces(ArcArena *arena, int n_bounces, const ArcMet *bounces, ArcPath *path)
{
    const ArcFit *fit = path->fit;
    size_t d = (size_t)path->d, n = (size_t)(fit->n_trajectory + n_bounces);
    double *t = ARC_ALLOC(arena, n, double), *x = ARC_ALLOC(arena, 2 * n * d, double);
    bool *is_bounce = ARC_ALLOC(arena, n, bool);
    if (t == NULL || x == NULL || is_bounce == NULL)
        return false;
    double *v = x + n * d;
    size_t row = 0;
    for (int i = 0, k = 0; i < fit->n_trajectory; i++) {
        size_t from = (size_t)i * d;
        t[row] = fit->time_s[i];
        memcpy(x + row * d, fit->position_m + from, sizeof(double) * d);
        memcpy(v + row * d, fit->velocity_m_s + from, sizeof(double) * d);
        row++;
        if (k == n_bounces || bounces[k].row != i)
            continue;
        t[row] = bounces[k].time_s;
        is_bounce[row] = true;
        memcpy(x + row * d, bounces[k].x_m, sizeof(double) * d);
        memcpy(v + row * d, bounces[k++].v_m_s, sizeof(double) * d);
        row++;
    }
    path->n = (int)n;
    path->time_s = t;
    path->position_m = x;
    path->velocity_m_s = v;
    path->is_bounce = is_bounce;
    path->n_bounces = n_bounces;
    return true;
}

/* sds of the positions, unless the flight cannot be followed. */
static ArcStatus predict(ArcMaker *maker, ArcPath *path, ArcError *err)
{
    size_t n = (size_t)path->n, d = (size_t)path->d;
    ArcError why;
    if (maker->experiment == NULL)
        return ARC_OK;
    double *sd = ARC_ALLOC(maker->arena, n * d, double);
    double *covariance = ARC_ALLOC(maker->arena, n * d * d, double);
    if (sd == NULL || covariance == NULL)
        return arc_error_no_memory(err);
    const ArcPrediction prediction = {.x_sd_m = sd, .x_covariance_m2 = covariance};
    ArcStatus status =
        arc_predict_state(maker->experiment, path->fit, path->n, path->time_s, &prediction, &why);
    if (status == ARC_MEMORY)
        return arc_error_no_memory(err);
    if (status == ARC_OK) {
        path->sd_m = sd;
        path->covariance_m2 = covariance;
        return ARC_OK;
    }
    const char *text = strncmp(why.text, "error: ", 7) == 0 ? why.text + 7 : why.text;
    char flight[32] = "";
    if (maker->flight > 0)
        snprintf(flight, sizeof flight, " of flight %d", maker->flight);
    arc_maker_note(maker, "The %s fit%s has no 95 %% band: %s.",
                   arc_maker_method_name(path->fit->method), flight, text);
    return ARC_OK;
}

ArcStatus arc_maker_path(ArcMaker *maker, const ArcFit *fit, const ArcPath **path, ArcError *err)
{
    ArcPath **place = &maker->paths[fit->method];
    if (*place == NULL) {
        ArcMet bounces[MOST_BOUNCES];
        ArcPath *made = ARC_ALLOC(maker->arena, 1, ArcPath);
        if (made == NULL)
            return arc_error_no_memory(err);
        *made = (ArcPath){.fit = fit,
                          .n = fit->n_trajectory,
                          .d = fit->dimensions,
                          .time_s = fit->time_s,
                          .position_m = fit->position_m,
                          .velocity_m_s = fit->velocity_m_s};
        int n = maker->experiment == NULL
                    ? 0
                    : arc_predict_bounces(&maker->experiment->flight, fit, MOST_BOUNCES, bounces);
        if (n > 0 && !insert_bounces(maker->arena, n, bounces, made))
            return arc_error_no_memory(err);
        ArcStatus status = predict(maker, made, err);
        if (status != ARC_OK)
            return status;
        *place = made;
    }
    *path = *place;
    return ARC_OK;
}

bool arc_path_at(const ArcPath *path, double time_s, double *x)
{
    int i = 0, d = path->d;
    if (path->n < 2 || !(time_s >= path->time_s[0] && time_s <= path->time_s[path->n - 1]))
        return false;
    while (i + 2 < path->n && path->time_s[i + 1] <= time_s)
        i++;
    double h = path->time_s[i + 1] - path->time_s[i], s = (time_s - path->time_s[i]) / h;
    double to = s * s * (3.0 - 2.0 * s), in = s * (1.0 - s) * (1.0 - s), out = s * s * (s - 1.0);
    for (int c = 0; c < d; c++) {
        int at = i * d + c, next = at + d;
        x[c] = (1.0 - to) * path->position_m[at] + to * path->position_m[next] +
               h * (in * path->velocity_m_s[at] + out * path->velocity_m_s[next]);
    }
    return true;
}

static const double *coordinate(ArcMaker *maker, const ArcPath *path, int axis)
{
    if (axis == -1)
        return path->time_s;
    return axis < 0 ? NULL : arc_maker_column(maker, path->position_m + axis, path->n, path->d);
}

void arc_path_add_line(ArcMaker *maker, const ArcPath *path, const int axes[3])
{
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = arc_maker_method_role(path->fit->method),
                                         .name = arc_maker_method_name(path->fit->method),
                                         .n = path->n,
                                         .x = coordinate(maker, path, axes[0]),
                                         .y = coordinate(maker, path, axes[1]),
                                         .z = coordinate(maker, path, axes[2])});
}
