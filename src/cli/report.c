/* arcfit report: results and aims as a page, as figures, as CSV. All is read before anything is
 * written.
 *
 * The page goes to -o (- is standard output), else to STEM.html of one operand and to report.html
 * of several, in the current folder; with --figures or --csv it is made only with -o. It takes the
 * place of a page alone: what else a file holds, as an experiment or another result, cannot be made
 * again. Figures of one operand go into the folder; of several, those that compare them do, and
 * those of each into a folder STEM in it.
 */
#include "cli/commands.h"
#include "cli/output.h"

#include "arcfit/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* An operand: a result with its experiment, or an aim. */
typedef struct ReportItem {
    const char *path;
    ArcResult *result;
    ArcExperiment *experiment;
    ArcAim *aim;
} ReportItem;

/* A set of figures, and where in the folders it goes; "": into them. */
typedef struct ReportSet {
    char *folder;
    ArcFigures *figures;
} ReportSet;

typedef struct Report {
    const ArcOptions *options;
    int n;
    ReportItem *items;
    int n_sets; /* n, or n + 1 with the comparison, the first then */
    ReportSet *sets;
    char *path; /* of the page; NULL: none is asked for */
    char *page;
} Report;

static ArcStatus report_no_memory(ArcError *err)
{
    return arc_error_set(err, ARC_MEMORY, "error: out of memory");
}

static bool report_is_yaml(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* Without its experiment a result has no bands, but all else. */
static ArcStatus report_restore(ReportItem *item, ArcError *err)
{
    ArcStatus status = arc_output_restore(item->result, &item->experiment, err);
    if (status != ARC_INPUT)
        return status;
    arc_output_warning((ArcPlace){item->path, 1, 1},
                       "its experiment cannot be restored, so that no bands are drawn: %s",
                       err->text);
    return ARC_OK;
}

static ArcStatus report_read_item(ReportItem *item, ArcError *err)
{
    if (!arc_report_is_hdf5(item->path) && report_is_yaml(item->path))
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){item->path, 1, 1},
                                "this is an experiment, not a result; run `arcfit fit` (or `arcfit "
                                "aim`) on it first, then report what that writes");
    bool is_aim;
    ArcStatus status = arc_aim_is_file(item->path, &is_aim, err);
    if (status != ARC_OK)
        return status;
    if (is_aim)
        return arc_aim_read(item->path, &item->aim, err);
    status = arc_report_read_hdf5(item->path, &item->result, err);
    return status == ARC_OK ? report_restore(item, err) : status;
}

/* Every operand; prints all that is wrong with them. Returns the worst exit code. */
static int report_read(Report *report)
{
    int code = 0;
    report->n = report->options->n_operands;
    report->items = calloc((size_t)report->n, sizeof *report->items);
    ArcError err;
    if (report->items == NULL) {
        report_no_memory(&err);
        return arc_output_error(&err);
    }
    for (int i = 0; i < report->n; i++) {
        report->items[i].path = report->options->operands[i];
        if (report_read_item(&report->items[i], &err) == ARC_OK)
            continue;
        int one = arc_output_error(&err);
        code = one > code ? one : code;
    }
    return code;
}

/* Of path: the name without folders and ending. */
static int report_stem(const char *path, const char **stem)
{
    const char *slash = strrchr(path, '/');
    *stem = slash == NULL ? path : slash + 1;
    const char *dot = strrchr(*stem, '.');
    return dot == NULL || dot == *stem ? (int)strlen(*stem) : (int)(dot - *stem);
}

/* Nothing but a page is written over; what is empty or no file holds nothing. */
static ArcStatus report_check_place(const char *path, ArcError *err)
{
    static const char begin[] = "<!doctype html>";
    char bytes[sizeof begin - 1];
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
        return ARC_OK;
    FILE *file = fopen(path, "re");
    size_t n = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
    if (file != NULL)
        fclose(file);
    if (n == sizeof bytes && memcmp(bytes, begin, n) == 0)
        return ARC_OK;
    return arc_error_set(err, ARC_USAGE,
                         "error: '%.400s' is there already and is no page, so it is not written "
                         "over; give another file",
                         path);
}

static bool report_is_printed(const Report *report)
{
    return report->path != NULL && strcmp(report->path, "-") == 0;
}

/* What a result is read from, beside its file: own equations. */
static const char *report_plugin(const ReportItem *item)
{
    return item->result == NULL ? NULL : item->result->model_path;
}

/* path is none of the files that were read. */
static ArcStatus report_check_input(const Report *report, const char *path, ArcError *err)
{
    ArcStatus status = ARC_OK;
    for (int i = 0; i < report->n && status == ARC_OK; i++) {
        status = arc_output_check_input(path, report->items[i].path, err);
        if (status == ARC_OK)
            status = arc_output_check_input(path, report_plugin(&report->items[i]), err);
    }
    return status;
}

static ArcStatus report_choose_page(Report *report, ArcError *err)
{
    const ArcOptions *options = report->options;
    const char *stem;
    int length = report_stem(options->operands[0], &stem);
    if (options->out == NULL && (options->figures != NULL || options->csv != NULL))
        return ARC_OK;
    if (options->out != NULL)
        report->path = strdup(options->out);
    else if (report->n > 1)
        report->path = strdup("report.html");
    else if (asprintf(&report->path, "%.*s.html", length, stem) < 0)
        report->path = NULL;
    if (report->path == NULL)
        return report_no_memory(err);
    if (report_is_printed(report))
        return ARC_OK;
    ArcStatus status = arc_output_check_path(report->path, err);
    if (status == ARC_OK)
        status = report_check_input(report, report->path, err);
    return status == ARC_OK ? report_check_place(report->path, err) : status;
}

/* folder is one, or can be made. */
static ArcStatus report_check_folder(const char *folder, const char *name, ArcError *err)
{
    struct stat info;
    if (folder == NULL)
        return ARC_OK;
    if (folder[0] == '\0')
        return arc_error_set(err, ARC_USAGE, "error: %s wants a folder, whose name is empty", name);
    if (stat(folder, &info) != 0 || S_ISDIR(info.st_mode))
        return ARC_OK;
    return arc_error_set(err, ARC_SYSTEM, "error: cannot write into '%.400s': it is no folder",
                         folder);
}

static ArcStatus report_check(Report *report, ArcError *err)
{
    const ArcOptions *options = report->options;
    if (options->format >= 0 && options->figures == NULL)
        return arc_error_set(err, ARC_USAGE, "error: --format is that of --figures; give a folder");
    ArcStatus status = report_check_folder(options->figures, "--figures", err);
    if (status == ARC_OK)
        status = report_check_folder(options->csv, "--csv", err);
    return status == ARC_OK ? report_choose_page(report, err) : status;
}

/* STEM of item i, or STEM-2 where one before it has the same. */
static char *report_folder(const Report *report, int i)
{
    const char *stem, *other;
    int length = report_stem(report->items[i].path, &stem), before = 1;
    char *folder = NULL;
    if (report->n == 1)
        return strdup("");
    for (int k = 0; k < i; k++)
        before += report_stem(report->items[k].path, &other) == length &&
                          strncmp(stem, other, (size_t)length) == 0
                      ? 1
                      : 0;
    int size = before == 1 ? asprintf(&folder, "%.*s", length, stem)
                           : asprintf(&folder, "%.*s-%d", length, stem, before);
    return size < 0 ? NULL : folder;
}

static ArcStatus report_compare(Report *report, ReportSet *set, ArcError *err)
{
    int n = 0;
    const ArcResult **results = calloc((size_t)report->n, sizeof *results);
    if (results == NULL)
        return report_no_memory(err);
    for (int i = 0; i < report->n; i++)
        if (report->items[i].result != NULL)
            results[n++] = report->items[i].result;
    ArcStatus status = n < 2 ? ARC_OK : arc_figures_of_results(n, results, &set->figures, err);
    free(results);
    return status;
}

static ArcStatus report_make_sets(Report *report, ArcError *err)
{
    int first = report->n > 1 ? 1 : 0;
    ArcStatus status = ARC_OK;
    report->sets = calloc((size_t)report->n + 1, sizeof *report->sets);
    if (report->sets == NULL)
        return report_no_memory(err);
    report->n_sets = report->n + first;
    if (first == 1)
        status = report_compare(report, &report->sets[0], err);
    for (int i = 0; i < report->n && status == ARC_OK; i++) {
        const ReportItem *item = &report->items[i];
        ReportSet *set = &report->sets[first + i];
        set->folder = report_folder(report, i);
        if (set->folder == NULL)
            return report_no_memory(err);
        status = item->aim != NULL
                     ? arc_figures_of_aim(item->aim, &set->figures, err)
                     : arc_figures_of_result(item->result, item->experiment, &set->figures, err);
    }
    return status;
}

static ArcStatus report_make_page(Report *report, ArcError *err)
{
    const ArcPageSettings settings = {.units = (ArcUnits)report->options->units, .library = NULL};
    ArcPageItem *items = calloc((size_t)report->n, sizeof *items);
    if (items == NULL)
        return report_no_memory(err);
    for (int i = 0; i < report->n; i++) {
        const ReportItem *item = &report->items[i];
        items[i] = (ArcPageItem){item->path, item->result, item->experiment, item->aim};
    }
    ArcStatus status = arc_page_text(report->n, items, &settings, &report->page, err);
    free(items);
    return status;
}

/* All that is to be written, in memory. */
static ArcStatus report_make(Report *report, ArcError *err)
{
    const ArcOptions *options = report->options;
    ArcStatus status = ARC_OK;
    if (options->figures != NULL || options->csv != NULL)
        status = report_make_sets(report, err);
    if (status == ARC_OK && report->path != NULL)
        status = report_make_page(report, err);
    return status;
}

/* None of the files that figures are written to is one that was read. */
static ArcStatus report_check_files(const Report *report, const ReportSet *set, const char *folder,
                                    const char *const *endings, ArcError *err)
{
    for (int k = 0; set->figures != NULL && k < set->figures->n; k++) {
        for (int e = 0; endings[e] != NULL; e++) {
            char *path = NULL;
            if (asprintf(&path, "%s/%s.%s", folder, set->figures->figures[k].name, endings[e]) < 0)
                return report_no_memory(err);
            ArcStatus status = report_check_input(report, path, err);
            free(path);
            if (status != ARC_OK)
                return status;
        }
    }
    return ARC_OK;
}

/* What is done with a set of figures, and the folder that belongs to it. */
typedef ArcStatus (*ReportDo)(const Report *report, const ReportSet *set, const char *folder,
                              ArcError *err);

static ArcStatus report_check_figures(const Report *report, const ReportSet *set,
                                      const char *folder, ArcError *err)
{
    const char *const endings[] = {
        "gp", "dat",
        arc_picture_format_name(report->options->format < 0 ? 0 : report->options->format), NULL};
    return report_check_files(report, set, folder, endings, err);
}

static ArcStatus report_check_csv(const Report *report, const ReportSet *set, const char *folder,
                                  ArcError *err)
{
    static const char *const endings[] = {"csv", NULL};
    return report_check_files(report, set, folder, endings, err);
}

static ArcStatus report_write_figures(const Report *report, const ReportSet *set,
                                      const char *folder, ArcError *err)
{
    const ArcOptions *options = report->options;
    ArcPictureFormat format =
        options->format < 0 ? ARC_PICTURE_SVG : (ArcPictureFormat)options->format;
    return arc_figures_write_gnuplot(set->figures, folder, format, (ArcUnits)options->units, err);
}

static ArcStatus report_write_csv(const Report *report, const ReportSet *set, const char *folder,
                                  ArcError *err)
{
    (void)report;
    return arc_figures_write_csv(set->figures, folder, err);
}

static ArcStatus report_each(const Report *report, const char *root, ReportDo act, ArcError *err)
{
    ArcStatus status = ARC_OK;
    for (int i = 0; root != NULL && i < report->n_sets && status == ARC_OK; i++) {
        const ReportSet *set = &report->sets[i];
        char *folder = NULL;
        if (set->figures == NULL || set->figures->n == 0)
            continue;
        bool is_within = set->folder != NULL && set->folder[0] != '\0';
        if (asprintf(&folder, "%s%s%s", root, is_within ? "/" : "", is_within ? set->folder : "") <
            0)
            return report_no_memory(err);
        status = act(report, set, folder, err);
        free(folder);
    }
    return status;
}

/* The folder that others are made in. */
static ArcStatus report_make_folder(const char *folder, ArcError *err)
{
    if (folder == NULL || mkdir(folder, 0777) == 0 || errno == EEXIST)
        return ARC_OK;
    return arc_error_set(err, ARC_SYSTEM, "error: cannot make the folder '%.400s': %s", folder,
                         strerror(errno));
}

static ArcStatus report_write(const Report *report, ArcError *err)
{
    const ArcOptions *options = report->options;
    ArcStatus status = report_each(report, options->figures, report_check_figures, err);
    if (status == ARC_OK)
        status = report_each(report, options->csv, report_check_csv, err);
    if (status == ARC_OK && report->path != NULL && !report_is_printed(report))
        status = arc_text_save(report->page, report->path, err);
    if (status == ARC_OK)
        status = report_make_folder(options->csv, err);
    if (status == ARC_OK)
        status = report_each(report, options->csv, report_write_csv, err);
    if (status == ARC_OK)
        status = report_make_folder(options->figures, err);
    return status == ARC_OK ? report_each(report, options->figures, report_write_figures, err)
                            : status;
}

/* What was written, and what could not be drawn. */
static void report_tell(const Report *report)
{
    const ArcOptions *options = report->options;
    int n = 0;
    for (int i = 0; i < report->n_sets; i++) {
        const ArcFigures *figures = report->sets[i].figures;
        n += figures == NULL ? 0 : figures->n;
        for (int k = 0; figures != NULL && k < figures->n_notes; k++)
            fprintf(stderr, "note: %s\n", figures->notes[k]);
    }
    if (options->quiet || report_is_printed(report))
        return;
    if (report->path != NULL)
        printf("%-15s %s\n", "page", report->path);
    if (options->figures != NULL)
        printf("%-15s %d in %s\n", "figures", n, options->figures);
    if (options->csv != NULL)
        printf("%-15s %d in %s\n", "CSV", n, options->csv);
}

/* 1 where a fit failed or an aim does not reach, of which a line is said. */
static int report_judge(const Report *report)
{
    int code = 0;
    for (int i = 0; i < report->n; i++) {
        const ReportItem *item = &report->items[i];
        int one = item->aim == NULL         ? arc_result_exit_code(item->result)
                  : item->aim->is_reachable ? 0
                                            : arc_status_exit_code(ARC_NUMERIC);
        if (one != 0)
            arc_output_warning((ArcPlace){item->path, 1, 1}, "%s",
                               item->aim != NULL ? "the target cannot be hit"
                                                 : "a fit did not converge, or a free parameter is "
                                                   "unidentified");
        code = one > code ? one : code;
    }
    return code;
}

static void report_free(Report *report)
{
    for (int i = 0; report->items != NULL && i < report->n; i++) {
        arc_aim_free(report->items[i].aim);
        arc_experiment_free(report->items[i].experiment);
        arc_result_free(report->items[i].result);
    }
    for (int i = 0; i < report->n_sets; i++) {
        arc_figures_free(report->sets[i].figures);
        free(report->sets[i].folder);
    }
    arc_text_free(report->page);
    free(report->items);
    free(report->sets);
    free(report->path);
}

int arc_command_report(const ArcOptions *options)
{
    ArcError err;
    Report report = {.options = options};
    arc_output_catch_interrupt(true);
    int code = report_read(&report);
    ArcStatus status = code == 0 ? report_check(&report, &err) : ARC_OK;
    if (code == 0 && status == ARC_OK)
        status = report_make(&report, &err);
    if (arc_output_end_interrupt() && code == 0 && status == ARC_OK)
        status = arc_error_set(&err, ARC_INTERRUPTED, "error: interrupted; nothing was written");
    if (code == 0 && status == ARC_OK)
        status = report_write(&report, &err);
    /* Ctrl-C ends gnuplot, too. */
    if (status == ARC_SYSTEM && arc_output_is_interrupted())
        status =
            arc_error_set(&err, ARC_INTERRUPTED, "error: interrupted; not all figures were drawn");
    if (code == 0 && status == ARC_OK && report_is_printed(&report)) {
        code = arc_output_text(ARC_OK, report.page, &err);
        report.page = NULL;
    }
    if (status != ARC_OK)
        code = arc_output_error(&err);
    else if (code == 0) {
        report_tell(&report);
        code = report_judge(&report);
    }
    report_free(&report);
    return code;
}
