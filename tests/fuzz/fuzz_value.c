/* Values with units. The first byte chooses the quantity, and whether it is a difference.
 * Words: src/base/units.c src/base/dimension.c
 */

#include "base/units.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

enum { MOST_BYTES = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char text[MOST_BYTES + 1];
    ArcPlace place = {"fuzz.yaml", 1, 1};
    if (size == 0 || size > MOST_BYTES)
        return 0;
    ArcQuantity quantity = (ArcQuantity)(bytes[0] / 2 % ARC_N_QUANTITIES);
    memcpy(text, bytes + 1, size - 1);
    text[size - 1] = '\0';
    double value = 0, slope = 1;
    ArcError err;
    fuzz_check_verdict(arc_unit_read(text, quantity, bytes[0] % 2 == 1, place, &value, &err), &err);
    if (!isfinite(value))
        fuzz_fail("a value that is not finite");
    fuzz_check_verdict(arc_unit_slope(text, quantity, place, &slope, &err), &err);
    if (!(slope > 0))
        fuzz_fail("a unit of no size");
    /* The same of a product, and the text as a unit itself. */
    value = 0;
    fuzz_check_verdict(arc_unit_read_as(text, "N m/rad", bytes[0] % 2 == 1, place, &value, &err),
                       &err);
    if (!isfinite(value))
        fuzz_fail("a value that is not finite");
    fuzz_check_verdict(arc_unit_check(text, "number", place, &err), &err);
    return 0;
}
