/* Gauss-Legendre quadrature on [-1, 1], weights summing to 1. */
#ifndef ARC_FIT_QUADRATURE_H
#define ARC_FIT_QUADRATURE_H

/* Nodes ascending (n) and weights (n); roots of P_n by Newton's method from Tricomi's estimate. */
void arc_quadrature_gauss(int n, double *nodes, double *weights);

#endif
