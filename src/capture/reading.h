/* What readers of captures share: looking at bytes, and units. */
#ifndef ARC_CAPTURE_READING_H
#define ARC_CAPTURE_READING_H

#include "capture/formats.h"
#include "capture/recorder.h"

/* How surely a file is of a format: by a mark that no other has; by its looks; only because nothing
 * but its kind of text is known (so that its reader may say what is wrong with it). */
enum { ARC_SURE = 95, ARC_LIKELY = 80, ARC_PERHAPS = 40 };

/* The file as UTF-8 where it is text in any encoding, without a byte-order mark; else its bytes. */
const char *arc_reading_text(const ArcSource *source, size_t *size);

/* True where the text stands within the first bytes of that (0: within all of it). */
bool arc_reading_has(const ArcSource *source, const char *text, size_t within);

/* The first byte that is not blank; '\0' where there is none. */
char arc_reading_first(const ArcSource *source);

/* True where the file begins as a JSON object does, or a list of such. */
bool arc_reading_is_json(const ArcSource *source);

/* 1:1 of the source. */
ArcPlace arc_reading_start(const ArcSource *source);

/* SI value of a unit of length or time as programs write it (m, cm, mm, um, km, in, ft, yd, mile;
 * s, ms, us, ns, min), in any case; NaN where it is unknown. */
double arc_reading_length_unit(const char *text);
double arc_reading_time_unit(const char *text);

/* True for px, pixel, pixels. */
bool arc_reading_is_pixel_unit(const char *text);

/* The whole text as a number; NaN for an empty text, NaN and null. False where it is something
 * else, or not finite. */
bool arc_reading_number(const char *text, double *value);

/* The reader applies units, the file's and the settings', and notes what it takes for granted. */
void arc_reading_in_si(ArcRecorder *recorder);

#endif
