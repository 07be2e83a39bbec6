/* The section `simulate`: its defaults, and the size of outliers, which is a number or a length. */
#include "base/number.h"
#include "experiment/reader.h"

#include <math.h>
#include <string.h>

ArcSimulateSettings arc_simulate_settings_default(void)
{
    ArcSimulateSettings settings = {.duration_s = NAN,
                                    .rate_per_s = NAN,
                                    .sigma_m = NAN,
                                    .sigma_px = NAN,
                                    .swing = {.duration_s = NAN,
                                              .rate_per_s = NAN,
                                              .sigma_m = NAN,
                                              .sigma_rad = NAN,
                                              .sigma_rad_s = NAN},
                                    .noise = {.outlier_size_sd = 10.0,
                                              .outlier_size_m = NAN,
                                              .dropped_run = NAN,
                                              .sensor = arc_sensor_default()}};
    for (int c = 0; c < ARC_EQUATIONS_MAX_CHANNELS; c++)
        settings.channel_sigma[c] = NAN;
    return settings;
}

/* A plain number counts standard deviations here, so that a length must name its unit. */
ArcStatus arc_simulate_read_size(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcNoise *noise = &reader->experiment->simulate.noise;
    const ArcYamlNode *node = setting->node;
    ArcSettingRow row = *setting->row;
    ArcStatus status = arc_reader_scalar(setting->path, node, row.accepts, err);
    if (status != ARC_OK)
        return status;
    double number;
    bool is_plain = arc_number_read(node->text, strlen(node->text), &number);
    if (is_plain)
        row.quantity = ARC_ONE;
    status = arc_reader_number(&row, setting->path, node, &number, err);
    if (status == ARC_OK && !is_plain && reader->experiment->equations != NULL)
        return arc_error_set_at(err, ARC_INPUT, node->place,
                                "%s is a length, but of a model it counts standard deviations; "
                                "give a plain number",
                                setting->path);
    if (status == ARC_OK && is_plain)
        noise->outlier_size_sd = number;
    else if (status == ARC_OK)
        noise->outlier_size_m = number;
    return status;
}
