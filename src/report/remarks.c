/* Remarks about derived numbers. */
#include "report/remarks.h"

#include "report/table.h"

#include <string.h>

static bool remarks_has(const ArcFit *fit, const char *remark)
{
    for (int i = 0; i < fit->n_remarks; i++)
        if (strcmp(fit->remarks[i], remark) == 0)
            return true;
    return false;
}

void arc_remarks_text(ArcText *table, int n_fits, const ArcFit *const *fits)
{
    for (int f = 0; f < n_fits; f++) {
        for (int i = 0; i < fits[f]->n_remarks; i++) {
            const char *remark = fits[f]->remarks[i];
            bool is_shared = n_fits == 2 && remarks_has(fits[1 - f], remark);
            if (is_shared && f == 1)
                continue;
            bool is_own = n_fits == 2 && !is_shared;
            arc_table_entry(table,
                            !is_own                       ? "derived"
                            : fits[f]->method == ARC_PINN ? "derived, PINN"
                                                          : "derived, direct",
                            remark);
        }
    }
}

const ArcEstimate *arc_remarks_derived(const ArcFit *fit, const char *name)
{
    for (int i = 0; i < fit->n_derived; i++)
        if (strcmp(fit->derived[i].name, name) == 0)
            return &fit->derived[i];
    return NULL;
}
