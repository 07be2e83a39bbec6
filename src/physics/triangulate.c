/* The position that several pixels see: Gauss-Newton on the pixels, from the linear equations.
 *
 * With J (2n, d) the pixels' partials over sigma and e their errors over sigma, dX solves
 * J'J dX = J'e, and (J'J)^-1 is the covariance. The start solves the same with the rows of
 * arc_camera_rows in the place of J, divided by the depth in a second round.
 */
#include "arcfit/camera.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 50, MOST_HALVINGS = 30 };

/* Rays count as parallel where a pivot of J'J over its diagonal is so small: 1e-5 rad apart. */
static const double parallel = 1e-10;

/* Normal equations of at most three unknowns. */
typedef struct Normal {
    double matrix[3][3], rhs[3], squares;
} Normal;

static void normal_add(Normal *normal, int d, const double *row, double rhs)
{
    for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++)
            normal->matrix[i][j] += row[i] * row[j];
        normal->rhs[i] += row[i] * rhs;
    }
    normal->squares += rhs * rhs;
}

/* The inverse (d, d) by Cholesky's factor; false where it is singular. */
static bool normal_invert(const Normal *normal, int d, double inverse[3][3])
{
    double L[3][3] = {{0}}, back[3][3] = {{0}};
    for (int j = 0; j < d; j++) {
        for (int i = j; i < d; i++) {
            double sum = normal->matrix[i][j];
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > parallel * normal->matrix[j][j]))
                return false;
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    }
    for (int j = 0; j < d; j++)
        for (int i = j; i < d; i++) {
            double sum = i == j;
            for (int k = j; k < i; k++)
                sum -= L[i][k] * back[k][j];
            back[i][j] = sum / L[i][i];
        }
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            inverse[i][j] = 0;
            for (int k = 0; k < d; k++)
                inverse[i][j] += back[k][i] * back[k][j];
        }
    return true;
}

static void normal_step(double inverse[3][3], int d, const double *rhs, double *step)
{
    for (int i = 0; i < d; i++) {
        step[i] = 0;
        for (int j = 0; j < d; j++)
            step[i] += inverse[i][j] * rhs[j];
    }
}

/* What is to be solved; all borrowed. */
typedef struct Sight {
    int n, d;
    const ArcCamera *const *cameras;
    const double *pixels_px, *sigma_px;
} Sight;

static ArcStatus rays_are_parallel(ArcError *err)
{
    return arc_error_set(err, ARC_NUMERIC,
                         "the cameras' rays are parallel: their pixels do not tell the position");
}

/* The linear start: a first round, and one with the rows over the depth that it gave. */
static ArcStatus solve_linear(const Sight *sight, double *x, ArcError *err)
{
    double found[3] = {0};
    for (int round = 0; round < 2; round++) {
        Normal normal = {0};
        double inverse[3][3];
        for (int i = 0; i < sight->n; i++) {
            const double *pixel = sight->pixels_px + 2 * (ptrdiff_t)i;
            double rows[2][4], depth[4], far = 1;
            if (!arc_camera_rows(sight->cameras[i], pixel, rows, depth))
                return arc_error_set(err, ARC_NUMERIC,
                                     "the pixel (%g, %g) lies outside what the camera's lens sees",
                                     pixel[0], pixel[1]);
            if (round == 1) {
                far = depth[sight->d];
                for (int k = 0; k < sight->d; k++)
                    far += depth[k] * found[k];
                far = fmax(far, 1e-6);
            }
            for (int k = 0; k < 2; k++) {
                double weighted[3], weight = 1 / (far * sight->sigma_px[i]);
                for (int j = 0; j < sight->d; j++)
                    weighted[j] = weight * rows[k][j];
                normal_add(&normal, sight->d, weighted, -weight * rows[k][sight->d]);
            }
        }
        if (!normal_invert(&normal, sight->d, inverse))
            return rays_are_parallel(err);
        normal_step(inverse, sight->d, normal.rhs, found);
    }
    memcpy(x, found, sizeof(double) * (size_t)sight->d);
    return ARC_OK;
}

/* J'J, J'e and e'e at x; false where a camera does not see it. */
static bool sight_normal(const Sight *sight, const double *x, Normal *normal)
{
    *normal = (Normal){0};
    for (int i = 0; i < sight->n; i++) {
        ArcProjection to;
        if (!arc_camera_project(sight->cameras[i], NULL, x, 0, &to))
            return false;
        for (int k = 0; k < 2; k++) {
            double row[3], sigma = sight->sigma_px[i];
            for (int j = 0; j < sight->d; j++)
                row[j] = to.by_position[k][j] / sigma;
            normal_add(normal, sight->d, row,
                       (sight->pixels_px[2 * i + k] - to.pixel_px[k]) / sigma);
        }
    }
    return true;
}

ArcStatus arc_camera_triangulate(int n, const ArcCamera *const *cameras, const double *pixels_px,
                                 const double *sigma_px, double *position_m, double *covariance_m2,
                                 ArcError *err)
{
    if (n < 1)
        return arc_error_set(err, ARC_INPUT, "no pixel to triangulate");
    Sight sight = {n, arc_camera_dimensions(cameras[0]), cameras, pixels_px, sigma_px};
    for (int i = 0; i < n; i++)
        if (arc_camera_dimensions(cameras[i]) != sight.d)
            return arc_error_set(err, ARC_INPUT,
                                 "a %s camera sees a plane, a %s camera space; they do not go "
                                 "together",
                                 arc_camera_kind_text(cameras[sight.d == 2 ? 0 : i]->kind),
                                 arc_camera_kind_text(cameras[sight.d == 2 ? i : 0]->kind));
    double x[3] = {0}, inverse[3][3];
    ArcStatus status = solve_linear(&sight, x, err);
    Normal normal;
    if (status != ARC_OK)
        return status;
    if (!sight_normal(&sight, x, &normal))
        return arc_error_set(err, ARC_NUMERIC,
                             "the pixels meet at (%g, %g, %g) m, where a camera cannot see", x[0],
                             x[1], x[2]);
    for (int step = 0; step < MOST_STEPS; step++) {
        double to[3], next[3] = {0}, share = 1;
        Normal there;
        if (!normal_invert(&normal, sight.d, inverse))
            return rays_are_parallel(err);
        normal_step(inverse, sight.d, normal.rhs, to);
        int halvings = 0;
        for (; halvings < MOST_HALVINGS; halvings++, share *= 0.5) {
            for (int k = 0; k < sight.d; k++)
                next[k] = x[k] + share * to[k];
            if (sight_normal(&sight, next, &there) && there.squares <= normal.squares)
                break;
        }
        if (halvings == MOST_HALVINGS) /* no better place to rounding */
            break;
        double gain = 0; /* of e'e, to first order */
        for (int k = 0; k < sight.d; k++)
            gain += share * to[k] * normal.rhs[k];
        memcpy(x, next, sizeof x);
        normal = there;
        if (gain <= 1e-20 + 1e-15 * normal.squares)
            break;
    }
    if (!normal_invert(&normal, sight.d, inverse))
        return rays_are_parallel(err);
    memcpy(position_m, x, sizeof(double) * (size_t)sight.d);
    for (int i = 0; covariance_m2 != NULL && i < sight.d; i++)
        for (int j = 0; j < sight.d; j++)
            covariance_m2[i * sight.d + j] = inverse[i][j];
    return ARC_OK;
}
