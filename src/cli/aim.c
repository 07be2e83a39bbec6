/* arcfit aim: whether the experiment's arm can give its ball a wanted release or hit a target, how,
 * and what is missing where it cannot. */
#include "cli/commands.h"
#include "cli/output.h"

#include "arcfit/reach.h"

int arc_command_aim(const ArcOptions *options)
{
    ArcExperiment *experiment = NULL;
    ArcReach reach;
    ArcError err;
    char *text = NULL;
    int code = 0;
    ArcStatus status = arc_experiment_read(options->operands[0], options->n_overrides,
                                           options->overrides, &experiment, &err);
    for (int i = 0; status == ARC_OK && options->json != NULL && i < experiment->n_captures; i++)
        status = arc_output_check_capture(options->json, &experiment->captures[i], &err);
    if (status == ARC_OK)
        status = arc_reach_of_experiment(experiment, &reach, &err);
    if (status != ARC_OK)
        code = arc_output_error(&err);
    if (status == ARC_OK && arc_output_is_text_wanted(options)) {
        ArcStatus made = arc_reach_text(&reach, &text, &err);
        code = arc_output_text(made, text, &err);
    }
    if (status == ARC_OK && code == 0 && options->json != NULL) {
        ArcStatus made = arc_reach_json(&reach, &text, &err);
        code = arc_output_json(made, text, options->json, &err);
    }
    if (status == ARC_OK && code == 0 && !reach.is_reachable)
        code = arc_status_exit_code(ARC_NUMERIC);
    arc_experiment_free(experiment);
    return code;
}
