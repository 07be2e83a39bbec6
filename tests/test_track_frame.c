/* Lines to frames: headers, rows, JSON objects, and all that is neither. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/track.h"
#include "base/random.h"
#include "slow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char why[200];

static ArcFrameLine read_text(ArcFrameColumns *columns, const char *line, ArcFrame *frame)
{
    why[0] = '\0';
    return arc_frame_read(columns, line, strlen(line), frame, why);
}

/* NaN stands for a missing number. */
static void assert_number(double is, double should)
{
    if (!(is == should || (isnan(is) && isnan(should))))
        fail_msg("%.17g is not %.17g", is, should);
}

typedef struct Row {
    const char *line;
    double time_s, x_m, y_m, sigma_x_m, sigma_y_m;
} Row;

static void check_rows(ArcFrameColumns columns, int n, const Row *rows)
{
    for (int i = 0; i < n; i++) {
        ArcFrame frame;
        if (read_text(&columns, rows[i].line, &frame) != ARC_LINE_FRAME)
            fail_msg("'%s' is no frame: %s", rows[i].line, why);
        assert_number(frame.time_s, rows[i].time_s);
        assert_number(frame.position_m[0], rows[i].x_m);
        assert_number(frame.position_m[1], rows[i].y_m);
        assert_number(frame.sigma_m[0], rows[i].sigma_x_m);
        assert_number(frame.sigma_m[1], rows[i].sigma_y_m);
    }
}

static void test_frame_read_rows_without_header_are_canonical(void **state)
{
    (void)state;
    static const Row rows[] = {{"0,1,2", 0, 1, 2, NAN, NAN},
                               {" 0.5 ,\t-1e-3 , 2.5e0,0.003\r", 0.5, -1e-3, 2.5, 3e-3, 3e-3},
                               {"0.5,,2", 0.5, NAN, 2, NAN, NAN},
                               {"0.5,nan,NaN,", 0.5, NAN, NAN, NAN, NAN},
                               {"\"0.5\",\"1\",\"\"", 0.5, 1, NAN, NAN, NAN}};
    check_rows(arc_frame_columns(2), sizeof rows / sizeof rows[0], rows);
}

static void test_frame_read_header_says_the_order(void **state)
{
    (void)state;
    static const Row rows[] = {{"a,2,0.004,1,0.5,x", 0.5, 1, 2, NAN, 4e-3},
                               {",2,,,0.5,", 0.5, NAN, 2, NAN, NAN},
                               {",2,,1,0.5", 0.5, 1, 2, NAN, NAN}};
    ArcFrame frame;
    ArcFrameColumns columns = arc_frame_columns(2);
    assert_int_equal(read_text(&columns, "# a comment", &frame), ARC_LINE_NOTHING);
    assert_int_equal(read_text(&columns, "camera,y_m,sigma_y_m,x_m,time_s,note\r", &frame),
                     ARC_LINE_NOTHING);
    assert_true(columns.has_header);
    check_rows(columns, sizeof rows / sizeof rows[0], rows);
    /* Another header, of a logger that began anew. */
    assert_int_equal(read_text(&columns, "time_s,x_m,y_m", &frame), ARC_LINE_NOTHING);
    check_rows(columns, 1, (const Row[]){{"0,1,2", 0, 1, 2, NAN, NAN}});
}

static void test_frame_read_byte_order_mark_is_none(void **state)
{
    (void)state;
    ArcFrame frame;
    ArcFrameColumns columns = arc_frame_columns(3), plain = arc_frame_columns(2);
    assert_int_equal(read_text(&columns, "\xEF\xBB\xBFtime_s,z_m,x_m,y_m", &frame),
                     ARC_LINE_NOTHING);
    assert_int_equal(read_text(&columns, "0,3,1,2", &frame), ARC_LINE_FRAME);
    assert_number(frame.position_m[2], 3.0);
    assert_int_equal(read_text(&plain,
                               "\xEF\xBB\xBF"
                               "0,1,2",
                               &frame),
                     ARC_LINE_FRAME);
    assert_int_equal(read_text(&plain,
                               "\xEF\xBB\xBF"
                               "0,1,2",
                               &frame),
                     ARC_LINE_GARBAGE);
}

static void test_frame_read_objects_by_both_forms(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"{\"time_s\": 0.5, \"x_m\": 1, \"y_m\": 2}", 0.5, 1, 2, NAN, NAN},
        {"{\"y_m\":2,\"time_s\":0.5,\"x_m\":null,\"sigma_m\":0.003}\r", 0.5, NAN, 2, 3e-3, 3e-3},
        {"{\"t\": 0.5, \"x\": [1, 2], \"sigma\": 0.003}", 0.5, 1, 2, 3e-3, 3e-3},
        {"{\"t\": 0.5, \"x\": [1, null], \"camera\": {\"id\": [7]}}", 0.5, 1, NAN, NAN, NAN},
        {"{\"sigma_x_m\": 0.001, \"t\": 5e-1, \"x\": [1, 2], \"sigma_m\": 0.003}", 0.5, 1, 2, 1e-3,
         3e-3},
        {"{\"t\": 12345678901234567890, \"x_m\": 1}", 12345678901234567890.0, 1, NAN, NAN, NAN}};
    check_rows(arc_frame_columns(2), 5, rows);
    ArcFrame frame;
    ArcFrameColumns columns = arc_frame_columns(2);
    assert_int_equal(read_text(&columns, rows[5].line, &frame), ARC_LINE_GARBAGE);
}

static void test_frame_read_blank_and_comment_are_nothing(void **state)
{
    (void)state;
    static const char *const lines[] = {"", " ", "\r", "\t \r", "#", "# 0,1,2", "  # 0,1,2"};
    ArcFrame frame;
    ArcFrameColumns columns = arc_frame_columns(2);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_int_equal(read_text(&columns, lines[i], &frame), ARC_LINE_NOTHING);
}

static void test_frame_read_garbage_says_why(void **state)
{
    (void)state;
    static const struct {
        const char *line, *words;
    } rows[] = {{"garbage", "not a number: 'garbage'"},
                {"0", "too few cells: '0'"},
                {"0,1", "too few cells"},
                {"0,1,2,0.003,5", "more cells than columns"},
                {"0;1;2", "not a number: '0;1;2'"},
                {"0,1,2m", "not a number: '2m'"},
                {"0,1,0x10", "not a number: '0x10'"},
                {"0,inf,2", "not a number: 'inf'"},
                {"0,1e999,2", "beyond 1e12 m"},
                {"0,2e12,2", "beyond 1e12 m"},
                {"2e12,1,2", "beyond 1e12 s"},
                {"1e999,1,2", "there is no time"},
                {",1,2", "there is no time"},
                {"0,1,2,0", "a sigma is not above zero"},
                {"0,1,2,-0.003", "a sigma is not above zero"},
                {"0,1,2,1e-13", "a sigma is not above zero"},
                {"a\x01\xff,1,2", "not a number: 'a\?\?'"},
                {"time_s,x_m", "no column y_m"},
                {"x_m,y_m", "no column time_s"},
                {"time_s,x_m,y_m,x_m", "a column twice: 'x_m'"},
                {"a long line that goes on and on and on and on and on",
                 "'a long line that goes on and o...'"},
                {"{", "not a JSON object"},
                {"{}", "there is no time"},
                {"{\"t\": 0, \"x\": [1]}", "not a number: 'x'"},
                {"{\"t\": 0, \"x\": [1, 2, 3]}", "not a number: 'x'"},
                {"{\"t\": 0, \"x\": [1, \"2\"]}", "not a number: 'x'"},
                {"{\"t\": \"0\", \"x\": [1, 2]}", "not a number: 't'"},
                {"{\"t\": 0, \"x\": [1, NaN]}", "not a JSON object"},
                {"{\"t\": 0, \"x_m\": true}", "not a number: 'x_m'"},
                {"{\"t\": 0, \"x\": [1, 2]} {\"t\"", "not a JSON object"},
                {"{\"t\": 0, \"x\": [1e13, 2]}", "beyond 1e12 m"},
                {"{\"t\": 0, \"x\": [1, 2], \"sigma\": 0}", "a sigma is not above zero"},
                {"[0, 1, 2]", "not a number: '[0'"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcFrame frame;
        ArcFrameColumns columns = arc_frame_columns(2);
        const ArcFrameColumns before = columns;
        if (read_text(&columns, rows[i].line, &frame) != ARC_LINE_GARBAGE ||
            strstr(why, rows[i].words) == NULL)
            fail_msg("'%s': '%s' has no '%s'", rows[i].line, why, rows[i].words);
        assert_memory_equal(columns.role, before.role, sizeof before.role);
        assert_int_equal(columns.n, before.n);
    }
}

static void test_frame_read_long_line_is_garbage(void **state)
{
    (void)state;
    enum { LONG = 3 * ARC_TRACK_MOST_LINE };
    static char line[LONG];
    ArcFrame frame;
    ArcFrameColumns columns = arc_frame_columns(2);
    memset(line, '1', sizeof line);
    assert_int_equal(arc_frame_read(&columns, line, LONG, &frame, why), ARC_LINE_GARBAGE);
    assert_non_null(strstr(why, "4096 bytes"));
    /* As many columns as no file has. */
    for (int i = 0; i < 4000; i++)
        line[i] = i % 4 == 3 ? ',' : "x_mx"[i % 4];
    assert_int_equal(arc_frame_read(&columns, line, 4000, &frame, why), ARC_LINE_GARBAGE);
    memset(line, ',', 4000);
    assert_int_equal(arc_frame_read(&columns, line, 4000, &frame, why), ARC_LINE_GARBAGE);
    /* Deep objects. */
    memcpy(line, "{\"t\":", 5);
    memset(line + 5, '[', 4000);
    assert_int_equal(arc_frame_read(&columns, line, 4005, &frame, why), ARC_LINE_GARBAGE);
}

/* Bytes of any kind, and sound lines with a few of them changed, at their own length in the heap,
 * so that a read beyond the end is seen. */
static void test_frame_read_any_bytes_do_no_harm(void **state)
{
    (void)state;
    static const char *const sound[] = {"0.125,1.5,-2.5,0.003", "time_s,x_m,y_m,sigma_x_m",
                                        "{\"t\": 0.125, \"x\": [1.5, null], \"sigma\": 0.003}",
                                        "\xEF\xBB\xBFtime_s,y_m,x_m\r"};
    static const char some[] = ",,,\"\"{}[]:#nantime_sx_my_m0123456789.-+eE \t\r\xEF\xBB\xBF\x00";
    ArcRandom random = arc_random_create(3, 1);
    int frames = 0;
    for (int run = 0; run < FEWER(200000, 20000); run++) {
        ArcFrameColumns columns = arc_frame_columns(2 + run % 2);
        const char *base = sound[run % 4];
        size_t length = run % 3 == 0 ? (size_t)(arc_random_bits(&random) % 60) : strlen(base);
        char *line = malloc(length > 0 ? length : 1);
        assert_non_null(line);
        for (size_t i = 0; i < length; i++) {
            uint64_t bits = arc_random_bits(&random);
            bool is_kept = run % 3 != 0 && bits % 16 != 0;
            line[i] = is_kept ? base[i] : some[bits / 16 % sizeof some];
        }
        ArcFrame frame;
        ArcFrameLine kind = arc_frame_read(&columns, line, length, &frame, why);
        frames += kind == ARC_LINE_FRAME;
        if (kind == ARC_LINE_FRAME) {
            assert_true(isfinite(frame.time_s));
            assert_true(!isinf(frame.position_m[0]));
            assert_true(!(frame.sigma_m[0] <= 0.0));
        } else if (kind == ARC_LINE_GARBAGE) {
            assert_true(strlen(why) > 0 && strlen(why) < sizeof why);
        }
        free(line);
    }
    assert_true(frames > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame_read_rows_without_header_are_canonical),
        cmocka_unit_test(test_frame_read_header_says_the_order),
        cmocka_unit_test(test_frame_read_byte_order_mark_is_none),
        cmocka_unit_test(test_frame_read_objects_by_both_forms),
        cmocka_unit_test(test_frame_read_blank_and_comment_are_nothing),
        cmocka_unit_test(test_frame_read_garbage_says_why),
        cmocka_unit_test(test_frame_read_long_line_is_garbage),
        cmocka_unit_test(test_frame_read_any_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
