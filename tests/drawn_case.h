/* Figures made by hand, one of each kind of mark, axis and text, for the tests of what draws them.
 */
#ifndef ARC_TESTS_DRAWN_CASE_H
#define ARC_TESTS_DRAWN_CASE_H

#include "arcfit/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWN_POINTS = 61, DRAWN_CELLS = 5, DRAWN_FIELD = 21, DRAWN_BARS = 12 };

enum {
    DRAWN_FLIGHT,
    DRAWN_RESIDUALS,
    DRAWN_PARAMETERS,
    DRAWN_MATRIX,
    DRAWN_FIELD_CELLS,
    DRAWN_LOG,
    DRAWN_COUNTS,
    DRAWN_SPACE,
    DRAWN_HOSTILE,
    DRAWN_EMPTY,
    N_DRAWN
};

static double drawn_t[DRAWN_POINTS], drawn_x[DRAWN_POINTS], drawn_y[DRAWN_POINTS];
static double drawn_z[DRAWN_POINTS], drawn_low[DRAWN_POINTS], drawn_high[DRAWN_POINTS];
static double drawn_broken[DRAWN_POINTS], drawn_falling[DRAWN_POINTS], drawn_zero[DRAWN_POINTS];
static double drawn_index[DRAWN_POINTS], drawn_matrix[DRAWN_CELLS * DRAWN_CELLS];
static double drawn_field[DRAWN_FIELD * DRAWN_FIELD], drawn_count[DRAWN_BARS];
static const char *const drawn_names[DRAWN_CELLS] = {"vx0", "vy0", "cd", "50% `touch pwned`",
                                                     "a_b^{c}"};
static const char *const drawn_labels[2] = {"throw.csv:31", "=cmd|'/c calc'!A1"};
static double drawn_out_x[2] = {1.0, 3.0}, drawn_out_y[2] = {3.4, 3.9};
static double drawn_k[DRAWN_CELLS] = {0, 1, 2, 3, 4},
              drawn_v[DRAWN_CELLS] = {0.2, -0.4, 0.9, 0.1, NAN};
static double drawn_vl[DRAWN_CELLS] = {0.1, -0.9, 0.7, -0.3, NAN},
              drawn_vh[DRAWN_CELLS] = {0.3, 0.1, 1.1, 0.5, NAN};
static double drawn_nan[3] = {NAN, NAN, NAN};

#define DRAWN_HOSTILE_TEXT "`touch pwned` \"`touch pwned`\" '`touch pwned`'\n!touch pwned\n@x \\"

static const ArcSeries drawn_flight[] = {
    {.mark = ARC_MARK_BAND,
     .role = ARC_ROLE_DIRECT,
     .name = "95 %",
     .n = DRAWN_POINTS,
     .x = drawn_x,
     .low = drawn_low,
     .high = drawn_high},
    {.mark = ARC_MARK_LINE,
     .role = ARC_ROLE_PINN,
     .name = "PINN",
     .n = DRAWN_POINTS,
     .x = drawn_x,
     .y = drawn_y},
    {.mark = ARC_MARK_LINE,
     .role = ARC_ROLE_DIRECT,
     .name = "direct",
     .n = DRAWN_POINTS,
     .x = drawn_x,
     .y = drawn_broken},
    {.mark = ARC_MARK_POINTS,
     .role = ARC_ROLE_OUTLIER,
     .name = "outliers",
     .n = 2,
     .x = drawn_out_x,
     .y = drawn_out_y,
     .labels = drawn_labels},
};
static const ArcSeries drawn_residuals[] = {
    {.mark = ARC_MARK_LINE,
     .role = ARC_ROLE_EXPECTED,
     .n = DRAWN_POINTS,
     .x = drawn_t,
     .y = drawn_zero},
    {.mark = ARC_MARK_POINTS,
     .role = ARC_ROLE_OTHER,
     .name = "camera 1",
     .n = DRAWN_POINTS,
     .x = drawn_t,
     .y = drawn_z},
};
static const ArcSeries drawn_parameters[] = {
    {.mark = ARC_MARK_INTERVALS,
     .role = ARC_ROLE_PINN,
     .name = "PINN",
     .n = DRAWN_CELLS,
     .x = drawn_v,
     .y = drawn_k,
     .low = drawn_vl,
     .high = drawn_vh,
     .is_level = true},
};
static const ArcSeries drawn_cells[] = {
    {.mark = ARC_MARK_CELLS,
     .role = ARC_ROLE_OTHER,
     .n = DRAWN_CELLS,
     .n_rows = DRAWN_CELLS,
     .x = drawn_index,
     .y = drawn_index,
     .cells = drawn_matrix},
};
static const ArcSeries drawn_gust[] = {
    {.mark = ARC_MARK_CELLS,
     .role = ARC_ROLE_OTHER,
     .n = DRAWN_FIELD,
     .n_rows = DRAWN_FIELD,
     .x = drawn_index,
     .y = drawn_index,
     .cells = drawn_field},
    {.mark = ARC_MARK_LINE,
     .role = ARC_ROLE_EXPECTED,
     .n = DRAWN_POINTS,
     .x = drawn_x,
     .y = drawn_y},
};
static const ArcSeries drawn_history[] = {
    {.mark = ARC_MARK_LINE,
     .role = ARC_ROLE_PINN,
     .name = "cost",
     .n = DRAWN_POINTS,
     .x = drawn_index,
     .y = drawn_falling},
};
static const ArcSeries drawn_bars[] = {
    {.mark = ARC_MARK_BARS,
     .role = ARC_ROLE_OTHER,
     .name = "draws",
     .n = DRAWN_BARS,
     .x = drawn_index,
     .y = drawn_count},
};
static const ArcSeries drawn_space[] = {
    {.mark = ARC_MARK_LINE,
     .role = ARC_ROLE_DIRECT,
     .name = "direct",
     .n = DRAWN_POINTS,
     .x = drawn_x,
     .y = drawn_z,
     .z = drawn_y},
    {.mark = ARC_MARK_POINTS,
     .role = ARC_ROLE_POINTS,
     .name = "camera points",
     .n = DRAWN_POINTS,
     .x = drawn_x,
     .y = drawn_z,
     .z = drawn_y},
};
static const ArcSeries drawn_hostile[] = {
    {.mark = ARC_MARK_LINE,
     .role = ARC_ROLE_OTHER,
     .name = DRAWN_HOSTILE_TEXT,
     .n = DRAWN_POINTS,
     .x = drawn_x,
     .y = drawn_y},
    {.mark = ARC_MARK_INTERVALS,
     .role = ARC_ROLE_OTHER,
     .name = "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d <script>alert(1)</script> \xf0\x9f\x8f\x80 \xff",
     .n = 4,
     .x = drawn_v,
     .y = drawn_k,
     .low = drawn_k,
     .high = drawn_k},
};
static const ArcSeries drawn_empty[] = {
    {.mark = ARC_MARK_LINE,
     .role = ARC_ROLE_PINN,
     .name = "PINN",
     .n = 3,
     .x = drawn_nan,
     .y = drawn_nan},
};

#define DRAWN_SERIES(list) .n_series = sizeof list / sizeof list[0], .series = list

static const ArcFigure drawn[N_DRAWN] = {
    [DRAWN_FLIGHT] = {.name = "flight-side",
                      .title = "The flight from the side",
                      .caption = "Both methods, and two outliers.",
                      .is_equal = true,
                      .x = {.label = "forward", .unit = "m"},
                      .y = {.label = "height", .unit = "m"},
                      .z = {"", "1", false, 0, NULL},
                      DRAWN_SERIES(drawn_flight)},
    [DRAWN_RESIDUALS] = {.name = "residuals-time",
                         .title = "Residuals along the flight",
                         .caption = "",
                         .x = {.label = "time", .unit = "s"},
                         .y = {.label = "residual", .unit = "sd"},
                         .z = {"", "1", false, 0, NULL},
                         DRAWN_SERIES(drawn_residuals)},
    [DRAWN_PARAMETERS] =
        {.name = "parameters",
         .title = "Parameters",
         .caption = "",
         .x = {.label = "from the estimate", .unit = "sd"},
         .y = {.label = "", .unit = "1", .n_names = DRAWN_CELLS, .names = drawn_names},
         .z = {"", "1", false, 0, NULL},
         DRAWN_SERIES(drawn_parameters)},
    [DRAWN_MATRIX] = {.name = "correlation",
                      .title = "Correlation",
                      .caption = "",
                      .is_equal = true,
                      .x = {.label = "", .unit = "1", .n_names = DRAWN_CELLS, .names = drawn_names},
                      .y = {.label = "", .unit = "1", .n_names = DRAWN_CELLS, .names = drawn_names},
                      .z = {"correlation", "1", false, 0, NULL},
                      DRAWN_SERIES(drawn_cells)},
    [DRAWN_FIELD_CELLS] = {.name = "closure",
                           .title = "What was learned",
                           .caption = "",
                           .x = {.label = "x", .unit = "m"},
                           .y = {.label = "y", .unit = "m"},
                           .z = {"acceleration", "m/s^2", false, 0, NULL},
                           DRAWN_SERIES(drawn_gust)},
    [DRAWN_LOG] = {.name = "training",
                   .title = "Training",
                   .caption = "",
                   .x = {.label = "iteration", .unit = "1"},
                   .y = {.label = "cost", .unit = "1", .is_log = true},
                   .z = {"", "1", false, 0, NULL},
                   DRAWN_SERIES(drawn_history)},
    [DRAWN_COUNTS] = {.name = "samples",
                      .title = "Draws",
                      .caption = "",
                      .x = {.label = "cd", .unit = "1"},
                      .y = {.label = "draws", .unit = "1"},
                      .z = {"", "1", false, 0, NULL},
                      DRAWN_SERIES(drawn_bars)},
    [DRAWN_SPACE] = {.name = "flight-space",
                     .title = "The flight in space",
                     .caption = "",
                     .is_space = true,
                     .is_equal = true,
                     .x = {.label = "forward", .unit = "m"},
                     .y = {.label = "sideways", .unit = "m"},
                     .z = {"height", "m", false, 0, NULL},
                     DRAWN_SERIES(drawn_space)},
    [DRAWN_HOSTILE] =
        {.name = "hostile",
         .title = DRAWN_HOSTILE_TEXT,
         .caption = DRAWN_HOSTILE_TEXT,
         .x = {.label = DRAWN_HOSTILE_TEXT, .unit = "m"},
         .y = {.label = "", .unit = "1", .n_names = DRAWN_CELLS, .names = drawn_names},
         .z = {"", "1", false, 0, NULL},
         DRAWN_SERIES(drawn_hostile)},
    [DRAWN_EMPTY] = {.name = "empty",
                     .title = "Nothing",
                     .caption = "",
                     .x = {.label = "time", .unit = "s"},
                     .y = {.label = "height", .unit = "m"},
                     .z = {"", "1", false, 0, NULL},
                     DRAWN_SERIES(drawn_empty)},
};

static inline void drawn_make(void)
{
    for (int i = 0; i < DRAWN_POINTS; i++) {
        double t = 0.02 * i;
        drawn_t[i] = t;
        drawn_index[i] = i;
        drawn_x[i] = 4.0 * t;
        drawn_y[i] = 2.0 + 6.0 * t - 4.905 * t * t;
        drawn_low[i] = drawn_y[i] - 0.1 - 0.1 * t;
        drawn_high[i] = drawn_y[i] + 0.1 + 0.1 * t;
        drawn_z[i] = 0.5 * sin(40.0 * t);
        drawn_broken[i] = i > 20 && i < 25 ? (double)NAN : drawn_y[i];
        drawn_falling[i] = 1e4 * exp(-0.4 * i);
    }
    for (int k = 0; k < DRAWN_CELLS; k++)
        for (int i = 0; i < DRAWN_CELLS; i++)
            drawn_matrix[k * DRAWN_CELLS + i] = i == k ? 1.0 : -0.9 / (1 + abs(i - k));
    for (int k = 0; k < DRAWN_FIELD; k++)
        for (int i = 0; i < DRAWN_FIELD; i++)
            drawn_field[k * DRAWN_FIELD + i] =
                i + k < 5 ? (double)NAN : exp(-0.02 * ((i - 8) * (i - 8) + (k - 12) * (k - 12)));
    for (int i = 0; i < DRAWN_BARS; i++)
        drawn_count[i] = 100.0 * exp(-0.1 * (i - 5) * (i - 5));
}

#endif
