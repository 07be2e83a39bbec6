/* Balls: presets of the sports. */
#ifndef ARCFIT_BALL_H
#define ARCFIT_BALL_H

#pragma GCC visibility push(default)

/* A ball. Source says where the numbers come from; cd is the usual one, the default of `cd`. */
typedef struct ArcBall {
    const char *name;
    double mass_kg;
    double diameter_m;
    double cd;
    const char *source;
} ArcBall;

/* The table with its length. */
const ArcBall *arc_ball_presets(int *n);

/* NULL where there is none of that name. */
const ArcBall *arc_ball_find(const char *name);

#pragma GCC visibility pop

#endif
