/* Cases of flights fitted together: throws of their own release, and the fit of all. Include after
 * cmocka.h. */
#ifndef JOINT_CASE_H
#define JOINT_CASE_H

#include "arcfit/joint.h"
#include "base/random.h"
#include "slow.h"
#include "view_case.h"

enum { MOST = 40, POINTS = 10, FLIGHTS = 20 };

#define BALL "flight: {ball: basketball, drag: quadratic}\n"

static ArcCapture *captures[MOST];

/* n flights of POINTS points with cd from N(cd, cd_sd), each from a release of its own. */
static inline void fly(int n, double cd, double cd_sd, double sigma_m, uint64_t seed)
{
    ArcRandom random = arc_random_create(seed, 3);
    for (int f = 0; f < n; f++) {
        char text[512];
        snprintf(text, sizeof text,
                 CASE_HEAD BALL "parameters: {cd: %.17g, x0: %.17g, y0: %.17g, vx0: %.17g, "
                                "vy0: %.17g}\n",
                 cd + cd_sd * arc_random_normal(&random), 0.1 * arc_random_normal(&random),
                 2.0 + 0.1 * arc_random_normal(&random), 8.0 + 0.5 * arc_random_normal(&random),
                 7.0 + 0.5 * arc_random_normal(&random));
        captures[f] = case_capture_seed(text, POINTS, 1.2, sigma_m, seed * 1000 + (uint64_t)f + 1);
    }
}

static inline void land(int n)
{
    for (int f = 0; f < n; f++)
        arc_capture_free(captures[f]);
}

static inline ArcJoint *join(const char *text, int n)
{
    ArcError err;
    ArcJoint *joint = NULL;
    ArcExperiment *experiment = case_experiment(text);
    if (arc_joint_create(experiment, n, (const ArcCapture *const *)captures, &joint, &err) !=
        ARC_OK)
        fail_msg("%s", err.text);
    arc_experiment_free(experiment);
    return joint;
}

static inline ArcFit *fit_joint(const char *text, int n, ArcMethod method)
{
    ArcError err;
    ArcFit *fit = NULL;
    ArcJoint *joint = join(text, n);
    if (arc_joint_fit(joint, method, NULL, &fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_joint_free(joint);
    return fit;
}

#define SHARED_TEXT CASE_HEAD BALL "parameters: {cd: {start: 0.4}}\n"

#define POPULATION_TEXT CASE_HEAD BALL "parameters: {cd: {start: 0.4, flights: hierarchical}}\n"

/* What ARCFIT_SLOW measures. */
static inline void tell(const char *what, int n, int of)
{
    if (slow_is_wanted())
        printf("%s %d of %d\n", what, n, of);
}

/* n of so many as a share lets it be: four standard errors. */
static inline void assert_share(int n, int of, double share)
{
    double off = fabs(n - share * of), sd = sqrt(share * (1.0 - share) * of);
    if (off > 4.0 * sd)
        fail_msg("%d of %d at a share of %g", n, of, share);
}

#endif
