/* An orthonormal basis of the accelerations that the output layer of a net can make.
 *
 * With F the jets of the last hidden layer (and the bias) at the collocation points, the
 * acceleration that a unit output weight makes, times sqrt(w), is
 *   C = sqrt(w) L (2 F + 4 s F'/h + s^2 F''/h^2) = Q R   (pivoted QR, truncated)
 * and b = R (output weights) makes C times weights = Q b. In it the physics rows are nearly
 * orthonormal whatever the net, which keeps the elimination of b (eliminate.h) accurate and cheap.
 * The basis depends on the hidden layers alone: one QR a stage.
 */
#ifndef ARC_FIT_BASIS_H
#define ARC_FIT_BASIS_H

#include "fit/pinn.h"

typedef struct ArcBasis {
    ArcPinn *pinn;
    int K;       /* features: last hidden width + 1 */
    int rank;    /* columns of the basis; 0: the hidden layers are not finite */
    int points;  /* pinn's */
    double *C;   /* (M, K): its QR; R in the upper triangle */
    int *pivot;  /* (K) */
    double *tau; /* (K) of the QR */
    double *work;
    int n_work;
    double *features;     /* (3 points, K) row-major */
    double *Bx, *Bv, *Ba; /* (points, rank) column-major: states that each b makes */
    double *weighted;     /* (M) scratch */
    double *coefficient;  /* (3 M) scratch */
} ArcBasis;

/* Basis and states at all points of pinn, in the arena. ARC_MEMORY. */
ArcStatus arc_basis_create(ArcPinn *pinn, ArcArena *arena, ArcBasis **basis, ArcError *err);

/* States at the points from begin on anew, after their tau and s have changed. */
void arc_basis_place(ArcBasis *basis, int begin);

/* pinn->x, v, a of the states that b (D, rank) and pinn's values make at all points. */
void arc_basis_states(ArcBasis *basis, const double *b);

/* Columns of b in the rows of observations and of pinn's own physics into J (column-major, ld),
 * after arc_pinn_residual with partials. Only what is not always zero is written. */
void arc_basis_columns(ArcBasis *basis, double *J, size_t ld);

/* Where a stage begins: b of the net's own output weights, or of the data's parabola for a net that
 * no stage has trained. ARC_MEMORY: of a phase, whose motion cannot be guessed without. */
ArcStatus arc_basis_start(ArcBasis *basis, double *b, ArcError *err);

/* Sets pinn's output weights to those of b. */
void arc_basis_store(ArcBasis *basis, const double *b);

#endif
