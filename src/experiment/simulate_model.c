/* The section `simulate` of own equations: channels and rounding; and the list of times, which
 * flights may have, too. */
#include "base/number.h"
#include "experiment/model.h"
#include "experiment/special.h"

#include <math.h>

enum { MOST_TIMES = 100000 };

ArcStatus arc_simulate_read_channels(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    const ArcYamlNode *node = setting->node;
    uint32_t channels = 0;
    if (experiment->equations == NULL)
        return arc_error_set_at(err, ARC_INPUT, node->key_place,
                                "%s is for a model, and this is the flight of a ball; leave it out",
                                setting->path);
    if (node->kind != ARC_YAML_SEQUENCE || node->n_children == 0)
        return special_refuse(setting, node->kind == ARC_YAML_SEQUENCE ? "an empty list" : NULL,
                              err);
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next) {
        ArcStatus status = arc_reader_scalar(setting->path, item, "a channel", err);
        if (status != ARC_OK)
            return status;
        int c = arc_model_channel(experiment, setting->path, item->text, item->place, err);
        if (c < 0)
            return ARC_INPUT;
        if ((channels >> c & 1u) != 0)
            return arc_error_set_at(err, ARC_INPUT, item->place, "'%s' is given twice in %s",
                                    item->text, setting->path);
        channels |= (uint32_t)1 << c;
    }
    experiment->simulate.channels = channels;
    return ARC_OK;
}

/* Of a model a plain zero, or a grid for each channel. */
static ArcStatus rounding_of_channels(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    ArcSimulateSettings *simulate = &experiment->simulate;
    const ArcYamlNode *node = setting->node;
    double number;
    if (node->kind == ARC_YAML_SCALAR) {
        size_t n = arc_number_read_prefix(node->text, strlen(node->text), &number);
        return n > 0 && number == 0 ? ARC_OK : special_refuse(setting, NULL, err);
    }
    return arc_model_read_sigma(reader, setting, simulate->channel_rounding, NULL, err);
}

ArcStatus arc_simulate_read_rounding(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    if (experiment->equations != NULL)
        return rounding_of_channels(reader, setting, err);
    return arc_special_sensor_size(reader, setting, err);
}

ArcStatus arc_simulate_read_times(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcSimulateSettings *simulate = &reader->experiment->simulate;
    const ArcYamlNode *node = setting->node;
    int n = 0;
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (node->n_children < 2 || node->n_children > MOST_TIMES)
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s has %d entries; wanted: %s",
                                setting->path, node->n_children, setting->row->accepts);
    double *times_s = ARC_ALLOC(reader->arena, (size_t)node->n_children, double);
    if (times_s == NULL)
        return arc_error_no_memory(err);
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next, n++) {
        ArcStatus status = arc_reader_number(setting->row, setting->path, item, &times_s[n], err);
        if (status != ARC_OK)
            return status;
        if (n > 0 && !(times_s[n] > times_s[n - 1]))
            return arc_error_set_at(err, ARC_INPUT, item->place,
                                    "%s: '%s' is not later than the time before it", setting->path,
                                    item->text);
    }
    simulate->n_times = n;
    simulate->times_s = times_s;
    return ARC_OK;
}
