/* A number that is written to the unit u in the last digit is off by u / sqrt(12) (sd), if by
 * nothing else. */
#include "capture/sheet.h"

#include "base/number.h"
#include "capture/points.h"
#include "capture/reading.h"

#include <math.h>
#include <string.h>

/* Positions of more digits, and times with a finer last one, are as good as exact beside any
 * camera: a ball at 10 m/s moves by 1 mm in 0.1 ms. */
enum { COARSE_DIGITS = 5, FRAME_DIGITS = 9 };

ArcStatus arc_sheet_part(const ArcSource *source, ArcPart *part, ArcError *err)
{
    ArcDecoded decoded = source->decoded;
    if (decoded.text == NULL) {
        ArcStatus status = arc_encoding_decode(source->file, source->bytes, source->size,
                                               source->scratch, &decoded, err);
        if (status != ARC_OK)
            return status;
    }
    *part = (ArcPart){source->file, decoded.text, decoded.size, 1,
                      arc_encoding_counts_characters(decoded.encoding)};
    return ARC_OK;
}

int arc_sheet_peek(const ArcSource *source, int most, ArcLine **lines)
{
    ArcPart part = {source->file, source->decoded.text, 0, 1, false};
    int n = 0;
    if (part.text == NULL)
        return 0;
    bool is_blank = true;
    while (part.size < source->decoded.size && n < most) {
        char c = part.text[part.size++];
        bool is_end = c == '\n' || c == '\r';
        n += is_end && !is_blank;
        is_blank = is_end || (is_blank && (c == ' ' || c == '\t'));
    }
    if (arc_lines_cut(&part, source->scratch, lines, &n, NULL) != ARC_OK)
        return 0;
    return n < most ? n : most;
}

ArcDelimiter arc_sheet_delimiter(const ArcLine *header)
{
    static const char *const candidates[] = {"\t", ";", ",", "|"};
    ArcDelimiter found = {" ", true};
    int most = 0;
    for (size_t k = 0; k < sizeof candidates / sizeof candidates[0]; k++) {
        bool is_quoted = false;
        int n = 0;
        for (int i = 0; i < header->length; i++) {
            is_quoted = is_quoted != (header->start[i] == '"');
            n += !is_quoted && header->start[i] == candidates[k][0];
        }
        if (n > most) {
            most = n;
            found = (ArcDelimiter){candidates[k], false};
        }
    }
    return found;
}

int arc_sheet_cells(const ArcSource *source, const ArcLine *line, ArcDelimiter delimiter,
                    ArcCell **cells)
{
    ArcCursor cursor = {.file = source->file, .line = *line, .delimiter = delimiter};
    int n;
    return arc_cursor_cells(cursor, source->scratch, cells, &n, NULL) == ARC_OK ? n : 0;
}

ArcStatus arc_sheet_read(const ArcSource *source, int n_titles, ArcTable *table, ArcError *err)
{
    ArcLine *lines;
    ArcDelimited request = {.header_line = ARC_HEADER_FOUND};
    ArcStatus status = arc_sheet_part(source, &request.part, err);
    if (status != ARC_OK)
        return status;
    if (arc_sheet_peek(source, n_titles, &lines) == n_titles) {
        request.delimiter = arc_sheet_delimiter(&lines[n_titles - 1]);
        request.header_line = lines[n_titles - 1].number;
    }
    status = arc_delimited_read_text(&request, source->scratch, table, err);
    if (status == ARC_OK)
        status = arc_sheet_check_header(table, err);
    return status == ARC_OK ? arc_sheet_check_rows(table, err) : status;
}

ArcStatus arc_sheet_check_header(const ArcTable *table, ArcError *err)
{
    if (table->header != NULL)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, (ArcPlace){table->file, 1, 1},
                            "no header: the names of the columns are missing above the rows, "
                            "which tell what each is");
}

ArcStatus arc_sheet_check_rows(const ArcTable *table, ArcError *err)
{
    if (table->n_rows > 0)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, table->header),
                            "no rows with numbers below the header; at least two points are "
                            "needed");
}

int arc_sheet_column(int n, const ArcCell *cells, const char *name)
{
    for (int i = 0; i < n; i++) {
        if (arc_cell_is_like(&cells[i], name))
            return i;
    }
    return -1;
}

double arc_sheet_length_unit(const ArcCell *cell)
{
    char name[32];
    if (cell->length >= (int)sizeof name)
        return NAN;
    memcpy(name, cell->text, (size_t)cell->length);
    name[cell->length] = '\0';
    return arc_reading_length_unit(name);
}

const ArcCell *arc_sheet_cell(const ArcTable *table, int row, int column)
{
    return &table->cells[(size_t)row * (size_t)table->n_columns + (size_t)column];
}

ArcStatus arc_sheet_number(const ArcTable *table, const ArcCell *cell, double *value, ArcError *err)
{
    double number = NAN;
    ArcStatus status = arc_delimited_number(table, cell, &number, err);
    if (status != ARC_OK)
        return status;
    if (fabs(number) > ARC_POINTS_MOST)
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, cell),
                                "'%.*s' is out of range: beyond %g; check the value",
                                arc_delimited_shown(cell->text, cell->length), cell->text,
                                ARC_POINTS_MOST);
    *value = number;
    return ARC_OK;
}

ArcStatus arc_sheet_frame(const ArcTable *table, const ArcCell *cell, double *frame, ArcError *err)
{
    double number = NAN;
    ArcStatus status = arc_sheet_number(table, cell, &number, err);
    if (status != ARC_OK)
        return status;
    if (number < 0.0 || (!isnan(number) && number != floor(number)))
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, cell),
                                "'%.*s' is no number of a frame; they are whole and count from 0",
                                arc_delimited_shown(cell->text, cell->length), cell->text);
    *frame = number;
    return ARC_OK;
}

ArcStatus arc_sheet_picture(const ArcTable *table, const ArcCell *cell, double *frame,
                            ArcError *err)
{
    int end = cell->length;
    double number;
    if (cell->length == 0 || arc_number_read(cell->text, (size_t)cell->length, &number))
        return arc_sheet_frame(table, cell, frame, err);
    while (end > 0 && (cell->text[end - 1] < '0' || cell->text[end - 1] > '9'))
        end--;
    int start = end;
    while (start > 0 && cell->text[start - 1] >= '0' && cell->text[start - 1] <= '9')
        start--;
    bool has_ending = end < cell->length && cell->text[end] == '.';
    if (end == start || end - start > FRAME_DIGITS || !has_ending)
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, cell),
                                "'%.*s' is neither a frame nor a picture with a number, as "
                                "0004.jpg",
                                arc_delimited_shown(cell->text, cell->length), cell->text);
    arc_number_read(cell->text + start, (size_t)(end - start), frame);
    return ARC_OK;
}

ArcStatus arc_sheet_point(const ArcTable *table, int row, int n, const int *columns, double *values,
                          ArcError *err)
{
    ArcStatus status = ARC_OK;
    int n_missing = 0, missing = 0;
    double point[3] = {NAN, NAN, NAN};
    for (int k = 0; k < n && status == ARC_OK; k++) {
        status = arc_sheet_number(table, arc_sheet_cell(table, row, columns[k]), &point[k], err);
        if (status == ARC_OK && isnan(point[k]) && n_missing++ == 0)
            missing = columns[k];
    }
    if (status != ARC_OK)
        return status;
    const ArcCell *cell = arc_sheet_cell(table, row, missing);
    if (n_missing > 0 && n_missing < n)
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, cell),
                                "a point that lacks one of its coordinates; this format has all "
                                "of them or none, so that the row must be damaged");
    memcpy(values, point, (size_t)n * sizeof *values);
    return ARC_OK;
}

static int most_of(int a, int b)
{
    return a > b ? a : b;
}

void arc_rounding_see(ArcRounding *rounding, const ArcCell *cell)
{
    ArcCellForm form, *most = &rounding->most;
    if (!arc_cell_form(cell, &form))
        return;
    if (!rounding->has_any)
        most->exponent = form.exponent;
    rounding->has_any = true;
    most->decimals = most_of(most->decimals, form.decimals);
    most->exponent = most_of(most->exponent, form.exponent);
    most->digits = most_of(most->digits, form.digits);
}

/* The unit of the last digit, of the largest number where they have exponents; NaN: no number. */
static double rounding_unit(const ArcRounding *rounding)
{
    return rounding->has_any ? pow(10.0, rounding->most.exponent - rounding->most.decimals) : NAN;
}

void arc_rounding_note(ArcRecorder *recorder, const ArcRounding *time, const ArcRounding *position)
{
    double unit = rounding_unit(position);
    recorder->time_digit = rounding_unit(time);
    if (!isnan(unit) && position->most.digits <= COARSE_DIGITS)
        arc_recorder_note(recorder,
                          "positions are rounded: their last digit is %g, which alone is a "
                          "standard deviation of %.2g; export more digits where they matter",
                          unit, unit / sqrt(12.0));
}
