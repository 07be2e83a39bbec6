/* The closure inside the equations: what it adds by the formulas of closure.h, every partial
 * against central differences, over all inputs and outputs, flights in plane and space, own
 * equations. */
#include "model/closure.h"

#include "flight_case.h"

enum { POINTS = 40, MAX_K = 300, MAX_COLUMNS = MAX_P + MAX_K, MAX_STATES = 5 };

/* A closure inside a flight, or inside own equations of D states. */
typedef struct ClosureCase {
    ArcArena *arena;
    const ArcFlight *flight;
    int D, order;
    ArcClosureSettings settings;
    ArcClosure *closure;
    int P0, P; /* parameters, with weights */
    double w[MAX_K];
} ClosureCase;

/* One state. */
typedef struct StateAt {
    double t, x[MAX_STATES], v[MAX_STATES];
} StateAt;

static StateAt flight_state(const ArcFlight *flight, int i)
{
    FlightPoint point = point_of(flight, i);
    StateAt at = {.t = point.t};
    memcpy(at.x, point.x, sizeof point.x);
    memcpy(at.v, point.v, sizeof point.v);
    return at;
}

static StateAt system_state(int i)
{
    StateAt at = {.t = TIMES[i]};
    for (int e = 0; e < MAX_STATES; e++) {
        at.x[e] = sin(3 * e + i + 1);
        at.v[e] = cos(5 * e - i);
    }
    return at;
}

/* Places for the features: around the states that are looked at. */
static void make_closure(ClosureCase *made, const double *p)
{
    double z[POINTS * ARC_CLOSURE_MAX_INPUTS];
    ArcRandom random = arc_random_create(5, 1);
    int n = made->settings.n_inputs;
    for (int i = 0; i < POINTS; i++) {
        int which = i % N_STATES;
        StateAt at = made->flight != NULL ? flight_state(made->flight, which) : system_state(which);
        arc_closure_inputs(&made->settings, made->flight, made->D, 1, &at.t, at.x,
                           made->order == 2 ? at.v : NULL, p, z + i * n);
        for (int k = 0; k < n; k++)
            z[i * n + k] *= arc_random_uniform(&random, 0.5, 1.5);
    }
    ArcError err = {0};
    if (arc_closure_create(&made->settings, made->flight, made->D, POINTS, z, 7, made->arena,
                           &made->closure, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_in_range(made->closure->K, 1, MAX_K);
    arc_closure_start(made->closure, made->w);
    for (int k = 0; k < made->closure->O * made->closure->H; k++)
        made->w[k] = 0.3 * arc_random_normal(&random);
    made->P = made->P0 + made->closure->K;
}

static void add(const ClosureCase *made, const StateAt *at, const double *p, const double *w,
                double *a)
{
    memset(a, 0, MAX_STATES * sizeof(double));
    arc_closure_add(made->closure, made->flight, 1, &at->t, at->x, made->order == 2 ? at->v : NULL,
                    p, w, made->P, a, NULL, NULL, NULL);
}

/* One analytic column (D numbers, stride apart) against central differences in *variable: close at
 * the best of a sweep of steps. Returns the column's size. */
static double check_column(const ClosureCase *made, StateAt *at, const double *p, double *variable,
                           const double *column, int stride)
{
    double size = 0, scale = 1e-3, best = INFINITY, start = *variable;
    for (int e = 0; e < made->D; e++)
        size = fmax(size, fabs(column[e * stride]));
    for (double step = 0.01 * fmin(1, fabs(start) + 0.1); step > 1e-7; step *= 0.2) {
        double forth[MAX_STATES], back[MAX_STATES], worst = 0;
        *variable = start + step;
        add(made, at, p, made->w, forth);
        *variable = start - step;
        add(made, at, p, made->w, back);
        *variable = start;
        for (int e = 0; e < made->D; e++) {
            double difference = (forth[e] - back[e]) / (2 * step);
            worst = fmax(worst, fabs(difference - column[e * stride]));
            scale = fmax(scale, 1e-3 * fabs(forth[e]));
        }
        best = fmin(best, worst);
    }
    if (!(best <= 2e-7 * (size + scale)))
        fail_msg("output %d input %d D %d order %d: off by %g of %g", (int)made->settings.output,
                 (int)made->settings.inputs[0].kind, made->D, made->order, best, size);
    return size;
}

/* Partials come on top of what is there, but for the weights' columns, which are set. */
static const double before = 0.25;

typedef struct Columns {
    double a[MAX_STATES], a_x[MAX_STATES * MAX_STATES], a_v[MAX_STATES * MAX_STATES];
    double a_p[MAX_STATES * MAX_COLUMNS];
} Columns;

static void columns_of(const ClosureCase *made, const StateAt *at, const double *p, Columns *to)
{
    int D = made->D, P = made->P;
    memset(to, 0, sizeof *to);
    for (int i = 0; i < D * D; i++)
        to->a_x[i] = to->a_v[i] = before;
    for (int i = 0; i < D * P; i++)
        to->a_p[i] = i % P < made->P0 ? before : NAN;
    arc_closure_add(made->closure, made->flight, 1, &at->t, at->x, made->order == 2 ? at->v : NULL,
                    p, made->w, P, to->a, to->a_x, made->order == 2 ? to->a_v : NULL, to->a_p);
    for (int i = 0; i < D * D; i++) {
        to->a_x[i] -= before;
        to->a_v[i] -= before;
    }
    for (int i = 0; i < D * P; i++)
        to->a_p[i] -= i % P < made->P0 ? before : 0;
}

static void check_partials(ClosureCase *made, const double *p_given)
{
    int D = made->D, P = made->P;
    bool is_free = arc_closure_is_position_free(&made->settings, made->flight);
    for (int i = 0; i < N_STATES; i++) {
        StateAt at = made->flight != NULL ? flight_state(made->flight, i) : system_state(i);
        double p[MAX_P] = {0}, moved = 0, a[MAX_STATES];
        static Columns columns;
        memcpy(p, p_given, sizeof p);
        columns_of(made, &at, p, &columns);
        add(made, &at, p, made->w, a);
        for (int e = 0; e < D; e++)
            assert_true(a[e] == columns.a[e]);
        for (int c = 0; c < D; c++) {
            moved += check_column(made, &at, p, &at.x[c], columns.a_x + c, D);
            if (made->order == 2)
                moved += check_column(made, &at, p, &at.v[c], columns.a_v + c, D);
        }
        for (int c = 0; c < made->P0; c++)
            check_column(made, &at, p, &p[c], columns.a_p + c, P);
        for (int k = 0; k < made->closure->K; k++)
            check_column(made, &at, p, &made->w[k], columns.a_p + made->P0 + k, P);
        for (int c = 0; c < D * D && is_free; c++)
            assert_true(columns.a_x[c] == 0);
        bool is_timed =
            made->settings.n_inputs == 1 && made->settings.inputs[0].kind == ARC_CLOSURE_TIME;
        assert_true(is_timed || moved > 0);
    }
}

static ArcClosureSettings closure_settings(ArcClosureOutput output, int n,
                                           const ArcClosureInput *inputs)
{
    ArcClosureSettings settings = arc_closure_settings_default();
    settings.is_on = true;
    settings.output = output;
    settings.axes = 3;
    settings.width = 0.7;
    settings.n_inputs = n;
    memcpy(settings.inputs, inputs, (size_t)n * sizeof *inputs);
    return settings;
}

/* Lists of inputs; an axis beyond the plane is left out by the caller. */
static const struct {
    int n;
    ArcClosureInput inputs[4];
} lists[] = {
    {2, {{ARC_CLOSURE_POSITION, 0}, {ARC_CLOSURE_POSITION, 1}}},
    {1, {{ARC_CLOSURE_SPEED, 0}}},
    {1, {{ARC_CLOSURE_SPIN_RATIO, 0}}},
    {1, {{ARC_CLOSURE_TIME, 0}}},
    {1, {{ARC_CLOSURE_HEIGHT, 0}}},
    {4,
     {{ARC_CLOSURE_VELOCITY, 1},
      {ARC_CLOSURE_HEIGHT, 0},
      {ARC_CLOSURE_SPEED, 0},
      {ARC_CLOSURE_SPIN_RATIO, 0}}},
};

enum { N_LISTS = sizeof lists / sizeof lists[0] };

static void check_flight(ArcFlightSettings flown, ArcClosureOutput output, int list, bool trains)
{
    ArcFlight flight = flight_of(flown);
    double p[MAX_P];
    parameters_of(&flight, p);
    ClosureCase made = {.arena = arc_arena_create(),
                        .flight = &flight,
                        .D = flight.n_coordinates,
                        .order = 2,
                        .settings = closure_settings(output, lists[list].n, lists[list].inputs),
                        .P0 = flight.n_parameters};
    made.settings.trains_all = trains;
    made.settings.axes = flown.dimensions == 3 ? 5 : 3;
    if (trains) {
        made.settings.net_auto = list % 2 == 0;
        made.settings.net.widths[0] = 5;
    }
    make_closure(&made, p);
    assert_int_equal(made.closure->has_level,
                     (output == ARC_CLOSURE_CD && flown.drag == ARC_DRAG_NONE) ||
                         (output == ARC_CLOSURE_CL && flown.lift == ARC_LIFT_NONE));
    check_partials(&made, p);
    arc_arena_free(made.arena);
}

static void test_closure_add_flights_have_the_derivatives_as_partials(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * 3 * N_LISTS * N_WIND; i++) {
        int d = 2 + i % 2, output = i / 2 % 3, list = i / 6 % N_LISTS, wind = i / 6 / N_LISTS;
        bool replaces = (i / 6 + output) % 2 == 0;
        ArcFlightSettings flown =
            settings_of(d, 1 + (d == 3), replaces ? ARC_DRAG_NONE : ARC_DRAG_LOGISTIC,
                        replaces ? ARC_LIFT_NONE : ARC_LIFT_RATIONAL, wind);
        flown.has_spin = true;
        flown.spin_decay = (ArcSpinDecay)((i + wind) % N_DECAY);
        check_flight(flown, (ArcClosureOutput)output, list, false);
    }
}

static void test_closure_add_a_trained_layer_has_its_partials(void **state)
{
    (void)state;
    for (int list = 0; list < N_LISTS; list++)
        for (int output = 0; output < 3; output++)
            check_flight(settings_of(3, 2, ARC_DRAG_NONE, ARC_LIFT_LINEAR, 2),
                         (ArcClosureOutput)output, list, true);
}

static void test_closure_add_own_equations_have_the_derivatives_as_partials(void **state)
{
    (void)state;
    const ArcClosureInput inputs[] = {{ARC_CLOSURE_POSITION, 4},
                                      {ARC_CLOSURE_TIME, 0},
                                      {ARC_CLOSURE_POSITION, 1},
                                      {ARC_CLOSURE_VELOCITY, 3}};
    for (int order = 1; order <= 2; order++) {
        double p[MAX_P] = {1, 2, 3};
        ClosureCase made = {.arena = arc_arena_create(),
                            .D = 5,
                            .order = order,
                            .settings = closure_settings(ARC_CLOSURE_ACCELERATION, 2 + order - 1,
                                                         inputs + order - 1),
                            .P0 = 3};
        made.settings.axes = 1U << 4 | 1U << 2;
        made.settings.width = 1.2;
        make_closure(&made, p);
        check_partials(&made, p);
        StateAt at = system_state(0);
        double a[MAX_STATES];
        add(&made, &at, p, made.w, a);
        assert_true(a[0] == 0 && a[1] == 0 && a[3] == 0 && a[2] != 0 && a[4] != 0);
        arc_arena_free(made.arena);
    }
}

/* A closure whose level alone is not zero is the law with that constant. */
static void test_closure_add_a_level_is_the_law_of_that_constant(void **state)
{
    (void)state;
    for (int i = 0; i < 4 * N_WIND; i++) {
        int d = 2 + i % 2, wind = i / 4;
        bool is_lift = i / 2 % 2 == 1;
        ArcFlightSettings with = settings_of(d, d - 1, is_lift ? ARC_DRAG_NONE : ARC_DRAG_QUADRATIC,
                                             is_lift ? ARC_LIFT_CONSTANT : ARC_LIFT_NONE, wind);
        ArcFlightSettings without = settings_of(d, d - 1, ARC_DRAG_NONE, ARC_LIFT_NONE, wind);
        without.has_spin = is_lift;
        with.spin_decay = without.spin_decay =
            is_lift ? ARC_SPIN_DECAY_AERODYNAMIC : ARC_SPIN_DECAY_NONE;
        ArcFlight law = flight_of(with), bare = flight_of(without);
        double p[MAX_P], q[MAX_P];
        parameters_of(&law, p);
        parameters_of(&bare, q);
        ClosureCase made = {.arena = arc_arena_create(),
                            .flight = &bare,
                            .D = bare.n_coordinates,
                            .order = 2,
                            .settings = closure_settings(is_lift ? ARC_CLOSURE_CL : ARC_CLOSURE_CD,
                                                         1, lists[1].inputs),
                            .P0 = bare.n_parameters};
        make_closure(&made, q);
        memset(made.w, 0, sizeof made.w);
        made.w[made.closure->H - 1] = p[0];
        FlightPoint at = point_of(&bare, 0);
        double a[MAX_D], b[MAX_D], b_x[MAX_D * MAX_D], b_v[MAX_D * MAX_D], b_p[MAX_D * MAX_P];
        accelerate(&law, &at, p, a);
        arc_flight_acceleration(&bare, 1, &at.t, at.x, at.v, q, b, b_x, b_v, b_p);
        arc_closure_add(made.closure, &bare, 1, &at.t, at.x, at.v, q, made.w, made.P, b, NULL, NULL,
                        NULL);
        for (int e = 0; e < bare.n_coordinates; e++) {
            assert_true(fabs(a[e] - b[e]) < 1e-12 * (1 + fabs(a[e])));
            for (int c = 0; c < bare.n_parameters; c++)
                assert_true(isfinite(b_p[e * bare.n_parameters + c]));
        }
        arc_arena_free(made.arena);
    }
}

static void test_closure_inputs_follow_their_formulas(void **state)
{
    (void)state;
    ArcFlightSettings flown = settings_of(3, 1, ARC_DRAG_QUADRATIC, ARC_LIFT_LINEAR, 2);
    flown.spin_decay = ARC_SPIN_DECAY_EXPONENTIAL;
    ArcFlight flight = flight_of(flown);
    double p[MAX_P];
    parameters_of(&flight, p);
    const ArcClosureInput inputs[2][4] = {{{ARC_CLOSURE_SPEED, 0},
                                           {ARC_CLOSURE_HEIGHT, 0},
                                           {ARC_CLOSURE_SPIN_RATIO, 0},
                                           {ARC_CLOSURE_TIME, 0}},
                                          {{ARC_CLOSURE_POSITION, 2}, {ARC_CLOSURE_VELOCITY, 0}}};
    ArcClosureSettings first = closure_settings(ARC_CLOSURE_CD, 4, inputs[0]);
    ArcClosureSettings second = closure_settings(ARC_CLOSURE_CD, 2, inputs[1]);
    for (int i = 0; i < N_STATES; i++) {
        FlightPoint at = point_of(&flight, i);
        double wind[3], w[3], u[3], z[4], y[2];
        formula_wind(&flown, &at, wind);
        formula_spin(&flight, &at, p, w);
        for (int e = 0; e < 3; e++)
            u[e] = at.v[e] - wind[e];
        double across[3] = {w[1] * u[2] - w[2] * u[1], w[2] * u[0] - w[0] * u[2],
                            w[0] * u[1] - w[1] * u[0]};
        double speed = hypot(hypot(u[0], u[1]), u[2]);
        double S = flown.ball.diameter_m / 2 * hypot(hypot(across[0], across[1]), across[2]) /
                   (speed * speed);
        arc_closure_inputs(&first, &flight, 3, 1, &at.t, at.x, at.v, p, z);
        arc_closure_inputs(&second, &flight, 3, 1, &at.t, at.x, at.v, p, y);
        assert_true(fabs(z[0] - speed) < 1e-12 * speed && z[1] == at.x[1]);
        assert_true(fabs(z[2] - S) < 1e-12 * S && z[3] == at.t);
        assert_true(y[0] == at.x[2] && y[1] == at.v[0]);
    }
}

/* A ball at rest in the air, or without spin, has no partial that is not a number. */
static void test_closure_add_at_rest_is_finite(void **state)
{
    (void)state;
    for (int output = 0; output < 3; output++)
        for (int still = 0; still < 2; still++) {
            ArcFlightSettings flown = settings_of(3, 2, ARC_DRAG_QUADRATIC, ARC_LIFT_LINEAR, 0);
            ArcFlight flight = flight_of(flown);
            double p[MAX_P];
            parameters_of(&flight, p);
            ClosureCase made = {.arena = arc_arena_create(),
                                .flight = &flight,
                                .D = 3,
                                .order = 2,
                                .settings =
                                    closure_settings((ArcClosureOutput)output, 4, lists[5].inputs),
                                .P0 = flight.n_parameters};
            make_closure(&made, p);
            StateAt at = flight_state(&flight, 0);
            for (int e = 0; e < 3; e++) {
                at.v[e] = still ? 0 : at.v[e];
                p[2 + e] = still ? p[2 + e] : 0;
            }
            static Columns columns;
            columns_of(&made, &at, p, &columns);
            for (int i = 0; i < 9; i++)
                assert_true(isfinite(columns.a_x[i]) && isfinite(columns.a_v[i]));
            for (int i = 0; i < 3 * made.P; i++)
                assert_true(isfinite(columns.a_p[i]));
            arc_arena_free(made.arena);
        }
}

/* Many states at once give the bits of each alone; outputs and partials by weights are those that
 * the accelerations have. */
static void test_closure_add_a_batch_equals_single_states(void **state)
{
    (void)state;
    ArcFlight flight = flight_of(settings_of(3, 2, ARC_DRAG_QUADRATIC, ARC_LIFT_LINEAR, 1));
    double p[MAX_P], t[N_STATES], x[3 * N_STATES], v[3 * N_STATES], a[3 * N_STATES] = {0};
    parameters_of(&flight, p);
    ClosureCase made = {.arena = arc_arena_create(),
                        .flight = &flight,
                        .D = 3,
                        .order = 2,
                        .settings = closure_settings(ARC_CLOSURE_ACCELERATION, 2, lists[0].inputs),
                        .P0 = flight.n_parameters};
    made.settings.axes = 6;
    made.settings.trains_all = true;
    make_closure(&made, p);
    for (int i = 0; i < N_STATES; i++) {
        StateAt at = flight_state(&flight, i);
        t[i] = at.t;
        memcpy(x + 3 * i, at.x, 3 * sizeof(double));
        memcpy(v + 3 * i, at.v, 3 * sizeof(double));
    }
    arc_closure_add(made.closure, &flight, N_STATES, t, x, v, p, made.w, made.P, a, NULL, NULL,
                    NULL);
    double z[2 * N_STATES], y[2 * N_STATES], by_w[N_STATES * MAX_K];
    arc_closure_inputs(&made.settings, &flight, 3, N_STATES, t, x, v, p, z);
    arc_closure_outputs(made.closure, made.w, N_STATES, z, y, NULL);
    arc_closure_by_weights(made.closure, made.w, 1, N_STATES, z, by_w);
    for (int i = 0; i < N_STATES; i++) {
        StateAt at = flight_state(&flight, i);
        static Columns columns;
        columns_of(&made, &at, p, &columns);
        assert_memory_equal(columns.a, a + 3 * i, 3 * sizeof(double));
        assert_true(a[3 * i] == 0 && y[2 * i] == a[3 * i + 1] && y[2 * i + 1] == a[3 * i + 2]);
        assert_memory_equal(columns.a_p + 2 * made.P + made.P0, by_w + i * made.closure->K,
                            (size_t)made.closure->K * sizeof(double));
    }
    arc_arena_free(made.arena);
}

static void test_closure_create_scales_inputs_of_one_unit_alike(void **state)
{
    (void)state;
    ArcFlight flight = flight_of(settings_of(3, 2, ARC_DRAG_QUADRATIC, ARC_LIFT_LINEAR, 0));
    const ArcClosureInput inputs[] = {{ARC_CLOSURE_POSITION, 0},
                                      {ARC_CLOSURE_HEIGHT, 0},
                                      {ARC_CLOSURE_SPEED, 0},
                                      {ARC_CLOSURE_TIME, 0}};
    ArcClosureSettings settings = closure_settings(ARC_CLOSURE_ACCELERATION, 4, inputs);
    const double points[] = {1, 2, 10, 0.5, 9, 4, 30, 0.5};
    ArcArena *arena = arc_arena_create();
    ArcClosure *closure;
    ArcError err = {0};
    assert_int_equal(arc_closure_create(&settings, &flight, 3, 2, points, 1, arena, &closure, &err),
                     ARC_OK);
    const double centre[] = {5, 3, 20, 0.5}, scale[] = {4, 4, 10, 1};
    assert_memory_equal(closure->centre, centre, sizeof centre);
    assert_memory_equal(closure->scale, scale, sizeof scale);
    arc_arena_free(arena);
}

/* Along one input units of three widths, the narrower ones with less gain; where there is no room
 * for all of the narrowest they are left out. */
static void test_closure_create_one_input_has_units_of_three_widths(void **state)
{
    (void)state;
    enum { N = 1000 };
    ArcFlight flight = flight_of(settings_of(2, 1, ARC_DRAG_QUADRATIC, ARC_LIFT_NONE, 0));
    ArcClosureSettings settings = closure_settings(ARC_CLOSURE_CD, 1, lists[1].inputs);
    double points[N];
    for (int i = 0; i < N; i++)
        points[i] = 5 + 25.0 * i / (N - 1);
    for (int narrow = 0; narrow < 2; narrow++) {
        ArcArena *arena = arc_arena_create();
        ArcClosure *closure;
        ArcError err = {0};
        settings.width = narrow ? 0.06 : 0.5;
        assert_int_equal(
            arc_closure_create(&settings, &flight, 2, N, points, 1, arena, &closure, &err), ARC_OK);
        int count[3] = {0};
        for (int h = 0; h < closure->H; h++) {
            double level = log2(closure->hidden[closure->H + h] * settings.width);
            assert_true(level == 0 || level == 1 || level == 2);
            assert_true(closure->features.gain[h] == pow(0.25, level));
            count[(int)level]++;
        }
        assert_in_range(closure->H, 1, 256);
        assert_true(count[0] >= 5 && count[1] > count[0]);
        assert_true(narrow ? count[2] == 0 : count[2] > count[1]);
        arc_arena_free(arena);
    }
}

/* A result has no gains: they follow from the widths that the units were drawn with. */
static void test_closure_restore_gives_the_same_outputs(void **state)
{
    (void)state;
    enum { N = 40 };
    ArcFlight flight = flight_of(settings_of(2, 1, ARC_DRAG_QUADRATIC, ARC_LIFT_NONE, 0));
    double points[2 * N], w[MAX_K], here[N], there[N];
    for (int i = 0; i < 2 * N; i++)
        points[i] = 5 + 25.0 * sin(i);
    for (int n_inputs = 1; n_inputs <= 2; n_inputs++) {
        ArcArena *arena = arc_arena_create();
        ArcClosure *closure, *restored;
        ArcError err = {0};
        ArcClosureSettings settings =
            closure_settings(ARC_CLOSURE_CD, n_inputs, lists[n_inputs == 1 ? 1 : 0].inputs);
        settings.width = 0.5;
        assert_int_equal(
            arc_closure_create(&settings, &flight, 2, N, points, 1, arena, &closure, &err), ARC_OK);
        ArcClosureFit fit = {.settings = settings,
                             .n_units = closure->H,
                             .n_weights = closure->K,
                             .width = 0.5,
                             .n_outputs = closure->O,
                             .hidden = closure->hidden,
                             .n_hidden = (n_inputs + 1) * closure->features.H};
        memcpy(fit.centre, closure->centre, sizeof fit.centre);
        memcpy(fit.scale, closure->scale, sizeof fit.scale);
        assert_int_equal(arc_closure_restore(&fit, &flight, 2, arena, &restored, &err), ARC_OK);
        assert_in_range(closure->K, 1, MAX_K);
        for (int k = 0; k < closure->K; k++)
            w[k] = cos(k);
        arc_closure_outputs(closure, w, N, points, here, NULL);
        arc_closure_outputs(restored, w, N, points, there, NULL);
        assert_memory_equal(here, there, sizeof here);
        fit.n_hidden--;
        assert_int_equal(arc_closure_restore(&fit, &flight, 2, arena, &restored, &err), ARC_INPUT);
        assert_null(restored);
        arc_arena_free(arena);
    }
}

static void test_closure_create_too_many_weights_are_refused_with_the_place(void **state)
{
    (void)state;
    ArcFlight flight = flight_of(settings_of(3, 2, ARC_DRAG_QUADRATIC, ARC_LIFT_LINEAR, 0));
    ArcClosureSettings settings = closure_settings(ARC_CLOSURE_ACCELERATION, 2, lists[0].inputs);
    settings.axes = 7;
    settings.net_auto = false;
    settings.net.widths[0] = 400;
    settings.place = (ArcPlace){"e.yaml", 3, 7};
    const double points[] = {1, 2, 9, 4};
    ArcArena *arena = arc_arena_create();
    ArcClosure *closure;
    ArcError err = {0};
    assert_int_equal(arc_closure_create(&settings, &flight, 3, 2, points, 1, arena, &closure, &err),
                     ARC_INPUT);
    assert_null(closure);
    assert_non_null(strstr(err.text, "e.yaml:3:7"));
    assert_non_null(strstr(err.text, "1200 weights"));
    arc_arena_free(arena);
}

static void test_closure_prior_is_by_ridge_level_and_width(void **state)
{
    (void)state;
    ArcFlight flight = flight_of(settings_of(2, 1, ARC_DRAG_NONE, ARC_LIFT_NONE, 0));
    ArcClosureSettings settings = closure_settings(ARC_CLOSURE_CD, 1, lists[1].inputs);
    settings.net_auto = false;
    settings.net.widths[0] = 3;
    settings.trains_all = true;
    const double points[] = {1, 2, 9, 4}, ridge[] = {25};
    ArcArena *arena = arc_arena_create();
    ArcClosure *closure;
    ArcError err = {0};
    assert_int_equal(arc_closure_create(&settings, &flight, 2, 4, points, 1, arena, &closure, &err),
                     ARC_OK);
    assert_int_equal(closure->K, 4 + 6);
    double mean, sd, w[10];
    arc_closure_prior(closure, 2, ridge, &mean, &sd);
    assert_true(mean == 0 && sd == 0.2);
    arc_closure_prior(closure, 3, ridge, &mean, &sd);
    assert_true(mean == 0 && sd == 1);
    arc_closure_start(closure, w);
    arc_closure_prior(closure, 5, ridge, &mean, &sd);
    assert_true(mean == closure->hidden[1] && mean == w[5] && sd == 1 / 0.7);
    arc_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closure_add_flights_have_the_derivatives_as_partials),
        cmocka_unit_test(test_closure_add_a_trained_layer_has_its_partials),
        cmocka_unit_test(test_closure_add_own_equations_have_the_derivatives_as_partials),
        cmocka_unit_test(test_closure_add_a_level_is_the_law_of_that_constant),
        cmocka_unit_test(test_closure_inputs_follow_their_formulas),
        cmocka_unit_test(test_closure_add_at_rest_is_finite),
        cmocka_unit_test(test_closure_add_a_batch_equals_single_states),
        cmocka_unit_test(test_closure_create_scales_inputs_of_one_unit_alike),
        cmocka_unit_test(test_closure_create_one_input_has_units_of_three_widths),
        cmocka_unit_test(test_closure_restore_gives_the_same_outputs),
        cmocka_unit_test(test_closure_create_too_many_weights_are_refused_with_the_place),
        cmocka_unit_test(test_closure_prior_is_by_ridge_level_and_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
