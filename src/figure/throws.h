/* Figures of an aim: what the files throws*.c share. */
#ifndef ARC_FIGURE_THROWS_H
#define ARC_FIGURE_THROWS_H

#include "aim/shot.h"
#include "figure/maker.h"

/* An aim being drawn. */
typedef struct ArcThrows {
    ArcMaker *maker;
    const ArcAim *aim;
    ArcShot *shot;            /* NULL: flights cannot be followed */
    const char *const *names; /* (n_solutions) "throw 1: 8.28 m/s at 51.6 deg" */
} ArcThrows;

/* Throws over each other, and the arm that throws the best one. */
void arc_throws_draw_paths(const ArcThrows *throws);

/* Chances, the scatter at the goal, what moves the ball how much, the front. */
void arc_throws_draw_numbers(const ArcThrows *throws);

#endif
