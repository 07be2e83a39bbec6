/* A closure in words and as JSON. */
#include "report/closure_parts.h"

#include "report/section.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ln of a Bayes factor by Kass and Raftery, J. Am. Stat. Assoc. 90 (1995) 773, sec. 3.2. */
static const double bare_mention = 1.0, positive = 3.0, strong = 5.0;

bool arc_closure_parts_is_wanted(const ArcClosureFit *closure)
{
    for (int o = 0; o < closure->n_outputs; o++)
        if (isfinite(closure->ridge[o]))
            return true;
    return false;
}

const char *arc_closure_parts_words(const ArcClosureFit *closure)
{
    double b = closure->log_bayes;
    if (isnan(b))
        return "cannot tell whether they want it";
    if (!arc_closure_parts_is_wanted(closure) || b < -bare_mention)
        return "want no closure";
    return b < bare_mention ? "do not tell whether they want it"
           : b < positive   ? "lean towards it"
           : b < strong     ? "want it"
                            : "want it strongly";
}

const char *arc_closure_parts_log_bayes(char buffer[ARC_TABLE_NUMBER], double log_bayes)
{
    if (isnan(log_bayes))
        return arc_table_plain(buffer, log_bayes, 3);
    snprintf(buffer, ARC_TABLE_NUMBER, "%.*f", fabs(log_bayes) < 100.0 ? 2 : 0, log_bayes);
    return buffer;
}

static const char *output_word(ArcClosureOutput output)
{
    return output == ARC_CLOSURE_CD ? "cd" : output == ARC_CLOSURE_CL ? "cl" : "acceleration";
}

enum {
    ROW_WIDTH,
    ROW_UNITS,
    ROW_WEIGHTS,
    ROW_LOG_BAYES,
    ROW_WITHOUT,
    ROW_WITH,
    ROW_EXPLAINED,
    ROW_RMS,
    ROW_SHARE,
    ROW_HELD_WITH,
    ROW_HELD_WITHOUT,
    N_ROWS
};

static const char *const labels[N_ROWS] = {
    [ROW_WIDTH] = "feature width",
    [ROW_UNITS] = "features",
    [ROW_WEIGHTS] = "weights told",
    [ROW_LOG_BAYES] = "log Bayes",
    [ROW_WITHOUT] = "chi2 without",
    [ROW_WITH] = "chi2 with",
    [ROW_EXPLAINED] = "misfit told",
    [ROW_RMS] = "its size (rms)",
    [ROW_SHARE] = "of drag",
    [ROW_HELD_WITH] = "held out, with",
    [ROW_HELD_WITHOUT] = "..., without",
};

static void share_cell(char cell[ARC_TABLE_NUMBER], double share)
{
    if (!isnan(share))
        snprintf(cell, ARC_TABLE_NUMBER, "%.3g %%", 100.0 * share);
}

/* The unit of the closure's acceleration; of own equations each state has one of its own. */
static const char *size_unit(const ArcFit *fit)
{
    const ArcClosureTable *table = &fit->closure->table;
    return fit->states == NULL ? "m/s^2" : table->n_outputs == 1 ? table->output_units[0] : "";
}

static void closure_cell(char cell[ARC_TABLE_NUMBER], const ArcFit *fit, int row)
{
    const ArcClosureFit *closure = fit->closure;
    char number[ARC_TABLE_NUMBER];
    cell[0] = '\0';
    if (closure == NULL)
        return;
    switch (row) {
    case ROW_WIDTH:
        arc_table_plain(cell, closure->width, 3);
        return;
    case ROW_UNITS:
        snprintf(cell, ARC_TABLE_NUMBER, "%d", closure->n_units);
        return;
    case ROW_WEIGHTS:
        snprintf(cell, ARC_TABLE_NUMBER, "%s of %d", arc_table_plain(number, closure->effective, 3),
                 closure->n_weights);
        return;
    case ROW_LOG_BAYES:
        arc_closure_parts_log_bayes(cell, closure->log_bayes);
        return;
    case ROW_WITHOUT:
        arc_table_plain(cell, closure->chi2_without, 5);
        return;
    case ROW_WITH:
        arc_table_plain(cell, closure->chi2_with, 5);
        return;
    case ROW_EXPLAINED:
        share_cell(cell, closure->misfit_explained);
        return;
    case ROW_RMS:
        snprintf(cell, ARC_TABLE_NUMBER, "%s %s", arc_table_plain(number, closure->rms, 3),
                 size_unit(fit));
        return;
    case ROW_SHARE:
        share_cell(cell, closure->rms_share);
        return;
    default:
        if (closure->n_folds > 0)
            arc_table_plain(
                cell, row == ROW_HELD_WITH ? closure->held_out_with : closure->held_out_without, 4);
    }
}

/* "1 / sd^2" of each output's weights. */
static void ridge_rows(ArcText *table, const ArcResult *result, const ArcClosureFit *first)
{
    char cells[2][ARC_TABLE_NUMBER], label[ARC_TABLE_NUMBER];
    for (int o = 0; o < first->n_outputs; o++) {
        for (int i = 0; i < result->n_fits; i++) {
            const ArcClosureFit *closure = result->fits[i]->closure;
            cells[i][0] = '\0';
            if (closure != NULL && o < closure->n_outputs)
                snprintf(cells[i], sizeof cells[i], "%s", "infinite");
            if (closure != NULL && o < closure->n_outputs && isfinite(closure->ridge[o]))
                arc_table_plain(cells[i], closure->ridge[o], 3);
        }
        snprintf(label, sizeof label, "ridge %.40s", first->table.output_names[o]);
        arc_section_row(table, result->n_fits, label, cells);
    }
}

static void append_names(ArcText *text, int n, const char *const *names)
{
    for (int i = 0; i < n; i++)
        arc_text_append(text, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " and ", names[i]);
}

/* Where a curve or field is farthest from zero in its sd. */
static void say_largest(ArcText *text, const ArcClosureFit *closure)
{
    const ArcClosureTable *table = &closure->table;
    char number[ARC_TABLE_NUMBER];
    int most = -1, I = table->n_inputs, O = table->n_outputs;
    for (int k = 0; k < table->n_rows * O; k++)
        if (table->sd[k] > 0.0 && (most < 0 || fabs(table->value[k]) * table->sd[most] >
                                                   fabs(table->value[most]) * table->sd[k]))
            most = k;
    if (most < 0)
        return;
    arc_text_append(text, "; it stands out most at ");
    for (int i = 0; i < I; i++)
        arc_text_append(text, "%s%s %s%s%s", i == 0 ? "" : ", ", table->input_names[i],
                        arc_table_plain(number, table->input[most / O * I + i], 3),
                        strcmp(table->input_units[i], "1") == 0 ? "" : " ",
                        strcmp(table->input_units[i], "1") == 0 ? "" : table->input_units[i]);
    arc_text_append(
        text, ": %s %s%s%s", table->output_names[most % O],
        arc_table_value(number, table->value[most], table->sd[most], 1),
        strcmp(table->output_units[most % O], "1") == 0 ? "" : " ",
        strcmp(table->output_units[most % O], "1") == 0 ? "" : table->output_units[most % O]);
}

/* What it stands for and whether the data want it, by the fit that counts. */
static void say_learned(ArcText *table, const ArcClosureFit *closure)
{
    ArcText text = {0};
    char number[ARC_TABLE_NUMBER];
    const ArcClosureTable *learned = &closure->table;
    arc_text_append(&text, closure->settings.replaces ? "in place of the law, "
                                                      : "added to the equations, ");
    append_names(&text, learned->n_outputs, learned->output_names);
    arc_text_append(&text, " of ");
    append_names(&text, learned->n_inputs, learned->input_names);
    arc_text_append(&text, ": the data %s (log Bayes factor %s)", arc_closure_parts_words(closure),
                    arc_closure_parts_log_bayes(number, closure->log_bayes));
    if (closure->is_lost)
        arc_text_append(&text, "; but its search has not arrived: give starts nearer to the "
                               "points, or a large lasting force a term of its own");
    if (!closure->is_lost && !isnan(closure->misfit_explained) &&
        arc_closure_parts_is_wanted(closure))
        arc_text_append(&text, "; it explains %s %% of the misfit",
                        arc_table_plain(number, 100.0 * closure->misfit_explained, 3));
    if (!closure->is_lost && arc_closure_parts_is_wanted(closure))
        say_largest(&text, closure);
    arc_table_entry_of(table, "closure", &text);
}

void arc_closure_parts_text(ArcText *table, const ArcResult *result)
{
    const ArcClosureFit *first = arc_section_fit(result)->closure;
    char cells[2][ARC_TABLE_NUMBER];
    if (first == NULL)
        return;
    for (int i = 0; i < result->n_fits; i++)
        snprintf(cells[i], sizeof cells[i], "%s",
                 result->fits[i]->method == ARC_PINN ? "PINN" : "direct");
    arc_section_row(table, result->n_fits, "closure", cells);
    for (int row = 0; row < N_ROWS; row++) {
        for (int i = 0; i < result->n_fits; i++)
            closure_cell(cells[i], result->fits[i], row);
        arc_section_row(table, result->n_fits, labels[row], cells);
        if (row == ROW_UNITS)
            ridge_rows(table, result, first);
    }
    say_learned(table, first);
    arc_text_append(table, "\n");
}

static json_t *json_texts(ArcJson *json, int n, const char *const *texts)
{
    json_t *array = arc_json_array(json);
    for (int i = 0; i < n; i++)
        arc_json_push(json, array, arc_json_string(json, texts[i]));
    return array;
}

/* Every columns-th number of values from the c-th on. */
static json_t *json_column(ArcJson *json, int rows, int columns, int c, const double *values)
{
    json_t *array = arc_json_array(json);
    for (int k = 0; k < rows; k++)
        arc_json_push(json, array, arc_json_number(json, values[k * columns + c]));
    return array;
}

static json_t *json_table(ArcJson *json, const ArcClosureTable *table)
{
    json_t *object = arc_json_object(json), *inputs = arc_json_object(json);
    json_t *outputs = arc_json_object(json), *grid = arc_json_array(json);
    int I = table->n_inputs, O = table->n_outputs, n = table->n_rows;
    for (int i = 0; i < 2 && table->grid[i] > 0; i++)
        arc_json_push(json, grid, json_integer(table->grid[i]));
    arc_json_put(json, object, "grid", grid);
    if (table->node != NULL) {
        json_t *nodes = arc_json_array(json);
        for (int k = 0; k < n; k++)
            arc_json_push(json, nodes, json_integer(table->node[k]));
        arc_json_put(json, object, "node", nodes);
    }
    for (int i = 0; i < I; i++) {
        json_t *column = arc_json_object(json);
        arc_json_put_string(json, column, "unit", table->input_units[i]);
        arc_json_put(json, column, "value", json_column(json, n, I, i, table->input));
        arc_json_put(json, inputs, table->input_names[i], column);
    }
    for (int o = 0; o < O; o++) {
        json_t *column = arc_json_object(json);
        arc_json_put_string(json, column, "unit", table->output_units[o]);
        arc_json_put(json, column, "value", json_column(json, n, O, o, table->value));
        arc_json_put(json, column, "sd", json_column(json, n, O, o, table->sd));
        arc_json_put(json, outputs, table->output_names[o], column);
    }
    arc_json_put(json, object, "inputs", inputs);
    arc_json_put(json, object, "outputs", outputs);
    return object;
}

json_t *arc_closure_parts_json(ArcJson *json, const ArcFit *fit)
{
    const ArcClosureFit *closure = fit->closure;
    const ArcClosureTable *table = &closure->table;
    json_t *object = arc_json_object(json), *held = json_null();
    arc_json_put(json, object, "inputs", json_texts(json, table->n_inputs, table->input_names));
    arc_json_put(json, object, "outputs", json_texts(json, table->n_outputs, table->output_names));
    arc_json_put_string(json, object, "gives", output_word(closure->settings.output));
    arc_json_put_bool(json, object, "replaces", closure->settings.replaces);
    arc_json_put_integer(json, object, "features", closure->n_units);
    arc_json_put_number(json, object, "width", closure->width);
    arc_json_put(json, object, "ridge", arc_json_vector(json, closure->n_outputs, closure->ridge));
    arc_json_put_integer(json, object, "weights", closure->n_weights);
    arc_json_put_number(json, object, "effective", closure->effective);
    arc_json_put_bool(json, object, "search_arrived", !closure->is_lost);
    arc_json_put_bool(json, object, "wanted", arc_closure_parts_is_wanted(closure));
    arc_json_put_number(json, object, "log_bayes", closure->log_bayes);
    arc_json_put_string(json, object, "data", arc_closure_parts_words(closure));
    arc_json_put_number(json, object, "chi2_without", closure->chi2_without);
    arc_json_put_number(json, object, "chi2_with", closure->chi2_with);
    arc_json_put_number(json, object, "misfit_explained", closure->misfit_explained);
    arc_json_put_number(json, object, "rms", closure->rms);
    arc_json_put_number(json, object, "rms_share_of_drag", closure->rms_share);
    if (closure->n_folds > 0) {
        held = arc_json_object(json);
        arc_json_put_integer(json, held, "folds", closure->n_folds);
        arc_json_put_number(json, held, "log_density_with", closure->held_out_with);
        arc_json_put_number(json, held, "log_density_without", closure->held_out_without);
    }
    arc_json_put(json, object, "held_out", held);
    arc_json_put(json, object, "table", json_table(json, table));
    return object;
}
