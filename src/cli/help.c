/* arcfit help: the commands, one command, the settings of an experiment, the units. */
#include "cli/commands.h"
#include "cli/output.h"

#include "arcfit/experiment.h"

#include <string.h>

const char *arc_help_form_name(int index)
{
    static const char *const names[] = {"text", "man", "schema", "bash", "zsh", "fish"};
    return index >= 0 && index < 6 ? names[index] : NULL;
}

int arc_command_help(const ArcOptions *options)
{
    ArcError err;
    char *text = NULL;
    if (options->n_operands == 0) {
        arc_command_usage(stdout, (ArcCommand)0);
        return 0;
    }
    const char *topic = options->operands[0];
    if (strcmp(topic, "settings") == 0) {
        ArcStatus status = arc_settings_text(&text, &err);
        return arc_output_text(status, text, &err);
    }
    bool is_net = strcmp(topic, "nets") == 0;
    if (options->form == ARC_HELP_SCHEMA && (is_net || strcmp(topic, "experiment") == 0)) {
        ArcStatus status = is_net ? arc_net_schema(&text, &err) : arc_settings_schema(&text, &err);
        return arc_output_text(status, text, &err);
    }
    if (strcmp(topic, "units") == 0) {
        ArcStatus status = arc_units_text(&text, &err);
        return arc_output_text(status, text, &err);
    }
    ArcCommand command = arc_command_find(topic, &err);
    if ((int)command == 0)
        return arc_output_error(&err);
    arc_command_usage(stdout, command);
    return 0;
}
