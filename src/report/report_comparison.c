/* PINN against direct, and several results ranked. */
#include "arcfit/report.h"

#include "report/camera_parts.h"
#include "report/closure_parts.h"
#include "report/flights_parts.h"
#include "report/randomised_parts.h"
#include "report/ranking_parts.h"
#include "report/section.h"
#include "report/spread.h"
#include "report/states_parts.h"
#include "report/table.h"
#include "report/uncertainty.h"
#include "report/verdict.h"

ArcStatus arc_report_comparison_text(int n, const ArcResult *const *results, char **text,
                                     ArcError *err)
{
    ArcText table = {0};
    for (int i = 0; i < n; i++) {
        arc_section_header(&table, results[i]);
        arc_section_parameters(&table, results[i], results[i]->comparison.both);
        if (n == 1)
            arc_flights_section(&table, results[i], false);
        /* Of one result all that its fit printed; several are long enough without. */
        if (n == 1 && arc_section_fit(results[i])->n_derived > 0) {
            arc_table_estimates(&table, results[i]->n_fits, results[i]->fits, true);
            arc_text_append(&table, "\n");
        }
        arc_section_remarks(&table, results[i]->n_fits, results[i]->fits);
        arc_section_residuals(&table, results[i], false);
        arc_camera_parts_text(&table, arc_section_fit(results[i]));
        arc_states_parts_text(&table, results[i]);
        arc_closure_parts_text(&table, results[i]);
        arc_spread_text(&table, results[i]);
        for (int k = 0; n == 1 && k < results[i]->n_fits; k++)
            arc_section_uncertainty(&table, results[i]->fits[k], results[i]->n_fits > 1);
        for (int k = 0; n == 1 && k < results[i]->n_fits; k++)
            arc_randomised_parts_text(&table, results[i]->fits[k], results[i]->n_fits > 1);
        arc_verdict_section(&table, results[i]);
        if (n > 1)
            arc_text_append(&table, "\n");
    }
    if (n > 1) {
        ArcStatus status = arc_ranking_parts_section(&table, n, results, err);
        if (status != ARC_OK) {
            arc_text_free(table.bytes);
            return status;
        }
    }
    return arc_text_finish(&table, text, err);
}
