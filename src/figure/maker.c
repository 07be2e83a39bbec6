/* See maker.h. Figures and their series grow by doubling in the arena. */
#include "figure/maker.h"

#include "base/file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Room for one more element of size bytes: the list, or a copy of twice the room. */
static void *grown(ArcArena *arena, void *list, int n, int *room, size_t size)
{
    if (n < *room)
        return list;
    int more = *room == 0 ? 16 : 2 * *room;
    void *larger = arc_arena_alloc(arena, (size_t)more, size);
    if (larger == NULL)
        return NULL;
    if (n > 0)
        memcpy(larger, list, (size_t)n * size);
    *room = more;
    return larger;
}

/* "flight-side" of the second flight is "flight-2-side". */
static const char *name_of(const ArcMaker *maker, const char *name)
{
    if (maker->flight == 0)
        return arc_arena_copy_text(maker->arena, name, strlen(name));
    int head = (int)strcspn(name, "-");
    return arc_arena_format(maker->arena, "%.*s-%d%s", head, name, maker->flight, name + head);
}

ArcFigure *arc_maker_figure(ArcMaker *maker, ArcFigureGroup group, const char *name,
                            const char *title)
{
    ArcFigure *figures = grown(maker->arena, maker->figures, maker->n_figures, &maker->room_figures,
                               sizeof *figures);
    const char *full = name_of(maker, name);
    if (figures == NULL || full == NULL)
        return NULL;
    maker->figures = figures;
    maker->series = NULL;
    maker->room_series = 0;
    ArcFigure *figure = &figures[maker->n_figures++];
    const ArcAxis plain = {"", "1", false, 0, NULL};
    *figure = (ArcFigure){.name = full,
                          .group = group,
                          .title = title,
                          .caption = "",
                          .x = plain,
                          .y = plain,
                          .z = plain,
                          .flight = maker->flight};
    return figure;
}

void arc_maker_series(ArcMaker *maker, const ArcSeries *series)
{
    if (maker->n_figures == 0 || series->n == 0)
        return;
    ArcFigure *figure = &maker->figures[maker->n_figures - 1];
    ArcSeries *all =
        grown(maker->arena, maker->series, figure->n_series, &maker->room_series, sizeof *all);
    if (all == NULL)
        return;
    all[figure->n_series++] = *series;
    maker->series = all;
    figure->series = all;
}

/* As long as it is: texts of users may be long, and are not cut within a letter. */
static char *format_words(ArcMaker *maker, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *words = length < 0 ? NULL : arc_arena_alloc(maker->arena, (size_t)length + 1, 1);
    if (words != NULL)
        vsnprintf(words, (size_t)length + 1, format, again);
    va_end(again);
    return words;
}

const char *arc_maker_words(ArcMaker *maker, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *words = format_words(maker, format, arguments);
    va_end(arguments);
    return words == NULL ? "" : words;
}

void arc_maker_note(ArcMaker *maker, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *note = format_words(maker, format, arguments);
    va_end(arguments);
    const char **notes =
        grown(maker->arena, maker->notes, maker->n_notes, &maker->room_notes, sizeof *notes);
    if (notes == NULL || note == NULL)
        return;
    maker->notes = notes;
    notes[maker->n_notes++] = note;
}

const double *arc_maker_column(ArcMaker *maker, const double *first, int n, int step)
{
    double *column = ARC_ALLOC(maker->arena, (size_t)n, double);
    for (int i = 0; column != NULL && i < n; i++)
        column[i] = first[(size_t)i * (size_t)step];
    return column;
}

/* How far the flight of the fit that counts goes along an axis; 0 where there is none. */
static double travel(const ArcMaker *maker, int axis)
{
    const ArcFit *fit = maker->fit;
    if (fit == NULL || fit->position_m == NULL || fit->n_trajectory == 0 || fit->states != NULL)
        return 0.0;
    int d = fit->dimensions;
    return fabs(fit->position_m[(fit->n_trajectory - 1) * d + axis] - fit->position_m[axis]);
}

ArcMakerAxes arc_maker_axes(const ArcMaker *maker)
{
    const char *up = arc_result_setting(maker->result, "flight.up");
    int d = maker->result->capture->dimensions, at = up == NULL ? -1 : up[0] - 'x';
    ArcMakerAxes axes = {.up = at < 0 || at >= d ? d - 1 : at};
    axes.forward = axes.up == 0 ? 1 : 0;
    axes.sideways = d < 3 ? -1 : 3 - axes.up - axes.forward;
    if (d == 3 && travel(maker, axes.sideways) > travel(maker, axes.forward)) {
        axes.forward = axes.sideways;
        axes.sideways = 3 - axes.up - axes.forward;
    }
    return axes;
}

const char *arc_maker_axis_label(const ArcMaker *maker, int axis)
{
    const ArcMakerAxes axes = arc_maker_axes(maker);
    return axis == axes.up ? "height" : axis == axes.forward ? "forward" : "sideways";
}

const char *arc_maker_point_label(ArcMaker *maker, int point)
{
    const ArcCapture *capture = maker->result->capture;
    int camera = capture->n_cameras > 0 ? capture->camera[point] : -1;
    const char *file = capture->file;
    if (camera >= 0 && capture->camera_files != NULL && capture->camera_files[camera] != NULL)
        file = capture->camera_files[camera];
    file = arc_file_name(file != NULL ? file : "");
    int line = capture->line != NULL ? capture->line[point] : 0;
    return line > 0 ? arc_arena_format(maker->arena, "%s:%d", file, line)
                    : arc_arena_format(maker->arena, "%s, point %d", file, point + 1);
}

const char *arc_maker_unit(ArcMaker *maker, const char *unit)
{
    const char *words = strcmp(unit, "1") == 0 ? "" : arc_arena_format(maker->arena, " %s", unit);
    return words == NULL ? "" : words;
}

const char *arc_maker_method_name(ArcMethod method)
{
    return method == ARC_PINN ? "PINN" : "direct";
}

ArcRole arc_maker_method_role(ArcMethod method)
{
    return method == ARC_PINN ? ARC_ROLE_PINN : ARC_ROLE_DIRECT;
}
