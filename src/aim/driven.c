/* The forward swing, by the simulator. */
#include "aim/driven.h"

#include "physics/torque.h"

#include <string.h>

/* A search tries torques that no arm has; such a swing is not worth following for long. */
enum { MOST_STEPS = 2000, MOST_KNOTS = ARC_ARM_MAX_JOINTS * ARC_ARM_MAX_TORQUES };
static const double close_share = 1e-6; /* of the span: kinks that are one */

static void accelerate(void *context, double t, const double *x, const double *v, const double *p,
                       double *a, double *a_x, double *a_v, double *a_p)
{
    static const bool none[ARC_ARM_MAX_PARAMETERS];
    const ArcDriven *driven = context;
    const ArcArm *arm = driven->arm;
    int J = arm->settings.n_joints, A = arm->n_parameters;
    double t_s = arm->settings.begin_s + t;
    ArcArmRates rates = {.a = a};
    if (a_x != NULL) {
        rates.by_theta = a_x;
        rates.by_omega = a_v;
        rates.by_t = driven->by_t;
        rates.by_p = driven->by_p;
        rates.wanted = a_p != NULL ? driven->wanted : none;
    }
    arc_arm_acceleration(arm, 1, &t_s, x, v, p, &rates);
    for (int j = 0; a_p != NULL && j < J; j++)
        for (int k = 0; k < driven->P; k++)
            a_p[j * driven->P + k] = driven->by_p[j * A + driven->parameter[k]];
}

/* What the arm's equations take. */
static bool is_of_law(const ArcArm *arm, int i)
{
    bool is_encoder =
        arm->offset >= 0 && i >= arm->offset && i < arm->offset + 2 * arm->settings.n_joints;
    return i >= arm->length && i < arm->theta && !is_encoder;
}

ArcStatus arc_driven_create(const ArcArm *arm, const double *from_rad, int most, ArcArena *arena,
                            ArcDriven **result, ArcError *err)
{
    ArcDriven *driven = ARC_ALLOC(arena, 1, ArcDriven);
    if (driven == NULL)
        return arc_error_no_memory(err);
    int J = arm->settings.n_joints;
    driven->arm = arm;
    memcpy(driven->from_rad, from_rad, sizeof(double) * (size_t)J);
    for (int i = 0; i < arm->n_parameters; i++) {
        driven->wanted[i] = is_of_law(arm, i);
        if (driven->wanted[i])
            driven->parameter[driven->P++] = i;
    }
    driven->Q = driven->P + 2 * J;
    size_t states = (size_t)(most * J);
    driven->by_t = ARC_ALLOC(arena, (size_t)J, double);
    driven->by_p = ARC_ALLOC(arena, (size_t)(J * arm->n_parameters), double);
    driven->theta_rad = ARC_ALLOC(arena, 3 * states, double);
    driven->theta_q = ARC_ALLOC(arena, 2 * states * (size_t)driven->Q, double);
    if (driven->by_t == NULL || driven->by_p == NULL || driven->theta_rad == NULL ||
        driven->theta_q == NULL)
        return arc_error_no_memory(err);
    driven->omega_rad_s = driven->theta_rad + states;
    driven->alpha_rad_s2 = driven->omega_rad_s + states;
    driven->omega_q = driven->theta_q + states * (size_t)driven->Q;
    const ArcMotion motion = {.dimensions = J,
                              .n_parameters = driven->P,
                              .context = driven,
                              .acceleration = accelerate,
                              .spares_a_p = true};
    ArcSimSettings settings = arc_sim_settings_default();
    settings.max_steps = MOST_STEPS;
    *result = driven;
    return arc_sim_create(&motion, &settings, arena, &driven->simulator, err);
}

/* Where the curves have knots within the swing, ascending; how many. */
static int list_kinks(const ArcDriven *driven, const double *p, double end_s, double *kinks)
{
    const ArcArmSettings *settings = &driven->arm->settings;
    double span_s = settings->end_s - settings->begin_s, xi[ARC_ARM_MAX_TORQUES];
    int n = 0;
    for (int j = 0; j < settings->n_joints; j++) {
        int n_knots = arc_torque_knots(driven->arm, j, p, xi);
        for (int i = 0; i < n_knots; i++) {
            double s = xi[i] * span_s;
            int k = n;
            bool is_new = s > close_share * span_s && s < end_s;
            for (int other = 0; is_new && other < n; other++)
                is_new = s - kinks[other] > close_share * span_s ||
                         kinks[other] - s > close_share * span_s;
            if (!is_new)
                continue;
            for (; k > 0 && kinks[k - 1] > s; k--)
                kinks[k] = kinks[k - 1];
            kinks[k] = s;
            n++;
        }
    }
    return n;
}

bool arc_driven_run(ArcDriven *driven, const double *p, int n, const double *s, bool partials)
{
    double kinks[MOST_KNOTS], still[ARC_ARM_MAX_JOINTS] = {0};
    const ArcSimStart start = {.x0 = driven->from_rad,
                               .v0 = still,
                               .p = p,
                               .n_kinks = list_kinks(driven, p, s[n - 1], kinks),
                               .kinks = kinks};
    const ArcSimOutput output = {.x = driven->theta_rad,
                                 .v = driven->omega_rad_s,
                                 .a = driven->alpha_rad_s2,
                                 .x_q = partials ? driven->theta_q : NULL,
                                 .v_q = partials ? driven->omega_q : NULL};
    return arc_sim_run(driven->simulator, &start, n, s, &output, NULL) == ARC_SIM_DONE;
}

void arc_driven_add(const ArcDriven *driven, double factor, const double *row, double *by_p)
{
    for (int k = 0; k < driven->P; k++)
        by_p[driven->parameter[k]] += factor * row[k];
}
