/* See randomised_parts.h. */
#include "report/randomised_parts.h"

#include "report/fields.h"
#include "report/table.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 17, NUMBER = 13, UNIT = 5, MOST_ROWS = 1000000 };

static void append_quantities(char *text, size_t size, const ArcRandomised *randomised)
{
    size_t used = (size_t)snprintf(text, size, "%d fits with other values of ", randomised->draws);
    for (int k = 0; k < randomised->n_quantities && used < size; k++) {
        const ArcRandomisedQuantity *quantity = &randomised->quantities[k];
        char mean[ARC_TABLE_NUMBER];
        bool is_plain = strcmp(quantity->unit, "1") == 0;
        used += (size_t)snprintf(text + used, size - used, "%s%.40s (%s%s%.20s)",
                                 k == 0 ? "" : ", ", quantity->name,
                                 arc_table_value(mean, quantity->mean, quantity->sd, 1.0),
                                 is_plain ? "" : " ", is_plain ? "" : quantity->unit);
    }
    if (randomised->n_failed > 0 && used < size)
        snprintf(text + used, size - used, "; %d did not converge and are left out",
                 randomised->n_failed);
}

void arc_randomised_parts_text(ArcText *table, const ArcFit *fit, bool is_named)
{
    const ArcRandomised *randomised = fit->randomised;
    char text[2048], cell[ARC_TABLE_NUMBER];
    if (randomised == NULL)
        return;
    append_quantities(text, sizeof text - 16, randomised);
    if (is_named)
        strcat(text, fit->method == ARC_PINN ? " (PINN)" : " (direct)");
    arc_table_entry(table, "randomised", text);
    if (randomised->note != NULL) {
        arc_table_entry(table, "", randomised->note);
        arc_text_append(table, "\n");
        return;
    }
    arc_table_cell(table, NAME, "");
    arc_table_cell(table, NUMBER, "mean");
    arc_table_cell(table, NUMBER, "sd by noise");
    arc_table_cell(table, NUMBER, "by the values");
    arc_table_cell(table, NUMBER, "together");
    arc_table_last(table, UNIT, "unit");
    for (int i = 0; i < randomised->n_numbers; i++) {
        const ArcRandomisedNumber *number = &randomised->numbers[i];
        arc_table_name(table, NAME, number->name);
        arc_table_cell(table, NUMBER, arc_table_number(cell, number->mean, number->sd));
        arc_table_cell(table, NUMBER, arc_table_plain(cell, number->noise_sd, 3));
        arc_table_cell(table, NUMBER, arc_table_plain(cell, number->randomised_sd, 3));
        arc_table_cell(table, NUMBER, arc_table_plain(cell, number->sd, 3));
        arc_table_last(table, UNIT, arc_table_unit(number->unit));
    }
    arc_text_append(table, "\n");
}

static json_t *json_numbers(ArcJson *json, const ArcRandomised *randomised)
{
    json_t *numbers = arc_json_object(json);
    for (int i = 0; i < randomised->n_numbers; i++) {
        const ArcRandomisedNumber *number = &randomised->numbers[i];
        json_t *row = arc_json_object(json);
        arc_json_put_number(json, row, "value", number->value);
        arc_json_put_number(json, row, "mean", number->mean);
        arc_json_put_number(json, row, "noise_sd", number->noise_sd);
        arc_json_put_number(json, row, "randomised_sd", number->randomised_sd);
        arc_json_put_number(json, row, "sd", number->sd);
        arc_json_put(json, row, "ci95", arc_json_vector(json, 2, number->ci95));
        arc_json_put_string(json, row, "unit", number->unit);
        arc_json_put(json, numbers, number->name, row);
    }
    return numbers;
}

void arc_randomised_parts_json(ArcJson *json, json_t *object, const ArcFit *fit)
{
    const ArcRandomised *randomised = fit->randomised;
    if (randomised == NULL)
        return;
    json_t *made = arc_json_object(json), *quantities = arc_json_object(json);
    for (int k = 0; k < randomised->n_quantities; k++) {
        json_t *row = arc_json_object(json);
        arc_json_put_number(json, row, "mean", randomised->quantities[k].mean);
        arc_json_put_number(json, row, "sd", randomised->quantities[k].sd);
        arc_json_put_string(json, row, "unit", randomised->quantities[k].unit);
        arc_json_put(json, quantities, randomised->quantities[k].name, row);
    }
    arc_json_put_integer(json, made, "draws", randomised->draws);
    arc_json_put_integer(json, made, "failed", randomised->n_failed);
    if (randomised->note != NULL)
        arc_json_put_string(json, made, "note", randomised->note);
    arc_json_put(json, made, "quantities", quantities);
    arc_json_put(json, made, "numbers", json_numbers(json, randomised));
    if (fit->n_flights > 0 && randomised->note == NULL) {
        json_t *flights = arc_json_array(json);
        for (int f = 0; f < fit->n_flights; f++)
            arc_json_push(json, flights, json_numbers(json, fit->flights[f].randomised));
        arc_json_put(json, made, "flights", flights);
    }
    arc_json_put(json, object, "randomised", made);
}

typedef struct Row {
    int flight;
    ArcRandomisedNumber number;
} Row;

static const ArcField quantity_fields[] = {
    {"name", "text", ARC_FIELD_TEXT, offsetof(ArcRandomisedQuantity, name)},
    {"unit", "text", ARC_FIELD_TEXT, offsetof(ArcRandomisedQuantity, unit)},
    {"mean", "unit of the row", ARC_FIELD_REAL, offsetof(ArcRandomisedQuantity, mean)},
    {"sd", "unit of the row", ARC_FIELD_REAL, offsetof(ArcRandomisedQuantity, sd)},
};
#define OF(field) "unit of the row", ARC_FIELD_REAL, offsetof(Row, number.field)
static const ArcField number_fields[] = {
    {"flight", "1", ARC_FIELD_WHOLE, offsetof(Row, flight)},
    {"name", "text", ARC_FIELD_TEXT, offsetof(Row, number.name)},
    {"unit", "text", ARC_FIELD_TEXT, offsetof(Row, number.unit)},
    {"value", OF(value)},
    {"mean", OF(mean)},
    {"noise_sd", OF(noise_sd)},
    {"randomised_sd", OF(randomised_sd)},
    {"sd", OF(sd)},
    {"low", OF(ci95[0])},
    {"high", OF(ci95[1])},
};
static const ArcFieldTable quantity_table = {"randomised/quantity", quantity_fields,
                                             sizeof quantity_fields / sizeof quantity_fields[0],
                                             sizeof(ArcRandomisedQuantity)};
static const ArcFieldTable number_table = {"randomised/number", number_fields,
                                           sizeof number_fields / sizeof number_fields[0],
                                           sizeof(Row)};

static const ArcRandomised *of_flight(const ArcFit *fit, int flight)
{
    return flight < 0 ? fit->randomised : fit->flights[flight].randomised;
}

bool arc_randomised_parts_write(ArcHdf5 *file, ArcArena *arena, const char *group,
                                const ArcFit *fit)
{
    const ArcRandomised *randomised = fit->randomised;
    ArcFieldSet set = {.file = file, .arena = arena, .group = group};
    char path[ARC_FIELD_PATH];
    size_t n = 0, at = 0;
    if (randomised == NULL)
        return true;
    bool has_flights = randomised->note == NULL;
    for (int f = -1; f < (has_flights ? fit->n_flights : 0); f++)
        n += (size_t)of_flight(fit, f)->n_numbers;
    Row *rows = arc_field_alloc(&set, n, sizeof *rows);
    if (rows == NULL)
        return false;
    for (int f = -1; f < (has_flights ? fit->n_flights : 0); f++)
        for (int i = 0; i < of_flight(fit, f)->n_numbers; i++)
            rows[at++] = (Row){f, of_flight(fit, f)->numbers[i]};
    arc_field_write(&set, &quantity_table, (size_t)randomised->n_quantities,
                    randomised->quantities);
    if (n > 0)
        arc_field_write(&set, &number_table, n, rows);
    arc_field_path(path, &set, "randomised");
    arc_hdf5_put_count(file, path, "draws", (uint64_t)randomised->draws);
    arc_hdf5_put_count(file, path, "failed", (uint64_t)randomised->n_failed);
    arc_hdf5_put_text(file, path, "note", randomised->note == NULL ? "" : randomised->note);
    return !set.no_memory;
}

/* Numbers of one flight, or of the whole (-1), from rows that are in their order. */
static void take_numbers(ArcFieldSet *set, const ArcRandomised *shared, int n, const Row *rows,
                         int flight, ArcFit *fit)
{
    ArcRandomised *made = arc_field_alloc(set, 1, sizeof *made);
    ArcRandomisedNumber *numbers = arc_field_alloc(set, (size_t)n, sizeof *numbers);
    if (made == NULL || numbers == NULL)
        return;
    *made = *shared;
    for (int i = 0; i < n; i++)
        if (rows[i].flight == flight)
            numbers[made->n_numbers++] = rows[i].number;
    made->numbers = numbers;
    fit->randomised = made;
}

bool arc_randomised_parts_read(ArcHdf5 *file, ArcArena *arena, const char *group, ArcFit *fit)
{
    ArcFieldSet set = {.file = file, .arena = arena, .group = group};
    ArcRandomised shared = {0};
    char path[ARC_FIELD_PATH];
    arc_field_path(path, &set, "randomised");
    if (!arc_field_is_good(&set) || !arc_hdf5_has(file, path))
        return !set.no_memory;
    uint64_t draws = arc_hdf5_count(file, path, "draws");
    uint64_t failed = arc_hdf5_count(file, path, "failed");
    const char *note = arc_hdf5_text(file, path, "note");
    shared.n_quantities = arc_field_rows(&set, &quantity_table, ARC_MAX_RANDOM_QUANTITIES);
    ArcRandomisedQuantity *quantities =
        arc_field_alloc(&set, (size_t)shared.n_quantities, sizeof *quantities);
    if (!arc_field_is_good(&set) || quantities == NULL)
        return !set.no_memory;
    arc_field_read(&set, &quantity_table, shared.n_quantities, quantities);
    if (draws > MOST_ROWS || failed > draws)
        arc_field_refuse(&set, "randomised");
    shared.quantities = quantities;
    shared.draws = (int)draws;
    shared.n_failed = (int)failed;
    shared.note = note[0] == '\0' ? NULL : note;
    int n = 0;
    if (arc_field_is_good(&set) &&
        arc_hdf5_has(file, arc_field_path(path, &set, "randomised/number")))
        n = arc_field_rows(&set, &number_table, MOST_ROWS);
    Row *rows = arc_field_alloc(&set, (size_t)n, sizeof *rows);
    if (rows == NULL)
        return false;
    if (n > 0 && arc_field_is_good(&set))
        arc_field_read(&set, &number_table, n, rows);
    for (int i = 0; i < n && arc_field_is_good(&set); i++)
        if (rows[i].flight < -1 || rows[i].flight >= fit->n_flights)
            arc_field_refuse(&set, "randomised/number/flight");
    if (!arc_field_is_good(&set))
        return !set.no_memory;
    take_numbers(&set, &shared, n, rows, -1, fit);
    for (int f = 0; f < fit->n_flights && shared.note == NULL; f++)
        take_numbers(&set, &shared, n, rows, f, (ArcFit *)(uintptr_t)&fit->flights[f]);
    return !set.no_memory;
}
