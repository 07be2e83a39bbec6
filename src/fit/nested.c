/* Nested models by a table of laws, and by what is free and fixed. */
#include "fit/nested.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double same_value = 1e-12; /* relative */

/* The smaller law is the larger one where all of `off` are 0. The smaller law's parameter `from`
 * is then the larger one's `to`. "spin" stands for all components of the spin. */
typedef struct Embedding {
    const char *setting, *smaller, *larger, *from, *to, *off[2];
} Embedding;

static const Embedding embeddings[] = {
    {"flight.drag", "none", "lumped", NULL, NULL, {"k"}},
    {"flight.drag", "none", "quadratic", NULL, NULL, {"cd"}},
    {"flight.drag", "none", "logistic", NULL, NULL, {"cd_after", "cd_drop"}},
    {"flight.drag", "none", "spin-dependent", NULL, NULL, {"cd0", "cd_w"}},
    {"flight.drag", "quadratic", "logistic", "cd", "cd_after", {"cd_drop"}},
    {"flight.drag", "quadratic", "spin-dependent", "cd", "cd0", {"cd_w"}},
    {"flight.lift", "none", "lumped", NULL, NULL, {"s"}},
    {"flight.lift", "none", "lumped", NULL, NULL, {"spin"}},
    {"flight.lift", "none", "constant", NULL, NULL, {"cl"}},
    {"flight.lift", "none", "linear", NULL, NULL, {"cm"}},
    {"flight.lift", "none", "linear", NULL, NULL, {"spin"}},
    {"flight.lift", "none", "rational", NULL, NULL, {"spin"}},
    {"flight.lift", "none", "nathan", NULL, NULL, {"spin"}},
    {"flight.lift", "none", "sawicki", NULL, NULL, {"spin"}},
    {"flight.spin_decay", "none", "aerodynamic", NULL, NULL, {"spin_decay"}},
};

/* The laws' settings; the others of the flight must agree. */
static const char *const laws[] = {"flight.drag", "flight.lift", "flight.spin_decay"};
enum {
    N_EMBEDDINGS = sizeof embeddings / sizeof embeddings[0],
    N_LAWS = sizeof laws / sizeof laws[0]
};

static bool same_text(const char *a, const char *b)
{
    return a == NULL ? b == NULL : b != NULL && strcmp(a, b) == 0;
}

static const ArcEstimate *find(const ArcFit *fit, const char *name)
{
    for (int i = 0; i < fit->n_parameters; i++)
        if (strcmp(fit->parameters[i].name, name) == 0)
            return &fit->parameters[i];
    return NULL;
}

static bool is_fixed(const ArcEstimate *e)
{
    return e->status == ARC_PARAMETER_FIXED;
}

/* A parameter that is free, or fixed at zero. */
static bool can_be_off(const ArcFit *fit, const char *name)
{
    static const char *const spins[] = {"spin", "wx", "wy", "wz"};
    if (strcmp(name, "spin") != 0) {
        const ArcEstimate *e = find(fit, name);
        return e != NULL && (!is_fixed(e) || e->value == 0.0);
    }
    bool any = false;
    for (int i = 0; i < 4; i++) {
        const ArcEstimate *e = find(fit, spins[i]);
        if (e != NULL && is_fixed(e) && e->value != 0.0)
            return false;
        any = any || e != NULL;
    }
    return any;
}

/* The row by which one law is a case of another in the larger model; NULL for none. */
static const Embedding *embedding_of(const char *setting, const char *smaller, const char *larger,
                                     const ArcFit *fit)
{
    for (int i = 0; i < N_EMBEDDINGS; i++) {
        const Embedding *e = &embeddings[i];
        if (strcmp(e->setting, setting) == 0 && strcmp(e->smaller, smaller) == 0 &&
            strcmp(e->larger, larger) == 0 && can_be_off(fit, e->off[0]) &&
            (e->off[1] == NULL || can_be_off(fit, e->off[1])))
            return e;
    }
    return NULL;
}

/* What is of the flight but not its laws (their tables belong to them). */
static bool is_surrounding(const char *path)
{
    for (int i = 0; i < N_LAWS; i++)
        if (strncmp(path, laws[i], strlen(laws[i])) == 0)
            return false;
    return strncmp(path, "flight.", 7) == 0;
}

static bool same_surroundings(const ArcResult *a, const ArcResult *b)
{
    const ArcResult *both[2] = {a, b};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < both[k]->n_settings; i++) {
            const char *path = both[k]->setting_paths[i];
            if (is_surrounding(path) &&
                !same_text(both[k]->setting_values[i], arc_result_setting(both[1 - k], path)))
                return false;
        }
    return true;
}

static bool same_prior(const ArcResult *a, const char *name, const ArcResult *b, const char *other)
{
    static const char *const keys[] = {"prior.mean", "prior.sd"};
    for (int i = 0; i < 2; i++) {
        char path[128], other_path[128];
        snprintf(path, sizeof path, "parameters.%.60s.%s", name, keys[i]);
        snprintf(other_path, sizeof other_path, "parameters.%.60s.%s", other, keys[i]);
        if (!same_text(arc_result_setting(a, path), arc_result_setting(b, other_path)))
            return false;
    }
    return true;
}

/* What the larger model calls a parameter of the smaller. */
static const char *renamed(const char *name, const Embedding *const *rows)
{
    for (int i = 0; i < N_LAWS; i++)
        if (rows[i] != NULL && rows[i]->from != NULL && strcmp(rows[i]->from, name) == 0)
            return rows[i]->to;
    return name;
}

int arc_nested_n_unknowns(const ArcFit *fit, int *n_null)
{
    int n = fit->n_free;
    *n_null = fit->n_unidentified;
    for (int f = 0; f < fit->n_flights; f++) {
        const ArcFit *flight = &fit->flights[f];
        for (int i = 0; i < flight->n_parameters; i++)
            n += flight->parameters[i].free_index >= 0 &&
                 find(fit, flight->parameters[i].name) == NULL;
        /* What is shared is among a flight's, too. */
        if (flight->n_unidentified > fit->n_unidentified)
            *n_null += flight->n_unidentified - fit->n_unidentified;
    }
    return n;
}

/* Whether all parameters of a are b's, free ones free, fixed ones free or of the same value. */
static bool parameters_fit(const ArcResult *smaller, const ArcFit *a, const ArcResult *larger,
                           const ArcFit *b, const Embedding *const *rows)
{
    for (int i = 0; i < a->n_parameters; i++) {
        const ArcEstimate *e = &a->parameters[i];
        const char *name = renamed(e->name, rows);
        const ArcEstimate *other = find(b, name);
        if (other == NULL || (!is_fixed(e) && is_fixed(other)))
            return false;
        if (is_fixed(e) && is_fixed(other) &&
            !(fabs(e->value - other->value) <= same_value * fabs(other->value)))
            return false;
        if (!is_fixed(e) && !same_prior(smaller, e->name, larger, name))
            return false;
    }
    return true;
}

/* What each flight of the smaller model has of its own, each has in the larger one. */
static bool own_stay_own(const ArcFit *a, const ArcFit *b, const Embedding *const *rows)
{
    const ArcFit *flight = &a->flights[0];
    for (int i = 0; i < flight->n_parameters; i++) {
        const ArcEstimate *e = &flight->parameters[i];
        if (!is_fixed(e) && find(a, e->name) == NULL && find(b, renamed(e->name, rows)) != NULL)
            return false;
    }
    return true;
}

bool arc_nested_is(const ArcResult *smaller, const ArcFit *a, const ArcResult *larger,
                   const ArcFit *b)
{
    const Embedding *rows[N_LAWS] = {NULL};
    if (smaller->n_settings == 0 || !same_surroundings(smaller, larger) ||
        !same_text(smaller->model_text, larger->model_text))
        return false;
    for (int i = 0; i < N_LAWS; i++) {
        const char *one = arc_result_setting(smaller, laws[i]);
        const char *other = arc_result_setting(larger, laws[i]);
        if (same_text(one, other))
            continue;
        if (one == NULL || other == NULL)
            return false;
        rows[i] = embedding_of(laws[i], one, other, b->n_flights > 0 ? &b->flights[0] : b);
        if (rows[i] == NULL)
            return false;
    }
    bool several = a->n_flights > 0;
    if (a->n_flights != b->n_flights || (several && !own_stay_own(a, b, rows)) ||
        !parameters_fit(smaller, several ? &a->flights[0] : a, larger, several ? &b->flights[0] : b,
                        rows))
        return false;
    int null_a, null_b, n_a = arc_nested_n_unknowns(a, &null_a);
    return arc_nested_n_unknowns(b, &null_b) - null_b > n_a - null_a;
}
