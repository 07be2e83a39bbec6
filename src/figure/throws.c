/* The throws of an aim. */
#include "figure/maker.h"

ArcStatus arc_figures_of_aim(const ArcAim *aim, ArcFigures **figures, ArcError *err)
{
    ArcMaker maker = {.arena = arc_arena_create()};
    (void)aim;
    *figures = NULL;
    if (maker.arena == NULL)
        return arc_error_no_memory(err);
    return arc_maker_finish(&maker, ARC_OK, figures, err);
}
