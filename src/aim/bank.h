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

#include "aim/search.h"
#include "arcfit/aim.h"

/* n throws at the hoop, to begin from beside the angles; belief and threads of the throws that are
 * flown one by one for a chance (aim.monte_carlo). All borrowed. */
typedef struct ArcBankTask {
    const ArcSearch *search;
    int n;
    const ArcSearchThrow *throws;
    const ArcBelief *belief;
    int threads;
} ArcBankTask;

/* aim->banks, none without contact or board. aim->unknown and arena are set. As arc_touch_create.
 */
ArcStatus arc_aim_bank(const ArcBankTask *task, ArcAim *aim, ArcError *err);

#endif
