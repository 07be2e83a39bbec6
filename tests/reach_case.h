/* Cases of reach's tests: an arm, a flight and a goal, and what reach says of them. Include after
 * cmocka.h. */
#ifndef REACH_CASE_H
#define REACH_CASE_H

#include "arcfit/reach.h"

#include <math.h>

static const double g_m_s2 = 9.80665, degree = M_PI / 180.0;

typedef struct Case {
    ArcArmSettings settings;
    ArcArm arm;
    ArcFlight flight;
    double p[ARC_ARM_MAX_PARAMETERS];
    ArcGoal goal;
} Case;

static inline ArcReach case_reach(Case *c)
{
    ArcReach reach;
    ArcError err = {ARC_OK, ""};
    assert_int_equal(arc_arm_create(&c->settings, &c->arm, &err), ARC_OK);
    for (int i = 0; i < c->arm.n_parameters; i++)
        c->p[i] = c->arm.parameters[i].value;
    const ArcReachTask task = {&c->arm, c->p, &c->flight, NULL, c->goal};
    if (arc_reach_find(&task, &reach, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return reach;
}

#endif
