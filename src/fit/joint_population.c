/* Standard deviations of populations, by their marginal likelihood.
 *
 * Each flight's own theta_f is from N(mu, tau^2); mu and theta are unknowns of the sum of squares
 * at a given tau, with rows (theta_f - mu) / tau. tau itself is not: at tau -> 0 the sum together
 * with its normalisation, N log tau, falls without end (the funnel). It is found where
 *   -log p(data | tau) = F(tau) + log det(J'J)(tau) / 2 + N log tau
 * is least, F half the sum of squares at its minimum: theta, mu and all else integrated out by
 * Laplace's rule, mu over a flat prior (REML: Patterson and Thompson, Biometrika 58 (1971) 545;
 * Laplace: Tierney and Kadane, JASA 81 (1986) 82). That stays finite at tau -> 0, where it may have
 * its minimum: then the flights do not differ beyond their noise. Along tau the problem linearised
 * at the last fit serves (blocks.h), and fit and tau are repeated until neither moves.
 *
 * The interval of tau is where this rises by 1.92 over its minimum. That of mu is Student's with
 *   nu = 2 V^2 / ((dV / dtau^2)^2 var(tau^2)),   V = var(mu),
 * degrees of freedom (Satterthwaite, Biometrics Bulletin 2 (1946) 110), var(tau^2) from the
 * curvature; of N flights that are all as good, N - 1.
 */
#include "fit/joint.h"

#include "solve/posterior.h"

#include <math.h>
#include <string.h>

enum { SECTIONS = 44, WIDENINGS = 40, BISECTIONS = 30 };
static const double golden = 0.61803398874989485;
static const double first_share = 0.3, least_share = 1e-2, reach = 3.0;
static const double same_evidence = 1e-3, rise = 1.92, small_step = 0.05;

/* No population is narrower for us than this beside what one flight tells. */
static double least_sd(const ArcJointRun *run, int k)
{
    double member_sd = arc_joint_solver_member_sd(run->solver, k);
    return least_share * (isfinite(member_sd) ? member_sd : run->population_sd[k]);
}

void arc_populations_begin(ArcJointRun *run)
{
    for (int k = 0; k < run->joint->n_shared; k++) {
        double size = fabs(run->s[k]);
        run->population_sd[k] = first_share * (size > 0.0 ? size : 1.0);
    }
}

/* Evidence with one population's sd set to exp(log_sd). */
static double evidence_at(ArcJointRun *run, double *sd, int k, double log_sd)
{
    double kept = sd[k];
    sd[k] = exp(log_sd);
    double evidence = arc_joint_solver_evidence(run->solver, sd);
    sd[k] = kept;
    return isnan(evidence) ? INFINITY : evidence;
}

/* The least between low and high by golden section. */
static double least_between(ArcJointRun *run, double *sd, int k, double low, double high)
{
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double at_a = evidence_at(run, sd, k, a), at_b = evidence_at(run, sd, k, b);
    for (int i = 0; i < SECTIONS && high - low > 1e-7; i++) {
        if (at_a < at_b) {
            high = b, b = a, at_b = at_a;
            a = high - golden * (high - low);
            at_a = evidence_at(run, sd, k, a);
        } else {
            low = a, a = b, at_a = at_b;
            b = low + golden * (high - low);
            at_b = evidence_at(run, sd, k, b);
        }
    }
    return 0.5 * (low + high);
}

/* The floor where it is as good as anything above it. */
static double improve_one(ArcJointRun *run, double *sd, int k)
{
    double floor = log(least_sd(run, k)), at = fmax(log(sd[k]), floor);
    double best = least_between(run, sd, k, fmax(at - reach, floor), at + reach);
    double at_floor = evidence_at(run, sd, k, floor);
    return at_floor <= evidence_at(run, sd, k, best) + same_evidence ? floor : best;
}

void arc_populations_improve(ArcJointRun *run, double *moved)
{
    *moved = 0.0;
    for (int k = 0; k < run->joint->n_shared; k++) {
        if (!run->joint->shared[k].is_mean)
            continue;
        double before = log(run->population_sd[k]);
        double after = improve_one(run, run->population_sd, k);
        *moved = fmax(*moved, fabs(after - before));
        run->population_sd[k] = exp(after);
    }
}

/* Where the evidence has risen by `rise` from log_sd on in a direction; -inf or inf where it does
 * not. */
static double end_of_interval(ArcJointRun *run, int k, double log_sd, double direction)
{
    double level = evidence_at(run, run->population_sd, k, log_sd) + rise;
    double floor = log(least_sd(run, k)), inside = log_sd, outside = log_sd, step = 0.1;
    for (int i = 0; i < WIDENINGS; i++, step *= 1.5) {
        outside = inside + direction * step;
        if (direction < 0.0 && outside < floor)
            outside = floor;
        if (evidence_at(run, run->population_sd, k, outside) > level)
            break;
        if (direction < 0.0 && outside <= floor)
            return -INFINITY;
        inside = outside;
        if (i == WIDENINGS - 1)
            return direction * INFINITY;
    }
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = 0.5 * (inside + outside);
        *(evidence_at(run, run->population_sd, k, middle) > level ? &outside : &inside) = middle;
    }
    return 0.5 * (inside + outside);
}

/* var(mu) at the population sds that stand. */
static ArcStatus variance_of_mean(ArcJointRun *run, int k, ArcArena *scratch, double *variance,
                                  ArcError *err)
{
    int n = run->joint->n_shared;
    double *R = ARC_ALLOC(scratch, (size_t)n * (size_t)n, double);
    ArcPosterior posterior;
    *variance = NAN;
    if (R == NULL)
        return arc_error_no_memory(err);
    if (!arc_joint_named_factor(run, -1, R))
        return ARC_OK;
    ArcStatus status = arc_posterior_create(n, R, scratch, &posterior, err);
    if (status == ARC_OK && posterior.identified[k])
        *variance = posterior.covariance[k * (n + 1)];
    return status;
}

/* Degrees of freedom of the mean, by differences over tau. */
static ArcStatus mean_dof(ArcJointRun *run, int k, ArcArena *scratch, double curvature, double *dof,
                          ArcError *err)
{
    double sd = run->population_sd[k], V[3], most = run->joint->n_flights - 1.0;
    ArcStatus status = ARC_OK;
    for (int i = -1; i <= 1 && status == ARC_OK; i++) {
        run->population_sd[k] = sd * exp(i * small_step);
        status = variance_of_mean(run, k, scratch, &V[i + 1], err);
    }
    run->population_sd[k] = sd;
    /* In log tau: the factors of d tau^2 cancel. */
    double slope = (V[2] - V[0]) / (2.0 * small_step);
    double found = 2.0 * V[1] * V[1] * curvature / (slope * slope);
    *dof = found >= 1.0 ? found : found < 1.0 ? 1.0 : most;
    return status;
}

ArcStatus arc_populations_describe(ArcJointRun *run, ArcArena *arena, ArcPopulation *populations,
                                   ArcError *err)
{
    ArcStatus status = ARC_OK;
    for (int k = 0; k < run->joint->n_shared && status == ARC_OK; k++) {
        ArcPopulation *p = &populations[k];
        if (!run->joint->shared[k].is_mean)
            continue;
        double *sd = run->population_sd, at = log(sd[k]);
        double middle = evidence_at(run, sd, k, at), h = small_step;
        double curvature =
            (evidence_at(run, sd, k, at + h) - 2.0 * middle + evidence_at(run, sd, k, at - h)) /
            (h * h);
        p->is_zero = sd[k] <= 1.0001 * least_sd(run, k);
        p->ci95[0] = p->is_zero ? 0.0 : exp(end_of_interval(run, k, at, -1.0));
        p->ci95[1] = exp(end_of_interval(run, k, at, 1.0));
        p->sd = p->is_zero ? 0.0 : sd[k];
        /* Of a minimum at the floor there is no curvature: as if the interval were normal. */
        p->sd_sd = p->is_zero || !(curvature > 0.0) ? p->ci95[1] / 1.96 : sd[k] / sqrt(curvature);
        p->mean_dof = run->joint->n_flights - 1.0;
        if (!p->is_zero && curvature > 0.0)
            status = mean_dof(run, k, arena, curvature, &p->mean_dof, err);
    }
    return status;
}
