/* Throws that go in off the backboard (aim.contact).
 *
 * They begin from the hoop's image behind the board. A ball that touches a hard board with its
 * centre at the distance r keeps e of its speed across it, so that its way beyond the touch is to
 * its way without a board as e to 1: where that way's end is the hoop's centre, at X across the
 * board, the flight without a board goes through
 *
 *   X* = B + (B - X) / e,   B the centre's place at the touch
 *
 * From a throw that hits X* the ball that touches is led in by the gradient of its soft hit
 * (soft.h), through the push of the board: a hit test has none where it does not go in yet.
 */
#ifndef ARC_AIM_BANK_H
#define ARC_AIM_BANK_H

#include "aim/solutions.h"

/* aim->banks, from the angles and from the throws at the hoop; none without contact or board.
 * aim->unknown and arena are set. As arc_touch_create. */
ArcStatus arc_aim_bank(const ArcAimThrows *throws, ArcAim *aim, ArcError *err);

#endif
