/* The swing of an arm that is planned (aim.swing): what its motors must give, and where it gets to.
 *
 * A swing lasts T (aim.swing.time) and begins at rest. It is one of two:
 *   driven   torque curves move the arm, from aim.swing.from at the begin of their span on, by the
 *            equations of arm.h; theta and omega of the release are where it is after T
 *   planned  theta and omega of the release are given, u = t / T, and the joints go by the cubic
 *              q(u) = from + (theta - from) (3 u^2 - 2 u^3) + omega T (u^3 - u^2)
 *            or, where aim.swing.from is not given, by the same acceleration throughout,
 *              q(u) = theta - omega T (1 - u^2) / 2
 *            and motors must give what these motions take (friction too)
 *
 * Peak: max over joints j and t in 0 to T of |tau_j(t)|. At a maximum within the swing the slope in
 * t is zero and at its ends t does not move, so that the peak's gradient is that of |tau_j| at
 * fixed t. Where two joints, or two times, are as large the gradient jumps; who minimises or limits
 * the peak takes the torques at some times instead, arc_torques_at.
 *
 * Columns are the arm's A parameters. Of a driven swing those of theta and omega are zero.
 */
#ifndef ARC_AIM_TORQUES_H
#define ARC_AIM_TORQUES_H

#include "arcfit/experiment.h"
#include "base/arena.h"

enum { ARC_TORQUES_MOST_TIMES = 65, ARC_TORQUES_MOST_LIMITS = 3 * ARC_ARM_MAX_JOINTS };

typedef struct ArcTorques ArcTorques; /* scratch of one thread, in the arena */

/* Whether the swing is a driven one: a torque coefficient is unknown to aim, or some are given and
 * neither angle nor rate of the release is unknown. Those are then the default unknowns. False
 * without aim.swing. */
bool arc_torques_is_driven(const ArcExperiment *experiment);

/* experiment is borrowed. *torques is NULL without aim.swing. ARC_INPUT at the goal's place: no
 * arm, angles or rates unknown beside torques, no start of a driven swing, a span that nobody
 * knows. */
ArcStatus arc_torques_create(const ArcExperiment *experiment, ArcArena *arena, ArcTorques **torques,
                             ArcError *err);

/* theta and omega of the release, into p (A), and release_p (2 J, A) row-major, NULL: not wanted. A
 * planned swing leaves p as it is and has no release_p. False where it cannot be followed. */
bool arc_torques_release(ArcTorques *torques, double *p, double *release_p);

/* The peak, which joint and at what time of the swing it is, and its gradient (A). */
typedef struct ArcTorquesPeak {
    double torque_n_m; /* >= 0 */
    int joint;
    double time_s;
    double by[ARC_ARM_MAX_PARAMETERS];
} ArcTorquesPeak;

bool arc_torques_peak(ArcTorques *torques, const double *p, bool partials, ArcTorquesPeak *peak);

/* Torques (n, J) at n times from begin to end of the swing, equally spaced, 2 <= n <=
 * ARC_TORQUES_MOST_TIMES; by_p (n, J, A), NULL: not wanted. */
bool arc_torques_at(ArcTorques *torques, const double *p, int n, double *torque_n_m, double *by_p);

/* By how much each joint is over its limits at the worst of ARC_TORQUES_MOST_TIMES times of the
 * swing, below 0 within them: angles above the high one, below the low one, rates' sizes above
 * theirs; of limits that there are, joint by joint. over (ARC_TORQUES_MOST_LIMITS) in rad and
 * rad/s, by_p (rows, A), NULL: not wanted. Returns how many rows; -1: it cannot be followed. */
int arc_torques_over_limits(ArcTorques *torques, const double *p, double *over, double *by_p);

/* Energy of the arm's motion and its payload's at the release, in J, and its partials (A), of a
 * driven swing by its theta and omega still; by NULL: not wanted. p as tied. */
double arc_torques_energy(const ArcTorques *torques, const double *p, double *by);

#endif
