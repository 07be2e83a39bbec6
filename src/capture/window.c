/* `window: auto`: the longest stretch of free flight among a file's points. */
#include "arcfit/diagnosis.h"
#include "capture/points.h"

#include <math.h>

/* A flight of any ball, in still air. */
static ArcStatus flight_of_any(int dimensions, ArcFlight *flight, ArcError *err)
{
    ArcFlightSettings settings = arc_flight_settings_default();
    settings.dimensions = dimensions;
    settings.up = dimensions - 1;
    return arc_flight_create(&settings, flight, err);
}

static ArcStatus refuse(const ArcCaptureSettings *settings, double g_m_s2, ArcError *err)
{
    return arc_error_set_at(
        err, ARC_INPUT, arc_points_settings_place(settings),
        "%s: auto finds no free flight: nowhere do five points in a row fall "
        "as a gravity of %.3g m/s^2 along the axis that is up wants it; see what "
        "`arcfit check --set capture.window=all` says of scale, times and axes, "
        "or give the window's times",
        settings->window_auto ? "window" : "split", g_m_s2);
}

ArcStatus arc_window_stretches(const ArcCaptureSettings *settings, const ArcCapture *capture,
                               ArcStretch *stretches, int *n, ArcError *err)
{
    ArcFlight any;
    const ArcFlight *flight = settings->flight;
    ArcStatus status = ARC_OK;
    if (flight == NULL) {
        status = flight_of_any(capture->dimensions, &any, err);
        flight = &any;
    }
    if (status == ARC_OK)
        status = (settings->scale_is_open ? arc_stretches_find_unscaled : arc_stretches_find)(
            capture, flight, !settings->sigma_estimated, stretches, n, err);
    if (status == ARC_OK && *n == 0)
        status = refuse(settings, flight->settings.gravity_m_s2, err);
    return status;
}

/* Pixels of one camera in space are of no place. */
static ArcStatus check_places(const ArcCaptureSettings *settings, const ArcPoints *points,
                              ArcError *err)
{
    if (points->n_cameras != 1 || points->d != 3)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(settings),
                            "window: auto looks where the ball is, which one camera in space does "
                            "not tell; give `window: [from, to]`");
}

ArcStatus arc_points_find_window(ArcCaptureSettings *settings, const ArcCamera *cameras,
                                 ArcPoints *points, ArcArena *arena, ArcError *err)
{
    ArcStretch found[ARC_STRETCHES_MOST];
    int n = 0, longest = 0;
    ArcCaptureSettings all = *settings;
    all.window_s[0] = -INFINITY;
    all.window_s[1] = INFINITY;
    all.every = 1;
    all.hold_out = ARC_HOLD_OUT_NONE;
    ArcStatus status = check_places(settings, points, err);
    if (status == ARC_OK)
        status = arc_points_select(&all, points, err);
    if (status == ARC_OK && points->n_cameras > 0)
        status = arc_points_sort(points, arena, err);
    ArcCapture whole = {.n_points = points->n,
                        .dimensions = points->d,
                        .time_s = points->time_s,
                        .position_m = points->position_m,
                        .sigma_m = points->sigma_m,
                        .use = points->use,
                        .n_cameras = points->n_cameras,
                        .cameras = cameras,
                        .camera = points->camera,
                        .pixel_px = points->pixel_px,
                        .sigma_px = points->sigma_px};
    if (status == ARC_OK)
        status = arc_window_stretches(settings, &whole, found, &n, err);
    if (status != ARC_OK)
        return status;
    for (int i = 1; i < n; i++)
        if (found[i].n_points > found[longest].n_points)
            longest = i;
    points->stretch = ARC_ALLOC(arena, 1, ArcStretch);
    if (points->stretch == NULL)
        return arc_error_no_memory(err);
    *points->stretch = found[longest];
    points->n_stretches = n;
    settings->window_s[0] = found[longest].window_s[0];
    settings->window_s[1] = found[longest].window_s[1];
    return ARC_OK;
}
