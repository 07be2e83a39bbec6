/* Calibration files: what kind it is, by content, and the handle that comes of it. */
#include "arcfit/calibration.h"

#include "base/file.h"
#include "base/number.h"
#include "capture/calibrator.h"
#include "io/encoding.h"
#include "io/toml.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LIST_BYTES = 300, SHOWN_BYTES = 60, NOTE_BYTES = 400 };

/* A camera that stands further from the origin is worth a word about units. */
static const double far_m = 200;

ArcCalibrationSettings arc_calibration_settings_default(void)
{
    return (ArcCalibrationSettings){.unit_m = NAN};
}

void arc_calibration_free(ArcCalibration *calibration)
{
    if (calibration != NULL)
        arc_arena_free(calibration->arena);
}

void arc_calibrator_note(ArcCalibrator *calibrator, const char *format, ...)
{
    char text[NOTE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *copy = arc_arena_copy_text(calibrator->arena, text, strlen(text));
    if (copy != NULL && calibrator->n_notes < ARC_CALIBRATOR_NOTES)
        calibrator->notes[calibrator->n_notes++] = copy;
}

ArcStatus arc_calibrator_pass_on(const ArcCamera *camera, ArcStatus status, ArcPlace place,
                                 const ArcError *inner, ArcError *err)
{
    if (status == ARC_OK || status == ARC_MEMORY)
        return status == ARC_OK ? ARC_OK : arc_error_no_memory(err);
    const char *name = camera->name == NULL ? "" : camera->name;
    return arc_error_set_at(err, status, place, "%s%.60s%s%s", name[0] == '\0' ? "" : "camera '",
                            name, name[0] == '\0' ? "" : "': ", inner->text);
}

static bool grow(ArcCalibrator *c)
{
    int capacity = c->capacity == 0 ? 8 : 2 * c->capacity;
    size_t room = (size_t)capacity, used = (size_t)c->n_cameras;
    ArcCamera *cameras = ARC_ALLOC(c->arena, room, ArcCamera);
    bool *has_pose = ARC_ALLOC(c->arena, room, bool);
    ArcPlace *places = ARC_ALLOC(c->arena, room, ArcPlace);
    if (cameras == NULL || has_pose == NULL || places == NULL)
        return false;
    if (used > 0) {
        memcpy(cameras, c->cameras, used * sizeof *cameras);
        memcpy(has_pose, c->has_pose, used * sizeof *has_pose);
        memcpy(places, c->places, used * sizeof *places);
    }
    c->cameras = cameras;
    c->has_pose = has_pose;
    c->places = places;
    c->capacity = capacity;
    return true;
}

/* The image's size by the file and the settings, which must agree. */
static ArcStatus settle_size(const ArcCalibrator *c, ArcCamera *camera, ArcPlace place,
                             ArcError *err)
{
    int width = c->settings->width_px, height = c->settings->height_px;
    if (camera->width_px > 0 && width > 0 &&
        (camera->width_px != width || camera->height_px != height))
        return arc_error_set_at(err, ARC_INPUT, place,
                                "the calibration is of images of %d x %d px, but those measured "
                                "have %d x %d px; calibrate in the same mode",
                                camera->width_px, camera->height_px, width, height);
    if (camera->width_px == 0) {
        camera->width_px = width;
        camera->height_px = height;
    }
    return ARC_OK;
}

ArcStatus arc_calibrator_add(ArcCalibrator *c, const ArcCamera *camera, bool has_pose,
                             ArcPlace place, ArcError *err)
{
    ArcCamera made = *camera;
    ArcError inner;
    const char *name = camera->name == NULL ? "" : camera->name;
    ArcStatus status = settle_size(c, &made, place, err);
    if (status != ARC_OK)
        return status;
    status = arc_camera_check(&made, &inner);
    if (status != ARC_OK)
        return arc_calibrator_pass_on(&made, status, place, &inner, err);
    if (!isnan(c->settings->unit_m)) {
        const double unit[ARC_N_CORRECTIONS] = {
            [ARC_CORRECTION_SCALE] = c->settings->unit_m, [ARC_CORRECTION_FOCAL] = 1};
        made = arc_camera_corrected(&made, unit);
    }
    if (has_pose && arc_camera_dimensions(&made) == 3) {
        const double *t = made.translation_m;
        double far = hypot(hypot(t[0], t[1]), t[2]);
        if (far > far_m && isnan(c->settings->unit_m))
            arc_calibrator_note(c,
                                "the camera '%.40s' stands %.6g m from the world's origin; where "
                                "the file's lengths are no metres, say in which unit they are",
                                name, far);
    }
    if (c->n_cameras == c->capacity && !grow(c))
        return arc_error_no_memory(err);
    made.name = arc_arena_copy_text(c->arena, name, strlen(name));
    if (made.name == NULL)
        return arc_error_no_memory(err);
    c->cameras[c->n_cameras] = made;
    c->has_pose[c->n_cameras] = has_pose;
    c->places[c->n_cameras++] = place;
    return ARC_OK;
}

/* The first line that is neither blank nor a comment, without blanks before it. */
static const char *first_line(const char *bytes, size_t size)
{
    const char *at = bytes, *end = bytes + size;
    if (size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    while (at < end) {
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
            at++;
        if (at == end || *at != '#')
            break;
        while (at < end && *at != '\n')
            at++;
    }
    return at; /* bytes have a '\0' behind the last */
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* [table], or key = value. */
static bool is_toml(const char *line)
{
    if (line[0] == '[') {
        const char *name = line + 1 + strspn(line + 1, "[ \t");
        size_t length = strcspn(name, "]\r\n");
        return length > 0 && name[length] == ']' && memchr(name, ',', length) == NULL &&
               memchr(name, '{', length) == NULL && (name[0] < '0' || name[0] > '9') &&
               name[0] != '-';
    }
    return line[strcspn(line, "=:\r\n")] == '=';
}

static bool is_number(const char *line)
{
    line += line[0] == '+' || line[0] == '-' || line[0] == '"';
    line += line[0] == '.' || line[0] == '-';
    return (line[0] >= '0' && line[0] <= '9') || begins(line, "NaN");
}

static ArcStatus read_kind(ArcCalibrator *c, const char *bytes, size_t size, ArcError *err)
{
    const char *line = first_line(bytes, size);
    ArcPlace top = {c->file, 1, 1};
    ArcYamlNode *root = NULL;
    ArcStatus status;
    if (begins(line, "<"))
        return arc_error_set_at(err, ARC_INPUT, top,
                                "XML, which is no calibration that is read; save it as YAML "
                                "(OpenCV: a name that ends in .yml) or as TOML");
    if (begins(line, "MATLAB"))
        return arc_error_set_at(err, ARC_INPUT, top,
                                "a MATLAB file; write its camera matrix, distortion, rotation and "
                                "translation into a YAML file");
    if (begins(line, "Mode,"))
        return arc_calibrator_read_modes(c, bytes, size, err);
    if (is_number(line))
        return arc_calibrator_read_table(c, bytes, size, err);
    if (is_toml(line)) {
        status = arc_toml_parse(c->file, bytes, size, c->arena, &root, err);
        c->format = "toml";
    } else {
        status = arc_yaml_parse_storage(c->file, bytes, size, c->arena, &root, err);
        c->format = begins(line, "%YAML") ? "opencv" : "cameras";
    }
    return status == ARC_OK ? arc_calibrator_read_map(c, root, err) : status;
}

/* Text in another encoding becomes UTF-8; what is no text is left to the parsers, which say where.
 */
static ArcStatus decode(ArcCalibrator *c, char **bytes, size_t *size, ArcError *err)
{
    ArcDecoded decoded;
    ArcStatus status = arc_encoding_decode(c->file, *bytes, *size, c->arena, &decoded, NULL);
    if (status == ARC_OK && decoded.encoding != ARC_ENCODING_UTF8) {
        *bytes = arc_arena_copy_text(c->arena, decoded.text, decoded.size);
        *size = decoded.size;
        if (decoded.encoding == ARC_ENCODING_WINDOWS_1252)
            arc_calibrator_note(c, "read as %s, since it is no UTF-8",
                                arc_encoding_name(decoded.encoding));
    }
    return arc_arena_is_exhausted(c->arena) ? arc_error_no_memory(err) : ARC_OK;
}

ArcStatus arc_calibration_read(const char *file, ArcPlace from,
                               const ArcCalibrationSettings *settings, ArcCalibration **calibration,
                               ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    ArcCalibration *made = arena == NULL ? NULL : ARC_ALLOC(arena, 1, ArcCalibration);
    char *bytes = NULL,
         *name = made == NULL ? NULL : arc_arena_copy_text(arena, file, strlen(file));
    ArcCalibrator c = {.file = name, .from = from, .settings = settings, .arena = arena};
    size_t size = 0;
    if (name != NULL)
        c.notes = ARC_ALLOC(arena, ARC_CALIBRATOR_NOTES, const char *);
    ArcStatus status =
        c.notes == NULL ? arc_error_no_memory(err)
                        : arc_file_read(file, from, ARC_YAML_MAX_BYTES, arena, &bytes, &size, err);
    if (status == ARC_OK && size == 0)
        status = arc_error_set_at(err, ARC_INPUT, (ArcPlace){name, 1, 1}, "empty");
    if (status == ARC_OK)
        status = decode(&c, &bytes, &size, err);
    if (status == ARC_OK)
        status = read_kind(&c, bytes, size, err);
    if (status != ARC_OK) {
        arc_arena_free(arena);
        return status;
    }
    *made = (ArcCalibration){.file = name,
                             .format = c.format,
                             .n_cameras = c.n_cameras,
                             .cameras = c.cameras,
                             .has_pose = c.has_pose,
                             .places = c.places,
                             .n_notes = c.n_notes,
                             .notes = c.notes,
                             .arena = arena};
    *calibration = made;
    return ARC_OK;
}

/* "cam01, cam02, 3": names, or numbers where there is none. */
static const char *camera_list(const ArcCalibration *calibration, char list[LIST_BYTES])
{
    size_t used = 0;
    for (int i = 0; i < calibration->n_cameras; i++) {
        const char *name = calibration->cameras[i].name;
        char number[16];
        snprintf(number, sizeof number, "%d", i + 1);
        if (used + SHOWN_BYTES + 16 > LIST_BYTES) {
            snprintf(list + used, LIST_BYTES - used, ", ...");
            break;
        }
        used += (size_t)snprintf(list + used, LIST_BYTES - used, "%s%.*s", used == 0 ? "" : ", ",
                                 SHOWN_BYTES, name[0] == '\0' ? number : name);
    }
    return list;
}

ArcStatus arc_calibration_find(const ArcCalibration *calibration, const char *entry, ArcPlace place,
                               int *index, ArcError *err)
{
    char list[LIST_BYTES] = "";
    int n = calibration->n_cameras, found = -1, n_found = 0;
    if (entry == NULL || entry[0] == '\0') {
        if (n != 1)
            return arc_error_set_at(err, ARC_INPUT, place,
                                    "'%.80s' has %d cameras: %s; say which with `entry:`",
                                    calibration->file, n, camera_list(calibration, list));
        *index = 0;
        return ARC_OK;
    }
    for (int i = 0; i < n; i++) {
        if (strcmp(calibration->cameras[i].name, entry) != 0)
            continue;
        found = i;
        n_found++;
    }
    if (n_found > 1)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "%d cameras of '%.80s' are called '%.60s'; give the number, from 1",
                                n_found, calibration->file, entry);
    long long number = 0;
    if (n_found == 0 && arc_number_read_integer(entry, strlen(entry), &number) && number >= 1 &&
        number <= n)
        found = (int)number - 1;
    if (found < 0)
        return arc_error_set_at(err, ARC_INPUT, place, "'%.80s' has no camera '%.60s'; it has %s",
                                calibration->file, entry, camera_list(calibration, list));
    *index = found;
    return ARC_OK;
}
