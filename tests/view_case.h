/* Experiments seen by cameras: two with lenses on a throw in space, one from the side of a plane.
 * Include after cmocka.h. */
#ifndef VIEW_CASE_H
#define VIEW_CASE_H

#include "fit_case.h"

/* At 8 m from the throw's middle, from its right and from behind on its left. */
#define CAMERA_LEFT                                                                                \
    "left: {focal: 1200 px, centre: [960, 540], lens: [-0.21, 0.06, 0.0008, -0.0005], "            \
    "pose: {rotation: [1.5333139, 0, 0], translation: [-3, 1.9985952, 7.9306757]}}"
#define CAMERA_RIGHT                                                                               \
    "right: {focal: 1100 px, centre: [955, 545], lens: [-0.18, 0.04, 0, 0], "                      \
    "pose: {rotation: [1.47240912, -0.72501646, 0.70755003], "                                     \
    "translation: [-1.5242769, 2.04771824, 6.27083965]}}"
#define CAMERA_TWO                                                                                 \
    "arcfit: 1\ncapture: {file: none.csv, sigma: 0.5 px, cameras: {" CAMERA_LEFT ", " CAMERA_RIGHT \
    "}}\n"
/* 6 m beside the throw: level, square to it. */
#define CAMERA_ONE                                                                                 \
    "arcfit: 1\ncapture: {file: none.csv, sigma: 0.5 px, cameras: {side: {focal: 1000 px, "        \
    "centre: [960, 540], pose: {rotation: [90 deg, 0, 0], translation: [-2.5, 2, 6]}}}}\n"

/* The free throw. */
#define CAMERA_THROW                                                                               \
    "x0: {start: 0}, y0: {start: 0.1}, z0: {start: 2.13}, vx0: {start: 4.525}, "                   \
    "vy0: {start: 0.2}, vz0: {start: 5.792}"
#define CAMERA_BALL "flight: {dimensions: 3, ball: basketball, drag: quadratic}\n"

/* n frames over span_s of each camera, sigma 0.5 px, from the experiment's seed or another one. */
static inline ArcCapture *camera_capture(const char *truth, int n, double span_s, uint64_t seed)
{
    return case_capture_seed(truth, n, span_s, NAN, seed);
}

#endif
