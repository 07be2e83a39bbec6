/* A throw at a hoop whose ball may touch rim and backboard on its way (physics/contact.h): whether
 * it ends up through the hoop, and by how far.
 *
 *   x'' = flight(t, x, x', p) + contact(x, x')
 *
 * by the simulator with forward sensitivities, in pieces that are short near rim and board, so that
 * no step jumps over a touch. Pieces end at times that depend on no parameter, so that the flight's
 * sensitivities are those of the whole, S = Phi S + .., piece by piece.
 *
 * It ends where the ball's centre comes down through the level a ball's radius below the rim: in,
 * if it is nearer to the axis than R, the inner radius. There the offset from the centre is taken,
 * with total partials (they hold how the time varies), which are smooth where a hit test is not:
 * what touches can be led to a hit by them. A ball that lies on the rim ends after
 * ARC_TOUCH_LONGEST_S with the offset that it has then, and is not in.
 *
 * The board is endless, and there for a ball only that is let go in front of it. A bounce of the
 * flight and friction at rim and board are not followed: the spin stays.
 */
#ifndef ARC_AIM_TOUCH_H
#define ARC_AIM_TOUCH_H

#include "aim/shot.h"
#include "physics/contact.h"

#define ARC_TOUCH_LONGEST_S 3.0 /* from the first touch */

typedef enum ArcTouchEnd {
    ARC_TOUCH_IN,
    ARC_TOUCH_OUT,
    ARC_TOUCH_LIES /* not down by then: it lies or rolls on the rim, or is still in the air */
} ArcTouchEnd;

typedef struct ArcTouched {
    ArcTouchEnd end;
    bool rim, board;    /* touched */
    ArcShotState state; /* where it ended */
    double offset_m[3]; /* from the centre; 0 along up */
    double by_offset[3][ARC_MAX_PARAMETERS];
    double margin_m; /* R - |offset|: above 0 where it is in (or lies there) */
    double by_margin[ARC_MAX_PARAMETERS];
} ArcTouched;

typedef struct ArcTouch ArcTouch; /* scratch of one thread, in the arena */

/* With experiment->aim.contact's numbers, whether it is on or not. shot is borrowed, for what it
 * knows of releases. ARC_INPUT, at the goal's place: no hoop, no ball, a ball that does not fit
 * through, a bounce of the flight. */
ArcStatus arc_touch_create(ArcShot *shot, ArcArena *arena, ArcTouch **touch, ArcError *err);

/* The law of rim and board, as of the last flight. */
const ArcContactLaw *arc_touch_law(const ArcTouch *touch);

/* values (n) need no tie before. partials: also by_*. False where the flight cannot be followed or
 * does not come to the hoop's level within a minute. */
bool arc_touch_fly(ArcTouch *touch, const double *values, bool partials, ArcTouched *touched);

#endif
