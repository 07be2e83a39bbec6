/* arcfit report: results and aims as a page, as figures, as CSV. */
#include "cli/commands.h"
#include "cli/output.h"

#include "arcfit/page.h"

int arc_command_report(const ArcOptions *options)
{
    ArcError err, note;
    ArcPageItem items[16] = {{0}};
    int n = options->n_operands;
    char *text = NULL;
    ArcStatus status = ARC_OK;
    for (int i = 0; i < n && i < 16 && status == ARC_OK; i++) {
        ArcResult *result = NULL;
        ArcExperiment *experiment = NULL;
        status = arc_report_read_hdf5(options->operands[i], &result, &err);
        if (status == ARC_OK && arc_report_experiment(result, &experiment, &note, NULL) != ARC_OK)
            experiment = NULL;
        items[i] = (ArcPageItem){options->operands[i], result, experiment, NULL};
    }
    ArcPageSettings settings = {.units = (ArcUnits)options->units};
    if (status == ARC_OK)
        status = arc_page_text(n, items, &settings, &text, &err);
    if (status == ARC_OK)
        status = arc_text_save(text, options->out, &err);
    arc_text_free(text);
    return status == ARC_OK ? 0 : arc_output_error(&err);
}
