/* Sums and products of vectors whose rounding depends on nothing but the numbers: neither on the
 * processor's vector width, nor on threads, nor on alignment. A resumed walk needs that. */
#ifndef ARC_SOLVE_VECTOR_H
#define ARC_SOLVE_VECTOR_H

#include <stdint.h> /* __GLIBC__, where that is the library */

/* Compiles a function for several vector widths, chosen when the program starts. Results are the
 * same for each, since products and sums are never contracted. clang 14 gives such functions other
 * names than their callers ask for, so it goes without. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#define ARC_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ARC_VECTOR_CLONES
#endif

/* a'b, both (n). */
double arc_vector_dot(int n, const double *a, const double *b);

/* b += factor * a, both (n), apart from each other. */
void arc_vector_add(int n, double factor, const double *a, double *b);

/* c = a + factor * b, all (n), c apart from both. */
void arc_vector_combine(int n, const double *a, double factor, const double *b, double *c);

#endif
