/* Settings of the observations' loss and sigma: what they accept is in their rows (settings.c). */
#include "experiment/model.h"
#include "experiment/special.h"

static const double huber_tuning = 1.345, cauchy_tuning = 2.385, student_dof = 4.0;
static const double least_px = 1e-9, most_px = 1e6;

/* `estimate`, which leaves *value alone, or a number of the row. */
static ArcStatus read_or_estimate(const ArcSetting *setting, bool *estimated, double *value,
                                  ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    *estimated = special_is(node, "estimate");
    if (*estimated)
        return ARC_OK;
    if (special_is_word(node))
        return special_refuse(setting, NULL, err);
    return arc_reader_number(setting->row, setting->path, node, value, err);
}

bool arc_special_read_pixels(const ArcSetting *setting, double *value, ArcStatus *status,
                             ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    size_t length = node->kind == ARC_YAML_SCALAR ? strlen(node->text) : 0;
    if (length < 3 || strcmp(node->text + length - 2, "px") != 0)
        return false;
    ArcSettingRow row = *setting->row;
    row.quantity = ARC_PIXELS;
    row.low = least_px;
    row.high = most_px;
    *status = arc_reader_number(&row, setting->path, node, value, err);
    return true;
}

ArcStatus arc_special_noise_sigma(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcSimulateSettings *simulate = &reader->experiment->simulate;
    ArcStatus status;
    if (reader->experiment->equations != NULL)
        return arc_model_read_sigma(reader, setting, simulate->channel_sigma, NULL, err);
    if (arc_special_read_pixels(setting, &simulate->sigma_px, &status, err))
        return status;
    return arc_reader_number(setting->row, setting->path, setting->node, &simulate->sigma_m, err);
}

ArcStatus arc_special_sigma(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcCaptureSettings *capture = &reader->experiment->capture;
    ArcStatus status;
    if (reader->experiment->equations != NULL)
        return arc_model_read_sigma(reader, setting, capture->channel_sigma,
                                    &capture->sigma_estimated, err);
    if (arc_special_read_pixels(setting, &capture->sigma_px, &status, err))
        return status;
    return read_or_estimate(setting, &capture->sigma_estimated, &capture->sigma_m, err);
}

ArcStatus arc_special_dof(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcLoss *loss = &reader->experiment->loss;
    return read_or_estimate(setting, &loss->dof_estimated, &loss->dof, err);
}

/* Only the kind decides which of the other two there are. */
static ArcStatus loss_check(const ArcLoss *loss, const ArcYamlNode *node, const char *path,
                            ArcError *err)
{
    const ArcYamlNode *dof = arc_yaml_find(node, "dof"), *tuning = arc_yaml_find(node, "tuning");
    bool has_dof = loss->kind == ARC_LOSS_STUDENT_T;
    bool has_tuning = loss->kind == ARC_LOSS_HUBER || loss->kind == ARC_LOSS_CAUCHY;
    if (dof != NULL && !has_dof)
        return arc_error_set_at(err, ARC_INPUT, dof->key_place,
                                "the key 'dof' in %s belongs to student-t, but kind is %s; leave "
                                "it out",
                                path, arc_loss_name((int)loss->kind));
    if (tuning != NULL && !has_tuning)
        return arc_error_set_at(err, ARC_INPUT, tuning->key_place,
                                "the key 'tuning' in %s belongs to huber and cauchy, but kind is "
                                "%s; leave it out",
                                path, arc_loss_name((int)loss->kind));
    return ARC_OK;
}

ArcStatus arc_special_loss(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcLoss *loss = &reader->experiment->loss;
    const ArcYamlNode *node = setting->node;
    ArcStatus status = ARC_OK;
    if (node->kind == ARC_YAML_MAPPING) {
        status = arc_reader_section(reader, setting->row->path, setting, err);
        if (status == ARC_OK)
            status = loss_check(loss, node, setting->path, err);
    } else {
        int kind = ARC_LOSS_GAUSS;
        status = arc_reader_choice(setting->path, node, arc_loss_name, &kind, err);
        loss->kind = (ArcLossKind)kind;
    }
    if (status != ARC_OK)
        return status;
    if (loss->tuning == 0.0 && loss->kind == ARC_LOSS_HUBER)
        loss->tuning = huber_tuning;
    if (loss->tuning == 0.0 && loss->kind == ARC_LOSS_CAUCHY)
        loss->tuning = cauchy_tuning;
    if (loss->kind == ARC_LOSS_STUDENT_T && loss->dof == 0.0 && !loss->dof_estimated)
        loss->dof = student_dof;
    return ARC_OK;
}
