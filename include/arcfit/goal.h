/* What a throw is meant for: a release, or a point that the flight passes. */
#ifndef ARCFIT_GOAL_H
#define ARCFIT_GOAL_H

#include "arcfit/error.h"

#pragma GCC visibility push(default)

typedef enum ArcGoalKind { ARC_GOAL_NONE, ARC_GOAL_RELEASE, ARC_GOAL_TARGET } ArcGoalKind;

typedef struct ArcGoal {
    ArcGoalKind kind;
    double position_m[3], velocity_m_s[3]; /* of the release */
    double point_m[3];                     /* of the target */
    ArcPlace place;                        /* of the section `aim` */
} ArcGoal;

/* None. */
ArcGoal arc_goal_default(void);

#pragma GCC visibility pop

#endif
