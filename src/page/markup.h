/* What stands in the page's HTML and JSON: texts of users, made harmless; numbers, in all units.
 *
 * A number is written once for each of the units where they differ, and the page shows one of them:
 * there is one way to write a number, and the page needs no script for it.
 */
#ifndef ARC_PAGE_MARKUP_H
#define ARC_PAGE_MARKUP_H

#include "arcfit/figure.h"
#include "base/text.h"

/* text between tags, or in an attribute's double quotes. Control characters but tab and line break,
 * and those that turn the direction of what follows, are shown. */
void arc_markup_text(ArcText *page, const char *text);

/* The same, with a direction of its own. */
void arc_markup_name(ArcText *page, const char *name);

/* A JSON string with its quotes; no part of it ends a script. */
void arc_markup_json(ArcText *page, const char *text);

/* For an id: what is not a letter, a digit, '-' or '_' becomes ".", its byte in hexadecimal. */
void arc_markup_id(ArcText *page, const char *name);

/* A JSON number of as few digits as it needs, at most nine; null where it is not finite. */
void arc_markup_number(ArcText *page, double value);

/* A unit as it is read behind its number, with the space between: "m/s²"; nothing of a plain one.
 */
void arc_markup_unit(ArcText *page, const char *unit);

/* Writes a piece of HTML about what, with numbers in units. */
typedef void (*ArcMarkupWrite)(ArcText *page, const void *what, ArcUnits units);

/* The piece in all units, once where these agree. Exhaustion is the page's. */
void arc_markup_in_units(ArcText *page, ArcMarkupWrite write, const void *what);

/* value ± sd and unit; and "low to high", all of SI unit. */
void arc_markup_value(ArcText *page, double value, double sd, const char *si_unit);
void arc_markup_interval(ArcText *page, const double interval[2], double sd, const char *si_unit);

/* value to the digits of that sd, or to four; and value ± sd with angles in degrees in all units,
 * as people say them. */
void arc_markup_rounded(ArcText *page, double value, double sd, const char *si_unit);
void arc_markup_said(ArcText *page, double value, double sd, const char *si_unit);

/* A sentence of ours: text with "/s^2" as it is read. */
void arc_markup_sentence(ArcText *page, const char *text);

#endif
