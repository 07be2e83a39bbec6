/* The text of an experiment; what it names is not read.
 * Words: src/experiment/settings.c src/physics/laws.c src/physics/balls.c
 */
#include "arcfit/experiment.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ArcExperiment *experiment = NULL;
    ArcError err;
    ArcStatus status =
        arc_experiment_parse("fuzz.yaml", (const char *)bytes, size, 0, NULL, &experiment, &err);
    fuzz_check_verdict(status, &err);
    if ((status == ARC_OK) != (experiment != NULL))
        fuzz_fail("an experiment without success, or none with it");
    arc_experiment_free(experiment);
    return 0;
}
