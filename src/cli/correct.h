/* Observed throws that correct what an aim goes by. */
#ifndef ARC_CLI_CORRECT_H
#define ARC_CLI_CORRECT_H

#include "cli/options.h"

#include "arcfit/belief.h"

/* The results of --correct, added to what the experiment (and aim.from) has; its parameters then
 * start at the means of that. */
ArcStatus arc_correct_read(const ArcOptions *options, ArcExperiment *experiment,
                           ArcBeliefChange *change, ArcError *err);

#endif
