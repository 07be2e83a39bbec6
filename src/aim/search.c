/* The search for throws that hit. */
#include "aim/search.h"

#include "arcfit/aim.h"
#include "experiment/special.h"
#include "fit/predict.h"
#include "fit/release.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { AIR_STEPS = 4, MOST_STEPS = 60, FEW_STEPS = 12, CHORD_STEPS = 5, SPREAD = 4 };
static const double shortest_s = 1e-3;   /* of flight */
static const double fastest_rad_s = 1e3; /* spin, where it has no bounds */
static const double fastest_m_s = 340.0; /* release, likewise: no law of drag holds beyond sound */
static const double first_damping = 1e-2;
static const double solved_m = 1e-9, nearly_m = 1e-5; /* of a step */
static const double finished_m = 1e-11;
static const double near_m = 1e-3;          /* a hit but for the last steps */
static const double the_same = 1e-5;        /* share of an unknown's size */
static const double loose_tolerance = 1e-3; /* of flights */
static const double far_beyond = 2.0;       /* the highest speed */
static const double least_rise_rad = 0.1;   /* above the line to X, of a start */

/* r and J (d, K + 1) column-major; columns of what is held are zero. */
static bool evaluate(void *context, const double *z, double *r, double *J)
{
    ArcSearch *search = context;
    const double *X = search->experiment->aim.goal.point_m;
    int d = search->d, K = search->K;
    arc_search_values(search, z, search->trial);
    if (!arc_shot_at(search->present, search->trial, z[K], J != NULL, &search->state))
        return false;
    for (int c = 0; c < d; c++) {
        r[c] = search->state.x_m[c] - X[c];
        if (!isfinite(r[c]))
            return false;
        for (int k = 0; J != NULL && k < K; k++)
            J[k * d + c] = search->held[k] ? 0.0 : search->state.by_x[c][search->index[k]];
        if (J != NULL)
            J[K * d + c] = search->held[K] ? 0.0 : search->state.v_m_s[c];
    }
    if (J != NULL) {
        memcpy(search->seen, z, sizeof(double) * (size_t)(K + 1));
        memcpy(search->seen_J, J, sizeof(double) * (size_t)(d * (K + 1)));
    }
    return true;
}

/* Coefficients of drag and lift that fade with the air: what is no speed and no rotation. */
static void list_air(ArcSearch *search)
{
    const ArcFlight *flight = &search->experiment->flight;
    for (int i = 0; i < flight->n_drag + flight->n_lift; i++) {
        const char *unit = flight->parameters[i].unit;
        bool fades = strcmp(unit, "1/m") == 0 || strcmp(unit, "1") == 0;
        if (fades && search->at[i] < 0 && search->values[i] != 0.0)
            search->air_index[search->n_air++] = i;
    }
}

/* Bounds of an unknown: the experiment's, its range's, a joint's. */
static void take_bounds(ArcSearch *search, int k)
{
    const ArcExperiment *experiment = search->experiment;
    const ArcParameter *parameter = &experiment->parameters[search->index[k]];
    const ArcParameterInfo *info = arc_parameter_info(experiment, search->index[k]);
    search->low[k] = fmax(parameter->low, info->low);
    search->high[k] = fmin(parameter->high, info->high);
    bool is_spin =
        search->index[k] < experiment->flight.n_parameters && strcmp(parameter->unit, "rad/s") == 0;
    if (is_spin && isinf(parameter->low))
        search->low[k] = fmax(search->low[k], -fastest_rad_s);
    if (is_spin && isinf(parameter->high))
        search->high[k] = fmin(search->high[k], fastest_rad_s);
    if (k == search->speed && isinf(parameter->high))
        search->high[k] = fmin(search->high[k], fastest_m_s);
    if (!experiment->has_arm)
        return;
    const ArcArm *arm = &experiment->arm;
    int joint = search->index[k] - (experiment->flight.n_parameters + 1 + 2 * search->d);
    if (joint >= arm->omega && joint < arm->omega + arm->settings.n_joints) {
        double rate = arm->settings.joints[joint - arm->omega].rate_limit_rad_s;
        search->low[k] = fmax(search->low[k], -rate);
        search->high[k] = fmin(search->high[k], rate);
    }
}

static ArcStatus create_solvers(ArcSearch *search, ArcArena *arena, ArcError *err)
{
    const ArcObjective objective = {
        .m = search->d, .n_outer = search->K + 1, .context = search, .evaluate = evaluate};
    ArcStatus status = ARC_OK;
    for (int k = 0; k < ARC_SEARCH_SOLVERS && status == ARC_OK; k++) {
        bool ends = k >= ARC_SEARCH_END;
        ArcLeastSquaresSettings settings = arc_least_squares_settings_default();
        settings.max_iterations = k == ARC_SEARCH_BRIEF ? FEW_STEPS : MOST_STEPS;
        settings.tolerance = ends ? solved_m : nearly_m;
        settings.relative_tolerance = ends ? 1e-7 : 1e-4;
        settings.lambda = k == ARC_SEARCH_PLAIN || k == ARC_SEARCH_END ? 0.0 : first_damping;
        status = arc_least_squares_create(&objective, &settings, search->low, search->high, arena,
                                          &search->solvers[k], err);
    }
    return status;
}

ArcStatus arc_search_create(ArcShot *shot, const bool *unknown, const double *values,
                            ArcArena *arena, ArcSearch *search, ArcError *err)
{
    const ArcExperiment *experiment = arc_shot_experiment(shot);
    const ArcFlight *flight = &experiment->flight;
    int d = flight->settings.dimensions, first = flight->n_parameters + 1 + d;
    *search = (ArcSearch){.experiment = experiment,
                          .shot = shot,
                          .n = experiment->n_parameters,
                          .d = d,
                          .up = flight->settings.up,
                          .speed = -1,
                          .angle = -1,
                          .air = 1.0};
    memcpy(search->values, values, sizeof(double) * (size_t)search->n);
    for (int i = 0; i < search->n; i++) {
        search->at[i] = unknown[i] ? search->K : -1;
        if (unknown[i])
            search->index[search->K++] = i;
    }
    if (!experiment->has_arm && experiment->release == ARC_RELEASE_POLAR) {
        search->speed = search->at[first];
        search->angle = search->at[first + 1];
        search->is_limited = isfinite(experiment->parameters[first].high);
    }
    for (int k = 0; k < search->K; k++)
        take_bounds(search, k);
    search->low[search->K] = shortest_s;
    search->high[search->K] = ARC_LONGEST_FLIGHT_S;
    list_air(search);
    ArcStatus status = arc_shot_create(experiment, arena, &search->loose, err);
    if (status == ARC_OK)
        status = arc_shot_loosen(search->loose, loose_tolerance, arena, err);
    return status != ARC_OK ? status : create_solvers(search, arena, err);
}

ArcStatus arc_search_free_speed(const ArcSearch *search, ArcArena *arena, ArcSearch *result,
                                ArcError *err)
{
    *result = *search;
    result->is_limited = false;
    if (search->speed >= 0)
        result->high[search->speed] =
            arc_parameter_info(search->experiment, search->index[search->speed])->high;
    return create_solvers(result, arena, err);
}

void arc_search_values(const ArcSearch *search, const double *z, double *values)
{
    memcpy(values, search->values, sizeof(double) * (size_t)search->n);
    for (int k = 0; k < search->K; k++)
        values[search->index[k]] = z[k];
    for (int i = 0; search->air < 1.0 && i < search->n_air; i++)
        values[search->air_index[i]] *= search->air;
    arc_shot_tie(search->shot, values);
}

/* The way from the release at values to X: level part into towards, with its length, and the rise.
 */
static double way(const ArcSearch *search, const double *values, double *towards, double *rise)
{
    const double *x0 = values + search->experiment->flight.n_parameters + 1;
    double square = 0.0;
    *rise = 0.0;
    for (int c = 0; c < search->d; c++) {
        towards[c] = search->experiment->aim.goal.point_m[c] - x0[c];
        if (c == search->up) {
            *rise = towards[c];
            towards[c] = 0.0;
        }
        square += towards[c] * towards[c];
    }
    return sqrt(square);
}

static void clamp(const ArcSearch *search, double *z)
{
    for (int k = 0; k <= search->K; k++)
        z[k] = fmin(fmax(z[k], search->low[k]), search->high[k]);
}

/* The time in which the release's level speed covers the way; a plain one where it does not. */
static void start_time(const ArcSearch *search, double *z)
{
    double values[ARC_MAX_PARAMETERS], v[3] = {0.0}, towards[3] = {0.0}, rise, along = 0.0;
    const ArcExperiment *experiment = search->experiment;
    arc_search_values(search, z, values);
    double D = way(search, values, towards, &rise);
    ArcReleaseForm form = experiment->has_arm ? ARC_RELEASE_CARTESIAN : experiment->release;
    arc_release_velocity(form, search->d, search->up,
                         values + experiment->flight.n_parameters + 1 + search->d, v, NULL);
    for (int c = 0; c < search->d && D > 0.0; c++)
        along += v[c] * towards[c] / D;
    z[search->K] = along > 0.0 && D > 0.0 ? fmin(fmax(D / along, 0.1), 5.0) : 1.0;
}

void arc_search_start(const ArcSearch *search, double *z)
{
    for (int k = 0; k < search->K; k++)
        z[k] = search->values[search->index[k]];
    z[search->K] = search->experiment->aim.time_s;
    clamp(search, z);
    if (!isfinite(search->experiment->aim.time_s))
        start_time(search, z);
}

/* How far an unknown without bounds is usually from another value. */
static double usual_step(const char *unit, double value)
{
    if (strcmp(unit, "rad/s") == 0)
        return 20.0;
    if (strcmp(unit, "m") == 0 || strcmp(unit, "rad") == 0)
        return 0.3;
    return fmax(0.5 * fabs(value), 0.1);
}

bool arc_search_vary(ArcSearch *search, const double *values, int variant)
{
    static const double steps[SPREAD] = {-1.0, 1.0, -3.0, 3.0};
    int velocity = search->experiment->flight.n_parameters + 1 + search->d, k = 0, left = variant;
    memcpy(search->values, values, sizeof(double) * (size_t)search->n);
    if (variant == 0)
        return true;
    for (; k < search->K; k++) {
        int i = search->index[k];
        bool is_velocity =
            !search->experiment->has_arm && i >= velocity && i < velocity + search->d;
        if (is_velocity)
            continue;
        if (left <= SPREAD)
            break;
        left -= SPREAD;
    }
    if (k == search->K)
        return false;
    double low = search->low[k], high = search->high[k], *value = &search->values[search->index[k]];
    const ArcParameter *parameter = &search->experiment->parameters[search->index[k]];
    bool is_bounded = isfinite(parameter->low) && isfinite(parameter->high);
    *value = is_bounded ? low + (high - low) * (left - 0.5) / SPREAD
                        : *value + steps[left - 1] * usual_step(parameter->unit, *value);
    *value = fmin(fmax(*value, low), high);
    return true;
}

bool arc_search_start_angle(const ArcSearch *search, double angle_rad, double *z)
{
    const ArcExperiment *experiment = search->experiment;
    double v[3] = {0.0}, release[3], towards[3] = {0.0}, rise;
    double g = experiment->flight.settings.gravity_m_s2;
    int first = experiment->flight.n_parameters + 1 + search->d;
    double D = way(search, search->values, towards, &rise);
    if (experiment->has_arm || !(D > 0.0))
        return false;
    double angle = fmin(fmax(angle_rad, atan2(rise, D) + least_rise_rad), 1.55);
    double speed = sqrt(g * D * D / (2.0 * pow(cos(angle), 2) * (D * tan(angle) - rise)));
    if (search->speed >= 0)
        speed = fmin(fmax(speed, search->low[search->speed]), search->high[search->speed]);
    for (int c = 0; c < search->d; c++)
        v[c] = c == search->up ? speed * sin(angle) : speed * cos(angle) * towards[c] / D;
    arc_release_from_velocity(experiment->release, search->d, search->up, v, release);
    for (int k = 0; k < search->K; k++) {
        int i = search->index[k];
        z[k] = i >= first && i < first + search->d ? release[i - first] : search->values[i];
    }
    z[search->K] = 1.0;
    clamp(search, z);
    start_time(search, z);
    return true;
}

static void solve_by(ArcSearch *search, int which, ArcSearchThrow *thrown)
{
    search->present = which >= ARC_SEARCH_END ? search->shot : search->loose;
    ArcLeastSquaresResult result = arc_least_squares_run(search->solvers[which], thrown->z);
    thrown->distance_m =
        result.stop == ARC_STOP_NON_FINITE ? (double)INFINITY : sqrt(2.0 * result.cost);
}

/* The last steps of what is nearly a hit: exact flights, but the partials of the last loose one,
 * and of all steps the shortest, J'(J J')^-1 r. False where that does not get there. */
static bool finish(ArcSearch *search, ArcSearchThrow *thrown)
{
    int d = search->d, n = search->K + 1;
    double J[3 * ARC_SEARCH_UNKNOWNS], r[3], z[ARC_SEARCH_UNKNOWNS];
    memcpy(z, thrown->z, sizeof(double) * (size_t)n);
    if (memcmp(search->seen, z, sizeof(double) * (size_t)n) == 0)
        memcpy(J, search->seen_J, sizeof(double) * (size_t)(d * n));
    else if (!evaluate(search, z, r, J))
        return false;
    search->present = search->shot;
    for (int step = 0; step < CHORD_STEPS; step++) {
        double S[3][3] = {{0.0}};
        if (!evaluate(search, z, r, NULL))
            return false;
        thrown->distance_m = hypot(hypot(r[0], r[1]), d > 2 ? r[2] : 0.0);
        if (thrown->distance_m <= finished_m) {
            memcpy(thrown->z, z, sizeof(double) * (size_t)n);
            return true;
        }
        for (int k = 0; k < n; k++)
            for (int i = 0; i < d; i++)
                for (int j = 0; j <= i; j++)
                    S[i][j] += J[k * d + i] * J[k * d + j];
        if (LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'U', d, 1, S[0], 3, r, 3) != 0)
            return false;
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < d; i++)
                z[k] -= J[k * d + i] * r[i];
            z[k] = fmin(fmax(z[k], search->low[k]), search->high[k]);
        }
    }
    return false;
}

/* From z with what is not held, in place. */
static void solve(ArcSearch *search, ArcSearchThrow *thrown)
{
    int n_free = 0;
    for (int k = 0; k <= search->K; k++)
        n_free += !search->held[k];
    bool is_plain = n_free <= search->d;
    solve_by(search, is_plain ? ARC_SEARCH_PLAIN : ARC_SEARCH_CAREFUL, thrown);
    if (!isfinite(thrown->distance_m) || (thrown->distance_m <= near_m && finish(search, thrown)))
        return;
    solve_by(search, is_plain ? ARC_SEARCH_END : ARC_SEARCH_CAREFUL_END, thrown);
}

void arc_search_approach(ArcSearch *search, ArcSearchThrow *thrown)
{
    memset(search->held, 0, sizeof search->held);
    solve_by(search, ARC_SEARCH_BRIEF, thrown);
}

bool arc_search_is_hit(const ArcSearchThrow *thrown)
{
    return thrown->distance_m <= ARC_AIM_TOLERANCE_M;
}

/* The air comes by and by, from z on. */
static void lead(ArcSearch *search, ArcSearchThrow *thrown)
{
    for (int step = 0; step <= AIR_STEPS; step++) {
        search->air = (double)step / AIR_STEPS;
        solve(search, thrown);
    }
    search->air = 1.0;
}

/* The same where the straight way fails. */
static void solve_or_lead(ArcSearch *search, ArcSearchThrow *thrown)
{
    ArcSearchThrow led = *thrown;
    solve(search, thrown);
    bool stands = search->speed >= 0 && thrown->z[search->speed] >= search->high[search->speed];
    if (arc_search_is_hit(thrown) || stands || search->n_air == 0)
        return;
    lead(search, &led);
    if (led.distance_m < thrown->distance_m)
        *thrown = led;
}

void arc_search_hit(ArcSearch *search, ArcSearchThrow *thrown)
{
    memset(search->held, 0, sizeof search->held);
    solve_or_lead(search, thrown);
}

/* Holds all unknowns but the speed (or the angle), the azimuth, and the time. */
static void hold_but(ArcSearch *search, int unknown)
{
    int azimuth = search->experiment->flight.n_parameters + 1 + search->d + 2;
    for (int k = 0; k < search->K; k++)
        search->held[k] = k != unknown && (search->d < 3 || search->index[k] != azimuth);
    search->held[search->K] = false;
}

/* Drag takes of a speed a share by the length of the path, about D / cos(angle): what it took of
 * the last throw that hit tells, in place of free fall, where one of another angle begins. False
 * where there was none. */
static bool foretell(const ArcSearch *search, ArcSearchThrow *thrown)
{
    double path = 1.0 / cos(thrown->z[search->angle]);
    if (!search->has_pace || !(path > 0.0))
        return false;
    thrown->z[search->speed] *= exp(search->pace * path);
    thrown->z[search->K] *= exp(search->delay * path);
    return true;
}

static void keep_pace(ArcSearch *search, const double *fall, const double *z)
{
    double path = 1.0 / cos(z[search->angle]);
    search->has_pace = path > 0.0;
    search->pace = log(z[search->speed] / fall[search->speed]) / path;
    search->delay = log(z[search->K] / fall[search->K]) / path;
}

/* With the angle held, from where the last throw foretells it, else from free fall. Left with the
 * highest speed where that would be far too low. */
static void hit_held_angle(ArcSearch *search, ArcSearchThrow *thrown)
{
    ArcSearchThrow fall = *thrown, paced = *thrown;
    double fastest = search->high[search->speed];
    bool is_told = foretell(search, &paced);
    bool is_beyond = is_told && paced.z[search->speed] > far_beyond * fastest;
    thrown->distance_m = INFINITY;
    clamp(search, paced.z);
    if (is_beyond) {
        *thrown = paced;
        return;
    }
    hold_but(search, search->speed);
    if (is_told)
        solve(search, &paced);
    if (is_told && arc_search_is_hit(&paced))
        *thrown = paced;
    else
        solve_or_lead(search, thrown);
    if (arc_search_is_hit(thrown))
        keep_pace(search, fall.z, thrown->z);
}

bool arc_search_hit_angle(ArcSearch *search, double angle_rad, ArcSearchThrow *thrown)
{
    if (!arc_search_start_angle(search, angle_rad, thrown->z))
        return false;
    if (search->speed < 0 || search->angle < 0) {
        arc_search_hit(search, thrown);
        return true;
    }
    hit_held_angle(search, thrown);
    if (arc_search_is_hit(thrown) || thrown->z[search->speed] < search->high[search->speed])
        return true;
    if (!search->is_limited)
        return false;
    hold_but(search, search->angle);
    solve(search, thrown);
    return true;
}

bool arc_search_is_alike(const ArcSearch *search, double share, const double *a, const double *b)
{
    for (int k = 0; k < search->K; k++) {
        double off = a[k] - b[k], size = fmax(1.0, fabs(a[k]));
        if (strcmp(search->experiment->parameters[search->index[k]].unit, "rad") == 0)
            off = remainder(off, 2.0 * M_PI);
        if (!(fabs(off) <= share * size))
            return false;
    }
    return true;
}

bool arc_search_is_same(const ArcSearch *search, const double *a, const double *b)
{
    return arc_search_is_alike(search, the_same, a, b);
}
