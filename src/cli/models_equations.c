/* What `arcfit models FILE` prints: a plug-in's own account of its model, once it has been tried.
 */
#include "cli/commands.h"

#include "arcfit/equations.h"
#include "cli/output.h"

static void equations_rows(const char *title, int n, const ArcParameterInfo *rows)
{
    if (n > 0)
        printf("\n%s\n", title);
    for (int i = 0; i < n; i++) {
        char line[1536];
        snprintf(line, sizeof line, "(%s) %s; default %g, %g to %g", rows[i].unit, rows[i].doc,
                 rows[i].value, rows[i].low, rows[i].high);
        arc_output_row(rows[i].name, line);
    }
}

/* The names of the starts, as parameters of an experiment. */
static void equations_starts(const ArcEquations *equations)
{
    char line[ARC_EQUATIONS_MAX_CHANNELS * 40 + 64] = "t0";
    size_t used = 2;
    for (int i = 0; i < equations->n_channels; i++)
        used +=
            (size_t)snprintf(line + used, sizeof line - used, " %s0", equations->channels[i].name);
    printf("\nstarts\n");
    arc_output_row("", line);
}

static void equations_print(const ArcEquations *equations)
{
    int D = equations->n_states;
    char line[1200];
    printf("%s\n", equations->path);
    snprintf(line, sizeof line, "%.1000s", equations->doc);
    arc_output_row(equations->name, line);
    snprintf(line, sizeof line, "%s order; partials %s", equations->order == 1 ? "first" : "second",
             equations->has_partials ? "of its own" : "by complex steps");
    arc_output_row("", line);
    equations_rows("states", D, equations->channels);
    equations_rows("velocities", equations->n_channels - D, equations->channels + D);
    equations_rows("parameters         fixed at their defaults unless freed",
                   equations->n_parameters, equations->parameters);
    equations_starts(equations);
}

int arc_models_equations(const ArcOptions *options)
{
    int code = 0;
    for (int i = 0; i < options->n_operands; i++) {
        const char *path = options->operands[i];
        ArcEquations *equations = NULL;
        ArcError err;
        if (arc_equations_load(path, (ArcPlace){path, 1, 1}, &equations, &err) != ARC_OK) {
            int failed = arc_output_error(&err);
            code = failed > code ? failed : code;
            continue;
        }
        if (i > 0)
            printf("\n");
        equations_print(equations);
        arc_equations_free(equations);
    }
    return code;
}
