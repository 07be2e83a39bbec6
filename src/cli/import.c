/* arcfit import: any supported capture as the canonical CSV. What the file cannot know comes from
 * keys of an experiment's capture (--set capture.rate=...). */
#include "cli/commands.h"

#include "arcfit/recording.h"
#include "arcfit/text.h"
#include "cli/output.h"

#include <math.h>
#include <string.h>

static int import_formats(void)
{
    for (int i = 0; arc_format_name(i) != NULL; i++)
        arc_output_row(arc_format_name(i), arc_format_what(i));
    return 0;
}

/* What was read, and what was taken for granted, on standard error. */
static void import_tell(const ArcOptions *options, const ArcRecording *recording)
{
    const char *what = recording->axes == 0    ? "pixels"
                       : recording->has_pixels ? "positions and pixels"
                       : recording->axes == 2  ? "positions in the plane"
                                               : "positions in space";
    if (options->quiet)
        return;
    fprintf(stderr, "%s: format %s%s%s%s, %d row%s, %s\n", recording->file, recording->format,
            recording->track[0] == '\0' ? "" : ", track '", recording->track,
            recording->track[0] == '\0' ? "" : "'", recording->n_samples,
            recording->n_samples == 1 ? "" : "s", what);
    for (int i = 0; i < recording->n_notes; i++)
        fprintf(stderr, "%s: note: %s\n", recording->file, recording->notes[i]);
    if (!recording->has_times)
        fprintf(stderr,
                "%s: warning: frame numbers but no times; an experiment that uses the "
                "canonical file must give `rate:`, or give it here: --set capture.rate='120 Hz'\n",
                recording->file);
}

static bool import_has_file(const ArcOptions *options)
{
    return options->out != NULL && strcmp(options->out, "-") != 0;
}

/* That -o can be written, and is not the file that is read. */
static ArcStatus import_check_out(const ArcOptions *options, ArcError *err)
{
    if (!import_has_file(options))
        return ARC_OK;
    ArcStatus status = arc_output_check_path(options->out, err);
    return status == ARC_OK ? arc_output_check_input(options->out, options->operands[0], err)
                            : status;
}

static ArcStatus import_write(const ArcOptions *options, const ArcRecording *recording,
                              ArcError *err)
{
    char *text = NULL;
    char comment[256];
    snprintf(comment, sizeof comment, "arcfit import, from format %s", recording->format);
    if (import_has_file(options))
        return arc_recording_write(recording, comment, options->out, err);
    ArcStatus status = arc_recording_text(recording, comment, &text, err);
    if (status == ARC_OK)
        fputs(text, stdout);
    arc_text_free(text);
    return status;
}

int arc_command_import(const ArcOptions *options)
{
    static const char empty[] = "arcfit: 1\n";
    ArcError err;
    ArcExperiment *experiment = NULL;
    ArcRecording *recording = NULL;
    if (options->formats)
        return import_formats();
    ArcStatus status = import_check_out(options, &err);
    if (status == ARC_OK)
        status = arc_experiment_parse("import", empty, sizeof empty - 1, options->n_overrides,
                                      options->overrides, &experiment, &err);
    if (status == ARC_OK) {
        ArcCaptureSettings settings = experiment->capture;
        settings.file = options->operands[0];
        settings.place = (ArcPlace){NULL, 0, 0};
        settings.dimensions = 0;
        if (options->out != NULL)
            status = arc_output_check_capture(options->out, &settings, &err);
        if (status == ARC_OK)
            status = arc_recording_read(&settings, &recording, &err);
    }
    if (status == ARC_OK)
        status = import_write(options, recording, &err);
    if (status == ARC_OK)
        import_tell(options, recording);
    arc_recording_free(recording);
    arc_experiment_free(experiment);
    return status == ARC_OK ? 0 : arc_output_error(&err);
}
