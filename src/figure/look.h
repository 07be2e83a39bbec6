/* What a role looks like: colours that colour-blind people tell apart (Okabe and Ito 2008), dashes
 * and symbols that differ where colours are lost. */
#ifndef ARC_FIGURE_LOOK_H
#define ARC_FIGURE_LOOK_H

#include "arcfit/figure.h"

typedef struct ArcLook {
    const char *colour; /* "#D55E00" */
    int dash;           /* of gnuplot: 1 solid, 2 dashes, 3 dots, ... */
    int symbol;         /* of gnuplot: 7 a disc, 6 a ring, ... */
    char letter;        /* of a picture of characters */
    int terminal;       /* colour of the 256 of a terminal */
} ArcLook;

/* Of series i of a figure; ARC_ROLE_OTHER takes the next look of those that come one after the
 * other, a band that of the series which comes over it. */
ArcLook arc_series_look(const ArcFigure *figure, int i);

#endif
