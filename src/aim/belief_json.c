/* A change as JSON, put into the document of the aim that it belongs to. */
#include "arcfit/belief.h"

#include "base/text.h"
#include "io/json.h"

#include <math.h>
#include <string.h>

static bool is_uncertain(const ArcBeliefChange *change, int i)
{
    int at = i * (change->after.n + 1);
    return change->before.covariance[at] > 0.0 || change->after.covariance[at] > 0.0;
}

static json_t *json_state(ArcJson *json, const ArcBelief *belief, int i)
{
    json_t *object = arc_json_object(json);
    arc_json_put_number(json, object, "value", belief->mean[i]);
    arc_json_put_number(json, object, "sd", sqrt(belief->covariance[i * (belief->n + 1)]));
    return object;
}

/* The later covariance of the uncertain parameters, in the order of "parameters". */
static json_t *json_covariance(ArcJson *json, const ArcBeliefChange *change)
{
    json_t *rows = arc_json_array(json);
    const ArcBelief *after = &change->after;
    for (int i = 0; i < after->n; i++) {
        if (!is_uncertain(change, i))
            continue;
        json_t *row = arc_json_array(json);
        for (int j = 0; j < after->n; j++)
            if (is_uncertain(change, j))
                arc_json_push(json, row,
                              arc_json_number(json, after->covariance[i * after->n + j]));
        arc_json_push(json, rows, row);
    }
    return rows;
}

static json_t *json_change(ArcJson *json, const ArcExperiment *experiment,
                           const ArcBeliefChange *change)
{
    const ArcBelief *before = &change->before, *after = &change->after;
    json_t *object = arc_json_object(json), *parameters = arc_json_array(json);
    bool has_dof = change->dof > 0;
    arc_json_put_integer(json, object, "results", change->n_results);
    arc_json_put_integer(json, object, "throws", change->n_throws);
    arc_json_put_number(json, object, "chi2", change->chi2);
    arc_json_put_integer(json, object, "dof", change->dof);
    arc_json_put_number(json, object, "chi2_p", has_dof ? change->chi2_p : (double)NAN);
    arc_json_put_integer(json, object, "worst_result", change->worst + 1);
    arc_json_put_number(json, object, "worst_p", change->worst_p);
    for (int i = 0; i < after->n; i++) {
        if (!is_uncertain(change, i))
            continue;
        double sd = sqrt(before->covariance[i * (before->n + 1)]);
        json_t *row = arc_json_object(json);
        arc_json_put_string(json, row, "name", experiment->parameters[i].name);
        arc_json_put_string(json, row, "unit", experiment->parameters[i].unit);
        arc_json_put(json, row, "before", json_state(json, before, i));
        arc_json_put(json, row, "after", json_state(json, after, i));
        arc_json_put_number(json, row, "moved_sd", (after->mean[i] - before->mean[i]) / sd);
        arc_json_push(json, parameters, row);
    }
    arc_json_put(json, object, "parameters", parameters);
    arc_json_put(json, object, "covariance", json_covariance(json, change));
    return object;
}

/* The bytes of text up to its last one that is no white space. */
static size_t written(const char *text)
{
    size_t size = strlen(text);
    while (size > 0 && strchr(" \n\t\r", text[size - 1]) != NULL)
        size--;
    return size;
}

/* By the text: so numbers stay to the digit, and what cannot be read for want of memory is not
 * taken for something else. */
ArcStatus arc_belief_change_json(const ArcExperiment *experiment, const ArcBeliefChange *change,
                                 const char *of, char **text, ArcError *err)
{
    ArcJson json = {0};
    ArcText made = {0};
    char *inner = NULL;
    size_t size = written(of);
    if (size < 2 || of[0] != '{' || of[size - 1] != '}')
        return arc_error_set(err, ARC_USAGE, "error: a change goes into a JSON object");
    ArcStatus status = arc_json_text(&json, json_change(&json, experiment, change), &inner, err);
    if (status != ARC_OK)
        return status;
    arc_text_append_bytes(&made, of, size - 1);
    while (made.size > 0 && strchr(" \n", made.bytes[made.size - 1]) != NULL)
        made.size--;
    arc_text_append(&made, "%s\n  \"correction\": ", made.size > 1 ? "," : "");
    for (size_t i = 0, n = written(inner); i < n; i++)
        arc_text_append(&made, "%c%s", inner[i], inner[i] == '\n' ? "  " : "");
    arc_text_append(&made, "\n}\n");
    arc_text_free(inner);
    return arc_text_finish(&made, text, err);
}
