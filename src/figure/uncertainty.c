/* See maker.h. */
#include "figure/maker.h"

ArcStatus arc_make_uncertainty(ArcMaker *maker, ArcError *err)
{
    (void)maker;
    (void)err;
    return ARC_OK;
}
