/* A closure to HDF5 and back. */
#include "report/closure_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 96, N_COUNTS = 10 };

/* Real numbers by the names of their attributes. */
static const struct {
    const char *name;
    size_t offset;
} numbers[] = {
    {"width", offsetof(ArcClosureFit, width)},
    {"effective", offsetof(ArcClosureFit, effective)},
    {"log_bayes", offsetof(ArcClosureFit, log_bayes)},
    {"chi2_without", offsetof(ArcClosureFit, chi2_without)},
    {"chi2_with", offsetof(ArcClosureFit, chi2_with)},
    {"misfit_explained", offsetof(ArcClosureFit, misfit_explained)},
    {"rms", offsetof(ArcClosureFit, rms)},
    {"rms_share", offsetof(ArcClosureFit, rms_share)},
    {"held_out_with", offsetof(ArcClosureFit, held_out_with)},
    {"held_out_without", offsetof(ArcClosureFit, held_out_without)},
    {"ridge_given", offsetof(ArcClosureFit, settings.ridge)},
    {"width_given", offsetof(ArcClosureFit, settings.width)},
};

enum { N_NUMBERS = sizeof numbers / sizeof numbers[0] };

static const char *path_of(char path[PATH_SIZE], const char *group, const char *rest)
{
    snprintf(path, PATH_SIZE, "%.40s/closure%.40s", group, rest);
    return path;
}

/* Whole numbers by the names of their attributes, with the largest that makes sense. */
static const struct {
    const char *name;
    uint64_t most;
} counts[N_COUNTS] = {{"features", 1 << 20},
                      {"folds", 1 << 20},
                      {"gives", ARC_CLOSURE_CL},
                      {"axes", UINT32_MAX},
                      {"replaces", 1},
                      {"features_auto", 1},
                      {"choice", ARC_CLOSURE_CROSS_VALIDATION},
                      {"trains_all", 1},
                      {"nodes", 1},
                      {"lost", 1}};

static void write_attributes(ArcHdf5 *file, const char *group, const ArcClosureFit *closure)
{
    const ArcClosureSettings *settings = &closure->settings;
    const uint64_t values[N_COUNTS] = {(uint64_t)closure->n_units,  (uint64_t)closure->n_folds,
                                       (uint64_t)settings->output,  settings->axes,
                                       settings->replaces,          settings->net_auto,
                                       (uint64_t)settings->choice,  settings->trains_all,
                                       closure->table.node != NULL, closure->is_lost};
    for (int i = 0; i < N_NUMBERS; i++)
        arc_hdf5_put_number(
            file, group, numbers[i].name,
            *(const double *)(const void *)((const char *)closure + numbers[i].offset));
    for (int i = 0; i < N_COUNTS; i++)
        arc_hdf5_put_count(file, group, counts[i].name, values[i]);
}

/* Names, with units and kinds beside them. */
static void write_names(ArcHdf5 *file, const char *group, const ArcClosureFit *closure)
{
    const ArcClosureTable *table = &closure->table;
    char input[PATH_SIZE], output[PATH_SIZE], path[PATH_SIZE];
    int kind[ARC_CLOSURE_MAX_INPUTS], axis[ARC_CLOSURE_MAX_INPUTS];
    for (int i = 0; i < table->n_inputs; i++) {
        kind[i] = (int)closure->settings.inputs[i].kind;
        axis[i] = closure->settings.inputs[i].axis;
    }
    path_of(input, group, "/input");
    path_of(output, group, "/output");
    const struct {
        const char *rest, *units, *scale;
        ArcHdf5Kind kind;
        int rows;
        const void *data;
    } arrays[] = {
        {"/input", "text", NULL, ARC_HDF5_TEXT, table->n_inputs, table->input_names},
        {"/input_unit", "text", input, ARC_HDF5_TEXT, table->n_inputs, table->input_units},
        {"/input_kind", "1", input, ARC_HDF5_INTEGER, table->n_inputs, kind},
        {"/input_axis", "1", input, ARC_HDF5_INTEGER, table->n_inputs, axis},
        {"/centre", "unit of the input", input, ARC_HDF5_REAL, table->n_inputs, closure->centre},
        {"/scale", "unit of the input", input, ARC_HDF5_REAL, table->n_inputs, closure->scale},
        {"/output", "text", NULL, ARC_HDF5_TEXT, table->n_outputs, table->output_names},
        {"/output_unit", "text", output, ARC_HDF5_TEXT, table->n_outputs, table->output_units},
        {"/ridge", "1 / unit of the output^2", output, ARC_HDF5_REAL, table->n_outputs,
         closure->ridge},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        arc_hdf5_write(file, &(ArcHdf5Array){.path = path_of(path, group, arrays[i].rest),
                                             .units = arrays[i].units,
                                             .kind = arrays[i].kind,
                                             .rows = (size_t)arrays[i].rows,
                                             .data = arrays[i].data,
                                             .scale = {arrays[i].scale, NULL}});
}

static void write_matrix(ArcHdf5 *file, const char *path, const char *units, size_t rows,
                         size_t columns, const double *data, const char *const scales[2])
{
    arc_hdf5_write(file, &(ArcHdf5Array){.path = path,
                                         .units = units,
                                         .kind = ARC_HDF5_REAL,
                                         .rows = rows,
                                         .columns = columns,
                                         .data = data,
                                         .scale = {scales[0], scales[1]}});
}

/* Rows are numbered by their nodes, or as they come. */
static bool write_table(ArcHdf5 *file, ArcArena *arena, const char *group,
                        const ArcClosureTable *table)
{
    char row[PATH_SIZE], input[PATH_SIZE], output[PATH_SIZE], path[PATH_SIZE];
    size_t n = (size_t)table->n_rows, I = (size_t)table->n_inputs, O = (size_t)table->n_outputs;
    int *number = ARC_ALLOC(arena, n, int);
    if (number == NULL)
        return false;
    for (int k = 0; k < table->n_rows; k++)
        number[k] = table->node != NULL ? table->node[k] : k;
    path_of(row, group, "/table/row");
    path_of(input, group, "/input");
    path_of(output, group, "/output");
    arc_hdf5_write(
        file, &(ArcHdf5Array){
                  .path = row, .units = "1", .kind = ARC_HDF5_INTEGER, .rows = n, .data = number});
    if (n > 0) {
        write_matrix(file, path_of(path, group, "/table/inputs"), "unit of the column", n, I,
                     table->input, (const char *[]){row, input});
        write_matrix(file, path_of(path, group, "/table/values"), "unit of the column", n, O,
                     table->value, (const char *[]){row, output});
        write_matrix(file, path_of(path, group, "/table/sd"), "unit of the column", n, O, table->sd,
                     (const char *[]){row, output});
    }
    path_of(path, group, "/table");
    arc_hdf5_put_count(file, path, "grid_0", (uint64_t)table->grid[0]);
    arc_hdf5_put_count(file, path, "grid_1", (uint64_t)table->grid[1]);
    return true;
}

/* Covariance of each flight's free parameters with the weights: rows (flights x free). */
static bool write_shared(ArcHdf5 *file, ArcArena *arena, const char *group, const ArcFit *fit,
                         const char *weights)
{
    char path[PATH_SIZE], rows[PATH_SIZE];
    size_t own = fit->n_flights > 0 ? (size_t)fit->flights[0].n_free : 0;
    size_t n = (size_t)fit->n_flights * own, K = (size_t)fit->closure->n_weights;
    double *all = ARC_ALLOC(arena, n * K, double);
    int *flight = ARC_ALLOC(arena, n, int);
    if (all == NULL || flight == NULL)
        return false;
    for (int f = 0; f < fit->n_flights; f++) {
        if (fit->flights[f].weights_covariance == NULL)
            return true;
        memcpy(all + (size_t)f * own * K, fit->flights[f].weights_covariance,
               sizeof(double) * own * K);
        for (size_t k = 0; k < own; k++)
            flight[(size_t)f * own + k] = f;
    }
    if (n == 0)
        return true;
    path_of(rows, group, "/parameter_covariance_flight");
    arc_hdf5_write(
        file, &(ArcHdf5Array){
                  .path = rows, .units = "1", .kind = ARC_HDF5_INTEGER, .rows = n, .data = flight});
    write_matrix(file, path_of(path, group, "/parameter_covariance"), "product of the rows' units",
                 n, K, all, (const char *[]){rows, weights});
    return true;
}

bool arc_closure_parts_write(ArcHdf5 *file, ArcArena *arena, const char *group, const ArcFit *fit)
{
    const ArcClosureFit *closure = fit->closure;
    char path[PATH_SIZE], weights[PATH_SIZE];
    if (closure == NULL)
        return true;
    size_t K = (size_t)closure->n_weights;
    write_names(file, group, closure);
    write_attributes(file, path_of(path, group, ""), closure);
    arc_hdf5_put_text(file, path, "activation",
                      arc_activation_name((int)closure->settings.net.activation));
    path_of(weights, group, "/hidden");
    arc_hdf5_write(file, &(ArcHdf5Array){.path = weights,
                                         .units = "1",
                                         .kind = ARC_HDF5_REAL,
                                         .rows = (size_t)closure->n_hidden,
                                         .data = closure->hidden});
    path_of(weights, group, "/weights");
    arc_hdf5_write(file, &(ArcHdf5Array){.path = weights,
                                         .units = "unit of the output",
                                         .kind = ARC_HDF5_REAL,
                                         .rows = K,
                                         .data = closure->weights});
    write_matrix(file, path_of(path, group, "/covariance"), "product of the rows' units", K, K,
                 closure->covariance, (const char *[]){weights, weights});
    return write_shared(file, arena, group, fit, weights) &&
           write_table(file, arena, group, &closure->table);
}

static void read_attributes(ArcHdf5 *file, const char *group, ArcClosureFit *closure,
                            uint64_t values[N_COUNTS])
{
    ArcClosureSettings *settings = &closure->settings;
    for (int i = 0; i < N_NUMBERS; i++)
        *(double *)(void *)((char *)closure + numbers[i].offset) =
            arc_hdf5_number(file, group, numbers[i].name);
    for (int i = 0; i < N_COUNTS; i++) {
        values[i] = arc_hdf5_count(file, group, counts[i].name);
        if (values[i] > counts[i].most) {
            arc_hdf5_refuse(file, "attribute '%s' of '%s' is out of range", counts[i].name, group);
            values[i] = 0;
        }
    }
    closure->n_units = (int)values[0];
    closure->n_folds = (int)values[1];
    settings->is_on = true;
    settings->output = (ArcClosureOutput)values[2];
    settings->axes = (uint32_t)values[3];
    settings->replaces = values[4] == 1;
    settings->net_auto = values[5] == 1;
    settings->choice = (ArcClosureChoice)values[6];
    settings->trains_all = values[7] == 1;
    closure->is_lost = values[9] == 1;
}

/* How many rows the array has, low to high. */
static int read_rows(ArcHdf5 *file, const char *path, int low, int high)
{
    int n = arc_hdf5_rows(file, path);
    if (arc_hdf5_is_good(file) && (n < low || n > high))
        arc_hdf5_refuse(file, "'%s' has %s rows", path, n < low ? "too few" : "too many");
    return arc_hdf5_is_good(file) ? n : 0;
}

static void read_names(ArcHdf5 *file, const char *group, ArcClosureFit *closure)
{
    ArcClosureTable *table = &closure->table;
    char path[PATH_SIZE];
    int I = read_rows(file, path_of(path, group, "/input"), 1, ARC_CLOSURE_MAX_INPUTS);
    table->input_names = arc_hdf5_texts(file, path, I);
    table->input_units = arc_hdf5_texts(file, path_of(path, group, "/input_unit"), I);
    const int *kind = arc_hdf5_integers(file, path_of(path, group, "/input_kind"), I);
    const int *axis = arc_hdf5_integers(file, path_of(path, group, "/input_axis"), I);
    const double *centre = arc_hdf5_reals(file, path_of(path, group, "/centre"), I, 0);
    const double *scale = arc_hdf5_reals(file, path_of(path, group, "/scale"), I, 0);
    int O = read_rows(file, path_of(path, group, "/output"), 1, ARC_EQUATIONS_MAX_STATES);
    table->output_names = arc_hdf5_texts(file, path, O);
    table->output_units = arc_hdf5_texts(file, path_of(path, group, "/output_unit"), O);
    const double *ridge = arc_hdf5_reals(file, path_of(path, group, "/ridge"), O, 0);
    if (!arc_hdf5_is_good(file))
        return;
    table->n_inputs = closure->settings.n_inputs = I;
    table->n_outputs = closure->n_outputs = O;
    memcpy(closure->ridge, ridge, (size_t)O * sizeof(double));
    memcpy(closure->centre, centre, (size_t)I * sizeof(double));
    memcpy(closure->scale, scale, (size_t)I * sizeof(double));
    for (int i = 0; i < I; i++) {
        if (kind[i] < 0 || kind[i] > ARC_CLOSURE_TIME || axis[i] < 0 ||
            axis[i] >= ARC_EQUATIONS_MAX_STATES)
            arc_hdf5_refuse(file, "'%s/closure' has an input that is not known", group);
        closure->settings.inputs[i] = (ArcClosureInput){(ArcClosureInputKind)kind[i], axis[i]};
    }
}

/* The hidden layer's activation, by its name. */
static void read_activation(ArcHdf5 *file, const char *group, ArcClosureSettings *settings)
{
    const char *name = arc_hdf5_text(file, group, "activation");
    int i = 0;
    while (i < ARC_ACTIVATION_COUNT && strcmp(arc_activation_name(i), name) != 0)
        i++;
    if (i == ARC_ACTIVATION_COUNT)
        arc_hdf5_refuse(file, "attribute 'activation' of '%s' is not known", group);
    else
        settings->net.activation = (ArcActivation)i;
}

static void read_table(ArcHdf5 *file, const char *group, bool has_nodes, ArcClosureTable *table)
{
    char path[PATH_SIZE];
    path_of(path, group, "/table");
    uint64_t grid[2] = {arc_hdf5_count(file, path, "grid_0"), arc_hdf5_count(file, path, "grid_1")};
    int n = read_rows(file, path_of(path, group, "/table/row"), 0, 1 << 24);
    const int *number = arc_hdf5_integers(file, path, n);
    if (n > 0) {
        table->input =
            arc_hdf5_reals(file, path_of(path, group, "/table/inputs"), n, table->n_inputs);
        table->value =
            arc_hdf5_reals(file, path_of(path, group, "/table/values"), n, table->n_outputs);
        table->sd = arc_hdf5_reals(file, path_of(path, group, "/table/sd"), n, table->n_outputs);
    }
    if (!arc_hdf5_is_good(file))
        return;
    table->n_rows = n;
    table->node = has_nodes ? number : NULL;
    if (grid[0] > 1 << 12 || grid[1] > 1 << 12)
        arc_hdf5_refuse(file, "the grid of '%s/closure' is out of range", group);
    for (int i = 0; i < 2 && arc_hdf5_is_good(file); i++)
        table->grid[i] = (int)grid[i];
    for (int k = 0; k < n && has_nodes; k++)
        if (number[k] < 0 || number[k] >= table->grid[0] * table->grid[1])
            arc_hdf5_refuse(file, "a row of '%s/closure/table' is not on its grid", group);
}

/* Each flight's part of the covariance with the weights, where the file has it. */
static void read_shared(ArcHdf5 *file, const char *group, ArcFit *fit)
{
    char path[PATH_SIZE];
    size_t K = (size_t)fit->closure->n_weights;
    int n = 0, at = 0;
    if (!arc_hdf5_has(file, path_of(path, group, "/parameter_covariance")))
        return;
    for (int f = 0; f < fit->n_flights; f++)
        n += fit->flights[f].n_free;
    const double *all = arc_hdf5_reals(file, path, n, (int)K);
    for (int f = 0; f < fit->n_flights && arc_hdf5_is_good(file); f++) {
        ((ArcFit *)fit->flights)[f].weights_covariance = all + (size_t)at * K;
        at += fit->flights[f].n_free;
    }
}

bool arc_closure_parts_read(ArcHdf5 *file, ArcArena *arena, const char *group, ArcFit *fit)
{
    char path[PATH_SIZE];
    uint64_t values[N_COUNTS] = {0};
    if (!arc_hdf5_has(file, path_of(path, group, "")))
        return true;
    ArcClosureFit *closure = ARC_ALLOC(arena, 1, ArcClosureFit);
    if (closure == NULL)
        return false;
    *closure = (ArcClosureFit){.settings = arc_closure_settings_default()};
    read_attributes(file, path, closure, values);
    read_names(file, group, closure);
    read_activation(file, path_of(path, group, ""), &closure->settings);
    closure->n_hidden = read_rows(file, path_of(path, group, "/hidden"), 1,
                                  ARC_CLOSURE_MAX_UNITS * (ARC_CLOSURE_MAX_INPUTS + 1));
    closure->hidden = arc_hdf5_reals(file, path, closure->n_hidden, 0);
    int K = read_rows(file, path_of(path, group, "/weights"), 1, ARC_CLOSURE_MAX_WEIGHTS);
    closure->n_weights = K;
    closure->weights = arc_hdf5_reals(file, path, K, 0);
    closure->covariance = arc_hdf5_reals(file, path_of(path, group, "/covariance"), K, K);
    if (arc_hdf5_is_good(file))
        read_table(file, group, values[8] == 1, &closure->table);
    if (arc_hdf5_is_good(file))
        fit->closure = closure;
    for (int f = 0; fit->closure != NULL && f < fit->n_flights; f++)
        ((ArcFit *)fit->flights)[f].closure = closure;
    if (fit->closure != NULL)
        read_shared(file, group, fit);
    return true;
}
