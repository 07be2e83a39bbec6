/* An aim read back from its file, the mirror image of aim_hdf5.c. Its experiment is made again of
 * the text in the file; what is not of that experiment refuses the file. */
#include "aim/aim_fields.h"
#include "aim/describe.h"
#include "report/document.h"
#include "report/libraries.h"

#include <math.h>
#include <string.h>

typedef struct Reader {
    ArcAimFile fields;
    ArcHdf5 *file;
    ArcAim *aim;
} Reader;

/* The net's file is not needed, since nothing is fitted. */
static ArcStatus read_experiment(Reader *reader, ArcError *err)
{
    ArcHdf5 *file = reader->file;
    ArcExperiment *experiment = NULL;
    const char *path = arc_hdf5_text(file, "/", "experiment_path");
    const char *text = arc_hdf5_text(file, "/", "experiment");
    int n = arc_hdf5_rows(file, "/overrides");
    const char **given = arc_hdf5_texts(file, "/overrides", n);
    const char **overrides = ARC_ALLOC(reader->fields.arena, (size_t)n + 1, const char *);
    ArcStatus status = arc_hdf5_status(file, err);
    if (status != ARC_OK)
        return status;
    if (overrides == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < n; i++)
        overrides[i] = given[i];
    overrides[n] = "fit.pinn.net=auto";
    status = arc_experiment_parse(path, text, strlen(text), n + 1, overrides, &experiment, err);
    if (status != ARC_OK)
        return status;
    experiment->n_overrides = n;
    reader->aim->owned = experiment;
    return ARC_OK;
}

static void take_experiment(ArcAim *aim)
{
    const ArcExperiment *experiment = aim->owned;
    aim->experiment = experiment;
    aim->settings = experiment->aim;
    aim->n_parameters = experiment->n_parameters;
    aim->parameters = experiment->parameters;
    aim->dimensions = experiment->flight.settings.dimensions;
    aim->up = experiment->flight.settings.up;
    aim->has_arm = experiment->has_arm;
}

static void read_parameters(Reader *reader)
{
    ArcHdf5 *file = reader->file;
    ArcAim *aim = reader->aim;
    int n = aim->n_parameters;
    const char **names = arc_hdf5_texts(file, "/parameters/name", n);
    const int *unknown = arc_hdf5_integers(file, "/parameters/unknown", n);
    const double *value = arc_hdf5_reals(file, "/parameters/value", n, 0);
    const double *sd = arc_hdf5_reals(file, "/parameters/sd", n, 0);
    if (!arc_hdf5_is_good(file))
        return;
    for (int i = 0; i < n; i++) {
        if (strcmp(names[i], aim->parameters[i].name) != 0)
            arc_hdf5_refuse(file, "'/parameters/name' does not fit its experiment");
        aim->unknown[i] = unknown[i] != 0;
        aim->believed[i] = value[i];
        aim->believed_sd[i] = sd[i];
    }
}

static bool is_numeric(const Reader *reader, const double *values)
{
    for (int i = 0; i < reader->aim->n_parameters; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* Throws, those off the board, and the front. */
static void read_throws(Reader *reader)
{
    ArcAimFile *fields = &reader->fields;
    ArcHdf5 *file = reader->file;
    ArcAim *aim = reader->aim;
    const ArcAimTable throws = arc_aim_table_of_throws(), banks = arc_aim_table_of_banks();
    bool fits = true;
    aim->n_solutions = arc_aim_fields_rows(fields, &throws, ARC_AIM_MAX_SOLUTIONS);
    if (aim->n_solutions < 1)
        arc_hdf5_refuse(file, "no throw in it");
    arc_aim_fields_read(fields, &throws, aim->n_solutions, aim->solutions);
    if (arc_hdf5_has(file, banks.scale)) {
        aim->n_banks = arc_aim_fields_rows(fields, &banks, ARC_AIM_MAX_BANKS);
        arc_aim_fields_read(fields, &banks, aim->n_banks, aim->banks);
    }
    for (int i = 0; i < aim->n_solutions; i++)
        fits = fits && is_numeric(reader, aim->solutions[i].values);
    for (int i = 0; i < aim->n_banks; i++)
        fits = fits && is_numeric(reader, aim->banks[i].values);
    if (!fits)
        arc_hdf5_refuse(file, "a throw's values are no numbers");
}

static void read_front(Reader *reader)
{
    ArcHdf5 *file = reader->file;
    ArcAim *aim = reader->aim;
    const ArcAimTable table = arc_aim_table_of_front();
    if (!aim->settings.has_front)
        return;
    int n = arc_aim_fields_rows(&reader->fields, &table, ARC_AIM_MAX_FRONT);
    const double *first = arc_hdf5_reals(file, "/front/first", n, 0);
    const double *second = arc_hdf5_reals(file, "/front/second", n, 0);
    arc_aim_fields_read(&reader->fields, &table, n, aim->front);
    for (int i = 0; i < n && arc_hdf5_is_good(file); i++) {
        aim->front[i].numbers[0] = first[i];
        aim->front[i].numbers[1] = second[i];
        if (!is_numeric(reader, aim->front[i].values))
            arc_hdf5_refuse(file, "'/front/values' are no numbers");
    }
    aim->n_front = n;
}

static void check_cures(Reader *reader, const ArcReach *reach)
{
    for (int i = 0; i < reach->n_cures; i++)
        if ((int)reach->cures[i].limit < 0 || reach->cures[i].limit >= ARC_N_REACH_LIMITS ||
            reach->cures[i].joint < 0 || reach->cures[i].joint >= reach->n_joints)
            arc_hdf5_refuse(reader->file, "'/reach/cures' does not fit");
}

static void read_reach(Reader *reader)
{
    ArcHdf5 *file = reader->file;
    ArcAim *aim = reader->aim;
    ArcReach *reach = &aim->reach;
    ArcReachThrow all[1 + ARC_ARM_MAX_POSES];
    const ArcAimTable throws = arc_aim_table_of_reach(), cures = arc_aim_table_of_cures();
    int J = arc_aim_joints(aim);
    memset(all, 0, sizeof all);
    aim->has_reach = arc_hdf5_has(file, throws.scale);
    if (!aim->has_reach)
        return;
    if (J == 0)
        arc_hdf5_refuse(file, "'/reach' without an arm");
    int n = arc_aim_fields_rows(&reader->fields, &throws, 1 + ARC_ARM_MAX_POSES);
    if (n < 1)
        arc_hdf5_refuse(file, "'/reach/throws' does not fit");
    *reach = (ArcReach){
        .goal = aim->settings.goal, .dimensions = aim->dimensions, .up = aim->up, .n_joints = J};
    reach->spin_rad_s = arc_hdf5_number(file, "/reach", "spin_rad_s");
    reach->is_too_short = arc_hdf5_count(file, "/reach", "too_short") != 0;
    reach->n_cures = arc_aim_fields_rows(&reader->fields, &cures, ARC_REACH_MAX_CURES);
    arc_aim_fields_read(&reader->fields, &throws, n, all);
    arc_aim_fields_read(&reader->fields, &cures, reach->n_cures, reach->cures);
    check_cures(reader, reach);
    const double *by = arc_hdf5_reals(file, "/reach/by", ARC_N_REACH_LIMITS, J);
    if (!arc_hdf5_is_good(file))
        return;
    for (int i = 0; i < ARC_N_REACH_LIMITS; i++)
        memcpy(reach->by[i], by + i * J, sizeof(double) * (size_t)J);
    reach->nearest = all[0];
    reach->n_solutions = n - 1;
    memcpy(reach->solutions, all + 1, sizeof reach->solutions);
}

static void read_root(Reader *reader)
{
    ArcHdf5 *file = reader->file;
    uint64_t schema = arc_hdf5_count(file, "/", "schema");
    if (arc_hdf5_is_good(file) && strcmp(arc_hdf5_text(file, "/", "document"), "aim") != 0)
        arc_hdf5_refuse(file, "no aim of arcfit");
    if (arc_hdf5_is_good(file) && schema != ARC_DOCUMENT_SCHEMA)
        arc_hdf5_refuse(file, "schema %llu is not known to this arcfit (it knows %d)",
                        (unsigned long long)schema, ARC_DOCUMENT_SCHEMA);
}

static ArcStatus read_aim(Reader *reader, ArcError *err)
{
    ArcHdf5 *file = reader->file;
    ArcAim *aim = reader->aim;
    read_root(reader);
    ArcStatus status = read_experiment(reader, err);
    if (status != ARC_OK)
        return status;
    take_experiment(aim);
    aim->version = arc_hdf5_text(file, "/", "arcfit");
    aim->libraries = arc_libraries_read(file, reader->fields.arena);
    if (aim->libraries == NULL)
        return arc_error_no_memory(err);
    if (aim->experiment->equations != NULL || !arc_goal_is_target(&aim->settings.goal))
        arc_hdf5_refuse(file, "its experiment has no target");
    reader->fields.n_axes = aim->dimensions;
    reader->fields.n_parameters = aim->n_parameters;
    reader->fields.n_joints = arc_aim_joints(aim);
    aim->is_reachable = arc_hdf5_count(file, "/", "reachable") != 0;
    aim->shortfall_speed_m_s = arc_hdf5_number(file, "/", "shortfall_speed_m_s");
    aim->shortfall_miss_m = arc_hdf5_number(file, "/", "shortfall_miss_m");
    aim->least_speed_m_s = arc_hdf5_number(file, "/", "least_speed_m_s");
    if (arc_hdf5_is_good(file))
        read_parameters(reader);
    if (arc_hdf5_is_good(file))
        read_throws(reader);
    if (arc_hdf5_is_good(file))
        read_front(reader);
    if (arc_hdf5_is_good(file))
        read_reach(reader);
    return arc_hdf5_status(file, err);
}

ArcStatus arc_aim_read(const char *path, ArcAim **result, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    ArcAim *aim = arena == NULL ? NULL : ARC_ALLOC(arena, 1, ArcAim);
    ArcHdf5 *file = NULL;
    *result = NULL;
    if (aim == NULL) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    aim->arena = arena;
    ArcStatus status = arc_hdf5_open(path, arena, &file, err);
    if (status == ARC_OK) {
        Reader reader = {.fields = {.file = file, .arena = arena}, .file = file, .aim = aim};
        status = read_aim(&reader, err);
        arc_hdf5_close(file);
    }
    if (status == ARC_OK)
        *result = aim;
    else
        arc_aim_free(aim);
    return status;
}

ArcStatus arc_aim_is_file(const char *path, bool *is_aim, ArcError *err)
{
    ArcHdf5 *file = NULL;
    *is_aim = false;
    if (!arc_hdf5_is_file(path))
        return ARC_OK;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = arc_hdf5_open(path, arena, &file, err);
    if (status == ARC_OK) {
        *is_aim = strcmp(arc_hdf5_text(file, "/", "document"), "aim") == 0;
        status = arc_hdf5_status(file, err);
        arc_hdf5_close(file);
    }
    arc_arena_free(arena);
    return status == ARC_MEMORY ? status : ARC_OK; /* a damaged file is none */
}
