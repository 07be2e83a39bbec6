/* What a hit is, and the chance of one by a normal offset.
 *
 * Of a goal in the plane the offset is one number, of one in space two: along the level direction f
 * of the flight and across it (hoop), along the area's axes, in the plane across the flight (point;
 * where the closest approach is, the offset has no part along it). The region of hits is an
 * interval, a disc, a box, or a hoop's: where the ellipse E (A = r / sin e along f, B = r across)
 * about o lies within the circle of radius R, with n = (cos psi, sin psi) and h^2 = A^2 cos^2 psi +
 * B^2 sin^2 psi its outline is
 *
 *   x = (R - A^2 / h) cos psi,   y = (R - B^2 / h) sin psi       where R > A^2 / h
 *
 * in each quadrant: a lens with corners on the line across f where R < A^2 / B, else smooth.
 */
#include "aim/probability.h"

#include "physics/matrix3.h"
#include "solve/binormal.h"

#include <math.h>

enum { HALVINGS = 60, QUADRANTS = 4 };

static const double same_angle = 1e-12; /* whose square no distance knows */

typedef enum RegionKind { REGION_DISC, REGION_BOX, REGION_CLEAN, REGION_EMPTY } RegionKind;

/* Of one number: half[0] to both sides. */
typedef struct Region {
    RegionKind kind;
    double half[2];  /* of a box */
    double radius_m; /* of a disc, a circle */
    double A, B;     /* of the ellipse */
    double psi;      /* where a quadrant's outline ends */
} Region;

/* The offset's m numbers are rows of axis times it. */
typedef struct Target {
    int m;
    double axis[2][3];
    Region region;
} Target;

/* Across v: in the plane the one direction, in space two. */
static void take_point(const ArcExperiment *experiment, const double *v, Target *target)
{
    const ArcFlightSettings *flight = &experiment->flight.settings;
    double radius = arc_goal_point_radius(experiment);
    double along[3] = {v[0], v[1], flight->dimensions == 3 ? v[2] : 0.0},
           speed = arc_vector3_norm(along);
    target->region = (Region){.kind = REGION_DISC, .radius_m = radius, .half = {radius, radius}};
    /* A ball at rest there was on its way up or down. */
    for (int c = 0; c < 3; c++)
        along[c] = speed > 0.0 ? along[c] / speed : c == flight->up;
    target->m = flight->dimensions - 1;
    if (target->m == 1) {
        target->axis[0][0] = -along[1];
        target->axis[0][1] = along[0];
        return;
    }
    int least = 0;
    for (int c = 1; c < 3; c++)
        if (fabs(along[c]) < fabs(along[least]))
            least = c;
    double *a = target->axis[0], *b = target->axis[1];
    for (int c = 0; c < 3; c++)
        a[c] = (c == least) - along[least] * along[c];
    double size = arc_vector3_norm(a);
    for (int c = 0; c < 3; c++)
        a[c] /= size;
    for (int c = 0; c < 3; c++)
        b[c] = along[(c + 1) % 3] * a[(c + 2) % 3] - along[(c + 2) % 3] * a[(c + 1) % 3];
}

static void take_area(const ArcExperiment *experiment, Target *target)
{
    const ArcGoal *goal = &experiment->aim.goal;
    target->region.kind = REGION_BOX;
    for (int c = 0; c < experiment->flight.settings.dimensions; c++)
        if (c != goal->axis) {
            target->region.half[target->m] = goal->half_m[c];
            target->axis[target->m++][c] = 1.0;
        }
}

/* The region of a clean pass by radius R, ball and entry angle. */
static Region clean_region(double R, double r, double sine)
{
    if (!(sine > 0.0) || !(r < sine * R))
        return (Region){.kind = REGION_EMPTY};
    double A = r / sine, B = r;
    if (!(r > 0.0))
        return (Region){.kind = REGION_DISC, .radius_m = R, .half = {R, R}};
    double share = A * A * (1.0 - A * A / (R * R)), most = A * A - B * B;
    return (Region){.kind = REGION_CLEAN,
                    .radius_m = R,
                    .half = {R - A, R - A},
                    .A = A,
                    .B = B,
                    .psi = share < most ? asin(sqrt(share / most)) : M_PI_2};
}

static void take_hoop(const ArcExperiment *experiment, const double *v, Target *target)
{
    const ArcFlightSettings *flight = &experiment->flight.settings;
    int d = flight->dimensions, up = flight->up;
    double speed = 0.0, along = 0.0;
    for (int c = 0; c < d; c++) {
        speed = hypot(speed, v[c]);
        along = c == up ? along : hypot(along, v[c]);
    }
    target->region = clean_region(experiment->aim.goal.radius_m, arc_goal_ball_radius(experiment),
                                  speed > 0.0 ? -v[up] / speed : 0.0);
    target->m = d - 1;
    int a = up == 0 ? 1 : 0, b = 3 - up - a;
    if (d == 2) {
        target->axis[0][a] = 1.0;
        return;
    }
    double cosine = along > 0.0 ? v[a] / along : 1.0, sine = along > 0.0 ? v[b] / along : 0.0;
    target->axis[0][a] = cosine;
    target->axis[0][b] = sine;
    target->axis[1][a] = -sine;
    target->axis[1][b] = cosine;
}

static Target target_of(const ArcExperiment *experiment, const double *v)
{
    Target target = {0};
    switch (experiment->aim.goal.kind) {
    case ARC_GOAL_POINT:
        take_point(experiment, v, &target);
        break;
    case ARC_GOAL_AREA:
        take_area(experiment, &target);
        break;
    case ARC_GOAL_HOOP:
        take_hoop(experiment, v, &target);
        break;
    default:
        target.region.kind = REGION_EMPTY;
    }
    return target;
}

/* How far the ellipse about x (2) reaches from the circle's middle, and where to: its normal has
 * the angle theta of x + (A cos theta, B sin theta). */
static double ellipse_reach(const Region *region, const double x[2], double far[2])
{
    double A = region->A, B = region->B, excess = A * A - B * B;
    double x0 = fabs(x[0]), x1 = fabs(x[1]), low = 0.0, high = M_PI_2, theta = 0.5 * M_PI_2;
    /* Half the square's slope, positive before the farthest place, negative behind it: by Newton's
     * method where that stays between. */
    for (int k = 0; k < HALVINGS && high - low > same_angle; k++) {
        double cosine = cos(theta), sine = sin(theta), along = A * x0 + excess * cosine;
        double slope = B * x1 * cosine - sine * along;
        double curvature = -B * x1 * sine - cosine * along + excess * sine * sine;
        *(slope > 0.0 ? &low : &high) = theta;
        double next = theta - slope / (curvature < 0.0 ? curvature : -1.0);
        if (fabs(next - theta) < same_angle)
            break;
        theta = next > low && next < high ? next : 0.5 * (low + high);
    }
    far[0] = copysign(x0 + A * cos(theta), x[0]);
    far[1] = copysign(x1 + B * sin(theta), x[1]);
    return hypot(far[0], far[1]);
}

static bool region_has(const Region *region, int m, const double x[2])
{
    double far[2], distance = hypot(x[0], x[1]);
    if (region->kind == REGION_EMPTY)
        return false;
    if (m == 1)
        return fabs(x[0]) <= region->half[0];
    if (region->kind == REGION_BOX)
        return fabs(x[0]) <= region->half[0] && fabs(x[1]) <= region->half[1];
    if (region->kind == REGION_DISC)
        return distance <= region->radius_m;
    /* The ellipse lies between the circles of its half axes. */
    if (distance + region->B > region->radius_m)
        return false;
    return distance + region->A <= region->radius_m ||
           ellipse_reach(region, x, far) <= region->radius_m;
}

static void project(const Target *target, const double *o, double x[2])
{
    for (int k = 0; k < 2; k++) {
        x[k] = 0.0;
        for (int c = 0; c < 3 && k < target->m; c++)
            x[k] += target->axis[k][c] * o[c];
    }
}

bool arc_hit_is(const ArcExperiment *experiment, const double *o, const double *v)
{
    const Target target = target_of(experiment, v);
    double x[2];
    project(&target, o, x);
    return region_has(&target.region, target.m, x);
}

/* Quarters of an ellipse or a circle, sides of a box. */
static void outline_at(const void *context, int piece, double s, double x[2], double x_s[2])
{
    const Region *region = context;
    double R = region->radius_m;
    if (region->kind == REGION_BOX) {
        static const double corner[5][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 1}};
        for (int k = 0; k < 2; k++) {
            double from = corner[piece][k] * region->half[k];
            x_s[k] = corner[piece + 1][k] * region->half[k] - from;
            x[k] = from + s * x_s[k];
        }
        return;
    }
    /* Each second quarter is the one before, mirrored and run through backwards. */
    bool is_back = piece % 2 == 1;
    double end = region->kind == REGION_DISC ? M_PI_2 : region->psi;
    double psi = end * (is_back ? 1.0 - s : s), slope = is_back ? -end : end;
    double cosine = cos(psi), sine = sin(psi), along = R, across = R, h = 1.0, h_psi = 0.0;
    double A2 = 0.0, B2 = 0.0;
    if (region->kind == REGION_CLEAN) {
        A2 = region->A * region->A;
        B2 = region->B * region->B;
        h = sqrt(A2 * cosine * cosine + B2 * sine * sine);
        h_psi = (B2 - A2) * sine * cosine / h;
        along = R - A2 / h;
        across = R - B2 / h;
    }
    double sign_x = piece == 0 || piece == 3 ? 1.0 : -1.0, sign_y = piece < 2 ? 1.0 : -1.0;
    x[0] = sign_x * along * cosine;
    x[1] = sign_y * across * sine;
    x_s[0] = sign_x * slope * (A2 * h_psi / (h * h) * cosine - along * sine);
    x_s[1] = sign_y * slope * (B2 * h_psi / (h * h) * sine + across * cosine);
}

static void point_on(const double from[2], const double along[2], double t, double x[2])
{
    for (int k = 0; k < 2; k++)
        x[k] = from[k] + t * along[k];
}

/* The ellipse's reach along a line is convex: its lowest is found by its slope, then both ends. */
static bool clean_chord(const Region *region, const double from[2], const double along[2],
                        double t[2])
{
    double R = region->radius_m, x[2], far[2];
    double middle = -(from[0] * along[0] + from[1] * along[1]);
    double outer[2] = {middle - R, middle + R}, low = outer[0], high = outer[1];
    for (int k = 0; k < HALVINGS; k++) {
        middle = 0.5 * (low + high);
        point_on(from, along, middle, x);
        ellipse_reach(region, x, far);
        *(far[0] * along[0] + far[1] * along[1] > 0.0 ? &high : &low) = middle;
    }
    point_on(from, along, middle, x);
    if (!region_has(region, 2, x))
        return false;
    for (int side = 0; side < 2; side++) {
        double within = middle, without = outer[side];
        for (int k = 0; k < HALVINGS; k++) {
            t[side] = 0.5 * (within + without);
            point_on(from, along, t[side], x);
            *(region_has(region, 2, x) ? &within : &without) = t[side];
        }
    }
    return true;
}

static bool outline_chord(const void *context, const double from[2], const double along[2],
                          double t[2])
{
    const Region *region = context;
    if (region->kind == REGION_CLEAN)
        return clean_chord(region, from, along, t);
    if (region->kind == REGION_DISC) {
        double middle = -(from[0] * along[0] + from[1] * along[1]);
        double across = from[0] * along[1] - from[1] * along[0];
        double square = region->radius_m * region->radius_m - across * across;
        t[0] = middle - sqrt(fmax(square, 0.0));
        t[1] = middle + sqrt(fmax(square, 0.0));
        return square >= 0.0;
    }
    t[0] = -INFINITY;
    t[1] = INFINITY;
    for (int k = 0; k < 2; k++) {
        double half = region->half[k], slope = along[k];
        if (slope == 0.0 && fabs(from[k]) > half)
            return false;
        if (slope == 0.0)
            continue;
        t[0] = fmax(t[0], (-copysign(half, slope) - from[k]) / slope);
        t[1] = fmin(t[1], (copysign(half, slope) - from[k]) / slope);
    }
    return t[0] <= t[1];
}

double arc_hit_chance(const ArcExperiment *experiment, const double *o, const double *S,
                      const double *v)
{
    const Target target = target_of(experiment, v);
    double mean[2], covariance[4] = {0};
    project(&target, o, mean);
    for (int k = 0; k < target.m; k++)
        for (int l = 0; l < target.m; l++)
            for (int c = 0; c < 9; c++)
                covariance[k * 2 + l] += target.axis[k][c / 3] * S[c] * target.axis[l][c % 3];
    const Region *region = &target.region;
    if (!isfinite(mean[0] + mean[1] + covariance[0] + covariance[1] + covariance[3]))
        return NAN;
    if (region->kind == REGION_EMPTY)
        return 0.0;
    if (target.m == 1)
        return arc_normal_within(mean[0], sqrt(fmax(covariance[0], 0.0)), -region->half[0],
                                 region->half[0]);
    const ArcOutline outline = {region, QUADRANTS, outline_at, outline_chord};
    return arc_binormal_within(&outline, mean, covariance);
}
