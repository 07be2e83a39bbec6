/* What gnuplot is told of a figure: a script, and its data. */
#ifndef ARC_FIGURE_GNUPLOT_SCRIPT_H
#define ARC_FIGURE_GNUPLOT_SCRIPT_H

#include "arcfit/figure.h"
#include "base/text.h"

/* The files of a figure, without a folder; the script runs where they lie. */
typedef struct ArcGnuplotFiles {
    const char *script, *data, *picture;
    ArcPictureFormat format;
    ArcUnits units;
} ArcGnuplotFiles;

/* A block of rows a series (index i of gnuplot), in shown units, a comment with its columns above;
 * where NaN parts a line, a blank line does.
 *   line, points   x y [z]
 *   band           x low high
 *   intervals      x y low high
 *   bars           x y width
 *   cells          x y x_low x_high y_low y_high z */
void arc_gnuplot_data(ArcText *text, const ArcFigure *figure, ArcUnits units);

/* Texts of users stand in single quotes, in which gnuplot runs nothing, on one line. */
void arc_gnuplot_script(ArcText *text, const ArcFigure *figure, const ArcGnuplotFiles *files);

/* words in single quotes: quotes doubled, control characters and what is no UTF-8 replaced; after
 * `most` characters three dots. */
void arc_gnuplot_quote(ArcText *text, const char *words, int most);

#endif
