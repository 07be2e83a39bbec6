/* The arm of a fit as JSON: {"solutions", "readings", "swing"}. Units stand in the names; numbers
 * of the swing are in m, rad and rad/s by what they are of. */
#include "report/arm_parts.h"

static json_t *json_solutions(ArcJson *json, const ArcArmFit *arm)
{
    json_t *array = arc_json_array(json);
    for (int i = 0; i < arm->n_solutions; i++) {
        const ArcArmSolution *pose = &arm->solutions[i];
        json_t *object = arc_json_object(json);
        arc_json_put(json, object, "theta_rad",
                     arc_json_vector(json, arm->n_joints, pose->theta_rad));
        arc_json_put(json, object, "omega_rad_s",
                     arc_json_vector(json, arm->n_joints, pose->omega_rad_s));
        arc_json_put_number(json, object, "chi2", pose->chi2);
        arc_json_put_bool(json, object, "fitted", pose->is_fitted);
        arc_json_put_bool(json, object, "converged", pose->converged);
        arc_json_put_bool(json, object, "within_limits", pose->is_within_limits);
        arc_json_put_bool(json, object, "told_apart", pose->is_told_apart);
        arc_json_push(json, array, object);
    }
    return array;
}

static json_t *json_readings(ArcJson *json, const ArcFit *fit)
{
    json_t *array = arc_json_array(json);
    for (int i = 0; i < fit->residuals.n_readings; i++) {
        const ArcFittedReading *reading = &fit->readings[i];
        json_t *object = arc_json_object(json);
        arc_json_put_string(json, object, "name", reading->name);
        arc_json_put_string(json, object, "unit", reading->unit);
        arc_json_put_number(json, object, "value", reading->value);
        arc_json_put_number(json, object, "sd", reading->sd);
        arc_json_put_number(json, object, "fitted", reading->fitted);
        arc_json_put_number(json, object, "residual_sd", reading->residual_sd);
        arc_json_put_integer(json, object, "line", reading->line);
        arc_json_push(json, array, object);
    }
    return array;
}

/* rms and chi2 of each place, angle and rate. */
static json_t *json_parts(ArcJson *json, const ArcSwingFit *swing)
{
    static const char *const units[] = {"m", "rad", "rad/s"};
    json_t *array = arc_json_array(json);
    for (int i = 0; i < swing->n_parts; i++) {
        const ArcSwingPart *part = &swing->parts[i];
        char name[ARC_ARM_NAME];
        json_t *object = arc_json_object(json);
        arc_json_put_string(json, object, "of",
                            arc_arm_parts_name(name, part->kind, part->index, swing->n_joints));
        arc_json_put_integer(json, object, "numbers", part->numbers);
        arc_json_put_number(json, object, "rms", part->rms);
        arc_json_put_string(json, object, "unit", units[part->kind]);
        arc_json_put_number(json, object, "chi2", part->chi2);
        arc_json_push(json, array, object);
    }
    return array;
}

/* Each number that was measured, a column a key; axis null where it is of a joint. */
static json_t *json_measured(ArcJson *json, const ArcSwingFit *swing)
{
    enum { REALS = 4 };
    static const char *const names[REALS] = {"time_s", "value", "sigma", "fitted"};
    static const char *const axes[] = {"x", "y", "z"};
    json_t *object = arc_json_object(json), *columns[REALS];
    json_t *of = arc_json_array(json), *axis = arc_json_array(json), *line = arc_json_array(json);
    for (int k = 0; k < REALS; k++)
        columns[k] = arc_json_array(json);
    for (int i = 0; i < swing->numbers; i++) {
        const ArcSwingNumber *number = &swing->measured[i];
        const double reals[REALS] = {swing->number_time_s[i], number->value, number->sigma,
                                     swing->fitted[i]};
        char name[ARC_ARM_NAME];
        bool is_place = number->kind == ARC_SWING_PLACE;
        arc_json_push(json, of,
                      arc_json_string(json, arc_arm_parts_name(name, number->kind, number->index,
                                                               swing->n_joints)));
        arc_json_push(json, axis, arc_json_string(json, is_place ? axes[number->axis] : NULL));
        arc_json_push(json, line, json_integer(number->line));
        for (int k = 0; k < REALS; k++)
            arc_json_push(json, columns[k], arc_json_number(json, reals[k]));
    }
    arc_json_put(json, object, "of", of);
    arc_json_put(json, object, "axis", axis);
    for (int k = 0; k < REALS; k++)
        arc_json_put(json, object, names[k], columns[k]);
    arc_json_put(json, object, "line", line);
    return object;
}

static json_t *json_swing(ArcJson *json, const ArcSwingFit *swing)
{
    json_t *object = arc_json_object(json), *residuals = arc_json_object(json);
    int n = swing->n_times, J = swing->n_joints;
    arc_json_put_integer(json, residuals, "times", swing->rows);
    arc_json_put_integer(json, residuals, "left_out", swing->left_out);
    arc_json_put_integer(json, residuals, "numbers", swing->numbers);
    arc_json_put_number(json, residuals, "chi2", swing->chi2);
    arc_json_put_number(json, residuals, "physics_rms_rad_s2", swing->physics_rms_rad_s2);
    arc_json_put_number(json, residuals, "physics_rms_fine_rad_s2", swing->physics_rms_fine_rad_s2);
    arc_json_put_number(json, residuals, "sigma_phys_rad_s2", swing->sigma_phys_rad_s2);
    arc_json_put(json, residuals, "parts", json_parts(json, swing));
    arc_json_put(json, object, "residuals", residuals);
    arc_json_put(json, object, "time_s", arc_json_vector(json, n, swing->time_s));
    arc_json_put(json, object, "theta_rad", arc_json_matrix(json, n, J, swing->theta_rad));
    arc_json_put(json, object, "omega_rad_s", arc_json_matrix(json, n, J, swing->omega_rad_s));
    arc_json_put(json, object, "acceleration_rad_s2",
                 arc_json_matrix(json, n, J, swing->acceleration_rad_s2));
    arc_json_put(json, object, "torque_n_m", arc_json_matrix(json, n, J, swing->motor_n_m));
    arc_json_put(json, object, "friction_n_m", arc_json_matrix(json, n, J, swing->friction_n_m));
    arc_json_put(json, object, "measured", json_measured(json, swing));
    return object;
}

void arc_arm_parts_json(ArcJson *json, json_t *object, const ArcFit *fit)
{
    const ArcArmFit *arm = fit->arm;
    if (arm == NULL) {
        if (fit->readings != NULL && fit->residuals.n_readings > 0)
            arc_json_put(json, object, "readings", json_readings(json, fit));
        return;
    }
    json_t *part = arc_json_object(json);
    arc_json_put(json, part, "solutions", json_solutions(json, arm));
    if (arc_arm_parts_others(arm) > 0)
        arc_json_put_string(json, part, "remark", arc_arm_remark);
    arc_json_put(json, part, "readings", json_readings(json, fit));
    if (arm->swing != NULL)
        arc_json_put(json, part, "swing", json_swing(json, arm->swing));
    arc_json_put(json, object, "arm", part);
}

void arc_arm_parts_json_counts(ArcJson *json, json_t *residuals, const ArcResiduals *of)
{
    if (of->n_readings == 0 && of->n_swing == 0)
        return;
    arc_json_put_integer(json, residuals, "readings", of->n_readings);
    arc_json_put_number(json, residuals, "readings_chi2", of->readings_chi2);
    arc_json_put_integer(json, residuals, "swing", of->n_swing);
    arc_json_put_number(json, residuals, "swing_chi2", of->swing_chi2);
}
