/* The blocked products, against plain loops; with fewer rows than a block, with several blocks, and
 * with layers that are not blocked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "net/products.h"
#include "sweep.h"

#include <string.h>

/* rows, fan_in, fan_out */
static const int shapes[][3] = {{1, 1, 1},      {0, 3, 5},     {57, 7, 3},      {700, 64, 64},
                                {500, 64, 3},   {333, 33, 65}, {101, 150, 120}, {24, 200, 199},
                                {50, 210, 200}, {9, 1, 1024},  {9, 1024, 1024}};
enum { N_SHAPES = sizeof shapes / sizeof shapes[0] };

typedef struct Matrices {
    ArcArena *arena;
    size_t rows, fan_in, fan_out;
    double *y, *W, *Z, *transposed, *out; /* out has room for each of the three results */
} Matrices;

static void matrices_create(Matrices *m, const int shape[3])
{
    m->arena = arc_arena_create();
    m->rows = (size_t)shape[0];
    m->fan_in = (size_t)shape[1];
    m->fan_out = (size_t)shape[2];
    size_t wide = m->fan_in > m->fan_out ? m->fan_in : m->fan_out;
    size_t tall = m->rows > wide ? m->rows : wide;
    m->y = ARC_ALLOC(m->arena, m->rows * m->fan_in, double);
    m->W = ARC_ALLOC(m->arena, m->fan_out * m->fan_in, double);
    m->Z = ARC_ALLOC(m->arena, m->rows * m->fan_out, double);
    m->transposed = ARC_ALLOC(m->arena, arc_product_n_transposed(shape[1], shape[2]), double);
    m->out = ARC_ALLOC(m->arena, tall * wide, double);
    assert_non_null(m->out);
    for (size_t k = 0; k < m->rows * m->fan_in; k++)
        m->y[k] = sin(0.7 * (double)k);
    for (size_t k = 0; k < m->fan_out * m->fan_in; k++)
        m->W[k] = sin(1.3 * (double)k + 1.0);
    for (size_t k = 0; k < m->rows * m->fan_out; k++)
        m->Z[k] = sin(1.9 * (double)k + 2.0);
    for (size_t k = 0; k < tall * wide; k++)
        m->out[k] = 0.5;
}

/* Every element of small results, a spread of the others. */
static size_t stride(size_t n)
{
    return n < 500 ? 1 : n / 500 + 1;
}

static void test_product_forward_matches_loop(void **state)
{
    (void)state;
    for (int s = 0; s < N_SHAPES; s++) {
        Matrices m;
        matrices_create(&m, shapes[s]);
        arc_product_forward(shapes[s][0], shapes[s][1], shapes[s][2], m.y, m.W, m.transposed,
                            m.out);
        size_t n = m.rows * m.fan_out;
        for (size_t k = 0; k < n; k += stride(n)) {
            double sum = 0.0;
            for (size_t b = 0; b < m.fan_in; b++)
                sum += m.y[k / m.fan_out * m.fan_in + b] * m.W[k % m.fan_out * m.fan_in + b];
            assert_near(m.out[k], sum, 1e-14 * (double)m.fan_in);
        }
        arc_arena_free(m.arena);
    }
}

static void test_product_backward_adds_to_beta_times_out(void **state)
{
    (void)state;
    for (int s = 0; s < N_SHAPES; s++)
        for (int beta = 0; beta < 2; beta++) {
            Matrices m;
            matrices_create(&m, shapes[s]);
            arc_product_backward(shapes[s][0], shapes[s][1], shapes[s][2], m.Z, m.W, beta, m.out);
            size_t n = m.rows * m.fan_in;
            for (size_t k = 0; k < n; k += stride(n)) {
                double sum = 0.5 * beta;
                for (size_t a = 0; a < m.fan_out; a++)
                    sum += m.Z[k / m.fan_in * m.fan_out + a] * m.W[a * m.fan_in + k % m.fan_in];
                assert_near(m.out[k], sum, 1e-14 * (double)m.fan_out);
            }
            arc_arena_free(m.arena);
        }
}

static void test_product_gradient_matches_loop(void **state)
{
    (void)state;
    for (int s = 0; s < N_SHAPES; s++) {
        Matrices m;
        matrices_create(&m, shapes[s]);
        arc_product_gradient(shapes[s][0], shapes[s][1], shapes[s][2], m.Z, m.y, m.out);
        size_t n = m.fan_out * m.fan_in;
        for (size_t k = 0; k < n; k += stride(n)) {
            double sum = 0.0;
            for (size_t i = 0; i < m.rows; i++)
                sum += m.Z[i * m.fan_out + k / m.fan_in] * m.y[i * m.fan_in + k % m.fan_in];
            assert_near(m.out[k], sum, 1e-14 * (double)(m.rows + 1));
        }
        arc_arena_free(m.arena);
    }
}

static void test_product_n_transposed_is_w_or_nothing(void **state)
{
    (void)state;
    assert_int_equal(arc_product_n_transposed(64, 32), 64 * 32);
    assert_int_equal(arc_product_n_transposed(1024, 1024), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_product_forward_matches_loop),
        cmocka_unit_test(test_product_backward_adds_to_beta_times_out),
        cmocka_unit_test(test_product_gradient_matches_loop),
        cmocka_unit_test(test_product_n_transposed_is_w_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
