/* Headers of the tables of an arm: a name in lower case, and the unit behind it.
 *
 * "theta1_deg", "Theta1 (deg)" and "theta1 [deg]" are theta1 in degrees. Units: m cm mm, rad deg,
 * rad_s deg_s (rad/s, deg/s), s ms us, kg g, kg_m2, n_m, n_m_s.
 */
#ifndef ARC_CAPTURE_HEADINGS_H
#define ARC_CAPTURE_HEADINGS_H

#include "io/delimited.h"

enum { ARC_HEADING_BYTES = 64 };

typedef enum ArcHeadingKind {
    ARC_HEADING_NONE, /* no unit */
    ARC_HEADING_LENGTH,
    ARC_HEADING_ANGLE,
    ARC_HEADING_RATE,
    ARC_HEADING_TIME,
    ARC_HEADING_MASS,
    ARC_HEADING_INERTIA,
    ARC_HEADING_TORQUE,
    ARC_HEADING_DAMPING
} ArcHeadingKind;

typedef struct ArcHeading {
    char name[ARC_HEADING_BYTES]; /* empty: too long for any that is known */
    ArcHeadingKind kind;
    double scale; /* SI value of 1 */
} ArcHeading;

ArcHeading arc_heading_parse(const ArcCell *cell);

/* A name that ends in a number from 1 to 9: "theta3" of stem "theta" gives 3; 0: another name. */
int arc_heading_number(const char *name, const char *stem);

/* ARC_INPUT at the cell where its unit is of another kind than the name's, with one that would do.
 */
ArcStatus arc_heading_check(const ArcTable *table, const ArcCell *cell, const ArcHeading *heading,
                            ArcHeadingKind kind, ArcError *err);

/* The cell's number in SI; NaN: missing. ARC_INPUT as arc_sheet_number. */
ArcStatus arc_heading_number_of(const ArcTable *table, const ArcCell *cell, double scale,
                                double *value, ArcError *err);

#endif
