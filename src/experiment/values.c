/* Values with units for who has no experiment, and the table of units for people. */
#include "arcfit/experiment.h"

#include "base/text.h"
#include "base/units.h"

ArcStatus arc_value_read(const char *text, const char *si_unit, ArcPlace place, double *value,
                         ArcError *err)
{
    ArcQuantity quantity;
    if (!arc_quantity_find(si_unit, &quantity))
        return arc_error_set(err, ARC_USAGE, "error: no quantity has the SI unit '%s'", si_unit);
    return arc_unit_read(text, quantity, false, place, value, err);
}

ArcStatus arc_units_text(char **text, ArcError *err)
{
    ArcText out = {0};
    arc_text_append(&out, "A value is a number in SI units, or a number with one of these units. "
                          "Rates of\nrotation in Hz, rps and rpm are revolutions.\n\n");
    for (int q = 0; q < ARC_N_QUANTITIES; q++) {
        arc_text_append(&out, "  %-23s", arc_quantity_text((ArcQuantity)q));
        for (int i = 0; arc_unit_at(i) != NULL; i++) {
            if (arc_unit_at(i)->quantity == (ArcQuantity)q)
                arc_text_append(&out, " %s", arc_unit_at(i)->name);
        }
        arc_text_append(&out, "\n");
    }
    arc_text_append(&out, "\nNumbers of own equations (`model:`) have any product of such units as "
                          "N m/rad or\n1/(kg m); of these and of N, J, W, A, V, ohm, C, F, H, T, "
                          "Wb, S, mol, l, h, d.\n");
    return arc_text_finish(&out, text, err);
}
