/* What the data tell of the free parameters, and which measurement would tell the rest.
 *
 * Near the estimate p the sum of squares feels the free parameters u by J alone, columns scaled to
 * norm one (ARC_POSTERIOR_PART in solve/posterior.h says what counts as nothing). Its null
 * directions, in reduced echelon form with complete pivoting, one row a direction with a leading
 * parameter of its own,
 *   u_lead + delta,   u_i + n_i delta,
 * are what the data do not tell; each other parameter that they touch gives what the data do tell:
 *   c = u_i - sum_g n_gi u_lead(g) = value +- sd,
 * true to first order about the estimate. Both together span all of the unidentified parameters.
 *
 * Measurements. One that reads h'u with standard deviation s, added to what is known (covariance C,
 * null directions N of infinite variance), takes a null direction away where N'h is not zero,
 *   u = N N'h / (h'N N'h),   C+ = (I - u h') C (I - u h')' + s^2 u u',   N+ = N's part across N'h,
 * and else tells C+ = C - C h h'C / (s^2 + h'C h): the limits of Bayes' rule, as in de Jong, The
 * diffuse Kalman filter, Annals of Statistics 19 (1991) 1073. What a measurement would show need
 * not be known for that: sds are those to expect.
 *
 * Candidates: a reading of each parameter that something free changes, joints' angles as their
 * encoders give them, with what an ordinary instrument gives (arc_instrument_sd). Ranked by null
 * directions left, then parameters left unidentified, then the mean logarithm of the sds after it,
 * in the instruments' sds, over the parameters then identified; with nothing unidentified that is
 * the order by `reduction`. Where one reading does not settle all, sets of two and, as far as these
 * do not either, the best of them with one more at a time, up to ARC_MEASUREMENT_READINGS.
 */
#ifndef ARCFIT_IDENTIFIABILITY_H
#define ARCFIT_IDENTIFIABILITY_H

#include <stdbool.h>

#pragma GCC visibility push(default)

enum { ARC_MEASUREMENT_READINGS = 4, ARC_MAX_MEASUREMENTS = 8 };

/* A linear combination of the fit's parameters. In SI units; the first part is the leading one. */
typedef struct ArcCombination {
    int n_parts;
    const int *parameters; /* (n_parts) indices into the fit's parameters */
    const double *factors; /* (n_parts); the first is 1 */
    double value, sd;      /* in the leading parameter's unit; NaN of null directions */
} ArcCombination;

/* One reading, or several at once, and what is to be expected of the fit with it. */
typedef struct ArcMeasurement {
    int n_readings;
    int parameters[ARC_MEASUREMENT_READINGS]; /* indices into the fit's parameters */
    double sd[ARC_MEASUREMENT_READINGS];      /* of the readings, SI */
    int n_settled;                            /* null directions that it takes away */
    int n_null_left, n_unidentified_left;     /* directions, parameters */
    double reduction;       /* mean of ln(sd before / sd after) over parameters identified before */
    const double *sd_after; /* (n_free) by row of the covariance; NaN where still unidentified */
} ArcMeasurement;

/* Read-only; in the fit's arena. */
typedef struct ArcIdentifiability {
    int n_free;
    int rank;            /* n_free less the null directions */
    int release_numbers; /* that one flight tells of an arm: 2 d; 0: no arm, or its swing is seen */
    int n_readings;      /* of the arm and release, and priors, beside the flight */
    int n_determined;    /* combinations, of parameters that are unidentified one by one */
    const ArcCombination *determined;
    int n_undetermined; /* null directions: moving along factors changes nothing */
    const ArcCombination *undetermined;
    int n_measurements; /* best first; at most ARC_MAX_MEASUREMENTS */
    const ArcMeasurement *measurements;
} ArcIdentifiability;

/* The sd that an ordinary instrument gives for the parameter of this name and unit where it has
 * this value, and which one that is (nullable); NaN where there is none. */
double arc_instrument_sd(const char *name, const char *unit, double value, const char **instrument);

#pragma GCC visibility pop

#endif
