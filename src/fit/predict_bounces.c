/* Where a fit's own trajectory bounces.
 *
 * A bounce lies between two rows where the velocity across the plane has turned. From the earlier
 * one, at which the accelerations before it give jerk j and snap k by backward differences,
 *   x(s) = x + v s + a s^2 / 2 + j s^3 / 6 + k s^4 / 24
 * meets the plane: by Newton's method from the root without j and k.
 */
#include "arcfit/predict.h"

#include <math.h>
#include <string.h>

enum { NEWTON_STEPS = 4 };

/* Derivatives of one coordinate at a row: position, velocity, and so on. */
typedef struct Course {
    double by[5];
} Course;

/* first: row at which the segment begins. */
static Course course_of(const ArcFit *fit, int first, int row, int axis)
{
    int d = fit->dimensions, at = row * d + axis;
    const double *a = fit->acceleration_m_s2;
    Course course = {{fit->position_m[at], fit->velocity_m_s[at], a[at], 0.0, 0.0}};
    if (row - first >= 2) {
        double h = fit->time_s[row] - fit->time_s[row - 1];
        course.by[3] = (3.0 * a[at] - 4.0 * a[at - d] + a[at - 2 * d]) / (2.0 * h);
        course.by[4] = (a[at] - 2.0 * a[at - d] + a[at - 2 * d]) / (h * h);
    }
    return course;
}

/* The course's derivative of that order after s. */
static double course_at(const Course *course, int order, double s)
{
    double value = 0.0, term = 1.0;
    for (int k = order; k < 5; k++) {
        value += course->by[k] * term;
        term *= s / (k - order + 1);
    }
    return value;
}

/* Seconds after the row in which the level is met, within the time to the next; else NaN. */
static double time_to_level(const Course *course, double level_m, double within_s)
{
    double side = course->by[0] < level_m ? -1.0 : 1.0, x = side * (course->by[0] - level_m);
    double v = side * course->by[1], a = side * course->by[2], root = v * v - 2.0 * a * x;
    if (!(root > 0.0))
        return NAN;
    double s = 2.0 * x / (sqrt(root) - v); /* the first time that it comes down to it */
    for (int i = 0; i < NEWTON_STEPS; i++)
        s -= (course_at(course, 0, s) - level_m) / course_at(course, 1, s);
    return s > 0.0 && s <= within_s ? s : (double)NAN;
}

int arc_predict_bounces(const ArcFlight *flight, const ArcFit *fit, int most, ArcMet *bounces)
{
    const ArcBounce *bounce = &flight->settings.bounce;
    int n = 0, d = fit->dimensions, first = 0;
    if (!bounce->is_on || fit->acceleration_m_s2 == NULL || fit->states != NULL)
        return 0;
    for (int i = 0; i + 1 < fit->n_trajectory && n < most; i++) {
        int at = i * d + bounce->plane.axis;
        if (!(fit->velocity_m_s[at] * fit->velocity_m_s[at + d] < 0.0))
            continue;
        Course across = course_of(fit, first, i, bounce->plane.axis);
        double s =
            time_to_level(&across, bounce->plane.level_m, fit->time_s[i + 1] - fit->time_s[i]);
        if (isnan(s))
            continue;
        ArcMet *met = &bounces[n++];
        *met = (ArcMet){.row = i, .time_s = fit->time_s[i] + s};
        for (int c = 0; c < d; c++) {
            Course course = course_of(fit, first, i, c);
            met->x_m[c] = course_at(&course, 0, s);
            met->v_m_s[c] = course_at(&course, 1, s);
            met->a_m_s2[c] = course_at(&course, 2, s);
        }
        first = i + 1;
    }
    return n;
}
