/* One step of the search of a closure (closure_search.h): what widths are worth where the flights
 * are.
 */
#ifndef ARC_FIT_CLOSURE_TRIAL_H
#define ARC_FIT_CLOSURE_TRIAL_H

#include "fit/closure_search.h"

/* Widths of one input; of more there are fewer. */
enum { ARC_SEARCH_WIDTHS = 13 };

/* Half of the flown region, and of the scale of an output the least sd of its field. */
#define ARC_WIDEST_CLOSURE 1.0
#define ARC_LEAST_FIELD_SD 1e-3

/* A closure of one width, with the sds that are best for it, by the linearised flights. */
typedef struct ArcTrial {
    ArcArena *arena; /* of what follows */
    ArcClosure *closure;
    ArcPathRows rows;
    ArcRidge *ridge;
    double unit[ARC_EQUATIONS_MAX_STATES], sd[ARC_EQUATIONS_MAX_STATES];
    double measure, evidence, average; /* -log, with own unknowns */
} ArcTrial;

typedef struct ArcSearch {
    const ArcJoint *joint;
    const ArcClosureSettings *settings;
    ArcClosure *level; /* that the flights begin with; NULL: none */
    ArcJointRun run;   /* without closure */
    ArcPath *paths;
    ArcArena *arena;
    int n_points;
    double *points;
    double width[ARC_SEARCH_WIDTHS], average[ARC_SEARCH_WIDTHS];
    int n_widths;
    double scale[ARC_EQUATIONS_MAX_STATES];
    ArcTrial trial;
    double *weights, *before;  /* (K) now, before a step */
    double *kept, *plain;      /* values before a step; without closure */
    double cost, width_before; /* half the sum of squares now; width of the weights, or NaN */
    bool by_left_out;
    bool is_short, is_lost; /* the last step was cut; and no round is left */
    double without, left_out_without;
} ArcSearch;

void arc_trial_free(ArcTrial *trial);

/* Inputs along all flights, into the joint's arena. */
ArcStatus arc_search_points(ArcSearch *search, ArcError *err);

/* A closure of this width with the outputs of these axes, placed by the points. */
ArcStatus arc_search_closure(const ArcSearch *search, double width, uint32_t axes, ArcArena *arena,
                             ArcClosure **closure, ArcError *err);

/* The grid of widths, once there are points. */
ArcStatus arc_search_widths(ArcSearch *search, ArcError *err);

/* The size of a field of each output. */
void arc_search_scales(ArcSearch *search, const ArcClosure *closure);

/* A closure of this width at the present paths. */
ArcStatus arc_search_try(ArcSearch *search, double width, ArcTrial *trial, ArcError *err);

/* Whether any output has weights. */
bool arc_trial_has_weights(const ArcTrial *trial);

/* The best of all widths at the present paths becomes the trial; averages of all are noted. */
ArcStatus arc_search_scan(ArcSearch *search, ArcError *err);

#endif
