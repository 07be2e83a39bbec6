/* What the files that hold the table's rows share: how a row is written, and which parts there are.
 *
 * A row stands in the file of its section. The parts are read in this order, so that what depends
 * on another section comes behind it.
 */
#ifndef ARC_EXPERIMENT_SETTINGS_ROWS_H
#define ARC_EXPERIMENT_SETTINGS_ROWS_H

#include "experiment/settings.h"

#include <stddef.h>

typedef struct ArcSettingPart {
    int n;
    const ArcSettingRow *rows;
} ArcSettingPart;

extern const ArcSettingPart arc_settings_capture;   /* the file, capture */
extern const ArcSettingPart arc_settings_flight;    /* flight, release */
extern const ArcSettingPart arc_settings_arm;       /* arm */
extern const ArcSettingPart arc_settings_closure;   /* closure */
extern const ArcSettingPart arc_settings_fit;       /* parameters, derived, fit */
extern const ArcSettingPart arc_settings_randomise; /* randomise */
extern const ArcSettingPart arc_settings_aim;       /* aim */
extern const ArcSettingPart arc_settings_simulate;  /* simulate, output, net file */

/* The name of an enumerator; NULL behind the last. */
static inline const char *choice_of(const char *const *names, int n, int index)
{
    return index >= 0 && index < n ? names[index] : NULL;
}

#define FIELD_FOR(type, field, optimizer)                                                          \
    offsetof(type, field), sizeof(((type *)NULL)->field), optimizer
#define FIELD(type, field) FIELD_FOR(type, field, NULL)
#define OF(field) FIELD(ArcExperiment, field)
#define NO_FIELD 0, 0, NULL
#define CAMERA(field) FIELD(ArcCameraSettings, field)
#define ADAM(field) FIELD_FOR(ArcStage, field, "adam")
#define RANGE(quantity, low, high) quantity, low, high, NULL, NULL, NULL, NULL
#define CHOICE(function) ARC_ONE, 0, 0, function, NULL, NULL, NULL
#define READ(function, accepts, shape) ARC_ONE, 0, 0, NULL, function, accepts, shape
#define PLAIN SHAPED(NULL)
#define SHAPED(shape) ARC_ONE, 0, 0, NULL, NULL, NULL, shape
#define PART(rows)                                                                                 \
    {                                                                                              \
        (int)(sizeof rows / sizeof rows[0]), rows                                                  \
    }

#endif
