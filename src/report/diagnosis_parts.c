/* What a diagnosis found: the summary and its warnings. */
#include "report/diagnosis_parts.h"

#include "arcfit/report.h"
#include "report/table.h"
#include "report/warning_words.h"

#include <math.h>
#include <stdio.h>

static const char *const axes[] = {"x", "y", "z"};

/* The text so far as one paragraph, and freed. */
static void put_entry(ArcText *table, const char *name, ArcText *text)
{
    char *words;
    if (arc_text_finish(text, &words, NULL) != ARC_OK) {
        table->failed = true;
        return;
    }
    arc_table_entry(table, name, words);
    arc_text_free(words);
    *text = (ArcText){0};
}

static void put_summary(ArcText *table, const ArcCapture *capture, const ArcDiagnosis *diagnosis)
{
    ArcText text = {0};
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    if (!diagnosis->has_flight)
        return;
    if (isfinite(diagnosis->noise_m[0])) {
        for (int e = 0; e < capture->dimensions; e++)
            arc_text_append(&text, "%s%s mm along %s", e == 0 ? "" : ", ",
                            arc_table_plain(a, 1e3 * diagnosis->noise_m[e], 2), axes[e]);
        put_entry(table, "noise found", &text);
    }
    arc_text_append(&text, "%s m/s at %s s", arc_table_plain(a, diagnosis->speed_m_s[0], 3),
                    arc_table_plain(b, diagnosis->stretch.window_s[0], 4));
    arc_text_append(&text, ", %s m/s at %s s", arc_table_plain(a, diagnosis->speed_m_s[1], 3),
                    arc_table_plain(b, diagnosis->stretch.window_s[1], 4));
    put_entry(table, "speed found", &text);
    arc_text_append(&text, "%s m/s^2, %s deg from down, drag and lift left open",
                    arc_table_value(a, diagnosis->gravity_m_s2, diagnosis->gravity_sd_m_s2, 1.0),
                    arc_table_value(b, diagnosis->tilt_rad, diagnosis->tilt_sd_rad, 180.0 / M_PI));
    put_entry(table, "gravity found", &text);
}

void arc_diagnosis_parts_text(ArcText *table, const ArcCapture *capture, const ArcFlight *flight,
                              const ArcDiagnosis *diagnosis, bool scale_is_open)
{
    put_summary(table, capture, diagnosis);
    if (diagnosis->has_flight && scale_is_open)
        arc_table_entry(table, "found in",
                        "lengths and times as the file has them: the scale or the clock is a free "
                        "parameter, at 1 here");
    for (int i = 0; i < diagnosis->n_warnings; i++) {
        const ArcWarning *warning = &diagnosis->warnings[i];
        ArcText text = {0};
        arc_text_append(&text, "%s: ", arc_finding_code(warning->finding));
        arc_warning_words(&text, capture, flight, diagnosis, warning);
        put_entry(table, "warning", &text);
    }
}

static void put_value(ArcJson *json, json_t *object, const char *key, double value, double sd)
{
    json_t *pair = arc_json_object(json);
    arc_json_put_number(json, pair, "value", value);
    arc_json_put_number(json, pair, "sd", sd);
    arc_json_put(json, object, key, pair);
}

json_t *arc_diagnosis_parts_json(ArcJson *json, const ArcCapture *capture,
                                 const ArcDiagnosis *diagnosis)
{
    json_t *object = arc_json_object(json);
    arc_json_put_number(json, object, "step_s", diagnosis->step_s);
    arc_json_put_bool(json, object, "regular", diagnosis->is_regular);
    arc_json_put_integer(json, object, "flights", diagnosis->n_stretches);
    arc_json_put(json, object, "noise_m",
                 arc_json_vector(json, capture->dimensions, diagnosis->noise_m));
    arc_json_put(json, object, "speed_m_s", arc_json_vector(json, 2, diagnosis->speed_m_s));
    put_value(json, object, "gravity_m_s2", diagnosis->gravity_m_s2, diagnosis->gravity_sd_m_s2);
    put_value(json, object, "tilt_rad", diagnosis->tilt_rad, diagnosis->tilt_sd_rad);
    put_value(json, object, "drag_1_m", diagnosis->drag_per_m, diagnosis->drag_sd_per_m);
    return object;
}

static json_t *reasons_json(ArcJson *json, const ArcWarning *warning)
{
    static const char *const kinds[] = {[ARC_REASON_RATE] = "rate",
                                        [ARC_REASON_FRAMES] = "frames",
                                        [ARC_REASON_MS] = "ms",
                                        [ARC_REASON_UNIT] = "unit",
                                        [ARC_REASON_METRES] = "metres"};
    json_t *array = arc_json_array(json);
    for (int i = 0; i < warning->n_reasons; i++) {
        const ArcReason *reason = &warning->reasons[i];
        json_t *object = arc_json_object(json);
        arc_json_put_string(json, object, "kind", kinds[reason->kind]);
        arc_json_put_number(json, object, "rate_per_s", reason->rate_per_s);
        arc_json_put_number(json, object, "stated_per_s", reason->stated_per_s);
        arc_json_put_string(json, object, "unit", reason->unit);
        arc_json_push(json, array, object);
    }
    return array;
}

static json_t *warning_json(ArcJson *json, const ArcCapture *capture, const ArcFlight *flight,
                            const ArcDiagnosis *diagnosis, const ArcWarning *warning)
{
    json_t *object = arc_json_object(json), *lines = arc_json_array(json);
    ArcText text = {0};
    char *words;
    arc_json_put_string(json, object, "code", arc_finding_code(warning->finding));
    arc_warning_words(&text, capture, flight, diagnosis, warning);
    if (arc_text_finish(&text, &words, NULL) == ARC_OK) {
        arc_json_put_string(json, object, "text", words);
        arc_text_free(words);
    } else {
        json->failed = true;
    }
    arc_json_put_number(json, object, "value", warning->value);
    arc_json_put_number(json, object, "sd", warning->sd);
    arc_json_put_number(json, object, "expected", warning->expected);
    arc_json_put_integer(json, object, "n", warning->n);
    for (int i = 0; i < ARC_WARNING_POINTS && warning->points[i] >= 0; i++)
        arc_json_push(json, lines, json_integer(capture->line[warning->points[i]]));
    arc_json_put(json, object, "lines", lines);
    arc_json_put(json, object, "reasons", reasons_json(json, warning));
    return object;
}

json_t *arc_diagnosis_parts_warnings(ArcJson *json, const ArcCapture *capture,
                                     const ArcFlight *flight, const ArcDiagnosis *diagnosis)
{
    json_t *array = arc_json_array(json);
    for (int i = 0; i < diagnosis->n_warnings; i++)
        arc_json_push(json, array,
                      warning_json(json, capture, flight, diagnosis, &diagnosis->warnings[i]));
    return array;
}

ArcStatus arc_report_warning_text(const ArcCapture *capture, const ArcFlight *flight,
                                  const ArcDiagnosis *diagnosis, int index, char **text,
                                  ArcError *err)
{
    ArcText words = {0};
    if (index >= 0 && index < diagnosis->n_warnings)
        arc_warning_words(&words, capture, flight, diagnosis, &diagnosis->warnings[index]);
    return arc_text_finish(&words, text, err);
}
