/* What is known of n unknowns of which some directions are not known at all: covariance C and null
 * directions N of infinite variance, and how a measurement of h'u changes both
 * (arcfit/identifiability.h has the equations).
 */
#ifndef ARC_SOLVE_DIFFUSE_H
#define ARC_SOLVE_DIFFUSE_H

#include <stdbool.h>

typedef struct ArcDiffuse {
    int n, m;
    double *C; /* (n, n) symmetric */
    double *N; /* (m, n) row-major, orthonormal rows */
} ArcDiffuse;

/* Makes the rows of N orthonormal; what the others already have is dropped from m. */
void arc_diffuse_straighten(ArcDiffuse *diffuse);

/* Adds a measurement of h'u, h (n), with this sd > 0. It takes away a null direction where more
 * than `least` of h lies along them, which is what is returned. work (3 n). */
bool arc_diffuse_measure(ArcDiffuse *diffuse, const double *h, double sd, double least,
                         double *work);

/* Reduced echelon form of the rows of N (m, n), full rank, by complete pivoting: row g has 1 at
 * lead[g], where the others have 0. */
void arc_diffuse_echelon(int m, int n, double *N, int *lead);

#endif
