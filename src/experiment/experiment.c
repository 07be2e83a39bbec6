/* The experiment as a whole: the file, the overrides laid over it, and what several settings must
 * agree on. Single settings are checked by their rows (settings.c). */
#include "arcfit/experiment.h"

#include "base/file.h"
#include "experiment/special.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Laws that need a ball, and buoyancy, with the place of the key that asks for it. */
static ArcStatus flight_check_ball(const ArcFlightSettings *flight, const ArcYamlNode *node,
                                   ArcError *err)
{
    int n;
    const ArcLaw *drag = &arc_drag_laws(&n)[flight->drag];
    const ArcLaw *lift = &arc_lift_laws(&n)[flight->lift];
    if (flight->has_ball)
        return ARC_OK;
    const char *advice = "give flight.ball a preset or {mass: .., diameter: ..}";
    if (drag->needs_ball)
        return arc_error_set_at(err, ARC_INPUT, arc_reader_place(node, "drag"),
                                "drag '%s' needs a ball; %s, or use drag: lumped", drag->name,
                                advice);
    if (lift->needs_ball)
        return arc_error_set_at(err, ARC_INPUT, arc_reader_place(node, "lift"),
                                "lift '%s' needs a ball; %s, or use lift: lumped", lift->name,
                                advice);
    if (flight->bounce.is_on && flight->lift != ARC_LIFT_NONE)
        return arc_error_set_at(err, ARC_INPUT, arc_reader_place(node, "bounce"),
                                "a bounce with a spin needs the ball's radius; %s", advice);
    if (flight->buoyancy)
        return arc_error_set_at(err, ARC_INPUT, arc_reader_place(node, "buoyancy"),
                                "buoyancy needs a ball; %s", advice);
    if (flight->added_mass)
        return arc_error_set_at(err, ARC_INPUT, arc_reader_place(node, "added_mass"),
                                "added_mass needs a ball; %s", advice);
    return ARC_OK;
}

/* A law by table with its table, neither alone; a table that --set left without its law is left
 * out. */
static ArcStatus flight_check_table(const ArcYamlNode *node, const char *law, bool is_table,
                                    ArcError *err)
{
    char key[32];
    snprintf(key, sizeof key, "%s_table", law);
    const ArcYamlNode *table = arc_yaml_find(node, key);
    if (is_table && table == NULL)
        return arc_error_set_at(err, ARC_INPUT, arc_reader_place(node, law),
                                "flight.%s is table, but there is no flight.%s; give it 2 to 32 "
                                "pairs",
                                law, key);
    if (!is_table && table != NULL && !special_is_overridden(arc_yaml_find(node, law)))
        return arc_error_set_at(err, ARC_INPUT, table->key_place,
                                "flight.%s is for %s: table, which this flight does not have; "
                                "leave it out",
                                key, law);
    return ARC_OK;
}

static ArcStatus flight_check_spin_decay(const ArcFlightSettings *flight, const ArcYamlNode *node,
                                         ArcError *err)
{
    int n;
    if (flight->spin_decay == ARC_SPIN_DECAY_NONE || flight->lift != ARC_LIFT_NONE ||
        flight->drag == ARC_DRAG_SPIN_DEPENDENT || flight->has_spin)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, arc_reader_place(node, "spin_decay"),
                            "spin_decay '%s' has no spin to act on; choose a lift law or drag: "
                            "spin-dependent, or spin_decay: none",
                            arc_spin_decay_laws(&n)[flight->spin_decay].name);
}

static ArcStatus flight_check_up(const ArcFlightSettings *flight, const ArcYamlNode *node,
                                 ArcError *err)
{
    if (flight->up < flight->dimensions)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, arc_reader_place(node, "up"),
                            "flight.up is z, but the plane has x and y; give dimensions: 3 for "
                            "space");
}

static ArcStatus flight_check_air(const ArcYamlNode *node, ArcError *err)
{
    static const char *const state[] = {"temperature", "pressure", "humidity"};
    const ArcYamlNode *air = arc_yaml_find(node, "air");
    if (air == NULL || arc_yaml_find(air, "density") == NULL)
        return ARC_OK;
    for (int i = 0; i < 3; i++) {
        const ArcYamlNode *other = arc_yaml_find(air, state[i]);
        if (other != NULL)
            return arc_error_set_at(err, ARC_INPUT, other->key_place,
                                    "flight.air has both density and %s; keep one of them",
                                    state[i]);
    }
    return ARC_OK;
}

/* Defaults that depend on other settings are recorded as what they came to. */
static ArcStatus flight_set_dependent(ArcReader *reader, const ArcYamlNode *node, ArcError *err)
{
    static const char *const axes[] = {"x", "y", "z"};
    ArcFlightSettings *flight = &reader->experiment->flight_settings;
    ArcStatus status = ARC_OK;
    if (arc_yaml_find(node, "up") == NULL) {
        flight->up = flight->dimensions - 1;
        status = arc_reader_record(reader, "flight.up", axes[flight->up], err);
    }
    if (status == ARC_OK && arc_yaml_find(node, "buoyancy") == NULL) {
        flight->buoyancy = flight->has_ball;
        status =
            arc_reader_record(reader, "flight.buoyancy", flight->buoyancy ? "true" : "false", err);
    }
    return status;
}

/* Gravity's parameters are those that `parameters` names; a tilt that cannot be is refused there.
 */
static void flight_set_gravity(const ArcReader *reader, ArcFlightSettings *flight)
{
    static const char *const tilts[] = {"tilt_x", "tilt_y", "tilt_z"};
    const ArcYamlNode *parameters = arc_yaml_find(reader->root, "parameters");
    if (parameters == NULL || parameters->kind != ARC_YAML_MAPPING)
        return;
    flight->has_gravity = arc_yaml_find(parameters, "gravity") != NULL;
    for (int e = 0; e < 3 && flight->dimensions == 3; e++)
        flight->has_tilt[e] = e != flight->up && arc_yaml_find(parameters, tilts[e]) != NULL;
    if (flight->dimensions == 2)
        flight->has_tilt[2] = arc_yaml_find(parameters, "tilt") != NULL;
}

ArcStatus arc_special_flight(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    ArcFlightSettings *flight = &experiment->flight_settings;
    const ArcYamlNode *node = setting->node;
    ArcStatus status = arc_reader_section(reader, setting->row->path, setting, err);
    if (status == ARC_OK)
        status = flight_set_dependent(reader, node, err);
    if (status == ARC_OK)
        status = flight_check_up(flight, node, err);
    if (status == ARC_OK)
        status = flight_check_ball(flight, node, err);
    if (status == ARC_OK)
        status = flight_check_air(node, err);
    if (status == ARC_OK)
        status = flight_check_table(node, "drag", flight->drag == ARC_DRAG_TABLE, err);
    if (status == ARC_OK)
        status = flight_check_table(node, "lift", flight->lift == ARC_LIFT_TABLE, err);
    flight->has_spin = arc_closure_gives_lift(reader);
    if (status == ARC_OK)
        status = flight_check_spin_decay(flight, node, err);
    if (status != ARC_OK)
        return status;
    flight_set_gravity(reader, flight);
    ArcError inner = {ARC_OK, ""};
    status = arc_flight_create(flight, &experiment->flight, &inner);
    if (status != ARC_OK)
        return arc_error_set_at(err, status, arc_reader_place(node, ""), "%.500s", inner.text);
    experiment->capture.dimensions = flight->dimensions;
    experiment->capture.flight = &experiment->flight;
    for (int i = 0; i < experiment->n_captures; i++) {
        ArcCaptureSettings *capture = (ArcCaptureSettings *)(uintptr_t)&experiment->captures[i];
        capture->dimensions = flight->dimensions;
        capture->flight = &experiment->flight;
    }
    return ARC_OK;
}

/* The version comes first, so that a file of a later format is told apart from a slip. */
static ArcStatus experiment_check_version(const ArcYamlNode *root, ArcError *err)
{
    const ArcYamlNode *version = arc_yaml_find(root, "arcfit");
    if (version == NULL)
        return arc_error_set_at(err, ARC_INPUT, root->place,
                                "no 'arcfit: 1', so this is not an experiment; write it as the "
                                "first line");
    if (version->kind != ARC_YAML_SCALAR || strcmp(version->text, "1") != 0)
        return arc_error_set_at(err, ARC_INPUT, version->place,
                                "arcfit is %s%s%s, but this program reads version 1 only",
                                version->kind == ARC_YAML_SCALAR ? "'" : "",
                                version->kind == ARC_YAML_SCALAR ? version->text
                                                                 : arc_yaml_kind_text(version),
                                version->kind == ARC_YAML_SCALAR ? "'" : "");
    return ARC_OK;
}

/* The file's name without folder and last ending. */
static const char *experiment_stem(ArcArena *arena, const char *path)
{
    const char *name = arc_file_name(path);
    const char *dot = strrchr(name, '.');
    return arc_arena_copy_text(arena, name,
                               dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name));
}

/* A flight in segments is trained by the linear stage alone, each by one net. */
static ArcStatus experiment_check_bounce(const ArcReader *reader, ArcError *err)
{
    const ArcExperiment *experiment = reader->experiment;
    const ArcPinnSettings *pinn = &experiment->pinn;
    if (!experiment->flight_settings.bounce.is_on || !experiment->use_pinn)
        return ARC_OK;
    const char *wrong = pinn->physics_auto ? "physics: auto" : pinn->windows > 1 ? "windows" : NULL;
    for (int i = 0; i < pinn->n_stages; i++)
        if (pinn->stages[i].optimizer != ARC_OPTIMIZER_LINEAR)
            wrong = arc_optimizer_name((int)pinn->stages[i].optimizer);
    if (wrong == NULL)
        return ARC_OK;
    const ArcYamlNode *flight = arc_yaml_find(reader->root, "flight");
    return arc_error_set_at(err, ARC_INPUT, arc_reader_place(flight, "bounce"),
                            "the PINN of a flight that bounces is trained by the linear stage, by "
                            "one net between two bounces, with physics exact or a number: leave "
                            "out '%s' of fit.pinn, or give fit.methods: [direct]",
                            wrong);
}

/* Windows that are found by themselves must know where the parameters leave the scale open. */
static void experiment_mark_open(ArcExperiment *experiment)
{
    const ArcCapture none = {0};
    bool is_open = arc_experiment_open(experiment, &none).scale;
    experiment->capture.scale_is_open = is_open;
    for (int i = 0; i < experiment->n_captures; i++)
        ((ArcCaptureSettings *)(uintptr_t)&experiment->captures[i])->scale_is_open = is_open;
}

/* The overrides as given, for those who write down how to make it again. */
static ArcStatus experiment_keep_overrides(ArcExperiment *experiment, int n,
                                           const char *const *overrides, ArcError *err)
{
    const char **copies = ARC_ALLOC(experiment->arena, (size_t)n, const char *);
    if (copies == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < n; i++) {
        copies[i] = arc_arena_copy_text(experiment->arena, overrides[i], strlen(overrides[i]));
        if (copies[i] == NULL)
            return arc_error_no_memory(err);
    }
    experiment->n_overrides = n;
    experiment->overrides = copies;
    return ARC_OK;
}

static ArcStatus experiment_fill(ArcReader *reader, int n_overrides, const char *const *overrides,
                                 size_t size, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    ArcYamlNode *root = NULL;
    ArcStatus status =
        arc_yaml_parse(experiment->path, experiment->text, size, reader->arena, &root, err);
    if (status == ARC_OK && root->kind != ARC_YAML_MAPPING)
        status = arc_error_set_at(err, ARC_INPUT, root->place,
                                  "an experiment is a mapping of keys, not %s",
                                  arc_yaml_is_null(root) ? "empty" : arc_yaml_kind_text(root));
    for (int i = 0; i < n_overrides && status == ARC_OK; i++)
        status = arc_yaml_override(root, overrides[i], i + 1, reader->arena, err);
    if (status == ARC_OK)
        status = experiment_check_version(root, err);
    if (status != ARC_OK)
        return status;
    reader->root = root;
    experiment->capture = arc_capture_settings_default();
    experiment->flight_settings = arc_flight_settings_default();
    experiment->simulate = arc_simulate_settings_default();
    experiment->aim = arc_aim_settings_default();
    ArcSetting top = {NULL, "", root, experiment};
    status = arc_reader_section(reader, "", &top, err);
    if (status == ARC_OK)
        status = experiment_check_bounce(reader, err);
    if (status == ARC_OK)
        experiment_mark_open(experiment);
    if (status == ARC_OK && arc_yaml_find(root, "name") == NULL)
        status = arc_reader_record(reader, "name", experiment->name, err);
    experiment->n_settings = reader->n_records;
    experiment->setting_paths = reader->paths;
    experiment->setting_values = reader->values;
    return status;
}

/* Makes the experiment in arena, which it then owns. */
static ArcStatus experiment_create(ArcArena *arena, const char *path, const char *text, size_t size,
                                   int n_overrides, const char *const *overrides,
                                   ArcExperiment **experiment, ArcError *err)
{
    ArcExperiment *made = ARC_ALLOC(arena, 1, ArcExperiment);
    ArcReader reader = {.arena = arena, .experiment = made};
    reader.folder = arc_file_folder(arena, path);
    if (made == NULL || reader.folder == NULL)
        return arc_error_no_memory(err);
    made->arena = arena;
    made->text = text;
    made->path = arc_arena_copy_text(arena, path, strlen(path));
    made->name = experiment_stem(arena, path);
    if (made->path == NULL || made->name == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = experiment_keep_overrides(made, n_overrides, overrides, err);
    if (status == ARC_OK)
        status = experiment_fill(&reader, n_overrides, overrides, size, err);
    if (status == ARC_OK)
        *experiment = made;
    else
        arc_equations_free(made->equations);
    return status;
}

ArcStatus arc_experiment_read(const char *path, int n_overrides, const char *const *overrides,
                              ArcExperiment **experiment, ArcError *err)
{
    *experiment = NULL;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    char *bytes = NULL;
    size_t size = 0;
    ArcStatus status =
        arc_file_read(path, (ArcPlace){NULL, 0, 0}, ARC_YAML_MAX_BYTES, arena, &bytes, &size, err);
    if (status == ARC_OK)
        status =
            experiment_create(arena, path, bytes, size, n_overrides, overrides, experiment, err);
    if (status != ARC_OK)
        arc_arena_free(arena);
    return status;
}

ArcStatus arc_experiment_parse(const char *path, const char *text, size_t size, int n_overrides,
                               const char *const *overrides, ArcExperiment **experiment,
                               ArcError *err)
{
    *experiment = NULL;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    char *copy = arc_arena_copy_text(arena, text, size);
    ArcStatus status = copy == NULL ? arc_error_no_memory(err)
                                    : experiment_create(arena, path, copy, size, n_overrides,
                                                        overrides, experiment, err);
    if (status != ARC_OK)
        arc_arena_free(arena);
    return status;
}

void arc_experiment_free(ArcExperiment *experiment)
{
    if (experiment == NULL)
        return;
    arc_equations_free(experiment->equations);
    arc_arena_free(experiment->arena);
}
