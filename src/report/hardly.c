/* See hardly.h. */
#include "report/hardly.h"

#include <math.h>
#include <string.h>

static const double most_share = 1.0 / 3;

/* Of parameters that multiply something: their neutral value says nothing of 0. */
static bool is_factor(const char *name)
{
    static const char *const factors[] = {"gravity", "scale", "clock_rate", "focal"};
    const char *dot = strrchr(name, '.'), *own = dot == NULL ? name : dot + 1;
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++)
        if (strcmp(own, factors[i]) == 0)
            return true;
    return false;
}

/* A drag coefficient whose sd is as large as itself and as what is usual. */
static bool is_unknown_drag(const ArcEstimate *e)
{
    double usual = strcmp(e->name, "cd") == 0 ? 0.5 : strcmp(e->name, "k") == 0 ? 0.02 : INFINITY;
    return e->sd >= fmax(usual, fabs(e->value));
}

const char *arc_hardly_known(const ArcEstimate *e)
{
    if (e->status != ARC_PARAMETER_FREE || !isfinite(e->sd))
        return NULL;
    if (is_factor(e->name) && e->sd >= most_share * fabs(e->value))
        return "its sd is a third of it or more";
    if (is_unknown_drag(e))
        return "its sd is as large as the number";
    return NULL;
}
