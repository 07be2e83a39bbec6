/* A throw followed to its goal, with the partials of all that matters by every parameter.
 *
 *   values -> [swing: theta, omega] -> [arm: release] -> flight -> state at a time or at the goal
 *
 * The goal of a hoop is met where the ball comes down through its height, that of an area where the
 * flight crosses its plane, that of a point at the closest approach (of several, as steep or
 * curving throws have them, the nearest). Partials at a goal are total: they hold how its time
 * varies. Columns are all n parameters of the experiment, in its order; those of a release that an
 * arm gives are zero, as is t0's.
 */
#ifndef ARC_AIM_SHOT_H
#define ARC_AIM_SHOT_H

#include "arcfit/goal.h"
#include "base/arena.h"
#include "fit/flyer.h"

typedef struct ArcShotState {
    double t_s; /* since the release */
    double x_m[3], v_m_s[3], a_m_s2[3];
    double by_t[ARC_MAX_PARAMETERS]; /* of t_s; at a given time: 0 */
    double by_x[3][ARC_MAX_PARAMETERS], by_v[3][ARC_MAX_PARAMETERS];
} ArcShotState;

typedef struct ArcShot ArcShot; /* scratch of one thread, in the arena */

/* experiment is borrowed. ARC_INPUT, at the goal's place: own equations, a closure, no target. */
ArcStatus arc_shot_create(const ArcExperiment *experiment, ArcArena *arena, ArcShot **shot,
                          ArcError *err);

/* Where the section `aim` stands, for messages; the file's begin where there is none. */
ArcPlace arc_shot_place(const ArcExperiment *experiment);

/* That it was made of. */
const ArcExperiment *arc_shot_experiment(const ArcShot *shot);

/* What is tied, into values (n): the release that an arm gives, and joints that its swing moves.
 * False where the swing cannot be followed. */
bool arc_shot_tie(ArcShot *shot, double *values);

/* The state a time after the release, at the goal, and where the flight turns down (v_up falls
 * through 0; at the release where it never rises). values (n) need no tie before. partials: also
 * by_*. False where it cannot be followed, or the goal is not met within a minute. */
bool arc_shot_at(ArcShot *shot, const double *values, double time_s, bool partials,
                 ArcShotState *state);
bool arc_shot_meet(ArcShot *shot, const double *values, bool partials, ArcShotState *state);
bool arc_shot_apex(ArcShot *shot, const double *values, bool partials, ArcShotState *state);

/* arc_shot_meet where it is known near which time the goal is met, for less: there alone it is
 * looked for. */
bool arc_shot_meet_near(ArcShot *shot, const double *values, double time_s, bool partials,
                        ArcShotState *state);

/* From now on flights of this tolerance (1e-10 before): for who searches. */
ArcStatus arc_shot_loosen(ArcShot *shot, double tolerance, ArcArena *arena, ArcError *err);

/* The release: t_s 0, x, v, with partials. */
bool arc_shot_release(ArcShot *shot, const double *values, bool partials, ArcShotState *state);

/* The flight alone, without partials, at n ascending times after the release, at most
 * ARC_SHOT_PATH: rows x, v, a (n, D) that stay until the shot is used again. */
enum { ARC_SHOT_PATH = 64 };

typedef struct ArcShotPath {
    int D;
    const double *x_m, *v_m_s, *a_m_s2;
} ArcShotPath;

bool arc_shot_path(ArcShot *shot, const double *values, int n, const double *time_s,
                   ArcShotPath *path);

/* For who flies the same throw otherwise (touch.h): the throw with values tied, borrowed until the
 * next call, NULL where its swing cannot be followed; and one row of partials from the columns of
 * such a flight, Q = P + 2 D, to all n parameters. */
const ArcThrow *arc_shot_throw(ArcShot *shot, const double *values, bool partials);
void arc_shot_chain(const ArcShot *shot, const double *q_row, double *by);

/* Of the swing (torques.h), with gradients by all n parameters, NULL: not wanted. The largest
 * torque of any joint, by (n); torques (n_times, J) at times from begin to end of the swing, by
 * (n_times, J, n), at most ARC_TORQUES_MOST_TIMES; the energy of the arm's motion at the release,
 * by (n). False without aim.swing, or where the swing cannot be followed. */
bool arc_shot_peak_torque(ArcShot *shot, const double *values, double *peak_n_m, double *by);
bool arc_shot_torques(ArcShot *shot, const double *values, int n_times, double *torque_n_m,
                      double *by);
bool arc_shot_arm_energy(ArcShot *shot, const double *values, double *energy_j, double *by);

/* By how much joints are over their limits in the swing, with gradients by (rows, n), NULL: not
 * wanted; as arc_torques_over_limits. Without aim.swing no rows. How many there are. */
int arc_shot_over_limits(ArcShot *shot, const double *values, double *over, double *by);
int arc_shot_count_limits(const ArcShot *shot);

/* What to tell the joints to be at the release: gain theta + offset where they have encoders, else
 * theta; commands_rad (ARC_ARM_MAX_JOINTS), 0 behind the last joint. False where values cannot be
 * tied. */
bool arc_shot_commands(ArcShot *shot, const double *values, double *commands_rad);

#endif
