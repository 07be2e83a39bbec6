/* arcfit aim: the throws that hit a target, or whether the experiment's arm can give its ball a
 * wanted release, and what is missing where it cannot be done.
 *
 * A file is written with -o alone: the experiment's output.file is where its fit goes. */
#include "cli/commands.h"
#include "cli/correct.h"
#include "cli/output.h"

#include "arcfit/aim.h"

#include <string.h>

/* What was found: of a target aim, of a release reach. */
typedef struct Found {
    ArcAim *aim;
    ArcReach reach;
    bool is_reachable;
    ArcBeliefChange change; /* by --correct; of no results without */
} Found;

/* Nothing that was read is written to. */
static ArcStatus check_paths(const ArcOptions *options, const ArcExperiment *experiment,
                             ArcError *err)
{
    const char *const written[] = {options->out, options->json};
    ArcStatus status = ARC_OK;
    for (int k = 0; k < 2 && status == ARC_OK; k++) {
        bool is_file = written[k] != NULL && strcmp(written[k], "-") != 0;
        if (written[k] != NULL && (k == 0 || is_file))
            status = arc_output_check_path(written[k], err);
        if (status == ARC_OK && is_file)
            status = arc_output_check_input(written[k], experiment->aim.from_file, err);
        for (int i = 0; is_file && i < options->n_corrections && status == ARC_OK; i++)
            status = arc_output_check_input(written[k], options->corrections[i], err);
        for (int i = 0; is_file && i < experiment->n_captures && status == ARC_OK; i++)
            status = arc_output_check_capture(written[k], &experiment->captures[i], err);
    }
    if (status == ARC_OK && options->out != NULL && options->json != NULL &&
        strcmp(options->out, options->json) == 0)
        return arc_error_set(err, ARC_USAGE, "error: two things would be written to '%.200s'",
                             options->out);
    if (status == ARC_OK && options->out != NULL && strcmp(options->out, "-") == 0)
        return arc_error_set(err, ARC_USAGE,
                             "error: -o wants the name of a file; on standard output is --json -");
    if (status == ARC_OK && options->out != NULL && !arc_goal_is_target(&experiment->aim.goal))
        return arc_error_set(err, ARC_USAGE,
                             "error: -o is for the throws that hit a target; of a release --json "
                             "has all");
    return status;
}

static ArcStatus find(const ArcOptions *options, const ArcExperiment *experiment, Found *found,
                      ArcError *err)
{
    const ArcAimOptions how = {.threads = options->threads};
    ArcStatus status = ARC_OK;
    if (arc_goal_is_target(&experiment->aim.goal)) {
        const ArcBelief *belief = found->change.n_results > 0 ? &found->change.after : NULL;
        status = arc_aim_find(experiment, belief, &how, &found->aim, err);
        found->is_reachable = status == ARC_OK && found->aim->is_reachable;
        return status;
    }
    status = arc_reach_of_experiment(experiment, &found->reach, err);
    found->is_reachable = status == ARC_OK && found->reach.is_reachable;
    return status;
}

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

static int print(const ArcOptions *options, const ArcExperiment *experiment, const Found *found)
{
    ArcError err;
    char *text = NULL;
    int code = 0;
    bool is_text = arc_output_is_text_wanted(options), has_change = found->change.n_results > 0;
    if (is_text && has_change)
        code = print_change(experiment, &found->change);
    if (code == 0 && is_text) {
        ArcStatus made = found->aim != NULL ? arc_aim_text(found->aim, &text, &err)
                                            : arc_reach_text(&found->reach, &text, &err);
        code = arc_output_text(made, text, &err);
    }
    if (code == 0 && options->json != NULL) {
        ArcStatus made = found->aim != NULL ? arc_aim_json(found->aim, &text, &err)
                                            : arc_reach_json(&found->reach, &text, &err);
        if (made == ARC_OK && has_change)
            made = add_change(experiment, &found->change, &text, &err);
        code = arc_output_json(made, text, options->json, &err);
    }
    return code;
}

int arc_command_aim(const ArcOptions *options)
{
    ArcExperiment *experiment = NULL;
    Found found = {.aim = NULL};
    ArcError err;
    int code = 0;
    ArcStatus status = arc_experiment_read(options->operands[0], options->n_overrides,
                                           options->overrides, &experiment, &err);
    if (status == ARC_OK)
        status = check_paths(options, experiment, &err);
    if (status == ARC_OK && options->n_corrections > 0)
        status = arc_correct_read(options, experiment, &found.change, &err);
    if (status == ARC_OK)
        status = find(options, experiment, &found, &err);
    if (status == ARC_OK && options->out != NULL)
        status = arc_aim_write(found.aim, options->out, &err);
    code = status == ARC_OK ? print(options, experiment, &found) : arc_output_error(&err);
    if (code == 0 && !found.is_reachable)
        code = arc_status_exit_code(ARC_NUMERIC);
    arc_aim_free(found.aim);
    arc_experiment_free(experiment);
    return code;
}
