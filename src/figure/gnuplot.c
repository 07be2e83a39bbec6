/* Figures drawn by gnuplot, with what it was told beside them. */
#include "arcfit/figure.h"

const char *arc_picture_format_name(int index)
{
    static const char *const names[] = {"svg", "pdf", "png"};
    return index >= 0 && index < 3 ? names[index] : NULL;
}
ArcStatus arc_figures_write_gnuplot(const ArcFigures *figures, const char *folder,
                                    ArcPictureFormat format, ArcUnits units, ArcError *err)
{
    (void)figures;
    (void)folder;
    (void)format;
    (void)units;
    return arc_error_set(err, ARC_SYSTEM, "error: not yet");
}
