/* Tracker's own files: .trk (XML), and .trz (zip with one or more .trk).
 *
 * Marks are in image pixels from the upper left corner of the picture, y down, so that the centre
 * of the first pixel is (0.5, 0.5). The world by the file's coordinate system, with its origin (xo,
 * yo) in px, its angle a from the image's x to the world's and its scales in px a length unit:
 *
 *     p = (x - xo) / xscale,  q = -(y - yo) / yscale
 *     X = p cos a + q sin a,  Y = -p sin a + q cos a
 *     t = starttime + (frame - startframe) delta_t
 *
 * The system holds from the frame that names it on. Tracker shows marks on the steps of the clip
 * alone, and so does this.
 */
#include "capture/reading.h"
#include "io/xml.h"
#include "io/zip.h"

#include "capture/points.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_BYTES = 4096 };

/* The system from a frame on. */
typedef struct System {
    int frame;
    double origin_px[2], cosine, sine, scale_px[2];
} System;

typedef struct Panel {
    const ArcSource *source;
    const char *prefix; /* of track names; "" where the file is alone */
    int n_systems;
    System *systems; /* by rising frame */
    int start_frame, step_size, step_count;
    double start_time_s, frame_s;
    double unit_m;    /* NaN: in px alone */
    double height_px; /* NaN: unknown */
    int n_outside;    /* marks beside the clip's steps */
} Panel;

int arc_tracker_trk_detect(const ArcSource *source)
{
    if (arc_reading_first(source) != '<')
        return 0;
    if (arc_reading_has(source, "org.opensourcephysics.cabrillo.tracker", LOOK_BYTES))
        return ARC_SURE;
    return arc_reading_has(source, "<KinoveaVideoAnalysis", 0) ? 0 : ARC_PERHAPS;
}

int arc_tracker_trz_detect(const ArcSource *source)
{
    return arc_zip_is(source->bytes, source->size) ? ARC_SURE : 0;
}

static ArcPlace place_of(const Panel *panel, const ArcXmlNode *node)
{
    return (ArcPlace){panel->source->file, node->line, 1};
}

static const ArcXmlNode *property(const ArcXmlNode *object, const char *name)
{
    for (const ArcXmlNode *node = object == NULL ? NULL : object->first; node != NULL;
         node = node->next) {
        if (strcmp(node->name, "property") == 0 && arc_xml_attribute_is(node, "name", name))
            return node;
    }
    return NULL;
}

static const ArcXmlNode *property_object(const ArcXmlNode *object, const char *name)
{
    return arc_xml_child(property(object, name), "object");
}

/* fallback where the property is missing. */
static ArcStatus number(const Panel *panel, const ArcXmlNode *object, const char *name,
                        double fallback, double *value, ArcError *err)
{
    const ArcXmlNode *node = property(object, name);
    *value = fallback;
    if (node == NULL)
        return ARC_OK;
    if (!arc_reading_number(node->text, value))
        return arc_error_set_at(err, ARC_INPUT, place_of(panel, node),
                                "'%.60s' is not a number for '%s'", node->text, name);
    return ARC_OK;
}

static ArcStatus whole(const Panel *panel, const ArcXmlNode *object, const char *name, int fallback,
                       int *value, ArcError *err)
{
    double real;
    ArcStatus status = number(panel, object, name, fallback, &real, err);
    if (status != ARC_OK || property(object, name) == NULL) {
        *value = fallback;
        return status;
    }
    if (!(fabs(real) <= 1e9) || real != floor(real))
        return arc_error_set_at(err, ARC_INPUT, place_of(panel, property(object, name)),
                                "'%.60s' is not a whole number for '%s'",
                                property(object, name)->text, name);
    *value = (int)real;
    return ARC_OK;
}

/* The k of "[k]". */
static ArcStatus index_of(const Panel *panel, const ArcXmlNode *node, int *index, ArcError *err)
{
    const char *name = arc_xml_attribute(node, "name");
    char *end = NULL;
    long k = name != NULL && name[0] == '[' ? strtol(name + 1, &end, 10) : -1;
    if (k < 0 || k > 1000000000 || end == name + 1 || strcmp(end, "]") != 0)
        return arc_error_set_at(err, ARC_INPUT, place_of(panel, node),
                                "'%.60s' is no number of a frame; expected [0], [1] and so on",
                                name == NULL ? "" : name);
    *index = (int)k;
    return ARC_OK;
}

static ArcStatus system_read(const Panel *panel, const ArcXmlNode *node, System *system,
                             ArcError *err)
{
    const ArcXmlNode *data = arc_xml_child(node, "object");
    double angle_deg = 0.0;
    ArcStatus status = index_of(panel, node, &system->frame, err);
    if (status == ARC_OK)
        status = number(panel, data, "xorigin", 0.0, &system->origin_px[0], err);
    if (status == ARC_OK)
        status = number(panel, data, "yorigin", 0.0, &system->origin_px[1], err);
    if (status == ARC_OK)
        status = number(panel, data, "angle", 0.0, &angle_deg, err);
    if (status == ARC_OK)
        status = number(panel, data, "xscale", 1.0, &system->scale_px[0], err);
    if (status == ARC_OK)
        status = number(panel, data, "yscale", system->scale_px[0], &system->scale_px[1], err);
    if (status != ARC_OK)
        return status;
    if (!(system->scale_px[0] > 0.0) || !(system->scale_px[1] > 0.0))
        return arc_error_set_at(err, ARC_INPUT, place_of(panel, node),
                                "the scale is %g and %g px a length unit; it must be above zero",
                                system->scale_px[0], system->scale_px[1]);
    system->cosine = cos(angle_deg * M_PI / 180.0);
    system->sine = sin(angle_deg * M_PI / 180.0);
    return ARC_OK;
}

static ArcStatus systems_read(Panel *panel, const ArcXmlNode *root, ArcError *err)
{
    const ArcXmlNode *data = property(property_object(root, "coords"), "framedata");
    int n = 0;
    for (const ArcXmlNode *node = data == NULL ? NULL : data->first; node != NULL;
         node = node->next)
        n++;
    if (n == 0)
        return arc_error_set_at(err, ARC_INPUT, place_of(panel, root),
                                "no coordinate system ('coords' with 'framedata') in this file; "
                                "it is cut short, or no file of Tracker");
    panel->systems = ARC_ALLOC(panel->source->scratch, (size_t)n, System);
    if (panel->systems == NULL)
        return arc_error_no_memory(err);
    for (const ArcXmlNode *node = data->first; node != NULL; node = node->next) {
        if (arc_xml_child(node, "object") == NULL)
            continue;
        ArcStatus status = system_read(panel, node, &panel->systems[panel->n_systems], err);
        if (status != ARC_OK)
            return status;
        if (panel->n_systems > 0 &&
            panel->systems[panel->n_systems].frame <= panel->systems[panel->n_systems - 1].frame)
            return arc_error_set_at(err, ARC_INPUT, place_of(panel, node),
                                    "frames of the coordinate system must rise");
        panel->n_systems++;
    }
    if (panel->n_systems == 0)
        return arc_error_set_at(err, ARC_INPUT, place_of(panel, data),
                                "the coordinate system is empty");
    return ARC_OK;
}

static ArcStatus clock_read(Panel *panel, const ArcXmlNode *root, ArcError *err)
{
    const ArcXmlNode *clip = property_object(root, "videoclip");
    const ArcXmlNode *control = property_object(root, "clipcontrol");
    double start_ms = 0.0, delta_ms = NAN;
    ArcStatus status = whole(panel, clip, "startframe", 0, &panel->start_frame, err);
    if (status == ARC_OK)
        status = whole(panel, clip, "stepsize", 1, &panel->step_size, err);
    if (status == ARC_OK)
        status = whole(panel, clip, "stepcount", INT_MAX, &panel->step_count, err);
    if (status == ARC_OK)
        status = number(panel, clip, "starttime", 0.0, &start_ms, err);
    if (status == ARC_OK)
        status = number(panel, control, "delta_t", NAN, &delta_ms, err);
    if (status == ARC_OK && isnan(delta_ms))
        status = number(panel, property_object(clip, "video"), "delta_t", NAN, &delta_ms, err);
    if (status != ARC_OK)
        return status;
    if (panel->step_size < 1)
        panel->step_size = 1;
    if (!isnan(delta_ms) && !(delta_ms > 0.0))
        return arc_error_set_at(err, ARC_INPUT, place_of(panel, root),
                                "delta_t is %g ms a frame; it must be above zero", delta_ms);
    panel->start_time_s = isnan(start_ms) ? 0.0 : start_ms / 1000.0;
    panel->frame_s = delta_ms / 1000.0;
    return ARC_OK;
}

static ArcStatus panel_read(Panel *panel, const ArcXmlNode *root, ArcRecorder *recorder,
                            ArcError *err)
{
    const ArcXmlNode *unit = property(root, "length_unit");
    const double given_m = panel->source->settings->position_scale_m;
    double width = NAN;
    ArcStatus status = systems_read(panel, root, err);
    if (status == ARC_OK)
        status = clock_read(panel, root, err);
    if (status == ARC_OK)
        status = number(panel, root, "width", NAN, &width, err);
    if (status == ARC_OK)
        status = number(panel, root, "height", NAN, &panel->height_px, err);
    if (status != ARC_OK)
        return status;
    panel->unit_m = unit == NULL ? NAN : arc_reading_length_unit(unit->text);
    bool is_pixels = unit != NULL && arc_reading_is_pixel_unit(unit->text);
    if (!isnan(given_m)) {
        panel->unit_m = given_m;
    } else if (isnan(panel->unit_m) && !is_pixels) {
        panel->unit_m = 1.0;
        arc_recorder_note(recorder,
                          "positions are taken as metres, since the file's length unit "
                          "is %s%.40s%s",
                          unit == NULL ? "not" : "'", unit == NULL ? " named" : unit->text,
                          unit == NULL ? "" : "'");
    }
    if (panel->systems[0].scale_px[0] == 1.0 && !is_pixels)
        arc_recorder_note(recorder, "the scale is 1 px a length unit, as before any calibration");
    recorder->image_px[0] = width;
    recorder->image_px[1] = panel->height_px;
    if (panel->frame_s > 0.0)
        recorder->rate_per_s = 1.0 / panel->frame_s;
    return ARC_OK;
}

static const System *system_at(const Panel *panel, int frame)
{
    int i = panel->n_systems - 1;
    while (i > 0 && panel->systems[i].frame > frame)
        i--;
    return &panel->systems[i];
}

static bool is_on_a_step(const Panel *panel, int frame)
{
    long from = (long)frame - panel->start_frame;
    return from >= 0 && from % panel->step_size == 0 && from / panel->step_size < panel->step_count;
}

/* With a rate of the settings, frames from the clip's start alone. */
static void mark_put(const Panel *panel, ArcRecorder *recorder, int track, int frame,
                     const double mark_px[2], int line)
{
    const System *system = system_at(panel, frame);
    ArcSample *sample = arc_recorder_add(recorder, track, line, 1);
    double p = (mark_px[0] - system->origin_px[0]) / system->scale_px[0];
    double q = -(mark_px[1] - system->origin_px[1]) / system->scale_px[1];
    sample->frame = frame;
    if (isnan(panel->source->settings->rate_per_s))
        sample->time_s = panel->start_time_s + (frame - panel->start_frame) * panel->frame_s;
    else
        sample->frame = frame - panel->start_frame;
    sample->pixel_px[0] = mark_px[0] - 0.5;
    sample->pixel_px[1] = mark_px[1] - 0.5;
    if (isnan(panel->unit_m))
        return;
    recorder->axes = 2;
    sample->position_m[0] = arc_points_scale(p * system->cosine + q * system->sine, panel->unit_m);
    sample->position_m[1] = arc_points_scale(-p * system->sine + q * system->cosine, panel->unit_m);
}

static ArcStatus mass_read(Panel *panel, const ArcXmlNode *mass, ArcRecorder *recorder,
                           ArcError *err)
{
    const ArcXmlNode *named = property(mass, "name"), *data = property(mass, "framedata");
    const char *name = arc_arena_format(panel->source->scratch, "%s%s", panel->prefix,
                                        named == NULL ? "" : named->text);
    if (name == NULL)
        return arc_error_no_memory(err);
    int track = arc_recorder_track(recorder, name, strlen(name));
    for (const ArcXmlNode *node = data == NULL ? NULL : data->first; node != NULL;
         node = node->next) {
        const ArcXmlNode *mark = arc_xml_child(node, "object");
        double mark_px[2];
        int frame;
        if (mark == NULL)
            continue;
        ArcStatus status = index_of(panel, node, &frame, err);
        if (status == ARC_OK)
            status = number(panel, mark, "x", NAN, &mark_px[0], err);
        if (status == ARC_OK)
            status = number(panel, mark, "y", NAN, &mark_px[1], err);
        if (status != ARC_OK)
            return status;
        if (isnan(mark_px[0]) || isnan(mark_px[1]))
            return arc_error_set_at(err, ARC_INPUT, place_of(panel, node),
                                    "a mark without x or y in frame %d", frame);
        if (is_on_a_step(panel, frame))
            mark_put(panel, recorder, track, frame, mark_px, node->line);
        else
            panel->n_outside++;
    }
    return ARC_OK;
}

/* What a calibration stick says, for who sets up a camera by it. */
static ArcStatus stick_note(const Panel *panel, const ArcXmlNode *tape, ArcRecorder *recorder,
                            ArcError *err)
{
    static const char *const names[4] = {"x1", "y1", "x2", "y2"};
    const ArcXmlNode *mode = property(tape, "stickmode"), *lengths = property(tape, "worldlengths");
    const ArcXmlNode *data = property(tape, "framedata");
    const ArcXmlNode *first = data == NULL ? NULL : arc_xml_child(data->first, "object");
    double ends[4] = {NAN, NAN, NAN, NAN}, length = NAN;
    if (mode == NULL || strcmp(mode->text, "true") != 0 || first == NULL)
        return ARC_OK;
    for (int k = 0; k < 4; k++) {
        ArcStatus status = number(panel, first, names[k], NAN, &ends[k], err);
        if (status != ARC_OK)
            return status;
    }
    ArcStatus status = number(panel, lengths, "[0]", NAN, &length, err);
    if (status == ARC_OK && !isnan(length))
        arc_recorder_note(recorder,
                          "its calibration stick goes from [%.6g, %.6g] to [%.6g, %.6g] px and is "
                          "%.6g length units long",
                          ends[0] - 0.5, ends[1] - 0.5, ends[2] - 0.5, ends[3] - 0.5, length);
    return status;
}

static bool is_of_class(const ArcXmlNode *object, const char *class)
{
    const char *name = object == NULL ? NULL : arc_xml_attribute(object, "class");
    const char *dot = name == NULL ? NULL : strrchr(name, '.');
    return dot != NULL && strcmp(dot + 1, class) == 0;
}

static ArcStatus tracks_read(Panel *panel, const ArcXmlNode *root, ArcRecorder *recorder,
                             ArcError *err)
{
    const ArcXmlNode *tracks = property(root, "tracks");
    int n_masses = 0;
    for (const ArcXmlNode *item = tracks == NULL ? NULL : tracks->first; item != NULL;
         item = item->next) {
        const ArcXmlNode *object = arc_xml_child(item, "object");
        ArcStatus status = ARC_OK;
        if (is_of_class(object, "PointMass")) {
            status = mass_read(panel, object, recorder, err);
            n_masses++;
        } else if (is_of_class(object, "TapeMeasure")) {
            status = stick_note(panel, object, recorder, err);
        }
        if (status != ARC_OK)
            return status;
    }
    if (n_masses == 0)
        return arc_error_set_at(err, ARC_INPUT, place_of(panel, tracks == NULL ? root : tracks),
                                "no point mass in this file of Tracker, so that there is nothing "
                                "to read");
    if (panel->n_outside > 0)
        arc_recorder_note(recorder,
                          "%d marks beside the clip's steps are left out, as Tracker does",
                          panel->n_outside);
    return ARC_OK;
}

static ArcStatus document_read(const ArcSource *source, const char *prefix, const char *bytes,
                               size_t size, ArcRecorder *recorder, ArcError *err)
{
    ArcXmlNode *root = NULL;
    Panel panel = {.source = source, .prefix = prefix};
    ArcStatus status = arc_xml_read(source->file, bytes, size, source->scratch, &root, err);
    if (status != ARC_OK)
        return status;
    if (!is_of_class(root, "TrackerPanel"))
        return arc_error_set_at(err, ARC_INPUT, place_of(&panel, root),
                                "XML, but no project of Tracker: its root is '%.60s', not an "
                                "object of class TrackerPanel",
                                root->name);
    arc_reading_in_si(recorder);
    status = panel_read(&panel, root, recorder, err);
    if (status == ARC_OK)
        status = tracks_read(&panel, root, recorder, err);
    return status;
}

static void pixels_note(ArcRecorder *recorder)
{
    arc_recorder_note(recorder, "pixels are counted from the first one's centre, half a pixel less "
                                "than in Tracker");
}

ArcStatus arc_tracker_trk_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    pixels_note(recorder);
    return document_read(source, "", source->bytes, source->size, recorder, err);
}

/* Several projects are told apart by the names of their tracks, "FILE.trk/mass A". */
ArcStatus arc_tracker_trz_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    ArcZipEntry *entries = NULL;
    int n = 0;
    const ArcZip zip = {source->file, source->bytes, source->size};
    ArcStatus status = arc_zip_read(&zip, ".trk", source->scratch, &n, &entries, err);
    if (status == ARC_OK && n == 0)
        status = arc_error_set_at(err, ARC_INPUT, arc_reading_start(source),
                                  "a zip archive without any .trk; unpack it, and take the file "
                                  "with the points");
    for (int i = 0; i < n && status == ARC_OK; i++) {
        const char *slash = strrchr(entries[i].name, '/');
        const char *name = slash == NULL ? entries[i].name : slash + 1;
        const char *prefix = n == 1 ? "" : arc_arena_format(source->scratch, "%s/", name);
        status = prefix == NULL ? arc_error_no_memory(err)
                                : document_read(source, prefix, entries[i].bytes, entries[i].size,
                                                recorder, err);
    }
    pixels_note(recorder);
    return status;
}
