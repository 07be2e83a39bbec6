/* The experiment of a result, as it was when it was fitted. */
#ifndef ARC_CLI_RESTORE_H
#define ARC_CLI_RESTORE_H

#include "arcfit/result.h"

/* Its net is not needed, so that no net file is. Own equations come from their file, or from the
 * text in the result where that file has changed or is gone, which is warned of. */
ArcStatus arc_restore_experiment(const ArcResult *result, ArcExperiment **experiment,
                                 ArcError *err);

#endif
