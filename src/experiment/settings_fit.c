/* The table of settings: parameters, derived numbers, and how to fit. */
#include "experiment/settings_rows.h"

#include <math.h>

static const char *sharing_name(int index)
{
    static const char *const names[] = {"shared", "per-flight", "hierarchical"};
    return choice_of(names, 3, index);
}

const char *arc_loss_name(int index)
{
    static const char *const names[] = {"gauss", "huber", "cauchy", "student-t"};
    return choice_of(names, 4, index);
}

const char *arc_optimizer_name(int index)
{
    static const char *const names[] = {"linear", "lm", "adam", "lbfgs"};
    return choice_of(names, 4, index);
}

const char *arc_law_stage_name(int index)
{
    static const char *const names[] = {"vacuum", "drag", "lift", "spin_decay"};
    return choice_of(names, ARC_N_LAW_STAGES, index);
}

static const char *schedule_name(int index)
{
    static const char *const names[] = {"constant", "cosine", "exponential"};
    return choice_of(names, 3, index);
}

static const char *weighting_name(int index)
{
    static const char *const names[] = {"fixed", "gradient-norm", "self-adaptive", "causal"};
    return choice_of(names, 4, index);
}

const char *arc_bootstrap_name(int index)
{
    static const char *const names[] = {"residual", "case"};
    return choice_of(names, 2, index);
}

static const char *collocation_name(int index)
{
    static const char *const names[] = {"gauss", "uniform", "random", "adaptive"};
    return choice_of(names, 4, index);
}

static const ArcSettingRow rows[] = {
    {"parameters", ARC_SETTING_SPECIAL, "{}", NULL,
     "the flight's, the release's and the arm's parameters; of the measurement those that are "
     "named: "
     "clock_rate, and for each camera NAME.time_offset, latency, line_time, scale, roll, x, y, z, "
     "rx, ry, "
     "rz, focal, sigma, radius_bias, bias_u, bias_v (with one camera without its name); of "
     "positions bias_x, bias_y, bias_z",
     OF(parameters), READ(arc_parameters_read, "a mapping by name", "PARAMETERS")},
    {"parameters.NAME", ARC_SETTING_SPECIAL, NULL, "default",
     "a number fixes, free frees, a mapping with no fixed frees", NO_FIELD,
     READ(NULL, "a number, free, or a mapping", "free|ANY|KEYS:fixed")},
    {"parameters.NAME.start", ARC_SETTING_PARAMETER, NULL, "by the data, or the default",
     "where the fit begins", FIELD(ArcParameter, start),
     READ(arc_parameter_read, "a number", "ANY")},
    {"parameters.NAME.bounds", ARC_SETTING_SPECIAL, NULL, "none", "limits of the estimate",
     FIELD(ArcParameter, low), READ(arc_special_pair, "[low, high]", "[ANY 2]")},
    {"parameters.NAME.prior", ARC_SETTING_SPECIAL, NULL, "none", "what is known beforehand",
     FIELD(ArcParameter, has_prior),
     READ(arc_parameter_read_prior, "{mean: number, sd: number}", "KEYS")},
    {"parameters.NAME.prior.mean", ARC_SETTING_PARAMETER, NULL, "required", "its mean",
     FIELD(ArcParameter, prior_mean), READ(arc_parameter_read, "a number", "ANY")},
    {"parameters.NAME.prior.sd", ARC_SETTING_PARAMETER, NULL, "required", "its standard deviation",
     FIELD(ArcParameter, prior_sd), READ(arc_parameter_read_sd, "a number above 0", "POSITIVE")},
    {"parameters.NAME.measured", ARC_SETTING_SPECIAL, NULL, "none",
     "a reading of t0 or of the arm's, which counts as an observation; of theta1 and the like as "
     "the encoder gives it",
     FIELD(ArcParameter, has_reading),
     READ(arc_parameter_read_measured, "{value: number, sd: number}", "KEYS")},
    {"parameters.NAME.measured.value", ARC_SETTING_PARAMETER, NULL, "required", "what was read",
     FIELD(ArcParameter, reading), READ(arc_parameter_read, "a number", "ANY")},
    {"parameters.NAME.measured.sd", ARC_SETTING_PARAMETER, NULL, "required",
     "its standard deviation", FIELD(ArcParameter, reading_sd),
     READ(arc_parameter_read_sd, "a number above 0", "POSITIVE")},
    {"parameters.NAME.flights", ARC_SETTING_CHOICE, NULL,
     "release, theta, omega and torques per-flight, others shared",
     "of several flights: one value for all, one for each, or each from a population whose mean "
     "and sd are found",
     FIELD(ArcParameter, sharing), CHOICE(sharing_name)},
    {"parameters.NAME.fixed", ARC_SETTING_PARAMETER, NULL, "free", "fixes it at this value",
     FIELD(ArcParameter, start), READ(arc_parameter_read, "a number", "ANY")},

    {"derived", ARC_SETTING_SPECIAL, "{}", NULL,
     "where the flight meets planes, heights, points and rims: 8 at most, names of 1 to 20 of "
     "a-z 0-9 _ -",
     OF(targets), READ(arc_special_derived, "a mapping by name", "NAMES:target")},
    {"derived.NAME", ARC_SETTING_SPECIAL, NULL, "none",
     "gives NAME_time (since release), the position, NAME_speed, NAME_entry_angle (below level)",
     NO_FIELD, READ(NULL, "a mapping with one of plane, height, point and rim", "ONE")},
    {"derived.NAME.plane", ARC_SETTING_SPECIAL, NULL, "none", "the first crossing of a plane",
     FIELD(ArcTarget, plane), ARC_LENGTH, -1e7, 1e7, NULL, arc_special_plane,
     "axis=level, as y=0.12 m", "PLANE"},
    {"derived.NAME.height", ARC_SETTING_NUMBER, NULL, "none", "a height on the way down",
     FIELD(ArcTarget, height_m), RANGE(ARC_LENGTH, -1e7, 1e7)},
    {"derived.NAME.point", ARC_SETTING_SPECIAL, NULL, "none",
     "the first closest approach to a point; NAME_distance in place of the position",
     FIELD(ArcTarget, point_m), ARC_LENGTH, -1e7, 1e7, NULL, arc_special_position,
     "a list of positions, one an axis", "[NUMBER 2..3]"},
    {"derived.NAME.rim", ARC_SETTING_SPECIAL, NULL, "none",
     "a level circle, crossed from above; also NAME_miss, the distance from its centre", NO_FIELD,
     READ(arc_special_rim, "{centre: [..], radius: ..}", "KEYS")},
    {"derived.NAME.rim.radius", ARC_SETTING_NUMBER, NULL, "required", "its radius",
     FIELD(ArcTarget, radius_m), RANGE(ARC_LENGTH, 1e-6, 1e3)},
    {"derived.NAME.rim.centre", ARC_SETTING_SPECIAL, NULL, "required", "its centre",
     FIELD(ArcTarget, centre_m), ARC_LENGTH, -1e7, 1e7, NULL, arc_special_position,
     "a list of positions, one an axis", "[NUMBER 2..3]"},

    {"fit", ARC_SETTING_SECTION, NULL, "all defaults", "how to fit", NO_FIELD, PLAIN},
    {"fit.methods", ARC_SETTING_SPECIAL, "[pinn, direct]", NULL, "which fits are run", OF(use_pinn),
     READ(arc_special_methods, "a list of pinn and direct", "[pinn|direct 1..2 unique]")},
    {"fit.seed", ARC_SETTING_WHOLE, "1", NULL, "seed of every random number", OF(seed),
     RANGE(ARC_ONE, 0, 9007199254740992.0)},
    {"fit.starts", ARC_SETTING_WHOLE, "1", NULL,
     "fits from different nets and coefficients; the best is kept", OF(starts),
     RANGE(ARC_ONE, 1, 1000)},
    {"fit.loss", ARC_SETTING_SPECIAL, "gauss", NULL,
     "loss of the observations: its kind, or more about it", NO_FIELD,
     READ(arc_special_loss, "gauss, huber, cauchy, student-t, or a mapping", "LOSS|KEYS")},
    {"fit.loss.kind", ARC_SETTING_CHOICE, "gauss", NULL,
     "gauss; or one that outliers pull less: huber, cauchy, student-t", OF(loss.kind),
     CHOICE(arc_loss_name)},
    {"fit.loss.tuning", ARC_SETTING_NUMBER, NULL, "huber 1.345, cauchy 2.385",
     "from how many sigma on a point counts less", OF(loss.tuning), RANGE(ARC_ONE, 0.1, 100)},
    {"fit.loss.dof", ARC_SETTING_SPECIAL, NULL, "4 for student-t",
     "degrees of freedom of student-t", OF(loss.dof), ARC_ONE, 1, 200, NULL, arc_special_dof,
     "estimate, or 1 to 200", "estimate|NUMBER"},
    {"fit.profile", ARC_SETTING_SPECIAL, "[]", NULL,
     "free parameters whose likelihood is followed to both sides", OF(uncertainty.profiles),
     READ(arc_special_profile, "a list of free parameters", "[TEXT 0.. unique]")},
    {"fit.bootstrap", ARC_SETTING_WHOLE, "0", NULL, "fits of redrawn captures; 0: none",
     OF(uncertainty.bootstrap), RANGE(ARC_ONE, 0, 1e6)},
    {"fit.bootstrap_kind", ARC_SETTING_CHOICE, "residual", NULL,
     "what is redrawn: residuals, or whole points (case)", OF(uncertainty.bootstrap_kind),
     CHOICE(arc_bootstrap_name)},
    {"fit.sample", ARC_SETTING_WHOLE, "0", NULL,
     "draws to keep of Markov chains on the direct fit's posterior; 0: none",
     OF(uncertainty.sample), RANGE(ARC_ONE, 0, 1e7)},
    {"fit.stages", ARC_SETTING_SPECIAL, "auto", NULL,
     "laws switched on one after the other; auto: where the plain fit fails", OF(curriculum.stages),
     READ(arc_special_stages, "auto, none, or a list in the order vacuum, drag, lift, spin_decay",
          "auto|none|[LAW 1..4 unique]")},
    {"fit.pinn", ARC_SETTING_SECTION, NULL, "all defaults", "the network's fit", NO_FIELD, PLAIN},
    {"fit.pinn.net", ARC_SETTING_SPECIAL, "auto", NULL,
     "auto: one layer, widened while the physics asks; or a net file", OF(pinn.net),
     READ(arc_special_net, "auto, or a file", "auto|FILE")},
    {"fit.pinn.collocation", ARC_SETTING_SPECIAL, "auto", NULL,
     "points where the equations are held: their number, or more about them", NO_FIELD, ARC_ONE, 4,
     1e5, NULL, arc_special_collocation, "auto, 4 to 100000, or a mapping", "auto|WHOLE|KEYS"},
    {"fit.pinn.collocation.points", ARC_SETTING_SPECIAL, "auto", NULL, "their number",
     OF(pinn.collocation), ARC_ONE, 4, 1e5, NULL, arc_special_points, "auto, or 4 to 100000",
     "auto|WHOLE"},
    {"fit.pinn.collocation.kind", ARC_SETTING_CHOICE, "gauss", NULL,
     "gauss: Gauss-Legendre; random: drawn anew; adaptive: drawn where the residual is large",
     OF(pinn.collocation_kind), CHOICE(collocation_name)},
    {"fit.pinn.collocation.every", ARC_SETTING_WHOLE, "100", NULL,
     "steps between two drawings of random or adaptive points", OF(pinn.collocation_every),
     RANGE(ARC_ONE, 1, 1e6)},
    {"fit.pinn.physics", ARC_SETTING_SPECIAL, "exact", NULL,
     "how far the flight may break the equations; auto: as far as the points ask",
     OF(pinn.sigma_phys_m_s2), ARC_ACCELERATION, 1e-12, 1e6, NULL, arc_special_physics,
     "exact, auto, or an acceleration", "exact|auto|NUMBER"},
    {"fit.pinn.weighting", ARC_SETTING_CHOICE, "fixed", NULL,
     "balance of points and equations under adam and lbfgs", OF(pinn.weighting),
     CHOICE(weighting_name)},
    {"fit.pinn.weighting_every", ARC_SETTING_WHOLE, "100", NULL,
     "steps between two updates of the balance", OF(pinn.weighting_every), RANGE(ARC_ONE, 1, 1e6)},
    {"fit.pinn.causal_epsilon", ARC_SETTING_NUMBER, "1", NULL,
     "how sharply causal weighting makes later points wait for earlier ones",
     OF(pinn.causal_epsilon), RANGE(ARC_ONE, 1e-9, 1e9)},
    {"fit.pinn.windows", ARC_SETTING_WHOLE, "1", NULL,
     "windows of time, each with a net of its own", OF(pinn.windows), RANGE(ARC_ONE, 1, 64)},
    {"fit.pinn.train", ARC_SETTING_SPECIAL, "[{optimizer: linear}]", NULL, "stages, in order",
     OF(pinn.stages), READ(arc_special_train, "a list of 1 to 8 mappings", "[KEYS 1..8]")},
    {"fit.pinn.train.optimizer", ARC_SETTING_CHOICE, NULL, "required",
     "linear: output layer and parameters; lm, adam, lbfgs: all weights",
     FIELD(ArcStage, optimizer), CHOICE(arc_optimizer_name)},
    {"fit.pinn.train.steps", ARC_SETTING_WHOLE, NULL, "linear and lm 100, adam 5000, lbfgs 500",
     "at most so many iterations", FIELD(ArcStage, steps), RANGE(ARC_ONE, 1, 1e6)},
    {"fit.pinn.train.rate", ARC_SETTING_NUMBER, "0.01", NULL, "learning rate of the weights",
     ADAM(rate), RANGE(ARC_ONE, 1e-12, 1e3)},
    {"fit.pinn.train.parameter_rate", ARC_SETTING_NUMBER, NULL, "the rate",
     "learning rate of the parameters", ADAM(parameter_rate), RANGE(ARC_ONE, 1e-12, 1e3)},
    {"fit.pinn.train.schedule", ARC_SETTING_CHOICE, "cosine", NULL,
     "how the rates fall after the warm-up", ADAM(schedule), CHOICE(schedule_name)},
    {"fit.pinn.train.warm_up", ARC_SETTING_WHOLE, "0", NULL,
     "first steps, in which the rates rise; at most steps", ADAM(warm_up), RANGE(ARC_ONE, 0, 1e6)},
    {"fit.pinn.train.final", ARC_SETTING_NUMBER, "0.01", NULL,
     "share of the rates at the end, by cosine and exponential", ADAM(final_share),
     RANGE(ARC_ONE, 1e-12, 1)},
    {"fit.pinn.train.clip", ARC_SETTING_NUMBER, "0", NULL, "largest norm of the gradient; 0: none",
     ADAM(clip), RANGE(ARC_ONE, 0, 1e12)},
    {"fit.pinn.train.weight_decay", ARC_SETTING_NUMBER, "0", NULL,
     "pull of the weights towards zero; 0: none", ADAM(weight_decay), RANGE(ARC_ONE, 0, 1e3)},
    {"fit.pinn.train.memory", ARC_SETTING_WHOLE, "20", NULL, "earlier steps that are remembered",
     FIELD_FOR(ArcStage, memory, "lbfgs"), RANGE(ARC_ONE, 1, 200)},
    {"fit.pinn.train.geodesic", ARC_SETTING_FLAG, "false", NULL, "with geodesic acceleration",
     FIELD_FOR(ArcStage, geodesic, "lm"), PLAIN},
    {"fit.direct", ARC_SETTING_SECTION, NULL, "all defaults", "the simulator's fit", NO_FIELD,
     PLAIN},
    {"fit.direct.tolerance", ARC_SETTING_NUMBER, "1e-10", NULL, "of the integration, relative",
     OF(direct_tolerance), RANGE(ARC_ONE, 1e-14, 1e-2)},
};

const ArcSettingPart arc_settings_fit = PART(rows);
