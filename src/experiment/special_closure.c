/* The closure of an experiment: what it may depend on and add, by the flight or the equations that
 * it joins. */
#include "experiment/special.h"

#include <math.h>
#include <stdio.h>

static const char *const axis_names[] = {"x", "y", "z"};

static ArcClosureSettings *closure_of(ArcReader *reader)
{
    return &reader->experiment->closure;
}

/* The axis that a name ends in behind a prefix, below `dimensions`; -1: none. */
static int axis_of(const char *name, const char *prefix, int dimensions)
{
    size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0)
        return -1;
    for (int e = 0; e < dimensions; e++)
        if (strcmp(name + length, axis_names[e]) == 0)
            return e;
    return -1;
}

static bool is_input_of_flight(const char *name, const ArcFlightSettings *flight,
                               ArcClosureInput *input)
{
    static const struct {
        const char *name;
        ArcClosureInputKind kind;
    } words[] = {{"speed", ARC_CLOSURE_SPEED},
                 {"height", ARC_CLOSURE_HEIGHT},
                 {"spin_ratio", ARC_CLOSURE_SPIN_RATIO},
                 {"time", ARC_CLOSURE_TIME}};
    *input = (ArcClosureInput){ARC_CLOSURE_POSITION, 0};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(name, words[i].name) == 0) {
            input->kind = words[i].kind;
            return true;
        }
    input->axis = axis_of(name, "", flight->dimensions);
    if (input->axis < 0) {
        input->kind = ARC_CLOSURE_VELOCITY;
        input->axis = axis_of(name, "v", flight->dimensions);
    }
    return input->axis >= 0;
}

static bool is_input_of_equations(const char *name, const ArcEquations *equations,
                                  ArcClosureInput *input)
{
    int channel = arc_equations_channel(equations, name), D = equations->n_states;
    if (channel < 0) {
        *input = (ArcClosureInput){ARC_CLOSURE_TIME, 0};
        return strcmp(name, "time") == 0;
    }
    *input = channel < D ? (ArcClosureInput){ARC_CLOSURE_POSITION, channel}
                         : (ArcClosureInput){ARC_CLOSURE_VELOCITY, channel - D};
    return true;
}

/* The names of what there is, for messages. */
static ArcStatus refuse_name(const ArcReader *reader, const ArcYamlNode *item, bool is_input,
                             ArcError *err)
{
    const ArcEquations *equations = reader->experiment->equations;
    const ArcFlightSettings *flight = &reader->experiment->flight_settings;
    char list[512] = "";
    size_t used = 0;
    int n = equations == NULL ? 0 : is_input ? equations->n_channels : equations->n_states;
    for (int i = 0; i < n && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : ", ",
                                 equations->channels[i].name);
    if (equations == NULL)
        snprintf(list, sizeof list, "%s%s", flight->dimensions == 2 ? "x, y" : "x, y, z",
                 !is_input                 ? ""
                 : flight->dimensions == 2 ? ", vx, vy, speed, height, spin_ratio"
                                           : ", vx, vy, vz, speed, height, spin_ratio");
    return arc_error_set_at(err, ARC_INPUT, item->place,
                            "'%.60s' is no %s of a closure here; there are %s%s", item->text,
                            is_input ? "input" : "output", list, is_input ? ", time" : "");
}

static ArcStatus input_check(const ArcReader *reader, const ArcSetting *setting,
                             const ArcYamlNode *item, ArcClosureInput input, ArcError *err)
{
    const ArcExperiment *experiment = reader->experiment;
    if (input.kind != ARC_CLOSURE_SPIN_RATIO)
        return ARC_OK;
    if (!experiment->flight_settings.has_ball)
        return arc_error_set_at(err, ARC_INPUT, item->place,
                                "%s: spin_ratio needs a ball's radius; give flight.ball",
                                setting->path);
    if (!experiment->flight.has_rotation)
        return arc_error_set_at(err, ARC_INPUT, item->place,
                                "%s: spin_ratio needs a spin; give a lift law, drag: "
                                "spin-dependent, or outputs: cl",
                                setting->path);
    return ARC_OK;
}

/* Whether two inputs are always the same number. */
static bool is_same_input(const ArcExperiment *experiment, ArcClosureInput a, ArcClosureInput b)
{
    int up = experiment->flight_settings.up;
    if (a.kind == ARC_CLOSURE_HEIGHT)
        a = (ArcClosureInput){ARC_CLOSURE_POSITION, up};
    if (b.kind == ARC_CLOSURE_HEIGHT)
        b = (ArcClosureInput){ARC_CLOSURE_POSITION, up};
    return a.kind == b.kind && a.axis == b.axis;
}

ArcStatus arc_special_closure_inputs(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcClosureSettings *closure = closure_of(reader);
    const ArcExperiment *experiment = reader->experiment;
    const ArcYamlNode *node = setting->node;
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (node->n_children < 1 || node->n_children > ARC_CLOSURE_MAX_INPUTS)
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s has %d entries; wanted: %s",
                                setting->path, node->n_children, setting->row->accepts);
    closure->n_inputs = 0;
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next) {
        ArcClosureInput input;
        ArcStatus status = arc_reader_scalar(setting->path, item, "an input's name", err);
        if (status != ARC_OK)
            return status;
        bool is_known = experiment->equations != NULL
                            ? is_input_of_equations(item->text, experiment->equations, &input)
                            : is_input_of_flight(item->text, &experiment->flight_settings, &input);
        if (!is_known)
            return refuse_name(reader, item, true, err);
        status = input_check(reader, setting, item, input, err);
        if (status != ARC_OK)
            return status;
        for (int i = 0; i < closure->n_inputs; i++)
            if (is_same_input(experiment, closure->inputs[i], input))
                return arc_error_set_at(err, ARC_INPUT, item->place,
                                        "%s has '%.60s', which an entry before it is already; "
                                        "leave one out",
                                        setting->path, item->text);
        closure->inputs[closure->n_inputs++] = input;
    }
    return ARC_OK;
}

/* Bit of an axis, or of a state of own equations, by its name; 0: there is none. */
static uint32_t output_bit(const ArcExperiment *experiment, const char *name)
{
    int e = -1;
    if (experiment->equations != NULL) {
        e = arc_equations_channel(experiment->equations, name);
        return e < 0 || e >= experiment->equations->n_states ? 0 : UINT32_C(1) << e;
    }
    e = axis_of(name, "", experiment->flight_settings.dimensions);
    if (e < 0)
        e = axis_of(name, "a", experiment->flight_settings.dimensions);
    return e < 0 ? 0 : UINT32_C(1) << e;
}

static ArcStatus read_axes(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcClosureSettings *closure = closure_of(reader);
    closure->output = ARC_CLOSURE_ACCELERATION;
    closure->axes = 0;
    if (setting->node->n_children == 0)
        return special_refuse(setting, "an empty list", err);
    for (const ArcYamlNode *item = setting->node->first; item != NULL; item = item->next) {
        ArcStatus status = arc_reader_scalar(setting->path, item, "an axis", err);
        if (status != ARC_OK)
            return status;
        uint32_t bit = output_bit(reader->experiment, item->text);
        if (bit == 0)
            return refuse_name(reader, item, false, err);
        if ((closure->axes & bit) != 0)
            return arc_error_set_at(err, ARC_INPUT, item->place, "%s has '%.60s' twice",
                                    setting->path, item->text);
        closure->axes |= bit;
    }
    return ARC_OK;
}

ArcStatus arc_special_closure_outputs(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcClosureSettings *closure = closure_of(reader);
    const ArcExperiment *experiment = reader->experiment;
    const ArcYamlNode *node = setting->node;
    if (node->kind == ARC_YAML_SEQUENCE)
        return read_axes(reader, setting, err);
    bool is_cd = special_is(node, "cd"), is_cl = special_is(node, "cl");
    if (!is_cd && !is_cl && !special_is(node, "acceleration"))
        return special_refuse(setting, NULL, err);
    closure->output = is_cd ? ARC_CLOSURE_CD : is_cl ? ARC_CLOSURE_CL : ARC_CLOSURE_ACCELERATION;
    int D = experiment->equations != NULL ? experiment->equations->n_states
                                          : experiment->flight_settings.dimensions;
    closure->axes = is_cd || is_cl ? 0 : (uint32_t)((UINT64_C(1) << D) - 1);
    if (!is_cd && !is_cl)
        return ARC_OK;
    if (experiment->equations != NULL)
        return arc_error_set_at(err, ARC_INPUT, node->place,
                                "%s is %s, but a model of one's own has no law of drag or lift; "
                                "give a list of its states",
                                setting->path, node->text);
    if (!experiment->flight_settings.has_ball)
        return arc_error_set_at(err, ARC_INPUT, node->place,
                                "%s: %s needs a ball; give flight.ball, or outputs: acceleration",
                                setting->path, node->text);
    return ARC_OK;
}

ArcStatus arc_special_closure_number(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    double *value = (double *)(void *)((char *)setting->base + setting->row->offset);
    (void)reader;
    *value = NAN;
    if (special_is(setting->node, "auto"))
        return ARC_OK;
    if (special_is_word(setting->node))
        return special_refuse(setting, NULL, err);
    return arc_reader_number(setting->row, setting->path, setting->node, value, err);
}

ArcStatus arc_special_closure_train(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    closure_of(reader)->trains_all = special_is(setting->node, "all");
    if (!special_is(setting->node, "all") && !special_is(setting->node, "output"))
        return special_refuse(setting, NULL, err);
    return ARC_OK;
}

/* One layer of units that are spread over what the flights come by. */
ArcStatus arc_special_closure_net(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcClosureSettings *closure = closure_of(reader);
    ArcNetSettings *net = &closure->net;
    ArcStatus status = arc_special_read_net(reader, setting, &closure->net_auto, net, err);
    if (status != ARC_OK || closure->net_auto)
        return status;
    ArcPlace place = setting->node->place;
    if (net->n_hidden != 1)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "%s has %d hidden layers, but a closure has one; give a net file "
                                "with one, as hidden: [8]",
                                setting->path, net->n_hidden);
    if (net->widths[0] > ARC_CLOSURE_MAX_UNITS)
        return arc_error_set_at(err, ARC_INPUT, place, "%s has %d units; a closure has %d at most",
                                setting->path, net->widths[0], ARC_CLOSURE_MAX_UNITS);
    if (net->init != ARC_INIT_SPREAD || net->fourier_modes > 0)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "%s has %s, which a closure cannot use: its units are spread over "
                                "what the flights come by; leave it out",
                                setting->path,
                                net->fourier_modes > 0 ? "fourier modes" : "an init of its own");
    return ARC_OK;
}

/* Whether the flight has a law of what the closure gives. */
static bool has_law(const ArcExperiment *experiment)
{
    const ArcFlightSettings *flight = &experiment->flight_settings;
    return experiment->closure.output == ARC_CLOSURE_CD ? flight->drag != ARC_DRAG_NONE
                                                        : flight->lift != ARC_LIFT_NONE;
}

static ArcStatus closure_set_replaces(ArcReader *reader, const ArcYamlNode *node, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    ArcClosureSettings *closure = &experiment->closure;
    bool is_told = arc_yaml_find(node, "replaces") != NULL;
    bool is_force = closure->output != ARC_CLOSURE_ACCELERATION;
    const char *law = closure->output == ARC_CLOSURE_CD ? "drag" : "lift";
    ArcPlace place = arc_reader_place(node, "replaces");
    if (!is_told) {
        closure->replaces = is_force && !has_law(experiment);
        return arc_reader_record(reader, "closure.replaces", closure->replaces ? "true" : "false",
                                 err);
    }
    if (!is_force && closure->replaces)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "closure.replaces: an acceleration is added to the laws and stands "
                                "in place of none; leave it out, or give outputs: cd or cl");
    if (is_force && closure->replaces && has_law(experiment))
        return arc_error_set_at(err, ARC_INPUT, place,
                                "closure.replaces is true, but there is a law of %s; give "
                                "flight.%s: none, or replaces: false to add to it",
                                law, law);
    if (is_force && !closure->replaces && !has_law(experiment))
        return arc_error_set_at(err, ARC_INPUT, place,
                                "closure.replaces is false, but there is no law of %s to add to; "
                                "give flight.%s, or leave `replaces` out",
                                law, law);
    return ARC_OK;
}

bool arc_closure_gives_lift(const ArcReader *reader)
{
    const ArcYamlNode *closure = arc_yaml_find(reader->root, "closure");
    const ArcYamlNode *outputs = closure == NULL || closure->kind != ARC_YAML_MAPPING
                                     ? NULL
                                     : arc_yaml_find(closure, "outputs");
    return outputs != NULL && special_is(outputs, "cl");
}

ArcStatus arc_special_closure(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcClosureSettings *closure = closure_of(reader);
    const ArcYamlNode *node = setting->node;
    *closure = arc_closure_settings_default();
    if (special_is(node, "none"))
        return ARC_OK;
    if (node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    closure->is_on = true;
    closure->place = node->key != NULL ? node->key_place : node->place;
    ArcStatus status = special_section(reader, setting, node, err);
    return status == ARC_OK ? closure_set_replaces(reader, node, err) : status;
}
