/* Where the flight leaves the equations of motion, as parts of the reports. */
#ifndef ARC_REPORT_BREACH_PARTS_H
#define ARC_REPORT_BREACH_PARTS_H

#include "arcfit/result.h"
#include "base/text.h"
#include "io/hdf5.h"
#include "io/json.h"

/* A breach less likely than this by chance is worth telling. */
#define ARC_BREACH_TOLD_P 0.01

/* "5.63 ± 0.10 m/s^2 backwards from 0.392 to 0.566 s". */
void arc_breach_parts_phrase(ArcText *text, const ArcBreach *breach);

/* "p 0.02", "p < 0.0005" at the least that drawing can give. */
void arc_breach_parts_chance(ArcText *text, double p);

/* The entry "physics" of a table; nothing where nothing was searched. */
void arc_breach_parts_entry(ArcText *table, const ArcBreach *breach);

/* An object of d axes; null where nothing was searched. */
json_t *arc_breach_parts_json(ArcJson *json, const ArcBreach *breach, int d);

/* As attributes of /comparison/physics, which is missing where nothing was searched. */
void arc_breach_parts_write(ArcHdf5 *file, const ArcBreach *breach);
void arc_breach_parts_read(ArcHdf5 *file, ArcBreach *breach);

#endif
