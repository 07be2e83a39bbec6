/* Which column of a table is what, and in which unit.
 *
 * The settings' `columns` come first; what they leave open is found by the header's names: t or
 * time, x, y, z, sigma, sigma_x, sigma_y, sigma_z in upper or lower case, with the unit behind:
 * x_m, "x (cm)", "X [mm]"; times and lengths in the units of reading.h; frame, u, v, sigma_px,
 * radius, sigma_radius (px), flight and camera. x and y in px are u and v. A name that is the
 * canonical one (time_s, x_m, ...) wins over others for the same thing.
 *
 * The settings' `units` win over the header's. Without either, times are seconds and positions
 * metres; a standard deviation whose column states no unit is in the positions' unit.
 */
#ifndef ARC_CAPTURE_COLUMNS_H
#define ARC_CAPTURE_COLUMNS_H

#include "arcfit/capture.h"
#include "io/delimited.h"

/* Positions and per-axis standard deviations of axis k are at ROLE_X + k, ROLE_SIGMA_X + k. */
typedef enum ArcRole {
    ARC_ROLE_T,
    ARC_ROLE_X,
    ARC_ROLE_Y,
    ARC_ROLE_Z,
    ARC_ROLE_SIGMA,
    ARC_ROLE_SIGMA_X,
    ARC_ROLE_SIGMA_Y,
    ARC_ROLE_SIGMA_Z,
    ARC_ROLE_FRAME,
    ARC_ROLE_U,
    ARC_ROLE_V,
    ARC_ROLE_SIGMA_PX,
    ARC_ROLE_RADIUS,
    ARC_ROLE_SIGMA_RADIUS,
    ARC_ROLE_FLIGHT,
    ARC_ROLE_CAMERA, /* a name, not a number */
    ARC_N_ROLES
} ArcRole;

typedef enum ArcUnitKind {
    ARC_UNIT_NONE,
    ARC_UNIT_TIME,
    ARC_UNIT_LENGTH,
    ARC_UNIT_PIXEL,
    ARC_UNIT_UNKNOWN
} ArcUnitKind;

typedef struct ArcColumns {
    int axes;                     /* of the positions: 0, 2 or 3 */
    int index[ARC_N_ROLES];       /* -1: the file has no such column */
    double scale[ARC_N_ROLES];    /* SI value of 1 in the file */
    bool is_assumed[ARC_N_ROLES]; /* neither the header nor the settings tell the unit */
} ArcColumns;

/* Time or frame (or neither, where the settings give a rate), and the settings' number of axes or
 * pixels are always found; with dimensions 0 as many axes as there are. ARC_INPUT at the column's
 * choice in the experiment where there is one, else at the header: no such column, two columns for
 * one role, a unit that is not known. */
ArcStatus arc_columns_find(const ArcCaptureSettings *settings, const ArcTable *table,
                           ArcColumns *columns, ArcError *err);

/* Whether the header's cell has that name (in lower case) before its unit, and what the unit is;
 * scale is the SI value of 1 where the unit is a time or a length. */
bool arc_columns_is_named(const ArcCell *cell, const char *name);
ArcUnitKind arc_columns_unit_kind(const ArcCell *cell, double *scale);

/* A standard deviation's role; the SI unit of a role's values, for messages. */
bool arc_columns_is_sigma(int role);
const char *arc_columns_unit(int role);

#endif
