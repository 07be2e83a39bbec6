/* Aims: the bytes change one that was made here (fuzz_patch), whose checksum is then set right, so
 * that what stands behind it is reached; what is taken is shown as text, JSON and figures. The
 * first byte chooses between a throw at a hoop and an arm that does not reach its target. Flags:
 * -use_value_profile=0 -max_len=512
 */
#include "arcfit/aim.h"
#include "arcfit/figure.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { SEAL = 24, N_AIMS = 2 };

static const char *const experiments[N_AIMS] = {
    "arcfit: 1\nflight: {dimensions: 2, ball: basketball}\nrelease: polar\n"
    "parameters: {x0: 0 m, y0: 1.8 m, speed: {bounds: [0, 12]}}\n"
    "aim:\n"
    "  target: {hoop: {centre: [4.2 m, 3.05 m], radius: 23 cm, backboard: x=4.6 m}}\n"
    "  scatter: {speed: 0.1 m/s}\n  pareto: [speed, height]\n  pareto_points: 3\n",
    "arcfit: 1\nflight: {dimensions: 2, ball: basketball}\nrelease: arm\n"
    "arm: {joints: [{length: 0.5 m, limits: [-150 deg, 150 deg], rate_limit: 6 rad/s},\n"
    "    {length: 0.4 m, limits: [0 deg, 150 deg], rate_limit: 8 rad/s}]}\n"
    "aim: {target: {point: [6 m, 3 m]}}\n"};

/* A file as the program writes it. */
static uint8_t *make_aim(const char *text, size_t *size)
{
    char path[] = "/tmp/arcfit-fuzz-XXXXXX";
    ArcExperiment *read = NULL;
    ArcAim *aim = NULL;
    ArcError err;
    int descriptor = mkstemp(path);
    if (descriptor < 0)
        fuzz_fail("no temporary file");
    close(descriptor);
    if (arc_experiment_parse("fuzz.yaml", text, strlen(text), 0, NULL, &read, &err) != ARC_OK ||
        arc_aim_find(read, NULL, NULL, &aim, &err) != ARC_OK ||
        arc_aim_write(aim, path, &err) != ARC_OK)
        fuzz_fail(err.text);
    arc_aim_free(aim);
    arc_experiment_free(read);
    return fuzz_take_file(path, size);
}

static void show(const ArcAim *aim)
{
    char *text = NULL;
    ArcFigures *figures = NULL;
    ArcError err;
    if (arc_aim_text(aim, &text, &err) != ARC_OK)
        fuzz_fail(err.text);
    arc_text_free(text);
    if (arc_aim_json(aim, &text, &err) != ARC_OK)
        fuzz_fail(err.text);
    arc_text_free(text);
    if (arc_figures_of_aim(aim, &figures, &err) != ARC_OK)
        fuzz_fail(err.text);
    arc_figures_free(figures);
}

static uint8_t *sound[N_AIMS], *files[N_AIMS];
static size_t sound_size[N_AIMS];

/* Aiming takes longer than an input may. */
int LLVMFuzzerInitialize(int *n, char ***words)
{
    (void)n;
    (void)words;
    for (int i = 0; i < N_AIMS; i++) {
        sound[i] = make_aim(experiments[i], &sound_size[i]);
        files[i] = malloc(sound_size[i]);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    int which = size > 0 ? bytes[0] % N_AIMS : 0;
    uint8_t *file = files[which];
    if (file == NULL)
        fuzz_fail("no memory");
    memcpy(file, sound[which], sound_size[which]);
    size_t skipped = size > 0 ? 1 : 0;
    size_t n = fuzz_patch(bytes + skipped, size - skipped, file, sound_size[which] - SEAL);
    char seal[SEAL + 1];
    snprintf(seal, sizeof seal, "\narcfit-crc32 %08lx\n\n", crc32_z(0, file, n) & 0xffffffffu);
    memcpy(file + n, seal, SEAL);
    ArcAim *aim = NULL;
    ArcError err;
    ArcStatus status = arc_aim_read(fuzz_file(file, n + SEAL), &aim, &err);
    fuzz_check_verdict(status, &err);
    if ((status == ARC_OK) != (aim != NULL))
        fuzz_fail("an aim without success, or none with it");
    if (size <= 1 && status != ARC_OK)
        fuzz_fail(err.text); /* the sound ones */
    if (status == ARC_OK)
        show(aim);
    arc_aim_free(aim);
    return 0;
}
