/* Results: the bytes change one that was made here (fuzz_patch), whose checksum is then set right,
 * so that what stands behind it is reached; what is taken is shown as text and JSON.
 * Flags: -use_value_profile=0 -max_len=512
 */
#include "arcfit/report.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { SEAL = 24 };

static const char experiment[] =
    "arcfit: 1\ncapture: {file: %s, sigma: 3 cm}\nflight: {drag: lumped}\n"
    "parameters: {k: {start: 0.05, prior: {mean: 0.05, sd: 0.05}}, x0: 0, y0: {start: 2}}\n"
    "derived: {wall: {plane: x=4 m}}\nfit: {profile: [k], bootstrap: 2, pinn: {physics: auto}}\n";
static const char capture[] = "time_s,x_m,y_m\n0,0,2\n0.2,1,3.0\n0.4,2,3.6\n0.6,3,3.8\n0.8,4,3.6\n";

/* The bytes of a result as the program writes it. */
static uint8_t *make_result(size_t *size)
{
    char text[512], path[] = "/tmp/arcfit-fuzz-XXXXXX";
    ArcExperiment *read = NULL;
    ArcResult *result = NULL;
    ArcError err;
    int descriptor = mkstemp(path);
    if (descriptor < 0)
        fuzz_fail("no temporary file");
    close(descriptor);
    int n = snprintf(text, sizeof text, experiment, fuzz_text_file(capture));
    if (arc_experiment_parse("fuzz.yaml", text, (size_t)n, 0, NULL, &read, &err) != ARC_OK ||
        arc_result_create(read, 0, NULL, NULL, &result, &err) != ARC_OK ||
        arc_report_write_hdf5(result, path, &err) != ARC_OK)
        fuzz_fail(err.text);
    arc_result_free(result);
    arc_experiment_free(read);
    return fuzz_take_file(path, size);
}

static void show(const ArcResult *result)
{
    char *text = NULL;
    ArcError err;
    if (arc_report_text(result, true, &text, &err) != ARC_OK)
        fuzz_fail(err.text);
    arc_text_free(text);
    if (arc_report_json(1, &result, false, &text, &err) != ARC_OK)
        fuzz_fail(err.text);
    arc_text_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t *sound, *file;
    static size_t sound_size;
    if (sound == NULL) {
        sound = make_result(&sound_size);
        file = malloc(sound_size);
    }
    if (file == NULL)
        fuzz_fail("no memory");
    memcpy(file, sound, sound_size);
    size_t n = fuzz_patch(bytes, size, file, sound_size - SEAL);
    char seal[SEAL + 1];
    snprintf(seal, sizeof seal, "\narcfit-crc32 %08lx\n\n", crc32_z(0, file, n) & 0xffffffffu);
    memcpy(file + n, seal, SEAL);
    ArcResult *result = NULL;
    ArcError err;
    ArcStatus status = arc_report_read_hdf5(fuzz_file(file, n + SEAL), &result, &err);
    fuzz_check_verdict(status, &err);
    if ((status == ARC_OK) != (result != NULL))
        fuzz_fail("a result without success, or none with it");
    if (size == 0 && status != ARC_OK)
        fuzz_fail(err.text); /* the sound one */
    if (status == ARC_OK)
        show(result);
    arc_result_free(result);
    return 0;
}
