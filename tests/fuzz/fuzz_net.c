/* Net files, as an experiment names them.
 * Words: src/experiment/settings.c
 */
#include "arcfit/experiment.h"
#include "fuzz.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char text[256];
    int n = snprintf(text, sizeof text,
                     "arcfit: 1\ncapture: {file: a.csv, sigma: 1 mm}\nfit: {pinn: {net: %s}}\n",
                     fuzz_file(bytes, size));
    ArcExperiment *experiment = NULL;
    ArcError err;
    ArcStatus status =
        arc_experiment_parse("fuzz.yaml", text, (size_t)n, 0, NULL, &experiment, &err);
    fuzz_check_verdict(status, &err);
    if (status == ARC_OK &&
        (experiment->pinn.net_auto || arc_net_settings_n_weights(&experiment->pinn.net, 3) == 0))
        fuzz_fail("a net file that is taken and not used");
    arc_experiment_free(experiment);
    return 0;
}
