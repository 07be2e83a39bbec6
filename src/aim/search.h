/* Throws that hit: the flight passes the goal's place X at a time s.
 *
 * Unknowns z (K + 1): those of the throw u, then s (s). A throw that hits solves
 *   r(z) = x(s; u) - X = 0
 * within bounds by damped Gauss-Newton steps (solve/least_squares.h), exact partials. Where there
 * are more unknowns than equations, steps are the shortest, so that the end is near the start. The
 * start comes from free fall, distance D along level and h up to X:
 *   v^2 = g D^2 / (2 cos^2(angle) (D tan(angle) - h)),   s = D / (v cos(angle))
 * Flights are followed loosely first, and as exactly as they can be for the end. From an angle it
 * is looked first for the throw with that very angle, then, where the speed stands at its limit,
 * for the one with that speed. Drag takes of a speed about exp(-k D / cos(angle)): what it took of
 * the throw from one angle tells where that from the next begins. What does not arrive so is led
 * there: drag and lift from nothing up to what they are.
 */
#ifndef ARC_AIM_SEARCH_H
#define ARC_AIM_SEARCH_H

#include "aim/shot.h"
#include "solve/least_squares.h"

enum { ARC_SEARCH_UNKNOWNS = ARC_MAX_PARAMETERS + 1 };

/* Pure Gauss-Newton steps, and damped from the start; with few steps; both for the end. */
enum {
    ARC_SEARCH_PLAIN,
    ARC_SEARCH_CAREFUL,
    ARC_SEARCH_BRIEF,
    ARC_SEARCH_END,
    ARC_SEARCH_CAREFUL_END,
    ARC_SEARCH_SOLVERS
};

typedef struct ArcSearch {
    const ArcExperiment *experiment;
    ArcShot *shot;
    int n, K, d, up;                   /* parameters, unknowns; axes */
    int index[ARC_MAX_PARAMETERS];     /* of the unknowns: which parameter */
    int at[ARC_MAX_PARAMETERS];        /* of the parameters: which unknown, -1: none */
    int speed, angle;                  /* unknowns of a polar release, -1: not among them */
    bool is_limited;                   /* that speed, by the experiment */
    double values[ARC_MAX_PARAMETERS]; /* of what is no unknown; of the others where they begin */
    double low[ARC_SEARCH_UNKNOWNS], high[ARC_SEARCH_UNKNOWNS];
    bool held[ARC_SEARCH_UNKNOWNS]; /* for now */
    double air;                     /* share of drag and lift that is there */
    int n_air, air_index[ARC_MAX_PARAMETERS];
    bool has_pace;      /* of the last throw that hit from an angle: */
    double pace, delay; /* logarithms of its speed and time over free fall's, times cos(angle) */
    double trial[ARC_MAX_PARAMETERS];
    double seen[ARC_SEARCH_UNKNOWNS]; /* where the last partials were taken, and these */
    double seen_J[3 * ARC_SEARCH_UNKNOWNS];
    ArcShotState state;
    ArcShot *loose, *present; /* of less exact flights; the one that is used for now */
    ArcLeastSquares *solvers[ARC_SEARCH_SOLVERS];
} ArcSearch;

/* A throw, and how far it is from X after s. */
typedef struct ArcSearchThrow {
    double z[ARC_SEARCH_UNKNOWNS];
    double distance_m;
} ArcSearchThrow;

/* unknown (n), of which one is set at least; values (n). Bounds are the parameters' and the
 * joints'. All in the arena; shot and its experiment are borrowed. */
ArcStatus arc_search_create(ArcShot *shot, const bool *unknown, const double *values,
                            ArcArena *arena, ArcSearch *search, ArcError *err);

/* The same without a limit of a polar release's speed. */
ArcStatus arc_search_free_speed(const ArcSearch *search, ArcArena *arena, ArcSearch *result,
                                ArcError *err);

/* All parameters (n) of a throw, what is tied with them. */
void arc_search_values(const ArcSearch *search, const double *z, double *values);

/* From where the experiment begins: its starts, aim.time or else free fall's. */
void arc_search_start(const ArcSearch *search, double *z);

/* Other values to begin from of unknowns beside the release's velocity, one at a time, as spread as
 * their bounds or what is usual: variants count from 1, 0 is what values (n) have. Returns false
 * behind the last. */
bool arc_search_vary(ArcSearch *search, const double *values, int variant);

/* By free fall with this angle above level, within the bounds; false where the release is an arm's.
 */
bool arc_search_start_angle(const ArcSearch *search, double angle_rad, double *z);

/* The hit, or the nearest, from throw->z, in place. */
void arc_search_hit(ArcSearch *search, ArcSearchThrow *thrown);

/* A few steps towards it. */
void arc_search_approach(ArcSearch *search, ArcSearchThrow *thrown);

/* The hit from an angle above level; false where the release is an arm's, or where no speed below
 * that of sound would do and the experiment has no limit of it. Of a polar release of which speed
 * and angle are unknown only with the angle or the limit of the speed held. */
bool arc_search_hit_angle(ArcSearch *search, double angle_rad, ArcSearchThrow *thrown);

/* Whether it is near enough for one. */
bool arc_search_is_hit(const ArcSearchThrow *thrown);

/* Whether two throws are the same; and but for a share of their unknowns' sizes. */
bool arc_search_is_same(const ArcSearch *search, const double *a, const double *b);
bool arc_search_is_alike(const ArcSearch *search, double share, const double *a, const double *b);

#endif
