/* The table of what a closure has learned, and the same as CSV. */
#include "model/closure_table.h"

#include "base/number.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { CURVE_ROWS = 101, GRID_NODES = 41, FLOWN_ROWS = 201 };

static const char *input_name(const ArcClosureLearned *learned, int i, const char **unit)
{
    static const char *const places[] = {"x", "y", "z"}, *const speeds[] = {"vx", "vy", "vz"};
    ArcClosureInput input = learned->closure->settings.inputs[i];
    bool is_velocity = input.kind == ARC_CLOSURE_VELOCITY;
    if (input.kind == ARC_CLOSURE_TIME) {
        *unit = "s";
        return "time";
    }
    if (learned->equations != NULL) {
        const ArcParameterInfo *channel =
            &learned->equations
                 ->channels[input.axis + (is_velocity ? learned->equations->n_states : 0)];
        *unit = channel->unit;
        return channel->name;
    }
    *unit = is_velocity || input.kind == ARC_CLOSURE_SPEED ? "m/s" : "m";
    if (input.kind == ARC_CLOSURE_SPIN_RATIO) {
        *unit = "1";
        return "spin_ratio";
    }
    return input.kind == ARC_CLOSURE_SPEED    ? "speed"
           : input.kind == ARC_CLOSURE_HEIGHT ? "height"
           : is_velocity                      ? speeds[input.axis]
                                              : places[input.axis];
}

/* Accelerations are called by a letter before the coordinate, rates as velocities are. */
static bool output_name(const ArcClosureLearned *learned, int o, ArcArena *arena, const char **name,
                        const char **unit)
{
    static const char *const accelerations[] = {"ax", "ay", "az"};
    const ArcClosure *closure = learned->closure;
    *unit = "1";
    if (closure->settings.output != ARC_CLOSURE_ACCELERATION) {
        *name = closure->settings.output == ARC_CLOSURE_CD ? "cd" : "cl";
    } else if (learned->equations == NULL) {
        *name = accelerations[closure->axis[o]];
        *unit = "m/s^2";
    } else {
        const ArcParameterInfo *state = &learned->equations->channels[closure->axis[o]];
        bool is_first = learned->equations->order == 1;
        *name = arc_arena_format(arena, "%s%s", is_first ? "v" : "a", state->name);
        *unit = arc_arena_format(arena, is_first ? "%s/s" : "%s/s^2", state->unit);
    }
    return *name != NULL && *unit != NULL;
}

static bool set_names(const ArcClosureLearned *learned, ArcArena *arena, ArcClosureTable *table)
{
    int I = table->n_inputs, O = table->n_outputs;
    const char **inputs = ARC_ALLOC(arena, (size_t)(2 * I), const char *);
    const char **outputs = ARC_ALLOC(arena, (size_t)(2 * O), const char *);
    if (inputs == NULL || outputs == NULL)
        return false;
    for (int i = 0; i < I; i++) {
        const char *name = input_name(learned, i, &inputs[I + i]);
        inputs[i] = arc_arena_copy_text(arena, name, strlen(name));
        inputs[I + i] = arc_arena_copy_text(arena, inputs[I + i], strlen(inputs[I + i]));
        if (inputs[i] == NULL || inputs[I + i] == NULL)
            return false;
    }
    for (int o = 0; o < O; o++)
        if (!output_name(learned, o, arena, &outputs[o], &outputs[O + o]))
            return false;
    table->input_names = inputs;
    table->input_units = inputs + I;
    table->output_names = outputs;
    table->output_units = outputs + O;
    return true;
}

static void range_of(const ArcClosureLearned *learned, int i, double *low, double *high)
{
    int I = learned->closure->I;
    *low = INFINITY;
    *high = -INFINITY;
    for (int k = 0; k < learned->n; k++) {
        *low = fmin(*low, learned->flown[k * I + i]);
        *high = fmax(*high, learned->flown[k * I + i]);
    }
}

/* Whether a flight comes near: within `reach` along both axes together, or within a cell. */
static bool is_near(const ArcClosureLearned *learned, const double *node, const double *cell)
{
    const ArcClosure *closure = learned->closure;
    double reach = 0.5 * closure->width;
    for (int k = 0; k < learned->n; k++) {
        double dx = fabs(learned->flown[2 * k] - node[0]);
        double dy = fabs(learned->flown[2 * k + 1] - node[1]);
        if ((dx <= cell[0] && dy <= cell[1]) ||
            hypot(dx / closure->scale[0], dy / closure->scale[1]) <= reach)
            return true;
    }
    return false;
}

static bool place_grid(const ArcClosureLearned *learned, ArcArena *arena, ArcClosureTable *table)
{
    double low[2], high[2], cell[2];
    double *input = ARC_ALLOC(arena, 2 * GRID_NODES * GRID_NODES, double);
    int *number = ARC_ALLOC(arena, GRID_NODES * GRID_NODES, int);
    if (input == NULL || number == NULL)
        return false;
    for (int i = 0; i < 2; i++) {
        range_of(learned, i, &low[i], &high[i]);
        cell[i] = (high[i] - low[i]) / (GRID_NODES - 1);
        table->grid[i] = GRID_NODES;
    }
    for (int node = 0; node < GRID_NODES * GRID_NODES; node++) {
        double at[2] = {low[0] + cell[0] * (node / GRID_NODES),
                        low[1] + cell[1] * (node % GRID_NODES)};
        if (!is_near(learned, at, cell))
            continue;
        memcpy(input + 2 * table->n_rows, at, sizeof at);
        number[table->n_rows++] = node;
    }
    table->input = input;
    table->node = number;
    return true;
}

static bool place_rows(const ArcClosureLearned *learned, ArcArena *arena, ArcClosureTable *table)
{
    int I = table->n_inputs, n = learned->n;
    if (I == 2)
        return place_grid(learned, arena, table);
    table->n_rows = I == 1 ? CURVE_ROWS : n < FLOWN_ROWS ? n : FLOWN_ROWS;
    double *input = ARC_ALLOC(arena, (size_t)(table->n_rows * I), double), low, high;
    if (input == NULL)
        return false;
    range_of(learned, 0, &low, &high);
    for (int k = 0; k < table->n_rows; k++) {
        int last = table->n_rows - 1;
        int from = last == 0 ? 0 : (int)((double)k * (n - 1) / last);
        if (I == 1)
            input[k] = low + (high - low) * k / (CURVE_ROWS - 1);
        else
            memcpy(input + k * I, learned->flown + from * I, (size_t)I * sizeof(double));
    }
    table->grid[0] = I == 1 ? CURVE_ROWS : 0;
    table->input = input;
    return true;
}

/* j' C j; of weights that are held but the output's own, j is zero outside [first, end). */
static double variance_of(const double *j, const double *C, int K, int first, int end)
{
    double sum = 0;
    for (int k = first; k < end; k++)
        if (j[k] != 0)
            sum +=
                j[k] * arc_features_dot(end - first, C + (size_t)k * (size_t)K + first, j + first);
    return sum > 0 ? sum : 0 * sum;
}

ArcStatus arc_closure_tabulate(const ArcClosureLearned *learned, ArcArena *arena,
                               ArcClosureTable *table, ArcError *err)
{
    const ArcClosure *closure = learned->closure;
    int K = closure->K, H = closure->H, O = closure->O;
    ArcClosureTable made = {.n_inputs = closure->I, .n_outputs = O};
    double *row = ARC_ALLOC(arena, (size_t)K, double);
    if (row == NULL || !set_names(learned, arena, &made) || !place_rows(learned, arena, &made))
        return arc_error_no_memory(err);
    double *value = ARC_ALLOC(arena, (size_t)(made.n_rows * O), double);
    double *sd = ARC_ALLOC(arena, (size_t)(made.n_rows * O), double);
    if (value == NULL || sd == NULL)
        return arc_error_no_memory(err);
    arc_closure_outputs(closure, learned->weights, made.n_rows, made.input, value, NULL);
    for (int k = 0; k < made.n_rows * O; k++) {
        int o = k % O;
        arc_closure_by_weights(closure, learned->weights, o, 1, made.input + k / O * closure->I,
                               row);
        bool is_held = K == O * H;
        sd[k] = sqrt(variance_of(row, learned->covariance, K, is_held ? o * H : 0,
                                 is_held ? (o + 1) * H : K));
    }
    made.value = value;
    made.sd = sd;
    *table = made;
    return ARC_OK;
}

/* ", name_unit": "m/s^2" becomes _m_s2, "1" nothing. */
static void append_column(ArcText *text, bool is_first, const char *name, const char *suffix,
                          const char *unit)
{
    arc_text_append(text, "%s%s%s", is_first ? "" : ",", name, suffix);
    if (strcmp(unit, "1") == 0)
        return;
    arc_text_append(text, "_");
    for (const char *c = unit; *c != '\0'; c++)
        if (*c != '^')
            arc_text_append(text, "%c", isalnum((unsigned char)*c) ? *c : '_');
}

static void append_head(ArcText *text, const ArcClosureFit *fit)
{
    char number[ARC_NUMBER_TEXT];
    const ArcClosureSettings *settings = &fit->settings;
    const char *what = settings->output == ARC_CLOSURE_CD   ? "the drag coefficient"
                       : settings->output == ARC_CLOSURE_CL ? "the lift coefficient"
                                                            : "the equations";
    arc_text_append(text, "# a closure: what it %s %s, with posterior standard deviations\n",
                    settings->replaces ? "has for" : "adds to", what);
    arc_text_append(text, "# units: %d, width: %s of half the inputs' range\n", fit->n_units,
                    arc_number_write_digits(number, fit->width, 6));
    for (int o = 0; o < fit->n_outputs; o++)
        arc_text_append(text, "%s%s", o == 0 ? "# ridge: " : ", ",
                        arc_number_write_digits(number, fit->ridge[o], 6));
    arc_text_append(text, "\n# log Bayes factor against none: %s\n",
                    arc_number_write_digits(number, fit->log_bayes, 6));
}

ArcStatus arc_closure_text(const ArcClosureFit *closure, char **text, ArcError *err)
{
    const ArcClosureTable *table = &closure->table;
    int I = table->n_inputs, O = table->n_outputs;
    char number[ARC_NUMBER_TEXT];
    ArcText made = {0};
    append_head(&made, closure);
    for (int i = 0; i < I; i++)
        append_column(&made, i == 0, table->input_names[i], "", table->input_units[i]);
    for (int o = 0; o < O; o++) {
        append_column(&made, false, table->output_names[o], "", table->output_units[o]);
        append_column(&made, false, table->output_names[o], "_sd", table->output_units[o]);
    }
    arc_text_append(&made, "\n");
    for (int k = 0; k < table->n_rows; k++) {
        for (int i = 0; i < I; i++)
            arc_text_append(&made, "%s%s", i == 0 ? "" : ",",
                            arc_number_write(number, table->input[k * I + i]));
        for (int o = k * O; o < (k + 1) * O; o++) {
            arc_text_append(&made, ",%s", arc_number_write(number, table->value[o]));
            arc_text_append(&made, ",%s", arc_number_write(number, table->sd[o]));
        }
        arc_text_append(&made, "\n");
    }
    return arc_text_finish(&made, text, err);
}
