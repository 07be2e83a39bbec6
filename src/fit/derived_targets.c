/* Derived numbers where the flight meets what the experiment names.
 *
 * At the meeting with v, its level part of size L and its part v_up along up:
 *   speed = |v|,  entry angle = atan2(-v_up, L),  distance = |x - point|,  miss = |x - centre|
 * level with gradients from the event's total derivatives (sim/event.h). */
#include "base/number.h"
#include "fit/deriver.h"
#include "fit/surface.h"

#include <math.h>
#include <string.h>

/* Of a fit 6 at most (release, apex, flight), of a target too (a rim in space). */
_Static_assert(6 + 6 * ARC_MAX_TARGETS <= ARC_MAX_DERIVED, "room for all derived numbers");

/* A distance of fewer sds than this from zero is not normally distributed. */
static const double clear_sds = 2.0;

/* A target and the state where it is met. */
typedef struct Meeting {
    ArcDeriver *deriver;
    const ArcTarget *target;
    const ArcFlown *flown;
    int d, up;
    int n;                                                       /* parameters and weights */
    double of_x[3][ARC_MAX_GRADIENT], of_v[3][ARC_MAX_GRADIENT]; /* gradients by axis */
} Meeting;

static const char *meeting_name(const Meeting *meeting, const char *suffix)
{
    const char *name =
        arc_arena_format(meeting->deriver->fit->arena, "%s_%s", meeting->target->name, suffix);
    meeting->deriver->failed = meeting->deriver->failed || name == NULL;
    return name;
}

static void meeting_add(const Meeting *meeting, const char *suffix, const char *unit, double value,
                        const double *gradient)
{
    const char *name = meeting_name(meeting, suffix);
    if (name != NULL)
        arc_deriver_add(meeting->deriver, name, unit, value, gradient);
}

static void deriver_remark(ArcDeriver *deriver, const char *text)
{
    deriver->failed = deriver->failed || text == NULL;
    if (text != NULL && deriver->n_remarks < ARC_MAX_REMARKS)
        deriver->remarks[deriver->n_remarks++] = text;
}

/* Size of the vector from an origin over the axes that count, with its gradient. */
static double meeting_size(const Meeting *meeting, const double *vector, const double *origin,
                           const double (*rows)[ARC_MAX_GRADIENT], bool with_up, double *gradient)
{
    double square = 0.0;
    memset(gradient, 0, sizeof(double) * (size_t)meeting->n);
    for (int c = 0; c < meeting->d; c++) {
        double off = vector[c] - (origin != NULL ? origin[c] : 0.0);
        if (c == meeting->up && !with_up)
            continue;
        square += off * off;
        for (int i = 0; i < meeting->n; i++)
            gradient[i] += off * rows[c][i];
    }
    double size = sqrt(square);
    for (int i = 0; i < meeting->n; i++)
        gradient[i] = size > 0.0 ? gradient[i] / size : 0.0;
    return size;
}

static void meeting_add_velocity(const Meeting *meeting)
{
    const double *v = meeting->flown->v;
    double of_level[ARC_MAX_GRADIENT], of_speed[ARC_MAX_GRADIENT];
    int up = meeting->up;
    double level = meeting_size(meeting, v, NULL, meeting->of_v, false, of_level);
    double speed = meeting_size(meeting, v, NULL, meeting->of_v, true, of_speed);
    meeting_add(meeting, "speed", "m/s", speed, speed > 0.0 ? of_speed : NULL);
    for (int i = 0; i < meeting->n; i++)
        of_level[i] = (v[up] * of_level[i] - level * meeting->of_v[up][i]) / (speed * speed);
    meeting_add(meeting, "entry_angle", "rad", atan2(-v[up], level), speed > 0.0 ? of_level : NULL);
}

/* A distance from something on the ball's way. */
static void meeting_add_distance(const Meeting *meeting, const char *suffix, const double *origin,
                                 bool with_up)
{
    double gradient[ARC_MAX_GRADIENT];
    ArcDeriver *deriver = meeting->deriver;
    double size =
        meeting_size(meeting, meeting->flown->x, origin, meeting->of_x, with_up, gradient);
    meeting_add(meeting, suffix, "m", size, size > 0.0 ? gradient : NULL);
    if (deriver->n > 0 && size < clear_sds * deriver->derived[deriver->n - 1].sd)
        deriver_remark(deriver,
                       arc_arena_format(deriver->fit->arena,
                                        "%s_%s is small beside its sd; a distance does not go "
                                        "below 0, so its interval is a rough guide only",
                                        meeting->target->name, suffix));
}

static void meeting_add_position(const Meeting *meeting, int without)
{
    static const char *const names[] = {"x", "y", "z"};
    for (int c = 0; c < meeting->d; c++)
        if (c != without)
            meeting_add(meeting, names[c], "m", meeting->flown->x[c], meeting->of_x[c]);
}

static void meeting_add_rim(const Meeting *meeting)
{
    const ArcTarget *target = meeting->target;
    ArcDeriver *deriver = meeting->deriver;
    meeting_add_distance(meeting, "miss", target->centre_m, false);
    double miss = deriver->n > 0 ? deriver->derived[deriver->n - 1].value : NAN;
    deriver_remark(deriver,
                   arc_arena_format(deriver->fit->arena, "%s: the ball's centre passes %s the rim",
                                    target->name, miss < target->radius_m ? "inside" : "outside"));
}

/* Why a target has no numbers. */
static void remark_left_out(ArcDeriver *deriver, const ArcTarget *target, const char *why)
{
    static const char axes[] = "xyz";
    char level[ARC_NUMBER_TEXT];
    ArcArena *arena = deriver->fit->arena;
    int up = deriver->problem->flight.settings.up;
    const char *what = "comes nearer to the point";
    if (target->kind == ARC_TARGET_PLANE)
        what = arc_arena_format(arena, "crosses %c = %s m", axes[target->plane.axis],
                                arc_number_write_digits(level, target->plane.level_m, 6));
    else if (target->kind != ARC_TARGET_POINT)
        what = arc_arena_format(
            arena, "comes down through %c = %s m", axes[up],
            arc_number_write_digits(
                level, target->kind == ARC_TARGET_RIM ? target->centre_m[up] : target->height_m,
                6));
    deriver->failed = deriver->failed || what == NULL;
    deriver_remark(deriver,
                   arc_arena_format(arena, "%s is left out: the flight never %s%s%s", target->name,
                                    what == NULL ? "" : what, why != NULL ? " before " : "",
                                    why != NULL ? why : " within a minute"));
}

static void derive_target(ArcDeriver *deriver, ArcFlown *flown, const ArcTarget *target)
{
    const ArcFlight *flight = &deriver->problem->flight;
    int up = flight->settings.up;
    Meeting meeting = {.deriver = deriver,
                       .target = target,
                       .flown = flown,
                       .d = flight->settings.dimensions,
                       .up = up,
                       .n = deriver->problem->n_parameters + deriver->problem->K};
    ArcPlane plane = target->plane;
    if (target->kind == ARC_TARGET_HEIGHT || target->kind == ARC_TARGET_RIM)
        plane = (ArcPlane){up, target->kind == ARC_TARGET_RIM ? target->centre_m[up]
                                                              : target->height_m};
    ArcSurface surface = target->kind == ARC_TARGET_POINT
                             ? arc_surface_point(flight, target->point_m)
                             : arc_surface_plane(flight, plane);
    ArcSimDirection direction = target->kind == ARC_TARGET_PLANE   ? ARC_SIM_EITHER
                                : target->kind == ARC_TARGET_POINT ? ARC_SIM_RISING
                                                                   : ARC_SIM_FALLING;
    const ArcSimEvent event = arc_surface_event(&surface, direction);
    double t = arc_flown_find(flown, &event, ARC_LONGEST_FLIGHT_S), of_t[ARC_MAX_GRADIENT] = {0};
    if (!isfinite(t)) {
        remark_left_out(deriver, target, arc_flyer_why(flown->flyer));
        return;
    }
    arc_flown_time_gradient(flown, of_t);
    for (int c = 0; c < meeting.d; c++)
        arc_flown_gradient(flown, c, meeting.of_x[c], meeting.of_v[c]);
    meeting_add(&meeting, "time", "s", t - deriver->values[deriver->problem->t0_index], of_t);
    if (target->kind == ARC_TARGET_POINT)
        meeting_add_distance(&meeting, "distance", target->point_m, true);
    else
        meeting_add_position(&meeting, plane.axis);
    meeting_add_velocity(&meeting);
    if (target->kind == ARC_TARGET_RIM)
        meeting_add_rim(&meeting);
}

void arc_deriver_targets(ArcDeriver *deriver, ArcFlown *flown)
{
    for (int i = 0; i < deriver->problem->n_targets; i++)
        derive_target(deriver, flown, &deriver->problem->targets[i]);
}
