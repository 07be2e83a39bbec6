/* Where the fit of a swing begins: angles, rates and torques from what was measured of it. */
#ifndef ARC_FIT_START_SWING_H
#define ARC_FIT_START_SWING_H

#include "fit/problem.h"

enum { ARC_SMOOTH_TERMS = 7 };

/* The measured motion made smooth: theta_j = sum c_jk tau^k, tau = (t - middle) / half. */
typedef struct ArcSmoothSwing {
    int n_joints, n_terms; /* 0 terms: the measured numbers do not tell it */
    double middle_s, half_s;
    double c[ARC_ARM_MAX_JOINTS][ARC_SMOOTH_TERMS];
} ArcSmoothSwing;

/* theta, omega, acceleration (J each) at t; no further beyond the measured times than a tenth of
 * their span. */
void arc_smooth_swing_at(const ArcSmoothSwing *smooth, double t_s, double *theta, double *omega,
                         double *acceleration);

/* Poses that were seen, in any order. */
typedef struct ArcSwingPoses {
    int n;
    const double *time_s, *theta; /* (n), (n, J) */
} ArcSwingPoses;

/* A motion at equally spaced times. */
typedef struct ArcSwingPath {
    int n;
    double step_s;
    double *time_s, *theta, *omega; /* (n), (n, J) */
} ArcSwingPath;

/* Where the flight begins. */
typedef struct ArcSwingEnd {
    double time_s, x_m[3], v_m_s[3];
} ArcSwingEnd;

/* Starts of the torques' coefficients (not those that were given) from the poses, and the motion
 * that they make, from one near it: start_torques.c. end: NULL, or what the ball then does. Both
 * are left as they are where the poses do not tell them. */
ArcStatus arc_start_torques(ArcProblem *problem, const ArcSwingPoses *poses, const ArcSwingEnd *end,
                            ArcArena *arena, ArcSwingPath *path, ArcError *err);

/* State of the path at t, cubic between its times. */
void arc_swing_path_at(const ArcSwingPath *path, int n_joints, double t_s, double *theta,
                       double *omega);

/* Whether t0 is to be found; then the times between which it is looked for: with a little room
 * before the swing's last row, up to the first point. */
bool arc_start_seeks_release(const ArcProblem *problem, const ArcProblem *swing, double *low,
                             double *high);

/* t0 where it is to be found, and the path and torques that lead to the flight's beginning, from
 * those of the swing alone (start_meeting.c). */
ArcStatus arc_start_meeting(ArcProblem *problem, const ArcProblem *swing, const ArcSwingPoses *seen,
                            ArcArena *arena, ArcSwingPath *path, ArcError *err);

/* The problem's starts (not those that were given) of lengths, theta, omega, torques and t0, from
 * the numbers of its swing, one an observation, and from the flight's release, which stands in
 * them. Where the numbers leave it open which way the arm was bent, the problem's poses are all
 * ways, each with a motion smooth (ARC_ARM_MAX_POSES) of its own; else the one. */
ArcStatus arc_start_swing(ArcProblem *problem, const ArcProblem *swing,
                          const ArcSwingNumber *numbers, ArcSmoothSwing *smooth, ArcError *err);

#endif
