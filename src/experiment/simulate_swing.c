/* The section `simulate.swing` and the list `simulate.readings`. */
#include "experiment/special.h"

#include <math.h>

ArcStatus arc_simulate_read_swing(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    reader->experiment->simulate.swing.is_on = true;
    return special_section(reader, setting, setting->node, err);
}

static const char *place_name(int index)
{
    static const char *const names[] = {"elbow",  "hand",   "ball",  "joint1",
                                        "joint2", "joint3", "joint4"};
    return index >= 0 && index < 7 ? names[index] : NULL;
}

ArcStatus arc_simulate_read_places(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    unsigned places = 0;
    if (setting->node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    for (const ArcYamlNode *item = setting->node->first; item != NULL; item = item->next) {
        int place;
        ArcStatus status = arc_reader_choice(setting->path, item, place_name, &place, err);
        if (status != ARC_OK)
            return status;
        if ((places & 1u << place) != 0)
            return arc_error_set_at(err, ARC_INPUT, item->place, "'%s' is given twice in %s",
                                    item->text, setting->path);
        places |= 1u << place;
    }
    reader->experiment->simulate.swing.places = places;
    return ARC_OK;
}

/* Names alone: which parameters there are is known only once all is read. */
ArcStatus arc_simulate_read_readings(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcSimulateSettings *simulate = &reader->experiment->simulate;
    simulate->n_readings = 0;
    if (setting->node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    for (const ArcYamlNode *item = setting->node->first; item != NULL; item = item->next) {
        ArcStatus status = arc_reader_scalar(setting->path, item, setting->row->accepts, err);
        if (status != ARC_OK)
            return status;
        if (simulate->n_readings == ARC_MAX_READINGS)
            return arc_error_set_at(err, ARC_INPUT, item->place, "%s has more than %d names",
                                    setting->path, ARC_MAX_READINGS);
        simulate->readings[simulate->n_readings++] = item->text;
    }
    return ARC_OK;
}
