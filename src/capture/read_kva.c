/* Kinovea's own files (.kva, XML): tracks as image points.
 *
 * A TrackPoint's text is `x;y;time`, in pixels from the upper left, y down, and in the video's time
 * stamps; a frame is AverageTimeStampsPerFrame of them, counted from FirstTimeStamp. A line of
 * known length is told as a note, since a camera takes it as its stick.
 */
#include "capture/reading.h"
#include "io/xml.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

typedef struct Video {
    const ArcSource *source;
    ArcRecorder *recorder;
    double stamps_per_frame, first_stamp;
} Video;

int arc_kva_detect(const ArcSource *source)
{
    bool is_kva =
        arc_reading_first(source) == '<' && arc_reading_has(source, "<KinoveaVideoAnalysis", 0);
    return is_kva ? ARC_SURE : 0;
}

/* n numbers with ';' between them; what follows the last is not looked at. */
static bool numbers_read(const char *text, int n, double *values)
{
    for (int i = 0; i < n; i++) {
        size_t used = arc_number_read_prefix(text, strlen(text), &values[i]);
        if (used == 0 || !isfinite(values[i]))
            return false;
        text += used;
        if (*text != (i + 1 < n ? ';' : '\0') && !(i + 1 == n && *text == ';'))
            return false;
        text += i + 1 < n;
    }
    return true;
}

static ArcStatus number(const Video *video, const ArcXmlNode *root, const char *name, double *value,
                        ArcError *err)
{
    const ArcXmlNode *node = arc_xml_child(root, name);
    if (node == NULL || node->text[0] == '\0' || arc_reading_number(node->text, value))
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, (ArcPlace){video->source->file, node->line, 1},
                            "'%.60s' is not a number for '%s'", node->text, name);
}

static ArcStatus track_read(const Video *video, const ArcXmlNode *track, ArcError *err)
{
    const char *name = arc_xml_attribute(track, "name");
    const ArcXmlNode *list = arc_xml_child(track, "TrackPointList");
    const ArcXmlNode *label = arc_xml_child(track, "MainLabel");
    if (name == NULL)
        name = label == NULL ? NULL : arc_xml_attribute(label, "Text");
    if (name == NULL)
        name = "";
    int index = arc_recorder_track(video->recorder, name, strlen(name));
    for (const ArcXmlNode *point = list == NULL ? NULL : list->first; point != NULL;
         point = point->next) {
        double values[3];
        if (!numbers_read(point->text, 3, values))
            return arc_error_set_at(err, ARC_INPUT, (ArcPlace){video->source->file, point->line, 1},
                                    "'%.60s' is no point of a track; expected x;y;time",
                                    point->text);
        ArcSample *sample = arc_recorder_add(video->recorder, index, point->line, 1);
        sample->pixel_px[0] = values[0];
        sample->pixel_px[1] = values[1];
        sample->frame = (values[2] - video->first_stamp) / video->stamps_per_frame;
    }
    return ARC_OK;
}

static void line_note(const Video *video, const ArcXmlNode *root)
{
    const ArcXmlNode *calibration = arc_xml_child(root, "Calibration");
    const ArcXmlNode *line = arc_xml_child(calibration, "CalibrationLine");
    const ArcXmlNode *segment = arc_xml_child(line, "Segment");
    const ArcXmlNode *a = arc_xml_child(segment, "A"), *b = arc_xml_child(segment, "B");
    const ArcXmlNode *length = arc_xml_child(line, "Length");
    const ArcXmlNode *unit = arc_xml_child(calibration, "Unit");
    const char *name = unit == NULL ? NULL : arc_xml_attribute(unit, "Abbreviation");
    double from[2], to[2];
    if (a == NULL || b == NULL || length == NULL || !numbers_read(a->text, 2, from) ||
        !numbers_read(b->text, 2, to))
        return;
    arc_recorder_note(video->recorder,
                      "its calibration line goes from [%.6g, %.6g] to [%.6g, %.6g] px and is "
                      "%.30s %.20s long",
                      from[0], from[1], to[0], to[1], length->text,
                      name == NULL ? "of an unknown unit" : name);
}

static ArcStatus video_read(Video *video, const ArcXmlNode *root, ArcError *err)
{
    const ArcXmlNode *size = arc_xml_child(root, "ImageSize");
    double rate = NAN, image[2];
    ArcStatus status =
        number(video, root, "AverageTimeStampsPerFrame", &video->stamps_per_frame, err);
    if (status == ARC_OK)
        status = number(video, root, "FirstTimeStamp", &video->first_stamp, err);
    if (status == ARC_OK)
        status = number(video, root, "CaptureFramerate", &rate, err);
    if (status != ARC_OK)
        return status;
    if (!(video->stamps_per_frame > 0.0))
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){video->source->file, root->line, 1},
                                "AverageTimeStampsPerFrame is %g; it must be above zero",
                                video->stamps_per_frame);
    if (rate > 0.0) {
        video->recorder->rate_per_s = rate;
        arc_recorder_note(video->recorder, "%g frames a second, as set in Kinovea", rate);
    }
    if (size != NULL && numbers_read(size->text, 2, image)) {
        video->recorder->image_px[0] = image[0];
        video->recorder->image_px[1] = image[1];
    }
    line_note(video, root);
    return ARC_OK;
}

ArcStatus arc_kva_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    ArcXmlNode *root = NULL;
    Video video = {.source = source, .recorder = recorder, .stamps_per_frame = 1.0};
    ArcStatus status =
        arc_xml_read(source->file, source->bytes, source->size, source->scratch, &root, err);
    if (status == ARC_OK)
        status = video_read(&video, root, err);
    if (status != ARC_OK)
        return status;
    const ArcXmlNode *tracks = arc_xml_child(root, "Tracks");
    for (const ArcXmlNode *track = tracks == NULL ? NULL : tracks->first;
         track != NULL && status == ARC_OK; track = track->next)
        status = track_read(&video, track, err);
    if (status == ARC_OK && recorder->n_samples == 0 && !recorder->failed)
        status = arc_error_set_at(err, ARC_INPUT, (ArcPlace){source->file, root->line, 1},
                                  "no track with points in this file of Kinovea");
    return status;
}
