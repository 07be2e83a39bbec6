/* Aims written and read back: every field bit by bit, files that are damaged, changed or none. */
#include "aim_report_case.h"
#include "slow.h"

#include "aim/describe.h"
#include "arcfit/version.h"
#include "hdf5_change.h"
#include "io/hdf5.h"

static ArcAim aim;
static const char path[] = "/tmp/arcfit-test-aim-read.h5";

static void write_file(void)
{
    ArcError err = {ARC_OK, ""};
    if (arc_aim_write(&aim, path, &err) != ARC_OK)
        fail_msg("%s", err.text);
}

static ArcAim *write_and_read(void)
{
    ArcError err = {ARC_OK, ""};
    ArcAim *read = NULL;
    write_file();
    if (arc_aim_read(path, &read, &err) != ARC_OK)
        fail_msg("%s", err.text);
    unlink(path);
    return read;
}

static void assert_same(const char *what, int n, const double *a, const double *b)
{
    for (int i = 0; i < n; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            fail_msg("%s %d: %.17g for %.17g", what, i, b[i], a[i]);
}

static void assert_same_throw(const ArcAimSolution *a, const ArcAimSolution *b)
{
    int n = aim.n_parameters, d = aim.dimensions;
    assert_same("values", n, a->values, b->values);
    assert_same("commands", arc_aim_joints(&aim), a->commands_rad, b->commands_rad);
    assert_same("position", d, a->position_m, b->position_m);
    assert_same("velocity", d, a->velocity_m_s, b->velocity_m_s);
    assert_same("arrival", d, a->arrival_m, b->arrival_m);
    assert_same("arrival velocity", d, a->arrival_velocity_m_s, b->arrival_velocity_m_s);
    assert_same("numbers", ARC_N_AIM_NUMBERS, a->numbers, b->numbers);
    assert_same("miss by", n, a->miss_by, b->miss_by);
    assert_same("cost", 1, &a->cost, &b->cost);
    assert_same("chance", 1, &a->chance.value, &b->chance.value);
    assert_same("checked", 1, &a->chance.checked, &b->chance.checked);
    assert_same("checked sd", 1, &a->chance.checked_sd, &b->chance.checked_sd);
    assert_same("offset sd", d, a->chance.offset_sd_m, b->chance.offset_sd_m);
    assert_int_equal(a->chance.is_valid, b->chance.is_valid);
    assert_int_equal(a->hits, b->hits);
}

static void assert_same_reach_throw(const ArcReachThrow *a, const ArcReachThrow *b)
{
    int J = arc_aim_joints(&aim), d = aim.dimensions;
    assert_same("theta", J, a->theta_rad, b->theta_rad);
    assert_same("omega", J, a->omega_rad_s, b->omega_rad_s);
    assert_same("position", d, a->position_m, b->position_m);
    assert_same("velocity", d, a->velocity_m_s, b->velocity_m_s);
    assert_same("distance", 1, &a->distance, &b->distance);
    assert_same("miss", 1, &a->miss_m, &b->miss_m);
    assert_same("miss of speed", 1, &a->miss_m_s, &b->miss_m_s);
    assert_same("time", 1, &a->time_s, &b->time_s);
    assert_same("arrival", d, a->arrival_m_s, b->arrival_m_s);
    assert_same("angle over", J, a->angle_over_rad, b->angle_over_rad);
    assert_same("rate over", J, a->rate_over, b->rate_over);
    assert_same("missing", d, a->missing_m_s, b->missing_m_s);
    assert_int_equal(a->is_within, b->is_within);
}

static void assert_same_reach(const ArcReach *a, const ArcReach *b)
{
    assert_int_equal(b->goal.kind, a->goal.kind);
    assert_int_equal(b->dimensions, a->dimensions);
    assert_int_equal(b->up, a->up);
    assert_int_equal(b->n_joints, a->n_joints);
    assert_int_equal(b->is_reachable, a->is_reachable);
    assert_int_equal(b->is_too_short, a->is_too_short);
    assert_int_equal(b->n_poses, a->n_poses);
    assert_same("spin", 1, &a->spin_rad_s, &b->spin_rad_s);
    assert_same_reach_throw(&a->nearest, &b->nearest);
    assert_int_equal(b->n_solutions, a->n_solutions);
    for (int i = 0; i < a->n_solutions; i++)
        assert_same_reach_throw(&a->solutions[i], &b->solutions[i]);
    for (int k = 0; k < ARC_N_REACH_LIMITS; k++)
        assert_same("by", a->n_joints, a->by[k], b->by[k]);
    assert_int_equal(b->n_cures, a->n_cures);
    for (int i = 0; i < a->n_cures; i++) {
        assert_int_equal(b->cures[i].limit, a->cures[i].limit);
        assert_int_equal(b->cures[i].joint, a->cures[i].joint);
        assert_same("change", 1, &a->cures[i].change, &b->cures[i].change);
    }
}

/* What stands in the aim itself; settings by what shows that they are the experiment's. */
static void assert_same_aim(const ArcAim *read)
{
    int n = aim.n_parameters;
    assert_string_equal(read->experiment->text, aim.experiment->text);
    assert_string_equal(read->experiment->path, aim.experiment->path);
    assert_int_equal(read->experiment->seed, aim.experiment->seed);
    assert_int_equal(read->n_parameters, n);
    for (int i = 0; i < n; i++) {
        assert_string_equal(read->parameters[i].name, aim.parameters[i].name);
        assert_int_equal(read->unknown[i], aim.unknown[i]);
    }
    assert_same("believed", n, aim.believed, read->believed);
    assert_same("believed sd", n, aim.believed_sd, read->believed_sd);
    assert_int_equal(read->dimensions, aim.dimensions);
    assert_int_equal(read->up, aim.up);
    assert_int_equal(read->has_arm, aim.has_arm);
    assert_int_equal(read->is_reachable, aim.is_reachable);
    assert_same("short of speed", 1, &aim.shortfall_speed_m_s, &read->shortfall_speed_m_s);
    assert_same("short", 1, &aim.shortfall_miss_m, &read->shortfall_miss_m);
    assert_same("least speed", 1, &aim.least_speed_m_s, &read->least_speed_m_s);
    assert_int_equal(read->settings.monte_carlo, aim.settings.monte_carlo);
    assert_int_equal(read->settings.goal.kind, aim.settings.goal.kind);
    assert_same("target", 3, aim.settings.goal.point_m, read->settings.goal.point_m);
    assert_same("scatter", n, aim.settings.scatter_sd, read->settings.scatter_sd);
    assert_int_equal(read->n_solutions, aim.n_solutions);
    for (int i = 0; i < aim.n_solutions; i++)
        assert_same_throw(&aim.solutions[i], &read->solutions[i]);
    assert_int_equal(read->n_banks, aim.n_banks);
    for (int i = 0; i < aim.n_banks; i++)
        assert_same_throw(&aim.banks[i], &read->banks[i]);
    assert_int_equal(read->n_front, aim.n_front);
    for (int i = 0; i < aim.n_front; i++) {
        assert_same("front", 2, aim.front[i].numbers, read->front[i].numbers);
        assert_same("front's values", n, aim.front[i].values, read->front[i].values);
    }
    assert_int_equal(read->has_reach, aim.has_reach);
    if (aim.has_reach)
        assert_same_reach(&aim.reach, &read->reach);
}

static void test_aim_read_hit_gives_every_field_back(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    report_case_hit(experiment, &aim);
    aim.solutions[0].cost = 3.25;
    aim.n_banks = 2;
    aim.banks[0] = report_case_throw(&aim, 9.1, 0.8);
    aim.banks[1] = report_case_throw(&aim, 9.2, 0.85);
    aim.banks[1].numbers[ARC_AIM_CLEARANCE] = NAN;
    ArcAim *read = write_and_read();
    assert_same_aim(read);
    arc_aim_free(read);
    arc_experiment_free(experiment);
}

static void test_aim_read_short_gives_every_field_back(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    report_case_short(experiment, &aim);
    ArcAim *read = write_and_read();
    assert_same_aim(read);
    arc_aim_free(read);
    arc_experiment_free(experiment);
}

static void test_aim_read_arm_out_of_reach_gives_every_field_back(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_ARM);
    report_case_arm(experiment, &aim);
    aim.solutions[0].commands_rad[1] = 0.25;
    aim.reach.nearest.missing_m_s[1] = -0.5;
    aim.reach.nearest.angle_over_rad[0] = 0.125;
    aim.reach.nearest.miss_m_s = 0.75;
    aim.reach.nearest.arrival_m_s[1] = -4.5;
    aim.reach.is_too_short = true;
    assert_true(aim.reach.n_cures > 0 && aim.reach.n_solutions > 0);
    ArcAim *read = write_and_read();
    assert_same_aim(read);
    arc_aim_free(read);
    arc_experiment_free(experiment);
}

/* The same words and JSON from what was read. */
static void test_aim_read_found_aim_tells_the_same(void **state)
{
    (void)state;
    SKIP_UNDER_SANITIZERS();
    ArcError err = {ARC_OK, ""};
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    ArcAim *found = NULL, *read = NULL;
    char *texts[4] = {NULL};
    if (arc_aim_find(experiment, NULL, NULL, &found, &err) != ARC_OK ||
        arc_aim_write(found, path, &err) != ARC_OK || arc_aim_read(path, &read, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_int_equal(arc_aim_text(found, &texts[0], &err), ARC_OK);
    assert_int_equal(arc_aim_text(read, &texts[1], &err), ARC_OK);
    assert_int_equal(arc_aim_json(found, &texts[2], &err), ARC_OK);
    assert_int_equal(arc_aim_json(read, &texts[3], &err), ARC_OK);
    assert_string_equal(texts[0], texts[1]);
    assert_string_equal(texts[2], texts[3]);
    for (int i = 0; i < 4; i++)
        arc_text_free(texts[i]);
    arc_aim_free(found);
    arc_aim_free(read);
    arc_experiment_free(experiment);
    unlink(path);
}

/* What --set laid over the experiment is laid over it again, and stands there no more often. */
static void test_aim_read_keeps_what_was_laid_over_the_experiment(void **state)
{
    (void)state;
    static const char *const overrides[] = {"aim.target.hoop.radius=30 cm", "fit.seed=9"};
    ArcError err = {ARC_OK, ""};
    ArcExperiment *experiment = NULL;
    if (arc_experiment_parse("basket.yaml", REPORT_CASE_THROW, strlen(REPORT_CASE_THROW), 2,
                             overrides, &experiment, &err) != ARC_OK)
        fail_msg("%s", err.text);
    report_case_hit(experiment, &aim);
    ArcAim *read = write_and_read();
    assert_true(read->settings.goal.radius_m == 0.3);
    assert_int_equal(read->experiment->seed, 9);
    assert_int_equal(read->experiment->n_overrides, 2);
    assert_string_equal(read->experiment->overrides[0], overrides[0]);
    assert_string_equal(read->version, ARC_VERSION);
    assert_ptr_equal(strstr(read->libraries, "OpenBLAS "), read->libraries);
    assert_same_aim(read);
    arc_aim_free(read);
    arc_experiment_free(experiment);
}

static bool is_aim(const char *file)
{
    bool is;
    ArcError err;
    assert_int_equal(arc_aim_is_file(file, &is, &err), ARC_OK);
    return is;
}

static void test_aim_is_file_tells_aims_from_others(void **state)
{
    (void)state;
    ArcHdf5 *file = NULL;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    report_case_hit(experiment, &aim);
    write_file();
    assert_true(is_aim(path));
    assert_int_equal(truncate(path, 1000), 0);
    assert_false(is_aim(path));
    assert_int_equal(arc_hdf5_create(&file, NULL), ARC_OK);
    arc_hdf5_put_count(file, "/", "schema", 1);
    assert_int_equal(arc_hdf5_save(file, path, NULL), ARC_OK);
    arc_hdf5_close(file);
    assert_false(is_aim(path));
    assert_false(is_aim("/nowhere/at/all.h5"));
    unlink(path);
    arc_experiment_free(experiment);
}

static void assert_refused(const char *words)
{
    ArcError err = {ARC_OK, ""};
    ArcAim *read = &aim;
    ArcStatus status = arc_aim_read(path, &read, &err);
    if (status != ARC_INPUT || read != NULL || strstr(err.text, words) == NULL)
        fail_msg("%d: '%s' for '%s'", (int)status, err.text, words);
}

static void test_aim_read_cut_file_is_refused(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    struct stat info;
    report_case_hit(experiment, &aim);
    write_file();
    assert_int_equal(stat(path, &info), 0);
    for (off_t size = info.st_size - 1; size > 0; size -= 1 + size / 7) {
        assert_int_equal(truncate(path, size), 0);
        assert_refused("");
    }
    unlink(path);
    arc_experiment_free(experiment);
}

static void test_aim_read_changed_file_is_refused(void **state)
{
    (void)state;
    static const struct {
        Change change;
        const char *words;
    } rows[] = {
        {{CHANGE_COUNT, "/@schema", 0, 2}, "schema 2"},
        {{CHANGE_REMOVE, "/throws", 0, 0}, "/throws/rank"},
        {{CHANGE_REMOVE, "/throws/values", 0, 0}, "/throws/values"},
        {{CHANGE_REMOVE, "/throws/checked_sd", 0, 0}, "/throws/checked_sd"},
        {{CHANGE_REMOVE, "/throws/commands", 0, 0}, "/throws/commands"},
        {{CHANGE_REMOVE, "/parameters/unknown", 0, 0}, "/parameters/unknown"},
        {{CHANGE_REMOVE, "/parameters/name", 0, 0}, "/parameters/name"},
        {{CHANGE_REMOVE, "/overrides", 0, 0}, "/overrides"},
        {{CHANGE_REMOVE, "/reach/by", 0, 0}, "/reach/by"},
        {{CHANGE_REMOVE, "/reach/cures", 0, 0}, "/reach/cures"},
        {{CHANGE_WHOLE, "/reach/cures/limit", 0, 4}, "/reach/cures"},
        {{CHANGE_WHOLE, "/reach/cures/limit", 0, -1}, "/reach/cures"},
        {{CHANGE_WHOLE, "/reach/cures/joint", 0, 2}, "/reach/cures"},
        {{CHANGE_WHOLE, "/reach/cures/joint", 0, -1}, "/reach/cures"},
    };
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_ARM);
    report_case_arm(experiment, &aim);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_file();
        change_file(path, &rows[i].change);
        assert_refused(rows[i].words);
    }
    write_file();
    change_file(path, &(Change){CHANGE_NOTHING, "", 0, 0});
    ArcAim *read = NULL;
    assert_int_equal(arc_aim_read(path, &read, NULL), ARC_OK);
    arc_aim_free(read);
    unlink(path);
    arc_experiment_free(experiment);
}

static void test_aim_read_values_that_are_no_numbers_are_refused(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    report_case_hit(experiment, &aim);
    aim.solutions[1].values[2] = NAN;
    write_file();
    assert_refused("no numbers");
    report_case_hit(experiment, &aim);
    aim.front[2].values[0] = INFINITY;
    write_file();
    assert_refused("no numbers");
    unlink(path);
    arc_experiment_free(experiment);
}

static bool allow_some(void *context, size_t size)
{
    int *left = context;
    (void)size;
    return (*left)-- > 0;
}

static void test_aim_read_without_memory_says_so(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_ARM);
    ArcStatus status = ARC_MEMORY;
    report_case_arm(experiment, &aim);
    write_file();
    for (int allowed = 0; status != ARC_OK; allowed++) {
        int left = allowed;
        ArcAim *read = NULL;
        ArcError err = {ARC_OK, ""};
        arc_memory_set_hook(allow_some, &left);
        status = arc_aim_read(path, &read, &err);
        arc_memory_set_hook(NULL, NULL);
        if (status != ARC_OK && status != ARC_MEMORY)
            fail_msg("%d after %d: %s", (int)status, allowed, err.text);
        assert_true((status == ARC_OK) == (read != NULL));
        arc_aim_free(read);
        assert_in_range(allowed, 0, 10000);
    }
    unlink(path);
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aim_read_hit_gives_every_field_back),
        cmocka_unit_test(test_aim_read_short_gives_every_field_back),
        cmocka_unit_test(test_aim_read_arm_out_of_reach_gives_every_field_back),
        cmocka_unit_test(test_aim_read_found_aim_tells_the_same),
        cmocka_unit_test(test_aim_read_keeps_what_was_laid_over_the_experiment),
        cmocka_unit_test(test_aim_is_file_tells_aims_from_others),
        cmocka_unit_test(test_aim_read_cut_file_is_refused),
        cmocka_unit_test(test_aim_read_changed_file_is_refused),
        cmocka_unit_test(test_aim_read_values_that_are_no_numbers_are_refused),
        cmocka_unit_test(test_aim_read_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
