/* The page's parts, in the order in which they stand. */
#ifndef ARC_PAGE_PARTS_H
#define ARC_PAGE_PARTS_H

#include "arcfit/page.h"
#include "base/text.h"

/* One item, with its figures. */
typedef struct ArcPagePart {
    const ArcPageItem *item; /* NULL: the comparison of several */
    const ArcFigures *figures;
    int index;         /* of several items, from 1; 0: the only one, or the comparison */
    int level;         /* of its sections' headings */
    int title;         /* level of its own heading */
    ArcText *contents; /* links to its sections, as these are written */
} ArcPagePart;

/* What opens and closes a section: a heading with an id, behind that of the item. */
void arc_page_section(ArcText *page, const ArcPagePart *part, const char *id, const char *title);
void arc_page_end_section(ArcText *page);

/* "result-2-" in front of ids and names of the second of several items; nothing of a single one. */
void arc_page_prefix(ArcText *page, const ArcPagePart *part);

/* The same, behind its number where it is one of several. */
void arc_page_title(ArcText *page, const ArcPagePart *part);

/* What opens a table, up to its headings: a region that scrolls, named apart from those of other
 * items. */
void arc_page_begin_table(ArcText *page, const ArcPagePart *part, const char *caption);

/* Results that are compared, and their numbers among the items. */
typedef struct ArcPageCompared {
    int n;
    const ArcResult **results;
    int *numbers;
} ArcPageCompared;

/* Which of them explains the points, in one line onto page; the ranking as a section. */
ArcStatus arc_page_ranking(ArcText *page, ArcText *sections, const ArcPagePart *part,
                           const ArcPageCompared *compared, ArcError *err);

/* What was found and how well, in one line that a coach understands. */
void arc_page_headline(ArcText *page, const ArcPagePart *part);
void arc_page_aim_headline(ArcText *page, const ArcAim *aim);

/* The few numbers that everybody asks for. */
void arc_page_facts(ArcText *page, const ArcPagePart *part);

/* Tables: parameters, derived numbers, flights; how the fits ended and what they leave; points
 * that lie off. */
void arc_page_parameters(ArcText *page, const ArcPagePart *part);
void arc_page_residuals(ArcText *page, const ArcPagePart *part);
void arc_page_outliers(ArcText *page, const ArcPagePart *part);
void arc_page_throws(ArcText *page, const ArcPagePart *part);

/* The figures of a group with their words, a section; notes on what cannot be drawn. What is drawn
 * in them comes from arc_page_data. */
void arc_page_figures(ArcText *page, const ArcPagePart *part, ArcFigureGroup group);
void arc_page_notes(ArcText *page, const ArcPagePart *part);

/* The figures' numbers: objects of a JSON array, each behind a comma but the first (*n_written). */
void arc_page_data(ArcText *page, const ArcPagePart *part, int *n_written);

/* The units of n parts' axes: {"m": [["m", 1, 0], ["m", 1, 0], ["ft", 3.28, 0]]}. */
void arc_page_units(ArcText *page, int n, const ArcPagePart *parts);

/* How it was made, and how to make it again. */
void arc_page_origin(ArcText *page, const ArcPagePart *part);
void arc_page_licence(ArcText *page);

/* The text of Plotly.js of this file (NULL: looked for), fit for a script. ARC_SYSTEM: none. */
ArcStatus arc_page_library(const char *given, ArcText *page, ArcError *err);

#endif
