/* Help: what the tables know is shown, in 80 columns; pages of the manual are sound where words are
 * not; topics and keys are found, and what is mistyped is told. The shells and man(1) themselves:
 * check_completions, check_manual. */
#include "arcfit/settings.h"
#include "arcfit/text.h"
#include "cli/completion.h"
#include "cli/manual.h"
#include "cli/parameter_names.h"
#include "cli/tables.h"
#include "cli/topics.h"

#include "program_run.h"

static char folder[] = "/tmp/arcfit-test-help-XXXXXX";
static Run run;

/* What a writer made; the caller frees. */
typedef struct Page {
    char *text;
    size_t size;
    ArcWriter writer;
} Page;

static void page_open(Page *page, bool is_man)
{
    *page = (Page){.writer.is_man = is_man};
    page->writer.stream = open_memstream(&page->text, &page->size);
    assert_non_null(page->writer.stream);
}

static void page_close(Page *page)
{
    assert_int_equal(fclose(page->writer.stream), 0);
}

static void assert_80_columns(const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        if (length > 80)
            fail_msg("longer than 80 columns: %.*s", (int)length, text);
        if (length > 0 && text[length - 1] == ' ')
            fail_msg("ends in blanks: '%.*s'", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

/* Whether words stand in text however its lines are broken. */
static bool has_words(const char *text, const char *words)
{
    size_t length = strlen(text), n = 0;
    char *joined = malloc(length + 1);
    assert_non_null(joined);
    for (size_t i = 0; i < length; i++) {
        bool is_blank = text[i] == ' ' || text[i] == '\n';
        if (!is_blank || (n > 0 && joined[n - 1] != ' '))
            joined[n++] = is_blank ? ' ' : text[i];
    }
    joined[n] = '\0';
    bool found = strstr(joined, words) != NULL;
    free(joined);
    return found;
}

static void assert_words(const char *text, const char *words)
{
    if (!has_words(text, words))
        fail_msg("'%s' is not in\n%s", words, text);
}

/* Each name that a page refers to has a page. */
static void assert_see_is_known(const char *see)
{
    while (*see != '\0') {
        char name[32];
        size_t length = strcspn(see, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, see);
        if (arc_topic_find(name) == NULL && (int)arc_command_find(name, NULL) == 0)
            fail_msg("no page is named '%s'", name);
        see += length + (see[length] == ' ');
    }
}

static void test_manual_command_shows_its_options_examples_and_doc(void **state)
{
    (void)state;
    const ArcCommandRow *row;
    const ArcOptionRow *option;
    for (int i = 0; (row = arc_command_at(i)) != NULL; i++) {
        Page page;
        page_open(&page, false);
        arc_manual_command(&page.writer, row->command);
        page_close(&page);
        assert_80_columns(page.text);
        assert_words(page.text, row->doc);
        assert_non_null(strstr(page.text, row->examples));
        assert_see_is_known(row->see);
        for (int k = 0; (option = arc_option_at(k)) != NULL; k++) {
            char words[512];
            snprintf(words, sizeof words, "%s%s%s %s", option->name,
                     option->value == NULL ? "" : " ", option->value == NULL ? "" : option->value,
                     option->doc);
            if (has_words(page.text, words) != ((option->commands & (int)row->command) != 0))
                fail_msg("%s and %s", row->name, words);
        }
        free(page.text);
    }
}

/* Every example names a command, and options that it takes, as the reader has them. */
static void test_manual_examples_are_read_by_the_program(void **state)
{
    (void)state;
    const ArcCommandRow *row;
    int n_examples = 0;
    for (int i = 0; (row = arc_command_at(i)) != NULL; i++) {
        char examples[1024];
        snprintf(examples, sizeof examples, "%s", row->examples);
        char *rest = NULL;
        for (char *line = strtok_r(examples, "\n", &rest); line != NULL;
             line = strtok_r(NULL, "\n", &rest)) {
            char *words[RUN_MOST_WORDS], *rest_of_line = NULL, *from = strstr(line, "arcfit ");
            int n = 0;
            assert_non_null(from);
            for (char *word = strtok_r(from, " ()", &rest_of_line);
                 word != NULL && strpbrk(word, "<|") == NULL;
                 word = strtok_r(NULL, " ()", &rest_of_line)) {
                assert_true(n < RUN_MOST_WORDS);
                words[n++] = word;
            }
            ArcOptions options;
            ArcError err;
            if (arc_options_read(n, words, &options, &err) != ARC_OK)
                fail_msg("example of %s: %s", row->name, err.text);
            arc_options_free(&options);
            n_examples++;
        }
    }
    assert_true(n_examples > 20);
}

static void test_manual_topic_is_whole_in_80_columns(void **state)
{
    (void)state;
    const ArcTopicRow *topic;
    for (int i = 0; (topic = arc_topic_at(i)) != NULL; i++) {
        Page page;
        page_open(&page, false);
        assert_int_equal(arc_manual_topic(&page.writer, topic, NULL), ARC_OK);
        page_close(&page);
        assert_80_columns(page.text);
        assert_words(page.text, topic->doc);
        assert_true(strlen(page.text) > 300);
        assert_see_is_known(topic->see);
        free(page.text);
    }
    assert_ptr_equal(arc_topic_find("exit codes"), arc_topic_find("exit-codes"));
    assert_non_null(arc_topic_find("exit-codes"));
    assert_null(arc_topic_find("exit"));
    assert_null(arc_topic_find("units-and-more"));
}

static void test_manual_overview_names_all_and_fits_a_screen(void **state)
{
    (void)state;
    Page page;
    int n_lines = 0;
    page_open(&page, false);
    arc_manual_overview(&page.writer);
    page_close(&page);
    assert_80_columns(page.text);
    for (int i = 0; arc_command_at(i) != NULL; i++)
        assert_words(page.text, arc_command_at(i)->doc);
    for (int i = 0; arc_topic_at(i) != NULL; i++)
        assert_words(page.text, arc_topic_at(i)->doc);
    for (const char *c = page.text; *c != '\0'; c++)
        n_lines += *c == '\n';
    assert_true(n_lines <= 48);
    free(page.text);
}

static void test_setting_text_shows_row_and_those_below(void **state)
{
    (void)state;
    ArcSettingInfo info, other;
    int n = 0;
    for (int i = 0; arc_setting_info(i, &info); i++, n++) {
        char *text = NULL, *accepts = NULL;
        assert_int_equal(arc_setting_text(i, &text, NULL), ARC_OK);
        assert_int_equal(arc_setting_accepts(i, &accepts, NULL), ARC_OK);
        assert_80_columns(text);
        assert_words(text, info.path);
        assert_words(text, info.doc);
        assert_words(text, accepts);
        int n_below = 0;
        for (int k = 0; arc_setting_info(k, &other); k++) {
            size_t length = strlen(info.path);
            bool is_below = strncmp(other.path, info.path, length) == 0 &&
                            other.path[length] == '.' &&
                            strchr(other.path + length + 1, '.') == NULL;
            n_below += is_below;
            if (is_below)
                assert_words(text, other.path);
        }
        if (n_below != info.n_below)
            fail_msg("%s has %d rows below it, not %d", info.path, n_below, info.n_below);
        arc_text_free(text);
        arc_text_free(accepts);
    }
    assert_true(n > 250);
    char *text = NULL;
    assert_int_equal(arc_setting_text(n, &text, NULL), ARC_USAGE);
    assert_int_equal(arc_setting_accepts(-1, &text, NULL), ARC_USAGE);
    assert_null(text);
}

static void test_setting_row_finds_keys_as_users_write_them(void **state)
{
    (void)state;
    static const struct {
        const char *key, *path;
    } rows[] = {{"fit.pinn.train.0.steps", "fit.pinn.train.steps"},
                {"fit.pinn.train.12", "fit.pinn.train"},
                {"capture.0.sigma", "capture.sigma"},
                {"parameters.cd.prior.mean", "parameters.NAME.prior.mean"},
                {"parameters.NAME.fixed", "parameters.NAME.fixed"},
                {"capture.cameras.left.stick.length", "capture.cameras.NAME.stick.length"},
                {"randomise.draws", "randomise.draws"},
                {"net file.hidden", "net file.hidden"}};
    static const struct {
        const char *key, *nearest;
    } unknown[] = {{"flight.dargs", "flight.drag"},
                   {"optimizer", "fit.pinn.train.optimizer"},
                   {"optimzer", "fit.pinn.train.optimizer"},
                   {"parameters.cd.nothing", NULL},
                   {"fit..pinn", "fit.pinn"},
                   {"", NULL},
                   {".", NULL},
                   {"parameters..start", NULL}};
    ArcSettingInfo info;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        int i = arc_setting_row(rows[k].key, NULL);
        if (!arc_setting_info(i, &info) || strcmp(info.path, rows[k].path) != 0)
            fail_msg("%s gives row %d", rows[k].key, i);
    }
    char path[ARC_SETTING_PATH];
    for (int i = 0; arc_setting_info(i, &info); i++) {
        if (arc_setting_override(i, path))
            assert_int_equal(arc_setting_row(path, NULL), i);
        else
            assert_memory_equal(info.path, "net file.", 9);
    }
    for (size_t k = 0; k < sizeof unknown / sizeof unknown[0]; k++) {
        const char *nearest = "untouched";
        assert_int_equal(arc_setting_row(unknown[k].key, &nearest), -1);
        if ((nearest == NULL) != (unknown[k].nearest == NULL) ||
            (nearest != NULL && strcmp(nearest, unknown[k].nearest) != 0))
            fail_msg("'%s': nearest is '%s'", unknown[k].key, nearest == NULL ? "none" : nearest);
    }
}

static void test_known_parameters_has_those_of_laws_releases_and_arms(void **state)
{
    (void)state;
    static const char *const names[] = {"k",      "cd", "s",     "spin",    "wx",      "spin_tau",
                                        "vz0",    "t0", "speed", "azimuth", "tilt_x",  "gravity",
                                        "theta1", "l2", "cm",    "cl",      "friction"};
    ArcKnownParameters known;
    assert_int_equal(arc_known_parameters(&known, NULL), ARC_OK);
    assert_true(known.n > 40 && known.n < ARC_KNOWN_PARAMETERS);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        int n = 0;
        for (int i = 0; i < known.n; i++)
            n += strcmp(known.rows[i].name, names[k]) == 0;
        if (n != 1)
            fail_msg("%s is there %d times", names[k], n);
    }
}

/* What roff would take for its own, in a term, in words, and in lines that stand as they are. */
static void test_writer_page_escapes_what_roff_would_read(void **state)
{
    (void)state;
    Page page;
    page_open(&page, true);
    arc_writer_title(&page.writer, "arcfit-odd", 5, ".so /etc/motd");
    arc_writer_heading(&page.writer, "Odd");
    arc_writer_words(&page.writer, ".SH no\n\n'br `a\\b` x-y ~ ^ `c`.\n  .de zz\n  a\\fB \"q\"\n");
    arc_writer_item(&page.writer, ".x, --out FILE", "'tis .5 - \\n\n.y");
    page_close(&page);
    run_assert_says(page.text, "arcfit\\-odd \\- \\&.so /etc/motd\n.SH ODD\n\\&.SH no\n.PP\n"
                               "\\(aqbr \\fBa\\(rsb\\fR x\\-y \\(ti \\(ha \\fBc\\fR.\n"
                               ".PP\n.RS 4\n.nf\n\\&.de zz\na\\(rsfB \"q\"\n.fi\n.RE\n.TP\n"
                               "\\fB\\&.x,\\fR \\fB\\-\\-out\\fR \\fIFILE\\fR\n"
                               "\\(aqtis \\&.5 \\- \\(rsn\n.br\n\\&.y\n");
    free(page.text);
}

static void test_writer_text_wraps_and_keeps_lines_that_begin_with_blanks(void **state)
{
    (void)state;
    Page page;
    page_open(&page, false);
    page.writer.column = 12;
    arc_writer_heading(&page.writer, "Head");
    arc_writer_words(&page.writer,
                     "one\ntwo `x`.\n\n  as   it is\n    and this\nthree\n# Sub\nfour");
    arc_writer_item(&page.writer, "term",
                    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "
                    "bbbbbbbbbbbbbbbbbb c");
    arc_writer_item(&page.writer, "a-long-term", "words\nand more");
    page_close(&page);
    assert_string_equal(
        page.text,
        "\nHead\none two `x`.\n\n  as   it is\n    and this\n\nthree\n\nSub\nfour\n"
        "  term      aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "
        "bbbbbbbbbbbbbbbbbb\n            c\n  a-long-term\n            words\n            "
        "and more\n");
    free(page.text);
}

static void test_completion_quote_keeps_text_from_the_shell(void **state)
{
    (void)state;
    Page page;
    page_open(&page, false);
    arc_completion_quote(page.writer.stream, "it's $(rm) `x` \\ \"q\"");
    page_close(&page);
    assert_string_equal(page.text, "'it'\\''s $(rm) `x` \\ \"q\"'");
    free(page.text);
}

static void assert_run(const char *line, int code, const char *output, const char *message)
{
    run_line(&run, NULL, line);
    if (run.code != code)
        fail_msg("'%s' ends with %d: %s", line, run.code, run.messages);
    run_assert_says(run.output, output);
    run_assert_says(run.messages, message);
    if (code != 0 && (run.output[0] != '\0' || !run_is_one_line(run.messages)))
        fail_msg("'%s' prints '%s' and '%s'", line, run.output, run.messages);
}

static void test_help_option_and_command_say_the_same(void **state)
{
    (void)state;
    for (int i = -1; i < 0 || arc_command_at(i) != NULL; i++) {
        char line[64];
        const char *name = i < 0 ? "" : arc_command_at(i)->name;
        snprintf(line, sizeof line, "help %s", name);
        run_line(&run, NULL, line);
        assert_int_equal(run.code, 0);
        char *first = strdup(run.output);
        assert_non_null(first);
        snprintf(line, sizeof line, "%s --help", name);
        run_line(&run, NULL, line);
        assert_int_equal(run.code, 0);
        assert_string_equal(run.output, first);
        free(first);
    }
}

static void test_help_finds_topics_and_keys(void **state)
{
    (void)state;
    assert_run("help fit", 0, "arcfit fit EXPERIMENT...", "");
    assert_run("help fit.", 0, "  fit.starts\n", "");
    assert_run("help fit.pinn.train", 0, "  fit.pinn.train.optimizer\n", "");
    assert_run("help fit.pinn.train.0.rate", 0, "learning rate of the weights", "");
    assert_run("help net file.hidden", 0, "widths of the hidden layers", "");
    assert_run("help exit codes", 0, "130 ", "");
    assert_run("help experiment --as man", 0, ".TH ARCFIT\\-EXPERIMENT 5 ", "");
    assert_run("help settings --as man", 0, ".TH ARCFIT\\-EXPERIMENT 5 ", "");
    assert_run("help --as man", 0, ".TH ARCFIT 1 ", "");
    assert_run("help --as zsh", 0, "#compdef arcfit\n", "");
}

static void test_help_unknown_topic_gives_two_and_a_suggestion(void **state)
{
    (void)state;
    char line[600] = "help ";
    assert_run("help ftt", 2, "", "unknown topic 'ftt'; did you mean `arcfit help fit`?");
    assert_run("help paramters", 2, "", "did you mean `arcfit help parameters`?");
    assert_run("help flight.dargs", 2, "", "did you mean `arcfit help flight.drag`?");
    assert_run("help optimizer", 2, "", "did you mean `arcfit help fit.pinn.train.optimizer`?");
    assert_run("help nothing-like-it", 2, "", "`arcfit help` lists them");
    assert_run("help .", 2, "", "unknown topic '.'");
    assert_run("help fit --as bash", 2, "", "leave 'fit' out");
    assert_run("help fit --as schema", 2, "", "experiment --as schema");
    assert_run("help fit --as html", 2, "", "--as wants one of text, man, schema, bash, zsh, fish");
    assert_run("help fit.pinn --as man", 2, "", "help experiment --as man");
    memset(line + 5, 'x', 500);
    assert_run(line, 2, "", "no topic of help has so long a name");
}

/* The lines of a page that stand as they are, without their two blanks, into a file. */
static void write_shown(const char *about, const char *path)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    while (*about != '\0') {
        size_t length = strcspn(about, "\n");
        if (strncmp(about, "  ", 2) == 0)
            fprintf(stream, "%.*s\n", (int)length - 2, about + 2);
        about += length + (about[length] == '\n');
    }
    assert_int_equal(fclose(stream), 0);
}

/* Who copies what help shows has an experiment, a capture and a net that can be fitted. */
static void test_help_first_experiment_can_be_fitted(void **state)
{
    (void)state;
    write_shown(arc_topic_find("experiment")->about, "my-throw.yaml");
    write_shown(arc_topic_find("captures")->about, "throw.csv");
    write_shown(arc_topic_find("nets")->about, "net.yaml");
    assert_run("check my-throw.yaml", 0, "cd", "");
    assert_run("fit my-throw.yaml", 0, "agree", "");
    assert_run("check my-throw.yaml --set fit.pinn.net=net.yaml "
               "--set fit.pinn.train=[{optimizer:lm}]",
               2, "", "");
}

/* Those of the topic of parameters, beside a law that has them. */
static void test_help_parameters_that_are_shown_are_read(void **state)
{
    (void)state;
    run_write_file("half.yaml", "arcfit: 1\ncapture: {file: throw.csv, sigma: 3 mm}\n"
                                "flight: {ball: basketball, drag: quadratic, lift: rational}\n");
    write_shown(arc_topic_find("parameters")->about, "parameters.yaml");
    size_t n, m;
    char *half = run_read_file("half.yaml", &n), *more = run_read_file("parameters.yaml", &m);
    FILE *stream = fopen("both.yaml", "w");
    assert_non_null(stream);
    char *drag = strstr(more, "  k:"); /* of another law of drag */
    assert_non_null(drag);
    fprintf(stream, "%s%.*s", half, (int)(drag - more), more);
    assert_int_equal(fclose(stream), 0);
    assert_run("check both.yaml", 0, "spin", "");
    free(half);
    free(more);
}

static int make_folder(void **state)
{
    (void)state;
    run_enter_folder(folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return run_remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_manual_command_shows_its_options_examples_and_doc),
        cmocka_unit_test(test_manual_examples_are_read_by_the_program),
        cmocka_unit_test(test_manual_topic_is_whole_in_80_columns),
        cmocka_unit_test(test_manual_overview_names_all_and_fits_a_screen),
        cmocka_unit_test(test_setting_text_shows_row_and_those_below),
        cmocka_unit_test(test_setting_row_finds_keys_as_users_write_them),
        cmocka_unit_test(test_known_parameters_has_those_of_laws_releases_and_arms),
        cmocka_unit_test(test_writer_page_escapes_what_roff_would_read),
        cmocka_unit_test(test_writer_text_wraps_and_keeps_lines_that_begin_with_blanks),
        cmocka_unit_test(test_completion_quote_keeps_text_from_the_shell),
        cmocka_unit_test(test_help_option_and_command_say_the_same),
        cmocka_unit_test(test_help_finds_topics_and_keys),
        cmocka_unit_test(test_help_unknown_topic_gives_two_and_a_suggestion),
        cmocka_unit_test(test_help_first_experiment_can_be_fitted),
        cmocka_unit_test(test_help_parameters_that_are_shown_are_read),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
