/* What the data tell of the free parameters, by the posterior at the estimate
 * (arcfit/identifiability.h has the equations).
 *
 * All in scaled unknowns u_s = u / scale, as the posterior's null directions are. Sets of readings
 * grow as in a beam search: all single ones, then all pairs, then what the best beam_width sets
 * become by one more, until a set settles everything.
 */
#include "fit/identifiability.h"

#include "base/arena.h"
#include "solve/diffuse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BEAM_WIDTH = 8,
    MOST_SETS = 5,
    MOST_CANDIDATES = ARC_MAX_PARAMETERS + 6,
    MOST_KEPT = MOST_CANDIDATES
};
/* A measurement that takes less than this from the parameters' sds, on the mean, is not named. */
static const double least_reduction = 0.005;

typedef struct Candidate {
    int parameter;
    double sd;
    double h[ARC_MAX_PARAMETERS]; /* of the scaled unknowns */
} Candidate;

/* Some candidates read together; score: what sets are ranked by. */
typedef struct Set {
    int n, members[ARC_MEASUREMENT_READINGS];
    int n_settled, n_null_left, n_unidentified_left;
    double score, reduction;
} Set;

typedef struct Finder {
    ArcFit *fit;
    const ArcProblem *problem; /* NULL: what several flights share */
    const int *place;          /* (n) parameter of each unknown */
    int n;
    const double *scale; /* (n) */
    ArcDiffuse before;
    ArcDiffuse after;  /* scratch: of the set looked at */
    double *work;      /* (3 n) */
    double *reference; /* (n) of the scaled unknowns: the sd of an instrument */
    bool *is_known;    /* (n) before any measurement */
    int n_candidates, n_sets;
    Candidate *candidates;
    Set *sets, *grown; /* (MOST_KEPT) best first */
} Finder;

/* Whether unknown k takes part in a null direction. */
static bool is_open(const ArcDiffuse *diffuse, int k)
{
    for (int g = 0; g < diffuse->m; g++)
        if (fabs(diffuse->N[g * diffuse->n + k]) > ARC_POSTERIOR_PART)
            return true;
    return false;
}

static void diffuse_copy(const ArcDiffuse *from, ArcDiffuse *to)
{
    size_t n = (size_t)from->n;
    to->n = from->n;
    to->m = from->m;
    memcpy(to->C, from->C, sizeof(double) * n * n);
    memcpy(to->N, from->N, sizeof(double) * (size_t)from->m * n);
}

/* A null direction of scaled unknowns, 1 at `lead`, as a combination of parameters. */
static ArcStatus list_undetermined(const Finder *finder, const double *row, int lead,
                                   ArcCombination *combination, ArcError *err)
{
    size_t n = (size_t)finder->n;
    double length = 0.0;
    int *parameters = ARC_ALLOC(finder->fit->arena, n, int), parts = 1;
    double *factors = ARC_ALLOC(finder->fit->arena, n, double);
    if (parameters == NULL || factors == NULL)
        return arc_error_no_memory(err);
    for (int k = 0; k < finder->n; k++)
        length += row[k] * row[k];
    parameters[0] = finder->place[lead];
    factors[0] = 1.0;
    for (int k = 0; k < finder->n; k++) {
        if (k == lead || !(fabs(row[k]) > ARC_POSTERIOR_PART * sqrt(length)))
            continue;
        parameters[parts] = finder->place[k];
        factors[parts++] = row[k] * finder->scale[k] / finder->scale[lead];
    }
    *combination = (ArcCombination){parts, parameters, factors, NAN, NAN};
    return ARC_OK;
}

/* The combination of unknown k with those that lead the null directions (echelon, lead). */
static ArcStatus list_determined(const Finder *finder, const double *echelon, const int *lead,
                                 int k, ArcCombination *combination, ArcError *err)
{
    const ArcFit *fit = finder->fit;
    int n = finder->n, m = finder->before.m, parts = 0, rows[ARC_MAX_PARAMETERS];
    int *parameters = ARC_ALLOC(fit->arena, (size_t)m + 1, int);
    double *factors = ARC_ALLOC(fit->arena, (size_t)m + 1, double);
    double value = 0.0, variance = 0.0;
    if (parameters == NULL || factors == NULL)
        return arc_error_no_memory(err);
    for (int g = -1; g < m; g++) {
        double factor = g < 0 ? 1.0 : -echelon[g * n + k];
        if (!(fabs(factor) > 1e-3 * ARC_POSTERIOR_PART))
            continue;
        rows[parts] = g < 0 ? k : lead[g];
        parameters[parts] = finder->place[rows[parts]];
        factors[parts] = factor * finder->scale[k] / finder->scale[rows[parts]];
        value += factors[parts] * fit->parameters[parameters[parts]].value;
        parts++;
    }
    for (int i = 0; i < parts; i++)
        for (int j = 0; j < parts; j++)
            variance += factors[i] * factors[j] * fit->covariance[rows[i] * n + rows[j]];
    *combination = (ArcCombination){parts, parameters, factors, value, sqrt(fmax(variance, 0.0))};
    return ARC_OK;
}

static ArcStatus list_combinations(Finder *finder, ArcIdentifiability *found, ArcError *err)
{
    int n = finder->n, m = finder->before.m, lead[ARC_MAX_PARAMETERS] = {0};
    ArcArena *arena = finder->fit->arena;
    double *echelon = finder->after.N;
    ArcCombination *open = ARC_ALLOC(arena, (size_t)m, ArcCombination);
    ArcCombination *told = ARC_ALLOC(arena, (size_t)n, ArcCombination);
    ArcStatus status = open == NULL || told == NULL ? arc_error_no_memory(err) : ARC_OK;
    memcpy(echelon, finder->before.N, sizeof(double) * (size_t)m * (size_t)n);
    arc_diffuse_echelon(m, n, echelon, lead);
    for (int g = 0; g < m && status == ARC_OK; g++)
        status = list_undetermined(finder, echelon + g * n, lead[g], &open[g], err);
    for (int k = 0; k < n && status == ARC_OK; k++) {
        bool leads = finder->is_known[k];
        for (int g = 0; g < m; g++)
            leads = leads || lead[g] == k;
        if (!leads)
            status = list_determined(finder, echelon, lead, k, &told[found->n_determined++], err);
    }
    found->n_undetermined = m;
    found->undetermined = open;
    found->determined = told;
    return status;
}

/* A reading of a joint's angle is that of its encoder, gain theta + offset. */
static void read_encoder(const ArcProblem *problem, const ArcEstimate *estimates, int i,
                         double *gradient)
{
    const ArcArm *arm = &problem->arm;
    int first = problem->arm_index, joint = i - first - arm->theta;
    if (arm->gain < 0 || joint < 0 || joint >= arm->settings.n_joints)
        return;
    int gain = first + arm->gain + joint;
    gradient[i] = estimates[gain].value;
    gradient[gain] = estimates[i].value;
    gradient[first + arm->offset + joint] = 1.0;
}

/* h of a reading of parameter i; false where it depends on nothing free. */
static bool read_parameter(const Finder *finder, int i, double *h)
{
    double gradient[2 * ARC_MAX_PARAMETERS] = {0};
    bool any = false;
    gradient[i] = 1.0;
    if (finder->problem != NULL && finder->problem->has_arm)
        read_encoder(finder->problem, finder->fit->parameters, i, gradient);
    for (int k = 0; k < finder->n; k++) {
        h[k] = gradient[finder->place[k]] * finder->scale[k];
        any = any || h[k] != 0.0;
    }
    return any;
}

/* Coefficients of a torque curve (torque1_2) are nothing that an instrument shows. */
static bool is_measurable(const char *name)
{
    return strncmp(name, "torque", 6) != 0 || strchr(name, '_') == NULL;
}

static void list_candidates(Finder *finder)
{
    const ArcFit *fit = finder->fit;
    for (int i = 0; i < fit->n_parameters && finder->n_candidates < MOST_CANDIDATES; i++) {
        const ArcEstimate *e = &fit->parameters[i];
        Candidate *candidate = &finder->candidates[finder->n_candidates];
        *candidate =
            (Candidate){.parameter = i, .sd = arc_instrument_sd(e->name, e->unit, e->value, NULL)};
        finder->n_candidates += is_measurable(e->name) && candidate->sd > 0.0 &&
                                read_parameter(finder, i, candidate->h);
    }
}

/* finder->after: what is known with the set. */
static void add_readings(Finder *finder, Set *set)
{
    diffuse_copy(&finder->before, &finder->after);
    set->n_settled = 0;
    for (int i = 0; i < set->n; i++) {
        const Candidate *candidate = &finder->candidates[set->members[i]];
        set->n_settled += arc_diffuse_measure(&finder->after, candidate->h, candidate->sd,
                                              ARC_POSTERIOR_PART, finder->work);
    }
}

static void judge(Finder *finder, Set *set)
{
    int n = finder->n, n_before = 0, n_after = 0;
    add_readings(finder, set);
    set->score = set->reduction = 0.0;
    for (int k = 0; k < n; k++) {
        double variance = finder->after.C[k * (n + 1)];
        if (is_open(&finder->after, k) || !(variance > 0.0))
            continue;
        n_after++;
        set->score += 0.5 * log(variance) - log(finder->reference[k]);
        if (!finder->is_known[k])
            continue;
        n_before++;
        set->reduction += 0.5 * log(finder->before.C[k * (n + 1)] / variance);
    }
    set->n_null_left = finder->after.m;
    set->n_unidentified_left = n - n_after;
    set->score /= fmax(n_after, 1);
    set->reduction /= fmax(n_before, 1);
}

static int compare_sets(const void *left, const void *right)
{
    const Set *a = left, *b = right;
    if (a->n_null_left != b->n_null_left)
        return a->n_null_left - b->n_null_left;
    if (a->n_unidentified_left != b->n_unidentified_left)
        return a->n_unidentified_left - b->n_unidentified_left;
    if (a->score != b->score)
        return a->score < b->score ? -1 : 1;
    return memcmp(a->members, b->members, sizeof a->members);
}

/* Puts the set among those that grow, of which the best MOST_KEPT stay. */
static int keep(Finder *finder, int n_grown, const Set *set)
{
    int at = n_grown;
    while (at > 0 && compare_sets(set, &finder->grown[at - 1]) < 0)
        at--;
    bool is_there = at > 0 && compare_sets(set, &finder->grown[at - 1]) == 0;
    if (at == MOST_KEPT || is_there)
        return n_grown;
    n_grown += n_grown < MOST_KEPT;
    memmove(finder->grown + at + 1, finder->grown + at, sizeof(Set) * (size_t)(n_grown - at - 1));
    finder->grown[at] = *set;
    return n_grown;
}

/* Each of the first n_from sets with one candidate more, and every pair where all are single. */
static void grow(Finder *finder, int n_from)
{
    int n_grown = 0;
    for (int s = 0; s < n_from; s++) {
        const Set *from = &finder->sets[s];
        for (int c = 0; c < finder->n_candidates; c++) {
            Set set = *from;
            bool again = from->n == 1 && c < from->members[0]; /* that pair comes by c */
            for (int i = 0; i < from->n; i++)
                again = again || from->members[i] == c;
            if (again)
                continue;
            int at = set.n++;
            for (; at > 0 && set.members[at - 1] > c; at--)
                set.members[at] = set.members[at - 1];
            set.members[at] = c;
            judge(finder, &set);
            n_grown = keep(finder, n_grown, &set);
        }
    }
    Set *spent = finder->sets;
    finder->sets = finder->grown;
    finder->grown = spent;
    finder->n_sets = n_grown;
}

/* Writes out at most `most` of the best sets; those that tell next to nothing are left out. */
static ArcStatus list_sets(Finder *finder, int most, ArcMeasurement *measurements, int *n,
                           ArcError *err)
{
    for (int s = 0; s < finder->n_sets && most > 0 && *n < ARC_MAX_MEASUREMENTS; s++) {
        Set *set = &finder->sets[s];
        ArcMeasurement *m = &measurements[*n];
        double *sd_after = ARC_ALLOC(finder->fit->arena, (size_t)finder->n, double);
        if (sd_after == NULL)
            return arc_error_no_memory(err);
        if (set->n_settled == 0 && set->reduction < least_reduction)
            continue;
        add_readings(finder, set);
        *m = (ArcMeasurement){.n_readings = set->n,
                              .n_settled = set->n_settled,
                              .n_null_left = set->n_null_left,
                              .n_unidentified_left = set->n_unidentified_left,
                              .reduction = set->reduction,
                              .sd_after = sd_after};
        for (int i = 0; i < set->n; i++) {
            m->parameters[i] = finder->candidates[set->members[i]].parameter;
            m->sd[i] = finder->candidates[set->members[i]].sd;
        }
        for (int k = 0; k < finder->n; k++)
            sd_after[k] = is_open(&finder->after, k)
                              ? (double)NAN
                              : finder->scale[k] * sqrt(finder->after.C[k * (finder->n + 1)]);
        (*n)++;
        most--;
    }
    return ARC_OK;
}

static ArcStatus list_measurements(Finder *finder, ArcArena *scratch, ArcIdentifiability *found,
                                   ArcError *err)
{
    ArcMeasurement *measurements =
        ARC_ALLOC(finder->fit->arena, ARC_MAX_MEASUREMENTS, ArcMeasurement);
    ArcMeasurement *single = ARC_ALLOC(scratch, ARC_MAX_MEASUREMENTS, ArcMeasurement);
    if (measurements == NULL || single == NULL)
        return arc_error_no_memory(err);
    list_candidates(finder);
    finder->sets[0] = (Set){0};
    grow(finder, 1);
    int n_single = 0, most = ARC_MAX_MEASUREMENTS;
    bool settled = finder->n_sets == 0 || finder->sets[0].n_null_left == 0;
    if (!settled)
        most -= MOST_SETS;
    ArcStatus status = list_sets(finder, most, single, &n_single, err);
    for (int size = 2; !settled && size <= ARC_MEASUREMENT_READINGS; size++) {
        int n_from = size == 2 || finder->n_sets < BEAM_WIDTH ? finder->n_sets : BEAM_WIDTH;
        grow(finder, n_from);
        settled = finder->n_sets == 0 || finder->sets[0].n_null_left == 0;
    }
    if (status == ARC_OK && most < ARC_MAX_MEASUREMENTS)
        status = list_sets(finder, MOST_SETS, measurements, &found->n_measurements, err);
    memcpy(measurements + found->n_measurements, single, sizeof *single * (size_t)n_single);
    found->n_measurements += n_single;
    found->measurements = measurements;
    return status;
}

/* Scaled covariance and null directions of the posterior, and room. */
static ArcStatus finder_create(const ArcPosterior *posterior, ArcArena *scratch, Finder *finder,
                               ArcError *err)
{
    size_t n = (size_t)posterior->n, m = (size_t)posterior->n_null;
    const ArcFit *fit = finder->fit;
    finder->n = finder->before.n = posterior->n;
    finder->before.m = posterior->n_null;
    finder->scale = posterior->scale;
    finder->before.C = ARC_ALLOC(scratch, n * n, double);
    finder->before.N = ARC_ALLOC(scratch, m * n, double);
    finder->after.C = ARC_ALLOC(scratch, n * n, double);
    finder->after.N = ARC_ALLOC(scratch, m * n, double);
    finder->work = ARC_ALLOC(scratch, 4 * n, double);
    finder->reference = finder->work + 3 * n;
    finder->is_known = ARC_ALLOC(scratch, n, bool);
    finder->candidates = ARC_ALLOC(scratch, MOST_CANDIDATES, Candidate);
    finder->sets = ARC_ALLOC(scratch, MOST_KEPT, Set);
    finder->grown = ARC_ALLOC(scratch, MOST_KEPT, Set);
    if (arc_arena_is_exhausted(scratch))
        return arc_error_no_memory(err);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            finder->before.C[i * n + j] =
                posterior->covariance[i * n + j] / (posterior->scale[i] * posterior->scale[j]);
    if (m > 0)
        memcpy(finder->before.N, posterior->null, sizeof(double) * m * n);
    arc_diffuse_straighten(&finder->before);
    for (int k = 0; k < finder->n; k++) {
        const ArcEstimate *e = &fit->parameters[finder->place[k]];
        double sd = arc_instrument_sd(e->name, e->unit, e->value, NULL);
        finder->reference[k] = (sd > 0.0 ? sd : 1.0) / finder->scale[k];
        finder->is_known[k] = !is_open(&finder->before, k);
    }
    return ARC_OK;
}

ArcStatus arc_fit_find_identifiability(ArcFit *fit, const ArcProblem *problem,
                                       const ArcPosterior *posterior, const int *place,
                                       ArcError *err)
{
    bool has_arm = problem != NULL && problem->has_arm;
    if (posterior->n == 0 || (posterior->n_null == 0 && !has_arm))
        return ARC_OK;
    Finder finder = {.fit = fit, .problem = problem, .place = place};
    ArcIdentifiability *found = ARC_ALLOC(fit->arena, 1, ArcIdentifiability);
    ArcArena *scratch = arc_arena_create();
    ArcStatus status = found == NULL || scratch == NULL ? arc_error_no_memory(err) : ARC_OK;
    if (status == ARC_OK)
        status = finder_create(posterior, scratch, &finder, err);
    if (status == ARC_OK) {
        found->n_free = posterior->n;
        found->rank = posterior->n - finder.before.m;
        found->release_numbers = has_arm && problem->swing == NULL ? 2 * problem->d : 0;
        found->n_readings = problem != NULL ? problem->n_priors : 0;
        status = list_combinations(&finder, found, err);
    }
    if (status == ARC_OK)
        status = list_measurements(&finder, scratch, found, err);
    arc_arena_free(scratch);
    if (status == ARC_OK)
        fit->identifiability = found;
    return status;
}
