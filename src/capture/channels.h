/* Captures of own equations: a table of text with a column for each channel that was seen
 * (channel_columns.h), a row a time. An empty cell is missing. */
#ifndef ARC_CAPTURE_CHANNELS_H
#define ARC_CAPTURE_CHANNELS_H

#include "arcfit/capture.h"
#include "arcfit/equations.h"
#include "base/arena.h"

/* read_channels.c. The runs of settings' file, *n of them, in scratch; each is to be freed. On
 * failure there are none. */
ArcStatus arc_channels_read(const ArcCaptureSettings *settings, ArcArena *scratch, int *n,
                            ArcCapture ***captures, ArcError *err);

/* Copies n channels' names and units into the capture's arena. ARC_MEMORY. */
ArcStatus arc_channels_keep(int n, const ArcParameterInfo *channels, ArcCapture *capture,
                            ArcError *err);

/* channels_write.c: as arc_captures_text. */
ArcStatus arc_channels_text(int n, const ArcCapture *const *captures, const char *comment,
                            char **text, ArcError *err);

#endif
