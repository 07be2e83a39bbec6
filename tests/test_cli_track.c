/* `arcfit track` as a process: an answer for each frame at once, bad frames, the end of the input,
 * of who reads, an interrupt; the shipped experiment. */
#include "program_run.h"

#include <jansson.h>
#include <math.h>

static char folder[] = "/tmp/arcfit-test-track-XXXXXX";
static Run run;

static const char experiment_text[] = "arcfit: 1\n"
                                      "capture: {sigma: 3 mm}\n"
                                      "flight: {dimensions: 2, drag: lumped}\n"
                                      "parameters:\n"
                                      "  k: {prior: {mean: 0.03, sd: 0.01}}\n"
                                      "  vx0: {prior: {mean: 4, sd: 0.5}}\n"
                                      "  vy0: {prior: {mean: 5, sd: 0.5}}\n";

/* A run with words of line that reads input. */
static void track(const char *line, const char *input)
{
    const RunSettings settings = {.input = "input.txt"};
    run_write_file("input.txt", input);
    run_line(&run, &settings, line);
}

/* The i-th line of the output, for the caller to free; fails where there is none. */
static json_t *line_of(int i)
{
    const char *at = run.output;
    for (int k = 0; k < i && at != NULL; k++)
        at = strchr(at, '\n') == NULL ? NULL : strchr(at, '\n') + 1;
    const char *end = at == NULL ? NULL : strchr(at, '\n');
    json_t *root = end == NULL ? NULL : json_loadb(at, (size_t)(end - at), 0, NULL);
    if (root == NULL)
        fail_msg("no line %d in\n%s", i, run.output);
    return root;
}

static int count_lines(const char *text)
{
    int n = 0;
    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

static const char *text_of(const json_t *root, const char *key)
{
    const char *text = json_string_value(json_object_get(root, key));
    return text == NULL ? "" : text;
}

static double number_of(const json_t *root, const char *path)
{
    char copy[80];
    snprintf(copy, sizeof copy, "%s", path);
    for (char *key = strtok(copy, "/"); key != NULL; key = strtok(NULL, "/"))
        root = json_is_array(root) ? json_array_get(root, (size_t)atoi(key))
                                   : json_object_get(root, key);
    if (!json_is_number(root))
        fail_msg("no number %s", path);
    return json_number_value(root);
}

/* Frames of a throw without air, from the i-th on. */
static char *throw_text(int first, int n, char *text)
{
    char *at = text;
    for (int i = first; i < first + n; i++) {
        double t = 0.02 * i;
        at += sprintf(at, "%.17g,%.17g,%.17g\n", t, 4.0 * t, 2.0 + 5.0 * t - 0.5 * 9.80665 * t * t);
    }
    return at;
}

static void test_track_answers_each_frame_and_ends_with_all(void **state)
{
    (void)state;
    char text[8192];
    throw_text(0, 45, text);
    track("track made.yaml", text);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.messages, "");
    assert_int_equal(count_lines(run.output), 46);
    for (int i = 0; i < 46; i++) {
        json_t *line = line_of(i);
        assert_int_equal(number_of(line, "frame"), i < 45 ? i + 1 : 45);
        assert_int_equal(number_of(line, "line"), i < 45 ? i + 1 : 45);
        assert_int_equal(number_of(line, "points"), i < 45 ? i + 1 : 45);
        assert_true(number_of(line, "landing/sd_m/0") > 0.0);
        assert_int_equal(json_is_true(json_object_get(line, "final")), i == 45);
        assert_string_equal(text_of(line, "state"), "in flight");
        assert_true(json_is_null(json_object_get(line, "hit_probability")));
        assert_true(json_object_get(line, "time_s") != NULL);
        if (i > 0)
            assert_true(number_of(line, "parameters/vx0/sd") < 0.5);
        json_decref(line);
    }
}

/* As a camera does it: a line, and its answer before the next. */
static void test_track_answers_before_the_next_frame(void **state)
{
    (void)state;
    int to[2], from[2], ended;
    char frame[128], answer[4096];
    assert_true(pipe(to) == 0 && pipe(from) == 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[1]);
        close(from[0]);
        alarm(60);
        execl(run_program(), "arcfit", "track", "made.yaml", (char *)NULL);
        _exit(98);
    }
    close(to[0]);
    close(from[1]);
    for (int i = 0; i < 5; i++) {
        size_t used = 0;
        char *end = throw_text(i, 1, frame);
        assert_int_equal(write(to[1], frame, (size_t)(end - frame)), end - frame);
        while (used == 0 || answer[used - 1] != '\n') {
            ssize_t n = read(from[0], answer + used, sizeof answer - used);
            assert_true(n > 0);
            used += (size_t)n;
        }
        answer[used] = '\0';
        snprintf(frame, sizeof frame, "{\"frame\": %d,", i + 1);
        run_assert_says(answer, frame);
    }
    /* Who reads goes away: the next answers end the program, without a word. */
    close(from[0]);
    signal(SIGPIPE, SIG_IGN);
    for (int i = 5; i < 8; i++) {
        char *end = throw_text(i, 1, frame);
        ssize_t n = write(to[1], frame, (size_t)(end - frame));
        (void)n;
        usleep(20000);
    }
    signal(SIGPIPE, SIG_DFL);
    assert_int_equal(waitpid(child, &ended, 0), child);
    close(to[1]);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
}

/* An interrupt while it waits: the last estimate, and 130. */
static void test_track_interrupted_gives_130_and_the_last_estimate(void **state)
{
    (void)state;
    int to[2], ended;
    char frames[1024];
    size_t size;
    assert_true(pipe(to) == 0);
    run_write_file("output.txt", "");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(to[0], STDIN_FILENO);
        close(to[1]);
        alarm(60);
        if (freopen("output.txt", "w", stdout) == NULL)
            _exit(99);
        signal(SIGINT, SIG_DFL);
        execl(run_program(), "arcfit", "track", "made.yaml", (char *)NULL);
        _exit(98);
    }
    close(to[0]);
    char *end = throw_text(0, 3, frames);
    assert_int_equal(write(to[1], frames, (size_t)(end - frames)), end - frames);
    for (int i = 0; i < 500; i++) { /* until all have their answer */
        char *text = run_read_file("output.txt", &size);
        int n = count_lines(text);
        free(text);
        if (n == 3)
            break;
        usleep(20000);
    }
    kill(child, SIGINT);
    assert_int_equal(waitpid(child, &ended, 0), child);
    close(to[1]);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 130);
    char *text = run_read_file("output.txt", &size);
    assert_int_equal(count_lines(text), 4);
    run_assert_says(text, "\"frame\": 3, \"line\": 3, \"final\": true");
    free(text);
}

static void test_track_bad_frames_are_told_and_passed_over(void **state)
{
    (void)state;
    char text[16384] = "\xEF\xBB\xBF# a comment\r\ntime_s,x_m,y_m\r\n", *at = text + strlen(text);
    at = throw_text(0, 10, at);
    at +=
        sprintf(at, "garbage\n0.2,5,5\n0.18,0.7,2.7\n\n0.19,,\n-1,0,2\n100,0,2\n1,2\n{\"t\": 1\n");
    memset(at, 'x', 5000);
    at += 5000;
    at += sprintf(at, "\n0.25,inf,1\n{\"time_s\": 0.22, \"x_m\": 0.88, \"y_m\": 2.862679}\r\n"
                      "0.21,0.84,2.833763\n0.24,0.96,2.917568"); /* no line break */
    track("track made.yaml", text);
    assert_int_equal(run.code, 0);
    static const struct {
        int frame, line;
        const char *words;
    } skipped[] = {{11, 13, "not a number: 'garbage'"},
                   {12, 14, "outlier, "},
                   {13, 15, "repeated"},
                   {14, 17, "empty"},
                   {15, 18, "before the release"},
                   {16, 19, "long after"},
                   {17, 20, "too few cells"},
                   {18, 21, "not a JSON object"},
                   {19, 22, "a line of more than 4096 bytes"},
                   {20, 23, "not a number: 'inf'"}};
    for (size_t i = 0; i < sizeof skipped / sizeof skipped[0]; i++) {
        char where[200];
        json_t *line = line_of(skipped[i].frame - 1);
        assert_int_equal(number_of(line, "frame"), skipped[i].frame);
        assert_int_equal(number_of(line, "line"), skipped[i].line);
        run_assert_says(text_of(line, "skipped"), skipped[i].words);
        json_decref(line);
        snprintf(where, sizeof where, "standard input:%d:1: warning: frame %d is not used: %s",
                 skipped[i].line, skipped[i].frame, skipped[i].words);
        run_assert_says(run.messages, where);
    }
    run_assert_says(run.messages, "standard input:25:1: warning: frame 22 is late");
    assert_int_equal(count_lines(run.output), 24);
    assert_int_equal(count_lines(run.messages), 11);
    json_t *last = line_of(23);
    assert_int_equal(number_of(last, "points"), 13);
    assert_true(json_is_true(json_object_get(last, "final")));
    json_decref(last);
    track("track made.yaml -q", text);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.messages, "");
}

static void test_track_without_an_end_gives_one(void **state)
{
    (void)state;
    char text[4096];
    track("track made.yaml", "");
    assert_int_equal(run.code, 1);
    run_assert_says(run.messages, "no frame could be used");
    assert_int_equal(count_lines(run.output), 1);
    run_assert_says(run.output, "\"final\": true");
    throw_text(0, 1, text);
    track("track plain.yaml", text);
    assert_int_equal(run.code, 1);
    run_assert_says(run.messages, "the frames do not tell vx0, vy0; give");
    run_assert_says(run.output, "\"state\": \"too few points\"");
    throw_text(0, 20, text);
    track("track plain.yaml --set derived.wall.plane=x=-1m", text);
    assert_int_equal(run.code, 1);
    run_assert_says(run.messages, "does not reach its target");
}

static void test_track_bad_usage_gives_two_and_writes_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *line, *words;
    } rows[] = {{"track", "what to track?"},
                {"track a.yaml b.yaml", "unexpected 'b.yaml'"},
                {"track nowhere.yaml", "nowhere.yaml:1:1: error"},
                {"track made.yaml --json -", "takes no option '--json'"},
                {"track made.yaml --set capture.sigma=estimate", "capture.sigma a size"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        track(rows[i].line, "0,0,2\n");
        assert_int_equal(run.code, 2);
        assert_string_equal(run.output, "");
        run_assert_says(run.messages, rows[i].words);
        assert_true(run_is_one_line(run.messages));
    }
}

static void test_track_full_disk_gives_three(void **state)
{
    (void)state;
    char text[4096];
    const RunSettings settings = {.input = "input.txt", .output = "/dev/full"};
    throw_text(0, 3, text);
    run_write_file("input.txt", text);
    if (access("/dev/full", W_OK) != 0)
        skip();
    run_line(&run, &settings, "track made.yaml");
    assert_int_equal(run.code, 3);
    run_assert_says(run.messages, "cannot write to standard output");
}

/* The shipped frames: some are not the ball, the throw goes in, and the tracker knows it. */
static void test_track_shipped_experiment_sees_the_ball_go_in(void **state)
{
    (void)state;
    char line[2200], *top = getenv("ARCFIT_TOP");
    RunSettings settings = {.input = line + 1100};
    snprintf(line + 1100, 1100, "%.1000s/data/track-90.csv", top);
    snprintf(line, 1100, "track %.1000s/experiments/track.yaml", top);
    run_line(&run, &settings, line);
    assert_int_equal(run.code, 0);
    json_t *last = line_of(count_lines(run.output) - 1), *first = line_of(0);
    assert_true(number_of(first, "hit_probability") < 0.5);
    assert_true(number_of(last, "hit_probability") > 0.99);
    assert_true(number_of(last, "landing/sd_m/0") < 0.003);
    assert_true(number_of(last, "points") >= 75.0);
    run_assert_says(run.messages, "outlier");
    json_decref(first);
    json_decref(last);
}

static int begin(void **state)
{
    static char top[PATH_MAX];
    (void)state;
    if (getcwd(top, sizeof top) == NULL || setenv("ARCFIT_TOP", top, 1) != 0)
        return -1;
    run_enter_folder(folder);
    run_write_file("made.yaml", experiment_text);
    run_write_file("plain.yaml", "arcfit: 1\ncapture: {sigma: 3 mm}\nflight: {dimensions: 2}\n");
    return 0;
}

static int end(void **state)
{
    (void)state;
    return run_remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_track_answers_each_frame_and_ends_with_all),
        cmocka_unit_test(test_track_answers_before_the_next_frame),
        cmocka_unit_test(test_track_interrupted_gives_130_and_the_last_estimate),
        cmocka_unit_test(test_track_bad_frames_are_told_and_passed_over),
        cmocka_unit_test(test_track_without_an_end_gives_one),
        cmocka_unit_test(test_track_bad_usage_gives_two_and_writes_nothing),
        cmocka_unit_test(test_track_full_disk_gives_three),
        cmocka_unit_test(test_track_shipped_experiment_sees_the_ball_go_in),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
