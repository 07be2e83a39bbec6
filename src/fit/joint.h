/* Several flights as one problem: which unknowns are shared, and how a fit of them goes.
 *
 * Each flight is an ordinary problem (problem.h) with the priors of shared parameters taken out,
 * since they count once. Shared unknowns are the free parameters that all flights have in common,
 * and the means of populations; each flight's objective (objectives.h) is a block of the solver
 * (joint_solver.h).
 */
#ifndef ARC_FIT_JOINT_H
#define ARC_FIT_JOINT_H

#include "arcfit/joint.h"
#include "fit/closed.h"
#include "fit/objectives.h"
#include "solve/joint_solver.h"
#include "solve/posterior.h"

typedef struct ArcJointUnknown {
    int parameter; /* of the experiment */
    bool is_mean;  /* of the population that each flight's own is from */
    double start, low, high;
    double prior_mean, prior_sd; /* sd infinite: none */
} ArcJointUnknown;

struct ArcJoint {
    ArcArena *arena;
    int n_flights;
    ArcProblem **flights;
    const char **names;
    int n_shared;
    ArcJointUnknown *shared;
    ArcProblem head;     /* of the shared unknowns: their parameters and seed, for who looks on */
    ArcParameter *given; /* (n_parameters) the experiment's, with all priors */
    int *shared_of;      /* (n_parameters) the shared unknown that it is; -1 */
    int *mean_of;        /* (n_parameters) the shared unknown that is its population's mean; -1 */
    int *column_shared;  /* (n_free of a flight) shared_of and mean_of of each free one */
    int *column_mean;
    int n_populations;
    int n_observations;       /* of all flights */
    int n_priors, n_unknowns; /* rows of priors and ties, and unknowns of all */
    bool sigma_estimated;
    ArcClosureSettings closure;
    struct ArcClosureFound
        *found; /* of the closure, by the first fit (closure_search.h); NULL: none */
};

/* One flight in a run. */
typedef struct ArcMember {
    ArcProblem problem; /* the flight's, with sigmas of its own where these are estimated */
    ArcArena *arena;    /* of what follows */
    ArcObjective objective;
    double *z;      /* (n_inner + n_free) */
    double *values; /* (n_parameters) */
    ArcTrajectory states;
    ArcPinn *pinn; /* NULL: direct */
    int rung, respans;
    bool is_fine, is_last; /* its net follows the equations; no other net is left to try */
    double cost, rms, rms_fine, rms_before;
    double swing_rms, swing_rms_fine; /* of the net of a swing */
} ArcMember;

/* A fit under way. */
typedef struct ArcJointRun {
    const ArcJoint *joint;
    ArcMethod method;
    ArcMember *members;
    ArcJointBlock *blocks;
    ArcJointShared shared; /* s and population_sd are the run's own */
    double *s, *population_sd;
    const ArcClosure *closure; /* in all members; NULL: none */
    int n_shared;              /* shared unknowns: the joint's, then the closure's weights */
    const int *column_shared, *column_mean; /* the joint's, with the weights' */
    double *marginal;                       /* scratch of joint_marginal.c */
    double **with_weights; /* (n_flights) (n_free, K) of a flight's free parameters with the
                            * weights: covariance, by arc_joint_keep_weights */
    ArcLeastSquaresSettings settings;
    ArcPinnPool pool;
    ArcArena *arena;        /* of the run */
    ArcArena *solver_arena; /* of the solver, which is made anew when a member is */
    ArcJointSolver *solver;
    ArcHistory history;
    ArcLeastSquaresResult result;
    int failed; /* the flight that cannot be evaluated; -1 */
    int iterations;
    double sigma_factor, sigma_factor_sd;
} ArcJointRun;

/* Starts from the data. problem_of (nullable) is applied to each member's problem first. */
ArcStatus arc_joint_run_create(const ArcJoint *joint, ArcMethod method,
                               const ArcFitOptions *options, ArcArena *arena, ArcJointRun *run,
                               ArcError *err);
void arc_joint_run_free(ArcJointRun *run);

/* The same run with a closure, before its members have objectives: weights (K) are its start, mean
 * and sd (K) their prior. ARC_MEMORY. */
ArcStatus arc_joint_run_close(ArcJointRun *run, const ArcClosure *closure, const double *mean,
                              const double *sd, const double *weights, ArcError *err);

/* A direct run without closure, of which the flights need not fit: members, solution, and sigmas
 * where they are estimated. ARC_NUMERIC where a flight cannot be evaluated. */
ArcStatus arc_joint_run_direct(ArcJointRun *run, ArcError *err);

/* chi2 of the points at the present sigmas. */
double arc_joint_run_chi2(const ArcJointRun *run);

/* All sigmas of the members, which have their own. */
void arc_joint_run_multiply_sigmas(ArcJointRun *run, double factor);

/* The run begins where the search of the closure ended, with the closure where one is wanted. */
ArcStatus arc_joint_run_take(ArcJointRun *run, ArcError *err);

/* A member's objective anew, at its values: another rung or span of its net, or other sigmas. */
ArcStatus arc_member_create(ArcJointRun *run, int flight, ArcError *err);

/* Solves at the present members, with population sds where there are populations. */
ArcStatus arc_joint_solve(ArcJointRun *run, ArcError *err);

/* After arc_joint_solve, weights of a closure integrated out: the factor F (n, n), n = own +
 * shared, column-major upper triangular, of a flight's own unknowns and the named shared ones;
 * flight -1: of the latter alone. False where it cannot be had. */
bool arc_joint_named_factor(ArcJointRun *run, int flight, double *F);

/* Where a flight's free parameters stand among its n_own own and the shared unknowns. */
void arc_joint_list_places(const ArcJoint *joint, int n_free, int n_own, int *at);

/* After arc_joint_named_factor, whose posterior is whole: run->with_weights of the flight. ARC_OK
 * without closure. */
ArcStatus arc_joint_keep_weights(ArcJointRun *run, int flight, const ArcPosterior *whole,
                                 ArcArena *scratch, ArcError *err);

/* Covariance C (K, K) of the weights, all else unknown too. */
bool arc_joint_weights_covariance(ArcJointRun *run, double *C);

/* Adds the number of weights that the data determine to *sum: K less what their prior tells, of a
 * direct run. Of a net's run that would count what the net is too coarse to follow. */
ArcStatus arc_joint_effective_weights(ArcJointRun *run, ArcArena *scratch, double *sum,
                                      ArcError *err);

/* Numbers that run->marginal needs. */
size_t arc_joint_marginal_size(const ArcJointRun *run);

/* What is found of a population by its marginal likelihood (joint_population.c). */
typedef struct ArcPopulation {
    double sd, sd_sd, ci95[2];
    bool is_zero;    /* no scatter beyond the noise is seen */
    double mean_dof; /* of Student's t behind the mean's interval */
} ArcPopulation;

/* The population sds that the marginal likelihood at the present linearisation prefers, into
 * run->population_sd; *moved: largest change of a logarithm. */
void arc_populations_improve(ArcJointRun *run, double *moved);

/* First population sds, from starts and bounds. */
void arc_populations_begin(ArcJointRun *run);

/* At the end: one for each shared unknown that is a mean (n_shared). */
ArcStatus arc_populations_describe(ArcJointRun *run, ArcArena *arena, ArcPopulation *populations,
                                   ArcError *err);

/* What the fit says of its closure, of a run that has ended (closure_fit.c); ARC_OK without one. */
ArcStatus arc_joint_closure(ArcJointRun *run, ArcFit *fit, ArcError *err);

/* The fit that people read, of a run that has ended. */
ArcStatus arc_joint_outcome(ArcJointRun *run, ArcFit *fit, ArcError *err);

#endif
