/* Pixels as positions, and clocks that disagree.
 *
 * A camera whose clock is late by q sees the ball q V px further on than the other one does, V its
 * speed in the picture. Where two cameras see the ball at one time, four numbers stand against
 * three unknowns of a place: one is left over, and what is left of it, r, changes by h with the
 * lag. Over all pairs q = sum h'r / sum h'h in errors of the pixels.
 */
#include "capture/seen.h"

#include <math.h>
#include <string.h>

enum { LEAST_PAIRS = 8 };
/* Times so near are one; a lag is clear by so many sds and so large a share of the usual step. */
static const double same_time_s = 1e-9, clear_sds = 5.0, least_share = 0.05;
/* The lag that differences are taken with, as a share of the step. */
static const double trial_share = 0.1;

static bool is_pixel(const ArcCapture *capture, int i)
{
    return capture->use[i] != ARC_POINT_UNUSED && capture->camera[i] >= 0 &&
           isfinite(capture->pixel_px[2 * i]) && isfinite(capture->pixel_px[2 * i + 1]);
}

/* The place that n points of the capture are of; false where they do not give one. */
static bool place_of(const ArcCapture *capture, int n, const int *points, double *position,
                     double *covariance)
{
    const ArcCamera *cameras[ARC_MAX_CAMERAS];
    double pixels[2 * ARC_MAX_CAMERAS], sigmas[ARC_MAX_CAMERAS];
    for (int k = 0; k < n; k++) {
        cameras[k] = &capture->cameras[capture->camera[points[k]]];
        memcpy(pixels + 2 * k, capture->pixel_px + 2 * points[k], 2 * sizeof(double));
        sigmas[k] = capture->sigma_px[points[k]];
    }
    int d = arc_camera_dimensions(cameras[0]);
    return d == capture->dimensions && (n >= 2 || d == 2) &&
           arc_camera_triangulate(n, cameras, pixels, sigmas, position, covariance, NULL) == ARC_OK;
}

/* Points of the capture at the time of point `first`, in pixels; *next: the first of a later time.
 */
static int points_at(const ArcCapture *capture, int first, int points[ARC_MAX_CAMERAS], int *next)
{
    int n = 0, i = first;
    for (; i < capture->n_points; i++) {
        if (capture->use[i] != ARC_POINT_UNUSED &&
            capture->time_s[i] > capture->time_s[first] + same_time_s)
            break;
        if (is_pixel(capture, i) && n < ARC_MAX_CAMERAS)
            points[n++] = i;
    }
    *next = i;
    return n;
}

void arc_seen_positions(const ArcCapture *capture, ArcTrackPoints *points)
{
    int d = capture->dimensions, n = 0, at[ARC_MAX_CAMERAS], next;
    for (int i = 0; i < capture->n_points; i = next) {
        double position[3], covariance[9];
        next = i + 1;
        if (!is_pixel(capture, i))
            continue;
        int n_seen = points_at(capture, i, at, &next);
        if (!place_of(capture, n_seen, at, position, covariance))
            continue;
        points->time_s[n] = capture->time_s[i];
        points->point[n] = i;
        for (int e = 0; e < d; e++) {
            points->position_m[n * d + e] = position[e];
            points->sigma_m[n * d + e] = sqrt(covariance[e * d + e]);
        }
        n++;
    }
    points->track = (ArcTrack){n, d, points->time_s, points->position_m, points->sigma_m};
}

/* What two pixels leave over, in errors: the pixels less the picture of their place; with the
 * second one moved by `move`. */
static bool left_over(const ArcCapture *capture, const int pair[2], const double move[2],
                      double left[4])
{
    const ArcCamera *cameras[2];
    double pixels[4], sigmas[2], position[3];
    for (int k = 0; k < 2; k++) {
        cameras[k] = &capture->cameras[capture->camera[pair[k]]];
        sigmas[k] = capture->sigma_px[pair[k]];
        for (int c = 0; c < 2; c++)
            pixels[2 * k + c] = capture->pixel_px[2 * pair[k] + c] + (k == 1 ? move[c] : 0.0);
    }
    if (arc_camera_triangulate(2, cameras, pixels, sigmas, position, NULL, NULL) != ARC_OK)
        return false;
    for (int k = 0; k < 2; k++) {
        ArcProjection seen;
        if (!arc_camera_project(cameras[k], NULL, position, 0.0, &seen))
            return false;
        for (int c = 0; c < 2; c++)
            left[2 * k + c] = (pixels[2 * k + c] - seen.pixel_px[c]) / sigmas[k];
    }
    return true;
}

/* The next used pixel of the camera of point i on a side; -1: none. */
static int neighbour(const ArcCapture *capture, int i, int side)
{
    for (int k = i + side; k >= 0 && k < capture->n_points; k += side)
        if (is_pixel(capture, k) && capture->camera[k] == capture->camera[i])
            return k;
    return -1;
}

/* Sums over the pairs of one camera with the first. */
typedef struct Lag {
    int n;
    double hr, hh, rr;
} Lag;

static void add_pair(const ArcCapture *capture, const int pair[2], double trial_s, Lag *lag)
{
    int before = neighbour(capture, pair[1], -1), after = neighbour(capture, pair[1], 1);
    const double still[2] = {0, 0};
    double move[2], here[4], moved[4];
    if (before < 0 || after < 0)
        return;
    for (int c = 0; c < 2; c++)
        move[c] = -trial_s *
                  (capture->pixel_px[2 * after + c] - capture->pixel_px[2 * before + c]) /
                  (capture->time_s[after] - capture->time_s[before]);
    if (!left_over(capture, pair, still, here) || !left_over(capture, pair, move, moved))
        return;
    lag->n++;
    for (int c = 0; c < 4; c++) {
        double h = (here[c] - moved[c]) / trial_s;
        lag->hr += h * here[c];
        lag->hh += h * h;
        lag->rr += here[c] * here[c];
    }
}

void arc_seen_find_offsets(ArcDiagnosing *diagnosing)
{
    const ArcCapture *capture = diagnosing->capture;
    double step_s = diagnosing->made->step_s;
    for (int camera = 1; camera < capture->n_cameras && step_s > 0.0; camera++) {
        Lag lag = {0};
        int at[ARC_MAX_CAMERAS], next;
        for (int i = 0; i < capture->n_points; i = next) {
            int pair[2] = {-1, -1};
            next = i + 1;
            if (!is_pixel(capture, i))
                continue;
            int n = points_at(capture, i, at, &next);
            for (int k = 0; k < n; k++)
                if (capture->camera[at[k]] == 0 || capture->camera[at[k]] == camera)
                    pair[capture->camera[at[k]] != 0] = at[k];
            if (pair[0] >= 0 && pair[1] >= 0)
                add_pair(capture, pair, trial_share * step_s, &lag);
        }
        if (diagnosing->open.offset[camera] || diagnosing->open.offset[0] || lag.n < LEAST_PAIRS ||
            !(lag.hh > 0.0))
            continue;
        double lag_s = lag.hr / lag.hh;
        double errors2 = (lag.rr - lag.hr * lag_s) / (lag.n - 1);
        double sd = sqrt(fmax(errors2, diagnosing->sigma_is_known ? 1.0 : 0.0) / lag.hh);
        if (fabs(lag_s) < clear_sds * sd || fabs(lag_s) < least_share * step_s)
            continue;
        ArcWarning *warning = arc_diagnosing_warn(diagnosing, ARC_FINDING_CAMERA_OFFSET);
        if (warning == NULL)
            return;
        warning->axis = camera;
        warning->value = lag_s;
        warning->sd = sd;
        warning->n = lag.n;
    }
}
