/* Experiments: what a whole file becomes. */
#include "arcfit/experiment.h"

#include "base/arena.h"
#include "base/file.h"
#include "shared_folder.h"

#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static ArcExperiment *parse_over(const char *text, int n, const char *const *overrides)
{
    ArcError error = {ARC_OK, ""};
    ArcExperiment *experiment = NULL;
    if (arc_experiment_parse("lab/f.yaml", text, strlen(text), n, overrides, &experiment, &error) !=
        ARC_OK)
        fail_msg("%s", error.text);
    return experiment;
}

static ArcExperiment *parse(const char *text)
{
    return parse_over(text, 0, NULL);
}

static const ArcParameter *parameter(const ArcExperiment *experiment, const char *name)
{
    for (int i = 0; i < experiment->n_parameters; i++) {
        if (strcmp(experiment->parameters[i].name, name) == 0)
            return &experiment->parameters[i];
    }
    fail_msg("no parameter %s", name);
    return NULL;
}

static const char *recorded(const ArcExperiment *experiment, const char *path)
{
    for (int i = 0; i < experiment->n_settings; i++) {
        if (strcmp(experiment->setting_paths[i], path) == 0)
            return experiment->setting_values[i];
    }
    return "";
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-15 * fabs(expected)))
        fail_msg("%.17g instead of %.17g", value, expected);
}

static void test_parse_least_file_has_all_defaults(void **state)
{
    (void)state;
    ArcExperiment *made = parse("arcfit: 1\n");
    ArcCaptureSettings capture = arc_capture_settings_default();
    ArcFlightSettings flight = arc_flight_settings_default();
    assert_string_equal(made->name, "f");
    assert_string_equal(made->path, "lab/f.yaml");
    assert_string_equal(made->text, "arcfit: 1\n");
    assert_null(made->capture.file);
    assert_string_equal(made->capture.place.file, "lab/f.yaml");
    assert_int_equal(made->capture.place.line, 1);
    assert_string_equal(made->capture.format, capture.format);
    assert_true(isnan(made->capture.sigma_m) && isnan(made->capture.time_scale_s) &&
                isnan(made->capture.position_scale_m));
    assert_true(made->capture.window_s[0] == -INFINITY && made->capture.window_s[1] == INFINITY);
    assert_int_equal(made->capture.every, capture.every);
    assert_int_equal(made->capture.hold_out, capture.hold_out);
    assert_int_equal(made->flight_settings.dimensions, flight.dimensions);
    assert_int_equal(made->flight_settings.up, flight.up);
    assert_true(made->flight_settings.gravity_m_s2 == flight.gravity_m_s2);
    assert_memory_equal(&made->flight_settings.air, &flight.air, sizeof flight.air);
    assert_false(made->flight_settings.has_ball || made->flight_settings.buoyancy);
    assert_int_equal(made->release, ARC_RELEASE_CARTESIAN);
    assert_true(made->use_pinn && made->use_direct && made->pinn.net_auto);
    assert_true(made->seed == 1 && made->starts == 1 && made->direct_tolerance == 1e-10);
    assert_true(made->pinn.collocation == 0 && made->pinn.sigma_phys_m_s2 == 0);
    assert_int_equal(made->pinn.n_stages, 1);
    assert_int_equal(made->pinn.stages[0].optimizer, ARC_OPTIMIZER_LINEAR);
    assert_int_equal(made->pinn.stages[0].steps, 100);
    assert_null(made->output_file);
    static const char *const names[] = {"t0", "x0", "y0", "vx0", "vy0"};
    assert_int_equal(made->n_parameters, 5);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(made->parameters[i].name, names[i]);
        assert_int_equal(made->parameters[i].is_free, i > 0);
        assert_false(made->parameters[i].has_start || made->parameters[i].has_prior);
        assert_true(made->parameters[i].low == -INFINITY && made->parameters[i].high == INFINITY);
    }
    arc_experiment_free(made);
}

static const char full_text[] =
    "arcfit: 1\n"
    "name: Free throw\n"
    "capture:\n"
    "  - file: ../data/a.csv\n"
    "    format: csv\n"
    "    sigma: 3 mm\n"
    "    columns: {t: time, x: px, sigma_y: sy}\n"
    "    units: {t: ms, position: cm}\n"
    "    window: [0 s, 900 ms]\n"
    "    every: 2\n"
    "    hold_out: {after: 0.5 s}\n"
    "flight:\n"
    "  dimensions: 3\n"
    "  up: y\n"
    "  gravity: 981 cm/s^2\n"
    "  ball: {mass: 620 g, diameter: 24 cm}\n"
    "  air: {temperature: 68 degF, pressure: 1000 hPa, humidity: 40 %}\n"
    "  wind: [1 m/s, 0, 36 km/h]\n"
    "  drag: quadratic\n"
    "  lift: constant\n"
    "  buoyancy: false\n"
    "release: polar\n"
    "parameters:\n"
    "  cd: {start: 0.5, bounds: [0, 1.5], prior: {mean: 0.5, sd: 0.1}}\n"
    "  wy: {fixed: -3 Hz}\n"
    "  angle: {start: 52 deg, prior: {mean: 50 deg, sd: 2 deg}}\n"
    "  azimuth: 0\n"
    "  speed: free\n"
    "  x0: {}\n"
    "fit:\n"
    "  methods: [direct]\n"
    "  seed: 7\n"
    "  starts: 1\n"
    "  loss: gauss\n"
    "  pinn:\n"
    "    collocation: 40\n"
    "    physics: 5 cm/s^2\n"
    "    train: [{optimizer: linear}, {optimizer: lm, steps: 20}]\n"
    "  direct: {tolerance: 1e-8}\n"
    "output: {file: out/a.h5}\n";

static void test_parse_full_file_fills_settings(void **state)
{
    (void)state;
    ArcExperiment *made = parse(full_text);
    const ArcCaptureSettings *capture = &made->capture;
    assert_string_equal(made->name, "Free throw");
    assert_string_equal(capture->file, "lab/../data/a.csv");
    assert_int_equal(capture->place.line, 4);
    assert_int_equal(capture->place.column, 11);
    assert_string_equal(capture->format, "csv");
    assert_int_equal(capture->dimensions, 3);
    assert_near(capture->sigma_m, 0.003);
    assert_int_equal(capture->n_columns, 3);
    assert_string_equal(capture->columns[1].role, "x");
    assert_string_equal(capture->columns[1].column, "px");
    assert_int_equal(capture->columns[1].place.column, 27);
    assert_string_equal(capture->columns[2].role, "sigma_y");
    assert_near(capture->time_scale_s, 1e-3);
    assert_near(capture->position_scale_m, 0.01);
    assert_near(capture->window_s[1], 0.9);
    assert_int_equal(capture->every, 2);
    assert_int_equal(capture->hold_out, ARC_HOLD_OUT_AFTER);
    assert_near(capture->hold_out_after_s, 0.5);
    const ArcFlightSettings *flight = &made->flight_settings;
    assert_int_equal(flight->up, 1);
    assert_near(flight->gravity_m_s2, 9.81);
    assert_true(flight->has_ball && !flight->buoyancy);
    assert_near(flight->ball.mass_kg, 0.62);
    assert_near(flight->ball.diameter_m, 0.24);
    assert_near(flight->air.temperature_k, 293.15);
    assert_near(flight->air.pressure_pa, 1e5);
    assert_near(flight->air.humidity, 0.4);
    assert_near(flight->wind_m_s[2], 10);
    assert_int_equal(flight->drag, ARC_DRAG_QUADRATIC);
    assert_int_equal(flight->lift, ARC_LIFT_CONSTANT);
    assert_true(made->flight.gravity_m_s2[1] < -9.8);
    assert_false(made->use_pinn);
    assert_true(made->use_direct);
    assert_int_equal(made->seed, 7);
    assert_int_equal(made->pinn.collocation, 40);
    assert_near(made->pinn.sigma_phys_m_s2, 0.05);
    assert_int_equal(made->pinn.n_stages, 2);
    assert_int_equal(made->pinn.stages[1].optimizer, ARC_OPTIMIZER_LM);
    assert_int_equal(made->pinn.stages[1].steps, 20);
    assert_near(made->direct_tolerance, 1e-8);
    assert_string_equal(made->output_file, "lab/out/a.h5");
    arc_experiment_free(made);
}

static void test_parse_parameters_take_their_forms(void **state)
{
    (void)state;
    ArcExperiment *made = parse(full_text);
    static const char *const names[] = {"cd", "cl", "wx", "wy",    "wz",    "t0",
                                        "x0", "y0", "z0", "speed", "angle", "azimuth"};
    assert_int_equal(made->n_parameters, 12);
    for (int i = 0; i < 12; i++)
        assert_string_equal(made->parameters[i].name, names[i]);
    const ArcParameter *cd = parameter(made, "cd");
    assert_true(cd->is_free && cd->has_start && cd->has_prior);
    assert_true(cd->start == 0.5 && cd->low == 0 && cd->high == 1.5 && cd->prior_sd == 0.1);
    assert_int_equal(cd->place.line, 24);
    assert_int_equal(cd->place.column, 3);
    const ArcParameter *wy = parameter(made, "wy");
    assert_true(!wy->is_free && wy->has_start);
    assert_near(wy->start, -18.849555921538759);
    const ArcParameter *angle = parameter(made, "angle");
    assert_near(angle->start, 52 * M_PI / 180);
    assert_near(angle->prior_sd, 2 * M_PI / 180);
    assert_true(!parameter(made, "azimuth")->is_free && parameter(made, "azimuth")->has_start);
    assert_true(parameter(made, "speed")->is_free && !parameter(made, "speed")->has_start);
    assert_true(parameter(made, "x0")->is_free && !parameter(made, "x0")->has_start);
    const ArcParameter *cl = parameter(made, "cl");
    assert_true(!cl->is_free && !cl->has_start && cl->start == made->flight.parameters[1].value);
    assert_int_equal(cl->place.line, 23);
    assert_int_equal(cl->place.column, 1);
    arc_experiment_free(made);
}

static void test_parse_window_takes_its_forms(void **state)
{
    (void)state;
    ArcExperiment *made = parse("arcfit: 1\ncapture: {window: auto}\n");
    assert_true(made->capture.window_auto);
    assert_true(isinf(made->capture.window_s[0]));
    assert_ptr_equal(made->capture.flight, &made->flight);
    assert_string_equal(recorded(made, "capture.window"), "auto");
    arc_experiment_free(made);
    made = parse("arcfit: 1\ncapture: {window: all}\n");
    assert_true(!made->capture.window_auto && isinf(made->capture.window_s[1]));
    arc_experiment_free(made);
}

/* Gravity's parameters are there where they are named, between the flight's and the bounce's. */
static void test_parse_gravity_named_among_parameters_is_one(void **state)
{
    (void)state;
    ArcExperiment *made = parse("arcfit: 1\nflight: {gravity: 9.81, drag: lumped, dimensions: 3}\n"
                                "parameters: {tilt_y: {prior: {mean: 0, sd: 1 deg}}, k: free}\n");
    assert_int_equal(made->flight.n_parameters, 2);
    assert_string_equal(made->parameters[1].name, "tilt_y");
    assert_near(made->parameters[1].prior_sd, 0.017453292519943295);
    arc_experiment_free(made);
    made = parse("arcfit: 1\nflight: {gravity: 9.81, bounce: {plane: y=0}}\n"
                 "parameters: {tilt: free, gravity: free}\n");
    assert_int_equal(made->flight.n_parameters, 5);
    assert_int_equal(made->flight.bounce_index, 2);
    assert_string_equal(made->parameters[0].name, "gravity");
    assert_near(made->parameters[0].start, 9.81);
    assert_true(made->parameters[0].is_free);
    assert_string_equal(made->parameters[1].name, "tilt");
    assert_string_equal(made->parameters[1].unit, "rad");
    arc_experiment_free(made);
    made = parse("arcfit: 1\nflight: {gravity: 9.81}\n");
    assert_int_equal(made->flight.n_parameters, 0);
    arc_experiment_free(made);
}

static void test_parse_records_settings_in_si(void **state)
{
    (void)state;
    ArcExperiment *made = parse(full_text);
    assert_string_equal(recorded(made, "capture.sigma"), "0.003 m");
    assert_string_equal(recorded(made, "capture.columns.x"), "px");
    assert_string_equal(recorded(made, "capture.hold_out.after"), "0.5 s");
    assert_string_equal(recorded(made, "flight.ball.mass"), "0.62 kg");
    assert_string_equal(recorded(made, "flight.drag"), "quadratic");
    assert_string_equal(recorded(made, "flight.spin_decay"), "none");
    assert_string_equal(recorded(made, "parameters.cd.bounds"), "[0, 1.5]");
    assert_string_equal(recorded(made, "parameters.wy.fixed"), "-18.84955592153876 rad/s");
    assert_string_equal(recorded(made, "parameters.angle.prior.sd"), "0.03490658503988659 rad");
    assert_string_equal(recorded(made, "parameters.azimuth"), "0 rad");
    assert_string_equal(recorded(made, "fit.pinn.train.1.steps"), "20");
    assert_string_equal(recorded(made, "fit.pinn.net"), "auto");
    arc_experiment_free(made);
    made = parse("arcfit: 1\nflight: {dimensions: 3, ball: golf}\n");
    assert_string_equal(recorded(made, "name"), "f");
    assert_string_equal(recorded(made, "flight.up"), "z");
    assert_string_equal(recorded(made, "flight.buoyancy"), "true");
    assert_string_equal(recorded(made, "flight.drag"), "none");
    assert_true(made->flight_settings.up == 2 && made->flight_settings.buoyancy);
    arc_experiment_free(made);
}

/* Laws by table, spin decay, shear with a gust, gravity by place. */
static void test_parse_flight_in_full_fills_settings_and_records_them(void **state)
{
    (void)state;
    ArcExperiment *made = parse("arcfit: 1\n"
                                "flight:\n"
                                "  ball: soccer\n"
                                "  gravity: {latitude: 45 deg, height: 1 km}\n"
                                "  drag: table\n"
                                "  drag_table: [[18 km/h, 0.5], [20, 20 %]]\n"
                                "  lift: table\n"
                                "  lift_table: [[0.1, 0.11], [0.4, 0.25], [1, 0.3]]\n"
                                "  spin_decay: aerodynamic\n"
                                "  added_mass: true\n"
                                "  wind:\n"
                                "    velocity: [3, 0]\n"
                                "    shear: {exponent: 0.2, ground: -1 m}\n"
                                "    gust: {velocity: [36 km/h, 1], time: 300 ms, width: 0.1}\n"
                                "parameters: {spin: -8 Hz, spin_decay: {start: 2e-3}}\n");
    const ArcFlightSettings *flight = &made->flight_settings;
    assert_true(fabs(flight->gravity_m_s2 - 9.80311194) < 5e-6);
    assert_int_equal(flight->drag, ARC_DRAG_TABLE);
    assert_int_equal(flight->drag_table.n, 2);
    assert_near(flight->drag_table.x[0], 5);
    assert_near(flight->drag_table.y[1], 0.2);
    assert_int_equal(flight->lift_table.n, 3);
    assert_near(flight->lift_table.x[2], 1);
    assert_int_equal(flight->spin_decay, ARC_SPIN_DECAY_AERODYNAMIC);
    assert_true(flight->added_mass && flight->shear.is_on && flight->gust.is_on);
    assert_near(flight->wind_m_s[0], 3);
    assert_near(flight->shear.exponent, 0.2);
    assert_near(flight->shear.height_m, 10);
    assert_near(flight->shear.ground_m, -1);
    assert_near(flight->gust.velocity_m_s[0], 10);
    assert_near(flight->gust.time_s, 0.3);
    assert_near(flight->gust.width_s, 0.1);
    assert_int_equal(made->flight.n_coordinates, 3);
    assert_near(parameter(made, "spin_decay")->start, 2e-3);
    assert_string_equal(recorded(made, "flight.gravity.latitude"), "0.7853981633974483 rad");
    assert_non_null(strstr(recorded(made, "flight.gravity"), " m/s^2"));
    assert_string_equal(recorded(made, "flight.drag_table"), "[[5, 0.5], [20, 0.2]]");
    assert_string_equal(recorded(made, "flight.wind.shear.height"), "10 m");
    assert_string_equal(recorded(made, "flight.wind.gust.time"), "0.3 s");
    assert_string_equal(recorded(made, "flight.spin_decay"), "aerodynamic");
    arc_experiment_free(made);
    made = parse("arcfit: 1\nflight: {gravity: 32 ft/s^2}\n");
    assert_string_equal(recorded(made, "flight.gravity"), "9.7536 m/s^2");
    assert_false(made->flight_settings.shear.is_on || made->flight_settings.gust.is_on);
    arc_experiment_free(made);
}

/* What goes with a law goes with it when --set exchanges the law. */
static void test_parse_overridden_laws_leave_what_goes_with_them_out(void **state)
{
    (void)state;
    static const char text[] =
        "arcfit: 1\n"
        "flight: {ball: golf, drag: table, drag_table: [[5, 0.5], [9, 0.4]],\n"
        "  lift: nathan, spin_decay: exponential}\n"
        "parameters: {spin: 300, spin_tau: {start: 20 s}}\n";
    const char *const overrides[] = {"flight.drag=morrison", "flight.spin_decay=none"};
    ArcExperiment *made = parse_over(text, 2, overrides);
    assert_int_equal(made->flight.n_parameters, 1);
    arc_experiment_free(made);
    const char *const vacuum[] = {"flight.drag=none", "flight.lift=none", "flight.spin_decay=none"};
    made = parse_over(text, 3, vacuum);
    assert_int_equal(made->flight.n_parameters, 0);
    arc_experiment_free(made);
    const char *const spinless[] = {"flight.drag=quadratic", "flight.lift=none",
                                    "flight.spin_decay=none"};
    made = parse_over("arcfit: 1\n"
                      "flight: {ball: golf, drag: spin-dependent}\n"
                      "parameters: {spin: 300, cd_w: 0.03 1/krpm}\n",
                      1, spinless);
    assert_int_equal(made->flight.n_parameters, 1);
    arc_experiment_free(made);
    const char *const rolling[] = {"flight.bounce=none"};
    made = parse_over("arcfit: 1\n"
                      "flight: {ball: golf, drag: quadratic, bounce: {plane: y=0}}\n"
                      "parameters: {friction: free, restitution: 0.5}\n",
                      1, rolling);
    assert_int_equal(made->flight.n_parameters, 1);
    arc_experiment_free(made);
}

static void test_parse_overrides_win_in_order(void **state)
{
    (void)state;
    const char *const overrides[] = {"capture.0.sigma=5 mm", "parameters.cd=free",
                                     "parameters.cd={fixed: 0.4}", "fit.seed=9", "name=Other"};
    ArcExperiment *made = parse_over(full_text, 5, overrides);
    assert_near(made->capture.sigma_m, 0.005);
    assert_false(parameter(made, "cd")->is_free);
    assert_near(parameter(made, "cd")->start, 0.4);
    assert_string_equal(parameter(made, "cd")->place.file, "--set");
    assert_int_equal(parameter(made, "cd")->place.line, 3);
    assert_int_equal(made->seed, 9);
    assert_string_equal(made->name, "Other");
    arc_experiment_free(made);
}

/* Writes text to a file in a new folder and gives its path. */
static void write_file(char path[64], const char *text)
{
    strcpy(path, "/tmp/arcfit-experiment-XXXXXX");
    assert_non_null(mkdtemp(path));
    strcat(path, "/n.yaml");
    assert_int_equal(arc_file_replace(path, text, strlen(text), NULL), ARC_OK);
}

static void remove_file(char path[64])
{
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
}

/* What the file says of a law's parameters goes with the law; what --set says stays an error. */
static void test_parse_law_set_over_another_leaves_its_parameters_out(void **state)
{
    (void)state;
    const char *text = "arcfit: 1\nflight: {ball: tennis, drag: quadratic, lift: linear}\n"
                       "parameters: {cd: free, cm: 1.1, spin: 3}\n";
    static const struct {
        const char *overrides[3];
        int n, n_parameters; /* 0: refused */
    } rows[] = {{{"flight.drag=none"}, 1, 7},
                {{"flight.drag=lumped"}, 1, 8},
                {{"flight.lift=rational"}, 1, 7},
                {{"flight.lift=none"}, 1, 6},
                {{"flight.drag=none", "flight.lift=none"}, 2, 5},
                {{"flight.drag=none", "parameters.cd=0"}, 2, 0},
                {{"flight.drag=quadratic", "parameters.k=0"}, 2, 0},
                {{"flight.dimensions=3"}, 1, 0},
                {{"flight={drag: lumped}"}, 1, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcExperiment *made = NULL;
        ArcError error = {ARC_OK, ""};
        ArcStatus status = arc_experiment_parse("f.yaml", text, strlen(text), rows[i].n,
                                                rows[i].overrides, &made, &error);
        assert_int_equal(status, rows[i].n_parameters > 0 ? ARC_OK : ARC_INPUT);
        if (status == ARC_OK)
            assert_int_equal(made->n_parameters, rows[i].n_parameters);
        else
            assert_non_null(strstr(error.text, "which this flight does not have"));
        arc_experiment_free(made);
    }
}

static void test_parse_net_file_gives_net(void **state)
{
    (void)state;
    static const struct {
        int width;
        double low, high;
    } rungs[] = {{1, 1, 1.5}, {24, 1, 1.5}, {25, 1.5, 3}, {48, 1.5, 3},
                 {49, 3, 10}, {96, 3, 10},  {97, 5, 20},  {1024, 5, 20}};
    for (size_t i = 0; i < sizeof rungs / sizeof rungs[0]; i++) {
        char path[64], net[128], text[256];
        snprintf(net, sizeof net, "{net: 1, hidden: [%d, 7], init: glorot-uniform}",
                 rungs[i].width);
        write_file(path, net);
        snprintf(text, sizeof text, "arcfit: 1\nfit: {pinn: {net: '%s'}}\n", path);
        ArcExperiment *made = parse(text);
        remove_file(path);
        assert_false(made->pinn.net_auto);
        assert_int_equal(made->pinn.net.n_hidden, 2);
        assert_int_equal(made->pinn.net.widths[0], rungs[i].width);
        assert_int_equal(made->pinn.net.widths[1], 7);
        assert_int_equal(made->pinn.net.init, ARC_INIT_GLOROT_UNIFORM);
        assert_int_equal(made->pinn.net.activation, ARC_ACTIVATION_TANH);
        assert_true(made->pinn.net.slope_low == rungs[i].low);
        assert_true(made->pinn.net.slope_high == rungs[i].high);
        arc_experiment_free(made);
    }
}

static void test_parse_net_file_gives_activation_waves_and_skip(void **state)
{
    (void)state;
    for (int activation = 0; activation < ARC_ACTIVATION_COUNT; activation++) {
        char path[64], net[160], text[256];
        const char *more =
            activation == ARC_ACTIVATION_SIN ? ", skip: true, fourier: {modes: 5, base: 0.5}" : "";
        snprintf(net, sizeof net, "{net: 1, hidden: [9, 9], activation: %s%s}",
                 arc_activation_name(activation), more);
        write_file(path, net);
        snprintf(text, sizeof text, "arcfit: 1\nfit: {pinn: {net: '%s'}}\n", path);
        ArcExperiment *made = parse(text);
        remove_file(path);
        bool has_more = more[0] != '\0';
        assert_int_equal(made->pinn.net.activation, activation);
        assert_int_equal(made->pinn.net.skip, has_more);
        assert_int_equal(made->pinn.net.fourier_modes, has_more ? 5 : 0);
        assert_true(made->pinn.net.fourier_base == (has_more ? 0.5 : 1.0));
        arc_experiment_free(made);
    }
}

static int read_all(const char *pattern)
{
    glob_t found;
    int n = 0;
    if (glob(pattern, 0, NULL, &found) != 0)
        return 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        ArcError error = {ARC_OK, ""};
        ArcExperiment *made = NULL;
        if (arc_experiment_read(found.gl_pathv[i], 0, NULL, &made, &error) != ARC_OK)
            fail_msg("%s", error.text);
        assert_true(made->capture.file != NULL || made->aim.goal.kind != ARC_GOAL_NONE);
        arc_experiment_free(made);
        n++;
    }
    globfree(&found);
    return n;
}

static void test_read_worked_experiments_and_nets(void **state)
{
    (void)state;
    static const char *const nets[] = {"tanh-24", "tanh-48", "tanh-96", "tanh-160", "tanh-16x2"};
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, "arcfit: 1\nfit: {pinn: {net: ../nets/%s.yaml}}\n", nets[i]);
        ArcError error = {ARC_OK, ""};
        ArcExperiment *made = NULL;
        if (arc_experiment_parse("tests/f.yaml", text, strlen(text), 0, NULL, &made, &error) !=
            ARC_OK)
            fail_msg("%s", error.text);
        assert_int_equal(made->pinn.net.widths[0], atoi(nets[i] + strlen("tanh-")));
        arc_experiment_free(made);
    }
    read_all("experiments/*.yaml");
}

static void test_read_shared_experiments(void **state)
{
    (void)state;
    char pattern[1024];
    int n = read_all(shared_path(pattern, "oracle/*.yaml"));
    n += read_all(shared_path(pattern, "data/*/*.yaml"));
    assert_true(n >= 20);
}

static bool refuse_memory(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

static void test_parse_without_memory_gives_status(void **state)
{
    (void)state;
    int n = 0;
    ArcStatus status = ARC_MEMORY;
    for (; status != ARC_OK && n < 10000; n++) {
        int left = n;
        ArcExperiment *made = NULL;
        ArcError error = {ARC_OK, ""};
        arc_memory_set_hook(refuse_memory, &left);
        status =
            arc_experiment_parse("f.yaml", full_text, strlen(full_text), 0, NULL, &made, &error);
        arc_memory_set_hook(NULL, NULL);
        assert_true(status == ARC_OK || status == ARC_MEMORY);
        assert_int_equal(error.status, status);
        arc_experiment_free(made);
    }
    assert_true(n > 5 && status == ARC_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_least_file_has_all_defaults),
        cmocka_unit_test(test_parse_full_file_fills_settings),
        cmocka_unit_test(test_parse_parameters_take_their_forms),
        cmocka_unit_test(test_parse_window_takes_its_forms),
        cmocka_unit_test(test_parse_gravity_named_among_parameters_is_one),
        cmocka_unit_test(test_parse_records_settings_in_si),
        cmocka_unit_test(test_parse_flight_in_full_fills_settings_and_records_them),
        cmocka_unit_test(test_parse_overridden_laws_leave_what_goes_with_them_out),
        cmocka_unit_test(test_parse_overrides_win_in_order),
        cmocka_unit_test(test_parse_law_set_over_another_leaves_its_parameters_out),
        cmocka_unit_test(test_parse_net_file_gives_net),
        cmocka_unit_test(test_parse_net_file_gives_activation_waves_and_skip),
        cmocka_unit_test(test_read_worked_experiments_and_nets),
        cmocka_unit_test(test_read_shared_experiments),
        cmocka_unit_test(test_parse_without_memory_gives_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
