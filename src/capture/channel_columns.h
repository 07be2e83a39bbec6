/* Which column of a table is which channel of own equations.
 *
 * Columns are found by the header: time_s (t, "time (ms)"); NAME of a channel with its unit behind,
 * theta_rad, theta_deg, "theta (deg)", else in the channel's own unit; sigma_NAME likewise, else in
 * the unit of its channel's column; flight, which counts runs. Names in the case of the model's,
 * else in any. The settings' `columns` and `units` win.
 */
#ifndef ARC_CAPTURE_CHANNEL_COLUMNS_H
#define ARC_CAPTURE_CHANNEL_COLUMNS_H

#include "arcfit/capture.h"
#include "arcfit/equations.h"
#include "base/arena.h"
#include "capture/notes.h"
#include "io/delimited.h"

/* A column that holds numbers; index -1: the file has none. */
typedef struct ArcChannelColumn {
    int index;
    double scale;    /* of its number in the channel's unit, or in s */
    bool is_assumed; /* nothing tells the unit */
} ArcChannelColumn;

typedef struct ArcChannelColumns {
    ArcChannelColumn time;
    int flight;                                         /* -1: none */
    ArcChannelColumn value[ARC_EQUATIONS_MAX_CHANNELS]; /* (n_channels) */
    ArcChannelColumn sigma[ARC_EQUATIONS_MAX_CHANNELS]; /* (n_channels) */
    bool *is_known;                                     /* (n_columns) */
} ArcChannelColumns;

/* In the arena. ARC_INPUT at the header, or at the settings' choice: no times,
 * no channel, two columns for one, a unit of something else. */
ArcStatus arc_channel_columns_find(const ArcCaptureSettings *settings, const ArcTable *table,
                                   ArcArena *arena, ArcChannelColumns *columns, ArcError *err);

/* Notes the columns that nobody reads, and units that were taken for granted. */
void arc_channel_columns_note(const ArcCaptureSettings *settings, const ArcTable *table,
                              const ArcChannelColumns *columns, ArcNotes *notes);

#endif
