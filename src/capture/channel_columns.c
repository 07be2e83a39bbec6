/* Which column of a table is which channel of own equations, and in which unit (channel_columns.h).
 */
#include "capture/channel_columns.h"

#include "base/dimension.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

enum { NAME_BYTES = 96, LIST_BYTES = 240 };

/* A header's name without the unit between brackets. */
typedef struct Name {
    char text[NAME_BYTES];
    char unit[NAME_BYTES]; /* between the brackets; empty: none */
} Name;

/* The bracket that the last sign of the name closes; NULL: none. */
static char *bracket_find(char *name)
{
    char *last = name + strlen(name) - 1;
    char close = *last, open = close == ']' ? '[' : '(';
    int depth = 0;
    for (char *at = last; (close == ']' || close == ')') && at >= name; at--) {
        depth += *at == close ? 1 : *at == open ? -1 : 0;
        if (depth == 0)
            return at;
    }
    return NULL;
}

static Name name_of(const ArcCell *cell)
{
    Name name = {"", ""};
    if (cell->length == 0 || cell->length >= NAME_BYTES)
        return name;
    memcpy(name.text, cell->text, (size_t)cell->length);
    char *open = bracket_find(name.text);
    if (open == NULL)
        return name;
    name.text[cell->length - 1] = '\0';
    memcpy(name.unit, open + 1, strlen(open + 1) + 1);
    while (open > name.text && (open[-1] == ' ' || open[-1] == '\t'))
        open--;
    *open = '\0';
    return name;
}

static bool is_like(const char *a, const char *b, size_t n, bool any_case)
{
    for (size_t i = 0; i < n; i++)
        if (any_case ? arc_cell_lower(a[i]) != arc_cell_lower(b[i]) : a[i] != b[i])
            return false;
    return true;
}

/* What a suffix is of a channel of that unit: the scale; NaN and is_unit: of something else. */
static double suffix_scale(const char *unit, const char *suffix, bool *is_unit)
{
    char lower[NAME_BYTES], own[NAME_BYTES];
    ArcDimension dimension;
    size_t n = 0;
    for (; suffix[n] != '\0'; n++)
        lower[n] = arc_cell_lower(suffix[n]);
    lower[n] = '\0';
    *is_unit = true;
    if (n > 0 && strcmp(arc_dimension_suffix(unit, own, sizeof own), lower) == 0)
        return 1.0;
    if (!arc_dimension_read(unit, &dimension, NULL, NULL))
        dimension = (ArcDimension){.slope = 1};
    double slope = arc_dimension_of_suffix(lower, &dimension, is_unit);
    *is_unit = *is_unit || !isnan(slope);
    return slope / dimension.slope;
}

/* The same of a unit as it is written. */
static double unit_scale(const char *unit, const char *given)
{
    ArcDimension wanted, own;
    if (!arc_dimension_read(unit, &wanted, NULL, NULL) ||
        !arc_dimension_read(given, &own, NULL, NULL) || !arc_dimension_is_alike(&wanted, &own))
        return strcmp(unit, given) == 0 ? 1.0 : NAN;
    return own.slope / wanted.slope;
}

/* The channel that the name begins with, the longest one; *suffix is the unit behind it or the
 * name's end. -1: none. */
static int channel_find(const ArcEquations *equations, const char *name, bool any_case,
                        const char **suffix)
{
    int found = -1;
    size_t longest = 0;
    for (int c = 0; c < equations->n_channels; c++) {
        const ArcParameterInfo *channel = &equations->channels[c];
        size_t n = strlen(channel->name);
        bool is_unit = true;
        if (strlen(name) < n || n <= longest || !is_like(name, channel->name, n, any_case))
            continue;
        if (name[n] == '_')
            suffix_scale(channel->unit, name + n + 1, &is_unit);
        if ((name[n] != '\0' && name[n] != '_') || !is_unit)
            continue;
        found = c;
        longest = n;
    }
    if (found >= 0)
        *suffix = name + longest + (name[longest] == '_');
    return found;
}

/* Everything the search knows. */
typedef struct Search {
    const ArcCaptureSettings *settings;
    const ArcTable *table;
    ArcChannelColumns *columns;
    bool *is_chosen; /* (n_columns) by the settings */
} Search;

static ArcStatus refuse_unit(const Search *search, int i, const char *name, const char *unit,
                             ArcError *err)
{
    const ArcCell *cell = &search->table->header[i];
    char suffix[NAME_BYTES];
    arc_dimension_suffix(unit, suffix, sizeof suffix);
    return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(search->table, cell),
                            "'%.*s' has a unit that is not one of %s, which is in %s; call the "
                            "column %s%s%s, or by another such unit",
                            arc_delimited_shown(cell->text, cell->length), cell->text, name, unit,
                            name, suffix[0] == '\0' ? "" : "_", suffix);
}

static ArcStatus refuse_twice(const Search *search, int i, const char *what, int other,
                              ArcError *err)
{
    return arc_error_set_at(err, ARC_INPUT,
                            arc_delimited_place(search->table, &search->table->header[i]),
                            "both column %d and column %d are %s; choose one, for example "
                            "`columns: {%s: %d}`",
                            other + 1, i + 1, what, what, other + 1);
}

/* Makes column i the slot's. unit is that of name; suffix stands behind the name. */
static ArcStatus slot_take(const Search *search, int i, const char *name, const char *unit,
                           const char *suffix, ArcChannelColumn *slot, ArcError *err)
{
    Name header = name_of(&search->table->header[i]);
    bool is_unit = false;
    double scale = 1.0;
    if (slot->index >= 0 && search->is_chosen[slot->index])
        return ARC_OK; /* the settings win */
    if (slot->index >= 0)
        return refuse_twice(search, i, name, slot->index, err);
    bool is_told = header.unit[0] != '\0' || suffix[0] != '\0';
    if (header.unit[0] != '\0')
        scale = unit_scale(unit, header.unit);
    else if (suffix[0] != '\0')
        scale = suffix_scale(unit, suffix, &is_unit);
    if (isnan(scale))
        return refuse_unit(search, i, name, unit, err);
    *slot = (ArcChannelColumn){i, scale, !is_told};
    search->columns->is_known[i] = true;
    return ARC_OK;
}

static bool name_is_time(const char *name, const char **suffix)
{
    static const char *const names[] = {"time", "t"};
    for (int k = 0; k < 2; k++) {
        size_t n = strlen(names[k]);
        bool is_unit = true;
        if (strlen(name) < n || !is_like(name, names[k], n, true) ||
            (name[n] != '\0' && name[n] != '_'))
            continue;
        if (name[n] == '_' && isnan(suffix_scale("s", name + n + 1, &is_unit)))
            continue;
        *suffix = name + n + (name[n] == '_');
        return true;
    }
    return false;
}

/* The channel whose values or, behind "sigma_", standard deviations the name says; -1: none. */
static int channel_of(const ArcEquations *equations, const char *name, bool any_case,
                      bool *is_sigma, const char **suffix)
{
    int c = channel_find(equations, name, any_case, suffix);
    *is_sigma = c < 0 && strlen(name) > 6 && is_like(name, "sigma_", 6, any_case);
    return *is_sigma ? channel_find(equations, name + 6, any_case, suffix) : c;
}

/* A column that the settings do not choose, by its header: in the model's case before any other,
 * so that t is the time beside a channel T. */
static ArcStatus column_find(const Search *search, int i, ArcError *err)
{
    const ArcEquations *equations = search->settings->equations;
    ArcChannelColumns *columns = search->columns;
    Name name = name_of(&search->table->header[i]);
    const char *suffix = "";
    bool is_sigma;
    int c = channel_of(equations, name.text, false, &is_sigma, &suffix);
    if (c < 0 && name_is_time(name.text, &suffix))
        return slot_take(search, i, "t", "s", suffix, &columns->time, err);
    if (c < 0 && strcmp(name.text, "flight") == 0) {
        if (columns->flight >= 0 && search->is_chosen[columns->flight])
            return ARC_OK;
        if (columns->flight >= 0)
            return refuse_twice(search, i, "flight", columns->flight, err);
        columns->flight = i;
        columns->is_known[i] = true;
        return ARC_OK;
    }
    if (c < 0)
        c = channel_of(equations, name.text, true, &is_sigma, &suffix);
    if (c < 0)
        return ARC_OK;
    char own[NAME_BYTES + 8] = "";
    strcat(own, is_sigma ? "sigma_" : "");
    strncat(own, equations->channels[c].name, NAME_BYTES);
    return slot_take(search, i, own, equations->channels[c].unit, suffix,
                     is_sigma ? &columns->sigma[c] : &columns->value[c], err);
}

/* A chosen column: by its name, else by its number. */
static ArcStatus choice_column(const Search *search, const ArcColumnChoice *choice, int *index,
                               ArcError *err)
{
    const ArcTable *table = search->table;
    long long number;
    *index = -1;
    for (int i = 0; i < table->n_columns; i++) {
        if (!arc_cell_is(&table->header[i], choice->column))
            continue;
        if (*index >= 0)
            return arc_error_set_at(err, ARC_INPUT, choice->place,
                                    "two columns of '%s' are named '%s' (the %d. and the %d.); "
                                    "choose one by its number",
                                    table->file, choice->column, *index + 1, i + 1);
        *index = i;
    }
    if (*index < 0 && arc_number_read_integer(choice->column, strlen(choice->column), &number) &&
        number >= 1 && number <= table->n_columns)
        *index = (int)number - 1;
    if (*index >= 0 && search->is_chosen[*index])
        return arc_error_set_at(err, ARC_INPUT, choice->place,
                                "column '%s' is chosen twice; keep one", choice->column);
    if (*index >= 0)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, choice->place, "no column '%s' in '%s'", choice->column,
                            table->file);
}

/* The unit at the end of a name of any kind; empty: none that fits. */
static const char *unit_behind(const char *name, const char *unit)
{
    for (const char *at = strchr(name, '_'); at != NULL; at = strchr(at + 1, '_')) {
        bool is_unit;
        if (!isnan(suffix_scale(unit, at + 1, &is_unit)))
            return at + 1;
    }
    return "";
}

static ArcStatus choice_apply(const Search *search, const ArcColumnChoice *choice, ArcError *err)
{
    const ArcEquations *equations = search->settings->equations;
    ArcChannelColumns *columns = search->columns;
    const char *role = choice->role;
    int c = arc_equations_channel(equations, role), i;
    bool is_sigma = c < 0 && strncmp(role, "sigma_", 6) == 0;
    if (is_sigma)
        c = arc_equations_channel(equations, role + 6);
    bool is_time = strcmp(role, "t") == 0, is_flight = strcmp(role, "flight") == 0;
    if (c < 0 && !is_time && !is_flight)
        return arc_error_set_at(err, ARC_INPUT, choice->place,
                                "the model %s has no column '%s' to choose", equations->name, role);
    ArcStatus status = choice_column(search, choice, &i, err);
    if (status != ARC_OK)
        return status;
    search->is_chosen[i] = true;
    if (is_flight) {
        columns->flight = i;
        columns->is_known[i] = true;
        return ARC_OK;
    }
    const char *unit = is_time ? "s" : equations->channels[c].unit;
    Name name = name_of(&search->table->header[i]);
    ArcChannelColumn *slot = is_time    ? &columns->time
                             : is_sigma ? &columns->sigma[c]
                                        : &columns->value[c];
    return slot_take(search, i, role, unit, unit_behind(name.text, unit), slot, err);
}

/* What the settings say of units wins over the header; a sigma that states none has its channel's.
 */
static ArcStatus units_apply(const Search *search, ArcError *err)
{
    const ArcCaptureSettings *settings = search->settings;
    const ArcEquations *equations = settings->equations;
    ArcChannelColumns *columns = search->columns;
    if (!isnan(settings->time_scale_s) && columns->time.index >= 0)
        columns->time = (ArcChannelColumn){columns->time.index, settings->time_scale_s, false};
    for (int k = 0; k < settings->n_columns; k++) {
        const ArcColumnChoice *choice = &settings->columns[k];
        int c = choice->unit == NULL ? -1 : arc_equations_channel(equations, choice->role);
        if (c < 0)
            continue;
        double scale = unit_scale(equations->channels[c].unit, choice->unit);
        if (isnan(scale))
            return arc_error_set_at(err, ARC_INPUT, choice->place,
                                    "'%s' is no unit of %s, which is in %s", choice->unit,
                                    choice->role, equations->channels[c].unit);
        columns->value[c].scale = scale;
        columns->value[c].is_assumed = false;
    }
    for (int c = 0; c < equations->n_channels; c++)
        if (columns->sigma[c].is_assumed && columns->value[c].index >= 0)
            columns->sigma[c].scale = columns->value[c].scale;
    return ARC_OK;
}

static ArcStatus columns_check(const Search *search, ArcError *err)
{
    const ArcEquations *equations = search->settings->equations;
    const ArcChannelColumns *columns = search->columns;
    ArcPlace at = arc_delimited_place(search->table, search->table->header);
    char list[LIST_BYTES] = "";
    bool has_any = false;
    if (columns->time.index < 0)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "no column of times; call it time_s, or choose one, for example "
                                "`columns: {t: 1}`");
    for (int c = 0; c < equations->n_channels; c++) {
        char suffix[NAME_BYTES];
        size_t used = strlen(list);
        const ArcParameterInfo *channel = &equations->channels[c];
        arc_dimension_suffix(channel->unit, suffix, sizeof suffix);
        has_any = has_any || columns->value[c].index >= 0;
        if (used + strlen(channel->name) + strlen(suffix) + 4 < sizeof list) {
            strcat(list, used == 0 ? "" : ", ");
            strcat(list, channel->name);
            strcat(list, suffix[0] == '\0' ? "" : "_");
            strcat(list, suffix);
        }
    }
    if (has_any)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, at,
                            "no column of the model %s; it has %s; others can be chosen, for "
                            "example `columns: {%s: 2}`",
                            equations->name, list, equations->channels[0].name);
}

ArcStatus arc_channel_columns_find(const ArcCaptureSettings *settings, const ArcTable *table,
                                   ArcArena *arena, ArcChannelColumns *columns, ArcError *err)
{
    size_t n = (size_t)table->n_columns;
    Search search = {settings, table, columns, ARC_ALLOC(arena, n, bool)};
    *columns = (ArcChannelColumns){.time = {.index = -1}, .flight = -1};
    columns->is_known = ARC_ALLOC(arena, n, bool);
    if (search.is_chosen == NULL || columns->is_known == NULL)
        return arc_error_no_memory(err);
    for (int c = 0; c < ARC_EQUATIONS_MAX_CHANNELS; c++)
        columns->value[c].index = columns->sigma[c].index = -1;
    ArcStatus status = ARC_OK;
    for (int k = 0; k < settings->n_columns && status == ARC_OK; k++)
        if (settings->columns[k].column != NULL)
            status = choice_apply(&search, &settings->columns[k], err);
    for (int i = 0; i < table->n_columns && status == ARC_OK; i++)
        if (!search.is_chosen[i])
            status = column_find(&search, i, err);
    if (status == ARC_OK)
        status = units_apply(&search, err);
    return status == ARC_OK ? columns_check(&search, err) : status;
}

void arc_channel_columns_note(const ArcCaptureSettings *settings, const ArcTable *table,
                              const ArcChannelColumns *columns, ArcNotes *notes)
{
    char list[LIST_BYTES] = "";
    const char *text;
    for (int i = 0; i < table->n_columns; i++) {
        const ArcCell *cell = &table->header[i];
        int shown = arc_delimited_shown(cell->text, cell->length);
        size_t used = strlen(list);
        if (columns->is_known[i] || cell->length == 0 || used + (size_t)shown + 3 > sizeof list)
            continue;
        strcat(list, used == 0 ? "" : ", ");
        strncat(list, cell->text, (size_t)shown);
    }
    if (list[0] != '\0') {
        text = arc_arena_format(notes->arena,
                                "columns that are nothing of the model %s are not "
                                "read: %s",
                                settings->equations->name, list);
        notes->failed = notes->failed || text == NULL;
        if (text != NULL)
            arc_notes_add(notes, table->file, 1, &text);
    }
    for (int c = 0; c < settings->equations->n_channels; c++) {
        const ArcParameterInfo *channel = &settings->equations->channels[c];
        bool has_unit = strcmp(channel->unit, "1") != 0;
        if (columns->value[c].index < 0 || !columns->value[c].is_assumed || !has_unit)
            continue;
        text = arc_arena_format(notes->arena, "no unit for %s; it is taken for %s", channel->name,
                                channel->unit);
        notes->failed = notes->failed || text == NULL;
        if (text != NULL)
            arc_notes_add(notes, table->file, 1, &text);
    }
}
