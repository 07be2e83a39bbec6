/* Settings that are more than one plain value: what they accept is in their rows (settings.c).
 * Those of the flight are in special_flight.c. */
#include "experiment/special.h"

#include "base/file.h"
#include "experiment/model.h"
#include "experiment/sensor.h"

#include <stdint.h>
#include <string.h>

/* One file's mapping into the experiment's capture. */
static ArcStatus capture_read_one(ArcReader *reader, const ArcSetting *setting,
                                  const ArcYamlNode *node, ArcError *err)
{
    ArcCaptureSettings *capture = &reader->experiment->capture;
    capture->place = node->key != NULL ? node->key_place : node->place;
    ArcStatus status = special_section(reader, setting, node, err);
    if (status == ARC_OK && reader->experiment->equations != NULL)
        status = arc_model_check_capture(reader->experiment, node, err);
    const ArcYamlNode *file = status == ARC_OK ? arc_yaml_find(node, "file") : NULL;
    if (file != NULL)
        capture->place = file->place;
    capture->one_flight = arc_yaml_find(node, "flight") != NULL;
    return status;
}

/* A mapping whose `file` is a list as one for each of its files: all else is common. */
static ArcStatus capture_of_file(ArcReader *reader, const ArcYamlNode *node,
                                 const ArcYamlNode *file, ArcYamlNode **made, ArcError *err)
{
    ArcYamlNode *copy = ARC_ALLOC(reader->arena, 1, ArcYamlNode), *last = NULL;
    if (copy == NULL)
        return arc_error_no_memory(err);
    *copy = *node;
    copy->first = copy->last = NULL;
    for (const ArcYamlNode *child = node->first; child != NULL; child = child->next) {
        ArcYamlNode *own = ARC_ALLOC(reader->arena, 1, ArcYamlNode);
        if (own == NULL)
            return arc_error_no_memory(err);
        *own = strcmp(child->key, "file") == 0 ? *file : *child;
        own->key = child->key;
        own->key_place = child->key_place;
        own->next = NULL;
        *(last == NULL ? &copy->first : &last->next) = own;
        last = own;
    }
    copy->last = last;
    *made = copy;
    return ARC_OK;
}

/* The mappings of all files, one each, into nodes (NULL: only counted). Returns their number; -1
 * where there is no memory. */
static int capture_list(ArcReader *reader, const ArcYamlNode *node, ArcYamlNode **nodes,
                        ArcStatus *status, ArcError *err)
{
    bool is_list = node->kind == ARC_YAML_SEQUENCE;
    int n = 0;
    *status = ARC_OK;
    for (ArcYamlNode *one = is_list ? node->first : (ArcYamlNode *)(uintptr_t)node; one != NULL;
         one = is_list ? one->next : NULL) {
        const ArcYamlNode *file = one->kind == ARC_YAML_MAPPING ? arc_yaml_find(one, "file") : NULL;
        if (file == NULL || file->kind != ARC_YAML_SEQUENCE) {
            if (nodes != NULL)
                nodes[n] = one;
            n++;
            continue;
        }
        for (const ArcYamlNode *item = file->first; item != NULL; item = item->next, n++)
            if (nodes != NULL && *status == ARC_OK)
                *status = capture_of_file(reader, one, item, &nodes[n], err);
    }
    return n;
}

/* Of several files the first one's keys are recorded, and how many there are. */
static ArcStatus captures_read(ArcReader *reader, const ArcSetting *setting, int n,
                               ArcYamlNode *const *nodes, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    ArcCaptureSettings *captures = ARC_ALLOC(reader->arena, (size_t)n, ArcCaptureSettings);
    ArcStatus status = captures == NULL ? arc_error_no_memory(err) : ARC_OK;
    const ArcCaptureSettings fresh = experiment->capture;
    int recorded = 0;
    for (int i = 0; i < n && status == ARC_OK; i++) {
        experiment->capture = fresh;
        status = capture_read_one(reader, setting, nodes[i], err);
        captures[i] = experiment->capture;
        if (status == ARC_OK && captures[i].sigma_estimated != captures[0].sigma_estimated)
            status = arc_error_set_at(err, ARC_INPUT, arc_reader_place(nodes[i], "sigma"),
                                      "sigma: estimate is one factor for all flights; give it to "
                                      "every capture, or to none");
        if (status == ARC_OK)
            status = arc_sensor_check_same(&captures[0], &captures[i], err);
        if (i == 0)
            recorded = reader->n_records;
        reader->n_records = recorded;
    }
    if (status != ARC_OK)
        return status;
    experiment->capture = captures[0];
    experiment->captures = captures;
    experiment->n_captures = n;
    const char *count = arc_arena_format(reader->arena, "%d", n);
    if (count == NULL)
        return arc_error_no_memory(err);
    return n > 1 ? arc_reader_record(reader, "capture.files", count, err) : ARC_OK;
}

ArcStatus arc_special_capture(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    ArcStatus status;
    int n = capture_list(reader, node, NULL, &status, err);
    if (n == 0)
        return special_refuse(setting, "an empty list", err);
    ArcYamlNode **nodes = ARC_ALLOC(reader->arena, (size_t)n, ArcYamlNode *);
    if (nodes == NULL)
        return arc_error_no_memory(err);
    capture_list(reader, node, nodes, &status, err);
    return status == ARC_OK ? captures_read(reader, setting, n, nodes, err) : status;
}

ArcStatus arc_special_column(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcCaptureSettings *capture = &reader->experiment->capture;
    ArcStatus status = arc_reader_scalar(setting->path, setting->node, setting->row->accepts, err);
    if (status != ARC_OK)
        return status;
    capture->columns[capture->n_columns++] =
        (ArcColumnChoice){.role = arc_setting_name(setting->row),
                          .column = setting->node->text,
                          .place = setting->node->place};
    return ARC_OK;
}

ArcStatus arc_special_scale(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    double slope;
    ArcStatus status = arc_reader_scalar(setting->path, setting->node, setting->row->accepts, err);
    if (status == ARC_OK && strcmp(arc_setting_name(setting->row), "position") == 0 &&
        strcmp(setting->node->text, "px") == 0) {
        reader->experiment->capture.position_is_px = true;
        return ARC_OK;
    }
    if (status == ARC_OK)
        status = arc_unit_slope(setting->node->text, setting->row->quantity, setting->node->place,
                                &slope, err);
    if (status == ARC_OK)
        memcpy((char *)setting->base + setting->row->offset, &slope, sizeof slope);
    return status;
}

/* [low, high] with low < high; a row without a range is a parameter's bounds. */
ArcStatus arc_special_pair(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    const ArcSettingRow *row = setting->row;
    const ArcYamlNode *node = setting->node;
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (node->n_children != 2)
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s has %d entries; wanted: %s",
                                setting->path, node->n_children, row->accepts);
    double pair[2];
    ArcStatus status = ARC_OK;
    for (int k = 0; k < 2 && status == ARC_OK; k++) {
        const ArcYamlNode *item = k == 0 ? node->first : node->last;
        status = row->low == row->high
                     ? arc_reader_parameter(reader, setting->path, item, &pair[k], err)
                     : arc_reader_number(row, setting->path, item, &pair[k], err);
    }
    if (status != ARC_OK)
        return status;
    if (!(pair[0] < pair[1]))
        return arc_error_set_at(err, ARC_INPUT, node->place,
                                "%s: the first, '%s', must be below the second, '%s'",
                                setting->path, node->first->text, node->last->text);
    memcpy((char *)setting->base + setting->row->offset, pair, sizeof pair);
    return ARC_OK;
}

ArcStatus arc_special_window(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcCaptureSettings *capture = &reader->experiment->capture;
    capture->window_auto = special_is(setting->node, "auto");
    if (capture->window_auto && reader->experiment->equations != NULL)
        return special_refuse(setting, "auto, which looks for the flight of a ball", err);
    if (capture->window_auto || special_is(setting->node, "all"))
        return ARC_OK;
    return arc_special_pair(reader, setting, err);
}

ArcStatus arc_special_hold_out(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcCaptureSettings *capture = &reader->experiment->capture;
    const ArcYamlNode *node = setting->node;
    capture->hold_out = ARC_HOLD_OUT_NONE;
    if (special_is(node, "none"))
        return ARC_OK;
    if (node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    ArcStatus status = special_section(reader, setting, node, err);
    if (status != ARC_OK)
        return status;
    if (node->n_children != 1)
        return special_refuse(setting, node->n_children == 0 ? "empty" : "two rules at once", err);
    capture->hold_out =
        arc_yaml_find(node, "every") != NULL ? ARC_HOLD_OUT_EVERY : ARC_HOLD_OUT_AFTER;
    return ARC_OK;
}

static const char *method_name(int index)
{
    return index == ARC_PINN ? "pinn" : index == ARC_DIRECT ? "direct" : NULL;
}

ArcStatus arc_special_methods(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (node->n_children == 0)
        return special_refuse(setting, "an empty list", err);
    bool use[2] = {false, false};
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next) {
        int method;
        ArcStatus status = arc_reader_choice(setting->path, item, method_name, &method, err);
        if (status != ARC_OK)
            return status;
        if (use[method])
            return arc_error_set_at(err, ARC_INPUT, item->place, "'%s' is given twice in %s",
                                    item->text, setting->path);
        use[method] = true;
    }
    reader->experiment->use_pinn = use[ARC_PINN];
    reader->experiment->use_direct = use[ARC_DIRECT];
    return ARC_OK;
}

/* The free parameter of that name; -1 and a message where there is none. */
static int profiled_parameter(const ArcReader *reader, const ArcSetting *setting,
                              const ArcYamlNode *item, ArcError *err)
{
    const ArcExperiment *experiment = reader->experiment;
    const char *names[ARC_MAX_PARAMETERS];
    int n = 0, found = -1;
    for (int i = 0; i < experiment->n_parameters; i++) {
        const ArcParameter *parameter = &experiment->parameters[i];
        if (strcmp(parameter->name, item->text) == 0)
            found = i;
        if (parameter->is_free)
            names[n++] = parameter->name;
    }
    if (found >= 0 && experiment->parameters[found].measure == ARC_MEASURE_SIGMA) {
        arc_error_set_at(err, ARC_INPUT, item->place,
                         "%s: '%s' has no profile: it is found by restricted likelihood, and its "
                         "interval is that of chi",
                         setting->path, item->text);
        return -1;
    }
    if (found >= 0 && experiment->parameters[found].is_free)
        return found;
    if (found >= 0 && experiment->parameters[found].is_tied) {
        arc_error_set_at(err, ARC_INPUT, item->place,
                         "%s: '%s' follows from the arm; ask for a free parameter of the arm",
                         setting->path, item->text);
        return -1;
    }
    if (found >= 0) {
        arc_error_set_at(err, ARC_INPUT, item->place,
                         "%s: '%s' is fixed, so that it has no profile; free it under parameters",
                         setting->path, item->text);
        return -1;
    }
    const char *nearest = arc_text_nearest(item->text, n, names);
    arc_error_set_at(err, ARC_INPUT, item->place,
                     "%s: '%.100s' is no parameter of this flight and release%s%s%s", setting->path,
                     item->text,
                     nearest == NULL ? "; `arcfit check` lists them" : "; did you mean '",
                     nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?");
    return -1;
}

/* Read after the parameters, as the table's order says. */
ArcStatus arc_special_profile(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    uint64_t profiles = 0;
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next) {
        ArcStatus status = arc_reader_scalar(setting->path, item, "a parameter's name", err);
        if (status != ARC_OK)
            return status;
        int i = profiled_parameter(reader, setting, item, err);
        if (i < 0)
            return ARC_INPUT;
        if ((profiles >> i & 1u) != 0)
            return arc_error_set_at(err, ARC_INPUT, item->place, "'%s' is given twice in %s",
                                    item->text, setting->path);
        profiles |= (uint64_t)1 << i;
    }
    memcpy((char *)setting->base + setting->row->offset, &profiles, sizeof profiles);
    return ARC_OK;
}

ArcStatus arc_special_stages(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcCurriculum *curriculum = &reader->experiment->curriculum;
    const ArcYamlNode *node = setting->node;
    *curriculum = (ArcCurriculum){.is_auto = special_is(node, "auto")};
    if (curriculum->is_auto || special_is(node, "none"))
        return ARC_OK;
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (node->n_children == 0)
        return special_refuse(setting, "an empty list", err);
    int last = -1;
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next) {
        int stage;
        ArcStatus status = arc_reader_choice(setting->path, item, arc_law_stage_name, &stage, err);
        if (status != ARC_OK)
            return status;
        if (stage <= last)
            return arc_error_set_at(err, ARC_INPUT, item->place,
                                    "'%s' comes after '%s' in %s; the order is vacuum, drag, lift, "
                                    "spin_decay, each at most once",
                                    item->text, arc_law_stage_name(last), setting->path);
        curriculum->stages[curriculum->n++] = (ArcLawStage)stage;
        last = stage;
    }
    return ARC_OK;
}

/* The slopes that the widening ladder uses at this width. */
static void net_set_slopes(ArcNetSettings *net)
{
    static const struct {
        int width;
        double low, high;
    } rungs[] = {{24, 1, 1.5}, {48, 1.5, 3}, {96, 3, 10}, {ARC_NET_MAX_WIDTH, 5, 20}};
    int i = 0;
    while (net->widths[0] > rungs[i].width)
        i++;
    net->slope_low = rungs[i].low;
    net->slope_high = rungs[i].high;
}

ArcStatus arc_special_read_net(ArcReader *reader, const ArcSetting *setting, bool *is_auto,
                               ArcNetSettings *net, ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    *is_auto = special_is(node, "auto");
    *net = arc_net_settings_default();
    if (*is_auto)
        return ARC_OK;
    if (node->kind != ARC_YAML_SCALAR || arc_yaml_is_null(node) || node->text[0] == '\0')
        return special_refuse(setting, NULL, err);
    const char *path = arc_file_join(reader->arena, reader->folder, node->text);
    char *bytes = NULL;
    size_t size = 0;
    ArcYamlNode *root = NULL;
    if (path == NULL)
        return arc_error_no_memory(err);
    ArcStatus status =
        arc_file_read(path, node->place, ARC_YAML_MAX_BYTES, reader->arena, &bytes, &size, err);
    if (status == ARC_OK)
        status = arc_yaml_parse(path, bytes, size, reader->arena, &root, err);
    if (status != ARC_OK)
        return status;
    ArcSetting file = {setting->row, setting->path, root, net};
    status = arc_reader_section(reader, "net file", &file, err);
    if (status != ARC_OK)
        return status;
    if (net->skip && !arc_net_settings_can_skip(net))
        return arc_error_set_at(err, ARC_INPUT, arc_reader_place(root, "skip"),
                                "%s.skip is true, but no two neighbouring hidden layers have one "
                                "width; give hidden: [32, 32] or the like, or no skip",
                                setting->path);
    net_set_slopes(net);
    return ARC_OK;
}

ArcStatus arc_special_net(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcPinnSettings *pinn = &reader->experiment->pinn;
    return arc_special_read_net(reader, setting, &pinn->net_auto, &pinn->net, err);
}

ArcStatus arc_special_hidden(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    (void)reader;
    ArcNetSettings *net = setting->base;
    const ArcYamlNode *node = setting->node;
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (node->n_children < 1 || node->n_children > ARC_NET_MAX_LAYERS)
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s has %d entries; wanted: %s",
                                setting->path, node->n_children, setting->row->accepts);
    net->n_hidden = 0;
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next) {
        long long width;
        ArcStatus status = arc_reader_whole(setting->row, setting->path, item, &width, err);
        if (status != ARC_OK)
            return status;
        net->widths[net->n_hidden++] = (int)width;
    }
    return ARC_OK;
}

ArcStatus arc_special_collocation(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    if (node->kind == ARC_YAML_MAPPING)
        return special_section(reader, setting, node, err);
    /* The rest keeps its defaults, which the number alone implies: they are not recorded. */
    ArcYamlNode *empty = NULL;
    int n_records = reader->n_records;
    ArcStatus status =
        arc_yaml_parse(reader->experiment->path, "{}", 2, reader->arena, &empty, err);
    if (status == ARC_OK)
        status = special_section(reader, setting, empty, err);
    reader->n_records = n_records;
    return status == ARC_OK ? arc_special_points(reader, setting, err) : status;
}

ArcStatus arc_special_points(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    long long points = 0;
    if (node->kind != ARC_YAML_SCALAR || arc_yaml_is_null(node))
        return special_refuse(setting, NULL, err);
    if (special_is_word(node) && !special_is(node, "auto"))
        return special_refuse(setting, NULL, err);
    if (!special_is(node, "auto")) {
        ArcStatus status = arc_reader_whole(setting->row, setting->path, node, &points, err);
        if (status != ARC_OK)
            return status;
    }
    reader->experiment->pinn.collocation = (int)points;
    return ARC_OK;
}

ArcStatus arc_special_physics(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcPinnSettings *pinn = &reader->experiment->pinn;
    pinn->sigma_phys_m_s2 = 0;
    pinn->physics_auto = special_is(setting->node, "auto");
    if (pinn->physics_auto || special_is(setting->node, "exact"))
        return ARC_OK;
    if (setting->node->kind != ARC_YAML_SCALAR || arc_yaml_is_null(setting->node) ||
        special_is_word(setting->node))
        return special_refuse(setting, NULL, err);
    return arc_reader_number(setting->row, setting->path, setting->node, &pinn->sigma_phys_m_s2,
                             err);
}

/* Defaults that depend on the optimizer or on another key, recorded as what they came to. */
static ArcStatus stage_set_dependent(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    static const int steps[] = {[ARC_OPTIMIZER_LINEAR] = 100,
                                [ARC_OPTIMIZER_LM] = 100,
                                [ARC_OPTIMIZER_ADAM] = 5000,
                                [ARC_OPTIMIZER_LBFGS] = 500};
    ArcStage *stage = setting->base;
    ArcStatus status = ARC_OK;
    if (arc_yaml_find(setting->node, "steps") == NULL) {
        stage->steps = steps[stage->optimizer];
        const char *path = arc_arena_format(reader->arena, "%s.steps", setting->path);
        if (path == NULL)
            return arc_error_no_memory(err);
        status = arc_reader_record_number(reader, path, stage->steps, "1", err);
    }
    if (status == ARC_OK && stage->optimizer == ARC_OPTIMIZER_ADAM &&
        arc_yaml_find(setting->node, "parameter_rate") == NULL) {
        const char *path = arc_arena_format(reader->arena, "%s.parameter_rate", setting->path);
        if (path == NULL)
            return arc_error_no_memory(err);
        stage->parameter_rate = stage->rate;
        status = arc_reader_record_number(reader, path, stage->rate, "1", err);
    }
    return status;
}

/* One stage. Its optimizer is looked up first, for it decides which keys there are. */
static ArcStatus stage_read(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcStage *stage = setting->base;
    const ArcYamlNode *node = setting->node;
    const ArcYamlNode *optimizer =
        node->kind == ARC_YAML_MAPPING ? arc_yaml_find(node, "optimizer") : NULL;
    reader->optimizer = NULL;
    for (int i = 0; optimizer != NULL && arc_optimizer_name(i) != NULL; i++) {
        if (special_is(optimizer, arc_optimizer_name(i)))
            reader->optimizer = arc_optimizer_name(i);
    }
    ArcStatus status = arc_reader_section(reader, setting->row->path, setting, err);
    if (status == ARC_OK)
        status = stage_set_dependent(reader, setting, err);
    if (status != ARC_OK || stage->warm_up <= stage->steps)
        return status;
    return arc_error_set_at(err, ARC_INPUT, arc_reader_place(node, "warm_up"),
                            "%s.warm_up is %d, but the stage has %d steps; give more steps or a "
                            "shorter warm-up",
                            setting->path, stage->warm_up, stage->steps);
}

ArcStatus arc_special_train(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcPinnSettings *pinn = &reader->experiment->pinn;
    const ArcYamlNode *node = setting->node;
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (node->n_children < 1 || node->n_children > ARC_MAX_STAGES)
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s has %d entries; wanted: %s",
                                setting->path, node->n_children, setting->row->accepts);
    pinn->n_stages = 0;
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next) {
        const char *path = arc_arena_format(reader->arena, "%s.%d", setting->path, pinn->n_stages);
        if (path == NULL)
            return arc_error_no_memory(err);
        ArcSetting stage = {setting->row, path, item, &pinn->stages[pinn->n_stages++]};
        ArcStatus status = stage_read(reader, &stage, err);
        if (status != ARC_OK)
            return status;
    }
    return ARC_OK;
}
