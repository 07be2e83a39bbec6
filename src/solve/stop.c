/* The words for stop reasons. */
#include "arcfit/solve.h"

const char *arc_stop_text(ArcStop stop)
{
    switch (stop) {
#define ARC_X(name, text, converged)                                                               \
    case name:                                                                                     \
        return text;
        ARC_STOP_LIST(ARC_X)
#undef ARC_X
    }
    return "unknown";
}

int arc_stop_is_converged(ArcStop stop)
{
    switch (stop) {
#define ARC_X(name, text, converged)                                                               \
    case name:                                                                                     \
        return converged;
        ARC_STOP_LIST(ARC_X)
#undef ARC_X
    }
    return 0;
}
