/* Elimination of inner unknowns from a linear least-squares problem.
 *
 * min over (y, d) of |A y + P d + r|^2, A (m, n), P (m, p), becomes a problem in d alone:
 * with the columns of P and r projected on the complement of range(A),
 *   P_perp = P - A X_P,  r_perp = r - A X_r,      y = -(X_r + X_P d),
 * and P_perp = Q T: min over d of |T d + c|^2, c = Q' r_perp. T carries all that the data say of
 * the outer unknowns: inverse(T'T) is their block of the whole problem's inverse(J'J).
 *
 * Two ways, chosen by the conditioning of A: Cholesky of A'A with a second projection (the scheme
 * of CholeskyQR2: Yamamoto, Nakatsukasa, Yanagisawa, Fukaya, Electron. Trans. Numer. Anal. 44
 * (2015) 306), and column-scaled QR with pivoting, truncated where the diagonal falls below a
 * fraction.
 */
#ifndef ARC_SOLVE_ELIMINATE_H
#define ARC_SOLVE_ELIMINATE_H

#include "base/arena.h"

#include <stdbool.h>

/* Columns of A that are zero outside some rows; blocks share neither. */
typedef struct ArcInnerBlock {
    int first_row, rows;
    int first_column, columns;
} ArcInnerBlock;

enum { ARC_MAX_INNER_BLOCKS = 4 };

/* Result and scratch for one shape (m, n, p); reusable. */
typedef struct ArcElimination {
    int m, n, p;
    int n_blocks; /* of A; one block of all where it has no more structure */
    ArcInnerBlock blocks[ARC_MAX_INNER_BLOCKS];
    int t_rows;         /* min(rows left after pivoted QR, else m; p) */
    double *T;          /* (p, p) column-major, upper triangular; rows from t_rows on are zero */
    double *c;          /* (p), zero from t_rows on */
    double *X;          /* (n, p + 1) column-major: X_P, then X_r */
    double inner_norm2; /* |A X_r|^2 : what the inner unknowns alone take off |r|^2 */
    int rank;           /* of A */
    bool pivoted;       /* the second way was taken */
    double *work;
    double *A_copy; /* (m, n); scratch (n, p + 1) */
    double *B;      /* (m, p + 1): P_perp, r_perp */
    double *G;      /* (n, n) */
    double *scale;  /* (n) */
    double *tau;    /* (n + p + 1) */
    int *pivot;     /* (n) */
    int n_work;
} ArcElimination;

/* All arrays in the arena. m >= 1, p >= 1, n >= 0. */
ArcStatus arc_elimination_create(int m, int n, int p, ArcArena *arena, ArcElimination *elimination,
                                 ArcError *err);

/* For a smaller shape than it was made for, A without structure. */
void arc_elimination_set_shape(ArcElimination *elimination, int m, int n, int p);

/* Of a J whose inner columns are in blocks, which the first way makes use of: n of them, all of A
 * together. */
void arc_elimination_set_blocks(ArcElimination *elimination, int n, const ArcInnerBlock *blocks);

/* J (m, n + p) column-major, inner columns first; r (m); both left as they are. truncation:
 * relative size under which a column of the pivoted QR counts as dependent. False where J or
 * r holds a non-finite number; T, c and X are then of no use. */
bool arc_elimination_run(ArcElimination *elimination, const double *J, const double *r,
                         double truncation);

/* After a run with this J: y (n) = -pinv(A) r for another r (m). */
void arc_elimination_inner(ArcElimination *elimination, const double *J, const double *r,
                           double *y);

/* After a run that nothing followed: orthonormal coordinates of the rows. outer (m, p) column-major
 * is Q of P_perp = Q T; inner (n_rows, n) column-major those of A's first n_rows rows in a basis of
 * range(A), zero beyond its rank. The sum of squares of a row of both is its leverage. The run's
 * own arrays are of no use afterwards, but T, c and X. False where LAPACK fails. */
bool arc_elimination_rows(ArcElimination *elimination, const double *J, int n_rows, double *inner,
                          double *outer);

/* After a run: log det([A P]'[A P]) over the directions that were not truncated. */
double arc_elimination_log_det(const ArcElimination *elimination);

#endif
