/* Memory refused at each allocation in turn while the program runs in this process: exit 3 every
 * time, nothing half written, nothing left behind. What the address sanitizer calls a leak fails
 * the suite as well.
 *
 * Refused are the arena's blocks (arc_memory_set_hook), Jansson's memory (its own hook), and what
 * our objects take from the C library themselves: tests/meson.build links this suite with
 * --wrap=malloc and its like.
 */
#include "cli/cli.h"

#include "bad_inputs.h"
#include "base/arena.h"
#include "program_run.h"
#include "slow.h"

#include <jansson.h>

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
int __wrap_vasprintf(char **text, const char *format, va_list arguments);
int __wrap_asprintf(char **text, const char *format, ...);
int __wrap___asprintf_chk(char **text, int flag, const char *format, ...);
FILE *__wrap_open_memstream(char **text, size_t *size);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
int __real_vasprintf(char **text, const char *format, va_list arguments);
FILE *__real_open_memstream(char **text, size_t *size);

/* The count-th allocation of a run is refused, and with is_final all that follow. */
static struct {
    bool is_on, is_final, was_asked;
    long count, refused_at;
} exhaustion;

static bool may_take(void)
{
    if (!exhaustion.is_on)
        return true;
    long count = ++exhaustion.count;
    return count < exhaustion.refused_at || (count > exhaustion.refused_at && !exhaustion.is_final);
}

/* The arena asks its hook and then calls malloc: that is one allocation. */
static bool arena_may_take(void *context, size_t size)
{
    (void)context;
    (void)size;
    bool allowed = may_take();
    exhaustion.was_asked = allowed;
    return allowed;
}

static bool wrapped_may_take(void)
{
    bool was_asked = exhaustion.was_asked;
    exhaustion.was_asked = false;
    return was_asked || may_take();
}

void *__wrap_malloc(size_t size)
{
    return wrapped_may_take() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return wrapped_may_take() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *old, size_t size)
{
    return wrapped_may_take() ? __real_realloc(old, size) : NULL;
}

char *__wrap_strdup(const char *text)
{
    return wrapped_may_take() ? __real_strdup(text) : NULL;
}

int __wrap_vasprintf(char **text, const char *format, va_list arguments)
{
    return wrapped_may_take() ? __real_vasprintf(text, format, arguments) : -1;
}

int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = __wrap_vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

int __wrap___asprintf_chk(char **text, int flag, const char *format, ...)
{
    va_list arguments;
    (void)flag;
    va_start(arguments, format);
    int length = __wrap_vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

FILE *__wrap_open_memstream(char **text, size_t *size)
{
    return wrapped_may_take() ? __real_open_memstream(text, size) : NULL;
}

static void *json_take(size_t size)
{
    return may_take() ? __real_malloc(size) : NULL;
}

/* The first ones all, then some of what is mostly one long text of JSON, at the end of a whole fit.
 * The sanitizers make a run several times as long: there a third as many do. */
enum { EVERY_ONE_UP_TO = FEWER(150, 60), THEN_EACH = 101, THEN_MOST = FEWER(20, 12) };
enum { MOST_ALLOCATIONS = 100000 };

static char folder[] = "/tmp/arcfit-test-exhaustion-XXXXXX";
static int kept_output, kept_messages, nowhere;

/* Runs in this process with nothing printed; the exit code. */
static int run_here(const char *line)
{
    char copy[512], *words[RUN_MOST_WORDS + 2] = {"arcfit"};
    int n = 1;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
        words[n++] = word;
    fflush(NULL);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    exhaustion.count = 0;
    exhaustion.was_asked = false;
    exhaustion.is_on = true;
    int code = arc_cli_main(n, words);
    exhaustion.is_on = false;
    fflush(NULL);
    dup2(kept_output, STDOUT_FILENO);
    dup2(kept_messages, STDERR_FILENO);
    return code;
}

static bool is_file_of(const char *path, const char *bytes, size_t size)
{
    size_t n;
    char *found = run_read_file(path, &n);
    bool is_same = n == size && memcmp(found, bytes, n) == 0;
    free(found);
    return is_same;
}

static void name_entries(char names[1024])
{
    struct dirent **entries;
    int n = scandir(".", &entries, NULL, alphasort);
    names[0] = '\0';
    for (int i = 0; i < n; i++) {
        size_t used = strlen(names);
        snprintf(names + used, 1024 - used, "%s ", entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

/* Also a page, which is the only thing that a page is written over. */
static const char earlier[] = "<!doctype html> an earlier result";

/* A run that fails leaves `out` as it was or whole, and no other file. */
static void assert_whole(const char *line, const char *out, const char *names, const char *whole,
                         size_t size)
{
    char now[1024];
    name_entries(now);
    if (strcmp(now, names) != 0)
        fail_msg("'%s', allocation %ld: left in the folder: %s", line, exhaustion.refused_at, now);
    if (out != NULL && !is_file_of(out, earlier, strlen(earlier)) && !is_file_of(out, whole, size))
        fail_msg("'%s', allocation %ld: %s is spoilt", line, exhaustion.refused_at, out);
}

/* Refuses in turn until a run needs no more; gives how many allocations it made. out (nullable) is
 * what the command writes. */
static void exhaust(const char *line, const char *out, bool is_final)
{
    char names[1024];
    size_t size = 0;
    char *whole = NULL;
    bool is_slow = slow_is_wanted();
    exhaustion.refused_at = LONG_MAX;
    exhaustion.is_final = false;
    if (run_here(line) != 0)
        fail_msg("'%s' fails", line);
    if (out != NULL) {
        whole = run_read_file(out, &size);
        run_write_file(out, earlier);
    }
    long n = exhaustion.count, step = n / THEN_MOST > THEN_EACH ? n / THEN_MOST : THEN_EACH;
    exhaustion.is_final = is_final;
    name_entries(names);
    for (long at = 1; at <= n; at += at < EVERY_ONE_UP_TO || is_slow ? 1 : step) {
        exhaustion.refused_at = at;
        int code = run_here(line);
        if (code != 3 && exhaustion.count >= at)
            fail_msg("'%s', allocation %ld of %ld refused: exit %d", line, at, n, code);
        assert_whole(line, out, names, whole, size);
        assert_true(n < MOST_ALLOCATIONS);
        if (out != NULL && !is_file_of(out, earlier, strlen(earlier)))
            run_write_file(out, earlier);
    }
    exhaustion.refused_at = LONG_MAX;
    assert_int_equal(run_here(line), 0);
    if (out != NULL && !is_file_of(out, whole, size))
        fail_msg("'%s' writes other bytes after exhaustion", line);
    print_message("%s: %ld allocations\n", line, n);
    free(whole);
}

static void exhaust_both(const char *line, const char *out)
{
    exhaust(line, out, true);
    exhaust(line, out, false);
}

static void test_cli_fit_exhausted_gives_three(void **state)
{
    (void)state;
    exhaust_both("fit made.yaml -o out.h5", "out.h5");
    exhaust("fit made.yaml -v -o /dev/null --json -", NULL, false);
    exhaust("fit made.yaml -q -o out.h5 --set fit.methods=[direct] --profile cd --bootstrap 2",
            "out.h5", true);
    exhaust("fit made.yaml -q -o out.h5 --json - --set fit.methods=[direct] --set "
            "flight.bounce.plane=y=-5 --set derived.a.plane=x=1 --set derived.b.height=999",
            "out.h5", true);
}

/* What the experiment's other laws, losses and questions take. */
static void test_cli_fit_of_more_exhausted_gives_three(void **state)
{
    (void)state;
    exhaust("fit made.yaml -q -o out.h5 --json - --set fit.methods=[direct] --bootstrap-kind case "
            "--bootstrap 2",
            "out.h5", true);
    exhaust("fit made.yaml -q -o out.h5 --json - --set capture.sigma=estimate --set "
            "fit.loss.kind=student-t --set fit.loss.dof=estimate --set fit.methods=[direct] "
            "--bootstrap 2 "
            "--profile vx0",
            "out.h5", true);
    exhaust("fit tables.yaml -q -o out.h5", "out.h5", true);
}

static void test_cli_fit_randomised_exhausted_gives_three(void **state)
{
    (void)state;
    exhaust("fit made.yaml -q -o out.h5 --json - --set fit.methods=[direct] --set "
            "capture.sensor.bias=1mm --set randomise.gravity=[9.79,9.82] --set randomise.draws=4",
            "out.h5", true);
}

static void test_cli_fit_several_exhausted_gives_three(void **state)
{
    (void)state;
    exhaust("fit made.yaml plain.yaml -o results --json -", NULL, true);
    assert_int_equal(run_remove_folder("results"), 0);
}

static void test_cli_check_exhausted_gives_three(void **state)
{
    (void)state;
    exhaust_both("check made.yaml --json out.json", "out.json");
}

static void test_cli_compare_exhausted_gives_three(void **state)
{
    (void)state;
    exhaust("compare good.h5 --json out.json", "out.json", false);
    exhaust("compare good.h5 plain.yaml", NULL, true);
}

/* Pages and CSV of a result, of several, and of an aim. Any text does for the page's library. */
static void test_cli_report_exhausted_gives_three(void **state)
{
    (void)state;
    run_write_file("library.js", "/* Plotly */\n");
    run_write_file("aimed.yaml",
                   "arcfit: 1\nname: aimed\ncapture: {file: none.csv, sigma: 2 mm}\n"
                   "flight: {ball: basketball, drag: quadratic}\nparameters: {cd: 0.5, x0: 0, y0: "
                   "2, vx0: {start: 5}, vy0: {start: 6}}\naim: {target: {point: [3, 3]}}\n");
    assert_int_equal(setenv("ARCFIT_PLOTLY", "library.js", 1), 0);
    exhaustion.refused_at = LONG_MAX;
    assert_int_equal(run_here("aim aimed.yaml -q -o aimed.h5"), 0);
    exhaust_both("report good.h5 -o out.html", "out.html");
    exhaust("report good.h5 ./good.h5 aimed.h5 -o out.html --units imperial", "out.html", false);
    exhaust("report aimed.h5 -o out.html", "out.html", false);
    exhaust("report good.h5 --csv numbers", NULL, false);
    assert_int_equal(run_remove_folder("numbers"), 0);
    unsetenv("ARCFIT_PLOTLY");
}

static void test_cli_predict_exhausted_gives_three(void **state)
{
    (void)state;
    exhaust_both("predict good.h5 --at 0.5 0.7 --plane y=2.5m --held-out --json out.json",
                 "out.json");
}

static void test_cli_simulate_exhausted_gives_three(void **state)
{
    (void)state;
    exhaust_both("simulate made.yaml -o out.csv", "out.csv");
    exhaust_both("simulate made.yaml -q -o out.csv.gz --set name=other", "out.csv.gz");
    exhaust_both("simulate made.yaml --at 0.1 0.2 0.3", NULL);
    exhaust("simulate made.yaml -q -o . --replicas 1 --draw --set simulate.noise.jitter=1e-3",
            "made-0001.csv", true);
}

static void test_cli_simulate_of_an_arm_exhausted_gives_three(void **state)
{
    (void)state;
    run_write_file(
        "thrown.yaml",
        "arcfit: 1\nname: thrown\n"
        "capture: {file: none.csv, sigma: 2 mm, readings: {file: none.csv, sigma_angle: "
        "0.1 deg}}\nrelease: arm\narm: {joints: [{length: 1, mass: 1}]}\n"
        "parameters: {theta1: 0.5, omega1: 8, torque1: 3}\n"
        "simulate: {points: 3, duration: 0.2, swing: {points: 3}, readings: [theta1]}\n");
    exhaust("simulate thrown.yaml -q -o out.csv --flights 2 --swing swing.csv --readings read.csv",
            "out.csv", true);
    exhaust("simulate thrown.yaml --swing swing.csv", NULL, false);
}

/* Throws of an arm with its swing and readings: one, and two together. */
static void test_cli_fit_of_an_arm_exhausted_gives_three(void **state)
{
    (void)state;
    static const char *const makes[] = {
        "simulate swung.yaml -q -o swung.csv --swing motion.csv --readings read.csv",
        "simulate swung.yaml -q -o two.csv --flights 2 --swing motions.csv --readings reads.csv"};
    run_write_file("swung.yaml",
                   "arcfit: 1\nname: swung\ncapture:\n  file: swung.csv\n  sigma: 2 mm\n"
                   "  swing: {file: motion.csv, sigma: 2 mm}\n"
                   "  readings: {file: read.csv, sigma_angle: 0.1 deg}\n"
                   "release: arm\narm: {joints: [{length: 0.5, mass: 1, torque: {curve: "
                   "polynomial, coefficients: 2, values: [12, 3]}}], base: [0, 1]}\n"
                   "parameters: {theta1: {start: 1}, omega1: {start: 8}, l1: free}\n"
                   "simulate: {points: 6, duration: 0.3, swing: {points: 8}, readings: [theta1]}\n"
                   "aim: {target: {point: [-1, 1]}}\n");
    exhaustion.refused_at = LONG_MAX;
    for (size_t i = 0; i < sizeof makes / sizeof makes[0]; i++)
        assert_int_equal(run_here(makes[i]), 0);
    exhaust_both("fit swung.yaml -q -o out.h5", "out.h5");
    exhaust("fit swung.yaml -q -o out.h5 --json - --set fit.methods=[direct] --bootstrap 2",
            "out.h5", true);
    exhaust("fit swung.yaml -q -o out.h5 --json - --set capture.file=two.csv --set "
            "capture.swing.file=motions.csv --set capture.readings.file=reads.csv",
            "out.h5", false);
    exhaust("compare out.h5 --json out.json", "out.json", false);
    exhaust("check swung.yaml --json out.json", "out.json", true);
    exhaust("aim swung.yaml --json out.json", "out.json", false);
    exhaust("aim swung.yaml -q -o aim.h5", "aim.h5", true);
    exhaust("aim swung.yaml --correct out.h5 --json out.json", "out.json", false);
}

/* Flights with a closure: its search, its folds, its table in all three writings. */
static void test_cli_fit_of_a_closure_exhausted_gives_three(void **state)
{
    (void)state;
    run_write_file("closed.yaml",
                   "arcfit: 1\nname: closed\ncapture: {file: closed.csv, sigma: 5 mm}\n"
                   "flight: {ball: basketball, drag: quadratic}\n"
                   "parameters: {cd: {start: 0.45}, x0: {start: 0}, y0: {start: 2}, vx0: "
                   "{start: 5}, vy0: {start: 6}}\n"
                   "closure: {inputs: [vy], outputs: [x], net: net.yaml}\n"
                   "fit: {methods: [direct]}\nsimulate: {points: 8, duration: 1}\n");
    exhaustion.refused_at = LONG_MAX;
    assert_int_equal(run_here("simulate closed.yaml -q -o closed.csv --flights 3"), 0);
    exhaust("fit closed.yaml -q -o out.h5 --json - --export-closure learnt.csv", "out.h5", true);
    exhaust("compare out.h5 --json out.json", "out.json", false);
}

/* A compiler that compiles each text once: what is wanted is its memory, not its time. */
static const char once[] = "#!/bin/sh\n"
                           "for word; do case $word in */rates.so|*/partials.so|*/trial) "
                           "out=$word;; esac; done\n"
                           "kept=$KEPT/${out##*/}\n"
                           "[ -f \"$kept\" ] || cc \"$@\" && { [ -f \"$kept\" ] || "
                           "cp \"$out\" \"$kept\"; } && cp \"$kept\" \"$out\"\n";

static void test_cli_fit_of_own_equations_exhausted_gives_three(void **state)
{
    (void)state;
    char *given = getenv("CC") == NULL ? NULL : strdup(getenv("CC"));
    char here[PATH_MAX], compiler[PATH_MAX + 8];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(compiler, sizeof compiler, "%s/once", here);
    run_write_file("once", once);
    assert_int_equal(chmod("once", 0700), 0);
    assert_int_equal(mkdir("kept", 0700), 0);
    snprintf(here + strlen(here), sizeof here - strlen(here), "/kept");
    assert_int_equal(setenv("KEPT", here, 1), 0);
    assert_int_equal(setenv("CC", compiler, 1), 0);
    run_write_file(
        "decay.c",
        "#include <arcfit/model.h>\n"
        "static const ArcModelQuantity states[] = {{\"x\", \"m\", \"a\", 1, 0, 2}};\n"
        "static const ArcModelQuantity parameters[] = {{\"k\", \"1/s\", \"b\", 1, 0, 9}};\n"
        "static void rates(real t, const real *x, const real *v, const real *p, real *f)\n"
        "{\n    f[0] = -p[0] * x[0];\n}\n"
        "ARC_MODEL(\"decay\", \"d\", 1, states, parameters, rates, NULL)\n");
    run_write_file("decay.yaml", "arcfit: 1\nname: decay\nmodel: {plugin: decay.c}\n"
                                 "capture: {file: decay.csv, sigma: 0.01}\n"
                                 "parameters: {k: {start: 0.5}}\nfit: {methods: [direct]}\n"
                                 "simulate: {points: 6, duration: 1}\n");
    exhaustion.refused_at = LONG_MAX;
    assert_int_equal(run_here("simulate decay.yaml -q -o decay.csv"), 0);
    exhaust("fit decay.yaml -q -o out.h5 --json -", "out.h5", true);
    if (given != NULL)
        setenv("CC", given, 1);
    else
        unsetenv("CC");
    free(given);
    assert_int_equal(run_remove_folder("kept"), 0);
}

/* One text of each kind; detectors take memory as well. */
static void test_cli_import_exhausted_gives_three(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "#multi:\n\tball\t\tball\t\t\nt\tx\ty\tx\ty\t\n0,1\t1,5\t2\t3\t4\n0,2\t1,6\t2\t\t\n",
        "\"Time\",\"ball/X\",\"ball/Y\"\n\"0\",\"1\",\"2\"\n\"0.1\",\"1.5\",\"2\"\n",
        "#Kinovea Trajectory data export\n#T X Y\n# ball\n0 1 2\n0.1 1.5 2\n# ball\n0 1 2\n",
        "scorer,s,s,s\nbodyparts,ball,ball,ball\ncoords,x,y,likelihood\n0,1,2,1\n1,2,3,0.1\n",
        "track,frame_idx,instance.score,a.x,a.y,a.score\nball,0,1,1,2,1\nball,1,1,2,3,1\n",
        "Format Version,1.23,Length Units,Meters\n\n,,Marker,Marker,Marker\n,,ball,ball,ball\n"
        ",,Position,Position,Position\nFrame,Time (Seconds),X,Y,Z\n0,0,1,2,3\n1,0.1,2,3,4\n",
        "Trajectories\n100\n,,ball,,\nFrame,Sub Frame,X,Y,Z\n,,mm,mm,mm\n1,0,1,2,3\n2,0,1,2,3\n",
        "time (s);x (cm);y (cm);gr\xf6\xdf"
        "e\n0;1;2;3\n1;2;3;4\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char line[128];
        run_write_file("throw.txt", texts[i]);
        snprintf(line, sizeof line, "import throw.txt -q -o out.csv%s",
                 strstr(texts[i], "ball") == NULL ? "" : " --set capture.track=ball");
        exhaust(line, "out.csv", i % 2 == 0);
    }
    assert_int_equal(unlink("throw.txt"), 0);
}

static void test_cli_help_exhausted_gives_three(void **state)
{
    (void)state;
    static const char *const lines[] = {"models",
                                        "help settings",
                                        "help units",
                                        "help",
                                        "help fit",
                                        "--version",
                                        "help parameters",
                                        "help --as bash",
                                        "help experiment --as man",
                                        "help fit.pinn",
                                        "help experiment",
                                        "help --as man"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        exhaust_both(lines[i], NULL);
}

static int make_folder(void **state)
{
    (void)state;
    run_enter_folder(folder);
    kept_output = dup(STDOUT_FILENO);
    kept_messages = dup(STDERR_FILENO);
    nowhere = open("/dev/null", O_WRONLY);
    run_write_file("plain.yaml", good_experiment);
    run_write_file("made.csv", good_capture);
    FILE *stream = fopen("made.yaml", "w");
    const char *fit = strstr(good_experiment, "\nfit:");
    if (stream == NULL || nowhere < 0 || kept_output < 0 || kept_messages < 0)
        return 1;
    fprintf(stream, "%.*s\nfit: {pinn: {net: net.yaml}}\n", (int)(fit - good_experiment),
            good_experiment);
    fclose(stream);
    run_write_file(
        "tables.yaml",
        "arcfit: 1\ncapture: {file: made.csv, sigma: 30 cm}\nflight: {dimensions: 2, ball: "
        "basketball, gravity: {latitude: 40 deg}, drag: table, drag_table: [[3, 0.5], [9, 0.4]], "
        "lift: table, lift_table: [[0.1, 0.1], [0.3, 0.2]], spin_decay: aerodynamic, wind: "
        "{velocity: [1, 0], shear: {}, gust: {velocity: [1, 0], time: 1, "
        "width: 0.5}}}\nparameters: {spin: -3 Hz, spin_decay: 0.01}\nderived: {a: {point: [3, 3]}, "
        "b: {rim: {centre: [3, 2], radius: 1}}}\nfit: {methods: [direct], loss: huber, stages: "
        "[vacuum, drag]}\n");
    run_write_file("net.yaml", "net: 1\nhidden: [12]\n");
    int code = run_here("fit made.yaml -q -o good.h5 --set capture.hold_out.after=0.9");
    json_set_alloc_funcs(json_take, free);
    arc_memory_set_hook(arena_may_take, NULL);
    return code;
}

static int remove_folder(void **state)
{
    (void)state;
    arc_memory_set_hook(NULL, NULL);
    return chdir("/") != 0 || run_remove_folder(folder) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cli_fit_exhausted_gives_three),
        cmocka_unit_test(test_cli_fit_of_more_exhausted_gives_three),
        cmocka_unit_test(test_cli_fit_randomised_exhausted_gives_three),
        cmocka_unit_test(test_cli_fit_several_exhausted_gives_three),
        cmocka_unit_test(test_cli_check_exhausted_gives_three),
        cmocka_unit_test(test_cli_compare_exhausted_gives_three),
        cmocka_unit_test(test_cli_report_exhausted_gives_three),
        cmocka_unit_test(test_cli_predict_exhausted_gives_three),
        cmocka_unit_test(test_cli_simulate_exhausted_gives_three),
        cmocka_unit_test(test_cli_simulate_of_an_arm_exhausted_gives_three),
        cmocka_unit_test(test_cli_fit_of_an_arm_exhausted_gives_three),
        cmocka_unit_test(test_cli_fit_of_a_closure_exhausted_gives_three),
        cmocka_unit_test(test_cli_fit_of_own_equations_exhausted_gives_three),
        cmocka_unit_test(test_cli_import_exhausted_gives_three),
        cmocka_unit_test(test_cli_help_exhausted_gives_three),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
