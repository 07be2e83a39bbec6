/* The table of settings: every field of the settings structs has exactly one row, every default
 * reads, every range is enforced, help shows every row. */
#include "experiment/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "settings_fields.h"
#include "settings_texts.h"

static const Field experiment_fields[] = {
    E_FOLLOWS(path, "argument"),
    E_FOLLOWS(text, "argument"),
    E_ROW(name),
    E_ROW(capture.file),
    E_FOLLOWS(capture.place, "capture.file"),
    E_ROW(capture.format),
    E_FOLLOWS(capture.dimensions, "flight.dimensions"),
    E_ROW(capture.track),
    E_FOLLOWS(capture.one_flight, "capture.flight"),
    E_ROW(capture.flight_number),
    E_ROW(capture.rate_per_s),
    E_ROW(capture.image_px[0]),
    E_ROW(capture.image_px[1]),
    E_ROW(capture.offsets),
    E_ROW(capture.n_views),
    E_ROW(capture.rows_from),
    E_ROW(capture.sigma_m),
    E_FOLLOWS(capture.sigma_px, "capture.sigma"),
    E_FOLLOWS(capture.sigma_estimated, "capture.sigma"),
    E_FOLLOWS(capture.n_cameras, "capture.cameras"),
    E_ROW(capture.cameras),
    E_FOLLOWS(capture.n_columns, "capture.columns.*"),
    E_FOLLOWS(capture.columns, "capture.columns.*"),
    E_ROW(capture.time_scale_s),
    E_ROW(capture.position_scale_m),
    E_FOLLOWS(capture.position_is_px, "capture.units.position"),
    E_ROW(capture.t0_s),
    E_ROW(capture.window_s),
    E_FOLLOWS(capture.window_auto, "capture.window"),
    E_ROW(capture.split),
    E_FOLLOWS(capture.flight, "flight"),
    E_FOLLOWS(capture.scale_is_open, "parameters"),
    E_ROW(capture.swing.file),
    E_FOLLOWS(capture.swing.place, "capture.swing.file"),
    E_FOLLOWS(capture.swing.n_joints, "arm.joints"),
    E_ROW(capture.swing.sigma_m),
    E_ROW(capture.swing.sigma_rad),
    E_ROW(capture.swing.sigma_rad_s),
    E_ROW(capture.swing.window_s),
    E_ROW(capture.swing.readings),
    E_FOLLOWS(capture.swing.readings_place, "capture.readings.file"),
    E_ROW(capture.swing.readings_sigma_rad),
    E_ROW(capture.swing.readings_sigma_rad_s),
    E_ROW(capture.swing.readings_sigma_s),
    E_ROW(capture.swing.readings_sigma_share),
    E_FOLLOWS(capture.equations, "model"),
    E_FOLLOWS(capture.channel_sigma, "capture.sigma"),
    E_FOLLOWS(capture.sensor.place, "capture.sensor"),
    E_ROW(capture.sensor.quantisation_m),
    E_FOLLOWS(capture.sensor.quantisation_px, "capture.sensor.quantisation"),
    E_ROW(capture.sensor.bias_m),
    E_FOLLOWS(capture.sensor.bias_px, "capture.sensor.bias"),
    E_ROW(capture.sensor.latency_s),
    E_ROW(capture.sensor.latency_sd_s),
    E_ROW(capture.every),
    E_ROW(capture.hold_out),
    E_ROW(capture.hold_out_every),
    E_ROW(capture.hold_out_after_s),
    E_FOLLOWS(n_captures, "capture"),
    E_FOLLOWS(captures, "capture"),
    E_ROW(flight_settings.dimensions),
    E_ROW(flight_settings.up),
    E_ROW(flight_settings.gravity_m_s2),
    E_FOLLOWS(flight_settings.has_gravity, "parameters.gravity"),
    E_FOLLOWS(flight_settings.has_tilt, "parameters.tilt*"),
    E_ROW(flight_settings.latitude_rad),
    E_ROW(flight_settings.height_m),
    E_FOLLOWS(flight_settings.has_ball, "flight.ball"),
    E_FOLLOWS(flight_settings.ball.name, "flight.ball"),
    E_ROW(flight_settings.ball.mass_kg),
    E_ROW(flight_settings.ball.diameter_m),
    E_FOLLOWS(flight_settings.ball.cd, "flight.ball"),
    E_FOLLOWS(flight_settings.ball.source, "flight.ball"),
    E_ROW(flight_settings.air.temperature_k),
    E_ROW(flight_settings.air.pressure_pa),
    E_ROW(flight_settings.air.humidity),
    E_ROW(flight_settings.air.density_kg_m3),
    E_ROW(flight_settings.wind_m_s),
    E_ROW(flight_settings.shear.is_on),
    E_ROW(flight_settings.shear.exponent),
    E_ROW(flight_settings.shear.height_m),
    E_ROW(flight_settings.shear.ground_m),
    E_ROW(flight_settings.gust.is_on),
    E_ROW(flight_settings.gust.velocity_m_s),
    E_ROW(flight_settings.gust.time_s),
    E_ROW(flight_settings.gust.width_s),
    E_ROW(flight_settings.drag),
    E_ROW(flight_settings.drag_table),
    E_ROW(flight_settings.lift),
    E_ROW(flight_settings.lift_table),
    E_ROW(flight_settings.spin_decay),
    E_FOLLOWS(flight_settings.has_spin, "closure.outputs"),
    E_ROW(flight_settings.buoyancy),
    E_ROW(flight_settings.added_mass),
    E_ROW(flight_settings.bounce.is_on),
    E_ROW(flight_settings.bounce.plane),
    E_ROW(flight_settings.bounce.restitution),
    E_ROW(flight_settings.bounce.friction),
    E_ROW(flight_settings.bounce.spin_coupling),
    E_FOLLOWS(flight, "arc_flight_create"),
    E_ROW(release),
    E_ROW(has_arm),
    E_FOLLOWS(arm.settings.dimensions, "flight.dimensions"),
    E_FOLLOWS(arm.settings.up, "flight.up"),
    E_FOLLOWS(arm.settings.n_joints, "arm.joints"),
    E_ROW(arm.settings.joints),
    E_ROW(arm.settings.base_m),
    E_ROW(arm.settings.azimuth_rad),
    E_ROW(arm.settings.ball_m),
    E_ROW(arm.settings.payload_kg),
    E_FOLLOWS(arm.settings.gravity_m_s2, "flight.gravity"),
    E_ROW(arm.settings.friction_width_rad_s),
    E_ROW(arm.settings.has_encoders),
    E_FOLLOWS(arm.settings.has_swing, "capture.swing"),
    E_ROW(arm.settings.begin_s),
    E_FOLLOWS(arm.settings.end_s, "arm.span"),
    {offsetof(ArcExperiment, arm.n_geometry),
     sizeof(ArcArm) - (offsetof(ArcExperiment, arm.n_geometry) - offsetof(ArcExperiment, arm)),
     "arm", "arc_arm_create"},
    E_ROW(equations),
    E_ROW(closure.is_on),
    E_FOLLOWS(closure.place, "closure"),
    E_FOLLOWS(closure.n_inputs, "closure.inputs"),
    E_ROW(closure.inputs),
    E_ROW(closure.output),
    E_FOLLOWS(closure.axes, "closure.outputs"),
    E_ROW(closure.replaces),
    E_FOLLOWS(closure.net_auto, "closure.net"),
    E_ROW(closure.net),
    E_ROW(closure.ridge),
    E_ROW(closure.width),
    E_ROW(closure.choice),
    E_ROW(closure.trains_all),
    E_FOLLOWS(n_parameters, "parameters"),
    E_ROW(parameters),
    E_FOLLOWS(n_targets, "derived"),
    E_ROW(targets),
    E_ROW(use_pinn),
    E_FOLLOWS(use_direct, "fit.methods"),
    E_ROW(seed),
    E_ROW(starts),
    E_FOLLOWS(curriculum.is_auto, "fit.stages"),
    E_FOLLOWS(curriculum.n, "fit.stages"),
    E_ROW(curriculum.stages),
    E_ROW(loss.kind),
    E_ROW(loss.tuning),
    E_ROW(loss.dof),
    E_FOLLOWS(loss.dof_estimated, "fit.loss.dof"),
    E_FOLLOWS(pinn.net_auto, "fit.pinn.net"),
    E_ROW(pinn.net),
    E_ROW(pinn.collocation),
    E_ROW(pinn.collocation_kind),
    E_ROW(pinn.collocation_every),
    E_ROW(pinn.sigma_phys_m_s2),
    E_FOLLOWS(pinn.physics_auto, "fit.pinn.physics"),
    E_ROW(pinn.weighting),
    E_ROW(pinn.weighting_every),
    E_ROW(pinn.causal_epsilon),
    E_ROW(pinn.windows),
    E_FOLLOWS(pinn.n_stages, "fit.pinn.train"),
    E_ROW(pinn.stages),
    E_ROW(direct_tolerance),
    E_ROW(uncertainty.profiles),
    E_ROW(uncertainty.bootstrap),
    E_ROW(uncertainty.bootstrap_kind),
    E_ROW(uncertainty.sample),
    E_FOLLOWS(randomise.n, "randomise"),
    E_FOLLOWS(randomise.quantities, "randomise"),
    E_ROW(randomise.draws),
    E_ROW(simulate.points),
    E_ROW(simulate.duration_s),
    E_ROW(simulate.rate_per_s),
    E_ROW(simulate.sigma_m),
    E_FOLLOWS(simulate.sigma_px, "simulate.sigma"),
    E_ROW(simulate.draw),
    E_ROW(simulate.noise.outlier_share),
    E_ROW(simulate.noise.outlier_size_sd),
    E_FOLLOWS(simulate.noise.outlier_size_m, "simulate.noise.outliers.size"),
    E_ROW(simulate.noise.dropped_share),
    E_ROW(simulate.noise.dropped_run),
    E_ROW(simulate.noise.jitter_s),
    E_FOLLOWS(simulate.noise.sensor.place, "simulate.noise"),
    E_ROW(simulate.noise.sensor.quantisation_m),
    E_FOLLOWS(simulate.noise.sensor.quantisation_px, "simulate.noise.rounding"),
    E_ROW(simulate.noise.sensor.bias_m),
    E_FOLLOWS(simulate.noise.sensor.bias_px, "simulate.noise.bias"),
    E_ROW(simulate.noise.sensor.latency_s),
    E_ROW(simulate.noise.sensor.latency_sd_s),
    E_ROW(simulate.start_s),
    E_ROW(simulate.swing.is_on),
    E_ROW(simulate.swing.points),
    E_ROW(simulate.swing.duration_s),
    E_ROW(simulate.swing.rate_per_s),
    E_ROW(simulate.swing.places),
    E_ROW(simulate.swing.angles),
    E_ROW(simulate.swing.rates),
    E_ROW(simulate.swing.sigma_m),
    E_ROW(simulate.swing.sigma_rad),
    E_ROW(simulate.swing.sigma_rad_s),
    E_FOLLOWS(simulate.n_readings, "simulate.readings"),
    E_ROW(simulate.readings),
    E_ROW(simulate.channels),
    E_FOLLOWS(simulate.channel_sigma, "simulate.sigma"),
    E_FOLLOWS(simulate.channel_rounding, "simulate.noise.rounding"),
    E_FOLLOWS(simulate.n_times, "simulate.times"),
    E_ROW(simulate.times_s),
    E_FOLLOWS(simulate.replica, "argument"),
    E_FOLLOWS(simulate.flight, "argument"),
    E_ROW(aim.goal.kind),
    E_ROW(aim.goal.position_m),
    E_ROW(aim.goal.velocity_m_s),
    E_ROW(aim.goal.point_m),
    E_ROW(aim.goal.radius_m),
    E_FOLLOWS(aim.goal.has_backboard, "aim.target.hoop.backboard"),
    E_ROW(aim.goal.backboard),
    E_ROW(aim.goal.axis),
    E_ROW(aim.goal.half_m),
    E_FOLLOWS(aim.goal.place, "aim"),
    E_ROW(aim.from_file),
    E_ROW(aim.unknown),
    E_ROW(aim.scatter_sd),
    E_ROW(aim.weight),
    E_ROW(aim.least),
    E_FOLLOWS(aim.most, "aim.limits.NAME.most"),
    E_ROW(aim.maximise_probability),
    E_FOLLOWS(aim.n_angles, "aim.angles"),
    E_ROW(aim.angles_rad),
    E_ROW(aim.time_s),
    E_FOLLOWS(aim.has_front, "aim.pareto"),
    E_ROW(aim.front),
    E_ROW(aim.n_front),
    E_ROW(aim.monte_carlo),
    E_ROW(aim.contact.is_on),
    E_ROW(aim.contact.stiffness_n_m),
    E_ROW(aim.contact.restitution),
    E_ROW(aim.contact.width_m),
    E_ROW(aim.contact.wire_m),
    E_ROW(aim.swing.is_on),
    E_ROW(aim.swing.from_rad),
    E_ROW(aim.swing.time_s),
    E_ROW(output_file),
    E_FOLLOWS(n_settings, "the record"),
    E_FOLLOWS(setting_paths, "the record"),
    E_FOLLOWS(setting_values, "the record"),
    E_FOLLOWS(n_overrides, "argument"),
    E_FOLLOWS(overrides, "argument"),
    E_FOLLOWS(arena, "the memory"),
};

/* The whole table in one piece. */
static const ArcSettingRow *all_rows(int *n)
{
    static ArcSettingRow rows[400];
    const ArcSettingRow *row;
    for (*n = 0; (row = arc_setting_at(*n)) != NULL; ++*n) {
        assert_true(*n < (int)(sizeof rows / sizeof rows[0]));
        rows[*n] = *row;
    }
    return rows;
}

static const char *owner_of(const ArcSettingRow *row)
{
    static const char *const owners[] = {
        "net file.",      "fit.pinn.train.",       "parameters.NAME.",
        "derived.NAME.",  "capture.cameras.NAME.", "arm.joints.",
        "randomise.NAME."};
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++) {
        if (strncmp(row->path, owners[i], strlen(owners[i])) == 0)
            return owners[i];
    }
    return "";
}

/* Rows whose field lies in [offset, offset + size) of the struct that owner fills. flight.ball
 * stands for the whole ball, of which mass and diameter have rows of their own. */
static int count_rows(const char *owner, const Field *field)
{
    int n_rows, n = 0;
    const ArcSettingRow *rows = all_rows(&n_rows);
    for (int i = 0; i < n_rows; i++) {
        if (strcmp(owner_of(&rows[i]), owner) == 0 && rows[i].size > 0 &&
            rows[i].offset == field->offset && rows[i].size == field->size)
            n++;
    }
    return n;
}

static void assert_one_row_each(const char *owner, const Field *fields, size_t n, size_t size)
{
    size_t end = 0;
    for (size_t i = 0; i < n; i++) {
        int rows = count_rows(owner, &fields[i]);
        if (rows != (fields[i].why == NULL ? 1 : 0))
            fail_msg("field %s has %d rows", fields[i].name, rows);
        /* a field that this list forgets leaves a gap; padding is shorter than any pointer */
        if (fields[i].offset < end || fields[i].offset - end >= sizeof(void *))
            fail_msg("bytes before field %s are in no row", fields[i].name);
        end = fields[i].offset + fields[i].size;
    }
    assert_true(size - end < sizeof(void *));
}

static void test_table_every_field_has_one_row(void **state)
{
    (void)state;
    assert_one_row_each("", experiment_fields, sizeof experiment_fields / sizeof(Field),
                        sizeof(ArcExperiment));
    assert_one_row_each("fit.pinn.train.", stage_fields, sizeof stage_fields / sizeof(Field),
                        sizeof(ArcStage));
    assert_one_row_each("randomise.NAME.", quantity_fields, sizeof quantity_fields / sizeof(Field),
                        sizeof(ArcRandomQuantity));
    assert_one_row_each("derived.NAME.", target_fields, sizeof target_fields / sizeof(Field),
                        sizeof(ArcTarget));
    assert_one_row_each("capture.cameras.NAME.", camera_fields,
                        sizeof camera_fields / sizeof(Field), sizeof(ArcCameraSettings));
    assert_one_row_each("arm.joints.", joint_fields, sizeof joint_fields / sizeof(Field),
                        sizeof(ArcArmJoint));
    assert_one_row_each("net file.", net_fields, sizeof net_fields / sizeof(Field),
                        sizeof(ArcNetSettings));
}

static void test_table_rows_are_whole(void **state)
{
    (void)state;
    int n;
    const ArcSettingRow *rows = all_rows(&n);
    for (int i = 0; i < n; i++) {
        if ((rows[i].default_text == NULL) == (rows[i].absent == NULL))
            fail_msg("%s has a default and says what its absence means, or neither", rows[i].path);
        assert_true(strlen(rows[i].doc) > 2);
        if (rows[i].type == ARC_SETTING_SPECIAL && rows[i].accepts == NULL)
            fail_msg("%s does not say what it accepts", rows[i].path);
        if (rows[i].type == ARC_SETTING_CHOICE && rows[i].choice(0) == NULL)
            fail_msg("%s has no choices", rows[i].path);
        bool is_number = rows[i].type == ARC_SETTING_NUMBER || rows[i].type == ARC_SETTING_WHOLE;
        if (is_number && !(rows[i].low <= rows[i].high && rows[i].high > 0))
            fail_msg("%s has no range", rows[i].path);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(rows[i].path, rows[j].path);
        int parents = 0;
        for (int j = 0; j < n; j++)
            parents += arc_setting_is_in(&rows[i], rows[j].path);
        bool is_top = arc_setting_is_in(&rows[i], "") || arc_setting_is_in(&rows[i], "net file");
        if (parents + is_top != 1)
            fail_msg("%s stands in %d sections", rows[i].path, parents + is_top);
    }
}

/* row at value; value NULL: absent. A stage has the optimizer that knows the row. */
static ArcStatus parse_with(const ArcSettingRow *row, const char *value, ArcExperiment **experiment,
                            ArcError *error)
{
    bool is_bounce = strncmp(row->path, "flight.bounce.", 14) == 0;
    char text[300], path[100], override[200];
    bool is_model = strncmp(row->path, "model", 5) == 0;
    snprintf(text, sizeof text, "arcfit: 1\n%s%s%s%sfit: {%spinn: {train: [{optimizer: %s}]}}\n",
             section_of(row), is_model ? "" : "flight: {", is_model ? "" : flight_of(row),
             is_model ? "" : "}\n", is_bounce ? "methods: [direct], " : "",
             row->optimizer == NULL ? "lm" : row->optimizer);
    path_text(row, path);
    snprintf(override, sizeof override, "%s=%s", path, value);
    const char *const overrides[] = {override};
    return arc_experiment_parse("f.yaml", text, strlen(text), value == NULL ? 0 : 1, overrides,
                                experiment, error);
}

static bool is_net_file(const ArcSettingRow *row)
{
    return strncmp(row->path, "net file.", 9) == 0;
}

static const char *recorded(const ArcExperiment *experiment, const ArcSettingRow *row)
{
    char path[100];
    path_text(row, path);
    for (int i = 0; i < experiment->n_settings; i++) {
        if (strcmp(experiment->setting_paths[i], path) == 0)
            return experiment->setting_values[i];
    }
    return "";
}

/* Behind the net, where no struct is copied whole, bytes tell. */
static void assert_training_equal(const ArcPinnSettings *a, const ArcPinnSettings *b)
{
    const size_t from = offsetof(ArcPinnSettings, collocation);
    assert_memory_equal((const char *)a + from, (const char *)b + from, sizeof *a - from);
}

static void test_table_every_default_reads_and_changes_nothing(void **state)
{
    (void)state;
    int n, n_defaults = 0;
    const ArcSettingRow *rows = all_rows(&n);
    for (int i = 0; i < n; i++) {
        if (rows[i].default_text == NULL || is_net_file(&rows[i]) ||
            strcmp(rows[i].default_text, "{}") == 0)
            continue;
        ArcError error = {ARC_OK, ""};
        ArcExperiment *experiment = NULL, *plain = NULL;
        if (strcmp(rows[i].path, "flight.drag") == 0)
            continue; /* the experiment of this test sets it; test_experiment reads its default */
        if (parse_with(&rows[i], rows[i].default_text, &experiment, &error) != ARC_OK)
            fail_msg("%s: %s", rows[i].path, error.text);
        assert_int_equal(parse_with(&rows[i], NULL, &plain, &error), ARC_OK);
        bool is_inner = strncmp(rows[i].path, "fit.pinn.collocation.", 21) == 0 ||
                        strncmp(rows[i].path, "simulate.swing.", 15) == 0 ||
                        strcmp(rows[i].path, "fit.loss.kind") == 0;
        const char *given = recorded(experiment, &rows[i]), *absent = recorded(plain, &rows[i]);
        if (!is_inner && strcmp(given, absent) != 0)
            fail_msg("%s records '%s' given and '%s' absent", rows[i].path, given, absent);
        if (strstr(rows[i].path, "fit.pinn.train.") != NULL)
            assert_string_not_equal(given, "");
        if (strcmp(rows[i].path, "fit.pinn.train") != 0)
            assert_training_equal(&experiment->pinn, &plain->pinn);
        n_defaults++;
        arc_experiment_free(experiment);
        arc_experiment_free(plain);
    }
    assert_true(n_defaults > 30);
}

static void assert_value_refused(const ArcSettingRow *row, const char *value, const char *fragment)
{
    ArcError error = {ARC_OK, ""};
    ArcExperiment *experiment = NULL;
    ArcStatus status = parse_with(row, value, &experiment, &error);
    if (status != ARC_INPUT || strncmp(error.text, "--set:1:", 8) != 0 ||
        strstr(error.text, fragment) == NULL)
        fail_msg("%s=%s gives status %d, '%s' without '%s'", row->path, value, (int)status,
                 error.text, fragment);
    assert_null(experiment);
}

static void test_table_every_row_refuses_a_wrong_type(void **state)
{
    (void)state;
    int n;
    const ArcSettingRow *rows = all_rows(&n);
    for (int i = 0; i < n; i++) {
        if (is_net_file(&rows[i]))
            continue;
        assert_value_refused(&rows[i], "[[1]]", "error: ");
        assert_value_refused(&rows[i], "~", "error: ");
        if (rows[i].type != ARC_SETTING_TEXT && rows[i].type != ARC_SETTING_FILE &&
            strcmp(rows[i].path, "fit.pinn.net") != 0 &&
            strcmp(rows[i].path, "model.plugin") != 0 && /* a file's name, too */
            strncmp(rows[i].path, "capture.columns.", 16) != 0)
            assert_value_refused(&rows[i], "nonsense", "error: ");
    }
}

static void test_table_every_range_is_enforced(void **state)
{
    (void)state;
    int n, n_checked = 0;
    const ArcSettingRow *rows = all_rows(&n);
    for (int i = 0; i < n; i++) {
        char low[64], high[64];
        if (is_net_file(&rows[i]) || strcmp(rows[i].path, "arcfit") == 0)
            continue;
        if (rows[i].type == ARC_SETTING_NUMBER) {
            snprintf(high, sizeof high, "%.17g", 2 * rows[i].high);
            snprintf(low, sizeof low, "%.17g", rows[i].low - rows[i].high);
        } else if (rows[i].type == ARC_SETTING_WHOLE) {
            snprintf(high, sizeof high, "%.0f", rows[i].high + 2);
            snprintf(low, sizeof low, "%.0f", rows[i].low - 1);
        } else {
            continue;
        }
        assert_value_refused(&rows[i], high, "out of its range");
        assert_value_refused(&rows[i], low, "out of its range");
        assert_value_refused(&rows[i], ".nan", "number");
        n_checked++;
    }
    assert_true(n_checked > 12);
}

static void test_settings_text_shows_every_row_in_80_columns(void **state)
{
    (void)state;
    char *text = NULL;
    assert_int_equal(arc_settings_text(&text, NULL), ARC_OK);
    int n;
    const ArcSettingRow *rows = all_rows(&n);
    for (int i = 0; i < n; i++) {
        char line[128];
        snprintf(line, sizeof line, "\n  %s\n", rows[i].path);
        if (strstr(text, line) == NULL)
            fail_msg("%s is not shown", rows[i].path);
    }
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        if (length > 80)
            fail_msg("longer than 80 columns: %.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    assert_non_null(strstr(text, "pixels as 0.5 px, a length"));
    assert_non_null(
        strstr(text, "none | lumped | quadratic | logistic | morrison | spin-dependent"));
    assert_non_null(strstr(text, "1e-12 to 1000; adam only; default: the rate"));
    assert_non_null(strstr(text, "1 to 200; lbfgs only; default 20"));
    arc_text_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_every_field_has_one_row),
        cmocka_unit_test(test_table_rows_are_whole),
        cmocka_unit_test(test_table_every_default_reads_and_changes_nothing),
        cmocka_unit_test(test_table_every_row_refuses_a_wrong_type),
        cmocka_unit_test(test_table_every_range_is_enforced),
        cmocka_unit_test(test_settings_text_shows_every_row_in_80_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
