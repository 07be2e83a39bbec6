/* Small dense algebra in long double, by other algorithms than the code under test: modified
 * Gram-Schmidt, done twice, and Gauss-Jordan elimination. All matrices are column-major. */
#ifndef DENSE_H
#define DENSE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { DENSE_MAX = 64 };

static inline long double dense_dot(int m, const long double *a, const long double *b)
{
    long double sum = 0.0L;
    for (int i = 0; i < m; i++)
        sum += a[i] * b[i];
    return sum;
}

/* v -= Q Q'v, twice; Q (m, k) orthonormal. */
static inline void dense_project(int m, int k, const long double *Q, long double *v)
{
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < k; j++) {
            const long double *q = Q + (size_t)j * (size_t)m;
            long double share = dense_dot(m, q, v);
            for (int i = 0; i < m; i++)
                v[i] -= share * q[i];
        }
}

/* An orthonormal basis of the columns of A (m, n) into Q; returns its rank. A column counts as
 * dependent when less than `least` of its length is left. */
static inline int dense_basis(int m, int n, const double *A, long double least, long double *Q)
{
    int rank = 0;
    for (int j = 0; j < n; j++) {
        long double *q = Q + (size_t)rank * (size_t)m;
        for (int i = 0; i < m; i++)
            q[i] = A[(size_t)i + (size_t)j * (size_t)m];
        long double before = sqrtl(dense_dot(m, q, q));
        dense_project(m, rank, Q, q);
        long double after = sqrtl(dense_dot(m, q, q));
        if (!(after > least * before))
            continue;
        for (int i = 0; i < m; i++)
            q[i] /= after;
        rank++;
    }
    return rank;
}

/* M (n, n) becomes its inverse; Gauss-Jordan with full pivoting. False where it is singular. */
static inline bool dense_invert(int n, long double *M)
{
    int row_of[DENSE_MAX], column_of[DENSE_MAX];
    bool used[DENSE_MAX] = {false};
    for (int step = 0; step < n; step++) {
        int row = -1, column = -1;
        long double largest = 0.0L;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (!used[i] && !used[j] && fabsl(M[i + j * n]) > largest) {
                    largest = fabsl(M[i + j * n]);
                    row = i;
                    column = j;
                }
        if (row < 0)
            return false;
        used[column] = true;
        for (int j = 0; row != column && j < n; j++) {
            long double swap = M[row + j * n];
            M[row + j * n] = M[column + j * n];
            M[column + j * n] = swap;
        }
        row_of[step] = row;
        column_of[step] = column;
        long double pivot = 1.0L / M[column + column * n];
        M[column + column * n] = 1.0L;
        for (int j = 0; j < n; j++)
            M[column + j * n] *= pivot;
        for (int i = 0; i < n; i++) {
            long double share = M[i + column * n];
            if (i == column)
                continue;
            M[i + column * n] = 0.0L;
            for (int j = 0; j < n; j++)
                M[i + j * n] -= share * M[column + j * n];
        }
    }
    for (int step = n - 1; step >= 0; step--)
        for (int i = 0; row_of[step] != column_of[step] && i < n; i++) {
            long double swap = M[i + row_of[step] * n];
            M[i + row_of[step] * n] = M[i + column_of[step] * n];
            M[i + column_of[step] * n] = swap;
        }
    return true;
}

/* G = A'A (n, n). */
static inline void dense_gram(int m, int n, const double *A, long double *G)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            long double sum = 0.0L;
            for (int k = 0; k < m; k++)
                sum += (long double)A[(size_t)k + (size_t)i * (size_t)m] *
                       A[(size_t)k + (size_t)j * (size_t)m];
            G[i + j * n] = sum;
        }
}

#endif
