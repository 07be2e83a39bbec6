/* Profiles, bootstrap and chains in a result's HDF5 file, and back.
 *
 * group          attributes, then datasets
 *
 * uncertainty    note
 * profiles/NAME  kind end_low end_high interval_low interval_high lowest lowest_value fits;
 *                value rise
 * bootstrap      kind replicates failed; name unit value sd bias percentile95 t95 n replicate draws
 * samples        ensembles walkers burn_in thin acceptance believable;
 *                name unit value mean sd ci95 r_hat ess_bulk ess_tail draw draws
 */
#include "report/uncertainty.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 160, MOST_NUMBERS = ARC_MAX_PARAMETERS + ARC_MAX_DERIVED };

static const char *const row_unit = "unit of the row";

/* A group of the file, and where its arrays go. */
typedef struct Group {
    ArcHdf5 *file;
    ArcArena *arena;
    char path[PATH_SIZE];
} Group;

static Group group_below(const Group *group, const char *name)
{
    Group below = {group->file, group->arena, ""};
    snprintf(below.path, PATH_SIZE, "%.40s/%.80s", group->path, name);
    return below;
}

static const char *array_path(char path[PATH_SIZE], const Group *group, const char *name)
{
    snprintf(path, PATH_SIZE, "%.120s/%.30s", group->path, name);
    return path;
}

/* A column of the table whose first column, `scale`, stands at the path of that name (NULL: this is
 * it). */
static void write_column(const Group *group, const char *name, const char *scale, ArcHdf5Kind kind,
                         int rows, const void *data, const char *units)
{
    char path[PATH_SIZE], scale_path[PATH_SIZE];
    arc_hdf5_write(
        group->file,
        &(ArcHdf5Array){
            .path = array_path(path, group, name),
            .units = units,
            .kind = kind,
            .rows = (size_t)rows,
            .data = data,
            .scale = {scale == NULL ? NULL : array_path(scale_path, group, scale), NULL}});
}

static void write_table(const Group *group, const char *name, const char *rows_scale, int rows,
                        const char *columns_scale, int columns, const double *data)
{
    char path[PATH_SIZE], rows_path[PATH_SIZE], columns_path[PATH_SIZE];
    bool is_interval = columns_scale[0] == '/';
    arc_hdf5_write(
        group->file,
        &(ArcHdf5Array){.path = array_path(path, group, name),
                        .units = is_interval ? row_unit : "unit of the column",
                        .kind = ARC_HDF5_REAL,
                        .rows = (size_t)rows,
                        .columns = (size_t)columns,
                        .data = data,
                        .scale = {array_path(rows_path, group, rows_scale),
                                  is_interval ? columns_scale
                                              : array_path(columns_path, group, columns_scale)}});
}

/* Numbers 0, 1, ... as the scale of draws or replicates. */
static bool write_counter(const Group *group, const char *name, int n)
{
    int *index = ARC_ALLOC(group->arena, (size_t)n, int);
    for (int i = 0; i < n && index != NULL; i++)
        index[i] = i;
    if (index == NULL)
        return false;
    write_column(group, name, NULL, ARC_HDF5_INTEGER, n, index, "1");
    return true;
}

static void write_profile(const Group *profiles, const ArcFit *fit, const ArcProfile *profile)
{
    const ArcEstimate *e = &fit->parameters[profile->parameter];
    Group group = group_below(profiles, e->name);
    ArcHdf5 *file = group.file;
    arc_hdf5_put_count(file, group.path, "kind", (uint64_t)profile->kind);
    arc_hdf5_put_count(file, group.path, "end_low", (uint64_t)profile->end[0]);
    arc_hdf5_put_count(file, group.path, "end_high", (uint64_t)profile->end[1]);
    arc_hdf5_put_number(file, group.path, "interval_low", profile->interval[0]);
    arc_hdf5_put_number(file, group.path, "interval_high", profile->interval[1]);
    arc_hdf5_put_number(file, group.path, "lowest", profile->lowest);
    arc_hdf5_put_number(file, group.path, "lowest_value", profile->lowest_value);
    arc_hdf5_put_count(file, group.path, "fits", (uint64_t)profile->n_fits);
    write_column(&group, "value", NULL, ARC_HDF5_REAL, profile->n, profile->value, e->unit);
    write_column(&group, "rise", "value", ARC_HDF5_REAL, profile->n, profile->rise, "1");
}

/* Columns of numbers: names and units, then reals, then intervals of two. */
typedef struct Columns {
    int n;
    const char **name, **unit;
    double *real; /* (n_reals, n) */
    double *pair; /* (n_pairs, n, 2) */
} Columns;

static bool columns_create(Columns *columns, ArcArena *arena, int n, int n_reals, int n_pairs)
{
    size_t rows = (size_t)n;
    columns->n = n;
    columns->name = ARC_ALLOC(arena, rows, const char *);
    columns->unit = ARC_ALLOC(arena, rows, const char *);
    columns->real = ARC_ALLOC(arena, rows * (size_t)n_reals, double);
    columns->pair = ARC_ALLOC(arena, 2 * rows * (size_t)n_pairs, double);
    return columns->name != NULL && columns->unit != NULL && columns->real != NULL &&
           columns->pair != NULL;
}

static void write_names(const Group *group, const Columns *columns)
{
    write_column(group, "name", NULL, ARC_HDF5_TEXT, columns->n, columns->name, "text");
    write_column(group, "unit", "name", ARC_HDF5_TEXT, columns->n, columns->unit, "text");
}

static void write_reals(const Group *group, const Columns *columns, int n_reals,
                        const char *const *names, const char *units)
{
    for (int r = 0; r < n_reals; r++)
        write_column(group, names[r], "name", ARC_HDF5_REAL, columns->n,
                     columns->real + (size_t)r * (size_t)columns->n, units);
}

static const char *const bootstrap_reals[] = {"value", "sd", "bias", "n"};
static const char *const sampled_reals[] = {"value", "mean", "sd", "r_hat", "ess_bulk", "ess_tail"};
enum { BOOTSTRAP_REALS = 4, BOOTSTRAP_PAIRS = 2, SAMPLED_REALS = 6 };

static bool write_bootstrap(const Group *above, const ArcBootstrap *bootstrap)
{
    Group group = group_below(above, "bootstrap");
    Columns c;
    size_t n = (size_t)bootstrap->n_numbers;
    if (!columns_create(&c, group.arena, bootstrap->n_numbers, BOOTSTRAP_REALS, BOOTSTRAP_PAIRS))
        return false;
    for (size_t j = 0; j < n; j++) {
        const ArcBootstrapNumber *number = &bootstrap->numbers[j];
        c.name[j] = number->name;
        c.unit[j] = number->unit;
        const double reals[BOOTSTRAP_REALS] = {number->value, number->sd, number->bias, number->n};
        for (size_t r = 0; r < BOOTSTRAP_REALS; r++)
            c.real[r * n + j] = reals[r];
        for (size_t s = 0; s < 2; s++) {
            c.pair[2 * j + s] = number->percentile95[s];
            c.pair[2 * n + 2 * j + s] = number->t95[s];
        }
    }
    arc_hdf5_put_count(group.file, group.path, "kind", (uint64_t)bootstrap->kind);
    arc_hdf5_put_count(group.file, group.path, "failed", (uint64_t)bootstrap->n_failed);
    write_names(&group, &c);
    write_reals(&group, &c, BOOTSTRAP_REALS, bootstrap_reals, row_unit);
    write_table(&group, "percentile95", "name", c.n, "/interval", 2, c.pair);
    write_table(&group, "t95", "name", c.n, "/interval", 2, c.pair + 2 * n);
    if (!write_counter(&group, "replicate", bootstrap->n))
        return false;
    write_table(&group, "draws", "replicate", bootstrap->n, "name", c.n, bootstrap->replicates);
    return true;
}

static bool write_samples(const Group *above, const ArcSamples *samples)
{
    Group group = group_below(above, "samples");
    Columns c;
    size_t n = (size_t)samples->n_numbers;
    if (!columns_create(&c, group.arena, samples->n_numbers, SAMPLED_REALS, 1))
        return false;
    for (size_t k = 0; k < n; k++) {
        const ArcSampledNumber *number = &samples->numbers[k];
        c.name[k] = number->name;
        c.unit[k] = number->unit;
        const double reals[SAMPLED_REALS] = {number->value, number->mean,     number->sd,
                                             number->r_hat, number->ess_bulk, number->ess_tail};
        for (size_t r = 0; r < SAMPLED_REALS; r++)
            c.real[r * n + k] = reals[r];
        memcpy(c.pair + 2 * k, number->ci95, sizeof number->ci95);
    }
    arc_hdf5_put_count(group.file, group.path, "ensembles", (uint64_t)samples->n_ensembles);
    arc_hdf5_put_count(group.file, group.path, "walkers", (uint64_t)samples->n_walkers);
    arc_hdf5_put_count(group.file, group.path, "burn_in", (uint64_t)samples->n_burn_in);
    arc_hdf5_put_count(group.file, group.path, "thin", (uint64_t)samples->thin);
    arc_hdf5_put_number(group.file, group.path, "acceptance", samples->acceptance);
    arc_hdf5_put_count(group.file, group.path, "believable", samples->believable ? 1 : 0);
    write_names(&group, &c);
    write_reals(&group, &c, 3, sampled_reals, row_unit);
    for (int r = 3; r < SAMPLED_REALS; r++)
        write_column(&group, sampled_reals[r], "name", ARC_HDF5_REAL, c.n, c.real + (size_t)r * n,
                     "1");
    write_table(&group, "ci95", "name", c.n, "/interval", 2, c.pair);
    if (!write_counter(&group, "draw", samples->n_kept))
        return false;
    write_table(&group, "draws", "draw", samples->n_kept, "name", c.n, samples->draws);
    return true;
}

bool arc_uncertainty_write(ArcHdf5 *file, ArcArena *arena, const char *path, const ArcFit *fit)
{
    const ArcUncertainty *u = fit->uncertainty;
    if (u == NULL)
        return true;
    Group group = {file, arena, ""};
    snprintf(group.path, PATH_SIZE, "%.40s", path);
    Group note = group_below(&group, "uncertainty"), profiles = group_below(&group, "profiles");
    arc_hdf5_put_text(file, note.path, "note", u->note == NULL ? "" : u->note);
    for (int i = 0; i < u->n_profiles; i++)
        write_profile(&profiles, fit, &u->profiles[i]);
    if (u->bootstrap != NULL && !write_bootstrap(&group, u->bootstrap))
        return false;
    return u->samples == NULL || write_samples(&group, u->samples);
}

/* A count that must lie in low..high. */
static int read_count(const Group *group, const char *name, int low, int high)
{
    uint64_t value = arc_hdf5_count(group->file, group->path, name);
    if (arc_hdf5_is_good(group->file) && (value < (uint64_t)low || value > (uint64_t)high))
        arc_hdf5_refuse(group->file, "attribute '%s' of '%s' is out of range", name, group->path);
    return arc_hdf5_is_good(group->file) ? (int)value : low;
}

static void read_profile(const Group *group, int parameter, ArcProfile *profile)
{
    char path[PATH_SIZE];
    ArcHdf5 *file = group->file;
    profile->parameter = parameter;
    profile->kind = (ArcProfileKind)read_count(group, "kind", 0, ARC_PROFILE_FLAT);
    profile->end[0] = (ArcProfileEnd)read_count(group, "end_low", 0, ARC_PROFILE_END_LOST);
    profile->end[1] = (ArcProfileEnd)read_count(group, "end_high", 0, ARC_PROFILE_END_LOST);
    profile->interval[0] = arc_hdf5_number(file, group->path, "interval_low");
    profile->interval[1] = arc_hdf5_number(file, group->path, "interval_high");
    profile->lowest = arc_hdf5_number(file, group->path, "lowest");
    profile->lowest_value = arc_hdf5_number(file, group->path, "lowest_value");
    profile->n_fits = read_count(group, "fits", 0, INT_MAX);
    profile->n = arc_hdf5_rows(file, array_path(path, group, "value"));
    profile->value = arc_hdf5_reals(file, path, profile->n, 0);
    profile->rise = arc_hdf5_reals(file, array_path(path, group, "rise"), profile->n, 0);
}

/* Names, units and reals of a table of numbers; false on exhaustion. Columns stay NULL where the
 * file fails. */
static bool read_columns(const Group *group, int n_reals, const char *const *names,
                         Columns *columns)
{
    char path[PATH_SIZE];
    ArcHdf5 *file = group->file;
    int n = arc_hdf5_rows(file, array_path(path, group, "name"));
    if (n > MOST_NUMBERS)
        arc_hdf5_refuse(file, "'%s' has too many rows", path);
    if (!arc_hdf5_is_good(file))
        return true;
    columns->n = n;
    columns->name = arc_hdf5_texts(file, path, n);
    columns->unit = arc_hdf5_texts(file, array_path(path, group, "unit"), n);
    columns->real = ARC_ALLOC(group->arena, (size_t)n * (size_t)n_reals, double);
    if (columns->real == NULL)
        return false;
    for (int r = 0; r < n_reals; r++) {
        const double *column = arc_hdf5_reals(file, array_path(path, group, names[r]), n, 0);
        if (column != NULL)
            memcpy(columns->real + r * n, column, sizeof(double) * (size_t)n);
    }
    return true;
}

static bool read_bootstrap(const Group *group, ArcBootstrap *bootstrap)
{
    char path[PATH_SIZE];
    Columns c = {0};
    ArcHdf5 *file = group->file;
    if (!read_columns(group, BOOTSTRAP_REALS, bootstrap_reals, &c))
        return false;
    size_t n = (size_t)c.n;
    const double *percentile =
        arc_hdf5_reals(file, array_path(path, group, "percentile95"), c.n, 2);
    const double *t95 = arc_hdf5_reals(file, array_path(path, group, "t95"), c.n, 2);
    ArcBootstrapNumber *numbers = ARC_ALLOC(group->arena, n, ArcBootstrapNumber);
    bootstrap->kind = (ArcBootstrapKind)read_count(group, "kind", 0, ARC_BOOTSTRAP_CASE);
    bootstrap->n = arc_hdf5_rows(file, array_path(path, group, "replicate"));
    bootstrap->n_failed = read_count(group, "failed", 0, bootstrap->n);
    bootstrap->replicates =
        arc_hdf5_reals(file, array_path(path, group, "draws"), bootstrap->n, c.n);
    if (numbers == NULL)
        return false;
    for (size_t j = 0; j < n && arc_hdf5_is_good(file); j++) {
        double count = c.real[3 * n + j];
        numbers[j] = (ArcBootstrapNumber){c.name[j],
                                          c.unit[j],
                                          c.real[j],
                                          c.real[n + j],
                                          c.real[2 * n + j],
                                          {percentile[2 * j], percentile[2 * j + 1]},
                                          {t95[2 * j], t95[2 * j + 1]},
                                          count >= 0 && count <= bootstrap->n ? (int)count : 0};
    }
    bootstrap->n_numbers = c.n;
    bootstrap->numbers = numbers;
    return true;
}

static bool read_samples(const Group *group, ArcSamples *samples)
{
    char path[PATH_SIZE];
    Columns c = {0};
    ArcHdf5 *file = group->file;
    if (!read_columns(group, SAMPLED_REALS, sampled_reals, &c))
        return false;
    size_t n = (size_t)c.n;
    const double *ci95 = arc_hdf5_reals(file, array_path(path, group, "ci95"), c.n, 2);
    ArcSampledNumber *numbers = ARC_ALLOC(group->arena, n, ArcSampledNumber);
    samples->n_ensembles = read_count(group, "ensembles", 0, INT_MAX);
    samples->n_walkers = read_count(group, "walkers", 0, INT_MAX);
    samples->n_burn_in = read_count(group, "burn_in", 0, INT_MAX);
    samples->thin = read_count(group, "thin", 0, INT_MAX);
    samples->acceptance = arc_hdf5_number(file, group->path, "acceptance");
    samples->believable = read_count(group, "believable", 0, 1) == 1;
    samples->n_kept = arc_hdf5_rows(file, array_path(path, group, "draw"));
    samples->draws = arc_hdf5_reals(file, array_path(path, group, "draws"), samples->n_kept, c.n);
    if (numbers == NULL)
        return false;
    for (size_t k = 0; k < n && arc_hdf5_is_good(file); k++)
        numbers[k] =
            (ArcSampledNumber){c.name[k],         c.unit[k],         c.real[k],
                               c.real[n + k],     c.real[2 * n + k], {ci95[2 * k], ci95[2 * k + 1]},
                               c.real[3 * n + k], c.real[4 * n + k], c.real[5 * n + k]};
    samples->n_numbers = c.n;
    samples->numbers = numbers;
    return true;
}

static bool read_profiles(const Group *above, const ArcFit *fit, ArcUncertainty *u)
{
    ArcProfile *profiles = ARC_ALLOC(above->arena, (size_t)fit->n_parameters, ArcProfile);
    Group all = group_below(above, "profiles");
    if (profiles == NULL)
        return false;
    for (int i = 0; i < fit->n_parameters && arc_hdf5_has(all.file, all.path); i++) {
        Group group = group_below(&all, fit->parameters[i].name);
        if (arc_hdf5_has(group.file, group.path))
            read_profile(&group, i, &profiles[u->n_profiles++]);
    }
    u->profiles = profiles;
    return true;
}

bool arc_uncertainty_read(ArcHdf5 *file, ArcArena *arena, const char *path, ArcFit *fit)
{
    Group above = {file, arena, ""};
    snprintf(above.path, PATH_SIZE, "%.40s", path);
    Group group = group_below(&above, "uncertainty");
    if (!arc_hdf5_is_good(file) || !arc_hdf5_has(file, group.path))
        return true;
    ArcUncertainty *u = ARC_ALLOC(arena, 1, ArcUncertainty);
    ArcBootstrap *bootstrap = ARC_ALLOC(arena, 1, ArcBootstrap);
    ArcSamples *samples = ARC_ALLOC(arena, 1, ArcSamples);
    if (u == NULL || bootstrap == NULL || samples == NULL || !read_profiles(&above, fit, u))
        return false;
    const char *note = arc_hdf5_text(file, group.path, "note");
    u->note = note[0] == '\0' ? NULL : note;
    group = group_below(&above, "bootstrap");
    if (arc_hdf5_has(file, group.path)) {
        if (!read_bootstrap(&group, bootstrap))
            return false;
        u->bootstrap = bootstrap;
    }
    group = group_below(&above, "samples");
    if (arc_hdf5_has(file, group.path)) {
        if (!read_samples(&group, samples))
            return false;
        u->samples = samples;
    }
    fit->uncertainty = u;
    return true;
}
