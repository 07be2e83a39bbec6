/* What a fit does not know, beyond its covariance: profile likelihood, bootstrap, Markov chains.
 *
 * The covariance is a parabola at the minimum. Where the likelihood is none (a parameter that can
 * only be so large, one that saturates, a valley that bends) these follow it further.
 */
#ifndef ARCFIT_UNCERTAINTY_H
#define ARCFIT_UNCERTAINTY_H

#include "arcfit/fit.h"

#pragma GCC visibility push(default)

/* The 95 % point of chi-square with one degree of freedom: where a profile's interval ends. */
#define ARC_PROFILE_RISE 3.841458820694124

/* How one side of a profile ends. */
typedef enum ArcProfileEnd {
    ARC_PROFILE_END_FOUND, /* the rise is reached: interval's end */
    ARC_PROFILE_END_BOUND, /* a bound of the experiment comes first: interval's end */
    ARC_PROFILE_END_OPEN,  /* not reached as far as the parameter makes sense: no end */
    ARC_PROFILE_END_LOST   /* no fit succeeds beyond some value, before the rise: no end */
} ArcProfileEnd;

/* "found", "bound", "open", "lost". */
const char *arc_profile_end_text(ArcProfileEnd end);

/* What the data alone say, bounds apart (Raue et al., Bioinformatics 25 (2009) 1923). */
typedef enum ArcProfileKind {
    ARC_PROFILE_IDENTIFIABLE, /* both ends found */
    ARC_PROFILE_OPEN_BELOW,   /* practically not identifiable: no lower end */
    ARC_PROFILE_OPEN_ABOVE,   /* no upper end */
    ARC_PROFILE_OPEN,         /* neither, though the likelihood changes */
    ARC_PROFILE_FLAT          /* structurally not identifiable: it does not even change */
} ArcProfileKind;

/* "identifiable", "open-below", "open-above", "open", "flat". */
const char *arc_profile_kind_text(ArcProfileKind kind);

/* The profile of one parameter: the least 2 (F(p) - F_min) over all other unknowns at each p, F
 * half the sum of squares; under a robust loss scaled so that its parabola has the covariance's
 * width. Where the fit's intervals are Student's t, the profile's ends at its square. Sigma and the
 * loss's degrees of freedom stay those of the fit. */
typedef struct ArcProfile {
    int parameter; /* index into the fit's parameters */
    ArcProfileKind kind;
    ArcProfileEnd end[2]; /* lower, upper */
    double interval[2];   /* 95 %; -inf, inf where there is no end */
    int n;
    const double *value; /* (n) ascending, the estimate among them */
    const double *rise;  /* (n) */
    double lowest;       /* least rise: below 0 where the fit was not in the lowest valley ... */
    double lowest_value; /* ... and the parameter there */
    int n_fits;
} ArcProfile;

/* A number of the fit as replicates of the bootstrap see it. Intervals are of 95 %, NaN where too
 * few replicates succeeded. */
typedef struct ArcBootstrapNumber {
    const char *name, *unit;
    double value; /* the fit's */
    double sd, bias;
    double percentile95[2]; /* of the replicates */
    double
        t95[2]; /* bootstrap-t: of (replicate - value) / the replicate's sd, times the fit's sd */
    int n;      /* replicates that have the number (a flight may never come down) */
} ArcBootstrapNumber;

typedef struct ArcBootstrap {
    ArcBootstrapKind kind;
    int n;         /* wanted */
    int n_failed;  /* did not converge, or left nothing to tell parameters from */
    int n_numbers; /* free parameters, then derived numbers */
    const ArcBootstrapNumber *numbers;
    const double *replicates; /* (n, n_numbers), NaN where failed */
} ArcBootstrap;

/* A free parameter as the chains see it. */
typedef struct ArcSampledNumber {
    const char *name, *unit;
    double value; /* the fit's */
    double mean, sd;
    double ci95[2]; /* 2.5 and 97.5 % quantiles */
    double r_hat, ess_bulk, ess_tail;
} ArcSampledNumber;

/* R-hat up to here and effective sizes from here on are enough (Vehtari et al., 2021). */
#define ARC_SAMPLES_R_HAT 1.01
#define ARC_SAMPLES_ESS 400.0

typedef struct ArcSamples {
    int n_ensembles, n_walkers; /* independent ensembles, walkers in each */
    int n_burn_in;              /* sweeps thrown away */
    int thin;                   /* sweeps between kept draws */
    int n_kept;                 /* draws, of all walkers */
    double acceptance;
    int n_numbers;
    const ArcSampledNumber *numbers; /* free parameters */
    const double *draws;             /* (n_kept, n_numbers), walker by walker */
    bool believable;                 /* R-hat and effective sizes are enough for all numbers */
} ArcSamples;

/* What was asked for; the rest is 0 or NULL. */
typedef struct ArcUncertainty {
    int n_profiles;
    const ArcProfile *profiles;
    const ArcBootstrap *bootstrap;
    const ArcSamples *samples;
    const char *note; /* why something asked for is missing, one sentence; else NULL */
} ArcUncertainty;

/* Works out what settings ask for about a fit of this problem, and sets fit->uncertainty; Markov
 * chains for the direct fit alone. PINN's refits keep its hidden layers: their last stage is the
 * linear one. Where the fit did not converge, or options->progress stops it, that is left out with
 * a note. The same for any number of options->threads. ARC_MEMORY. */
ArcStatus arc_uncertainty_run(const ArcProblem *problem, const ArcUncertaintySettings *settings,
                              const ArcFitOptions *options, ArcFit *fit, ArcError *err);

#pragma GCC visibility pop

#endif
