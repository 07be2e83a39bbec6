/* arcfit aim: whether the experiment's arm can give its ball a wanted release or hit a target, how,
 * and what is missing where it cannot. */
#include "cli/commands.h"
#include "cli/correct.h"
#include "cli/output.h"

#include "arcfit/reach.h"

/* The aim's texts with what its throws taught, in place of text. */
static ArcStatus add_change(const ArcExperiment *experiment, const ArcBeliefChange *change,
                            char **text, ArcError *err)
{
    char *of = *text;
    *text = NULL;
    ArcStatus status = arc_belief_change_json(experiment, change, of, text, err);
    arc_text_free(of);
    return status;
}

static int print_change(const ArcExperiment *experiment, const ArcBeliefChange *change)
{
    ArcError err;
    char *text = NULL;
    ArcStatus status = arc_belief_change_text(experiment, change, &text, &err);
    int code = arc_output_text(status, text, &err);
    if (code == 0)
        fputs("\n", stdout);
    return code;
}

int arc_command_aim(const ArcOptions *options)
{
    ArcExperiment *experiment = NULL;
    ArcReach reach;
    ArcBeliefChange change = {0};
    ArcError err;
    char *text = NULL;
    int code = 0;
    ArcStatus status = arc_experiment_read(options->operands[0], options->n_overrides,
                                           options->overrides, &experiment, &err);
    for (int i = 0; status == ARC_OK && options->json != NULL && i < experiment->n_captures; i++)
        status = arc_output_check_capture(options->json, &experiment->captures[i], &err);
    for (int i = 0; status == ARC_OK && options->json != NULL && i < options->n_corrections; i++)
        status = arc_output_check_input(options->json, options->corrections[i], &err);
    if (status == ARC_OK && options->n_corrections > 0)
        status = arc_correct_read(options, experiment, &change, &err);
    if (status == ARC_OK)
        status = arc_reach_of_experiment(experiment, &reach, &err);
    if (status != ARC_OK)
        code = arc_output_error(&err);
    if (status == ARC_OK && change.n_results > 0 && arc_output_is_text_wanted(options))
        code = print_change(experiment, &change);
    if (status == ARC_OK && code == 0 && arc_output_is_text_wanted(options)) {
        ArcStatus made = arc_reach_text(&reach, &text, &err);
        code = arc_output_text(made, text, &err);
    }
    if (status == ARC_OK && code == 0 && options->json != NULL) {
        ArcStatus made = arc_reach_json(&reach, &text, &err);
        if (made == ARC_OK && change.n_results > 0)
            made = add_change(experiment, &change, &text, &err);
        code = arc_output_json(made, text, options->json, &err);
    }
    if (status == ARC_OK && code == 0 && !reach.is_reachable)
        code = arc_status_exit_code(ARC_NUMERIC);
    arc_experiment_free(experiment);
    return code;
}
