/* An experiment: the YAML file, checked and turned into settings.
 *
 * One table of settings (src/experiment/settings.c) drives parsing, checks, `--set`,
 * `arcfit help settings` and what a result records.
 */
#ifndef ARCFIT_EXPERIMENT_H
#define ARCFIT_EXPERIMENT_H

#include "arcfit/arm.h"
#include "arcfit/capture.h"
#include "arcfit/closure.h"
#include "arcfit/diagnosis.h"
#include "arcfit/equations.h"
#include "arcfit/error.h"
#include "arcfit/flight.h"
#include "arcfit/goal.h"
#include "arcfit/parameter.h"
#include "arcfit/randomise.h"
#include "arcfit/training.h"

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(default)

enum { ARC_MAX_TARGETS = 8 };

typedef enum ArcMethod { ARC_PINN, ARC_DIRECT } ArcMethod;

typedef enum ArcLossKind {
    ARC_LOSS_GAUSS,
    ARC_LOSS_HUBER,
    ARC_LOSS_CAUCHY,
    ARC_LOSS_STUDENT_T
} ArcLossKind;

/* Loss of an observation by its residual in sigma. What its kind does not know is zero. */
typedef struct ArcLoss {
    ArcLossKind kind;
    double tuning;      /* huber, cauchy: in sigma, where a point begins to count less */
    double dof;         /* student-t: degrees of freedom; 0: to be estimated */
    bool dof_estimated; /* student-t */
} ArcLoss;

typedef enum ArcTargetKind {
    ARC_TARGET_PLANE,  /* its first crossing */
    ARC_TARGET_HEIGHT, /* on the way down */
    ARC_TARGET_POINT,  /* first closest approach */
    ARC_TARGET_RIM     /* a level circle, crossed from above, inside or outside */
} ArcTargetKind;

/* What derived numbers are asked about, by the name in front of theirs. Of the kind's own. */
typedef struct ArcTarget {
    const char *name;
    ArcTargetKind kind;
    ArcPlane plane;
    double height_m;
    double point_m[3];
    double centre_m[3], radius_m; /* of the rim */
} ArcTarget;

/* How a bootstrap draws its captures: the scaled residuals anew, or whole points anew. */
typedef enum ArcBootstrapKind { ARC_BOOTSTRAP_RESIDUAL, ARC_BOOTSTRAP_CASE } ArcBootstrapKind;

/* What is asked of a fit's uncertainty beside its covariance; all zero: nothing. */
typedef struct ArcUncertaintySettings {
    uint64_t profiles; /* bit i: the profile of parameter i */
    int bootstrap;     /* replicates */
    ArcBootstrapKind bootstrap_kind;
    int sample; /* draws to keep of the Markov chains */
} ArcUncertaintySettings;

/* What a synthetic capture adds to the points of a flight beside gaussian noise. All zero, and NaN
 * where said: nothing. */
typedef struct ArcNoise {
    double outlier_share;   /* of the points, 0 to 1 */
    double outlier_size_sd; /* sd of an outlier's coordinates, in standard deviations of the rest */
    double outlier_size_m;  /* the same as a length; NaN: by outlier_size_sd */
    double dropped_share;   /* of the frames, below 1; the first and the last are never lost */
    double dropped_run;     /* frames lost at a time, on average; NaN: each by itself */
    double jitter_s;        /* sd of the true about the stated times */
    ArcSensor sensor;       /* rounding (0 is none, too), bias, latency */
} ArcNoise;

/* How a synthetic capture is made (simulate.h). */
typedef struct ArcSimulateSettings {
    int points;        /* 0: by rate and duration; without a rate 30 */
    double duration_s; /* from release; NaN: by points and rate, else until the ball is back at its
                        * height, else 1 s */
    double rate_per_s; /* frames a second; NaN: by points and duration */
    double sigma_m;    /* sd of the gaussian noise of each coordinate; NaN: the capture's */
    double sigma_px;   /* the same of pixels */
    bool draw;         /* parameters with a prior are drawn from it, within their bounds */
    ArcNoise noise;
    double start_s;        /* of the first frame, after the release */
    ArcSwingSamples swing; /* of an arm, before it */
    int n_readings;
    const char
        *readings[ARC_MAX_READINGS]; /* parameters that are read, with capture.readings' sd */
    uint32_t channels; /* of own equations those that are seen, a bit each; 0: all states */
    double channel_sigma[ARC_EQUATIONS_MAX_CHANNELS];    /* NaN: the capture's */
    double channel_rounding[ARC_EQUATIONS_MAX_CHANNELS]; /* grid; 0: none */
    int n_times;                                         /* of the frames; 0: by points and so on */
    const double *times_s;                               /* (n_times), by the capture's clock */
    uint64_t replica; /* which of many, from 1: each has random numbers of its own; 0: only one */
    uint64_t flight;  /* which of several thrown together, from 1: they draw alike what is shared */
} ArcSimulateSettings;

/* Gaussian noise alone, of the capture's sigma, on 30 points until the ball is back. */
ArcSimulateSettings arc_simulate_settings_default(void);

typedef struct ArcExperiment {
    const char *path; /* as given */
    const char *text; /* the file's whole text */
    const char *name;
    ArcCaptureSettings capture; /* the first of: */
    int n_captures;             /* files; each is one flight, or the flights that it counts */
    const ArcCaptureSettings *captures;
    ArcFlightSettings flight_settings;
    ArcFlight flight;
    ArcReleaseForm release;
    bool has_arm;
    ArcArm arm;
    ArcEquations *equations; /* own ones in place of the flight's, of which then only the number of
                              * parameters and their infos are set; NULL */
    ArcClosureSettings closure;
    int n_parameters; /* flight's P first, then t0, position (d), velocity (d), the arm's (A),
                       * measurement (M). Of own equations P, t0, the states' starts: NAME0 of each
                       * channel (equations.h) */
    ArcParameter parameters[ARC_MAX_PARAMETERS];
    int n_targets;
    ArcTarget targets[ARC_MAX_TARGETS];
    bool use_pinn, use_direct;
    uint64_t seed;
    int starts; /* fits from different first weights, of which the best is kept */
    ArcCurriculum curriculum;
    ArcLoss loss;
    ArcPinnSettings pinn;
    double direct_tolerance;
    ArcUncertaintySettings uncertainty;
    ArcRandomise randomise;
    ArcSimulateSettings simulate;
    ArcAimSettings aim;      /* of `arcfit aim` */
    const char *output_file; /* resolved; NULL: none */
    int n_settings;          /* what a result records: each setting's path and value as text */
    const char *const *setting_paths;
    const char *const *setting_values;
    int n_overrides; /* texts laid over it, in order */
    const char *const *overrides;
    void *arena;
} ArcExperiment;

/* Reads and checks the file, with n_overrides texts "path.to.key=value" laid over it in order
 * (their messages stand at "--set:N:COLUMN", N counting from 1). The capture is not read. ARC_INPUT
 * with file:line:column. */
ArcStatus arc_experiment_read(const char *path, int n_overrides, const char *const *overrides,
                              ArcExperiment **experiment, ArcError *err);

/* The same from text in memory; path is the name in messages and the base of relative paths. */
ArcStatus arc_experiment_parse(const char *path, const char *text, size_t size, int n_overrides,
                               const char *const *overrides, ArcExperiment **experiment,
                               ArcError *err);

/* The parameter of that name; -1: there is none. */
int arc_experiment_parameter(const ArcExperiment *experiment, const char *name);

/* What the experiment's parameters leave open of scale, tilt and the clocks of capture's cameras.
 */
ArcOpen arc_experiment_open(const ArcExperiment *experiment, const ArcCapture *capture);

/* Accepts NULL. */
void arc_experiment_free(ArcExperiment *experiment);

/* As an experiment writes it, by enumerator ("huber"); NULL behind the last. */
const char *arc_loss_name(int index);

/* Reads "0.5" (SI) or "50 cm" as a value of the quantity whose SI unit is given ("m", "s"), into
 * SI. ARC_INPUT at place: no number, not finite, unknown unit, a unit of another quantity. */
ArcStatus arc_value_read(const char *text, const char *si_unit, ArcPlace place, double *value,
                         ArcError *err);

/* The table of units for people, a line a quantity; caller frees with arc_text_free. */
ArcStatus arc_units_text(char **text, ArcError *err);

/* The settings table for editors: a JSON Schema (draft-07) of the experiment file, or of net files.
 * It knows keys, types, units and ranges, and not what depends on several keys; what it refuses the
 * program refuses, too. Caller frees with arc_text_free. ARC_MEMORY. */
ArcStatus arc_settings_schema(char **text, ArcError *err);
ArcStatus arc_net_schema(char **text, ArcError *err);

/* The settings table for people: one row a setting, as 80-column text; caller frees with
 * arc_text_free. */
ArcStatus arc_settings_text(char **text, ArcError *err);

#pragma GCC visibility pop

#endif
