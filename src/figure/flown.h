/* Flights of a fit as lines, one or several in one series. */
#ifndef ARC_FIGURE_FLOWN_H
#define ARC_FIGURE_FLOWN_H

#include "figure/maker.h"

/* Axes as arc_maker_axes has them, by the first flight of result's fit. */
ArcMakerAxes arc_flown_axes(const ArcMaker *maker, const ArcResult *result);

/* Whether fit has a path in space or in the plane: not own equations. */
bool arc_flown_has_path(const ArcFit *fit);

/* All flights of fit by axes a, b (and c; -1: none), parted by NaN, with role and name of look. */
void arc_flown_add(ArcMaker *maker, const ArcFit *fit, const int axes[3], ArcSeries look);

#endif
