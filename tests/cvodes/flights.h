/* The flights that are integrated: each law at least once in the plane and in space. */
#ifndef ARC_TESTS_CVODES_FLIGHTS_H
#define ARC_TESTS_CVODES_FLIGHTS_H

#include "equations.h"

#define V(name, value)                                                                             \
    {                                                                                              \
        Q_##name, value                                                                            \
    }
#define PLANE(vx, vy) V(x0, 0.3), V(y0, 2.1), V(vx0, vx), V(vy0, vy)
#define SPACE(vx, vy, vz) V(x0, 0.3), V(y0, -0.7), V(z0, 1.9), V(vx0, vx), V(vy0, vy), V(vz0, vz)
#define ROTATION(x, y, z) V(wx, x), V(wy, y), V(wz, z)
#define VALUES(...)                                                                                \
    .n_values = sizeof((Value[]){__VA_ARGS__}) / sizeof(Value), .values = {__VA_ARGS__}

#define BASKETBALL .mass_kg = 0.62, .diameter_m = 0.24
#define SOCCER .mass_kg = 0.43, .diameter_m = 0.22
#define TABLE_TENNIS .mass_kg = 0.0027, .diameter_m = 0.04
#define BASEBALL .mass_kg = 0.145, .diameter_m = 0.0732
#define IN_PLANE .dimensions = 2, .up = 1
#define IN_SPACE .dimensions = 3, .up = 2

static const Flight flights[] = {
    {.name = "lumped, plane",
     .text = "{dimensions: 2, drag: lumped, lift: lumped}",
     IN_PLANE,
     .drag = DRAG_LUMPED,
     .lift = LIFT_LUMPED,
     .span_s = 1,
     VALUES(V(k, 0.04), V(s, 0.12), V(spin, -20), PLANE(5, 6))},
    {.name = "lumped, space, y up",
     .text = "{dimensions: 3, up: y, drag: lumped, lift: lumped}",
     .dimensions = 3,
     .up = 1,
     .drag = DRAG_LUMPED,
     .lift = LIFT_LUMPED,
     .span_s = 1,
     VALUES(V(k, 0.04), V(s, 0.09), ROTATION(4, -7, 19), SPACE(5, 6, 1.5))},
    {.name = "quadratic and rational, plane, a free throw",
     .text = "{dimensions: 2, ball: basketball, drag: quadratic, lift: rational}",
     IN_PLANE,
     BASKETBALL,
     .buoyancy = true,
     .drag = DRAG_QUADRATIC,
     .lift = LIFT_RATIONAL,
     .span_s = 1,
     VALUES(V(cd, 0.5), V(spin, -18.85), PLANE(4.525, 5.792))},
    {.name = "quadratic and rational, space, exponential decay, moist warm air",
     .text = "{dimensions: 3, ball: {mass: 145 g, diameter: 73.2 mm}, drag: quadratic, "
             "lift: rational, spin_decay: exponential, buoyancy: false, "
             "air: {temperature: 30 degC, pressure: 990 hPa, humidity: 0.8}}",
     IN_SPACE,
     BASEBALL,
     .temperature_c = 30,
     .pressure_pa = 99000,
     .humidity = 0.8,
     .drag = DRAG_QUADRATIC,
     .lift = LIFT_RATIONAL,
     .decay = DECAY_EXPONENTIAL,
     .span_s = 2,
     VALUES(V(cd, 0.35), V(spin_tau, 1.7), ROTATION(-30, -180, 60), SPACE(35, 3, 9))},
    {.name = "logistic and constant, plane",
     .text = "{dimensions: 2, ball: {mass: 430 g, diameter: 22 cm}, drag: logistic, "
             "lift: constant}",
     IN_PLANE,
     SOCCER,
     .buoyancy = true,
     .drag = DRAG_LOGISTIC,
     .lift = LIFT_CONSTANT,
     .span_s = 2,
     VALUES(V(cd_after, 0.155), V(cd_drop, 0.346), V(v_crisis, 12.19), V(v_width, 1.309),
            V(cl, 0.2), V(spin, -30), PLANE(13, 10))},
    {.name = "logistic and linear, space",
     .text = "{dimensions: 3, ball: {mass: 430 g, diameter: 22 cm}, drag: logistic, "
             "lift: linear}",
     IN_SPACE,
     SOCCER,
     .buoyancy = true,
     .drag = DRAG_LOGISTIC,
     .lift = LIFT_LINEAR,
     .span_s = 2,
     VALUES(V(cd_after, 0.155), V(cd_drop, 0.346), V(v_crisis, 12.19), V(v_width, 1.309),
            V(cm, 1.1), ROTATION(5, -20, 45), SPACE(22, 2, 8))},
    {.name = "morrison and nathan, plane",
     .text = "{dimensions: 2, ball: table-tennis, drag: morrison, lift: nathan}",
     IN_PLANE,
     TABLE_TENNIS,
     .buoyancy = true,
     .drag = DRAG_MORRISON,
     .lift = LIFT_NATHAN,
     .span_s = 1,
     VALUES(V(spin, 150), PLANE(9, 3))},
    {.name = "morrison and constant, space, through the drag crisis",
     .text = "{dimensions: 3, ball: {mass: 430 g, diameter: 22 cm}, drag: morrison, "
             "lift: constant}",
     IN_SPACE,
     SOCCER,
     .buoyancy = true,
     .drag = DRAG_MORRISON,
     .lift = LIFT_CONSTANT,
     .span_s = 2,
     VALUES(V(cl, 0.15), ROTATION(3, -25, 30), SPACE(24, -2, 9))},
    {.name = "spin-dependent without lift, plane, aerodynamic decay",
     .text = "{dimensions: 2, ball: {mass: 145 g, diameter: 73.2 mm}, drag: spin-dependent, "
             "spin_decay: aerodynamic}",
     IN_PLANE,
     BASEBALL,
     .buoyancy = true,
     .drag = DRAG_SPIN,
     .decay = DECAY_AERODYNAMIC,
     .span_s = 2,
     VALUES(V(cd0, 0.3), V(cd_w, 5e-4), V(spin, -200), V(spin_decay, 0.02), PLANE(30, 15))},
    {.name = "spin-dependent and nathan, space, aerodynamic decay, added mass",
     .text = "{dimensions: 3, ball: {mass: 145 g, diameter: 73.2 mm}, drag: spin-dependent, "
             "lift: nathan, spin_decay: aerodynamic, added_mass: true}",
     IN_SPACE,
     BASEBALL,
     .buoyancy = true,
     .added_mass = true,
     .drag = DRAG_SPIN,
     .lift = LIFT_NATHAN,
     .decay = DECAY_AERODYNAMIC,
     .span_s = 2,
     VALUES(V(cd0, 0.3), V(cd_w, 5e-4), ROTATION(40, -150, 90), V(spin_decay, 0.02),
            SPACE(32, 3, 11))},
    {.name = "tables, plane",
     .text = "{dimensions: 2, ball: basketball, drag: table, "
             "drag_table: [[5 m/s, 0.52], [6.5 m/s, 0.47], [8 m/s, 0.47], [10 m/s, 0.3]], "
             "lift: table, lift_table: [[0.1, 0.08], [0.3, 0.2], [0.5, 0.24]]}",
     IN_PLANE,
     BASKETBALL,
     .buoyancy = true,
     .drag = DRAG_TABLE,
     .drag_table = {{5, 0.52}, {6.5, 0.47}, {8, 0.47}, {10, 0.3}},
     .lift = LIFT_TABLE,
     .lift_table = {{0.1, 0.08}, {0.3, 0.2}, {0.5, 0.24}},
     .span_s = 1.1,
     VALUES(V(spin, -22), PLANE(6, 7))},
    {.name = "tables, space, up and down",
     .text = "{dimensions: 3, ball: {mass: 430 g, diameter: 22 cm}, drag: table, "
             "drag_table: [[10 m/s, 0.2], [12 m/s, 0.3], [16 m/s, 0.25], [20 m/s, 0.35]], "
             "lift: table, lift_table: [[0.05, 0.06], [0.12, 0.05], [0.2, 0.12], [0.5, 0.14]]}",
     IN_SPACE,
     SOCCER,
     .buoyancy = true,
     .drag = DRAG_TABLE,
     .drag_table = {{10, 0.2}, {12, 0.3}, {16, 0.25}, {20, 0.35}},
     .lift = LIFT_TABLE,
     .lift_table = {{0.05, 0.06}, {0.12, 0.05}, {0.2, 0.12}, {0.5, 0.14}},
     .span_s = 2,
     VALUES(ROTATION(4, -12, 9), SPACE(21, 2, 9))},
    {.name = "sawicki, plane, through the corner",
     .text = "{dimensions: 2, ball: {mass: 145 g, diameter: 73.2 mm}, drag: quadratic, "
             "lift: sawicki}",
     IN_PLANE,
     BASEBALL,
     .buoyancy = true,
     .drag = DRAG_QUADRATIC,
     .lift = LIFT_SAWICKI,
     .span_s = 2.5,
     VALUES(V(cd, 0.4), V(spin, -72), PLANE(28, 18))},
    {.name = "sawicki, space, through the corner, aerodynamic decay",
     .text = "{dimensions: 3, ball: {mass: 145 g, diameter: 73.2 mm}, drag: quadratic, "
             "lift: sawicki, spin_decay: aerodynamic}",
     IN_SPACE,
     BASEBALL,
     .buoyancy = true,
     .drag = DRAG_QUADRATIC,
     .lift = LIFT_SAWICKI,
     .decay = DECAY_AERODYNAMIC,
     .span_s = 2.5,
     VALUES(V(cd, 0.4), ROTATION(20, -60, 50), V(spin_decay, 0.004), SPACE(30, 4, 15))},
    {.name = "constant wind and added mass, plane",
     .text = "{dimensions: 2, ball: basketball, drag: quadratic, lift: linear, "
             "added_mass: true, wind: [-3 m/s, 0.5 m/s]}",
     IN_PLANE,
     BASKETBALL,
     .buoyancy = true,
     .added_mass = true,
     .drag = DRAG_QUADRATIC,
     .lift = LIFT_LINEAR,
     .wind = {-3, 0.5},
     .span_s = 1,
     VALUES(V(cd, 0.5), V(cm, 0.9), V(spin, -15), PLANE(5, 6))},
    {.name = "sheared wind, space",
     .text = "{dimensions: 3, ball: basketball, drag: quadratic, lift: rational, wind: "
             "{velocity: [2 m/s, -4 m/s, 0 m/s], "
             "shear: {exponent: 0.14, height: 10 m, ground: -0.5 m}}}",
     IN_SPACE,
     BASKETBALL,
     .buoyancy = true,
     .drag = DRAG_QUADRATIC,
     .lift = LIFT_RATIONAL,
     .wind = {2, -4, 0},
     .exponent = 0.14,
     .reference_m = 10,
     .ground_m = -0.5,
     .span_s = 1,
     VALUES(V(cd, 0.5), ROTATION(2, -18, 5), SPACE(4, 3, 6))},
    {.name = "gust, plane, exponential decay",
     .text = "{dimensions: 2, ball: table-tennis, drag: quadratic, lift: linear, "
             "spin_decay: exponential, wind: {velocity: [1 m/s, 0 m/s], "
             "gust: {velocity: [-4 m/s, 1 m/s], time: 0.4 s, width: 0.15 s}}}",
     IN_PLANE,
     TABLE_TENNIS,
     .buoyancy = true,
     .drag = DRAG_QUADRATIC,
     .lift = LIFT_LINEAR,
     .decay = DECAY_EXPONENTIAL,
     .wind = {1, 0},
     .gust = {-4, 1},
     .gust_time = 0.4,
     .gust_width = 0.15,
     .span_s = 1,
     VALUES(V(cd, 0.47), V(cm, 1.3), V(spin, 90), V(spin_tau, 2.5), PLANE(7, 4))},
    {.name = "smooth: gust and aerodynamic decay, space",
     .text = "{dimensions: 3, ball: table-tennis, drag: quadratic, lift: rational, "
             "spin_decay: aerodynamic, wind: {velocity: [1 m/s, 0 m/s, 0 m/s], "
             "gust: {velocity: [-2 m/s, 1 m/s, 0 m/s], time: 0.4 s, width: 0.5 s}}}",
     IN_SPACE,
     TABLE_TENNIS,
     .buoyancy = true,
     .drag = DRAG_QUADRATIC,
     .lift = LIFT_RATIONAL,
     .decay = DECAY_AERODYNAMIC,
     .wind = {1},
     .gust = {-2, 1},
     .gust_time = 0.4,
     .gust_width = 0.5,
     .span_s = 1,
     VALUES(V(cd, 0.47), ROTATION(30, -150, 80), V(spin_decay, 0.2), SPACE(19, 3, 8))},
    {.name = "everything at once, space, polar release, Denver",
     .text = "{dimensions: 3, gravity: {latitude: 39.74 deg, height: 1609 m}, "
             "ball: {mass: 430 g, diameter: 22 cm}, "
             "air: {temperature: 12 degC, pressure: 834 hPa, humidity: 0.35}, "
             "drag: logistic, lift: sawicki, spin_decay: aerodynamic, added_mass: true, wind: "
             "{velocity: [-2 m/s, 3 m/s, 0.5 m/s], "
             "shear: {exponent: 0.25, height: 5 m, ground: 0 m}, "
             "gust: {velocity: [1 m/s, -2 m/s, 0.3 m/s], time: 0.8 s, width: 0.3 s}}}",
     IN_SPACE,
     SOCCER,
     .polar = true,
     .buoyancy = true,
     .added_mass = true,
     .temperature_c = 12,
     .pressure_pa = 83400,
     .humidity = 0.35,
     .has_latitude = true,
     .latitude_deg = 39.74,
     .height_m = 1609,
     .drag = DRAG_LOGISTIC,
     .lift = LIFT_SAWICKI,
     .decay = DECAY_AERODYNAMIC,
     .wind = {-2, 3, 0.5},
     .exponent = 0.25,
     .reference_m = 5,
     .gust = {1, -2, 0.3},
     .gust_time = 0.8,
     .gust_width = 0.3,
     .span_s = 2,
     VALUES(V(cd_after, 0.155), V(cd_drop, 0.346), V(v_crisis, 12.19), V(v_width, 1.309),
            ROTATION(3, -9, 14), V(spin_decay, 0.01), V(x0, 0), V(y0, 0), V(z0, 0.2), V(speed, 26),
            V(angle, 0.45), V(azimuth, 0.3))},
};
enum { N_FLIGHTS = sizeof flights / sizeof flights[0] };

#endif
