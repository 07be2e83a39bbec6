/* The parameters that there can be: of small experiments, one a law, as the reader of experiments
 * makes them, so that none is named that it does not know. */
#include "cli/parameter_names.h"

#include "arcfit/experiment.h"

#include <stdio.h>
#include <string.h>

static void add(ArcKnownParameters *known, const ArcParameter *parameter)
{
    for (int i = 0; i < known->n; i++) {
        if (strcmp(known->rows[i].name, parameter->name) == 0)
            return;
    }
    if (known->n == ARC_KNOWN_PARAMETERS)
        return;
    ArcKnownParameter *row = &known->rows[known->n++];
    snprintf(row->name, sizeof row->name, "%s", parameter->name);
    snprintf(row->unit, sizeof row->unit, "%s", parameter->unit);
    snprintf(row->doc, sizeof row->doc, "%s", parameter->doc);
}

/* Those of the experiment whose flight and whatever else are given. What is wrong with it but for
 * memory is no matter of help. */
static ArcStatus add_of(ArcKnownParameters *known, const char *flight, const char *more,
                        ArcError *err)
{
    char text[512];
    int length =
        snprintf(text, sizeof text, "arcfit: 1\nflight: {ball: basketball, %s}\n%s", flight, more);
    ArcExperiment *experiment = NULL;
    ArcStatus status =
        arc_experiment_parse("help", text, (size_t)length, 0, NULL, &experiment, err);
    if (status == ARC_MEMORY || status == ARC_SYSTEM)
        return status;
    for (int i = 0; status == ARC_OK && i < experiment->n_parameters; i++)
        add(known, &experiment->parameters[i]);
    arc_experiment_free(experiment);
    return ARC_OK;
}

typedef const ArcLaw *(*Laws)(int *n);

/* Those of each law of a key; what a table needs is there where it is asked for. */
static ArcStatus add_laws(ArcKnownParameters *known, const char *key, Laws laws, const char *beside,
                          ArcError *err)
{
    int n;
    const ArcLaw *rows = laws(&n);
    ArcStatus status = ARC_OK;
    for (int i = 0; i < n && status == ARC_OK; i++) {
        char flight[200];
        bool is_table = strcmp(rows[i].name, "table") == 0;
        snprintf(flight, sizeof flight, "dimensions: 3, %s: %s%s%s%s%s", key, rows[i].name,
                 is_table ? ", " : "", is_table ? key : "",
                 is_table ? "_table: [[1, 0.5], [2, 0.4]]" : "", beside);
        status = add_of(known, flight, "", err);
        if (status == ARC_OK && laws == arc_lift_laws) /* one of them needs a spin */
            status = add_of(known, flight, "parameters: {wx: 1}\n", err);
    }
    return status;
}

ArcStatus arc_known_parameters(ArcKnownParameters *known, ArcError *err)
{
    static const char arm[] = "release: arm\narm: {joints: [{length: 1}, {length: 1}]}\n";
    static const char tilted[] = "parameters: {gravity: 9.8, tilt_x: 0, tilt_y: 0}\n";
    *known = (ArcKnownParameters){0};
    ArcStatus status = add_laws(known, "drag", arc_drag_laws, "", err);
    if (status == ARC_OK)
        status = add_laws(known, "lift", arc_lift_laws, "", err);
    if (status == ARC_OK)
        status = add_laws(known, "spin_decay", arc_spin_decay_laws, ", lift: rational", err);
    if (status == ARC_OK)
        status = add_of(known, "dimensions: 3, bounce: {plane: z=0}", "", err);
    if (status == ARC_OK)
        status = add_of(known, "dimensions: 3", tilted, err);
    if (status == ARC_OK)
        status = add_of(known, "dimensions: 3", "release: polar\n", err);
    if (status == ARC_OK) /* in the plane spin has no axes */
        status = add_of(known, "dimensions: 2, lift: rational", "", err);
    if (status == ARC_OK)
        status = add_of(known, "dimensions: 2", arm, err);
    return status;
}
