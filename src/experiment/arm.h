/* The arm of an experiment, for who reads its parameters. */
#ifndef ARC_EXPERIMENT_ARM_H
#define ARC_EXPERIMENT_ARM_H

#include "experiment/reader.h"

/* True where --set gives a release of another kind: the file's arm and what belongs to it are then
 * left out. */
bool arc_arm_is_left_out(const ArcReader *reader);

/* Index of the arm's first parameter among all; behind the last place of any without an arm. */
int arc_arm_first_parameter(const ArcExperiment *experiment);

/* Ties the release to the arm, whose parameters were appended with their defaults: which are free,
 * bounds by the joints' limits, sharing. */
void arc_arm_set_parameters(ArcExperiment *experiment);

/* Whether parameter i is the arm's and begins at its default, not by the data. */
bool arc_arm_has_default(const ArcExperiment *experiment, int i);

/* What would bring a parameter of the arm of this name, into owner; it stays as it is where no arm
 * has one. */
void arc_arm_owner(const ArcExperiment *experiment, const char *name, char owner[64]);

/* The message on a parameter that follows from the arm. */
ArcStatus arc_arm_refuse_tied(const ArcExperiment *experiment, const ArcYamlNode *node,
                              ArcError *err);

#endif
