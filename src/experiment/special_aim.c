/* The section `aim` beside what it aims at (special_goal.c): unknowns and scatter by the names of
 * parameters, objectives, limits and front by the names of a throw's numbers, contact and swing;
 * and what these must agree on. */
#include "base/number.h"
#include "base/text.h"
#include "experiment/special.h"

#include <math.h>
#include <stdio.h>

/* The parameter that a throw may vary; -1 and a message where there is none. */
static int parameter_find(const ArcExperiment *experiment, const char *path, const char *name,
                          ArcPlace place, ArcError *err)
{
    const char *names[ARC_MAX_PARAMETERS];
    int n = 0, found = arc_experiment_parameter(experiment, name),
        t0 = experiment->flight.n_parameters;
    char list[512] = "";
    if (found >= 0 && experiment->parameters[found].is_tied) {
        arc_error_set_at(err, ARC_INPUT, place,
                         "%s: '%s' follows from the arm; give parameters of the arm", path, name);
        return -1;
    }
    if (found == t0 || (found >= 0 && experiment->parameters[found].measure != ARC_MEASURE_NONE)) {
        arc_error_set_at(err, ARC_INPUT, place, "%s: '%s' changes nothing of a throw; leave it out",
                         path, name);
        return -1;
    }
    if (found >= 0)
        return found;
    for (int i = 0; i < experiment->n_parameters; i++) {
        const ArcParameter *parameter = &experiment->parameters[i];
        if (i == t0 || parameter->is_tied || parameter->measure != ARC_MEASURE_NONE)
            continue;
        strncat(list, n == 0 ? "" : ", ", sizeof list - strlen(list) - 1);
        strncat(list, parameter->name, sizeof list - strlen(list) - 1);
        names[n++] = parameter->name;
    }
    const char *nearest = arc_text_nearest(name, n, names);
    arc_error_set_at(err, ARC_INPUT, place,
                     "%s: '%.100s' is no parameter of this throw%s%s%s it has %s", path, name,
                     nearest == NULL ? "" : "; did you mean '", nearest == NULL ? "" : nearest,
                     nearest == NULL ? ";" : "'?", list);
    return -1;
}

/* Whether the file gives a value that holds it. */
static bool is_fixed_by_file(const ArcReader *reader, int i)
{
    const ArcYamlNode *given = arc_yaml_find(reader->root, "parameters");
    const ArcParameter *parameter = &reader->experiment->parameters[i];
    return !parameter->is_free && given != NULL && given->kind == ARC_YAML_MAPPING &&
           arc_yaml_find(given, parameter->name) != NULL;
}

ArcStatus arc_special_unknowns(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    const ArcYamlNode *node = setting->node;
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (node->n_children == 0)
        return special_refuse(setting, "an empty list", err);
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next) {
        ArcStatus status = arc_reader_scalar(setting->path, item, "a parameter's name", err);
        if (status != ARC_OK)
            return status;
        int i = parameter_find(experiment, setting->path, item->text, item->place, err);
        if (i < 0)
            return ARC_INPUT;
        if (experiment->aim.unknown[i])
            return arc_error_set_at(err, ARC_INPUT, item->place, "'%s' is given twice in %s",
                                    item->text, setting->path);
        if (is_fixed_by_file(reader, i))
            return arc_error_set_at(err, ARC_INPUT, item->place,
                                    "%s: '%s' is fixed under parameters, so that it cannot be "
                                    "looked for; give {start: ..} there, or leave it out here",
                                    setting->path, item->text);
        experiment->aim.unknown[i] = true;
    }
    return ARC_OK;
}

ArcStatus arc_special_angles(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcAimSettings *aim = &reader->experiment->aim;
    const ArcYamlNode *node = setting->node;
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (node->n_children < 1 || node->n_children > ARC_AIM_MAX_ANGLES)
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s has %d entries; wanted: %s",
                                setting->path, node->n_children, setting->row->accepts);
    aim->n_angles = 0;
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next) {
        ArcStatus status = arc_reader_number(setting->row, setting->path, item,
                                             &aim->angles_rad[aim->n_angles++], err);
        if (status != ARC_OK)
            return status;
    }
    return ARC_OK;
}

ArcStatus arc_special_scatter(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    for (const ArcYamlNode *child = setting->node->first; child != NULL; child = child->next) {
        const char *path = arc_arena_format(reader->arena, "%s.%s", setting->path, child->key);
        if (path == NULL)
            return arc_error_no_memory(err);
        int i = parameter_find(experiment, setting->path, child->key, child->key_place, err);
        if (i < 0)
            return ARC_INPUT;
        reader->parameter = *arc_parameter_info(experiment, i);
        const ArcSetting one = {arc_setting_find("aim.scatter.NAME"), path, child,
                                &experiment->aim.scatter_sd[i]};
        ArcStatus status = arc_parameter_read_sd(reader, &one, err);
        if (status == ARC_OK)
            status = arc_reader_record_number(reader, path, experiment->aim.scatter_sd[i],
                                              reader->parameter.unit, err);
        if (status != ARC_OK)
            return status;
    }
    return ARC_OK;
}

/* The number of a throw of that name. */
static ArcStatus number_find(const char *path, const char *name, ArcPlace place, int *number,
                             ArcError *err)
{
    const ArcYamlNode node = {.kind = ARC_YAML_SCALAR, .text = name, .place = place};
    return arc_reader_choice(path, &node, arc_aim_number_name, number, err);
}

ArcStatus arc_special_objectives(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcAimSettings *aim = &reader->experiment->aim;
    const ArcSettingRow *row = arc_setting_find("aim.objectives.NAME");
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    for (const ArcYamlNode *child = setting->node->first; child != NULL; child = child->next) {
        int number;
        const char *path = arc_arena_format(reader->arena, "%s.%s", setting->path, child->key);
        if (path == NULL)
            return arc_error_no_memory(err);
        ArcStatus status = number_find(setting->path, child->key, child->key_place, &number, err);
        if (status == ARC_OK)
            status = arc_reader_number(row, path, child, &aim->weight[number], err);
        if (status == ARC_OK)
            status = arc_reader_record_number(reader, path, aim->weight[number], "1", err);
        if (status != ARC_OK)
            return status;
    }
    return ARC_OK;
}

/* What a number of a throw can be at all. */
static ArcParameterInfo number_info(int number)
{
    static const double ranges[ARC_N_AIM_NUMBERS][2] = {[ARC_AIM_MISS] = {0.0, 1e6},
                                                        [ARC_AIM_SPEED] = {0.0, 1e4},
                                                        [ARC_AIM_ENTRY_ANGLE] = {-M_PI_2, M_PI_2},
                                                        [ARC_AIM_ENTRY_SPEED] = {0.0, 1e4},
                                                        [ARC_AIM_TIME] = {0.0, 60.0},
                                                        [ARC_AIM_HEIGHT] = {-1e6, 1e6},
                                                        [ARC_AIM_CLEARANCE] = {-1e6, 1e6},
                                                        [ARC_AIM_ENERGY] = {0.0, 1e9},
                                                        [ARC_AIM_PEAK_TORQUE] = {0.0, 1e9}};
    return (ArcParameterInfo){.name = arc_aim_number_name(number),
                              .unit = arc_aim_number_unit(number),
                              .low = ranges[number][0],
                              .high = ranges[number][1]};
}

static ArcStatus limit_read(ArcReader *reader, const ArcSetting *setting, const ArcYamlNode *child,
                            ArcError *err)
{
    ArcAimSettings *aim = &reader->experiment->aim;
    int number;
    const char *path = arc_arena_format(reader->arena, "%s.%s", setting->path, child->key);
    if (path == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = number_find(setting->path, child->key, child->key_place, &number, err);
    if (status != ARC_OK)
        return status;
    const ArcSetting one = {arc_setting_find("aim.limits.NAME"), path, child, &aim->least[number]};
    if (child->kind != ARC_YAML_MAPPING)
        return special_refuse(&one, NULL, err);
    if (child->n_children == 0)
        return special_refuse(&one, "a mapping without keys", err);
    reader->parameter = number_info(number);
    status = arc_reader_section(reader, one.row->path, &one, err);
    if (status == ARC_OK && !(aim->least[number] <= aim->most[number]))
        return arc_error_set_at(err, ARC_INPUT, arc_reader_place(child, "least"),
                                "%s: least, '%s', is more than most, '%s'", path,
                                arc_yaml_find(child, "least")->text,
                                arc_yaml_find(child, "most")->text);
    return status;
}

ArcStatus arc_special_limits(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcStatus status = ARC_OK;
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    for (const ArcYamlNode *child = setting->node->first; child != NULL && status == ARC_OK;
         child = child->next)
        status = limit_read(reader, setting, child, err);
    return status;
}

ArcStatus arc_special_maximise(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    bool is_on = special_is(setting->node, "probability");
    if (!is_on && !special_is(setting->node, "none"))
        return special_refuse(setting, NULL, err);
    reader->experiment->aim.maximise_probability = is_on;
    return ARC_OK;
}

ArcStatus arc_special_pareto(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcAimSettings *aim = &reader->experiment->aim;
    const ArcYamlNode *node = setting->node;
    int numbers[2];
    if (special_is(node, "none"))
        return ARC_OK;
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (node->n_children != 2)
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s has %d entries; wanted: %s",
                                setting->path, node->n_children, setting->row->accepts);
    for (int k = 0; k < 2; k++) {
        ArcStatus status = arc_reader_choice(setting->path, k == 0 ? node->first : node->last,
                                             arc_aim_number_name, &numbers[k], err);
        if (status != ARC_OK)
            return status;
        aim->front[k] = (ArcAimNumber)numbers[k];
    }
    if (numbers[0] == numbers[1])
        return arc_error_set_at(err, ARC_INPUT, node->last->place,
                                "'%s' is given twice in %s; give two numbers that pull against "
                                "each other",
                                node->last->text, setting->path);
    aim->has_front = true;
    return ARC_OK;
}

ArcStatus arc_special_contact(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcAimContact *contact = &reader->experiment->aim.contact;
    contact->is_on = false;
    if (special_is(setting->node, "none"))
        return ARC_OK;
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    contact->is_on = true;
    return special_section(reader, setting, setting->node, err);
}

ArcStatus arc_special_from(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    const ArcExperiment *experiment = reader->experiment;
    const ArcYamlNode *node = setting->node;
    double *from_rad = reader->experiment->aim.swing.from_rad;
    int joints = experiment->arm.settings.n_joints;
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (experiment->has_arm && node->n_children != joints)
        return arc_error_set_at(err, ARC_INPUT, node->place,
                                "%s has %d entries; wanted: one angle for each of %d joints",
                                setting->path, node->n_children, joints);
    for (const ArcYamlNode *item = node->first; item != NULL && experiment->has_arm;
         item = item->next) {
        ArcStatus status = arc_reader_number(setting->row, setting->path, item, from_rad++, err);
        if (status != ARC_OK)
            return status;
    }
    return ARC_OK;
}

ArcStatus arc_special_aim_swing(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    if (!reader->experiment->has_arm)
        return arc_error_set_at(err, ARC_INPUT, setting->node->key_place,
                                "%s is for a throw of an arm; give release: arm and arm, or leave "
                                "it out",
                                setting->path);
    reader->experiment->aim.swing.is_on = true;
    return special_section(reader, setting, setting->node, err);
}

/* Whether the throw has the number that is asked for at place. */
static ArcStatus number_check(const ArcExperiment *experiment, const char *path, int number,
                              ArcPlace place, ArcError *err)
{
    const ArcAimSettings *aim = &experiment->aim;
    const char *name = arc_aim_number_name(number), *why = NULL;
    if (number == ARC_AIM_CLEARANCE && aim->goal.kind == ARC_GOAL_POINT)
        why = "a point has no rim to clear; aim at a hoop or an area";
    else if (number == ARC_AIM_PEAK_TORQUE && !experiment->has_arm)
        why = "there is no arm; give release: arm and arm, or leave it out";
    else if (number == ARC_AIM_PEAK_TORQUE && !aim->swing.is_on)
        why = "it is of the swing; give aim.swing with the time that it takes";
    else if (number == ARC_AIM_MISS && strcmp(path, "aim.limits") == 0)
        why = "a throw that hits has none; leave it out, or give an area or a hoop their size";
    if (why == NULL)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, place, "%s: %s: %s", path, name, why);
}

/* All numbers that the section names. */
static ArcStatus numbers_check(const ArcExperiment *experiment, const ArcYamlNode *aim,
                               ArcError *err)
{
    static const char *const keys[] = {"objectives", "limits", "pareto"};
    for (int k = 0; k < 3; k++) {
        const ArcYamlNode *node = arc_yaml_find(aim, keys[k]);
        char path[32];
        snprintf(path, sizeof path, "aim.%s", keys[k]);
        for (const ArcYamlNode *child = node == NULL ? NULL : node->first; child != NULL;
             child = child->next) {
            bool is_key = child->key != NULL;
            int number;
            ArcPlace place = is_key ? child->key_place : child->place;
            ArcStatus status =
                number_find(path, is_key ? child->key : child->text, place, &number, err);
            if (status == ARC_OK)
                status = number_check(experiment, path, number, place, err);
            if (status != ARC_OK)
                return status;
        }
    }
    return ARC_OK;
}

/* Whether anything about a throw is uncertain. */
static bool has_scatter(const ArcExperiment *experiment)
{
    const ArcAimSettings *aim = &experiment->aim;
    bool has = aim->from_file != NULL || experiment->randomise.n > 0;
    for (int i = 0; i < experiment->n_parameters; i++)
        has = has || aim->scatter_sd[i] > 0.0 || experiment->parameters[i].has_prior;
    return has;
}

/* A release has nothing but itself. */
static ArcStatus release_check(const ArcYamlNode *node, ArcError *err)
{
    for (const ArcYamlNode *child = node->first; child != NULL; child = child->next)
        if (strcmp(child->key, "release") != 0)
            return arc_error_set_at(err, ARC_INPUT, child->key_place,
                                    "'%s' of aim is for a target, but aim.release is asked for; "
                                    "leave it out, or give aim.target",
                                    child->key);
    return ARC_OK;
}

/* What the keys must agree on. */
static ArcStatus target_check(const ArcExperiment *experiment, const ArcYamlNode *node,
                              ArcError *err)
{
    const ArcAimSettings *aim = &experiment->aim;
    ArcStatus status = numbers_check(experiment, node, err);
    bool is_weighted = false;
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++)
        is_weighted = is_weighted || aim->weight[k] != 0.0;
    if (status != ARC_OK)
        return status;
    if (aim->contact.is_on && aim->goal.kind != ARC_GOAL_HOOP)
        return arc_error_set_at(err, ARC_INPUT, arc_yaml_find(node, "contact")->key_place,
                                "aim.contact is of rim and backboard; aim at a hoop, or leave it "
                                "out");
    if (aim->maximise_probability && is_weighted)
        return arc_error_set_at(
            err, ARC_INPUT, arc_yaml_find(node, "maximise")->key_place,
            "aim has both maximise and objectives; keep one of them (maximise: none, "
            "objectives: {})");
    const char *asks = aim->maximise_probability ? "maximise"
                       : aim->monte_carlo > 0    ? "monte_carlo"
                                                 : NULL;
    if (asks != NULL && !has_scatter(experiment))
        return arc_error_set_at(err, ARC_INPUT, arc_yaml_find(node, asks)->key_place,
                                "aim.%s asks for a probability, but nothing scatters; give "
                                "aim.scatter, aim.from, randomise, or priors of parameters",
                                asks);
    return ARC_OK;
}

/* Read after the parameters and what is randomised, as the table's order says. */
ArcStatus arc_special_aim(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    ArcGoal *goal = &experiment->aim.goal;
    const ArcYamlNode *node = setting->node;
    if (node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    goal->place = node->key != NULL ? node->key_place : node->place;
    ArcStatus status = special_section(reader, setting, node, err);
    if (status != ARC_OK)
        return status;
    if (goal->kind == ARC_GOAL_RELEASE)
        return release_check(node, err);
    if (goal->kind == ARC_GOAL_NONE)
        return special_refuse(setting, "without a goal", err);
    return target_check(experiment, node, err);
}
