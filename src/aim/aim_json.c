/* Aim as JSON: what `arcfit aim --json` writes of a target. Keys as of reach (reach_json.c), and
 * all that HDF5 has (aim_hdf5.c). */
#include "aim/describe.h"
#include "aim/reach_parts.h"
#include "arcfit/version.h"
#include "report/document.h"

#include <math.h>

/* Values (n_parameters) by name, of all or of the unknowns alone. */
static json_t *json_by_name(ArcJson *json, const ArcAim *aim, bool unknowns, const double *values)
{
    json_t *object = arc_json_object(json);
    for (int i = 0; i < aim->n_parameters; i++)
        if (!unknowns || aim->unknown[i])
            arc_json_put_number(json, object, aim->parameters[i].name, values[i]);
    return object;
}

static json_t *json_arm(ArcJson *json, const ArcAim *aim, const ArcAimSolution *solution)
{
    if (!aim->has_arm)
        return arc_json_number(json, NAN);
    static const double none[3] = {0.0, 0.0, 0.0};
    const ArcArm *arm = &aim->experiment->arm;
    const double *p = solution->values + arc_aim_arm_parameter(aim, 0);
    int J = arc_aim_joints(aim), d = aim->dimensions;
    ArcAimOvers overs;
    json_t *object = arc_json_object(json);
    arc_aim_describe_overs(aim, solution, &overs);
    arc_json_put(json, object, "theta_rad", arc_json_vector(json, J, p + arm->theta));
    arc_json_put(json, object, "omega_rad_s", arc_json_vector(json, J, p + arm->omega));
    arc_json_put(json, object, "commands_rad", arc_json_vector(json, J, solution->commands_rad));
    arc_json_put(json, object, "position_m", arc_json_vector(json, d, solution->position_m));
    arc_json_put(json, object, "velocity_m_s", arc_json_vector(json, d, solution->velocity_m_s));
    arc_json_put_bool(json, object, "within_limits", overs.is_within);
    arc_json_put(json, object, "angle_over_rad", arc_json_vector(json, J, overs.angle_rad));
    arc_json_put(json, object, "rate_over", arc_json_vector(json, J, overs.rate));
    arc_json_put(json, object, "missing_m_s", arc_json_vector(json, d, none));
    return object;
}

static json_t *json_monte_carlo(ArcJson *json, const ArcAim *aim, const ArcAimChance *chance)
{
    if (!isfinite(chance->checked))
        return arc_json_number(json, NAN);
    json_t *object = arc_json_object(json);
    arc_json_put_integer(json, object, "throws", aim->settings.monte_carlo);
    arc_json_put_number(json, object, "probability", chance->checked);
    arc_json_put_number(json, object, "sd", chance->checked_sd);
    return object;
}

static void put_chance(ArcJson *json, json_t *object, const ArcAim *aim, const ArcAimChance *chance)
{
    bool has = isfinite(chance->value);
    arc_json_put_number(json, object, "hit_probability", chance->value);
    if (has)
        arc_json_put_bool(json, object, "hit_probability_valid", chance->is_valid);
    else
        arc_json_put_number(json, object, "hit_probability_valid", NAN);
    arc_json_put(json, object, "monte_carlo", json_monte_carlo(json, aim, chance));
    arc_json_put(json, object, "offset_sd_m",
                 has ? arc_json_vector(json, aim->dimensions, chance->offset_sd_m)
                     : arc_json_number(json, NAN));
}

static json_t *json_solution(ArcJson *json, const ArcAim *aim, const ArcAimSolution *solution)
{
    const double *numbers = solution->numbers;
    int d = aim->dimensions;
    ArcAimRelease release;
    json_t *object = arc_json_object(json);
    arc_aim_describe(aim, solution, &release);
    arc_json_put_bool(json, object, "hits", solution->hits);
    arc_json_put_number(json, object, "speed_m_s", release.speed_m_s);
    arc_json_put_number(json, object, "angle_rad", release.angle_rad);
    arc_json_put_number(json, object, "azimuth_rad", release.azimuth_rad);
    arc_json_put_number(json, object, "spin_rad_s", release.spin_rad_s);
    arc_json_put_number(json, object, "time_s", numbers[ARC_AIM_TIME]);
    arc_json_put_number(json, object, "miss_m", numbers[ARC_AIM_MISS]);
    arc_json_put_number(json, object, "entry_angle_rad", numbers[ARC_AIM_ENTRY_ANGLE]);
    arc_json_put_number(json, object, "entry_speed_m_s", numbers[ARC_AIM_ENTRY_SPEED]);
    put_chance(json, object, aim, &solution->chance);
    arc_json_put_number(json, object, "clearance_m", numbers[ARC_AIM_CLEARANCE]);
    arc_json_put_number(json, object, "height_m", numbers[ARC_AIM_HEIGHT]);
    arc_json_put_number(json, object, "energy_j", numbers[ARC_AIM_ENERGY]);
    arc_json_put_number(json, object, "peak_torque_n_m", numbers[ARC_AIM_PEAK_TORQUE]);
    arc_json_put_number(json, object, "cost", solution->cost);
    arc_json_put(json, object, "position_m", arc_json_vector(json, d, solution->position_m));
    arc_json_put(json, object, "velocity_m_s", arc_json_vector(json, d, solution->velocity_m_s));
    arc_json_put(json, object, "arrival_m", arc_json_vector(json, d, solution->arrival_m));
    arc_json_put(json, object, "arrival_velocity_m_s",
                 arc_json_vector(json, d, solution->arrival_velocity_m_s));
    arc_json_put(json, object, "parameters", json_by_name(json, aim, false, solution->values));
    arc_json_put(json, object, "miss_by", json_by_name(json, aim, false, solution->miss_by));
    arc_json_put(json, object, "arm", json_arm(json, aim, solution));
    return object;
}

static json_t *json_shortfall(ArcJson *json, const ArcAim *aim)
{
    json_t *object = arc_json_object(json);
    arc_json_put_number(json, object, "speed_m_s", aim->shortfall_speed_m_s);
    arc_json_put_number(json, object, "miss_m", aim->shortfall_miss_m);
    arc_json_put_number(json, object, "least_speed_m_s", aim->least_speed_m_s);
    if (aim->has_reach)
        arc_reach_parts_json(json, object, &aim->reach);
    return object;
}

static json_t *json_target(ArcJson *json, const ArcAim *aim)
{
    static const char *const axes[] = {"x", "y", "z"};
    const ArcGoal *goal = &aim->settings.goal;
    json_t *object = arc_json_object(json);
    arc_json_put_string(json, object, "kind", arc_aim_goal_name(goal->kind));
    arc_json_put(json, object, "centre_m", arc_json_vector(json, aim->dimensions, goal->point_m));
    if (goal->kind == ARC_GOAL_HOOP)
        arc_json_put_number(json, object, "radius_m", goal->radius_m);
    if (goal->kind == ARC_GOAL_HOOP && goal->has_backboard) {
        arc_json_put_string(json, object, "backboard_axis", axes[goal->backboard.axis]);
        arc_json_put_number(json, object, "backboard_m", goal->backboard.level_m);
    }
    if (goal->kind == ARC_GOAL_AREA) {
        arc_json_put_string(json, object, "axis", axes[goal->axis]);
        arc_json_put(json, object, "half_m", arc_json_vector(json, aim->dimensions, goal->half_m));
    }
    return object;
}

static json_t *json_unknowns(ArcJson *json, const ArcAim *aim)
{
    json_t *array = arc_json_array(json);
    for (int i = 0; i < aim->n_parameters; i++)
        if (aim->unknown[i])
            arc_json_push(json, array, arc_json_string(json, aim->parameters[i].name));
    return array;
}

static json_t *json_belief(ArcJson *json, const ArcAim *aim)
{
    json_t *object = arc_json_object(json);
    for (int i = 0; i < aim->n_parameters; i++) {
        if (aim->unknown[i] || aim->parameters[i].is_tied)
            continue;
        json_t *one = arc_json_object(json);
        arc_json_put_number(json, one, "value", aim->believed[i]);
        arc_json_put_number(json, one, "sd", aim->believed_sd[i]);
        arc_json_put_string(json, one, "unit", aim->parameters[i].unit);
        arc_json_put(json, object, aim->parameters[i].name, one);
    }
    return object;
}

static json_t *json_front(ArcJson *json, const ArcAim *aim)
{
    if (!aim->settings.has_front)
        return arc_json_number(json, NAN);
    json_t *object = arc_json_object(json), *names = arc_json_array(json);
    json_t *units = arc_json_array(json), *points = arc_json_array(json);
    for (int k = 0; k < 2; k++) {
        int number = (int)aim->settings.front[k];
        arc_json_push(json, names, arc_json_string(json, arc_aim_number_name(number)));
        arc_json_push(json, units, arc_json_string(json, arc_aim_number_unit(number)));
    }
    for (int i = 0; i < aim->n_front; i++) {
        json_t *point = arc_json_object(json);
        arc_json_put(json, point, "numbers", arc_json_vector(json, 2, aim->front[i].numbers));
        arc_json_put(json, point, "parameters",
                     json_by_name(json, aim, true, aim->front[i].values));
        arc_json_push(json, points, point);
    }
    arc_json_put(json, object, "numbers", names);
    arc_json_put(json, object, "units", units);
    arc_json_put(json, object, "points", points);
    return object;
}

ArcStatus arc_aim_json(const ArcAim *aim, char **text, ArcError *err)
{
    ArcJson json = {0};
    const ArcExperiment *experiment = aim->experiment;
    json_t *object =
        arc_document_head(&json, ARC_VERSION, experiment->path, experiment->name, experiment->seed);
    json_t *solutions = arc_json_array(&json), *banks = arc_json_array(&json);
    for (int i = 0; i < aim->n_solutions; i++)
        arc_json_push(&json, solutions, json_solution(&json, aim, &aim->solutions[i]));
    for (int i = 0; i < aim->n_banks; i++)
        arc_json_push(&json, banks, json_solution(&json, aim, &aim->banks[i]));
    arc_json_put(&json, object, "target", json_target(&json, aim));
    arc_json_put(&json, object, "unknowns", json_unknowns(&json, aim));
    arc_json_put_bool(&json, object, "reachable", aim->is_reachable);
    arc_json_put(&json, object, "shortfall", json_shortfall(&json, aim));
    arc_json_put(&json, object, "solutions", solutions);
    arc_json_put(&json, object, "off_the_board", banks);
    arc_json_put(&json, object, "belief", json_belief(&json, aim));
    arc_json_put(&json, object, "pareto", json_front(&json, aim));
    return arc_json_text(&json, object, text, err);
}
