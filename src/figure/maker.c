/* See maker.h. Figures and their series grow by doubling in the arena. */
#include "figure/maker.h"

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

void arc_maker_note(ArcMaker *maker, const char *format, ...)
{
    char words[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    const char **notes =
        grown(maker->arena, maker->notes, maker->n_notes, &maker->room_notes, sizeof *notes);
    const char *note = arc_arena_copy_text(maker->arena, words, strlen(words));
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

const char *arc_maker_axis_label(const ArcMaker *maker, int axis)
{
    static const char *const names[] = {"x", "y", "z"};
    const char *up = arc_result_setting(maker->result, "flight.up");
    int d = maker->result->capture->dimensions;
    int height = up == NULL ? d - 1 : up[0] - 'x';
    if (axis == height)
        return "height";
    return axis == 0 ? "forward" : axis == 1 && d == 3 && height == 2 ? "sideways" : names[axis];
}

const char *arc_maker_method_name(ArcMethod method)
{
    return method == ARC_PINN ? "PINN" : "direct";
}

ArcRole arc_maker_method_role(ArcMethod method)
{
    return method == ARC_PINN ? ARC_ROLE_PINN : ARC_ROLE_DIRECT;
}
