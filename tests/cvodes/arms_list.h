/* The arms that are integrated: every curve, with a limit and without, in the plane and in space.
 */
#ifndef ARC_TESTS_CVODES_ARMS_LIST_H
#define ARC_TESTS_CVODES_ARMS_LIST_H

#include "arm_equations.h"

#define LINKS_2                                                                                    \
    "l1 0.5 l2 0.4 ball_along 0.11 ball_across 0.03 mass1 2.1 mass2 1.4 centre1 0.24 centre2 "     \
    "0.19 inertia1 0.05 inertia2 0.02 payload 0.62 viscous1 0.12 viscous2 0.07 coulomb1 0.4 "      \
    "coulomb2 0.3 "
#define LINKS_3                                                                                    \
    "l1 0.1 l2 0.5 l3 0.4 ball_along 0.11 ball_across 0.03 ball_side -0.05 mass1 1.7 mass2 2.1 "   \
    "mass3 1.4 centre1 0.06 centre2 0.24 centre3 0.19 inertia1 0.06 inertia2 0.05 inertia3 0.02 "  \
    "payload 0.62 viscous1 0.3 viscous2 0.12 viscous3 0.07 coulomb1 0.5 coulomb2 0.4 coulomb3 "    \
    "0.3 "
#define SPAN .begin_s = -0.45, .end_s = 0.05, .start_s = -0.4, .span_s = 0.39

static const Arm arms[] = {
    {.name = "two links, constant and polynomial",
     .dimensions = 2,
     .up = 1,
     .n_joints = 2,
     .joints = {{'p', 'c', 1, 0, 0}, {'p', 'p', 4, 0, 0}},
     SPAN,
     .width_rad_s = 0.3,
     .values = LINKS_2 "torque1 21 torque2_1 9 torque2_2 -7 torque2_3 12 torque2_4 -5 theta1 -0.6 "
                       "theta2 0.9 omega1 0.4 omega2 -1.5"},
    {.name = "two links, trapezoid and spline",
     .dimensions = 2,
     .up = 1,
     .n_joints = 2,
     .joints = {{'p', 't', 3, 0, 0}, {'p', 's', 6, 0, 0}},
     SPAN,
     .width_rad_s = 0.2,
     .values = LINKS_2 "torque1_1 28 torque1_2 0.3 torque1_3 0.45 torque2_1 3 torque2_2 9 "
                       "torque2_3 -4 torque2_4 11 torque2_5 6 torque2_6 -2 theta1 -0.4 theta2 1.3 "
                       "omega1 0.5 omega2 0.8"},
    {.name = "two links, two splines, motors at their limit",
     .dimensions = 2,
     .up = 1,
     .n_joints = 2,
     .joints = {{'p', 's', 4, 24, 18}, {'p', 's', 7, 9, 0}},
     SPAN,
     .width_rad_s = 0.3,
     .values = LINKS_2 "torque1_1 12 torque1_2 40 torque1_3 18 torque1_4 -15 torque2_1 2 torque2_2 "
                       "8 torque2_3 14 torque2_4 6 torque2_5 -3 torque2_6 -12 torque2_7 4 theta1 "
                       "-0.5 theta2 1.1 omega1 1.2 omega2 -0.7"},
    {.name = "yaw and two pitches, constant, spline and trapezoid with limits",
     .dimensions = 3,
     .up = 2,
     .n_joints = 3,
     .joints = {{'y', 'c', 1, 12, 9}, {'p', 's', 6, 0, 0}, {'p', 't', 3, 14, 22}},
     SPAN,
     .width_rad_s = 0.3,
     .values = LINKS_3 "torque1 9 torque2_1 18 torque2_2 26 torque2_3 22 torque2_4 15 torque2_5 8 "
                       "torque2_6 -6 torque3_1 11 torque3_2 0.5 torque3_3 0.35 theta1 0.3 theta2 "
                       "-0.2 theta3 0.9 omega1 -0.6 omega2 0.5 omega3 0.7"},
    {.name = "pitch, roll and yaw, polynomials and a constant",
     .dimensions = 3,
     .up = 1,
     .n_joints = 3,
     .joints = {{'p', 'p', 3, 0, 0}, {'r', 'p', 2, 7, 15}, {'y', 'c', 1, 0, 0}},
     SPAN,
     .width_rad_s = 0.4,
     .values = LINKS_3 "torque1_1 25 torque1_2 14 torque1_3 -22 torque2_1 5 torque2_2 -6 torque3 2 "
                       "theta1 0.2 theta2 0.5 theta3 -0.7 omega1 0.9 omega2 -0.6 omega3 1.1"},
};

enum { N_ARMS = sizeof arms / sizeof arms[0] };

#endif
