/* Calibration files written for a test, and the messages that they are refused with. Include after
 * cmocka.h. */
#ifndef CALIBRATION_CASE_H
#define CALIBRATION_CASE_H

#include "arcfit/calibration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the experiment would name the file. */
static const ArcPlace here = {"e.yaml", 5, 7};

static char calibration_file[64];
static ArcError calibration_error;

static inline ArcCalibrationSettings plain(void)
{
    return arc_calibration_settings_default();
}

static inline const char *calibration_write_bytes(const char *bytes, size_t size)
{
    snprintf(calibration_file, sizeof calibration_file, "/tmp/arc_calibration_%d", (int)getpid());
    FILE *file = fopen(calibration_file, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    return calibration_file;
}

static inline const char *calibration_write(const char *text)
{
    return calibration_write_bytes(text, strlen(text));
}

static inline ArcStatus calibration_try(const char *text, const ArcCalibrationSettings *settings,
                                        ArcCalibration **calibration)
{
    ArcStatus status = arc_calibration_read(calibration_write(text), here, settings, calibration,
                                            &calibration_error);
    unlink(calibration_file);
    return status;
}

/* The cameras of a sound text; the caller frees. */
static inline ArcCalibration *calibration_of(const char *text,
                                             const ArcCalibrationSettings *settings)
{
    ArcCalibration *calibration = NULL;
    if (calibration_try(text, settings, &calibration) != ARC_OK)
        fail_msg("%s", calibration_error.text);
    return calibration;
}

/* message: behind the file's name, or from "e.yaml" on. */
static inline void assert_calibration_refused(const char *text,
                                              const ArcCalibrationSettings *settings,
                                              const char *message)
{
    ArcCalibration *calibration = NULL;
    ArcStatus status = calibration_try(text, settings, &calibration);
    const char *said = calibration_error.text;
    if (strncmp(said, calibration_file, strlen(calibration_file)) == 0)
        said += strlen(calibration_file);
    if (status != ARC_INPUT || strncmp(said, message, strlen(message)) != 0)
        fail_msg("status %d, '%s' instead of '%s'", (int)status, said, message);
    assert_null(calibration);
}

/* text with the first `from` replaced by `to`; good until the next call. */
static inline const char *altered(const char *text, const char *from, const char *to)
{
    static char made[8192];
    const char *at = strstr(text, from);
    assert_non_null(at);
    snprintf(made, sizeof made, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return made;
}

#endif
