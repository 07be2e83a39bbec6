/* See flown.h. */
#include "figure/flown.h"

#include "report/section.h"

#include <math.h>

static int n_flights(const ArcFit *fit)
{
    return fit->n_flights > 0 ? fit->n_flights : 1;
}

static const ArcFit *flight_of(const ArcFit *fit, int i)
{
    return fit->n_flights > 0 ? &fit->flights[i] : fit;
}

ArcMakerAxes arc_flown_axes(const ArcMaker *maker, const ArcResult *result)
{
    ArcMaker first = *maker;
    first.result = result;
    first.fit = flight_of(arc_section_fit(result), 0);
    return arc_maker_axes(&first);
}

bool arc_flown_has_path(const ArcFit *fit)
{
    const ArcFit *first = flight_of(fit, 0);
    return first->position_m != NULL && first->n_trajectory > 0 && first->states == NULL;
}

void arc_flown_add(ArcMaker *maker, const ArcFit *fit, const int axes[3], ArcSeries look)
{
    int n_axes = axes[2] < 0 ? 2 : 3;
    size_t room = 0, n = 0;
    for (int f = 0; f < n_flights(fit); f++)
        room += (size_t)flight_of(fit, f)->n_trajectory + 1;
    double *columns = ARC_ALLOC(maker->arena, (size_t)n_axes * room, double);
    if (columns == NULL)
        return;
    for (int f = 0; f < n_flights(fit); f++) {
        const ArcFit *flight = flight_of(fit, f);
        for (int i = 0; i < flight->n_trajectory; i++, n++)
            for (int k = 0; k < n_axes; k++)
                columns[(size_t)k * room + n] =
                    flight->position_m[i * flight->dimensions + axes[k]];
        if (f + 1 == n_flights(fit))
            break;
        for (int k = 0; k < n_axes; k++)
            columns[(size_t)k * room + n] = NAN;
        n++;
    }
    look.mark = ARC_MARK_LINE;
    look.n = (int)n;
    look.x = columns;
    look.y = columns + room;
    look.z = n_axes == 3 ? columns + 2 * room : NULL;
    arc_maker_series(maker, &look);
}
