/* Checkpoints that the PINN's training goes on from. The first byte chooses the training, and
 * whether it goes on to its end or is stopped soon; the rest changes a checkpoint of it that was
 * made half-way (fuzz_patch). The checksum is set right, so that what stands behind it is reached;
 * without it no change would be.
 * Flags: -use_value_profile=0 -max_len=512
 */
#include "arcfit/fit.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { N_TRAININGS = 4, MOST_FILE = 1 << 16 };

#define HEAD "arcfit: 1\ncapture: {file: a.csv, sigma: 3 cm}\nflight: {drag: lumped}\n"
#define FREE                                                                                       \
    "parameters: {k: {start: 0.05, prior: {mean: 0.05, sd: 0.05}}, x0: {start: 0}, y0: {start: "   \
    "2}, vx0: {start: 5}, vy0: {start: 6}}\n"

static const char *const trainings[N_TRAININGS] = {
    HEAD FREE "fit: {pinn: {net: auto}}\n",
    HEAD FREE "fit: {pinn: {train: [{optimizer: adam, steps: 4}, {optimizer: lbfgs, steps: 4, "
              "memory: 2}, {optimizer: lm, steps: 2}, {optimizer: linear}]}}\n",
    HEAD FREE "fit: {starts: 2, loss: huber, pinn: {collocation: {kind: adaptive, every: 2}, "
              "weighting: causal, weighting_every: 2, train: [{optimizer: adam, steps: 4}]}}\n",
    HEAD "parameters: {k: {start: 90}}\nfit: {stages: [vacuum, drag], pinn: {windows: 2}}\n",
};

static ArcProblem *problems[N_TRAININGS];
static uint8_t *sound[N_TRAININGS];
static size_t sound_size[N_TRAININGS];

static bool stop_after(void *context, const ArcProgressState *state)
{
    (void)state;
    int *left = context;
    return --*left > 0;
}

static ArcProblem *make_problem(const char *text)
{
    static const double t[] = {0, 0.2, 0.4, 0.6, 0.8, 1.0};
    static const double x[] = {0, 2, 1, 3, 2, 3.6, 3, 3.8, 4, 3.6, 5, 3.1};
    static const double s[] = {.03, .03, .03, .03, .03, .03, .03, .03, .03, .03, .03, .03};
    const ArcCapture given = {
        .n_points = 6, .dimensions = 2, .time_s = t, .position_m = x, .sigma_m = s};
    ArcExperiment *experiment = NULL;
    ArcCapture *capture = NULL;
    ArcProblem *problem = NULL;
    ArcError err;
    if (arc_experiment_parse("fuzz.yaml", text, strlen(text), 0, NULL, &experiment, &err) !=
            ARC_OK ||
        arc_capture_create(&given, &capture, &err) != ARC_OK ||
        arc_problem_create(experiment, capture, &problem, &err) != ARC_OK)
        fuzz_fail(err.text);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
    return problem;
}

/* A checkpoint of the training after a few steps, as the program writes it. */
static void make_sound(int i)
{
    char path[] = "/tmp/arcfit-fuzz-XXXXXX";
    int left = 4, descriptor = mkstemp(path);
    ArcError err;
    ArcFit *fit = NULL;
    if (descriptor < 0)
        fuzz_fail("no temporary file");
    close(descriptor);
    problems[i] = make_problem(trainings[i]);
    const ArcFitOptions options = {.progress = stop_after, .context = &left, .checkpoint = path};
    if (arc_fit_run(problems[i], ARC_PINN, &options, &fit, &err) != ARC_OK)
        fuzz_fail(err.text);
    arc_fit_free(fit);
    sound[i] = fuzz_take_file(path, &sound_size[i]);
    if (sound_size[i] > MOST_FILE)
        fuzz_fail("the checkpoint is larger than expected");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t file[MOST_FILE];
    if (size == 0)
        return 0;
    int i = bytes[0] % N_TRAININGS;
    if (problems[i] == NULL)
        make_sound(i);
    memcpy(file, sound[i], sound_size[i]);
    size_t n = fuzz_patch(bytes + 1, size - 1, file, sound_size[i]);
    if (n >= 8) {
        uint64_t sum = crc32_z(0, file, n - 8);
        memcpy(file + n - 8, &sum, sizeof sum);
    }
    int left = bytes[0] < 128 ? 2 : 1000;
    const ArcFitOptions options = {
        .progress = stop_after, .context = &left, .resume = fuzz_file(file, n)};
    ArcError err;
    ArcFit *fit = NULL;
    ArcStatus status = arc_fit_run(problems[i], ARC_PINN, &options, &fit, &err);
    if (status != ARC_NUMERIC)
        fuzz_check_verdict(status, &err);
    arc_fit_free(fit);
    return 0;
}
