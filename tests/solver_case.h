/* A solver in an arena of the test's own, and settings that ask for all digits. */
#ifndef SOLVER_CASE_H
#define SOLVER_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solve/least_squares.h"
#include "sweep.h"

static ArcArena *arena;

static inline int create_arena(void **state)
{
    (void)state;
    arena = arc_arena_create();
    return arena == NULL;
}

static inline int free_arena(void **state)
{
    (void)state;
    arc_memory_set_hook(NULL, NULL);
    arc_arena_free(arena);
    return 0;
}

static inline ArcLeastSquares *solver_of(const ArcObjective *objective,
                                         const ArcLeastSquaresSettings *settings, const double *low,
                                         const double *high)
{
    ArcLeastSquares *solver = NULL;
    assert_int_equal(arc_least_squares_create(objective, settings, low, high, arena, &solver, NULL),
                     ARC_OK);
    return solver;
}

/* Residuals here are of order one at most starts; 1e-12 of that is rounding. */
static inline ArcLeastSquaresSettings tight_settings(void)
{
    ArcLeastSquaresSettings settings = arc_least_squares_settings_default();
    settings.max_iterations = 1000;
    settings.tolerance = 1e-12;
    settings.relative_tolerance = 1e-13;
    return settings;
}

#endif
