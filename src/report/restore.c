/* The experiment of a result: its text parsed again, own equations from a copy where their file
 * has changed or is gone. */
#include "arcfit/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OVERRIDE = 1024 };

/* Overrides of the result's own and two more. */
typedef struct Restored {
    const char **overrides;
    int n;
    char *folder; /* of the plug-in's copy; NULL: there is none */
    char file[MOST_OVERRIDE];
    char plugin[2 * MOST_OVERRIDE + 32];
} Restored;

/* Whether the plug-in's file still holds the result's text. */
static bool is_unchanged(const ArcResult *result)
{
    size_t size = strlen(result->model_text), at = 0;
    FILE *file = fopen(result->model_path, "r");
    bool same = file != NULL;
    for (int c = same ? getc(file) : EOF; same && c != EOF; c = getc(file))
        same = at < size && (unsigned char)result->model_text[at++] == c;
    if (file != NULL)
        fclose(file);
    return same && at == size;
}

/* The override, its path in quotes, of which one within is doubled. */
static void name_copy(Restored *restored)
{
    static const char key[] = "model.plugin='";
    char *to = restored->plugin;
    memcpy(to, key, sizeof key);
    to += sizeof key - 1;
    for (const char *from = restored->file; *from != '\0'; from++) {
        if (*from == '\'')
            *to++ = '\'';
        *to++ = *from;
    }
    memcpy(to, "'", 2);
}

static ArcStatus write_copy(const ArcResult *result, Restored *restored, ArcError *err)
{
    const char *temporary = getenv("TMPDIR");
    char made[MOST_OVERRIDE];
    if (temporary == NULL || temporary[0] == '\0')
        temporary = "/tmp";
    snprintf(made, sizeof made, "%.900s/arcfit-XXXXXX", temporary);
    /* Whole, since a relative path would count from the experiment's folder. */
    if (mkdtemp(made) != NULL)
        restored->folder = realpath(made, NULL);
    if (restored->folder == NULL)
        return arc_error_set(err, ARC_SYSTEM, "error: no folder can be made in '%.400s': %s",
                             temporary, strerror(errno));
    snprintf(restored->file, sizeof restored->file, "%.1000s/model.c", restored->folder);
    size_t size = strlen(result->model_text);
    FILE *file = fopen(restored->file, "w");
    bool written = file != NULL && fwrite(result->model_text, 1, size, file) == size;
    if (file != NULL && fclose(file) != 0)
        written = false;
    if (!written)
        return arc_error_set(err, ARC_SYSTEM, "error: cannot write '%.400s'", restored->file);
    name_copy(restored);
    restored->overrides[restored->n++] = restored->plugin;
    return ARC_OK;
}

/* The copy is loaded by now. */
static void remove_copy(const Restored *restored)
{
    if (restored->folder == NULL)
        return;
    unlink(restored->file);
    rmdir(restored->folder);
    free(restored->folder);
}

ArcStatus arc_report_experiment(const ArcResult *result, ArcExperiment **experiment, ArcError *note,
                                ArcError *err)
{
    Restored restored = {.n = 0};
    ArcStatus status = ARC_OK;
    *experiment = NULL;
    if (note != NULL)
        *note = (ArcError){.status = ARC_OK};
    restored.overrides = calloc((size_t)result->n_overrides + 2, sizeof *restored.overrides);
    if (restored.overrides == NULL)
        return arc_error_set(err, ARC_MEMORY, "error: out of memory");
    while (restored.n < result->n_overrides) {
        restored.overrides[restored.n] = result->overrides[restored.n];
        restored.n++;
    }
    restored.overrides[restored.n++] = "fit.pinn.net=auto";
    if (result->model_text != NULL && !is_unchanged(result)) {
        bool is_there = access(result->model_path, R_OK) == 0;
        arc_error_set(
            note, ARC_OK,
            "%s:1:1: warning: this file %s; the equations are those that the result holds",
            result->model_path, is_there ? "has changed since the fit" : "cannot be read");
        status = write_copy(result, &restored, err);
    }
    if (status == ARC_OK)
        status = arc_experiment_parse(result->experiment_path, result->experiment_text,
                                      strlen(result->experiment_text), restored.n,
                                      restored.overrides, experiment, err);
    remove_copy(&restored);
    free(restored.overrides);
    /* Of several flights the fit itself has those that they share. */
    const ArcFit *fit = result->fits[0];
    const ArcFit *whole = fit->n_flights > 0 ? &fit->flights[0] : fit;
    if (status == ARC_OK && (*experiment)->n_parameters != whole->n_parameters) {
        arc_experiment_free(*experiment);
        *experiment = NULL;
        status = arc_error_set(err, ARC_INPUT, "error: the result does not fit its experiment");
    }
    return status;
}
