/* The convergence table of nets/README.md: nets by chains of optimisers, over real and made
 * flights.
 *
 *   convergence [--only TEXT] [--seeds N] EXPERIMENT...
 *
 * Each net is fitted to each flight by each chain from several seeds, and compared with the direct
 * fit. A row of the table tells, over all flights and seeds: the share that converged, the median
 * time, medians of the physics residual at the collocation points and between them (over
 * sigma_phys), and of the largest distance to the direct fit's parameters (in its sd), with the
 * worst distance of a fit that called itself converged. --only takes rows whose net and chain,
 * written as in the table, contain TEXT; --seeds sets the number of seeds of all rows.
 */
#include "arcfit/fit.h"

#include "measure.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FLIGHTS = 64, MAX_SEEDS = 100 };

typedef struct Net {
    const char *name;
    bool automatic;
    ArcNetSettings settings;
} Net;

#define SPREAD(width, low, high)                                                                   \
    {                                                                                              \
        .n_hidden = 1, .widths = {width}, .init = ARC_INIT_SPREAD, .slope_low = (low),             \
        .slope_high = (high), .fourier_base = 1.0                                                  \
    }
#define GLOROT(layers, ...)                                                                        \
    {                                                                                              \
        .n_hidden = (layers), .widths = {__VA_ARGS__}, .init = ARC_INIT_GLOROT_NORMAL,             \
        .fourier_base = 1.0                                                                        \
    }

/* Slopes as a net file of that width gets them. */
static const Net nets[] = {
    {"auto", true, SPREAD(24, 1.0, 1.5)},         {"12", false, SPREAD(12, 1.0, 1.5)},
    {"16", false, SPREAD(16, 1.0, 1.5)},          {"24", false, SPREAD(24, 1.0, 1.5)},
    {"32", false, SPREAD(32, 1.5, 3.0)},          {"48", false, SPREAD(48, 1.5, 3.0)},
    {"64", false, SPREAD(64, 3.0, 10.0)},         {"16, 16", false, GLOROT(2, 16, 16)},
    {"32, 32, 32", false, GLOROT(3, 32, 32, 32)},
};
enum { N_NETS = sizeof nets / sizeof nets[0] };

typedef struct Chain {
    const char *name;
    int seeds;      /* of nets with one hidden layer */
    int seeds_deep; /* of the others */
    int n_stages;
    ArcStage stages[2];
} Chain;

#define LINEAR                                                                                     \
    {                                                                                              \
        .optimizer = ARC_OPTIMIZER_LINEAR, .steps = 100                                            \
    }
#define LM                                                                                         \
    {                                                                                              \
        .optimizer = ARC_OPTIMIZER_LM, .steps = 400                                                \
    }
#define ADAM(n)                                                                                    \
    {                                                                                              \
        .optimizer = ARC_OPTIMIZER_ADAM, .steps = (n), .rate = 0.003, .parameter_rate = 0.003,     \
        .schedule = ARC_SCHEDULE_COSINE, .final_share = 0.01                                       \
    }
#define LBFGS                                                                                      \
    {                                                                                              \
        .optimizer = ARC_OPTIMIZER_LBFGS, .steps = 2000, .memory = 20                              \
    }

static const Chain chains[] = {
    {"linear", 5, 5, 1, {LINEAR}},
    {"lm", 5, 5, 1, {LM}},
    {"linear, lm", 5, 5, 2, {LINEAR, LM}},
    {"adam, lm", 5, 5, 2, {ADAM(500), LM}},
    {"adam, lbfgs", 1, 1, 2, {ADAM(2000), LBFGS}},
};
enum { N_CHAINS = sizeof chains / sizeof chains[0] };

typedef struct Flight {
    const char *path;
    ArcExperiment *experiment;
    ArcCapture *capture;
    ArcFit *direct;
} Flight;

/* What is noted of a fit. */
typedef struct Figures {
    double ms, rms, rms_fine, distance_sd;
    bool converged;
} Figures;

typedef struct Row {
    int n;
    Figures figures[MAX_FLIGHTS * MAX_SEEDS];
} Row;

static ArcStatus fit_flight(const Flight *flight, ArcMethod method, ArcFit **fit, ArcError *err)
{
    ArcProblem *problem = NULL;
    ArcStatus status = arc_problem_create(flight->experiment, flight->capture, &problem, err);
    if (status == ARC_OK)
        status = arc_fit_run(problem, method, NULL, fit, err);
    arc_problem_free(problem);
    return status;
}

static ArcStatus flight_open(const char *path, Flight *flight, ArcError *err)
{
    *flight = (Flight){.path = path};
    ArcStatus status = arc_experiment_read(path, 0, NULL, &flight->experiment, err);
    if (status == ARC_OK)
        status = arc_capture_read(&flight->experiment->capture, &flight->capture, err);
    if (status == ARC_OK)
        status = fit_flight(flight, ARC_DIRECT, &flight->direct, err);
    if (status == ARC_OK && !flight->direct->converged)
        status = arc_error_set(err, ARC_NUMERIC, "%s: the direct fit did not converge", path);
    return status;
}

static void flight_close(Flight *flight)
{
    arc_fit_free(flight->direct);
    arc_capture_free(flight->capture);
    arc_experiment_free(flight->experiment);
}

/* Largest distance of an estimate from the direct fit's, in that one's sd. */
static double distance_sd(const ArcFit *fit, const ArcFit *direct)
{
    double largest = 0.0;
    for (int i = 0; i < fit->n_parameters; i++) {
        const ArcEstimate *a = &fit->parameters[i], *b = &direct->parameters[i];
        if (b->free_index >= 0 && b->sd > 0.0)
            largest = fmax(largest, fabs(a->value - b->value) / b->sd);
    }
    return largest;
}

static ArcStatus add_fit(const Flight *flight, const Net *net, const Chain *chain, int seed,
                         Figures *figures, ArcError *err)
{
    ArcExperiment *experiment = flight->experiment;
    experiment->seed = (uint64_t)seed;
    experiment->pinn.net_auto = net->automatic;
    experiment->pinn.net = net->settings;
    experiment->pinn.n_stages = chain->n_stages;
    memcpy(experiment->pinn.stages, chain->stages, sizeof chain->stages);
    ArcFit *fit = NULL;
    ArcStatus status = fit_flight(flight, ARC_PINN, &fit, err);
    if (status == ARC_OK) {
        double sigma = fit->residuals.sigma_phys_m_s2;
        *figures = (Figures){.ms = 1e3 * fit->wall_s,
                             .rms = fit->residuals.physics_rms_m_s2 / sigma,
                             .rms_fine = fit->residuals.physics_rms_fine_m_s2 / sigma,
                             .distance_sd = distance_sd(fit, flight->direct),
                             .converged = fit->converged};
        if (getenv("CONVERGENCE_VERBOSE") != NULL)
            fprintf(stderr, "%s [%s] %s seed %d: %s, %d iterations, %.1f ms, fine %.2g, %.2g sd\n",
                    strrchr(flight->path, '/') + 1, net->name, chain->name, seed,
                    fit->converged ? "converged" : arc_stop_text(fit->stop), fit->iterations,
                    figures->ms, figures->rms_fine, figures->distance_sd);
    }
    arc_fit_free(fit);
    return status;
}

/* Median of one field of all figures, which starts so many bytes into them. */
static double median(const Row *row, size_t field)
{
    static double values[MAX_FLIGHTS * MAX_SEEDS];
    for (int i = 0; i < row->n; i++)
        memcpy(&values[i], (const char *)&row->figures[i] + field, sizeof(double));
    return measure_median(row->n, values);
}

/* " TEXT |": value to so many digits, with an exponent below 0.01 only; nan: a dash. */
static void print_cell(double value, int digits)
{
    char text[32];
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    double rounded = strtod(text, NULL);
    if (isnan(value))
        printf(" - |");
    else if (rounded < 0.01)
        printf(" %s |", text);
    else
        printf(" %.10g |", rounded);
}

static void print_row(const Row *row, const Net *net, const Chain *chain, int seeds)
{
    int converged = 0;
    double worst_sd = NAN;
    for (int i = 0; i < row->n; i++) {
        const Figures *f = &row->figures[i];
        converged += f->converged;
        if (f->converged)
            worst_sd = fmax(worst_sd, f->distance_sd);
    }
    printf("| %s | %s | %d | %.3g %% |", net->name, chain->name, seeds, 100.0 * converged / row->n);
    print_cell(median(row, offsetof(Figures, ms)), 3);
    print_cell(median(row, offsetof(Figures, rms)), 1);
    print_cell(median(row, offsetof(Figures, rms_fine)), 1);
    print_cell(median(row, offsetof(Figures, distance_sd)), 1);
    print_cell(worst_sd, 1);
    printf("\n");
    fflush(stdout);
}

static ArcStatus fill_row(int n_flights, const Flight *flights, const Net *net, const Chain *chain,
                          int seeds, ArcError *err)
{
    static Row row;
    row.n = 0;
    for (int i = 0; i < n_flights; i++)
        for (int seed = 1; seed <= seeds; seed++) {
            ArcStatus status = add_fit(&flights[i], net, chain, seed, &row.figures[row.n++], err);
            if (status != ARC_OK)
                return status;
        }
    print_row(&row, net, chain, seeds);
    return ARC_OK;
}

static ArcStatus fill_table(int n_flights, const Flight *flights, const char *only, int seeds,
                            ArcError *err)
{
    puts("| hidden layers | chain | seeds | converged | ms | at nodes | between | sd off | worst "
         "|\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (int i = 0; i < N_NETS; i++)
        for (int k = 0; k < N_CHAINS; k++) {
            const Net *net = &nets[i];
            const Chain *chain = &chains[k];
            char name[64];
            snprintf(name, sizeof name, "| %s | %s |", net->name, chain->name);
            bool deep = net->settings.n_hidden > 1;
            if (strstr(name, only) == NULL || (net->automatic && k > 0))
                continue;
            /* The default and the classic PINN are promises, so they are looked at more closely. */
            bool promised = net->automatic || strcmp(name, "| 16, 16 | adam, lm |") == 0;
            int n = seeds > 0 ? seeds : promised ? 20 : deep ? chain->seeds_deep : chain->seeds;
            ArcStatus status = fill_row(n_flights, flights, net, chain, n, err);
            if (status != ARC_OK)
                return status;
        }
    return ARC_OK;
}

int main(int argc, char **argv)
{
    const char *only = "";
    int seeds = 0, first = 1;
    for (; first + 1 < argc && strncmp(argv[first], "--", 2) == 0; first += 2) {
        if (strcmp(argv[first], "--only") == 0)
            only = argv[first + 1];
        else if (strcmp(argv[first], "--seeds") == 0)
            seeds = atoi(argv[first + 1]);
        else
            argc = 0;
    }
    int n_flights = argc - first;
    if (n_flights < 1 || n_flights > MAX_FLIGHTS || seeds < 0 || seeds > MAX_SEEDS) {
        fputs("usage: convergence [--only TEXT] [--seeds N] EXPERIMENT...\n", stderr);
        return 2;
    }
    /* As the program does: memory that a fit frees is kept for the next. */
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    static Flight flights[MAX_FLIGHTS];
    ArcError err;
    ArcStatus status = ARC_OK;
    for (int i = 0; i < n_flights && status == ARC_OK; i++)
        status = flight_open(argv[first + i], &flights[i], &err);
    if (status == ARC_OK)
        status = fill_table(n_flights, flights, only, seeds, &err);
    if (status != ARC_OK)
        fprintf(stderr, "%s\n", err.text);
    for (int i = 0; i < n_flights; i++)
        flight_close(&flights[i]);
    return arc_status_exit_code(status);
}
