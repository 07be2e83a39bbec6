#include "fit/uncertainty.h"
ArcStatus arc_sample_run(ArcExplorer *explorer, int n, ArcUncertainty *uncertainty, ArcError *err){(void)explorer;(void)n;(void)uncertainty;(void)err;return ARC_OK;}
