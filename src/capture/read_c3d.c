/* C3D: marker positions of motion-capture systems (c3d.org, user guide).
 *
 * Blocks of 512 bytes. Header: first parameter block, 0x50; words: points, analog numbers a frame,
 * first frame, last frame, gap; float scale; word data block. Parameters: groups (id < 0) and their
 * members (id > 0), each with the way to the next. Frames: per point x, y, z and a word of camera
 * mask and residual, in floats where POINT:SCALE is negative, else in 16-bit numbers times the
 * scale; then the analog numbers, in the same width. Byte orders: Intel; DEC, whose floats have
 * their words swapped and stand for four times the value; SGI, most significant byte first.
 *
 * A point is missing where its residual is below zero, or a coordinate is NaN; both are in use.
 */
#include "capture/reading.h"

#include "capture/points.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    BLOCK = 512,
    KEY = 0x50,
    INTEL = 84,
    DEC = 85,
    SGI = 86,
    TYPE_TEXT = -1,
    TYPE_WORD = 2,
    TYPE_FLOAT = 4,
    MAX_DIMENSIONS = 7,
    NAME_BYTES = 128,
    MAX_POINTS = 10000,
    SHORT_FRAMES = 65535 /* the most that a word counts */
};

/* A parameter's data inside the file. */
typedef struct Parameter {
    int type;
    int n_dimensions;
    unsigned char dimensions[MAX_DIMENSIONS];
    size_t n; /* numbers or characters */
    const unsigned char *data;
} Parameter;

typedef struct C3d {
    const ArcSource *source;
    const unsigned char *bytes;
    size_t size;
    int processor;
    size_t parameters, parameters_end; /* offsets of the first group and behind the last */
    size_t n_points, n_analog;
    double scale;
    size_t data;
    long first_frame, n_frames;
} C3d;

static size_t parameter_start(const ArcSource *source)
{
    unsigned block = (unsigned char)source->bytes[0];
    return block < 1 ? 0 : (size_t)(block - 1) * BLOCK;
}

int arc_c3d_detect(const ArcSource *source)
{
    if (source->size < BLOCK || (unsigned char)source->bytes[1] != KEY ||
        (unsigned char)source->bytes[0] < 2)
        return 0;
    size_t start = parameter_start(source);
    unsigned processor = start + 4 <= source->size ? (unsigned char)source->bytes[start + 3] : 0;
    return processor >= INTEL && processor <= SGI ? ARC_SURE : ARC_PERHAPS;
}

static ArcStatus refuse(const C3d *c3d, const char *what, ArcError *err)
{
    return arc_error_set_at(err, ARC_INPUT, arc_reading_start(c3d->source), "damaged C3D file: %s",
                            what);
}

static unsigned word_at(const C3d *c3d, const unsigned char *at)
{
    return c3d->processor == SGI ? (unsigned)at[0] << 8 | at[1] : (unsigned)at[1] << 8 | at[0];
}

static double float_at(const C3d *c3d, const unsigned char *at)
{
    static const unsigned char order[3][4] = {{3, 2, 1, 0}, {1, 0, 3, 2}, {0, 1, 2, 3}};
    const unsigned char *most = order[c3d->processor - INTEL];
    uint32_t bits = 0;
    float value;
    for (int i = 0; i < 4; i++)
        bits = bits << 8 | at[most[i]];
    memcpy(&value, &bits, sizeof value);
    return c3d->processor == DEC ? (double)value / 4.0 : (double)value;
}

/* Upper case, as far as there is room. */
static bool name_is(const unsigned char *name, size_t length, const char *wanted)
{
    if (strlen(wanted) != length)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (toupper(name[i]) != wanted[i])
            return false;
    }
    return true;
}

/* A parameter's type and dimensions from at, which must end before end. */
static bool parameter_read(const C3d *c3d, size_t at, size_t end, Parameter *parameter)
{
    if (at + 2 > end)
        return false;
    *parameter = (Parameter){
        .type = (signed char)c3d->bytes[at], .n_dimensions = c3d->bytes[at + 1], .n = 1};
    int type = parameter->type;
    if (parameter->n_dimensions > MAX_DIMENSIONS || at + 2 + (size_t)parameter->n_dimensions > end)
        return false;
    for (int i = 0; i < parameter->n_dimensions; i++) {
        parameter->dimensions[i] = c3d->bytes[at + 2 + (size_t)i];
        parameter->n *= parameter->dimensions[i];
        if (parameter->n > c3d->size)
            return false;
    }
    size_t width = type == TYPE_WORD ? 2 : type == TYPE_FLOAT ? 4 : 1;
    size_t data = at + 2 + (size_t)parameter->n_dimensions;
    parameter->data = c3d->bytes + data;
    return (type == TYPE_TEXT || type == 1 || type == TYPE_WORD || type == TYPE_FLOAT) &&
           parameter->n * width <= end - data;
}

/* Walks through groups and members: 0 where the list ends; else the offset behind the name, id and
 * name of the entry, and *next the offset of the one behind it. */
static size_t entry_next(const C3d *c3d, size_t at, int *id, const unsigned char **name,
                         size_t *length, size_t *next)
{
    if (at + 4 > c3d->parameters_end)
        return 0;
    int signed_length = (signed char)c3d->bytes[at];
    *length = (size_t)(signed_length < 0 ? -signed_length : signed_length);
    *id = (signed char)c3d->bytes[at + 1];
    size_t behind = at + 2 + *length;
    if (*length == 0 || behind + 2 > c3d->parameters_end)
        return 0;
    *name = c3d->bytes + at + 2;
    unsigned way = word_at(c3d, c3d->bytes + behind);
    *next = way == 0 ? c3d->parameters_end : behind + way;
    return behind + 2;
}

/* The parameter GROUP:NAME; false where it is missing or damaged. */
static bool parameter_find(const C3d *c3d, const char *group, const char *wanted,
                           Parameter *parameter)
{
    const unsigned char *name;
    size_t length, next, body;
    int id, group_id = 0;
    for (size_t at = c3d->parameters;
         (body = entry_next(c3d, at, &id, &name, &length, &next)) > 0 && next > at; at = next) {
        if (id < 0 && name_is(name, length, group))
            group_id = -id;
    }
    for (size_t at = c3d->parameters;
         group_id > 0 && (body = entry_next(c3d, at, &id, &name, &length, &next)) > 0 && next > at;
         at = next) {
        if (id == group_id && name_is(name, length, wanted))
            return parameter_read(c3d, body, c3d->parameters_end, parameter);
    }
    return false;
}

/* Number i of a parameter; words as unsigned, as frames are counted. */
static double parameter_number(const C3d *c3d, const Parameter *parameter, size_t i)
{
    if (i >= parameter->n || parameter->type == TYPE_TEXT)
        return NAN;
    if (parameter->type == TYPE_FLOAT)
        return float_at(c3d, parameter->data + 4 * i);
    return parameter->type == TYPE_WORD ? word_at(c3d, parameter->data + 2 * i)
                                        : parameter->data[i];
}

static double number_or(const C3d *c3d, const char *group, const char *name, double fallback)
{
    Parameter parameter;
    double value =
        parameter_find(c3d, group, name, &parameter) ? parameter_number(c3d, &parameter, 0) : NAN;
    return isnan(value) ? fallback : value;
}

/* Line i of a text parameter without blanks behind it; false where there is none. */
static bool parameter_text(const Parameter *parameter, size_t i, char text[NAME_BYTES])
{
    size_t width = parameter->n_dimensions > 0 ? parameter->dimensions[0] : parameter->n;
    if (parameter->type != TYPE_TEXT || width == 0 || (i + 1) * width > parameter->n)
        return false;
    size_t length = width < NAME_BYTES ? width : NAME_BYTES - 1;
    memcpy(text, parameter->data + i * width, length);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\0'))
        length--;
    text[length] = '\0';
    return length > 0;
}

/* First and last frame: words in the header, which end at 65535; then the parameters tell. */
static void frames_find(C3d *c3d)
{
    const unsigned char *head = c3d->bytes;
    long first = (long)word_at(c3d, head + 6), last = (long)word_at(c3d, head + 8);
    Parameter start, end;
    if (parameter_find(c3d, "TRIAL", "ACTUAL_START_FIELD", &start) &&
        parameter_find(c3d, "TRIAL", "ACTUAL_END_FIELD", &end) && start.type == TYPE_WORD &&
        end.type == TYPE_WORD && start.n == 2 && end.n == 2) {
        first =
            (long)(parameter_number(c3d, &start, 0) + 65536.0 * parameter_number(c3d, &start, 1));
        last = (long)(parameter_number(c3d, &end, 0) + 65536.0 * parameter_number(c3d, &end, 1));
    }
    double n = (double)last - (double)first + 1.0;
    if (last >= SHORT_FRAMES && n <= SHORT_FRAMES) {
        double more = number_or(c3d, "POINT", "LONG_FRAMES", NAN);
        more = isnan(more) ? number_or(c3d, "POINT", "FRAMES", NAN) : more;
        n = more > n ? more : n;
    }
    c3d->first_frame = first;
    c3d->n_frames = n >= 0.0 && n < 1e9 ? (long)n : -1;
}

static ArcStatus head_read(C3d *c3d, ArcError *err)
{
    size_t start = parameter_start(c3d->source);
    if (c3d->size < BLOCK || c3d->bytes[1] != KEY)
        return refuse(c3d, "it has no C3D header", err);
    if (start < BLOCK || start + BLOCK > c3d->size)
        return refuse(c3d, "its parameters lie behind its end; it is cut short", err);
    c3d->processor = c3d->bytes[start + 3];
    if (c3d->processor < INTEL || c3d->processor > SGI)
        return refuse(c3d, "its byte order is not known (84 Intel, 85 DEC, 86 SGI)", err);
    size_t blocks = c3d->bytes[start + 2];
    c3d->parameters = start + 4;
    c3d->parameters_end = start + blocks * BLOCK;
    if (blocks == 0 || c3d->parameters_end > c3d->size)
        c3d->parameters_end = c3d->size;
    c3d->n_points = word_at(c3d, c3d->bytes + 2);
    c3d->n_analog = word_at(c3d, c3d->bytes + 4);
    c3d->scale = float_at(c3d, c3d->bytes + 12);
    c3d->scale = number_or(c3d, "POINT", "SCALE", c3d->scale);
    double block = number_or(c3d, "POINT", "DATA_START", word_at(c3d, c3d->bytes + 16));
    if (!(block >= 2.0 && block <= SHORT_FRAMES))
        return refuse(c3d, "it does not tell where its points begin", err);
    c3d->data = ((size_t)block - 1) * BLOCK;
    frames_find(c3d);
    if (!isfinite(c3d->scale) || c3d->scale == 0.0)
        return refuse(c3d, "its scale is zero or no number", err);
    return ARC_OK;
}

/* All frames must be there: a count that the file cannot hold is damage. */
static ArcStatus frames_check(const C3d *c3d, ArcError *err)
{
    size_t width = c3d->scale < 0.0 ? 4 : 2;
    size_t frame = (4 * c3d->n_points + c3d->n_analog) * width;
    if (c3d->n_points == 0)
        return refuse(c3d, "it holds no points (analog data alone)", err);
    if (c3d->n_points > MAX_POINTS)
        return refuse(c3d, "it tells of more than 10,000 points", err);
    if (c3d->n_frames < 1)
        return refuse(c3d, "its last frame comes before its first", err);
    size_t room = c3d->data < c3d->size ? (c3d->size - c3d->data) / frame : 0;
    if (room < (size_t)c3d->n_frames)
        return arc_error_set_at(err, ARC_INPUT, arc_reading_start(c3d->source),
                                "damaged C3D file: it tells of %ld frames of %zu points and holds "
                                "%zu; it is cut short",
                                c3d->n_frames, c3d->n_points, room);
    return ARC_OK;
}

/* A track for point n; a label that another point has, or none, gets the point's number. */
static int label_track(ArcRecorder *recorder, const char *label, size_t n)
{
    char numbered[NAME_BYTES + 24];
    int before = recorder->n_tracks;
    if (label[0] != '\0') {
        int track = arc_recorder_track(recorder, label, strlen(label));
        if (track == before)
            return track;
    }
    snprintf(numbered, sizeof numbered, "%s%spoint %zu", label, label[0] == '\0' ? "" : ", ",
             n + 1);
    return arc_recorder_track(recorder, numbered, strlen(numbered));
}

/* Labels stand in POINT:LABELS, LABELS2, ... by 255 a list. */
static void labels_read(const C3d *c3d, ArcRecorder *recorder, int *tracks)
{
    size_t n = 0;
    for (int list = 1; n < c3d->n_points; list++) {
        char name[24] = "LABELS", label[NAME_BYTES];
        Parameter parameter;
        if (list > 1)
            snprintf(name, sizeof name, "LABELS%d", list);
        if (!parameter_find(c3d, "POINT", name, &parameter) || parameter.n_dimensions < 1)
            break;
        size_t lines = parameter.n_dimensions > 1 ? parameter.dimensions[1] : 1;
        for (size_t i = 0; i < lines && n < c3d->n_points; i++, n++) {
            if (!parameter_text(&parameter, i, label))
                label[0] = '\0';
            tracks[n] = label_track(recorder, label, n);
        }
        if (lines == 0)
            break;
    }
    for (; n < c3d->n_points; n++)
        tracks[n] = label_track(recorder, "", n);
}

/* Missing points leave no sample. */
static void point_read(const C3d *c3d, const unsigned char *at, ArcRecorder *recorder, int track,
                       long frame)
{
    double position[3];
    bool is_missing;
    if (c3d->scale < 0.0) {
        for (size_t k = 0; k < 3; k++)
            position[k] = float_at(c3d, at + 4 * k);
        is_missing = !(float_at(c3d, at + 12) >= 0.0);
    } else {
        for (size_t k = 0; k < 3; k++)
            position[k] = (double)(int16_t)word_at(c3d, at + 2 * k) * c3d->scale;
        is_missing = (int16_t)word_at(c3d, at + 6) < 0;
    }
    if (is_missing || isnan(position[0]) || isnan(position[1]) || isnan(position[2]))
        return;
    ArcSample *sample = arc_recorder_add(recorder, track, (int)frame + 1, 1);
    sample->frame = (double)frame;
    for (size_t k = 0; k < 3; k++)
        sample->position_m[k] = position[k];
}

static ArcStatus points_read(const C3d *c3d, ArcRecorder *recorder, ArcError *err)
{
    int *tracks = ARC_ALLOC(c3d->source->scratch, c3d->n_points, int);
    size_t width = c3d->scale < 0.0 ? 4 : 2;
    size_t frame = (4 * c3d->n_points + c3d->n_analog) * width;
    if (tracks == NULL)
        return arc_error_no_memory(err);
    labels_read(c3d, recorder, tracks);
    for (long i = 0; i < c3d->n_frames; i++) {
        const unsigned char *at = c3d->bytes + c3d->data + (size_t)i * frame;
        for (size_t p = 0; p < c3d->n_points; p++)
            point_read(c3d, at + 4 * width * p, recorder, tracks[p], c3d->first_frame - 1 + i);
    }
    return ARC_OK;
}

static void units_read(const C3d *c3d, ArcRecorder *recorder)
{
    Parameter parameter;
    char text[NAME_BYTES];
    double rate = number_or(c3d, "POINT", "RATE", float_at(c3d, c3d->bytes + 20));
    if (rate > 0.0 && isfinite(rate))
        recorder->rate_per_s = rate;
    if (parameter_find(c3d, "POINT", "UNITS", &parameter) && parameter_text(&parameter, 0, text)) {
        recorder->position_unit_m = arc_reading_length_unit(text);
        if (isnan(recorder->position_unit_m))
            arc_recorder_note(recorder, "unknown unit of length '%.40s'", text);
    }
}

ArcStatus arc_c3d_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    C3d c3d = {
        .source = source, .bytes = (const unsigned char *)source->bytes, .size = source->size};
    ArcStatus status = head_read(&c3d, err);
    if (status == ARC_OK)
        status = frames_check(&c3d, err);
    if (status != ARC_OK)
        return status;
    recorder->axes = 3;
    units_read(&c3d, recorder);
    status = points_read(&c3d, recorder, err);
    if (status == ARC_OK && recorder->n_samples == 0 && !recorder->failed)
        status = refuse(&c3d, "none of its points was seen in any frame", err);
    return status;
}
