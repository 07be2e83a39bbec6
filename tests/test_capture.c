/* Captures: columns, units, what a point is used for, refusals with their places, round trips. */
#include "arcfit/capture.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/random.h"
#include "shared_folder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define GIVEN(n, d, t, x, s)                                                                       \
    (&(ArcCapture){.n_points = n, .dimensions = d, .time_s = t, .position_m = x, .sigma_m = s})

static char path[] = "/tmp/arcfit-capture-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : close(descriptor);
}

static int remove_file(void **state)
{
    (void)state;
    arc_memory_set_hook(NULL, NULL);
    return unlink(path);
}

static ArcCaptureSettings plane(void)
{
    ArcCaptureSettings settings = arc_capture_settings_default();
    settings.file = path;
    settings.place = (ArcPlace){"e.yaml", 3, 9};
    settings.sigma_m = 0.003;
    return settings;
}

static ArcCaptureSettings space(void)
{
    ArcCaptureSettings settings = plane();
    settings.dimensions = 3;
    return settings;
}

static void choose(ArcCaptureSettings *settings, const char *role, const char *column)
{
    ArcPlace place = {"e.yaml", 10 + settings->n_columns, 7};
    settings->columns[settings->n_columns++] =
        (ArcColumnChoice){.role = role, .column = column, .place = place};
}

static void put(const char *text)
{
    assert_int_equal(arc_file_replace(path, text, strlen(text), NULL), ARC_OK);
}

static ArcCapture *read_text(ArcCaptureSettings settings, const char *text)
{
    put(text);
    ArcCapture *capture = NULL;
    ArcError err = {0};
    if (arc_capture_read(&settings, &capture, &err) != ARC_OK)
        fail_msg("'%s': %s", text, err.text);
    return capture;
}

/* where: "file" stands for the capture's own path. */
static void assert_refused(ArcCaptureSettings settings, const char *text, const char *where,
                           const char *what)
{
    if (text != NULL)
        put(text);
    ArcCapture *capture = (ArcCapture *)&settings;
    ArcError err = {0};
    ArcStatus status = arc_capture_read(&settings, &capture, &err);
    char begin[256];
    bool is_file = strncmp(where, "file", 4) == 0;
    snprintf(begin, sizeof begin, "%s%s: error: ", is_file ? path : "",
             is_file ? where + 4 : where);
    if (status != ARC_INPUT || strncmp(err.text, begin, strlen(begin)) != 0 ||
        strstr(err.text, what) == NULL)
        fail_msg("status %d, '%s'; expected '%s' and '%s'", status, err.text, begin, what);
    assert_null(capture);
}

static void test_capture_read_canonical_file_gives_its_points(void **state)
{
    (void)state;
    ArcCapture *capture = read_text(space(), "# synthetic\ntime_s,x_m,y_m,z_m,sigma_m,camera\n"
                                             "0,1,2,3,0.001,left\n0.25,,-2.5,3e-1,,right\n"
                                             "0.5,NaN,NaN,NaN,,left\n0.75,7,8,9,0.002,\n");
    assert_string_equal(capture->file, path);
    assert_int_equal(capture->n_points, 4);
    assert_int_equal(capture->dimensions, 3);
    assert_int_equal(capture->n_fit, 3);
    assert_int_equal(capture->n_held_out, 0);
    assert_true(capture->time_s[1] == 0.25);
    assert_true(isnan(capture->position_m[3]));
    assert_true(capture->position_m[4] == -2.5);
    assert_true(capture->position_m[5] == 0.3);
    assert_true(capture->sigma_m[0] == 0.001);
    assert_true(capture->sigma_m[4] == 0.003); /* the settings' */
    assert_int_equal(capture->use[1], ARC_POINT_FIT);
    assert_int_equal(capture->use[2], ARC_POINT_UNUSED);
    assert_int_equal(capture->line[0], 3);
    assert_int_equal(capture->line[3], 6);
    arc_capture_free(capture);
}

/* The same two points, whatever the header calls its columns and units. */
static void test_capture_read_header_names_and_units_are_understood(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "time_s,x_m,y_m\n0,1,2\n0.009,1.5,-2\n",
        "t_s,x_m,y_m,mocap_residual_mm\n0,1,2,0.1\n0.009,1.5,-2,0.1\n",
        "t,x,y\n0,1,2\n0.009,1.5,-2\n",
        "\"Time (ms)\",\"X (cm)\",\"Y (cm)\"\n\"0\",\"100\",\"200\"\n\"9\",\"150\",\"-200\"\n",
        "T [us];X [mm];Y [mm]\n0;1000;2000\n9000;1500;-2000\n",
        "time_ms\tx_mm\ty_cm\n0\t1000\t200\n9\t1500\t-200\n",
        "Time (\xce\xbcs),X(m),Y(m)\n0,1,2\n9000,1.5,-2\n",
        "time_s,x (cm),x,x_m,y_m\n0,7,7,1,2\n0.009,7,7,1.5,-2\n",
        "time_s,x_m,x (cm),x,y_m\n0,1,7,7,2\n0.009,1.5,7,7,-2\n",
        "y_m,camera,x_m,flight,time_s,x,frame,u_px\n2,a,1,0,0,77,0,5\n-2,b,1.5,0,0.009,77,1,6\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ArcCapture *capture = read_text(plane(), texts[i]);
        assert_int_equal(capture->n_points, 2);
        assert_true(capture->time_s[0] == 0.0);
        assert_true(capture->time_s[1] == 0.009);
        assert_true(capture->position_m[0] == 1.0);
        assert_true(capture->position_m[1] == 2.0);
        assert_true(capture->position_m[2] == 1.5);
        assert_true(capture->position_m[3] == -2.0);
        arc_capture_free(capture);
    }
}

static void test_capture_read_sigma_columns_and_units_combine(void **state)
{
    (void)state;
    ArcCapture *capture =
        read_text(plane(), "t,x,y,sigma_x_m,sigma_y_m,sigma_m\n0,1,2,0.1,0.2,0.5\n"
                           "1,1,2,,0.2,0.5\n2,1,2,,,0.5\n3,1,2,,,\n");
    static const double expected[] = {0.1, 0.2, 0.5, 0.2, 0.5, 0.5, 0.003, 0.003};
    assert_memory_equal(capture->sigma_m, expected, sizeof expected);
    arc_capture_free(capture);
    /* Without a unit of its own a sigma is in the positions' unit. */
    capture = read_text(plane(), "t,x_mm,y_mm,sigma\n0,1,2,3\n1,1,2,4\n");
    assert_true(capture->sigma_m[0] == 0.003 && capture->sigma_m[2] == 0.004);
    arc_capture_free(capture);
    /* `units` wins over the header for positions, and does not touch a stated sigma. */
    ArcCaptureSettings settings = plane();
    settings.position_scale_m = 0.01;
    settings.time_scale_s = 1e-3;
    capture = read_text(settings, "t_s,x_m,y_m,sigma_mm\n0,100,200,5\n1000,300,400,5\n");
    assert_true(capture->time_s[1] == 1.0);
    assert_true(capture->position_m[3] == 4.0);
    assert_true(capture->sigma_m[0] == 0.005);
    arc_capture_free(capture);
    /* A missing coordinate needs no sigma. */
    settings = plane();
    settings.sigma_m = NAN;
    capture = read_text(settings, "t,x,y,sigma\n0,1,2,0.1\n1,,,\n2,3,4,0.1\n");
    assert_int_equal(capture->n_fit, 2);
    assert_true(isnan(capture->sigma_m[2]));
    arc_capture_free(capture);
}

static void test_capture_read_chosen_columns_are_used(void **state)
{
    (void)state;
    ArcCaptureSettings settings = plane();
    choose(&settings, "y", "height (cm)");
    choose(&settings, "t", "stamp_ms");
    choose(&settings, "sigma", "err");
    choose(&settings, "x", "pos [cm]");
    ArcCapture *capture = read_text(settings, "stamp_ms,pos [cm],height (cm),t,x,y,z,err\n"
                                              "0,100,200,9,9,9,9,2\n500,300,400,8,8,8,8,3\n");
    assert_true(capture->time_s[1] == 0.5);
    assert_true(capture->position_m[2] == 3.0);
    assert_true(capture->position_m[3] == 4.0);
    assert_true(capture->sigma_m[2] == 0.03);
    arc_capture_free(capture);
    /* The side view of a flight in space, and a file without a header. */
    settings = plane();
    choose(&settings, "y", "z_m");
    capture = read_text(settings, "time_s,x_m,y_m,z_m\n0,1,2,3\n1,4,5,6\n");
    assert_true(capture->position_m[2] == 4.0 && capture->position_m[3] == 6.0);
    arc_capture_free(capture);
    settings = plane();
    choose(&settings, "t", "3");
    choose(&settings, "x", "1");
    choose(&settings, "y", "2");
    capture = read_text(settings, "1 2 0\n3 4 0.1\n");
    assert_true(capture->time_s[1] == 0.1 && capture->position_m[3] == 4.0);
    arc_capture_free(capture);
}

static const char eight[] = "t,x,y\n0,0,0\n1,,\n1,1,0\n2,2,0\n3,3,0\n4,4,0\n5,5,0\n6,6,0\n7,7,0\n";

static void assert_use(ArcCaptureSettings settings, const char *expected, int n_fit, int n_held_out)
{
    static const char letters[] = "-fh";
    ArcCapture *capture = read_text(settings, eight);
    char use[16] = "";
    for (int i = 0; i < capture->n_points; i++)
        use[i] = letters[capture->use[i]];
    assert_string_equal(use, expected);
    assert_int_equal(capture->n_fit, n_fit);
    assert_int_equal(capture->n_held_out, n_held_out);
    arc_capture_free(capture);
}

/* Row 2 of `eight` has no coordinate: it is no point, and no rule counts it. */
static void test_capture_read_window_every_and_hold_out_apply_in_order(void **state)
{
    (void)state;
    ArcCaptureSettings settings = plane();
    assert_use(settings, "f-fffffff", 8, 0);
    settings.every = 2;
    assert_use(settings, "f--f-f-f-", 4, 0);
    settings.window_s[0] = 1.0;
    settings.window_s[1] = 6.0;
    assert_use(settings, "--f-f-f--", 3, 0);
    settings.every = 1;
    assert_use(settings, "--ffffff-", 6, 0);
    settings.hold_out = ARC_HOLD_OUT_EVERY;
    settings.hold_out_every = 3;
    assert_use(settings, "--ffhffh-", 4, 2);
    settings.hold_out = ARC_HOLD_OUT_AFTER;
    settings.hold_out_after_s = 4.0;
    assert_use(settings, "--ffffhh-", 4, 2);
}

/* Repeated times matter only among the points that are used. */
static void test_capture_read_unused_rows_may_repeat_times(void **state)
{
    (void)state;
    ArcCaptureSettings settings = plane();
    settings.every = 2;
    ArcCapture *capture = read_text(settings, "t,x,y\n0,0,0\n0,0,0\n1,1,1\n1,1,1\n");
    assert_int_equal(capture->n_fit, 2);
    arc_capture_free(capture);
}

static void test_capture_read_broken_files_are_refused_with_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *where;
        const char *what;
    } rows[] = {
        {"", "file:1:1", "empty file"},
        {"\n# nothing\n", "file:1:1", "nothing but blank lines and comments"},
        {"time_s,x_m,y_m\n", "file:1:1", "no rows with numbers below the header"},
        {"time_s,x_m,y_m\n0,1,2\n", "file:2:1", "1 point in this file; at least two"},
        {"time_s,x_m,y_m\n0,,\n1,1,1\n2,,\n", "file:4:1", "1 point in this file"},
        {"time_s,x_m,y_m\n0,,\n1,,\n", "file:1:1", "nothing was seen"},
        {"time_s,x_m,y_m\n0,1,2\n0,1,2\n0,1,2\n", "file:3:1", "line 3 has the same time as line 2"},
        {"time_s,x_m,y_m\n0,1,2\n1,,\n0,1,2\n", "file:4:1", "line 4 has the same time as line 2"},
        {"time_s,x_m,y_m\n1,1,2\n0.5,1,2\n", "file:3:1", "line 3 has an earlier time than line 2"},
        {"time_s,x_m,y_m\n0,1,2\n,1,2\n", "file:3:1", "a point without a time"},
        {"time_s,x_m,y_m\nnan,1,2\n1,1,2\n", "file:2:1", "a point without a time"},
        {"time_s,x_m,y_m\n0,1,2\ninf,1,2\n", "file:3:1", "'inf' is infinite"},
        {"time_s,x_m,y_m\n0,1,2\n1,-inf,2\n", "file:3:3", "'-inf' is infinite"},
        {"time_s,x_m,y_m\n0,1,2\n1,1,1e999\n", "file:3:5", "'1e999' is infinite or too large"},
        {"time_s,x_m,y_m\n0,1,2\n1,1,1e300\n", "file:3:5", "'1e300' is out of range"},
        {"time_s,x_m,y_m\n0,1,2\n1e13,1,1\n", "file:3:1", "'1e13' is out of range: beyond 1e+12 s"},
        {"time_s,x_m,y_m\n0,1,2\n1,abc,2\n", "file:3:3", "'abc' is not a number"},
        {"time_s,x_m,y_m\n0,one,2\n1,2,3\n", "file:2:3", "'one' is not a number"},
        {"time_s,x_m,y_m\n0,1,2\n1,2\n", "file:3:4", "2 cells where the header has 3"},
        {"time_s,x_m,y_m\n0,1,2\n1,2,3,4\n", "file:3:7", "4 cells where the header has 3"},
        {"time_s,x_m,y_m\n0,1,2\n1,1,2e-08,3\n", "file:3:3",
         "'1,2e-08' is not a number in a comma-separated file; decimal commas need another"},
        {"time_s,x_m,y_m\n0,1,2\n1,\"2,3\n", "file:3:3", "quote without its end"},
        {"time_s,x_m,y_m,sigma_m\n0,1,2,0.1\n1,1,2,0\n", "file:3:7", "must be above zero"},
        {"time_s,x_m,y_m,sigma_m\n0,1,2,0.1\n1,1,2,-3\n", "file:3:7", "'-3' must be above zero"},
        {"time_s,x_m,y_m,sigma_m\n0,1,2,0.1\n1,1,2,inf\n", "file:3:7", "'inf' is infinite"},
        {"time_s,x_m,y_m,sigma_y_m\n0,1,2,0.1\n1,1,2,1e-300\n", "file:3:7", "above zero"},
        {"x_m,y_m\n0,1\n1,2\n", "file:1:1", "no column for 't' (canonical name: time_s)"},
        {"frame,x_m,y_m\n0,1,2\n1,2,3\n", "e.yaml:3:9", "has frame numbers but no times"},
        {"u_px,frame,x_m,y_m\n5,0,1,2\n5,1,2,3\n", "e.yaml:3:9", "`rate: 120 Hz`"},
        {"time_s,x_m,v_px\n0,1,2\n1,2,3\n", "file:1:1",
         "no column for 'y' (canonical name: y_m) among: time_s, x_m, v_px"},
        {"0,1,2\n1,2,3\n", "file:1:1", "no header line and no column for 't'"},
        {"t,x,x,y\n0,1,1,2\n1,2,2,3\n", "file:1:5", "both column 2 and column 3 may be 'x'"},
        {"t,x_m,x_m,y\n0,1,1,2\n1,2,2,3\n", "file:1:7", "both column 2 and column 3 may be 'x'"},
        {"t,x (ell),y (ell)\n0,1,2\n1,2,3\n", "file:1:3", "the unit of the column for 'x'"},
        {"t,x_px,y_px\n0,1,2\n1,2,3\n", "file:1:1", "pixels and no positions"},
        {"t (h),x,y\n0,1,2\n1,2,3\n", "file:1:1", "the unit of the column for 't'"},
        {"t,x_mm,y\n0,1,2\n1,2,3\n", "file:1:8", "has no unit but another axis has"},
        {"t,x,y,sigma (%)\n0,1,2,3\n1,2,3,3\n", "file:1:7", "the unit of the column for 'sigma'"},
        {"time_s,x_m,y_m,z_m\n0,1,2,3\n1,1,2,3\n", "file:1:16", "three axes in the file"},
        {"t,x\x81,y\n0,1,2\n", "file:1:4", "wrong encoding: not UTF-8"},
        {"\xff\xfet", "file:1:1", "UTF-16"},
        {"\x1f\x8b\x08zzz", "file:1:1", "cannot read the gzip file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_refused(plane(), rows[i].text, rows[i].where, rows[i].what);
    assert_refused(space(), "time_s,x_m,y_m\n0,1,2\n1,2,3\n", "file:1:1", "no column for 'z'");
    assert_int_equal(arc_file_replace(path, "time_s\0,x_m", 11, NULL), ARC_OK);
    assert_refused(plane(), NULL, "file:1:7", "binary file");
}

static const char good[] = "time_s,x_m,y_m\n0,1,2\n1,2,3\n";

static void test_capture_read_settings_are_refused_at_their_place(void **state)
{
    (void)state;
    ArcCaptureSettings settings = plane();
    settings.sigma_m = NAN;
    assert_refused(settings, good, "e.yaml:3:9", "no standard deviation for line 2");
    settings.place.file = NULL;
    assert_refused(settings, good, "file:1:1", "add `sigma:`");
    settings = plane();
    settings.sigma_m = 0.0;
    assert_refused(settings, good, "e.yaml:3:9", "sigma is 0 m");
    settings.sigma_m = INFINITY;
    assert_refused(settings, good, "e.yaml:3:9", "sigma is inf m");
    settings = plane();
    settings.window_s[0] = 0.5;
    assert_refused(settings, good, "e.yaml:3:9", "leave 1 of 2 points to fit");
    settings.window_s[1] = 0.1;
    assert_refused(settings, good, "e.yaml:3:9", "ends before it begins");
    settings = plane();
    settings.every = 0;
    assert_refused(settings, good, "e.yaml:3:9", "every is 0");
    settings = plane();
    settings.hold_out = ARC_HOLD_OUT_EVERY;
    settings.hold_out_every = 1;
    assert_refused(settings, good, "e.yaml:3:9", "hold_out every is 1");
    settings.hold_out_every = 2;
    assert_refused(settings, good, "e.yaml:3:9", "leave 1 of 2 points to fit");
    settings.hold_out = ARC_HOLD_OUT_AFTER;
    settings.hold_out_after_s = NAN;
    assert_refused(settings, good, "e.yaml:3:9", "hold_out after is not a time");
    settings = plane();
    settings.format = "c4d";
    assert_refused(settings, good, "e.yaml:3:9", "unknown format 'c4d'");
    settings = plane();
    settings.dimensions = 4;
    assert_refused(settings, good, "e.yaml:3:9", "4 dimensions");
    settings = plane();
    settings.time_scale_s = 0.0;
    assert_refused(settings, good, "e.yaml:3:9", "a unit must be above zero");
    settings = plane();
    settings.n_columns = ARC_CAPTURE_MAX_COLUMNS + 1;
    assert_refused(settings, good, "e.yaml:3:9", "81 columns are chosen");
    settings = plane();
    settings.file = NULL;
    assert_refused(settings, good, "e.yaml:3:9", "names no file");
    settings.file = "/tmp";
    assert_refused(settings, good, "e.yaml:3:9", "is a folder");
    settings.file = "/tmp/arcfit-no-such-file.csv";
    assert_refused(settings, good, "e.yaml:3:9", "No such file");
}

static void test_capture_read_choices_are_refused_at_their_place(void **state)
{
    (void)state;
    ArcCaptureSettings settings = plane();
    choose(&settings, "x", "x_m");
    choose(&settings, "t", "stamp");
    assert_refused(settings, good, "e.yaml:11:7", "no column 'stamp' in '/tmp/arcfit-capture-");
    assert_refused(settings, good, "e.yaml:11:7", "its columns are: time_s, x_m, y_m");
    settings = plane();
    choose(&settings, "x", "x");
    assert_refused(settings, "t,x,x,y\n0,1,1,2\n1,2,2,3\n", "e.yaml:10:7",
                   "(the 2. and the 3.); choose one");
    settings = plane();
    choose(&settings, "z", "y_m");
    assert_refused(settings, good, "e.yaml:10:7", "2 dimensions has no column 'z'");
    settings = plane();
    choose(&settings, "sigma_z", "y_m");
    assert_refused(settings, good, "e.yaml:10:7", "2 dimensions has no column 'sigma_z'");
    settings = plane();
    choose(&settings, "x", "x_m");
    choose(&settings, "x", "y_m");
    assert_refused(settings, good, "e.yaml:11:7", "column 'x' is chosen twice");
    settings = plane();
    choose(&settings, "y", "x_m");
    assert_refused(settings, good, "e.yaml:10:7", "one column is both 'x' and 'y'");
    settings = plane();
    choose(&settings, "x", "4");
    assert_refused(settings, "0,1,2\n1,2,3\n", "e.yaml:10:7", "its columns are numbered 1 to 3");
}

static bool same_bits(const double *a, const double *b, int n)
{
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

enum { N_RANDOM = 300 };

/* Writes a capture of random doubles, reads it again and compares the bits. */
static void assert_round_trip(int d, bool is_shared, const char *suffix)
{
    double time_s[N_RANDOM], position_m[3 * N_RANDOM], sigma_m[3 * N_RANDOM];
    ArcRandom random = arc_random_create(11, (uint64_t)d);
    double t = -3.0;
    for (int i = 0; i < N_RANDOM; i++) {
        time_s[i] = t += arc_random_uniform(&random, 1e-9, 1.0);
        for (int k = 0; k < d; k++) {
            position_m[i * d + k] = arc_random_normal(&random) * pow(10.0, i % 9 - 4);
            sigma_m[i * d + k] =
                is_shared && k > 0 ? sigma_m[i * d] : arc_random_uniform(&random, 1e-6, 0.1);
        }
    }
    position_m[0] = -0.0;
    position_m[d] = NAN;
    ArcCapture *made = NULL, *back = NULL;
    assert_int_equal(
        arc_capture_create(GIVEN(N_RANDOM, d, time_s, position_m, sigma_m), &made, NULL), ARC_OK);
    assert_int_equal(made->n_fit, N_RANDOM);
    char name[64];
    snprintf(name, sizeof name, "%s%s", path, suffix);
    assert_int_equal(arc_capture_write(made, "two\nlines", name, NULL), ARC_OK);
    ArcCaptureSettings settings = d == 2 ? plane() : space();
    settings.file = name;
    settings.sigma_m = NAN;
    ArcError err = {0};
    if (arc_capture_read(&settings, &back, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_int_equal(back->n_points, N_RANDOM);
    assert_true(same_bits(back->time_s, time_s, N_RANDOM));
    assert_true(isnan(back->position_m[d]));
    assert_true(same_bits(back->position_m, position_m, d));
    assert_true(same_bits(back->position_m + d + 1, position_m + d + 1, d * N_RANDOM - d - 1));
    assert_true(same_bits(back->sigma_m, sigma_m, d * N_RANDOM));
    assert_int_equal(back->line[0], 4);
    arc_capture_free(back);
    arc_capture_free(made);
    unlink(name);
}

static void test_capture_write_reads_back_bit_for_bit(void **state)
{
    (void)state;
    assert_round_trip(2, true, ".csv");
    assert_round_trip(2, false, ".csv");
    assert_round_trip(3, true, ".csv.gz");
    assert_round_trip(3, false, ".csv.gz");
}

static void test_capture_text_is_the_canonical_form(void **state)
{
    (void)state;
    static const double time_s[] = {0.0, 0.5}, sigma_m[] = {0.1, 0.1, 0.2, 0.2, 0.2, 0.2};
    static const double position_m[] = {1.0, NAN, -0.25, 1e-7, 0.1, 3.0};
    ArcCapture *capture;
    char *text;
    assert_int_equal(arc_capture_create(GIVEN(2, 2, time_s, position_m, sigma_m), &capture, NULL),
                     ARC_OK);
    assert_string_equal(capture->file, "(memory)");
    assert_int_equal(arc_capture_text(capture, "one\r\ntwo", &text, NULL), ARC_OK);
    assert_string_equal(text, "# one\n# two\ntime_s,x_m,y_m,sigma_m\n0,1,,0.1\n"
                              "0.5,-0.25,1e-07,0.2\n");
    arc_text_free(text);
    arc_capture_free(capture);
    assert_int_equal(arc_capture_create(GIVEN(2, 3, time_s, position_m, sigma_m), &capture, NULL),
                     ARC_OK);
    assert_int_equal(arc_capture_text(capture, NULL, &text, NULL), ARC_OK);
    assert_string_equal(text, "time_s,x_m,y_m,z_m,sigma_x_m,sigma_y_m,sigma_z_m\n"
                              "0,1,,-0.25,0.1,0.1,0.2\n0.5,1e-07,0.1,3,0.2,0.2,0.2\n");
    arc_text_free(text);
    arc_capture_free(capture);
    arc_capture_free(NULL);
}

static void test_capture_write_impossible_path_is_a_system_failure(void **state)
{
    (void)state;
    ArcCapture *capture = read_text(plane(), good);
    char below[64];
    snprintf(below, sizeof below, "%s/x.csv", path);
    ArcError err;
    assert_int_equal(arc_capture_write(capture, NULL, below, &err), ARC_SYSTEM);
    assert_non_null(strstr(err.text, "cannot write"));
    arc_capture_free(capture);
}

static void test_capture_create_impossible_points_are_refused(void **state)
{
    (void)state;
    double time_s[] = {0.0, 1.0}, x[] = {1.0, 2.0, 3.0, 4.0}, sigma[] = {1.0, 1.0, 1.0, 1.0};
    ArcCapture *capture;
    assert_int_equal(arc_capture_create(GIVEN(0, 2, time_s, x, sigma), &capture, NULL), ARC_USAGE);
    assert_int_equal(arc_capture_create(GIVEN(2, 4, time_s, x, sigma), &capture, NULL), ARC_USAGE);
    time_s[1] = 0.0;
    assert_int_equal(arc_capture_create(GIVEN(2, 2, time_s, x, sigma), &capture, NULL), ARC_INPUT);
    time_s[1] = NAN;
    assert_int_equal(arc_capture_create(GIVEN(2, 2, time_s, x, sigma), &capture, NULL), ARC_INPUT);
    time_s[1] = 1.0;
    sigma[3] = 0.0;
    assert_int_equal(arc_capture_create(GIVEN(2, 2, time_s, x, sigma), &capture, NULL), ARC_INPUT);
    sigma[3] = 1.0;
    x[2] = INFINITY;
    ArcError err;
    assert_int_equal(arc_capture_create(GIVEN(2, 2, time_s, x, sigma), &capture, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "position inf m"));
    assert_null(capture);
}

static bool refuse_from(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

static void test_capture_exhaustion_at_each_block_is_reported(void **state)
{
    (void)state;
    put(good);
    char name[64];
    snprintf(name, sizeof name, "%s.csv.gz", path);
    ArcCaptureSettings settings = plane();
    int n_failed = 0;
    for (int allowed = 0;; allowed++) {
        int left = allowed;
        ArcCapture *capture = NULL;
        ArcError err = {0};
        arc_memory_set_hook(refuse_from, &left);
        ArcStatus status = arc_capture_read(&settings, &capture, &err);
        ArcStatus written = status == ARC_OK ? arc_capture_write(capture, "c", name, &err) : status;
        arc_memory_set_hook(NULL, NULL);
        assert_true((capture == NULL) == (status != ARC_OK));
        arc_capture_free(capture);
        if (written == ARC_OK)
            break;
        n_failed++;
        assert_int_equal(written, ARC_MEMORY);
        assert_int_equal(err.status, ARC_MEMORY);
        assert_int_not_equal(access(name, F_OK), 0);
    }
    assert_true(n_failed >= 6);
    assert_int_equal(unlink(name), 0);
}

static void read_shared(const char *name, int dimensions, int n_points)
{
    char file[1024];
    ArcCaptureSettings settings = plane();
    settings.file = shared_path(file, name);
    settings.dimensions = dimensions;
    ArcCapture *capture;
    ArcError err = {0};
    if (arc_capture_read(&settings, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_int_equal(capture->n_points, n_points);
    assert_int_equal(capture->n_fit, n_points);
    arc_capture_free(capture);
}

static void test_capture_read_real_files_are_read_as_they_are(void **state)
{
    (void)state;
    read_shared("oracle/plane-lumped-00.csv", 2, 11);
    read_shared("data/table-tennis-launcher/topspin_00.csv", 3, 88);
    read_shared("data/juggling-robot/s3_b0.csv", 3, 261);
    read_shared("samples/kinovea_scatter_us.csv", 2, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_capture_read_canonical_file_gives_its_points),
        cmocka_unit_test(test_capture_read_header_names_and_units_are_understood),
        cmocka_unit_test(test_capture_read_sigma_columns_and_units_combine),
        cmocka_unit_test(test_capture_read_chosen_columns_are_used),
        cmocka_unit_test(test_capture_read_window_every_and_hold_out_apply_in_order),
        cmocka_unit_test(test_capture_read_unused_rows_may_repeat_times),
        cmocka_unit_test(test_capture_read_broken_files_are_refused_with_place),
        cmocka_unit_test(test_capture_read_settings_are_refused_at_their_place),
        cmocka_unit_test(test_capture_read_choices_are_refused_at_their_place),
        cmocka_unit_test(test_capture_write_reads_back_bit_for_bit),
        cmocka_unit_test(test_capture_text_is_the_canonical_form),
        cmocka_unit_test(test_capture_write_impossible_path_is_a_system_failure),
        cmocka_unit_test(test_capture_create_impossible_points_are_refused),
        cmocka_unit_test(test_capture_exhaustion_at_each_block_is_reported),
        cmocka_unit_test(test_capture_read_real_files_are_read_as_they_are),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
