/* What the readers of special rows share. */
#ifndef ARC_EXPERIMENT_SPECIAL_H
#define ARC_EXPERIMENT_SPECIAL_H

#include "experiment/reader.h"

#include <string.h>

/* A section with the setting's own row as its parent. */
static inline ArcStatus special_section(ArcReader *reader, const ArcSetting *setting,
                                        const ArcYamlNode *node, ArcError *err)
{
    ArcSetting section = *setting;
    section.node = node;
    return arc_reader_section(reader, setting->row->path, &section, err);
}

static inline bool special_is(const ArcYamlNode *node, const char *word)
{
    return node->kind == ARC_YAML_SCALAR && strcmp(node->text, word) == 0;
}

/* True for what no number begins with. */
static inline bool special_is_word(const ArcYamlNode *node)
{
    char first = node->kind == ARC_YAML_SCALAR ? node->text[0] : '\0';
    return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
}

static inline ArcStatus special_refuse(const ArcSetting *setting, const char *what, ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    if (what == NULL)
        what = node->kind != ARC_YAML_SCALAR ? arc_yaml_kind_text(node)
               : arc_yaml_is_null(node)      ? "empty"
                                             : NULL;
    if (what != NULL)
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s is %s; wanted: %s", setting->path,
                                what, setting->row->accepts);
    return arc_error_set_at(err, ARC_INPUT, node->place,
                            "'%.100s' is not accepted for %s; wanted: %s", node->text,
                            setting->path, setting->row->accepts);
}

/* A number of pixels, told by its unit; false where it is none (special_loss.c). */
bool arc_special_read_pixels(const ArcSetting *setting, double *value, ArcStatus *status,
                             ArcError *err);
/* A net file, or auto: special.c. */
ArcStatus arc_special_read_net(ArcReader *reader, const ArcSetting *setting, bool *is_auto,
                               ArcNetSettings *net, ArcError *err);

/* Whether a closure gives the lift, before it is read: special_closure.c. */
bool arc_closure_gives_lift(const ArcReader *reader);

/* Unit, default and range of the i-th parameter of the experiment (parameters.c). */
const ArcParameterInfo *arc_parameter_info(const ArcExperiment *experiment, int i);

/* The parameters that every release can have, from 0; NULL behind the last (parameters.c). */
const ArcParameterInfo *arc_parameter_of_release(int i);

/* True for a key that --set gave. */
static inline bool special_is_overridden(const ArcYamlNode *node)
{
    return node != NULL && strcmp(node->key_place.file, "--set") == 0;
}

#endif
