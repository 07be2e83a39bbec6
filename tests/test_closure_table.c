/* What a closure has learned as a table and as CSV: values and posterior sd against a curve in
 * closed form, where the rows are, names. */
#include "model/closure_table.h"

#include "base/text.h"
#include "flight_case.h"

enum { MAX_I = ARC_CLOSURE_MAX_INPUTS, MAX_K = 600, FLOWN = 300 };

typedef struct TableCase {
    ArcArena *arena;
    ArcFlight flight;
    ArcClosure *closure;
    ArcClosureLearned learned;
    ArcClosureTable table;
    double flown[FLOWN * MAX_I], weights[MAX_K];
} TableCase;

static TableCase made;

static ArcClosureSettings settings_with(ArcClosureOutput output, int n,
                                        const ArcClosureInput *inputs)
{
    ArcClosureSettings settings = arc_closure_settings_default();
    settings.is_on = true;
    settings.output = output;
    settings.axes = 5;
    settings.width = 0.5;
    settings.n_inputs = n;
    memcpy(settings.inputs, inputs, (size_t)n * sizeof *inputs);
    return settings;
}

/* Points on a line aslant, of which none lies near the other two corners. */
static void fly(int I)
{
    for (int k = 0; k < FLOWN; k++)
        for (int i = 0; i < I; i++)
            made.flown[k * I + i] = (i + 1) * (2 + 6.0 * k / (FLOWN - 1));
}

/* The covariance is that of the weights by a few numbers of data: symmetric, positive. */
static void learn(const ArcClosureSettings *settings, const ArcEquations *equations)
{
    int I = settings->n_inputs;
    ArcError err = {0};
    made.arena = arc_arena_create();
    made.flight = flight_of(settings_of(3, 2, ARC_DRAG_NONE, ARC_LIFT_LINEAR, 0));
    fly(I);
    if (arc_closure_create(settings, equations == NULL ? &made.flight : NULL,
                           equations == NULL ? 3 : equations->n_states, FLOWN, made.flown, 3,
                           made.arena, &made.closure, &err) != ARC_OK)
        fail_msg("%s", err.text);
    int K = made.closure->K;
    assert_in_range(K, 1, MAX_K);
    double *C = ARC_ALLOC(made.arena, (size_t)(K * K), double);
    arc_closure_start(made.closure, made.weights);
    for (int k = 0; k < K; k++) {
        made.weights[k] += sin(k + 1);
        for (int l = 0; l < K; l++)
            C[k * K + l] = (k == l ? 0.02 : 0) + 0.01 * cos(k) * cos(l);
    }
    made.learned = (ArcClosureLearned){made.closure, equations, made.weights, C, FLOWN, made.flown};
    assert_int_equal(arc_closure_tabulate(&made.learned, made.arena, &made.table, &err), ARC_OK);
}

/* Value and sd of every row from the features, by the double sum. */
static void check_rows(void)
{
    const ArcClosure *closure = made.closure;
    const ArcClosureTable *table = &made.table;
    int K = closure->K, H = closure->H, O = closure->O;
    for (int k = 0; k < table->n_rows; k++) {
        double y[MAX_I], phi[MAX_K];
        arc_closure_outputs(closure, made.weights, 1, table->input + k * closure->I, y, phi);
        for (int o = 0; o < O; o++) {
            double variance = 0;
            for (int a = 0; a < H; a++)
                for (int b = 0; b < H; b++)
                    variance +=
                        phi[a] * phi[b] * made.learned.covariance[(o * H + a) * K + o * H + b];
            assert_true(table->value[k * O + o] == y[o]);
            assert_true(fabs(table->sd[k * O + o] - sqrt(variance)) < 1e-12);
            assert_true(table->sd[k * O + o] > 0);
        }
    }
}

static void test_tabulate_one_input_is_a_curve_from_least_to_largest(void **state)
{
    (void)state;
    const ArcClosureInput speed = {ARC_CLOSURE_SPEED, 0};
    ArcClosureSettings settings = settings_with(ARC_CLOSURE_CD, 1, &speed);
    learn(&settings, NULL);
    const ArcClosureTable *table = &made.table;
    assert_int_equal(table->n_rows, 101);
    assert_int_equal(table->grid[0], 101);
    assert_int_equal(table->grid[1], 0);
    assert_null(table->node);
    assert_true(fabs(table->input[0] - 2) < 1e-12 && fabs(table->input[100] - 8) < 1e-12);
    assert_string_equal(table->input_names[0], "speed");
    assert_string_equal(table->input_units[0], "m/s");
    assert_string_equal(table->output_names[0], "cd");
    assert_string_equal(table->output_units[0], "1");
    check_rows();
    arc_arena_free(made.arena);
}

static void test_tabulate_two_inputs_are_the_nodes_that_flights_come_near(void **state)
{
    (void)state;
    const ArcClosureInput inputs[] = {{ARC_CLOSURE_POSITION, 0}, {ARC_CLOSURE_HEIGHT, 0}};
    ArcClosureSettings settings = settings_with(ARC_CLOSURE_ACCELERATION, 2, inputs);
    learn(&settings, NULL);
    const ArcClosureTable *table = &made.table;
    assert_int_equal(table->grid[0], 41);
    assert_int_equal(table->grid[1], 41);
    assert_string_equal(table->input_names[1], "height");
    assert_string_equal(table->output_names[1], "az");
    assert_string_equal(table->output_units[1], "m/s^2");
    bool is_there[41 * 41] = {false};
    for (int k = 0; k < table->n_rows; k++) {
        int node = table->node[k];
        is_there[node] = true;
        assert_true(fabs(table->input[2 * k] - (2 + 6 * (node / 41) / 40.0)) < 1e-12);
        assert_true(fabs(table->input[2 * k + 1] - (4 + 12 * (node % 41) / 40.0)) < 1e-12);
    }
    assert_in_range(table->n_rows, 41 * 3, 41 * 41 / 2);
    /* the ends of the line, and the corners aside; 1.5 m is half a width here */
    assert_true(is_there[0] && is_there[41 * 41 - 1]);
    assert_false(is_there[40] || is_there[41 * 40]);
    assert_true(is_there[20 * 41 + 25] && !is_there[20 * 41 + 32]);
    check_rows();
    arc_arena_free(made.arena);
}

static void test_tabulate_more_inputs_are_points_along_the_flights(void **state)
{
    (void)state;
    const ArcClosureInput inputs[] = {
        {ARC_CLOSURE_POSITION, 0}, {ARC_CLOSURE_VELOCITY, 1}, {ARC_CLOSURE_TIME, 0}};
    ArcClosureSettings settings = settings_with(ARC_CLOSURE_ACCELERATION, 3, inputs);
    settings.trains_all = true;
    learn(&settings, NULL);
    const ArcClosureTable *table = &made.table;
    assert_int_equal(table->n_rows, 201);
    assert_int_equal(table->grid[0], 0);
    assert_memory_equal(table->input, made.flown, 3 * sizeof(double));
    assert_memory_equal(table->input + 600, made.flown + 3 * (FLOWN - 1), 3 * sizeof(double));
    assert_string_equal(table->input_names[1], "vy");
    assert_string_equal(table->input_units[1], "m/s");
    assert_string_equal(table->input_names[2], "time");
    arc_arena_free(made.arena);
}

/* With the hidden layer trained its weights count, too. */
static void test_tabulate_a_trained_layer_adds_to_the_sd(void **state)
{
    (void)state;
    const ArcClosureInput speed = {ARC_CLOSURE_SPEED, 0};
    ArcClosureSettings settings = settings_with(ARC_CLOSURE_CD, 1, &speed);
    settings.trains_all = true;
    learn(&settings, NULL);
    const ArcClosure *closure = made.closure;
    for (int k = 0; k < made.table.n_rows; k += 7) {
        double j[MAX_K], variance = 0;
        arc_closure_by_weights(closure, made.weights, 0, 1, made.table.input + k, j);
        for (int a = 0; a < closure->K; a++)
            for (int b = 0; b < closure->K; b++)
                variance += j[a] * j[b] * made.learned.covariance[a * closure->K + b];
        assert_true(fabs(made.table.sd[k] - sqrt(variance)) < 1e-12);
    }
    arc_arena_free(made.arena);
}

static void test_tabulate_of_own_equations_has_their_names(void **state)
{
    (void)state;
    const ArcClosureInput inputs[] = {{ARC_CLOSURE_POSITION, 1}, {ARC_CLOSURE_VELOCITY, 0}};
    ArcClosureSettings settings = settings_with(ARC_CLOSURE_ACCELERATION, 2, inputs);
    ArcEquations equations = {.order = 2, .n_states = 3, .n_channels = 6};
    static const char *const names[] = {"a", "b", "c", "va", "vb", "vc"};
    for (int i = 0; i < 6; i++) {
        equations.channels[i].name = names[i];
        equations.channels[i].unit = i < 3 ? "rad" : "rad/s";
    }
    learn(&settings, &equations);
    assert_string_equal(made.table.input_names[0], "b");
    assert_string_equal(made.table.input_names[1], "va");
    assert_string_equal(made.table.input_units[1], "rad/s");
    assert_string_equal(made.table.output_names[1], "ac");
    assert_string_equal(made.table.output_units[1], "rad/s^2");
    arc_arena_free(made.arena);
    equations.order = 1;
    equations.n_channels = 3;
    settings.inputs[1] = (ArcClosureInput){ARC_CLOSURE_POSITION, 2};
    learn(&settings, &equations);
    assert_string_equal(made.table.output_names[0], "va");
    assert_string_equal(made.table.output_units[0], "rad/s");
    arc_arena_free(made.arena);
}

static ArcClosureFit small_fit(const ArcClosureTable *table)
{
    ArcClosureFit fit = {.n_units = 12,
                         .width = 0.25,
                         .n_outputs = 1,
                         .ridge = {4},
                         .log_bayes = 17.5,
                         .table = *table};
    fit.settings = arc_closure_settings_default();
    fit.settings.output = ARC_CLOSURE_CD;
    fit.settings.replaces = true;
    return fit;
}

static void test_text_of_a_table_is_csv_with_units_in_names(void **state)
{
    (void)state;
    const char *const inputs[] = {"vx", "time"}, *const input_units[] = {"m/s", "s"};
    const char *const outputs[] = {"cd", "ax"}, *const output_units[] = {"1", "m/s^2"};
    const double input[] = {1, 0.5, 2, 0.25}, value[] = {0.5, -1, 0.4, 3}, sd[] = {1, 2, 3, 4};
    ArcClosureTable table = {.n_rows = 2,
                             .n_inputs = 2,
                             .n_outputs = 2,
                             .input_names = inputs,
                             .input_units = input_units,
                             .output_names = outputs,
                             .output_units = output_units,
                             .input = input,
                             .value = value,
                             .sd = sd};
    ArcClosureFit fit = small_fit(&table);
    char *text = NULL;
    assert_int_equal(arc_closure_text(&fit, &text, NULL), ARC_OK);
    assert_string_equal(
        text, "# a closure: what it has for the drag coefficient, with posterior standard "
              "deviations\n"
              "# units: 12, width: 0.25 of half the inputs' range\n"
              "# ridge: 4\n"
              "# log Bayes factor against none: 17.5\n"
              "vx_m_s,time_s,cd,cd_sd,ax_m_s2,ax_sd_m_s2\n"
              "1,0.5,0.5,1,-1,2\n"
              "2,0.25,0.4,3,3,4\n");
    arc_text_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tabulate_one_input_is_a_curve_from_least_to_largest),
        cmocka_unit_test(test_tabulate_two_inputs_are_the_nodes_that_flights_come_near),
        cmocka_unit_test(test_tabulate_more_inputs_are_points_along_the_flights),
        cmocka_unit_test(test_tabulate_a_trained_layer_adds_to_the_sd),
        cmocka_unit_test(test_tabulate_of_own_equations_has_their_names),
        cmocka_unit_test(test_text_of_a_table_is_csv_with_units_in_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
