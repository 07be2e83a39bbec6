/* What cameras see becomes points; those of several cameras are brought into one order. */
#include "capture/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The camera of a sample; -1 where it is a position in metres. */
static ArcStatus camera_of(const ArcIntake *intake, const ArcSample *sample, int n_cameras,
                           int *camera, ArcError *err)
{
    const ArcCaptureSettings *settings = intake->settings;
    bool has_pixel =
        !isnan(sample->pixel_px[0]) || !isnan(sample->pixel_px[1]) || !isnan(sample->radius_px);
    bool has_position = !isnan(sample->position_m[0]) || !isnan(sample->position_m[1]) ||
                        !isnan(sample->position_m[2]);
    *camera = -1;
    if (intake->camera >= 0 || (sample->camera < 0 && n_cameras == 1)) {
        *camera = has_pixel || !has_position ? (intake->camera >= 0 ? intake->camera : 0) : -1;
        return ARC_OK;
    }
    if (!has_pixel)
        return ARC_OK;
    ArcPlace place = {settings->file, sample->line, sample->column};
    if (sample->camera < 0)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "which of %d cameras saw this? add a column `camera` with their "
                                "names, or give each camera a file of its own",
                                n_cameras);
    const char *name = intake->recording->cameras[sample->camera];
    for (int c = 0; c < settings->n_cameras; c++) {
        if (strcmp(settings->cameras[c].name, name) == 0)
            *camera = c;
    }
    /* One camera that a file names otherwise, or not at all, is still that one. */
    if (*camera < 0 && n_cameras == 1 && intake->recording->n_cameras == 1)
        *camera = 0;
    if (*camera < 0)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "the camera '%.60s' is not among capture.cameras; add it there",
                                name);
    return ARC_OK;
}

/* Whether a point of this recording's camera brings a sigma to compare others with. */
static bool has_sigmas(const ArcRecording *recording)
{
    for (int i = 0; i < recording->n_samples; i++)
        if (!isnan(recording->samples[i].sigma_px))
            return true;
    return false;
}

static double sigma_without(const ArcIntake *intake, int camera)
{
    const ArcCaptureSettings *settings = intake->settings;
    double own = camera < settings->n_cameras ? settings->cameras[camera].sigma_px : NAN;
    if (!isnan(own))
        return own;
    if (settings->sigma_estimated && isnan(settings->sigma_px) && !has_sigmas(intake->recording))
        return ARC_POINTS_UNIT_SIGMA_PX;
    return settings->sigma_px;
}

ArcStatus arc_points_take_pixel(const ArcIntake *intake, const ArcSample *sample, int i,
                                ArcPoints *points, bool *taken, ArcError *err)
{
    int camera = -1;
    ArcStatus status = camera_of(intake, sample, points->n_cameras, &camera, err);
    points->camera[i] = camera;
    points->pixel_px[2 * i] = points->pixel_px[2 * i + 1] = NAN;
    points->sigma_px[i] = points->radius_px[i] = points->sigma_radius_px[i] = NAN;
    *taken = status == ARC_OK && camera >= 0;
    if (!*taken)
        return status;
    for (int k = 0; k < points->d; k++)
        points->position_m[i * points->d + k] = points->sigma_m[i * points->d + k] = NAN;
    double sigma = isnan(sample->sigma_px) ? sigma_without(intake, camera) : sample->sigma_px;
    points->pixel_px[2 * i] = sample->pixel_px[0];
    points->pixel_px[2 * i + 1] = sample->pixel_px[1];
    points->radius_px[i] = sample->radius_px;
    points->sigma_px[i] = sigma;
    points->sigma_radius_px[i] = isnan(sample->sigma_radius_px) ? sigma : sample->sigma_radius_px;
    if (isnan(sigma) && arc_points_is_seen(points, i))
        return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(intake->settings),
                                "no standard deviation in pixels for line %d of '%s'; add "
                                "`sigma: 0.5 px` to the capture or the camera, or a column "
                                "sigma_px to the file",
                                points->line[i], intake->settings->file);
    return ARC_OK;
}

typedef struct Place {
    double time_s;
    int point;
} Place;

static int compare_places(const void *a, const void *b)
{
    const Place *one = a, *other = b;
    if (one->time_s != other->time_s && !isnan(one->time_s) && !isnan(other->time_s))
        return one->time_s < other->time_s ? -1 : 1;
    return one->point - other->point;
}

/* A row without time stands behind the one before it. */
static void fill_places(const ArcPoints *points, Place *places)
{
    double last_s = -INFINITY;
    for (int i = 0; i < points->n; i++) {
        last_s = isnan(points->time_s[i]) ? last_s : points->time_s[i];
        places[i] = (Place){last_s, i};
    }
}

ArcStatus arc_points_sort(ArcPoints *points, ArcArena *arena, ArcError *err)
{
    ArcPoints sorted;
    size_t d = (size_t)points->d;
    Place *places = ARC_ALLOC(arena, (size_t)points->n, Place);
    ArcStatus status =
        arc_points_create(points->n, points->d, points->n_cameras, arena, &sorted, err);
    if (places == NULL || status != ARC_OK)
        return status != ARC_OK ? status : arc_error_no_memory(err);
    fill_places(points, places);
    qsort(places, (size_t)points->n, sizeof *places, compare_places);
    for (int i = 0; i < points->n; i++) {
        size_t to = (size_t)i, from = (size_t)places[i].point;
        sorted.time_s[to] = points->time_s[from];
        memcpy(sorted.position_m + to * d, points->position_m + from * d, sizeof(double) * d);
        memcpy(sorted.sigma_m + to * d, points->sigma_m + from * d, sizeof(double) * d);
        sorted.use[to] = points->use[from];
        sorted.line[to] = points->line[from];
        sorted.camera[to] = points->camera[from];
        memcpy(sorted.pixel_px + 2 * to, points->pixel_px + 2 * from, 2 * sizeof(double));
        sorted.sigma_px[to] = points->sigma_px[from];
        sorted.radius_px[to] = points->radius_px[from];
        sorted.sigma_radius_px[to] = points->sigma_radius_px[from];
    }
    sorted.stretch = points->stretch;
    sorted.n_stretches = points->n_stretches;
    sorted.n_fit = points->n_fit;
    sorted.n_held_out = points->n_held_out;
    *points = sorted;
    return ARC_OK;
}
