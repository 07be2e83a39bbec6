/* What was measured of the arm, into captures of its throws. */
#ifndef ARC_CAPTURE_ARMS_H
#define ARC_CAPTURE_ARMS_H

#include "arcfit/capture.h"

/* Gives each of the n captures, which settings brought, its rows of the tables that settings name.
 * has_rows: whether any row was of any of these flights, of the swing and of the readings.
 * ARC_INPUT with the table's file:line:column, or at the settings' place. */
ArcStatus arc_arms_read(const ArcCaptureSettings *settings, int n, ArcCapture *const *captures,
                        bool has_rows[2], ArcError *err);

/* ARC_INPUT where a table that settings name has no row of any flight: has_rows (n_settings) as
 * above. */
ArcStatus arc_arms_check(int n_settings, const ArcCaptureSettings *settings, bool (*has_rows)[2],
                         ArcError *err);

/* Copies of given's swing and readings into a capture that has an arena. ARC_INPUT: numbers that
 * are not finite, times that do not increase, sigma <= 0. */
ArcStatus arc_arms_copy(const ArcCapture *given, ArcCapture *capture, ArcError *err);

#endif
