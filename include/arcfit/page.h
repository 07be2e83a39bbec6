/* A page: one HTML file, which needs nothing else, that shows results and aims.
 *
 * It opens from a disk without a network, is drawn by Plotly.js, whose text is put into it, and
 * switches units itself. What comes from experiments and captures is text in it, never markup.
 */
#ifndef ARCFIT_PAGE_H
#define ARCFIT_PAGE_H

#include "arcfit/figure.h"

#pragma GCC visibility push(default)

/* A result or an aim, and where it was read. */
typedef struct ArcPageItem {
    const char *path;
    const ArcResult *result;         /* NULL: an aim */
    const ArcExperiment *experiment; /* of the result; NULL: it shows no bands */
    const ArcAim *aim;               /* NULL: a result */
} ArcPageItem;

typedef struct ArcPageSettings {
    ArcUnits units;      /* shown first */
    const char *library; /* file of Plotly.js; NULL: ARCFIT_PLOTLY of the environment, else the one
                          * that was installed with arcfit, else that of its build */
} ArcPageSettings;

/* The page's text; one item: all of it; several: a comparison, and each of them below. Caller frees
 * with arc_text_free. ARC_SYSTEM: no library (the message says where it was looked for and what to
 * do). ARC_MEMORY. */
ArcStatus arc_page_text(int n, const ArcPageItem *items, const ArcPageSettings *settings,
                        char **text, ArcError *err);

#pragma GCC visibility pop

#endif
