/* Tracker (Open Source Physics): the text of File > Export > Data File, versions 4 to 6, and of a
 * copied data table.
 *
 *   #multi:                          where there are several tracks
 *   DELIM name DELIM DELIM ...       a name stands above the first column of its track
 *   t DELIM x DELIM y DELIM ...      ends with a delimiter
 *   rows, without one; an empty cell is an unmarked frame
 *
 * The delimiter is any text and stands in the file only so: it is what parts the header. The older
 * form has one line with the name alone, and a header that does not end with a delimiter. Times are
 * seconds in every version; positions are in a unit that the file does not tell; pixelx and pixely
 * are from the upper left corner of the picture, where OpenCV counts from the first pixel's centre,
 * half a pixel further in. Numbers are rounded as the program shows them, unless its user chose
 * full precision. */
#include "capture/columns.h"
#include "capture/recorder.h"
#include "capture/sheet.h"

#include <math.h>
#include <string.h>

enum {
    SURE_MULTI = 95,
    SURE_NEW = 90,
    SURE_OLD = 70, /* by its numbers, too */
    SURE_NAMES = 45,
    PEEKED = 4,
    DELIMITER_BYTES = 16,
    NAME_BYTES = 16
};

static const char advice[] = " (in Tracker: File > Export > Data File with tab as delimiter, or "
                             "with a period as decimal separator)";

/* What the first lines tell. */
typedef struct Layout {
    bool is_multi;
    bool is_new;                  /* the lines of names and columns end with a delimiter */
    ArcLine names, header, first; /* first: the first row; its start is NULL where there is none */
    ArcDelimiter delimiter;
    bool is_exact_blank;
    ArcCell *names_cells; /* (n_names), of the line of names */
    int n_names;
} Layout;

/* One track's columns; -1: none. */
typedef struct Track {
    int x, y, pixel_x, pixel_y, frame;
    int index;      /* in the recorder */
    bool is_wanted; /* not another one than the settings choose */
} Track;

/* The table while its rows are read. */
typedef struct Reading {
    ArcTable table;
    ArcRecorder *recorder;
    int n_tracks;
    Track *tracks;
    ArcRounding time, position; /* the latter of the wanted tracks */
} Reading;

static bool is_name_byte(char c)
{
    return (c >= '0' && c <= '9') || (arc_cell_lower(c) >= 'a' && arc_cell_lower(c) <= 'z') ||
           c == '_' || c == '{' || (unsigned char)c >= 0x80;
}

/* Whether the header line is t and cells that this delimiter parts, the last one empty. */
static bool delimiter_fits(const ArcLine *line, const char *delimiter, int length)
{
    int n = 0, i = 1;
    while (i + length <= line->length && memcmp(line->start + i, delimiter, (size_t)length) == 0) {
        int start = i + length, end = start;
        if (start == line->length)
            return n > 0;
        bool has_name = false;
        while (end + length <= line->length &&
               memcmp(line->start + end, delimiter, (size_t)length) != 0) {
            has_name = has_name || is_name_byte(line->start[end]);
            end++;
        }
        if (!has_name)
            return false;
        n++;
        i = end;
    }
    return false;
}

/* The delimiter of a header that begins with t, as text in the arena; NULL: it is none. */
static bool header_delimiter(const ArcSource *source, Layout *layout)
{
    const ArcLine *line = &layout->header;
    int length = 1, most = line->length - 1 < DELIMITER_BYTES ? line->length - 1 : DELIMITER_BYTES;
    if (line->length < 4 || line->start[0] != 't' || is_name_byte(line->start[1]) ||
        strchr("([\"", line->start[1]) != NULL)
        return false;
    while (length <= most && !delimiter_fits(line, line->start + 1, length))
        length++;
    layout->is_new = length <= most;
    if (!layout->is_new) {
        for (length = 1; length <= most && !is_name_byte(line->start[length]);)
            length++;
        length--;
    }
    bool is_blank = line->start[1] == ' ' || (line->start[1] == '\t' && length > 1);
    const char *text = arc_arena_copy_text(source->scratch, line->start + 1, (size_t)length);
    layout->delimiter = (ArcDelimiter){text, is_blank && !layout->is_new};
    layout->is_exact_blank = is_blank && layout->is_new;
    return text != NULL;
}

static bool layout_find(const ArcSource *source, Layout *layout)
{
    ArcLine *lines;
    int n = arc_sheet_peek(source, PEEKED, &lines), i = 0;
    *layout = (Layout){0};
    if (n > 0 && lines[0].length >= 7 && memcmp(lines[0].start, "#multi:", 7) == 0) {
        layout->is_multi = true;
        i++;
    }
    if (i + 1 >= n)
        return false;
    layout->names = lines[i];
    layout->header = lines[i + 1];
    if (i + 2 < n)
        layout->first = lines[i + 2];
    if (!header_delimiter(source, layout))
        return false;
    layout->n_names =
        arc_sheet_cells(source, &layout->names, layout->delimiter, &layout->names_cells);
    size_t length = strlen(layout->delimiter.text);
    bool begins = (size_t)layout->names.length > length &&
                  memcmp(layout->names.start, layout->delimiter.text, length) == 0;
    /* A spreadsheet leaves out the delimiter at the header's end. */
    layout->is_new = layout->is_new || (begins && !layout->delimiter.merges_blanks);
    return layout->is_new ? begins : !layout->is_multi;
}

/* A column's name without what Tracker writes in some versions only: v_{x} is vx. */
static bool is_plain_column(const ArcCell *cell, const char *name)
{
    char plain[NAME_BYTES];
    int n = 0;
    for (int i = 0; i < cell->length && n < NAME_BYTES - 1; i++) {
        if (strchr("_{}", cell->text[i]) == NULL)
            plain[n++] = cell->text[i];
    }
    plain[n] = '\0';
    return strcmp(plain, name) == 0;
}

/* The same, but x and y may have a unit behind. */
static bool is_column(const ArcCell *cell, const char *name)
{
    return is_plain_column(cell, name) || (strlen(name) == 1 && arc_columns_is_named(cell, name));
}

static bool is_known_column(const ArcCell *cell)
{
    static const char *const names[] = {
        "t",         "x",     "y",        "r", "\xce\xb8r", "thetar",  "vx",     "vy",     "v",
        "\xce\xb8v", "ax",    "ay",       "a", "thetav",    "thetaa",  "theta",  "step",   "frame",
        "px",        "py",    "p",        "L", "K",         "thetap",  "pixelx", "pixely", "m",
        "omega",     "alpha", "\xcf\x89", "n", "\xce\xb8",  "\xce\xb1"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (is_plain_column(cell, names[i]))
            return true;
    }
    return false;
}

/* Whether the first row's numbers are written as 1.245986911E1. */
static bool has_exponents(const ArcLine *line)
{
    for (int i = 1; i + 1 < line->length; i++) {
        char before = line->start[i - 1], behind = line->start[i + 1];
        if (line->start[i] == 'E' && before >= '0' && before <= '9' &&
            (behind == '-' || (behind >= '0' && behind <= '9')))
            return true;
    }
    return false;
}

int arc_tracker_detect(const ArcSource *source)
{
    Layout layout;
    ArcCell *cells;
    if (!layout_find(source, &layout))
        return 0;
    if (layout.is_new)
        return layout.is_multi ? SURE_MULTI : SURE_NEW;
    if (source->settings->n_columns > 0 || arc_line_is_comment(&layout.names) ||
        (!layout.delimiter.merges_blanks && layout.n_names != 1))
        return 0;
    int n = arc_sheet_cells(source, &layout.header, layout.delimiter, &cells);
    for (int i = 0; i < n; i++) {
        if (!is_known_column(&cells[i]))
            return 0;
    }
    if (n < 3 || layout.first.start == NULL)
        return 0;
    return has_exponents(&layout.first) ? SURE_OLD : SURE_NAMES;
}

/* The line of a single track's name, without what stands around it. */
static ArcCell whole_name(const Layout *layout)
{
    const ArcLine *line = &layout->names;
    int start = 0, end = line->length, length = (int)strlen(layout->delimiter.text);
    while (layout->is_new && start + length <= end &&
           memcmp(line->start + start, layout->delimiter.text, (size_t)length) == 0)
        start += length;
    while (layout->is_new && end - length >= start &&
           memcmp(line->start + end - length, layout->delimiter.text, (size_t)length) == 0)
        end -= length;
    while (start < end && strchr(" \t", line->start[start]) != NULL)
        start++;
    while (end > start && strchr(" \t", line->start[end - 1]) != NULL)
        end--;
    return (ArcCell){line->start + start, end - start, line->number, start + 1, false};
}

/* The end of a name in a line whose names may hold the delimiter once: two of them end it. */
static int name_end(const Layout *layout, int start)
{
    const ArcLine *line = &layout->names;
    size_t length = strlen(layout->delimiter.text);
    for (int i = start; (size_t)i + 2 * length <= (size_t)line->length; i++) {
        if (memcmp(line->start + i, layout->delimiter.text, length) == 0 &&
            memcmp(line->start + (size_t)i + length, layout->delimiter.text, length) == 0)
            return i;
    }
    return line->length;
}

/* The name above each column where blanks part the cells and stand in names as well: as many
 * delimiters follow a name as its track has columns. */
static void names_between_blanks(const Layout *layout, int n_columns, ArcCell *above)
{
    int length = (int)strlen(layout->delimiter.text), column = 1;
    for (int i = length, next; i < layout->names.length; i = next) {
        int end = name_end(layout, i);
        ArcCell name = {layout->names.start + i, end - i, layout->names.number, i + 1, false};
        for (next = end;
             next + length <= layout->names.length &&
             memcmp(layout->names.start + next, layout->delimiter.text, (size_t)length) == 0;
             next += length) {
            if (column < n_columns)
                above[column++] = name;
        }
        next = next > i ? next : i + 1;
    }
    for (; column > 1 && column < n_columns; column++)
        above[column] = above[column - 1];
}

/* The name above each column, "" where there is none. */
static void names_place(const Layout *layout, int n_columns, ArcCell *above)
{
    ArcCell name = {"", 0, 0, 0, false}, whole = whole_name(layout);
    for (int i = 0; i < n_columns; i++) {
        if (i < layout->n_names && layout->names_cells[i].length > 0)
            name = layout->names_cells[i];
        above[i] = layout->is_multi ? name : whole;
    }
    if (layout->is_multi && layout->is_exact_blank)
        names_between_blanks(layout, n_columns, above);
}

static void column_take(const ArcCell *cell, int column, Track *track)
{
    int *const places[] = {&track->x, &track->y, &track->pixel_x, &track->pixel_y, &track->frame};
    static const char *const names[] = {"x", "y", "pixelx", "pixely", "frame"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (*places[k] < 0 && is_column(cell, names[k]))
            *places[k] = column;
    }
}

static bool track_has_positions(const Track *track)
{
    return track->x >= 0 && track->y >= 0;
}

static bool track_has_pixels(const Track *track)
{
    return track->pixel_x >= 0 && track->pixel_y >= 0;
}

/* Every track with its columns, from the arena. */
static ArcStatus tracks_find(const ArcSource *source, const Layout *layout, Reading *reading,
                             ArcError *err)
{
    const ArcTable *table = &reading->table;
    ArcRecorder *recorder = reading->recorder;
    int n = 0;
    Track *found = ARC_ALLOC(source->scratch, (size_t)table->n_columns, Track);
    ArcCell *above = ARC_ALLOC(source->scratch, (size_t)table->n_columns, ArcCell);
    if (found == NULL || above == NULL)
        return arc_error_no_memory(err);
    names_place(layout, table->n_columns, above);
    for (int i = 1; i < table->n_columns; i++) {
        if (n == 0 || above[i].text != above[i - 1].text) {
            int index = arc_recorder_new_track(recorder, above[i].text, (size_t)above[i].length);
            const char *wanted = source->settings->track;
            bool is_wanted = wanted == NULL || arc_cell_is(&above[i], wanted);
            found[n++] = (Track){-1, -1, -1, -1, -1, index, is_wanted};
        }
        column_take(&table->header[i], i, &found[n - 1]);
    }
    int n_useful = 0;
    for (int i = 0; i < n; i++) {
        n_useful += track_has_positions(&found[i]) || track_has_pixels(&found[i]);
        recorder->axes = track_has_positions(&found[i]) ? 2 : recorder->axes;
    }
    reading->tracks = found;
    reading->n_tracks = n;
    if (n_useful > 0)
        return ARC_OK;
    return arc_error_set_at(
        err, ARC_INPUT, arc_delimited_place(table, table->header),
        "no track has both x and y (or pixelx and pixely); choose these columns "
        "in Tracker's export, since a flight is found from positions alone");
}

static ArcStatus sample_read(Reading *reading, int row, const Track *track, double time_s,
                             ArcError *err)
{
    const ArcTable *table = &reading->table;
    double position[2] = {NAN, NAN}, pixel[2] = {NAN, NAN}, frame = NAN;
    ArcStatus status = ARC_OK;
    int place = track_has_positions(track) ? track->x : track->pixel_x;
    if (track_has_positions(track))
        status = arc_sheet_point(table, row, 2, (int[]){track->x, track->y}, position, err);
    if (status == ARC_OK && track_has_pixels(track))
        status =
            arc_sheet_point(table, row, 2, (int[]){track->pixel_x, track->pixel_y}, pixel, err);
    if (status == ARC_OK && track->frame >= 0)
        status = arc_sheet_frame(table, arc_sheet_cell(table, row, track->frame), &frame, err);
    if (status != ARC_OK || place < 0 || (isnan(position[0]) && isnan(pixel[0])))
        return status;
    const ArcCell *cell = arc_sheet_cell(table, row, place), *time = arc_sheet_cell(table, row, 0);
    if (isnan(time_s))
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, time),
                                "a point without a time; give one or empty its position");
    ArcSample *sample = arc_recorder_add(reading->recorder, track->index, cell->line, cell->column);
    sample->time_s = time_s;
    sample->frame = frame;
    for (int k = 0; k < 2; k++) {
        sample->position_m[k] = position[k];
        sample->pixel_px[k] = pixel[k] - 0.5;
    }
    if (track_has_positions(track) && track->is_wanted) {
        arc_rounding_see(&reading->position, cell);
        arc_rounding_see(&reading->position, arc_sheet_cell(table, row, track->y));
    }
    return ARC_OK;
}

static ArcStatus rows_read(Reading *reading, ArcError *err)
{
    const ArcTable *table = &reading->table;
    ArcStatus status = ARC_OK;
    for (int row = 0; row < table->n_rows && status == ARC_OK; row++) {
        const ArcCell *time = arc_sheet_cell(table, row, 0);
        double time_s = NAN;
        status = arc_sheet_number(table, time, &time_s, err);
        arc_rounding_see(&reading->time, time);
        for (int i = 0; i < reading->n_tracks && status == ARC_OK; i++)
            status = sample_read(reading, row, &reading->tracks[i], time_s, err);
    }
    if (status == ARC_OK)
        arc_rounding_note(reading->recorder, &reading->time, &reading->position);
    return status;
}

/* The unit of x's column, which some tables show. */
static void unit_take(const ArcTable *table, const Track *track, ArcRecorder *recorder)
{
    double scale;
    if (track_has_positions(track) &&
        arc_columns_unit_kind(&table->header[track->x], &scale) == ARC_UNIT_LENGTH)
        recorder->position_unit_m = scale;
}

ArcStatus arc_tracker_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    Layout layout;
    Reading reading = {.recorder = recorder};
    ArcDelimited request = {.advice = advice};
    ArcStatus status = arc_sheet_part(source, &request.part, err);
    if (status != ARC_OK)
        return status;
    if (!layout_find(source, &layout))
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){source->file, 1, 1},
                                "no data of Tracker: a line of names and below it one of columns "
                                "that begins with t are needed; export them by File > Export > "
                                "Data File");
    request.delimiter = layout.delimiter;
    request.header_line = layout.header.number;
    status = arc_delimited_read_text(&request, source->scratch, &reading.table, err);
    if (status == ARC_OK)
        status = arc_sheet_check_rows(&reading.table, err);
    if (status == ARC_OK)
        status = tracks_find(source, &layout, &reading, err);
    if (status != ARC_OK)
        return status;
    recorder->time_unit_s = 1.0;
    for (int i = 0; i < reading.n_tracks; i++)
        unit_take(&reading.table, &reading.tracks[i], recorder);
    return rows_read(&reading, err);
}
