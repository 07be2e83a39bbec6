/* See option_values.h. */
#include "cli/option_values.h"

#include "arcfit/experiment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COUNT = 1000000 };

ArcStatus arc_option_read_whole(const char *text, const char *option, long most, int *value,
                                ArcError *err)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || number < 1 || number > most)
        return arc_error_set(err, ARC_USAGE,
                             "error: %s wants a whole number from 1 to %ld, not '%.100s'", option,
                             most, text);
    *value = (int)number;
    return ARC_OK;
}

ArcStatus arc_option_read_value(const char *text, const char *option, const char *unit,
                                double *value, ArcError *err)
{
    return arc_value_read(text, unit, (ArcPlace){option, 1, 1}, value, err);
}

ArcStatus arc_option_read_name(const char *text, const char *option, const char *(*name)(int index),
                               int *value, ArcError *err)
{
    char all[128] = "";
    for (int i = 0; name(i) != NULL; i++) {
        if (strcmp(name(i), text) == 0) {
            *value = i;
            return ARC_OK;
        }
        size_t length = strlen(all);
        snprintf(all + length, sizeof all - length, "%s%s", i == 0 ? "" : ", ", name(i));
    }
    return arc_error_set(err, ARC_USAGE, "error: %s wants one of %s, not '%.100s'", option, all,
                         text);
}

/* "y=3.05m" */
ArcStatus arc_option_read_plane(ArcOptions *options, const char *text, ArcError *err)
{
    const char *axes = "xyz", *axis = text[0] == '\0' ? NULL : strchr(axes, text[0]);
    if (axis == NULL || text[1] != '=')
        return arc_error_set(err, ARC_USAGE,
                             "error: --plane wants an axis and a value as y=3.05m, not '%.100s'",
                             text);
    ArcPlane *plane = &options->planes[options->n_planes];
    plane->axis = (int)(axis - axes);
    ArcStatus status = arc_option_read_value(text + 2, "--plane", "m", &plane->level_m, err);
    options->n_planes += status == ARC_OK;
    return status;
}

/* A length, or a number of pixels, which is told by its unit. */
ArcStatus arc_option_read_sigma(ArcOptions *options, const char *text, ArcError *err)
{
    size_t length = strlen(text);
    bool is_px = length > 2 && strcmp(text + length - 2, "px") == 0;
    double *value = is_px ? &options->sigma_px : &options->sigma_m;
    return arc_option_read_value(text, "--sigma", is_px ? "px" : "m", value, err);
}

ArcStatus arc_option_read_seed(ArcOptions *options, const char *text, ArcError *err)
{
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || text[digits] != '\0' || digits > 20)
        return arc_error_set(err, ARC_USAGE, "error: --seed wants a whole number, not '%.100s'",
                             text);
    if (options->seed[0] == '\0')
        options->overrides[options->n_overrides++] = options->seed;
    snprintf(options->seed, sizeof options->seed, "fit.seed=%.20s", text);
    return ARC_OK;
}

/* "fit.profile=[a]", then "fit.profile=[a, b]". */
ArcStatus arc_option_add_profile(ArcOptions *options, const char *name, ArcError *err)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    char *text = options->profile;
    size_t length = strlen(text);
    if (name[0] == '\0' || name[strspn(name, letters)] != '\0')
        return arc_error_set(err, ARC_USAGE,
                             "error: --profile wants a parameter's name, not '%.100s'", name);
    if (length == 0)
        options->overrides[options->n_overrides++] = text;
    sprintf(text + (length == 0 ? 0 : length - 1), "%s%s]", length == 0 ? "fit.profile=[" : ", ",
            name);
    return ARC_OK;
}

/* An override that the last of several options wins. */
static void set_override(ArcOptions *options, char text[64], const char *key, const char *value)
{
    if (text[0] == '\0')
        options->overrides[options->n_overrides++] = text;
    snprintf(text, 64, "fit.%s=%.32s", key, value);
}

ArcStatus arc_option_set_count(ArcOptions *options, char text[64], const char *key,
                               const char *value, ArcError *err)
{
    int count;
    char option[32];
    snprintf(option, sizeof option, "--%s", key);
    ArcStatus status = arc_option_read_whole(value, option, MOST_COUNT, &count, err);
    if (status == ARC_OK)
        set_override(options, text, key, value);
    return status;
}

ArcStatus arc_option_set_bootstrap_kind(ArcOptions *options, const char *value, ArcError *err)
{
    int kind;
    ArcStatus status =
        arc_option_read_name(value, "--bootstrap-kind", arc_bootstrap_name, &kind, err);
    if (status == ARC_OK)
        set_override(options, options->bootstrap_kind, "bootstrap_kind", value);
    return status;
}
