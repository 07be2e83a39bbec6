/* The table of formats, and which of them a file is. */
#include "capture/formats.h"

#include "capture/points.h"

#include <string.h>

/* Below it a detector has not recognised anything; two that are nearer to each other than the gap
 * are a doubt that only the user can settle. */
enum { LEAST_SURE = 20, GAP = 10 };

static const ArcFormat formats[] = {
    {"csv", "the canonical CSV, and any text of columns whose header names them", arc_csv_detect,
     arc_csv_read},
    {"tracker", "Tracker 4 to 6: data export and copied tables, any delimiter, several tracks",
     arc_tracker_detect, arc_tracker_read},
    {"kinovea-csv",
     "Kinovea 2023 and later: CSV of trajectories, of scatter diagrams and kinematics",
     arc_kinovea_csv_detect, arc_kinovea_csv_read},
    {"kinovea-txt", "Kinovea: text for gnuplot, with times (2023 and later) or timecodes (to 0.8)",
     arc_kinovea_txt_detect, arc_kinovea_txt_read},
    {"tracknet", "TrackNet and its forks: Frame, Visibility, X, Y in pixels", arc_tracknet_detect,
     arc_tracknet_read},
    {"deeplabcut", "DeepLabCut: CSV with lines scorer, bodyparts, coords", arc_deeplabcut_detect,
     arc_deeplabcut_read},
    {"sleap", "SLEAP: analysis CSV with track, frame_idx, NODE.x, NODE.y", arc_sleap_detect,
     arc_sleap_read},
    {"optitrack", "OptiTrack Motive: CSV of markers and rigid bodies", arc_optitrack_detect,
     arc_optitrack_read},
    {"vicon", "Vicon Nexus: CSV with a section Trajectories", arc_vicon_detect, arc_vicon_read},
    {"tracker-trk", "a project of Tracker (.trk, XML)", arc_tracker_trk_detect,
     arc_tracker_trk_read},
    {"tracker-trz", "a packed project of Tracker (.trz)", arc_tracker_trz_detect,
     arc_tracker_trz_read},
    {"kinovea-json", "Kinovea's JSON export", arc_kinovea_json_detect, arc_kinovea_json_read},
    {"kinovea-kva", "Kinovea's own files (.kva, XML): pixels", arc_kva_detect, arc_kva_read},
    {"dltdv", "points of DLTdv 5 to 8 and Argus (xypts, xyzpts)", arc_dltdv_detect, arc_dltdv_read},
    {"dltdv-sparse", "the same in DLTdv's sparse form (.tsv)", arc_dltdv_sparse_detect,
     arc_dltdv_sparse_read},
    {"hdf5", "arrays of times and positions in HDF5, and results", arc_hdf5_detect, arc_hdf5_read},
    {"c3d", "C3D of motion capture systems", arc_c3d_detect, arc_c3d_read},
    {"sportvu", "JSON of moments as SportVU writes it: the ball", arc_sportvu_detect,
     arc_sportvu_read},
};

enum { N_FORMATS = sizeof formats / sizeof formats[0] };

const ArcFormat *arc_formats(int *n)
{
    *n = N_FORMATS;
    return formats;
}

const char *arc_format_name(int index)
{
    return index >= 0 && index < N_FORMATS ? formats[index].name : NULL;
}

const char *arc_format_what(int index)
{
    return index >= 0 && index < N_FORMATS ? formats[index].what : NULL;
}

static ArcStatus find_by_name(const ArcSource *source, const ArcFormat **format, ArcError *err)
{
    for (int i = 0; i < N_FORMATS; i++) {
        if (strcmp(formats[i].name, source->settings->format) == 0) {
            *format = &formats[i];
            return ARC_OK;
        }
    }
    return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(source->settings),
                            "unknown format '%s'; `arcfit import --formats` lists them",
                            source->settings->format);
}

/* What a text without a format of its own is instead of a capture; NULL: nothing that is known. */
static const char *other_kind(const ArcSource *source)
{
    char head[2048];
    if (source->decoded.text == NULL)
        return NULL;
    size_t size = source->decoded.size < sizeof head ? source->decoded.size : sizeof head - 1;
    memcpy(head, source->decoded.text, size);
    head[size] = '\0';
    if (strncmp(head, "arcfit:", 7) == 0 || strstr(head, "\narcfit:") != NULL)
        return "an experiment, which `arcfit check` and `arcfit fit` read";
    /* A line of cells is a table's, whatever words stand in it. */
    bool is_table =
        head[0] != '{' && head[0] != '[' && strcspn(head, ",;\t") < strcspn(head, "\r\n");
    if (is_table)
        return NULL;
    if (strstr(head, "camera_matrix") != NULL ||
        (strstr(head, "matrix") != NULL && strstr(head, "distortion") != NULL))
        return "a calibration of cameras, which `capture.cameras.NAME.calibration` names";
    return NULL;
}

ArcStatus arc_format_find(const ArcSource *source, const ArcFormat **format, ArcError *err)
{
    int best = -1, second = -1, sure[N_FORMATS];
    if (source->settings->format != NULL && strcmp(source->settings->format, "auto") != 0)
        return find_by_name(source, format, err);
    if (arc_csv_is_canonical(source)) {
        *format = &formats[0];
        return ARC_OK;
    }
    for (int i = 0; i < N_FORMATS; i++) {
        sure[i] = formats[i].detect(source);
        if (best < 0 || sure[i] > sure[best]) {
            second = best;
            best = i;
        } else if (second < 0 || sure[i] > sure[second]) {
            second = i;
        }
    }
    ArcPlace at = {source->file, 1, 1};
    if (sure[best] < LEAST_SURE)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "no known format; `arcfit import --formats` lists them, and "
                                "capture.format says which it is");
    if (second >= 0 && sure[best] - sure[second] < GAP && sure[second] >= LEAST_SURE)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "may be of format '%s' or of '%s'; say which with capture.format",
                                formats[best].name, formats[second].name);
    const char *other = formats[best].read == arc_csv_read ? other_kind(source) : NULL;
    if (other != NULL)
        return arc_error_set_at(err, ARC_INPUT, at, "this is no capture but %s", other);
    *format = &formats[best];
    return ARC_OK;
}
