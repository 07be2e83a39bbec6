/* Soft hits. */
#include "aim/soft.h"

#include "aim/clearance.h"

#include <math.h>
#include <string.h>

static const double width_share = 0.1;

ArcSoft arc_soft_of(double margin_m, double width_m)
{
    double z = margin_m / width_m, small = exp(-fabs(z)), whole = 1.0 / (1.0 + small);
    double value = z > 0.0 ? whole : small * whole, rest = z > 0.0 ? small * whole : whole;
    return (ArcSoft){.value = value,
                     .by_margin = value * rest / width_m,
                     .log = fmin(z, 0.0) - log1p(small),
                     .log_by_margin = rest / width_m};
}

double arc_soft_width(const ArcExperiment *experiment)
{
    const ArcGoal *goal = &experiment->aim.goal;
    const ArcFlightSettings *flight = &experiment->flight.settings;
    double size = INFINITY;
    if (goal->kind == ARC_GOAL_HOOP)
        size = goal->radius_m - arc_goal_ball_radius(experiment);
    else if (goal->kind == ARC_GOAL_POINT)
        size = arc_goal_point_radius(experiment);
    for (int c = 0; goal->kind == ARC_GOAL_AREA && c < flight->dimensions; c++)
        if (arc_goal_has_axis(goal, flight->up, c))
            size = fmin(size, goal->half_m[c]);
    return width_share * size;
}

static bool clean_margin(ArcShot *shot, const double *values, bool partials, ArcSoftHit *hit)
{
    const ArcExperiment *experiment = arc_shot_experiment(shot);
    size_t bytes = sizeof(double) * (size_t)experiment->n_parameters;
    bool is_point = experiment->aim.goal.kind == ARC_GOAL_POINT;
    ArcShotNumbers numbers;
    unsigned wanted = 1U << (is_point ? ARC_AIM_MISS : ARC_AIM_CLEARANCE);
    if (!arc_shot_numbers(shot, values, wanted, partials, &numbers))
        return false;
    if (!is_point) {
        hit->margin_m = numbers.value[ARC_AIM_CLEARANCE];
        if (partials)
            memcpy(hit->by_margin, numbers.by[ARC_AIM_CLEARANCE], bytes);
        return true;
    }
    hit->margin_m = arc_goal_point_radius(experiment) - numbers.value[ARC_AIM_MISS];
    for (int i = 0; partials && i < experiment->n_parameters; i++)
        hit->by_margin[i] = -numbers.by[ARC_AIM_MISS][i];
    return true;
}

bool arc_soft_hit(ArcShot *shot, ArcTouch *touch, const double *values, bool partials,
                  double width_m, ArcSoftHit *hit)
{
    ArcTouched touched;
    if (touch == NULL) {
        if (!clean_margin(shot, values, partials, hit))
            return false;
    } else {
        if (!arc_touch_fly(touch, values, partials, &touched))
            return false;
        hit->margin_m = touched.margin_m;
        if (partials)
            memcpy(hit->by_margin, touched.by_margin, sizeof hit->by_margin);
    }
    hit->soft = arc_soft_of(hit->margin_m, width_m);
    return true;
}
