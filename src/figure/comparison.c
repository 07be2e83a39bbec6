/* Several results side by side. */
#include "figure/maker.h"

ArcStatus arc_figures_of_results(int n, const ArcResult *const *results, ArcFigures **figures,
                                 ArcError *err)
{
    ArcMaker maker = {.arena = arc_arena_create(), .result = results[0]};
    (void)n;
    *figures = NULL;
    if (maker.arena == NULL)
        return arc_error_no_memory(err);
    return arc_maker_finish(&maker, ARC_OK, figures, err);
}
