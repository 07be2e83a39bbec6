/* Figures as CSV. */
#include "arcfit/figure.h"
ArcStatus arc_figures_write_csv(const ArcFigures *figures, const char *folder, ArcError *err)
{
    (void)figures;
    (void)folder;
    return arc_error_set(err, ARC_SYSTEM, "error: not yet");
}
