/* Own equations: what a plug-in says of itself, its rates and partials against formulas and the
 * built-in flight, shipped models, and every way in which a file is refused. */
#include "arcfit/equations.h"
#include "arcfit/flight.h"
#include "base/arena.h"
#include "base/random.h"
#include "plugin_case.h"
#include "slow.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>

static ArcEquations *load(const char *path)
{
    ArcEquations *equations = NULL;
    ArcError err = {0};
    if (arc_equations_load(path, PLUGIN_PLACE, &equations, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return equations;
}

static void test_load_pendulum_tells_its_model(void **state)
{
    (void)state;
    ArcEquations *e = load("experiments/models/pendulum.c");
    assert_string_equal(e->name, "pendulum");
    assert_int_equal(e->order, 2);
    assert_int_equal(e->n_states, 1);
    assert_int_equal(e->n_channels, 2);
    assert_int_equal(e->n_parameters, 4);
    assert_false(e->has_partials);
    assert_string_equal(e->channels[1].name, "vtheta");
    assert_string_equal(e->channels[1].unit, "rad/s");
    assert_true(e->channels[0].value == 0.5 && e->channels[0].low == -10);
    assert_true(e->channels[1].value == 0 && e->channels[1].high == 50);
    assert_string_equal(e->parameters[0].name, "length");
    assert_true(e->parameters[3].value == 9.80665);
    assert_int_equal(arc_equations_channel(e, "vtheta"), 1);
    assert_int_equal(arc_equations_channel(e, "length"), -1);
    arc_equations_free(e);
    arc_equations_free(NULL);
}

static void test_rates_lorenz_are_its_equations(void **state)
{
    (void)state;
    ArcEquations *e = load("experiments/models/lorenz.c");
    const double t[2] = {0, 1}, p[3] = {10, 15, 8.0 / 3};
    const double x[6] = {-8, 7, 27, 1, -2, 0.5};
    double f[6], alone[6], f_x[18], f_p[18];
    arc_equations_rates(e, 2, t, x, NULL, p, alone, NULL, NULL, NULL);
    arc_equations_rates(e, 2, t, x, NULL, p, f, f_x, NULL, f_p);
    assert_memory_equal(f, alone, sizeof f);
    for (int i = 0; i < 2; i++) {
        const double *s = x + 3 * i;
        const double want[3] = {p[0] * (s[1] - s[0]), s[0] * (p[1] - s[2]) - s[1],
                                s[0] * s[1] - p[2] * s[2]};
        const double by_x[9] = {-p[0], p[0], 0, p[1] - s[2], -1, -s[0], s[1], s[0], -p[2]};
        const double by_p[9] = {s[1] - s[0], 0, 0, 0, s[0], 0, 0, 0, -s[2]};
        for (int k = 0; k < 3; k++)
            assert_true(f[3 * i + k] == want[k]);
        for (int k = 0; k < 9; k++) {
            assert_true(fabs(f_x[9 * i + k] - by_x[k]) <= 4e-16 * fabs(by_x[k]));
            assert_true(fabs(f_p[9 * i + k] - by_p[k]) <= 4e-16 * fabs(by_p[k]));
        }
    }
    arc_equations_free(e);
}

/* Largest difference over the size of the partial: of its terms, where these cancel. */
static double worst(int n, const double *a, const double *b, double size)
{
    double most = 0;
    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(a[k] - b[k]) / fmax(fmax(fabs(a[k]), fabs(b[k])), size));
    return most;
}

/* Where nothing moves the ball's drag has no direction; its partials are zero, as the flight's.
 * What is not finite stays so. */
static void assert_limits_of_ball(const ArcEquations *e)
{
    const double t = 0, zero[2] = {0, 0}, p[4] = {0.02, 1, 0, 9.8};
    double f[2], f_x[4], f_v[4], f_p[8];
    arc_equations_rates(e, 1, &t, zero, zero, p, f, f_x, f_v, f_p);
    assert_true(f[0] == 0 && f[1] == -9.8);
    for (int k = 0; k < 4; k++)
        assert_true(f_v[k] == 0);
    const double infinite[2] = {INFINITY, NAN};
    arc_equations_rates(e, 1, &t, zero, infinite, p, f, f_x, f_v, f_p);
    assert_false(isfinite(f[0]) || isfinite(f[1]));
}

static void test_rates_ball_has_the_partials_of_the_built_in_flight(void **state)
{
    (void)state;
    ArcEquations *e = load("experiments/models/ball.c");
    ArcFlightSettings settings = arc_flight_settings_default();
    settings.drag = ARC_DRAG_LUMPED;
    settings.lift = ARC_LIFT_LUMPED;
    settings.has_gravity = true;
    ArcFlight flight;
    assert_int_equal(arc_flight_create(&settings, &flight, NULL), ARC_OK);
    assert_int_equal(flight.n_parameters, e->n_parameters);
    ArcRandom random = arc_random_create(7, 1);
    double most = 0;
    for (int i = 0; i < 1000; i++) {
        double t = i, x[2], v[2], p[4];
        for (int d = 0; d < 2; d++) {
            x[d] = arc_random_uniform(&random, -50, 50);
            v[d] = arc_random_uniform(&random, -40, 40);
        }
        p[0] = arc_random_uniform(&random, 0, 0.1);
        p[1] = arc_random_uniform(&random, -1, 1);
        p[2] = arc_random_uniform(&random, -100, 100);
        p[3] = arc_random_uniform(&random, 9, 10);
        double f[2], f_x[4], f_v[4], f_p[8], a[2], a_x[4], a_v[4], a_p[8];
        arc_equations_rates(e, 1, &t, x, v, p, f, f_x, f_v, f_p);
        arc_flight_acceleration(&flight, 1, &t, x, v, p, a, a_x, a_v, a_p);
        /* Where terms of opposite sign nearly cancel, both are exact to the terms' rounding. */
        double speed = hypot(v[0], v[1]);
        most = fmax(most, worst(2, f, a, p[3]));
        most = fmax(most, worst(4, f_v, a_v, p[0] * speed + fabs(p[1] * p[2])));
        most = fmax(most, worst(8, f_p, a_p, 0));
        assert_memory_equal(f_x, a_x, sizeof f_x);
    }
    if (!(most <= 1e-14))
        fail_msg("partials differ by %.3g of their size", most);
    assert_limits_of_ball(e);
    arc_equations_free(e);
}

/* Every function of model.h against differences of <math.h>'s own. */
static void test_rates_functions_have_their_derivatives(void **state)
{
    (void)state;
    static const char body[] =
        "#include <arcfit/model.h>\n"
        "static const ArcModelQuantity states[] = {{\"x\", \"1\", \"a\", 0.6, 0.2, 0.9}};\n"
        "static const ArcModelQuantity parameters[] = {{\"w\", \"1\", \"b\", 0.4, 0.1, 0.8}};\n"
        "static void rates(real t, const real *x, const real *v, const real *p, real *f)\n{\n"
        "real a = x[0], b = p[0];\n"
        "f[0] = exp(a) + 2 * expm1(a * b) + 3 * log(a) + 5 * log1p(a * a) + 7 * sqrt(a + b)\n"
        "  + 11 * sin(a) * cos(b) + 13 * tan(a * b) + 17 * asin(a) - 19 * acos(b) + 23 * atan(a)\n"
        "  + 29 * sinh(a) - 31 * cosh(b) + 37 * tanh(a - b) + 41 * erf(a) + 43 * fabs(b - 2 * a)\n"
        "  + 47 * pow(a, b) + 53 * pow(a, 3) + 59 * hypot(a, b) + 61 * atan2(a, -b)\n"
        "  + 67 * fmax(a, 2 * b) + 71 * fmin(a, 3 * b) + 73 * logistic(a / b) + 79 * softplus(a);\n"
        "}\nARC_MODEL(\"all\", \"d\", 1, states, parameters, rates, NULL)\n";
    ArcEquations *e = load(plugin_write("all", "", body, ""));
    const double t = 0, a = 0.6, b = 0.4, by_log = log(a);
    double f, f_x, f_p;
    arc_equations_rates(e, 1, &t, &a, NULL, &b, &f, &f_x, NULL, &f_p);
    double sum = a + b, r2 = a * a + b * b, s = 1 / (1 + exp(-a / b)), power = pow(a, b);
    double want_x = exp(a) + 2 * b * exp(a * b) + 3 / a + 10 * a / (1 + a * a) + 3.5 / sqrt(sum) +
                    11 * cos(a) * cos(b) + 13 * b / pow(cos(a * b), 2) + 17 / sqrt(1 - a * a) +
                    23 / (1 + a * a) + 29 * cosh(a) + 37 / pow(cosh(a - b), 2) +
                    82 / sqrt(M_PI) * exp(-a * a) + 86 + 47 * b * power / a + 159 * a * a +
                    59 * a / sqrt(r2) - 61 * b / r2 + 71 + 73 * s * (1 - s) / b +
                    79 / (1 + exp(-a));
    double want_p = 2 * a * exp(a * b) + 3.5 / sqrt(sum) - 11 * sin(a) * sin(b) +
                    13 * a / pow(cos(a * b), 2) + 19 / sqrt(1 - b * b) - 31 * sinh(b) -
                    37 / pow(cosh(a - b), 2) - 43 + 47 * power * by_log + 59 * b / sqrt(r2) +
                    61 * a / r2 + 134 - 73 * s * (1 - s) * a / (b * b);
    assert_true(fabs(f_x - want_x) < 1e-14 * fabs(want_x));
    assert_true(fabs(f_p - want_p) < 2e-14 * fabs(want_p));
    arc_equations_free(e);
}

static void *load_models(void *names)
{
    for (const char *const *name = names; *name != NULL; name++) {
        char path[64];
        snprintf(path, sizeof path, "experiments/models/%s.c", *name);
        ArcEquations *e = NULL;
        ArcError err;
        if (arc_equations_load(path, PLUGIN_PLACE, &e, &err) != ARC_OK)
            return strdup(err.text);
        if (strcmp(e->name, *name) != 0)
            return strdup(path);
        arc_equations_free(e);
    }
    return NULL;
}

static void test_load_same_model_from_two_threads(void **state)
{
    (void)state;
    bool has_all = slow_is_wanted();
    const char *const first[] = {"knee", has_all ? "cart" : NULL, "lotka_volterra", NULL};
    const char *const second[] = {"knee", has_all ? "drone" : NULL, "gripper", "fitzhugh_nagumo",
                                  NULL};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, load_models, (void *)first), 0);
    void *here = load_models((void *)second), *there;
    assert_int_equal(pthread_join(thread, &there), 0);
    if (here != NULL || there != NULL)
        fail_msg("%s", (char *)(here != NULL ? here : there));
}

#define PARTIALS(body)                                                                             \
    PLUGIN_RATES("")                                                                               \
    "static void partials(double t, const double *x, const double *v, const double *p,\n"          \
    "double *f_x, double *f_v, double *f_p)\n{\n"                                                  \
    "f_x[0] = p[0]; f_x[1] = f_x[2] = 0; f_x[3] = p[1];\n"                                         \
    "f_p[0] = x[0]; f_p[1] = f_p[2] = 0; " body                                                    \
    "\n}\nARC_MODEL(\"own\", \"d\", 1, states, parameters, rates, partials)\n"

static void test_load_own_partials_are_taken(void **state)
{
    (void)state;
    ArcEquations *e =
        load(plugin_write("own", PLUGIN_HEAD, PARTIALS("f_p[3] = x[1] * (1 + 1e-9);"), ""));
    assert_true(e->has_partials);
    const double t[2] = {0, 0}, x[4] = {1, 2, 3, 4}, p[2] = {0.5, 0.1};
    double f[4], f_x[8], f_p[8];
    arc_equations_rates(e, 2, t, x, NULL, p, f, f_x, NULL, f_p);
    assert_true(f_p[4] == 3 && f_p[7] == 4 * (1 + 1e-9) && f_x[7] == 0.1);
    arc_equations_free(e);
}

/* Refusals. */

/* A load costs a third of a second: those named slow are asked with ARCFIT_SLOW alone. */
typedef struct Refusal {
    const char *name, *body, *text; /* text: part of the message */
} Refusal;

static void assert_refused(const char *path, ArcStatus expected, const char *text)
{
    ArcEquations *equations = NULL;
    ArcError err = {0};
    ArcStatus status = arc_equations_load(path, PLUGIN_PLACE, &equations, &err);
    if (status != expected || strstr(err.text, text) == NULL)
        fail_msg("%s: expected \"%s\", but: %s", path, text, err.text);
    assert_null(equations);
}

static void assert_all_refused(int n, const Refusal *refusals)
{
    for (int i = 0; i < n; i++) {
        if (strncmp(refusals[i].name, "slow", 4) == 0 && !slow_is_wanted())
            continue;
        const char *path =
            plugin_write(refusals[i].name, PLUGIN_HEAD, refusals[i].body, PLUGIN_END);
        assert_refused(path, ARC_INPUT, refusals[i].text);
    }
}

#define ASSERT_ALL_REFUSED(refusals)                                                               \
    assert_all_refused((int)(sizeof(refusals) / sizeof *(refusals)), refusals)

static void test_load_tells_the_compilers_first_error_at_its_place(void **state)
{
    (void)state;
    const Refusal refusals[] = {
        {"slow_syntax", PLUGIN_RATES("f[0] = 1 f[1] = 2;"), "slow_syntax.c:11:"},
        {"compare", PLUGIN_RATES("\nif (x[0] > 0) f[0] = p[0];"), "what is compared is value(x)"},
        {"slow_function", PLUGIN_RATES("f[0] += nowhere(x[0]);"), "slow_function.c:11:"},
    };
    ASSERT_ALL_REFUSED(refusals);
    const char *path = plugin_write("macro", PLUGIN_HEAD, PLUGIN_RATES(""),
                                    "ARC_MODEL(\"m\", \"d\", 1, stats, parameters, rates, NULL)");
    assert_refused(path, ARC_INPUT, "macro.c:13:");
    assert_refused(plugin_write("none", PLUGIN_HEAD, PLUGIN_RATES(""), ""), ARC_INPUT,
                   "none.c' has no model: it includes");
    assert_refused("/nowhere/model.c", ARC_INPUT, "experiment.yaml:3:10: error: cannot open");
}

static void test_load_refuses_what_touches_other_memory(void **state)
{
    (void)state;
    const Refusal refusals[] = {
        {"behind", PLUGIN_RATES("f[2] = 0;"), "touch f[2], but there are only f[0] to f[1]"},
        {"before", PLUGIN_RATES("f[-1] = 0;"), "touch f[-1], but there are only f[0] to f[1]"},
        {"slow_p", PLUGIN_RATES("f[0] += p[2];"), "touch p[2], but there are only p[0] to p[1]"},
        {"slow_x", PLUGIN_RATES("f[0] += x[-1];"), "touch x[-1], but there are only x[0] to x[1]"},
        {"write", PLUGIN_RATES("((real *)x)[1] = 0;"), "write to x[1], an argument"},
        {"v", PLUGIN_RATES("f[0] += v[0];"), "use a pointer that is NULL, as v is"},
    };
    ASSERT_ALL_REFUSED(refusals);
    const char *path =
        plugin_write("partials", PLUGIN_HEAD, PARTIALS("f_p[4] = f_p[3] = x[1];"), "");
    assert_refused(path, ARC_INPUT, "its partials touch f_p[4], but there are only f_p[0] to");
}

static void test_load_refuses_what_does_not_return(void **state)
{
    (void)state;
    const Refusal refusals[] = {
        {"hang", PLUGIN_RATES("for (volatile int i = 1; i;) ;"), "do not come to an end"},
        {"slow_exit", PLUGIN_RATES("exit(0);"), "its rates end the program"},
        {"leave", PLUGIN_RATES("_exit(3);"), "its rates end the program (exit code 3)"},
        {"slow_abort", PLUGIN_RATES("abort();"), "its rates crash (abort)"},
        {"memory",
         PLUGIN_RATES("for (;;) { volatile char *m = malloc(1 << 24); "
                      "for (int i = 0; i < 1 << 24; i += 4096) m[i] = 1; }"),
         "its rates use a pointer that is NULL"},
        {"slow_load",
         PLUGIN_RATES("") "__attribute__((constructor)) static void a(void) { abort(); }\n",
         "its file's own parts crash (abort)"},
        {"unload",
         PLUGIN_RATES("") "__attribute__((destructor)) static void a(void) { abort(); }\n",
         "its file's own parts crash (abort)"},
        {"fork", PLUGIN_RATES("") "__attribute__((constructor)) static void a(void) { fork(); }\n",
         "it starts processes of its own"},
    };
    ASSERT_ALL_REFUSED(refusals);
}

static void test_load_refuses_rates_that_are_none(void **state)
{
    (void)state;
    const Refusal refusals[] = {
        {"nan", PLUGIN_RATES("f[1] = log(-x[0]);"), "give nan for f[1], of 'y', at the defaults"},
        {"static", PLUGIN_RATES("static int n; f[1] += n++;"), "keep nothing from call to call"},
        {"double", PLUGIN_RATES("double y = x[0]; f[0] = p[0] * y;"),
         "d f[0] / d x of its rates is 0, but 0.5 by differences"},
    };
    ASSERT_ALL_REFUSED(refusals);
    const char *path = plugin_write("wrong", PLUGIN_HEAD, PARTIALS("f_p[3] = 1;"), "");
    assert_refused(path, ARC_INPUT, "d f[1] / d s of its partials is 1, but 2 by the rates, at");
    static const char unset[] =
        "static void rates(real t, const real *x, const real *v, const real *p, real *f)\n"
        "{ f[0] = x[0]; }\n";
    assert_refused(plugin_write("unset", PLUGIN_HEAD, unset, PLUGIN_END), ARC_INPUT,
                   "its rates leave f[1] unset");
}

/* The model of a head with two states, of which the first is given as C text. */
static void assert_state_refused(const char *quantity, const char *order, const char *text)
{
    char head[512], end[128];
    snprintf(head, sizeof head,
             "#include <arcfit/model.h>\nstatic const ArcModelQuantity states[] = {{%s},"
             "{\"y\", \"m\", \"b\", 2, -9, 9}};\n"
             "static const ArcModelQuantity parameters[] = {{\"k\", \"1\", \"c\", 0.5, 0, 2},\n"
             "    {\"vy\", \"1/s\", \"d\", 0.1, -5, 5}};\n",
             quantity);
    snprintf(end, sizeof end, "ARC_MODEL(\"m\", \"d\", %s, states, parameters, rates, NULL)\n",
             order);
    assert_refused(plugin_write("state", head, PLUGIN_RATES(""), end), ARC_INPUT, text);
}

static void test_load_refuses_names_units_and_ranges(void **state)
{
    (void)state;
    assert_state_refused("\"y0\", \"m\", \"a\", 1, -9, 9", "1", "'y0' is that of a state's start");
    assert_state_refused("\"x\", \"m\", \"a\", 1, -9, 9", "2", "the name 'vy' is used twice");
    assert_state_refused("\"x\", \"\", \"a\", 1, -9, 9", "1", "the name 'x' has no unit");
    assert_state_refused("\"x\", \"m\", \"a\\n\", 1, -9, 9", "1",
                         "the doc of 'x' has a character that cannot be printed, 0x0a");
    if (!slow_is_wanted())
        return;
    assert_state_refused("\"2x\", \"m\", \"a\", 1, -9, 9", "1", "the name '2x' is none");
    assert_state_refused("\"t0\", \"m\", \"a\", 1, -9, 9", "1",
                         "the name 't0' is that of the time");
    assert_state_refused("\"k\", \"m\", \"a\", 1, -9, 9", "1", "the name 'k' is used twice");
    assert_state_refused("\"x\", \"m\", NULL, 1, -9, 9", "1", "state 1 of 2 has no name, unit or");
    assert_state_refused("\"x\", \"m\", \"a\", 11, -9, 9", "1",
                         "the default 11 of 'x' must lie in");
    assert_state_refused("\"x\", \"m\", \"a\", 1, -9, 9", "3", "its order is 3, not 1 or 2");
}

static void test_load_compiler_is_that_of_the_environment(void **state)
{
    (void)state;
    const char *was = getenv("CC");
    char *kept = was == NULL ? NULL : strdup(was);
    const char *path = plugin_write("plain", PLUGIN_HEAD, PLUGIN_RATES(""), PLUGIN_END);
    setenv("CC", "no-such-compiler", 1);
    assert_refused(path, ARC_SYSTEM, "cannot run the C compiler 'no-such-compiler': ");
    setenv("CC", "false", 1);
    assert_refused(path, ARC_SYSTEM, "the C compiler 'false' fails");
    /* With words, and where ends of children are nobody's business. */
    setenv("CC", "env LC_ALL=C cc", 1);
    void (*before)(int) = signal(SIGCHLD, SIG_IGN);
    arc_equations_free(load(path));
    signal(SIGCHLD, before);
    if (kept == NULL)
        unsetenv("CC");
    else
        setenv("CC", kept, 1);
    free(kept);
}

static void test_load_without_room_for_temporary_files_says_so(void **state)
{
    (void)state;
    char *kept = strdup(getenv("TMPDIR"));
    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_refused("experiments/models/lorenz.c", ARC_SYSTEM, "name another in TMPDIR");
    setenv("TMPDIR", kept, 1);
    free(kept);
}

static bool refuse_block(void *left, size_t size)
{
    (void)size;
    int *blocks = left;
    return (*blocks)-- > 0;
}

static void test_load_without_memory_says_so(void **state)
{
    (void)state;
    for (int blocks = 0;; blocks++) {
        int left = blocks;
        ArcEquations *equations = NULL;
        arc_memory_set_hook(refuse_block, &left);
        ArcStatus status =
            arc_equations_load("experiments/models/lorenz.c", PLUGIN_PLACE, &equations, NULL);
        arc_memory_set_hook(NULL, NULL);
        if (status == ARC_OK) {
            arc_equations_free(equations);
            assert_true(blocks > 0);
            return;
        }
        assert_int_equal(status, ARC_MEMORY);
        assert_null(equations);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_pendulum_tells_its_model),
        cmocka_unit_test(test_rates_lorenz_are_its_equations),
        cmocka_unit_test(test_rates_ball_has_the_partials_of_the_built_in_flight),
        cmocka_unit_test(test_rates_functions_have_their_derivatives),
        cmocka_unit_test(test_load_same_model_from_two_threads),
        cmocka_unit_test(test_load_own_partials_are_taken),
        cmocka_unit_test(test_load_tells_the_compilers_first_error_at_its_place),
        cmocka_unit_test(test_load_refuses_what_touches_other_memory),
        cmocka_unit_test(test_load_refuses_what_does_not_return),
        cmocka_unit_test(test_load_refuses_rates_that_are_none),
        cmocka_unit_test(test_load_refuses_names_units_and_ranges),
        cmocka_unit_test(test_load_compiler_is_that_of_the_environment),
        cmocka_unit_test(test_load_without_room_for_temporary_files_says_so),
        cmocka_unit_test(test_load_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, plugin_make_folder, plugin_remove_folder);
}
