/* Tables of an arm beside sound points of two flights: the swing, or readings. The first byte
 * chooses, the rest is the table.
 * Words: src/capture/headings.c src/capture/read_swing.c src/capture/read_readings.c
 */
#include "arcfit/captures.h"
#include "fuzz.h"

#include <math.h>

static const char flights[] = "flight,time_s,x_m,y_m\n7,0.5,0,1\n7,0.6,1,2\n3,0.5,0,1\n3,0.6,1,3\n";

/* What arcfit/swing.h promises. */
static void look(const ArcCapture *capture, int n_joints)
{
    const ArcSwing *swing = capture->swing;
    for (int i = 0; swing != NULL && i < swing->n_rows; i++)
        if (!isfinite(swing->time_s[i]) || (i > 0 && !(swing->time_s[i] > swing->time_s[i - 1])))
            fuzz_fail("times that do not increase");
    for (int i = 0; swing != NULL && i < swing->n_numbers; i++) {
        const ArcSwingNumber *number = &swing->numbers[i];
        int before = i == 0 ? 0 : swing->numbers[i - 1].row;
        if (number->row < before || number->row >= swing->n_rows || number->index < ARC_ARM_BALL ||
            number->index > n_joints || number->axis < 0 || number->axis >= capture->dimensions)
            fuzz_fail("a number of nothing");
        if (!isfinite(number->value) || !(number->sigma > 0))
            fuzz_fail("a number that is none");
    }
    for (int i = 0; i < capture->n_readings; i++)
        if (!isfinite(capture->readings[i].value) || !(capture->readings[i].sd > 0))
            fuzz_fail("a reading that is none");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    ArcCaptureSettings settings = arc_capture_settings_default();
    settings.file = fuzz_text_file(flights);
    settings.place = settings.swing.place = settings.swing.readings_place =
        (ArcPlace){"fuzz.yaml", 1, 1};
    settings.sigma_m = 0.002;
    settings.one_flight = (bytes[0] & 2) != 0;
    settings.flight_number = 3;
    settings.swing.n_joints = 1 + (bytes[0] >> 2 & 3);
    if (bytes[0] & 16)
        settings.swing.sigma_rad = settings.swing.sigma_rad_s = settings.swing.readings_sigma_rad =
            settings.swing.readings_sigma_share = 0.01;
    *(bytes[0] & 1 ? &settings.swing.readings : &settings.swing.file) =
        fuzz_file(bytes + 1, size - 1);
    ArcCaptures *captures = NULL;
    ArcError err;
    ArcStatus status = arc_captures_read(1, &settings, &captures, &err);
    fuzz_check_verdict(status, &err);
    if ((status == ARC_OK) != (captures != NULL))
        fuzz_fail("captures without success, or none with it");
    for (int i = 0; status == ARC_OK && i < captures->n; i++)
        look(captures->captures[i], settings.swing.n_joints);
    arc_captures_free(captures);
    return 0;
}
