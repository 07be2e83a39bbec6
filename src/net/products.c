/* Blocked DGEMM calls. Blocks follow from the shapes alone, so equal input gives equal bits. */
#include "net/products.h"

#include <cblas.h>
#include <string.h>

/* A little below the limit of OpenBLAS's small kernels; blocks of fewer rows gain nothing. */
static const double BLOCK_MULTIPLICATIONS = 950e3;
enum { MIN_BLOCK = 24, BLOCK_STEP = 8 };

/* Rows of a block; all of them where no useful block stays below the limit. */
static int block_rows(int rows, int fan_in, int fan_out)
{
    double most = BLOCK_MULTIPLICATIONS / ((double)fan_in * (double)fan_out);
    if (most >= (double)rows || most < (double)MIN_BLOCK)
        return rows;
    return (int)most / BLOCK_STEP * BLOCK_STEP;
}

static int is_blocked(int fan_in, int fan_out)
{
    return (double)fan_in * (double)fan_out * MIN_BLOCK <= BLOCK_MULTIPLICATIONS;
}

size_t arc_product_n_transposed(int fan_in, int fan_out)
{
    return is_blocked(fan_in, fan_out) ? (size_t)fan_in * (size_t)fan_out : 0;
}

/* The small kernels are slow with a transposed right-hand side. */
void arc_product_forward(int rows, int fan_in, int fan_out, const double *in, const double *W,
                         double *transposed, double *out)
{
    if (!is_blocked(fan_in, fan_out)) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, fan_out, fan_in, 1.0, in, fan_in,
                    W, fan_in, 0.0, out, fan_out);
        return;
    }
    for (int a = 0; a < fan_out; a++)
        for (int b = 0; b < fan_in; b++)
            transposed[(size_t)b * (size_t)fan_out + (size_t)a] =
                W[(size_t)a * (size_t)fan_in + (size_t)b];
    int block = block_rows(rows, fan_in, fan_out);
    for (int i = 0; i < rows; i += block) {
        int n = rows - i < block ? rows - i : block;
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, fan_out, fan_in, 1.0,
                    in + (size_t)i * (size_t)fan_in, fan_in, transposed, fan_out, 0.0,
                    out + (size_t)i * (size_t)fan_out, fan_out);
    }
}

void arc_product_backward(int rows, int fan_in, int fan_out, const double *Z, const double *W,
                          double beta, double *out)
{
    int block = block_rows(rows, fan_in, fan_out);
    for (int i = 0; i < rows; i += block) {
        int n = rows - i < block ? rows - i : block;
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, fan_in, fan_out, 1.0,
                    Z + (size_t)i * (size_t)fan_out, fan_out, W, fan_in, beta,
                    out + (size_t)i * (size_t)fan_in, fan_in);
    }
}

void arc_product_gradient(int rows, int fan_in, int fan_out, const double *Z, const double *y,
                          double *gradient)
{
    if (rows == 0)
        memset(gradient, 0, sizeof *gradient * (size_t)fan_in * (size_t)fan_out);
    int block = block_rows(rows, fan_in, fan_out);
    for (int i = 0; i < rows; i += block) {
        int n = rows - i < block ? rows - i : block;
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, fan_out, fan_in, n, 1.0,
                    Z + (size_t)i * (size_t)fan_out, fan_out, y + (size_t)i * (size_t)fan_in,
                    fan_in, i == 0 ? 0.0 : 1.0, gradient, fan_in);
    }
}
