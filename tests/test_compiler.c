/* What the compiler must get right with the build's own flags: gcc 12 at -O3 without
 * -fno-tree-loop-distribution leaves all fields but the first at zero here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { N = 8 };

typedef struct Numbers {
    int points, observations;
    double chi2, prior_chi2;
    int dof;
    double rest[6], ci95[2];
    int held_out;
    double rms[2];
    int n;
    const void *cameras;
} Numbers;

typedef struct Fit {
    int method;
    double before[7];
    Numbers numbers;
    double behind[40];
} Fit;

typedef struct Fits {
    int n;
    Fit *fits;
    const Fit *joint;
} Fits;

__attribute__((noinline)) static void fill(Fits *fits, const int *whole, const int *more,
                                           const double *real, const double *other)
{
    for (int i = 0; i < fits->n; i++) {
        Fit *fit = &fits->fits[i];
        fit->method = fits->joint->method;
        fit->numbers = (Numbers){.points = whole[i],
                                 .observations = more[i],
                                 .chi2 = real[i],
                                 .prior_chi2 = other[i],
                                 .dof = more[i],
                                 .rest = {other[i], real[i]},
                                 .ci95 = {NAN, NAN}};
    }
}

static void test_assign_compound_literals_in_a_loop_keeps_their_fields(void **state)
{
    (void)state;
    int whole[N], more[N];
    double real[N], other[N];
    Fit *fits = calloc(N, sizeof *fits), joint = {.method = 3};
    assert_non_null(fits);
    for (int i = 0; i < N; i++) {
        whole[i] = i + 1;
        more[i] = i + 20;
        real[i] = i + 0.5;
        other[i] = -i;
    }
    fill(&(Fits){N, fits, &joint}, whole, more, real, other);
    for (int i = 0; i < N; i++) {
        assert_int_equal(fits[i].method, 3);
        assert_int_equal(fits[i].numbers.points, i + 1);
        assert_int_equal(fits[i].numbers.observations, i + 20);
        assert_true(fits[i].numbers.chi2 == real[i]);
        assert_true(fits[i].numbers.prior_chi2 == other[i]);
        assert_true(fits[i].numbers.rest[1] == real[i]);
        assert_true(isnan(fits[i].numbers.ci95[0]));
    }
    free(fits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assign_compound_literals_in_a_loop_keeps_their_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
