/* `--set path.to.key=value`: a line each, at most eight, over a sound experiment.
 * Words: src/experiment/settings.c
 */
#include "arcfit/experiment.h"
#include "fuzz.h"

#include <string.h>

enum { MOST_OVERRIDES = 8, MOST_BYTES = 1024 };

static const char text[] =
    "arcfit: 1\n"
    "capture: {file: a.csv, sigma: 1 mm, columns: {t: time_s}}\n"
    "flight: {ball: basketball, drag: quadratic, wind: [1 m/s, 0]}\n"
    "parameters: {cd: {start: 0.5, bounds: [0, 1.5], prior: {mean: 0.5, sd: 0.1}}}\n"
    "derived: {hoop: {height: 3.05 m}}\n"
    "fit: {pinn: {train: [{optimizer: adam, steps: 9}, {optimizer: linear}]}}\n"
    "simulate: {points: 9, noise: {jitter: 1 ms}}\n";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char copy[MOST_BYTES + 1];
    const char *overrides[MOST_OVERRIDES];
    int n = 0;
    if (size > MOST_BYTES)
        return 0;
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    char *rest = copy;
    while (n < MOST_OVERRIDES && rest != NULL)
        overrides[n++] = strsep(&rest, "\n");
    ArcExperiment *experiment = NULL;
    ArcError err;
    ArcStatus status =
        arc_experiment_parse("fuzz.yaml", text, strlen(text), n, overrides, &experiment, &err);
    fuzz_check_verdict(status, &err);
    arc_experiment_free(experiment);
    return 0;
}
