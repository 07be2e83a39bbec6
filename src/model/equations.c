/* Own equations, loaded. */
#include "arcfit/equations.h"

#include <string.h>

int arc_equations_channel(const ArcEquations *equations, const char *name)
{
    for (int i = 0; i < equations->n_channels; i++)
        if (strcmp(equations->channels[i].name, name) == 0)
            return i;
    return -1;
}
