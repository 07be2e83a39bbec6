/* The table of settings as a JSON Schema. */
#include "experiment/settings.h"

ArcStatus arc_settings_schema(char **text, ArcError *err)
{
    (void)text;
    return arc_error_set(err, ARC_USAGE, "error: there is no schema yet");
}
