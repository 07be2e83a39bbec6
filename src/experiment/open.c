/* What the parameters leave open, by their names: `scale` or `clock_rate`, `roll`, `time_offset`;
 * of a camera NAME.scale and so on; and what a closure does. */
#include "arcfit/experiment.h"

#include <stdio.h>
#include <string.h>

/* Whether the name is `word`, or ends in ".word". */
static bool is_called(const char *name, const char *word)
{
    const char *dot = strrchr(name, '.');
    return strcmp(dot == NULL ? name : dot + 1, word) == 0;
}

ArcOpen arc_experiment_open(const ArcExperiment *experiment, const ArcCapture *capture)
{
    /* A closure may find any force, also one that looks like a tilt or a wrong scale. */
    bool has_closure = experiment->closure.is_on;
    ArcOpen open = {.scale = has_closure, .tilt = has_closure};
    if (experiment->equations != NULL) /* whose parameters may be called so, too */
        return open;
    for (int p = 0; p < experiment->n_parameters; p++) {
        const char *name = experiment->parameters[p].name;
        if (!experiment->parameters[p].is_free)
            continue;
        open.scale = open.scale || is_called(name, "scale") || is_called(name, "clock_rate");
        open.tilt = open.tilt || is_called(name, "roll");
        for (int c = 0; c < capture->n_cameras && is_called(name, "time_offset"); c++) {
            size_t length = strlen(capture->cameras[c].name);
            bool is_own =
                strncmp(name, capture->cameras[c].name, length) == 0 && name[length] == '.';
            open.offset[c] = open.offset[c] || is_own || strchr(name, '.') == NULL;
        }
    }
    return open;
}
