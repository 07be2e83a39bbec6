/* The view of a problem's flight: when its points were taken, and what was then to be seen.
 *
 * A point's true time follows from the file's, for camera c, v the row of the image that it is in:
 *   t = t_ref + clock_rate (t_file - t_ref) + time_offset_c - latency_c + line_time_c v
 * t_ref the first fitted time of the file. Its numbers are h_c(x(t)) by the camera (camera.h) with
 * its corrections; positions in metres are a camera of their own, the last:
 *   h(x) = R(roll)' x / scale,  R turns the plane's first axis towards its second.
 * To what is seen a constant bias of each number is added (sensor.h).
 * A number y = h(x(t; q); theta) has the partials h_x dx/dq and h_theta + h_x v dt/dtheta.
 *
 * Problems whose positions are in metres, without parameters of the measurement, have no view.
 */
#ifndef ARC_FIT_VIEW_H
#define ARC_FIT_VIEW_H

#include "arcfit/fit.h"
#include "base/arena.h"

/* Numbers that one point can have: u, v and radius, or the axes of a position. */
enum { ARC_VIEW_NUMBERS = 3 };

typedef struct ArcViewCamera {
    const char *name;
    ArcPlace place; /* in the experiment; of use while the problem is made */
    bool is_metres;
    ArcCamera camera;
    int parameter[ARC_N_MEASURES]; /* its parameters among those of the measurement; -1: none */
    double per_m; /* what a metre is in its unit where the flight begins: 1 in metres */
} ArcViewCamera;

typedef struct ArcView {
    int d;
    int n_cameras; /* that of the metres included */
    ArcViewCamera *cameras;
    int M;                /* parameters of the measurement */
    int clock_rate;       /* which of them; -1: none */
    bool moves;           /* true times differ from the file's, or may come to */
    bool time_is_free;    /* they may */
    double reference_s;   /* t_ref */
    double radius_m;      /* the ball's; 0: unknown */
    const int *camera;    /* (n_points of the capture) index into cameras */
    const double *row_px; /* (n_points) v; 0 where it is missing */
} ArcView;

/* Index of the first parameter of the measurement among the experiment's. */
int arc_view_first_parameter(const ArcExperiment *experiment);

/* The view of a capture, NULL in *view where it needs none. ARC_INPUT: a parameter that no camera
 * of this kind has. ARC_MEMORY. */
ArcStatus arc_view_create(const ArcExperiment *experiment, const ArcCapture *capture,
                          ArcArena *arena, ArcView **view, ArcError *err);

/* True time of a file's time of the capture's point. theta (M): the measurement's parameters. */
double arc_view_time(const ArcView *view, const double *theta, int point, double file_s);

/* What a point's camera sees at x (D), of which v (D) is the velocity: y (3), NaN where it cannot
 * be seen; by_x (3, D) and, by all parameters of the measurement, by_m (3, M), both NULL: not
 * wanted, as v then is. file_s: the point's time in the file. */
typedef struct ArcGlance {
    int point, D;
    double file_s;
    const double *x, *v;
    double *y, *by_x, *by_m;
} ArcGlance;
void arc_view_look(const ArcView *view, const double *theta, const ArcGlance *glance);

/* A camera of the capture with its corrections built in. */
ArcCamera arc_view_corrected(const ArcView *view, const double *theta, int camera);

#endif
