/* What a fit says of the arm that threw: its poses, what was read off it, its swing.
 *
 * Release position and velocity of such a fit are ARC_PARAMETER_TIED: they follow from the arm's
 * parameters (arm.h), and their partials by the free ones are kept, so that whatever depends on the
 * release has an sd.
 *
 * Poses. A ball that leaves from a place leaves it mostly from two poses, elbow up and down. Each
 * within the limits is fitted from. Flight and readings tell two apart where the chi2 of one is
 * above that of the other by 6 or more, which are odds of 20 to 1: then the likelier is the fit;
 * so do limits that one keeps and the other does not. Else the fit is the nearer one to the starts
 * and readings of the angles, without any the one whose yaw and roll joints turn least, at last the
 * one whose last joint bends further down. Of a swing those count in which its numbers can be met
 * as well, each with a motion and torques of its own: of a hand alone both, of hand and elbow one.
 */
#ifndef ARCFIT_ARM_FIT_H
#define ARCFIT_ARM_FIT_H

#include "arcfit/arm.h"
#include "arcfit/swing.h"

#pragma GCC visibility push(default)

#define ARC_ARM_TOLD_APART 6.0

/* One pose of the release with its rates. chi2: twice the cost that the fit from there ended at,
 * of observations, readings and priors (and the physics of the PINN). A pose that is not fitted,
 * since it is beyond the limits or one of several flights fitted together, is that of the same
 * release with all other parameters as they are, and so is its chi2: at most that much. */
typedef struct ArcArmSolution {
    double theta_rad[ARC_ARM_MAX_JOINTS], omega_rad_s[ARC_ARM_MAX_JOINTS];
    double chi2;
    bool is_fitted, converged;
    bool is_within_limits; /* of the joints' angles and rates */
    bool is_told_apart;    /* from the first; of the first: false */
} ArcArmSolution;

/* An observation of a parameter, which may also be t0 of a fit without an arm (fit.h has them); of
 * a joint's angle in terms of its encoder. */
typedef struct ArcFittedReading {
    const char *name, *unit; /* of the parameter */
    double value, sd;
    double fitted;      /* what the estimates make of it: gain theta + offset of an encoder */
    double residual_sd; /* (fitted - value) / sd, angles within half a turn */
    int line;           /* in the table of readings; 0: of the experiment */
} ArcFittedReading;

/* Residuals of a place, or of the angle or rate of a joint. */
typedef struct ArcSwingPart {
    ArcSwingKind kind;
    int index; /* the place (arm.h), or the joint from 0 */
    int numbers;
    double rms; /* in m, rad or rad/s */
    double chi2;
} ArcSwingPart;

/* The swing as fitted: numbers that were measured, then the motion at n_times from its first to the
 * release; J joints, arrays row-major. */
typedef struct ArcSwingFit {
    int rows, numbers; /* fitted: those before the release, */
    int left_out;      /* and rows that are later than any release can be */
    double chi2;
    int n_parts;
    const ArcSwingPart *parts;
    const ArcSwingNumber *measured; /* (numbers) */
    const double *number_time_s;    /* (numbers) */
    const double *fitted;           /* (numbers) in the measured ones' units */
    double physics_rms_rad_s2, physics_rms_fine_rad_s2, sigma_phys_rad_s2; /* NaN for direct */
    int n_times, n_joints;
    const double *time_s;                                        /* (n_times) */
    const double *theta_rad, *omega_rad_s, *acceleration_rad_s2; /* (n_times, J) */
    const double *motor_n_m, *friction_n_m;                      /* (n_times, J) */
} ArcSwingFit;

/* Read-only; owned by the fit's arena. */
typedef struct ArcArmFit {
    int n_joints, dimensions;
    int first, n_parameters; /* of the arm among the fit's parameters, in arm.h's order */
    int theta, omega;        /* indices of the first of these */
    int release;             /* index of x0; positions (d) and velocities (d) follow */
    const double *tie;       /* (2 d, n_free) partials of these by the free parameters */
    int n_solutions;         /* the first is the fit */
    ArcArmSolution solutions[ARC_ARM_MAX_POSES];
    const ArcSwingFit *swing; /* NULL: none was seen */
} ArcArmFit;

#pragma GCC visibility pop

#endif
