/* See look.h. */
#include "figure/look.h"

static const ArcLook roles[ARC_N_ROLES] = {
    [ARC_ROLE_PINN] = {"#D55E00", 1, 7, 'p', 166},
    [ARC_ROLE_DIRECT] = {"#0072B2", 2, 5, 'd', 32},
    [ARC_ROLE_POINTS] = {"#000000", 1, 7, 'o', -1},
    [ARC_ROLE_HELD_OUT] = {"#000000", 4, 6, 'h', -1},
    [ARC_ROLE_OUTLIER] = {"#CC79A7", 1, 2, 'x', 175},
    [ARC_ROLE_RELEASE] = {"#009E73", 1, 13, 'R', 36},
    [ARC_ROLE_APEX] = {"#E69F00", 1, 9, 'A', 178},
    [ARC_ROLE_TARGET] = {"#56B4E9", 1, 5, 'T', 74},
    [ARC_ROLE_EXPECTED] = {"#666666", 3, 4, '-', 244},
    [ARC_ROLE_ARM] = {"#6A4C93", 1, 7, 'a', 97},
};

static const ArcLook others[] = {
    {"#0072B2", 1, 7, '1', 32},   {"#E69F00", 2, 9, '2', 178},  {"#009E73", 4, 5, '3', 36},
    {"#CC79A7", 5, 11, '4', 175}, {"#D55E00", 3, 13, '5', 166}, {"#56B4E9", 1, 6, '6', 74},
    {"#000000", 2, 4, '7', -1},
};

ArcLook arc_series_look(const ArcFigure *figure, int i)
{
    enum { N_OTHERS = sizeof others / sizeof others[0] };
    int before = 0;
    if (figure->series[i].role != ARC_ROLE_OTHER)
        return roles[figure->series[i].role];
    for (int k = 0; k < i; k++) {
        const ArcSeries *series = &figure->series[k];
        before += series->role == ARC_ROLE_OTHER && series->mark != ARC_MARK_BAND ? 1 : 0;
    }
    return others[before % N_OTHERS];
}
