/* A closure: a small net that stands in for what the equations miss, shared by all flights.
 *
 * Of I inputs z (position, velocity, speed, ..., or states of own equations), each centred and
 * scaled, a hidden layer makes H features phi(z), which the output layer W (O, H) weighs:
 *   acceleration  a_e += sum_h W_eh phi_h(z)     for the chosen axes (of own equations: rates)
 *   cd            drag  -c (Cd + sum_h W_h phi_h(z)) |u| u     Cd of the drag law, or a constant
 *   cl            lift  c (CL + sum_h W_h phi_h(z)) |u|^2 (w x u) / |w x u|    CL likewise
 * By default the features are drawn once and held, so that the closure is linear in W, whose prior
 * is normal with mean zero and an own sd (the ridge, 1 / sd^2) for each output. Ridge and the
 * features' width are those of the highest evidence (MacKay, Neural Comput. 4 (1992) 415), or
 * given.
 */
#ifndef ARCFIT_CLOSURE_H
#define ARCFIT_CLOSURE_H

#include "arcfit/equations.h"
#include "arcfit/error.h"
#include "arcfit/net.h"

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(default)

enum { ARC_CLOSURE_MAX_INPUTS = 4, ARC_CLOSURE_MAX_UNITS = 512, ARC_CLOSURE_MAX_WEIGHTS = 1024 };

typedef enum ArcClosureInputKind {
    ARC_CLOSURE_POSITION,   /* x y z, or a state (second order: a coordinate) by its name */
    ARC_CLOSURE_VELOCITY,   /* vx vy vz, or the velocity of a coordinate */
    ARC_CLOSURE_SPEED,      /* speed: against the air */
    ARC_CLOSURE_HEIGHT,     /* height: the axis that points up */
    ARC_CLOSURE_SPIN_RATIO, /* spin_ratio: S = r |w_perp| / |u| */
    ARC_CLOSURE_TIME        /* time: since the release */
} ArcClosureInputKind;

typedef struct ArcClosureInput {
    ArcClosureInputKind kind;
    int axis; /* of position and velocity */
} ArcClosureInput;

typedef enum ArcClosureOutput {
    ARC_CLOSURE_ACCELERATION, /* of the axes below; of own equations: rates */
    ARC_CLOSURE_CD,
    ARC_CLOSURE_CL
} ArcClosureOutput;

/* How ridge and width are chosen where they are not given. */
typedef enum ArcClosureChoice {
    ARC_CLOSURE_EVIDENCE,
    ARC_CLOSURE_CROSS_VALIDATION
} ArcClosureChoice;

typedef struct ArcClosureSettings {
    bool is_on;
    ArcPlace place;
    int n_inputs;
    ArcClosureInput inputs[ARC_CLOSURE_MAX_INPUTS];
    ArcClosureOutput output;
    uint32_t axes;      /* bit e: acceleration of axis e (of own equations: rate of state e) */
    bool replaces;      /* the law: cd and cl alone */
    bool net_auto;      /* as many features as the flown region asks for */
    ArcNetSettings net; /* where not auto: one hidden layer */
    double ridge;       /* NaN: chosen */
    double width;       /* of the features, in the scaled inputs; NaN: chosen */
    ArcClosureChoice choice;
    bool trains_all; /* the hidden layer too */
} ArcClosureSettings;

/* Off; evidence, everything chosen, features held. */
ArcClosureSettings arc_closure_settings_default(void);

/* What was learned: a grid over the inputs where the data are (one input: 101 rows along it; two:
 * those nodes of 41 x 41 that flights come near; more: points along the flights), inputs in SI. */
typedef struct ArcClosureTable {
    int n_rows, n_inputs, n_outputs;
    const char *const *input_names, *const *input_units;
    const char *const *output_names, *const *output_units;
    int grid[2];         /* nodes along each of one or two inputs; 0: no grid */
    const int *node;     /* (n_rows) its number on the grid, row-major; NULL without */
    const double *input; /* (n_rows, n_inputs) */
    const double *value; /* (n_rows, n_outputs) */
    const double *sd;    /* (n_rows, n_outputs) posterior */
} ArcClosureTable;

/* What a fit says of its closure. Owned by the fit. */
typedef struct ArcClosureFit {
    ArcClosureSettings settings;
    int n_units, n_weights; /* H, and O H (with a trained hidden layer also its own) */
    double width;
    int n_outputs;
    double ridge[ARC_EQUATIONS_MAX_STATES]; /* of each output; infinite: the data want none */
    const double *weights;                  /* (n_weights) */
    int n_hidden;                           /* numbers of the hidden layer as drawn, */
    const double *hidden;                   /* (n_hidden), and how the inputs are scaled for it */
    double centre[ARC_CLOSURE_MAX_INPUTS], scale[ARC_CLOSURE_MAX_INPUTS];
    const double *covariance; /* (n_weights, n_weights) of them, all parameters unknown */
    bool is_lost;             /* its search ended where whole steps still failed: far from the
                               * points, or in no valley */
    double effective;         /* number of weights that the data determine, of both methods by
                               * the simulator; NaN: cannot be had */
    double log_bayes;         /* ln of evidence with the closure over that without, ridge and width
                               * averaged over their grid */
    double chi2_without, chi2_with; /* of the observations */
    double misfit_explained; /* share of what chi2 without lies above its expectation; NaN: none */
    double rms;              /* of its acceleration along the flights */
    double rms_share;        /* that over drag's; NaN: no drag */
    int n_folds;             /* of cross-validation over flights; 0: fewer than 3 flights */
    double held_out_with, held_out_without; /* mean log density of a held-out number */
    ArcClosureTable table;
} ArcClosureFit;

/* The table as CSV, comment lines first; for arc_text_free. */
ArcStatus arc_closure_text(const ArcClosureFit *closure, char **text, ArcError *err);

#pragma GCC visibility pop

#endif
