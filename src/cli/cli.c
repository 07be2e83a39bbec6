/* The program: reads the options and hands over to the command. */
#include "cli/cli.h"

#include "arcfit/version.h"
#include "cli/commands.h"
#include "cli/manual.h"
#include "cli/output.h"

#include <cblas.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

static int cli_run(const ArcOptions *options)
{
    switch (options->command) {
    case ARC_COMMAND_CHECK:
        return arc_command_check(options);
    case ARC_COMMAND_FIT:
        return arc_command_fit(options);
    case ARC_COMMAND_COMPARE:
        return arc_command_compare(options);
    case ARC_COMMAND_PREDICT:
        return arc_command_predict(options);
    case ARC_COMMAND_SIMULATE:
        return arc_command_simulate(options);
    case ARC_COMMAND_AIM:
        return arc_command_aim(options);
    case ARC_COMMAND_TRACK:
        return arc_command_track(options);
    case ARC_COMMAND_REPORT:
        return arc_command_report(options);
    case ARC_COMMAND_IMPORT:
        return arc_command_import(options);
    case ARC_COMMAND_MODELS:
        return arc_command_models(options);
    case ARC_COMMAND_HELP:
        return arc_command_help(options);
    }
    return arc_status_exit_code(ARC_USAGE);
}

/* What `arcfit help COMMAND` says. */
static void cli_help(const ArcOptions *options)
{
    ArcWriter writer = {.stream = stdout};
    if ((int)options->command == 0)
        arc_manual_overview(&writer);
    else
        arc_manual_command(&writer, options->command);
}

int arc_cli_main(int argc, char **argv)
{
    ArcOptions options;
    ArcError err;
    int code = 0;
    /* A file that grows past a limit must be an error that we report, not the end. */
    signal(SIGXFSZ, SIG_IGN);
    arc_output_catch_crashes();
    /* Experiments run side by side; a second level of threads would only change bits. */
    openblas_set_num_threads(1);
    if (arc_options_read(argc, argv, &options, &err) != ARC_OK)
        return arc_output_error(&err);
    if (arc_output_check_operands(&options, &err) != ARC_OK) {
        arc_options_free(&options);
        return arc_output_error(&err);
    }
    if (options.version)
        printf("arcfit %s\n", ARC_VERSION);
    else if (options.help)
        cli_help(&options);
    else
        code = cli_run(&options);
    arc_options_free(&options);
    /* What was not yet flushed may fail now; a failure before is told by the stream alone. */
    errno = 0;
    bool is_flushed = fflush(stdout) == 0;
    if ((!is_flushed || ferror(stdout)) && code < arc_status_exit_code(ARC_SYSTEM)) {
        fprintf(stderr, "error: cannot write to standard output%s%s\n", errno == 0 ? "" : ": ",
                errno == 0 ? "" : strerror(errno));
        code = arc_status_exit_code(ARC_SYSTEM);
    }
    return code;
}
