/* The four losses. */
#include "fit/loss.h"

#include <math.h>

static const double HUBER_TUNING = 1.345;
static const double SCALE_TUNING = 1.0;
/* Slopes are divided by: they must not vanish however far a point is off. */
static const double LEAST_SLOPE = 1e-150;

double arc_loss_rho(const ArcLoss *loss, double r)
{
    double k = loss->tuning, size = fabs(r);
    switch (loss->kind) {
    case ARC_LOSS_HUBER:
        return size <= k ? 0.5 * r * r : k * (size - 0.5 * k);
    case ARC_LOSS_CAUCHY:
        return 0.5 * k * k * log1p(r / k * (r / k));
    case ARC_LOSS_STUDENT_T:
        return 0.5 * (loss->dof + 1.0) * log1p(r * r / loss->dof);
    default:
        return 0.5 * r * r;
    }
}

double arc_loss_psi(const ArcLoss *loss, double r)
{
    double k = loss->tuning;
    switch (loss->kind) {
    case ARC_LOSS_HUBER:
        return fmin(fmax(r, -k), k);
    case ARC_LOSS_CAUCHY:
        return r / (1.0 + r / k * (r / k));
    case ARC_LOSS_STUDENT_T:
        return (loss->dof + 1.0) * r / (loss->dof + r * r);
    default:
        return r;
    }
}

double arc_loss_bend(const ArcLoss *loss, double r)
{
    double k = loss->tuning, nu = loss->dof, u;
    switch (loss->kind) {
    case ARC_LOSS_HUBER:
        return fabs(r) <= k ? 1.0 : 0.0;
    case ARC_LOSS_CAUCHY:
        u = r / k * (r / k);
        return (1.0 - u) / ((1.0 + u) * (1.0 + u));
    case ARC_LOSS_STUDENT_T:
        u = r * r / nu;
        return (nu + 1.0) / nu * (1.0 - u) / ((1.0 + u) * (1.0 + u));
    default:
        return 1.0;
    }
}

double arc_loss_weight(const ArcLoss *loss, double r)
{
    double k = loss->tuning;
    switch (loss->kind) {
    case ARC_LOSS_HUBER:
        return fabs(r) <= k ? 1.0 : k / fabs(r);
    case ARC_LOSS_CAUCHY:
        return 1.0 / (1.0 + r / k * (r / k));
    case ARC_LOSS_STUDENT_T:
        return 1.0 / (1.0 + r * r / loss->dof);
    default:
        return 1.0;
    }
}

double arc_loss_transform(const ArcLoss *loss, double r, double *slope)
{
    if (loss->kind == ARC_LOSS_GAUSS || (loss->kind == ARC_LOSS_HUBER && fabs(r) <= loss->tuning)) {
        *slope = 1.0;
        return r;
    }
    double s = copysign(sqrt(2.0 * arc_loss_rho(loss, r)), r);
    /* Near zero both fade; their ratio is the root of the curvature there. */
    double centre = loss->kind == ARC_LOSS_STUDENT_T ? sqrt((loss->dof + 1.0) / loss->dof) : 1.0;
    *slope = s == 0.0 ? centre : fmax(arc_loss_psi(loss, r) / s, LEAST_SLOPE);
    return s;
}

double arc_loss_restore(const ArcLoss *loss, double s, double *slope)
{
    double k = loss->tuning, size = fabs(s), r = size;
    if (loss->kind == ARC_LOSS_HUBER && size > k)
        r = 0.5 * (size * size + k * k) / k;
    else if (loss->kind == ARC_LOSS_CAUCHY)
        r = k * sqrt(expm1(size / k * (size / k)));
    else if (loss->kind == ARC_LOSS_STUDENT_T)
        r = sqrt(loss->dof * expm1(size * size / (loss->dof + 1.0)));
    arc_loss_transform(loss, r, slope);
    return copysign(r, s);
}

double arc_loss_chi(const ArcLoss *loss, double r)
{
    switch (loss->kind) {
    case ARC_LOSS_HUBER:
    case ARC_LOSS_CAUCHY:
        return fmin(r * r, SCALE_TUNING * SCALE_TUNING);
    case ARC_LOSS_STUDENT_T:
        return r * arc_loss_psi(loss, r);
    default:
        return r * r;
    }
}

double arc_loss_chi_slope(const ArcLoss *loss, double r)
{
    switch (loss->kind) {
    case ARC_LOSS_HUBER:
    case ARC_LOSS_CAUCHY:
        return fabs(r) < SCALE_TUNING ? 2.0 * r : 0.0;
    case ARC_LOSS_STUDENT_T:
        return arc_loss_psi(loss, r) + r * arc_loss_bend(loss, r);
    default:
        return 2.0 * r;
    }
}

/* E min(r^2, k^2) of a normal r = P(|r| < k) - 2 k phi(k) + k^2 P(|r| > k). */
double arc_loss_beta(const ArcLoss *loss)
{
    if (loss->kind != ARC_LOSS_HUBER && loss->kind != ARC_LOSS_CAUCHY)
        return 1.0;
    double k = SCALE_TUNING, beyond = erfc(M_SQRT1_2 * k);
    double density = exp(-0.5 * k * k) / sqrt(2.0 * M_PI);
    return 1.0 - beyond - 2.0 * k * density + k * k * beyond;
}

bool arc_loss_is_convex(const ArcLoss *loss)
{
    return loss->kind == ARC_LOSS_GAUSS || loss->kind == ARC_LOSS_HUBER;
}

ArcLoss arc_loss_convex(const ArcLoss *loss)
{
    if (arc_loss_is_convex(loss))
        return *loss;
    return (ArcLoss){.kind = ARC_LOSS_HUBER, .tuning = HUBER_TUNING};
}
