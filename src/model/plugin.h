/* What a compiled plug-in shows of itself, under the name arc_plugin: to the library, to the trial
 * (trial.c), and to its own frame (plugin.c), which includes the author's model.h first. */
#ifndef ARC_MODEL_PLUGIN_H
#define ARC_MODEL_PLUGIN_H

#include <stddef.h>

/* As model.h has them, without its numbers; both sides are of one program. */
typedef struct ArcPluginQuantity {
    const char *name, *unit, *doc;
    double value, low, high;
    double velocity, velocity_low, velocity_high;
} ArcPluginQuantity;

typedef struct ArcPluginModel {
    const char *name, *doc;
    int order, n_states, n_parameters;
    const ArcPluginQuantity *states, *parameters;
    void (*rates)(void);
    void (*partials)(void); /* NULL: no hand-written ones */
} ArcPluginModel;

/* n states at t (n), x, v (n,D) and parameters p (P), row-major: rates f (n,D), partials
 * f_x (n,D,D), f_v (n,D,D; first order: NULL), f_p (n,D,P). */
typedef struct ArcPlugin {
    const void *model; /* ArcPluginModel */
    void (*rates)(int n, const double *t, const double *x, const double *v, const double *p,
                  double *f); /* NULL in the one compiled for partials */
    /* by complex steps in the one compiled for them, else hand-written ones */
    void (*partials)(int n, const double *t, const double *x, const double *v, const double *p,
                     double *f_x, double *f_v, double *f_p);
    /* one state, as the author wrote it, numbers of size_of_real bytes */
    void (*call)(double t, const void *x, const void *v, const void *p, void *f);
    size_t size_of_real;
} ArcPlugin;

#endif
