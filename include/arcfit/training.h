/* Training: the stages that the PINN goes through, and those of the flight's laws for both methods.
 *
 * Settings of an experiment (`fit.pinn`, `fit.stages`); src/fit carries them out.
 */
#ifndef ARCFIT_TRAINING_H
#define ARCFIT_TRAINING_H

#include "arcfit/net.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

enum { ARC_MAX_STAGES = 8 };

typedef enum ArcOptimizer {
    ARC_OPTIMIZER_LINEAR,
    ARC_OPTIMIZER_LM,
    ARC_OPTIMIZER_ADAM,
    ARC_OPTIMIZER_LBFGS
} ArcOptimizer;

/* How a learning rate falls from its full value to final_share of it, over the steps that follow
 * the warm-up. */
typedef enum ArcSchedule {
    ARC_SCHEDULE_CONSTANT,
    ARC_SCHEDULE_COSINE,
    ARC_SCHEDULE_EXPONENTIAL
} ArcSchedule;

/* How the blocks of the loss are balanced for the first-order optimizers. */
typedef enum ArcWeighting {
    ARC_WEIGHTING_FIXED,
    ARC_WEIGHTING_GRADIENT_NORM,
    ARC_WEIGHTING_SELF_ADAPTIVE,
    ARC_WEIGHTING_CAUSAL /* later collocation points count once earlier ones fit */
} ArcWeighting;

typedef enum ArcCollocationKind {
    ARC_COLLOCATION_GAUSS,
    ARC_COLLOCATION_UNIFORM,
    ARC_COLLOCATION_RANDOM,  /* drawn anew */
    ARC_COLLOCATION_ADAPTIVE /* drawn anew, more where the residual is large */
} ArcCollocationKind;

/* One stage of the training. What its optimizer does not know is zero. */
typedef struct ArcStage {
    ArcOptimizer optimizer;
    int steps;             /* at most so many iterations */
    double rate;           /* adam: learning rate of the weights */
    double parameter_rate; /* adam: learning rate of the parameters */
    ArcSchedule schedule;  /* adam */
    int warm_up;           /* adam: first steps, in which the rates rise linearly; <= steps */
    double final_share;    /* adam: of the rates at the end; 0 < share <= 1 */
    double clip;           /* adam: largest norm of the gradient; 0: none */
    double weight_decay;   /* adam; 0: none */
    int memory;            /* lbfgs: pairs of step and change of gradient that are kept */
    bool geodesic;         /* lm: with geodesic acceleration */
} ArcStage;

typedef struct ArcPinnSettings {
    bool net_auto;      /* the widening ladder */
    ArcNetSettings net; /* where not auto */
    int collocation;    /* points; 0: auto */
    ArcCollocationKind collocation_kind;
    int collocation_every;  /* steps between drawings of random and adaptive points */
    double sigma_phys_m_s2; /* 0: exact, or auto */
    bool physics_auto;      /* sigma_phys chosen by the evidence */
    ArcWeighting weighting;
    int weighting_every;   /* steps between updates of the balance */
    double causal_epsilon; /* of causal weighting: how sharply later points wait */
    int windows;           /* of time, each with a net of its own; 1: the whole flight at once */
    int n_stages;
    ArcStage stages[ARC_MAX_STAGES];
} ArcPinnSettings;

/* Which laws a stage of a curriculum has on: each those before it too. */
typedef enum ArcLawStage {
    ARC_LAWS_VACUUM,
    ARC_LAWS_DRAG,
    ARC_LAWS_LIFT,
    ARC_LAWS_SPIN_DECAY,
    ARC_N_LAW_STAGES
} ArcLawStage;

/* Stages that a fit goes through before the whole flight. */
typedef struct ArcCurriculum {
    bool is_auto; /* all of them, but only where the fit without fails */
    int n;        /* 0 and not automatic: none */
    ArcLawStage stages[ARC_N_LAW_STAGES];
} ArcCurriculum;

/* As an experiment writes it, by enumerator ("lbfgs"); NULL behind the last. */
const char *arc_optimizer_name(int index);

/* The same of a stage of the laws ("spin_decay"). */
const char *arc_law_stage_name(int index);

#pragma GCC visibility pop

#endif
