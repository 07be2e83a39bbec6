/* Cells, numbers and paragraphs of the text reports, 80 columns wide.
 *
 * Widths are counted in characters, not bytes, since the plus-minus sign and names are UTF-8.
 */
#ifndef ARC_REPORT_TABLE_H
#define ARC_REPORT_TABLE_H

#include "arcfit/fit.h"
#include "base/text.h"

enum { ARC_TABLE_WIDTH = 80, ARC_TABLE_NUMBER = 64 };

/* Characters of UTF-8 text. */
int arc_table_length(const char *text);

/* text filled up with blanks to width (0: as long as it is) and one blank behind it; longer text
 * keeps its end, with "..." for what is left out. */
void arc_table_cell(ArcText *table, int width, const char *text);

/* The same for the last cell of a line: a line break in place of blanks, also of those before an
 * empty cell. */
void arc_table_last(ArcText *table, int width, const char *text);

/* A name as the first cell of a row; one longer than width stands in a line of its own. */
void arc_table_name(ArcText *table, int width, const char *name);

/* "name" in a first column of 15, then text, wrapped at 80 columns with the same indent. */
void arc_table_entry(ArcText *table, const char *name, const char *text);

/* The same of a line that was put together, which is empty then. */
void arc_table_entry_of(ArcText *table, const char *name, ArcText *line);

/* value with the decimals that two digits of sd need; six digits where sd is 0 or NaN. */
const char *arc_table_number(char buffer[ARC_TABLE_NUMBER], double value, double sd);

/* "value ± sd" ("value" where sd is 0, "value ± ?" where NaN), both times factor. */
const char *arc_table_value(char buffer[ARC_TABLE_NUMBER], double value, double sd, double factor);

/* value with so many significant digits, "none" where NaN. */
const char *arc_table_plain(char buffer[ARC_TABLE_NUMBER], double value, int digits);

/* The unit that people read beside this one (deg for rad, rev/s for rad/s) and the factor to it;
 * NULL where there is none. */
const char *arc_table_other_unit(const char *unit, double *factor);

/* The unit as it fits its column: "kg m²" for kg m^2. */
const char *arc_table_unit(const char *unit);

/* The other unit for the joints of an arm, whose rates are read in deg/s. */
const char *arc_table_joint_unit(const char *unit, double *factor);

/* The heading of a table of parameters, which begins with name and ends with last, and a row of it:
 * one estimate per fit, unit, last, with a second row where the unit has another. */
void arc_table_heading(ArcText *table, int n_fits, const ArcFit *const *fits, const char *name,
                       const char *last);
void arc_table_estimate(ArcText *table, int n_fits, const ArcEstimate *const *estimates,
                        const char *last, bool is_joint);

/* The short word on a parameter of every fit; the reasons stand elsewhere. */
const char *arc_table_status(int n_fits, const ArcEstimate *const *estimates);

/* Heading and rows of name, one estimate per fit, unit, status for parameters (derived numbers
 * where is_derived), with a second row where a unit has another. */
void arc_table_estimates(ArcText *table, int n_fits, const ArcFit *const *fits, bool is_derived);

/* Names of the parameters in group, ", " between, into table. */
void arc_table_group(ArcText *table, const ArcFit *fit, int group);

#endif
