/* A Result: all that one experiment gave, and PINN against direct.
 *
 * Read-only; owned by its arena. Made from fits, or read back from HDF5 (report.h).
 */
#ifndef ARCFIT_RESULT_H
#define ARCFIT_RESULT_H

#include "arcfit/captures.h"
#include "arcfit/fit.h"
#include "arcfit/uncertainty.h"

#pragma GCC visibility push(default)

/* A chi2 less likely than this is a misfit. */
#define ARC_MISFIT_P 1e-3

/* Methods differ where an estimate of the PINN is further from the direct one than
 * ARC_AGREE_SD sd + ARC_AGREE_SCATTER sqrt(sd_pinn^2 - sd^2), sd the direct fit's: rounding and
 * tolerances, and the scatter of what a PINN that may break its equations knows less. */
#define ARC_AGREE_SD 0.05
#define ARC_AGREE_SCATTER 3.0

typedef enum ArcVerdict {
    ARC_VERDICT_NONE, /* only one method was run, and it converged on a fitting model */
    ARC_VERDICT_AGREE,
    /* chi2 p-value under ARC_MISFIT_P, or physics residual above its expectation: above sigma_phys
     * (with `physics: auto` only where the interval of sigma_phys leaves exact physics out), or a
     * breach that is not tolerated with a p-value under ARC_MISFIT_P. */
    ARC_VERDICT_MISFIT,
    ARC_VERDICT_DIFFER, /* an estimate is further off than the two sds let it be */
    ARC_VERDICT_NOT_CONVERGED
} ArcVerdict;

/* "none", "agree", "misfit", "differ", "not converged". */
const char *arc_verdict_text(ArcVerdict verdict);

/* The interval of the flight in which one constant acceleration that the model leaves out explains
 * most of what the points are off the equations of motion, found with a PINN whose flight may break
 * them (fit/breach.h). */
typedef struct ArcBreach {
    bool searched;  /* false: nothing to go by, and all else is 0 */
    bool tolerated; /* the experiment lets the flight break the model, so that this is no misfit */
    double interval_s[2]; /* times of the capture */
    double size_m_s2, size_sd_m_s2;
    double direction[3]; /* unit vector along the axes */
    /* Its parts along the velocity, across it (level, to the right; 0 in the plane), and upwards
     * square to both. */
    double relative[3];
    double displacement_m; /* how far it moves the ball by the last fitted point, drag aside */
    double chi2_explained; /* what it takes off chi2 */
    /* Chance of as much anywhere along the flight by the noise of the points alone: found by
     * drawing, at least ARC_BREACH_LEAST_P. */
    double p;
    double p_scaled; /* the same where the noise is larger than stated, by any factor */
} ArcBreach;

#define ARC_BREACH_LEAST_P 5e-4

/* PINN minus direct of one of several flights, as below; shared parameters among them. */
typedef struct ArcFlightComparison {
    const double *difference, *in_sd; /* (n_parameters of the flight) */
    double max_in_sd, trajectory_max_m;
} ArcFlightComparison;

/* PINN minus direct. difference, in_sd: one a parameter (NaN where fixed or unidentified); in_sd by
 * the direct fit's sd, that of the noise alone where something is randomised. */
typedef struct ArcComparison {
    bool both; /* false: only one fit; then only chi2_p and verdict are set */
    int n_parameters;
    const double *difference;
    const double *in_sd;
    double max_in_sd;        /* of several flights: of all their parameters */
    double trajectory_max_m; /* NaN where one of them is not known */
    double swing_max_rad;    /* of any joint at one time of the arm's swing; NaN: there is none */
    double chi2_p;
    ArcVerdict verdict;
    ArcBreach physics;
    int n_flights;                      /* 0: one flight */
    const ArcFlightComparison *flights; /* NULL where not both */
    int worst_flight;                   /* of several: whose chi2 is the least likely; else -1 */
    double worst_p;                     /* its p, times the number of flights */
} ArcComparison;

typedef struct ArcResult {
    const char *version;   /* of the program that made it */
    const char *libraries; /* that it used, with versions; NULL: it was not read from a file */
    const char *experiment_path; /* as given */
    const char *experiment_text;
    const char *model_path,
        *model_text; /* of own equations: the plug-in's file, as it was; else NULL */
    const char *name;
    uint64_t seed;
    int n_fits;
    const ArcFit *fits[2];
    ArcComparison comparison;
    const ArcCapture *capture;        /* of several flights: all of them, one behind the other */
    int n_flights;                    /* 0: one flight */
    const ArcCapture *const *flights; /* (n_flights) parts of capture */
    struct ArcCaptures *captures;     /* that own these; NULL */
    int n_settings;
    const char *const *setting_paths;
    const char *const *setting_values;
    int n_overrides; /* --set texts in force */
    const char *const *overrides;
    void *arena;
} ArcResult;

/* Runs the methods that the experiment names and gathers everything. ARC_OK also where a fit did
 * not converge. ARC_INPUT, ARC_MEMORY, ARC_NUMERIC as the parts. */
ArcStatus arc_result_create(const ArcExperiment *experiment, int n_overrides,
                            const char *const *overrides, const ArcFitOptions *options,
                            ArcResult **result, ArcError *err);

/* The fit by a method, NULL where that was not run. */
const ArcFit *arc_result_fit(const ArcResult *result, ArcMethod method);

/* The recorded value of a setting ("flight.drag"), NULL where there is none. */
const char *arc_result_setting(const ArcResult *result, const char *path);

/* 0: every fit converged and every free parameter is identified; else 1. */
int arc_result_exit_code(const ArcResult *result);

/* One of several flights (from 0) as if it were the only one: captures and fits are those of
 * result, which must outlive it; nothing to free. */
ArcResult arc_result_of_flight(const ArcResult *result, int flight);

/* Works out the comparison of result's fits again, but for `physics`, which needs the problem and
 * is kept (used after reading one back). */
ArcStatus arc_result_compare(ArcResult *result, ArcError *err);

/* Accepts NULL; frees fits and capture too. */
void arc_result_free(ArcResult *result);

#pragma GCC visibility pop

#endif
