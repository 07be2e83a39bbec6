/* What the data of a result say of the parameters that last from throw to throw, apart from its
 * fit's own priors: a quadratic form in s, their values, about the fit's estimate m,
 *   -2 log p(data | s) = (m_data - s)' L (m_data - s) + ..,   e = s - m,   b = L (m_data - m)
 *                      = e' L e - 2 b' e + b' inv(L) b + ..
 * m_data, which is nowhere in directions that the data do not tell, is never made.
 */
#ifndef ARC_AIM_INFORMATION_H
#define ARC_AIM_INFORMATION_H

#include "arcfit/belief.h"
#include "base/arena.h"

typedef struct ArcInformation {
    int n;
    int *index;  /* (n) parameters of the experiment that aims */
    double *m;   /* (n) */
    double *L;   /* (n, n) symmetric */
    double *b;   /* (n) */
    double rest; /* b' inv(L) b over what L tells */
    int rank;    /* of L: directions that the data tell */
} ArcInformation;

/* Whether parameter i is an unknown of the aim, by its settings or, where these name none, by
 * default: the velocity of the release, of an arm its angles and rates. */
bool arc_belief_is_unknown(const ArcExperiment *experiment, int i);

/* Whether parameter i belongs to one throw alone: its release, and what is each flight's own. */
bool arc_belief_is_own(const ArcExperiment *experiment, int i);

/* Whether a belief leaves i open: by its variance, or free without a prior. */
bool arc_belief_is_open(const ArcExperiment *experiment, const ArcBelief *belief, int i);

/* What was known of a free parameter before any data of flights: its prior and what was measured
 * of it. False: nothing. */
bool arc_belief_prior(const ArcParameter *parameter, double *mean, double *sd);

/* Where a result and the experiment that aims meet: n parameters, of each its index here, of the
 * result's own experiment and its row in the fit's covariance. The first three are given. */
typedef struct ArcMeeting {
    const char *who;   /* of the result, in messages */
    ArcExperiment *of; /* the result's, as it was fitted */
    const ArcFit *fit; /* its direct one, else the PINN's */
    int n;
    int here[ARC_MAX_PARAMETERS], there[ARC_MAX_PARAMETERS], row[ARC_MAX_PARAMETERS];
} ArcMeeting;

/* Restores the result's experiment and chooses the fit; free `of`. ARC_INPUT: own equations,
 * another dimension, a fit that did not converge. */
ArcStatus arc_meeting_open(const ArcExperiment *experiment, const ArcResult *result,
                           const char *who, ArcArena *arena, ArcMeeting *meeting, ArcError *err);

/* The fit's estimate of that name; NULL: it has none. */
const ArcEstimate *arc_meeting_estimate(const ArcMeeting *meeting, const char *name);

/* Finds those that last in both and were free there. belief NULL: what else differs does not
 * matter; else ARC_INPUT for what does not go together (belief.h). ARC_INPUT also: another unit, at
 * its bound, nothing that both have. */
ArcStatus arc_meeting_join(const ArcExperiment *experiment, const ArcBelief *belief,
                           ArcMeeting *meeting, ArcError *err);

/* In the arena. ARC_NUMERIC: a covariance that is not positive, or wider than its prior. */
ArcStatus arc_information_find(const ArcMeeting *meeting, ArcArena *arena,
                               ArcInformation *information, ArcError *err);

/* A message: "error: WHO: WHAT". */
typedef struct ArcEigenWords {
    const char *who, *what;
} ArcEigenWords;

/* Eigenvalues w (n), rising, and vectors, column by column in place of A (n, n) symmetric.
 * ARC_NUMERIC with the words where A is not finite. */
ArcStatus arc_symmetric_eigen(int n, double *A, double *w, ArcEigenWords words, ArcArena *arena,
                              ArcError *err);

#endif
