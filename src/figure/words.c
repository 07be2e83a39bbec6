/* What a figure shows, in words. */
#include "arcfit/figure.h"
#include "base/text.h"

ArcStatus arc_figure_words(const ArcFigure *figure, ArcUnits units, char **text, ArcError *err)
{
    ArcText words = {0};
    ArcShownUnit x = arc_units_shown(units, figure->x.unit);
    arc_text_append(&words, "%s, %s.", figure->x.label, x.unit);
    for (int i = 0; i < figure->n_series; i++)
        arc_text_append(&words, " %s: %d points.",
                        figure->series[i].name == NULL ? "" : figure->series[i].name,
                        figure->series[i].n);
    return arc_text_finish(&words, text, err);
}
