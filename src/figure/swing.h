/* Figures of the swing of an arm. */
#ifndef ARC_FIGURE_SWING_H
#define ARC_FIGURE_SWING_H

#include "figure/maker.h"

/* Angles and rates of the joints against time with what was measured, its residuals, the motors'
 * torques; nothing where no swing was seen. */
void arc_swing_draw(ArcMaker *maker);

/* "swing.csv:31" of a number; "" on exhaustion. */
const char *arc_swing_label(ArcMaker *maker, const ArcSwingNumber *number);

#endif
