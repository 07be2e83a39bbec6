/* Rows of a table as runs of own equations (channels.h). */
#include "capture/channels.h"

#include "capture/channel_columns.h"
#include "capture/files.h"
#include "capture/points.h"
#include "capture/sheet.h"
#include "io/gzip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ArcStatus arc_channels_keep(int n, const ArcParameterInfo *channels, ArcCapture *capture,
                            ArcError *err)
{
    ArcParameterInfo *kept = ARC_ALLOC(capture->arena, (size_t)n, ArcParameterInfo);
    if (kept == NULL)
        return arc_error_no_memory(err);
    for (int c = 0; c < n; c++) {
        const char *doc = channels[c].doc == NULL ? "" : channels[c].doc;
        kept[c] = channels[c];
        kept[c].name =
            arc_arena_copy_text(capture->arena, channels[c].name, strlen(channels[c].name));
        kept[c].unit =
            arc_arena_copy_text(capture->arena, channels[c].unit, strlen(channels[c].unit));
        kept[c].doc = arc_arena_copy_text(capture->arena, doc, strlen(doc));
        if (kept[c].name == NULL || kept[c].unit == NULL || kept[c].doc == NULL)
            return arc_error_no_memory(err);
    }
    capture->n_channels = n;
    capture->channels = kept;
    return ARC_OK;
}

/* A file while it is read. */
typedef struct Sheet {
    const ArcCaptureSettings *settings;
    ArcTable table;
    ArcChannelColumns columns;
    int *run;    /* (n_rows) of the row, from 0 */
    int n_runs;  /* in the order of their first rows */
    int *number; /* (n_runs) as the file counts them; -1: it does not */
    double sigma[ARC_EQUATIONS_MAX_CHANNELS]; /* of numbers without their own; NaN: none */
} Sheet;

/* Which run each row is of. */
static ArcStatus runs_find(Sheet *sheet, ArcArena *scratch, ArcError *err)
{
    const ArcTable *table = &sheet->table;
    size_t n = (size_t)table->n_rows;
    int f = 0;
    sheet->run = ARC_ALLOC(scratch, n, int);
    sheet->number = ARC_ALLOC(scratch, n + 1, int);
    if (sheet->run == NULL || sheet->number == NULL)
        return arc_error_no_memory(err);
    for (int row = 0; row < table->n_rows; row++) {
        double number = -1;
        if (sheet->columns.flight >= 0) {
            const ArcCell *cell = arc_sheet_cell(table, row, sheet->columns.flight);
            ArcStatus status = arc_sheet_frame(table, cell, &number, err);
            if (status == ARC_OK && (isnan(number) || number > 1e9))
                status = arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, cell),
                                          "this row does not tell the number of its run; give it "
                                          "in all rows, or leave the column out");
            if (status != ARC_OK)
                return status;
        }
        /* Rows of one run mostly follow each other. */
        if (sheet->n_runs == 0 || sheet->number[f] != (int)number)
            for (f = 0; f < sheet->n_runs && sheet->number[f] != (int)number;)
                f++;
        if (f == sheet->n_runs)
            sheet->number[sheet->n_runs++] = (int)number;
        sheet->run[row] = f;
    }
    return ARC_OK;
}

/* Sigmas of numbers that bring none. Where only a factor is to be found and nothing tells how the
 * sigmas are to each other, they are alike in SI. */
static void sigmas_settle(Sheet *sheet)
{
    const ArcCaptureSettings *settings = sheet->settings;
    int C = settings->equations->n_channels;
    bool has_any = false;
    for (int c = 0; c < C; c++)
        has_any =
            has_any || !isnan(settings->channel_sigma[c]) || sheet->columns.sigma[c].index >= 0;
    for (int c = 0; c < C; c++)
        sheet->sigma[c] = settings->sigma_estimated && !has_any ? ARC_POINTS_UNIT_SIGMA_M
                                                                : settings->channel_sigma[c];
}

static ArcStatus sheet_read(const ArcCaptureSettings *settings, ArcArena *scratch, Sheet *sheet,
                            ArcError *err)
{
    char *bytes = NULL;
    size_t size = 0;
    ArcTable *table = &sheet->table;
    *sheet = (Sheet){.settings = settings};
    ArcStatus status = arc_gzip_read_file(settings->file, arc_points_settings_place(settings),
                                          scratch, &bytes, &size, err);
    if (status == ARC_OK)
        status = arc_delimited_read(settings->file, bytes, size, scratch, table, err);
    if (status == ARC_OK)
        status = arc_sheet_check_header(table, err);
    if (status == ARC_OK)
        status = arc_channel_columns_find(settings, table, scratch, &sheet->columns, err);
    if (status == ARC_OK)
        status = arc_sheet_check_rows(table, err);
    if (status == ARC_OK)
        status = runs_find(sheet, scratch, err);
    if (status == ARC_OK)
        sigmas_settle(sheet);
    return status;
}

/* The number of a cell in its channel's unit. */
static ArcStatus number_read(const Sheet *sheet, int row, const ArcChannelColumn *column,
                             double *value, ArcError *err)
{
    double number = NAN;
    ArcStatus status = arc_sheet_number(
        &sheet->table, arc_sheet_cell(&sheet->table, row, column->index), &number, err);
    if (status == ARC_OK)
        *value = isnan(number) ? NAN : arc_points_scale(number, column->scale);
    return status;
}

static ArcStatus sigma_read(const Sheet *sheet, int row, int c, double *sigma, ArcError *err)
{
    const ArcTable *table = &sheet->table;
    const ArcChannelColumn *column = &sheet->columns.sigma[c];
    *sigma = sheet->sigma[c];
    if (column->index < 0)
        return ARC_OK;
    double own = NAN;
    ArcStatus status = number_read(sheet, row, column, &own, err);
    if (status != ARC_OK || isnan(own))
        return status;
    const ArcCell *cell = arc_sheet_cell(table, row, column->index);
    if (!(own > 0))
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, cell),
                                "the standard deviation '%.*s' is not above zero",
                                arc_delimited_shown(cell->text, cell->length), cell->text);
    *sigma = own;
    return ARC_OK;
}

/* Point i of the run from a row. */
static ArcStatus row_take(const Sheet *sheet, int row, int i, ArcPoints *points, ArcError *err)
{
    const ArcEquations *equations = sheet->settings->equations;
    const ArcTable *table = &sheet->table;
    const ArcCell *time = arc_sheet_cell(table, row, sheet->columns.time.index);
    points->line[i] = time->line;
    ArcStatus status = number_read(sheet, row, &sheet->columns.time, &points->time_s[i], err);
    for (int c = 0; c < points->d && status == ARC_OK; c++) {
        double *value = &points->position_m[i * points->d + c];
        double *sigma = &points->sigma_m[i * points->d + c];
        *value = *sigma = NAN;
        if (sheet->columns.value[c].index < 0)
            continue;
        status = number_read(sheet, row, &sheet->columns.value[c], value, err);
        if (status == ARC_OK)
            status = sigma_read(sheet, row, c, sigma, err);
        if (status == ARC_OK && !isnan(*value) && isnan(*sigma))
            return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(sheet->settings),
                                    "no standard deviation for %s in line %d of '%s'; give one, "
                                    "for example `sigma: {%s: 0.01}`, or a column sigma_%s",
                                    equations->channels[c].name, points->line[i], table->file,
                                    equations->channels[c].name, equations->channels[c].name);
    }
    if (status == ARC_OK && isnan(points->time_s[i]) && arc_points_is_seen(points, i))
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, time),
                                "a row without a time; give one, or empty the row");
    return status;
}

static ArcStatus notes_take(const Sheet *sheet, ArcCapture *capture, ArcError *err)
{
    const ArcCaptureSettings *settings = sheet->settings;
    ArcNotes notes = {.arena = capture->arena};
    int n_seen = 0;
    bool is_equal = true;
    arc_channel_columns_note(settings, &sheet->table, &sheet->columns, &notes);
    for (int c = 0; c < settings->equations->n_channels; c++) {
        n_seen += sheet->columns.value[c].index >= 0;
        is_equal =
            is_equal && isnan(settings->channel_sigma[c]) && sheet->columns.sigma[c].index < 0;
    }
    const char *text = "sigma: estimate takes all channels for equally exact in their SI units; "
                       "give relative ones with `sigma: {NAME: .., factor: estimate}`";
    if (settings->sigma_estimated && is_equal && n_seen > 1)
        arc_notes_add(&notes, sheet->table.file, 1, &text);
    capture->n_notes = notes.n;
    capture->notes = notes.texts;
    return notes.failed ? arc_error_no_memory(err) : ARC_OK;
}

/* All of a run but the arena that it is made in. */
static ArcStatus run_fill(const Sheet *sheet, int f, ArcArena *arena, ArcCapture **capture,
                          ArcError *err)
{
    const ArcCaptureSettings *settings = sheet->settings;
    const ArcEquations *equations = settings->equations;
    ArcPoints points;
    int n = 0;
    for (int row = 0; row < sheet->table.n_rows; row++)
        n += sheet->run[row] == f;
    ArcStatus status = arc_points_create(n, equations->n_channels, 0, arena, &points, err);
    n = 0;
    for (int row = 0; row < sheet->table.n_rows && status == ARC_OK; row++)
        if (sheet->run[row] == f)
            status = row_take(sheet, row, n++, &points, err);
    if (status == ARC_OK)
        status = arc_points_select(settings, &points, err);
    if (status == ARC_OK)
        status = arc_capture_of_points(settings->file, &points, arena, capture, err);
    if (status == ARC_OK)
        status = arc_channels_keep(equations->n_channels, equations->channels, *capture, err);
    if (status == ARC_OK)
        status = notes_take(sheet, *capture, err);
    if (status != ARC_OK)
        return status;
    (*capture)->has_t0 = !isnan(settings->t0_s);
    (*capture)->t0_s = (*capture)->has_t0 ? settings->t0_s : 0.0;
    if (sheet->number[f] >= 0) {
        (*capture)->flight = arc_arena_format(arena, "%d", sheet->number[f]);
        status = (*capture)->flight == NULL ? arc_error_no_memory(err) : ARC_OK;
    }
    return status;
}

static ArcStatus run_make(const Sheet *sheet, int f, ArcCapture **capture, ArcError *err)
{
    ArcCapture *made = NULL;
    ArcArena *arena = arc_arena_create();
    ArcStatus status =
        arena == NULL ? arc_error_no_memory(err) : run_fill(sheet, f, arena, &made, err);
    size_t used = status != ARC_OK && err != NULL ? strlen(err->text) : 0;
    if (status == ARC_INPUT && err != NULL && sheet->n_runs > 1)
        snprintf(err->text + used, sizeof err->text - used, " (flight %d)", sheet->number[f]);
    if (status == ARC_OK)
        *capture = made;
    else
        arc_arena_free(arena);
    return status;
}

static ArcStatus refuse_choice(const Sheet *sheet, ArcError *err)
{
    const ArcCaptureSettings *settings = sheet->settings;
    ArcPlace place = arc_points_settings_place(settings);
    if (sheet->columns.flight < 0)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "flight %d is chosen, but '%s' has no column that counts flights; "
                                "leave `flight` out",
                                settings->flight_number, settings->file);
    return arc_error_set_at(err, ARC_INPUT, place,
                            "'%s' has no flight %d; it has %d of them, the first is %d, the last "
                            "%d",
                            settings->file, settings->flight_number, sheet->n_runs,
                            sheet->number[0], sheet->number[sheet->n_runs - 1]);
}

ArcStatus arc_channels_read(const ArcCaptureSettings *settings, ArcArena *scratch, int *n,
                            ArcCapture ***captures, ArcError *err)
{
    Sheet sheet;
    ArcStatus status = sheet_read(settings, scratch, &sheet, err);
    int made = 0;
    *n = 0;
    if (status != ARC_OK)
        return status;
    ArcCapture **runs = ARC_ALLOC(scratch, (size_t)sheet.n_runs, ArcCapture *);
    if (runs == NULL)
        return arc_error_no_memory(err);
    for (int f = 0; f < sheet.n_runs && status == ARC_OK; f++) {
        if (settings->one_flight && sheet.number[f] != settings->flight_number)
            continue;
        status = run_make(&sheet, f, &runs[made], err);
        made += status == ARC_OK;
    }
    if (status == ARC_OK && made == 0)
        status = refuse_choice(&sheet, err);
    if (status == ARC_OK) {
        *n = made;
        *captures = runs;
        return ARC_OK;
    }
    while (made > 0)
        arc_capture_free(runs[--made]);
    return status;
}
