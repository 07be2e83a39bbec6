/* The parameters that flights and arms can have, by the tables of their laws. */
#ifndef ARC_CLI_PARAMETER_NAMES_H
#define ARC_CLI_PARAMETER_NAMES_H

#include "arcfit/error.h"

enum { ARC_KNOWN_PARAMETERS = 128 };

typedef struct ArcKnownParameter {
    char name[32], unit[16], doc[200];
} ArcKnownParameter;

typedef struct ArcKnownParameters {
    int n;
    ArcKnownParameter rows[ARC_KNOWN_PARAMETERS];
} ArcKnownParameters;

/* Those of every law, of both releases and of an arm of two joints, each once. ARC_MEMORY. */
ArcStatus arc_known_parameters(ArcKnownParameters *known, ArcError *err);

#endif
