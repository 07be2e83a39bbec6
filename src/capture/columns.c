/* Header names are cut into a base and a unit; a row of the table below says which bases belong to
 * a role and what kind of unit it takes. */
#include "capture/columns.h"

#include "base/number.h"
#include "capture/reading.h"

#include <math.h>
#include <string.h>

enum { NAME_BYTES = 64, LIST_BYTES = 240 };

typedef struct Unit {
    ArcUnitKind kind;
    double scale;
} Unit;

typedef struct RoleName {
    const char *role;
    const char *other;
    const char *canonical;
    ArcUnitKind kind;
} RoleName;

static const RoleName roles[ARC_N_ROLES] = {
    {"t", "time", "time_s", ARC_UNIT_TIME},
    {"x", "x", "x_m", ARC_UNIT_LENGTH},
    {"y", "y", "y_m", ARC_UNIT_LENGTH},
    {"z", "z", "z_m", ARC_UNIT_LENGTH},
    {"sigma", "sigma", "sigma_m", ARC_UNIT_LENGTH},
    {"sigma_x", "sigma_x", "sigma_x_m", ARC_UNIT_LENGTH},
    {"sigma_y", "sigma_y", "sigma_y_m", ARC_UNIT_LENGTH},
    {"sigma_z", "sigma_z", "sigma_z_m", ARC_UNIT_LENGTH},
    {"frame", "frame_idx", "frame", ARC_UNIT_NONE},
    {"u", "x", "u_px", ARC_UNIT_PIXEL},
    {"v", "y", "v_px", ARC_UNIT_PIXEL},
    {"sigma_px", "sigma", "sigma_px", ARC_UNIT_PIXEL},
    {"radius", "radius", "radius_px", ARC_UNIT_PIXEL},
    {"sigma_radius", "sigma_radius", "sigma_radius_px", ARC_UNIT_PIXEL},
    {"flight", "flight", "flight", ARC_UNIT_NONE},
    {"camera", "camera", "camera", ARC_UNIT_NONE},
};

/* A header's name in lower case, without its unit. */
typedef struct ColumnName {
    char base[NAME_BYTES];
    Unit unit;
} ColumnName;

/* What is known of each role while the search goes on. */
typedef struct Search {
    const ArcCaptureSettings *settings;
    const ArcTable *table;
    int index[ARC_N_ROLES];
    Unit unit[ARC_N_ROLES];
    ArcPlace place[ARC_N_ROLES]; /* where to complain */
    bool is_chosen[ARC_N_ROLES];
} Search;

static Unit unit_find(const char *name)
{
    double time = arc_reading_time_unit(name), length = arc_reading_length_unit(name);
    if (!isnan(time))
        return (Unit){ARC_UNIT_TIME, time};
    if (!isnan(length))
        return (Unit){ARC_UNIT_LENGTH, length};
    return (Unit){arc_reading_is_pixel_unit(name) ? ARC_UNIT_PIXEL : ARC_UNIT_UNKNOWN, 1.0};
}

/* "x (cm)" and "x_cm" -> x and cm. Behind '_' only a known unit is one; between brackets anything
 * is. */
static ColumnName name_parse(const ArcCell *cell)
{
    ColumnName name = {"", {ARC_UNIT_NONE, 1.0}};
    if (cell->length == 0 || cell->length >= NAME_BYTES)
        return name;
    for (int i = 0; i < cell->length; i++)
        name.base[i] = arc_cell_lower(cell->text[i]);
    char *last = name.base + cell->length - 1;
    char *open = *last == ')'   ? strrchr(name.base, '(')
                 : *last == ']' ? strrchr(name.base, '[')
                                : NULL;
    char *end = open;
    if (open != NULL) {
        *last = '\0';
        name.unit = unit_find(open + 1);
    } else {
        end = strrchr(name.base, '_');
        Unit unit = end != NULL ? unit_find(end + 1) : name.unit;
        if (end == NULL || unit.kind == ARC_UNIT_UNKNOWN)
            return name;
        name.unit = unit;
    }
    while (end > name.base && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *end = '\0';
    return name;
}

bool arc_columns_is_named(const ArcCell *cell, const char *name)
{
    return strcmp(name_parse(cell).base, name) == 0;
}

ArcUnitKind arc_columns_unit_kind(const ArcCell *cell, double *scale)
{
    ColumnName name = name_parse(cell);
    *scale = name.unit.scale;
    return name.unit.kind;
}

/* The header's names in one text, shortened where they are many. */
static const char *header_list(const ArcTable *table, char list[LIST_BYTES])
{
    size_t used = 0;
    list[0] = '\0';
    for (int i = 0; i < table->n_columns; i++) {
        const ArcCell *cell = &table->header[i];
        size_t shown = (size_t)arc_delimited_shown(cell->text, cell->length);
        if (used + shown + 8 > LIST_BYTES) {
            memcpy(list + used, ", ...", 6);
            return list;
        }
        memcpy(list + used, ", ", 2);
        memcpy(list + used + 2, cell->text, shown);
        used += shown + 2;
        list[used] = '\0';
    }
    return list + 2;
}

static ArcStatus choice_missing(const Search *search, const ArcColumnChoice *choice, ArcError *err)
{
    const ArcTable *table = search->table;
    if (table->header == NULL)
        return arc_error_set_at(err, ARC_INPUT, choice->place,
                                "no column '%s' in '%s', which has no header: its columns are "
                                "numbered 1 to %d",
                                choice->column, table->file, table->n_columns);
    char list[LIST_BYTES];
    return arc_error_set_at(err, ARC_INPUT, choice->place,
                            "no column '%s' in '%s'; its columns are: %s", choice->column,
                            table->file, header_list(table, list));
}

/* By its name, else by its number, which is the only way where the file has no header or two
 * columns of one name. */
static ArcStatus choice_find(const Search *search, const ArcColumnChoice *choice, int *index,
                             ArcError *err)
{
    const ArcTable *table = search->table;
    int found = -1;
    long long number;
    for (int i = 0; table->header != NULL && i < table->n_columns; i++) {
        if (!arc_cell_is(&table->header[i], choice->column))
            continue;
        if (found >= 0)
            return arc_error_set_at(err, ARC_INPUT, choice->place,
                                    "two columns of '%s' are named '%s' (the %d. and the %d.); "
                                    "choose one by its number",
                                    table->file, choice->column, found + 1, i + 1);
        found = i;
    }
    if (found < 0 && arc_number_read_integer(choice->column, strlen(choice->column), &number) &&
        number >= 1 && number <= table->n_columns)
        found = (int)number - 1;
    *index = found;
    return found >= 0 ? ARC_OK : choice_missing(search, choice, err);
}

bool arc_columns_is_sigma(int role)
{
    return (role >= ARC_ROLE_SIGMA && role <= ARC_ROLE_SIGMA_Z) || role == ARC_ROLE_SIGMA_PX ||
           role == ARC_ROLE_SIGMA_RADIUS;
}

const char *arc_columns_unit(int role)
{
    ArcUnitKind kind = roles[role].kind;
    return kind == ARC_UNIT_TIME     ? "s"
           : kind == ARC_UNIT_LENGTH ? "m"
           : kind == ARC_UNIT_PIXEL  ? "px"
                                     : "";
}

/* Whether a flight with so many dimensions, 0: any number, has that role. */
static bool role_is_in(int role, int dimensions)
{
    if (role == ARC_ROLE_T || role == ARC_ROLE_SIGMA || role > ARC_ROLE_SIGMA_Z)
        return true;
    int axis = role > ARC_ROLE_SIGMA ? role - ARC_ROLE_SIGMA_X : role - ARC_ROLE_X;
    return axis < (dimensions == 0 ? 3 : dimensions);
}

static ArcStatus choices_apply(Search *search, ArcError *err)
{
    for (int i = 0; i < search->settings->n_columns; i++) {
        const ArcColumnChoice *choice = &search->settings->columns[i];
        int role = 0;
        while (role < ARC_N_ROLES && strcmp(roles[role].role, choice->role) != 0)
            role++;
        if (role == ARC_N_ROLES || !role_is_in(role, search->settings->dimensions))
            return arc_error_set_at(err, ARC_INPUT, choice->place,
                                    "a flight in %d dimensions has no column '%s'",
                                    search->settings->dimensions, choice->role);
        if (search->is_chosen[role])
            return arc_error_set_at(err, ARC_INPUT, choice->place,
                                    "column '%s' is chosen twice; keep one", choice->role);
        ArcStatus status = choice_find(search, choice, &search->index[role], err);
        if (status != ARC_OK)
            return status;
        if (search->table->header != NULL)
            search->unit[role] = name_parse(&search->table->header[search->index[role]]).unit;
        search->place[role] = choice->place;
        search->is_chosen[role] = true;
    }
    return ARC_OK;
}

/* Whether the cell's name and unit may be the role's. Names that are another role's (x for u) need
 * its unit, or the settings' word that positions are pixels. */
static bool cell_suits(const ArcCell *cell, int role, bool is_in_px)
{
    ColumnName name = name_parse(cell);
    ArcUnitKind kind = roles[role].kind;
    bool is_own = strcmp(name.base, roles[role].role) == 0;
    if (!is_own && strcmp(name.base, roles[role].other) != 0)
        return false;
    if (role >= ARC_ROLE_X && role <= ARC_ROLE_SIGMA_Z && is_in_px &&
        name.unit.kind == ARC_UNIT_NONE)
        return false;
    if (role > ARC_ROLE_SIGMA_Z && kind == ARC_UNIT_PIXEL && !is_own)
        return name.unit.kind == ARC_UNIT_PIXEL || (name.unit.kind == ARC_UNIT_NONE && is_in_px);
    return name.unit.kind == ARC_UNIT_NONE || name.unit.kind == ARC_UNIT_UNKNOWN ||
           name.unit.kind == kind;
}

/* Finds the role's column by the header's names, if there is one: the canonical name before any
 * other, and of these only one. */
static ArcStatus role_find(Search *search, int role, ArcError *err)
{
    const ArcTable *table = search->table;
    int found = -1, rival = -1;
    bool is_canonical = false;
    for (int i = 0; i < table->n_columns; i++) {
        bool is_name = arc_cell_is(&table->header[i], roles[role].canonical);
        bool is_better = is_name && !is_canonical;
        if (!is_name && (is_canonical ||
                         !cell_suits(&table->header[i], role, search->settings->position_is_px)))
            continue;
        if (found < 0 || is_better) {
            found = i;
            rival = -1;
            is_canonical = is_name;
        } else if (rival < 0) {
            rival = i;
        }
    }
    if (rival >= 0)
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, &table->header[rival]),
                                "both column %d and column %d may be '%s'; rename one, or say "
                                "which with `columns:` in the experiment",
                                found + 1, rival + 1, roles[role].role);
    if (found < 0)
        return ARC_OK;
    search->index[role] = found;
    search->unit[role] = name_parse(&table->header[found]).unit;
    search->place[role] = arc_delimited_place(table, &table->header[found]);
    return ARC_OK;
}

static int header_find(const ArcTable *table, const char *base)
{
    for (int i = 0; table->header != NULL && i < table->n_columns; i++) {
        if (strcmp(name_parse(&table->header[i]).base, base) == 0)
            return i;
    }
    return -1;
}

static ArcStatus role_missing(const Search *search, int role, ArcError *err)
{
    const ArcTable *table = search->table;
    if (table->header == NULL)
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, table->cells),
                                "no header line and no column for '%s'; begin the file with a "
                                "line like time_s,x_m,y_m or number its columns in the "
                                "experiment: `columns: {t: 1, x: 2, y: 3}`",
                                roles[role].role);
    char list[LIST_BYTES];
    return arc_error_set_at(
        err, ARC_INPUT, arc_delimited_place(table, table->header),
        "no column for '%s' (canonical name: %s) among: %s; name it with "
        "`columns: {%s: ...}` in the experiment%s",
        roles[role].role, roles[role].canonical, header_list(table, list), roles[role].role,
        role == ARC_ROLE_T ? ", or give `rate: 60 Hz` where every row is a frame" : "");
}

/* How many axes the positions have: the settings', or as many as there are columns; none where the
 * file has pixels and not one of them. */
static int axes_of(const Search *search)
{
    const int *index = search->index;
    bool has_pixels = index[ARC_ROLE_U] >= 0 && index[ARC_ROLE_V] >= 0;
    bool has_any = index[ARC_ROLE_X] >= 0 || index[ARC_ROLE_Y] >= 0 || index[ARC_ROLE_Z] >= 0;
    if (has_pixels && !has_any)
        return 0;
    if (search->settings->n_cameras > 0 && index[ARC_ROLE_Z] < 0)
        return 2; /* of a picture, it may be */
    if (search->settings->dimensions != 0)
        return search->settings->dimensions;
    return index[ARC_ROLE_Z] >= 0 ? 3 : 2;
}

/* Where the settings say which columns are pixels, others that are called x and y and have no unit
 * are no positions. */
static void drop_rivals(Search *search)
{
    bool is_told = search->is_chosen[ARC_ROLE_U] && search->is_chosen[ARC_ROLE_V];
    for (int role = ARC_ROLE_X; is_told && role <= ARC_ROLE_Z; role++) {
        if (!search->is_chosen[role] && search->unit[role].kind != ARC_UNIT_LENGTH)
            search->index[role] = -1;
    }
}

/* Everything that the flight needs is there, and a third axis is not dropped in silence: the
 * plane's y is up, the space's z is. */
static ArcStatus roles_check(const Search *search, int axes, ArcError *err)
{
    const ArcTable *table = search->table;
    int d = search->settings->dimensions;
    bool is_counted = search->index[ARC_ROLE_FRAME] >= 0 || !isnan(search->settings->rate_per_s);
    for (int role = ARC_ROLE_T; role < ARC_ROLE_X + axes; role++) {
        if (search->index[role] < 0 && !(role == ARC_ROLE_T && is_counted))
            return role_missing(search, role, err);
    }
    for (int a = 0; a < ARC_ROLE_X + axes; a++) {
        for (int b = 0; b < a; b++) {
            if (search->index[a] >= 0 && search->index[a] == search->index[b])
                return arc_error_set_at(err, ARC_INPUT, search->place[a],
                                        "one column is both '%s' and '%s'; choose another",
                                        roles[b].role, roles[a].role);
        }
    }
    for (int role = ARC_ROLE_X; role <= ARC_ROLE_Z; role++) {
        if (search->settings->position_is_px && search->index[role] >= 0 &&
            search->unit[role].kind == ARC_UNIT_LENGTH)
            return arc_error_set_at(err, ARC_INPUT, search->place[role],
                                    "'%s' is a length by its header, but `units: {position: px}` "
                                    "says pixels; leave that out, or rename the column",
                                    roles[role].role);
    }
    int z = header_find(table, "z");
    bool is_chosen = search->is_chosen[ARC_ROLE_X] || search->is_chosen[ARC_ROLE_Y];
    if (d == 2 && axes == 2 && z >= 0 && !is_chosen)
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, &table->header[z]),
                                "three axes in the file but a flight in the plane; use "
                                "`dimensions: 3`, or choose two with `columns: {x: ..., y: ...}`");
    return ARC_OK;
}

/* The unit of one role: settings, then header, then fallback. */
static ArcStatus role_scale(const Search *search, int role, double settings_scale, double fallback,
                            double *scale, ArcError *err)
{
    const Unit *unit = &search->unit[role];
    bool is_sigma = arc_columns_is_sigma(role);
    bool is_stated = unit->kind == roles[role].kind;
    *scale = fallback;
    if (search->index[role] < 0)
        return ARC_OK;
    /* `units: {position: ..}` does not speak of a standard deviation whose own column does. */
    if (!isnan(settings_scale) && !(is_sigma && is_stated))
        *scale = settings_scale;
    else if (is_stated)
        *scale = unit->scale;
    else if (unit->kind != ARC_UNIT_NONE)
        return arc_error_set_at(err, ARC_INPUT, search->place[role],
                                "the unit of the column for '%s' is not known; give it with "
                                "`units:` in the experiment",
                                roles[role].role);
    return ARC_OK;
}

static ArcStatus scales_find(const Search *search, double scale[ARC_N_ROLES], ArcError *err)
{
    const ArcCaptureSettings *settings = search->settings;
    int n_stated = 0;
    for (int k = 0; k < 3; k++)
        n_stated += search->unit[ARC_ROLE_X + k].kind == ARC_UNIT_LENGTH;
    for (int role = 0; role < ARC_N_ROLES; role++) {
        bool is_time = role == ARC_ROLE_T;
        bool is_position = role >= ARC_ROLE_X && role <= ARC_ROLE_Z;
        double given = is_time                   ? settings->time_scale_s
                       : role > ARC_ROLE_SIGMA_Z ? NAN
                                                 : settings->position_scale_m;
        if (is_position && search->index[role] >= 0 && isnan(given) && n_stated > 0 &&
            search->unit[role].kind == ARC_UNIT_NONE)
            return arc_error_set_at(err, ARC_INPUT, search->place[role],
                                    "the column for '%s' has no unit but another axis has; give "
                                    "`units: {position: ...}` in the experiment",
                                    roles[role].role);
        bool is_sigma = role >= ARC_ROLE_SIGMA && role <= ARC_ROLE_SIGMA_Z;
        double fallback = is_sigma ? scale[ARC_ROLE_X] : 1.0;
        ArcStatus status = role_scale(search, role, given, fallback, &scale[role], err);
        if (status != ARC_OK)
            return status;
    }
    return ARC_OK;
}

ArcStatus arc_columns_find(const ArcCaptureSettings *settings, const ArcTable *table,
                           ArcColumns *columns, ArcError *err)
{
    Search search = {.settings = settings, .table = table};
    for (int role = 0; role < ARC_N_ROLES; role++) {
        search.index[role] = -1;
        search.unit[role] = (Unit){ARC_UNIT_NONE, 1.0};
    }
    ArcStatus status = choices_apply(&search, err);
    for (int role = 0; role < ARC_N_ROLES && status == ARC_OK; role++) {
        if (!search.is_chosen[role] && table->header != NULL &&
            role_is_in(role, settings->dimensions))
            status = role_find(&search, role, err);
    }
    drop_rivals(&search);
    ArcColumns result = {.axes = axes_of(&search)};
    if (status == ARC_OK)
        status = roles_check(&search, result.axes, err);
    if (status == ARC_OK)
        status = scales_find(&search, result.scale, err);
    if (status != ARC_OK)
        return status;
    for (int role = 0; role < ARC_N_ROLES; role++) {
        double given = role == ARC_ROLE_T ? settings->time_scale_s : settings->position_scale_m;
        result.is_assumed[role] =
            search.index[role] >= 0 && search.unit[role].kind == ARC_UNIT_NONE && isnan(given);
    }
    memcpy(result.index, search.index, sizeof result.index);
    *columns = result;
    return ARC_OK;
}
