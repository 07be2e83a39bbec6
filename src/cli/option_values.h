/* Values of options, read into what the command line says. Errors are ARC_USAGE, or
 * arc_value_read's with the option for its place. */
#ifndef ARC_CLI_OPTION_VALUES_H
#define ARC_CLI_OPTION_VALUES_H

#include "cli/options.h"

/* From 1 to most. */
ArcStatus arc_option_read_whole(const char *text, const char *option, long most, int *value,
                                ArcError *err);

/* With a unit, into SI. */
ArcStatus arc_option_read_value(const char *text, const char *option, const char *unit,
                                double *value, ArcError *err);

/* One of the names that name gives by index, up to NULL. */
ArcStatus arc_option_read_name(const char *text, const char *option, const char *(*name)(int index),
                               int *value, ArcError *err);

ArcStatus arc_option_read_plane(ArcOptions *options, const char *text, ArcError *err);
ArcStatus arc_option_read_sigma(ArcOptions *options, const char *text, ArcError *err);
ArcStatus arc_option_read_seed(ArcOptions *options, const char *text, ArcError *err);

/* As overrides: of --profile, of a whole number fit.KEY, of --bootstrap-kind. */
ArcStatus arc_option_add_profile(ArcOptions *options, const char *name, ArcError *err);
ArcStatus arc_option_set_count(ArcOptions *options, char text[64], const char *key,
                               const char *value, ArcError *err);
ArcStatus arc_option_set_bootstrap_kind(ArcOptions *options, const char *value, ArcError *err);

#endif
