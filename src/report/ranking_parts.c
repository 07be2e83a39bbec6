/* A ranking as a table, a sentence and JSON. */
#include "report/ranking_parts.h"

#include "report/closure_parts.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_WIDTH = 20, BIASED_TOLD = 6 };
/* Parameters off by more than so many sd are told as biased where the data want the closure. */
static const double biased_sd = 2.0, moved_sd = 0.1, wanted_log_bayes = 3.0;
/* A parameter with a smaller p is needed, one with a larger is not; between them it is open. */
static const double needed_p = 0.01, needless_p = 0.05;
/* Criteria of two methods that differ by less are alike. */
static const double alike = 0.05, alike_share = 1e-3; /* and of what a model is behind */

typedef enum Standing {
    STANDING_BEST,
    STANDING_CLOSE,
    STANDING_WORSE,
    STANDING_OUT,
    STANDING_NONE
} Standing;

/* Where a model stands; the best of all is told by its place. */
static Standing standing_of(const ArcRanking *ranking, int place)
{
    const ArcRankedModel *model = &ranking->models[place];
    if (!model->converged)
        return STANDING_NONE;
    if (model->chi2_p < ARC_MISFIT_P)
        return STANDING_OUT;
    if (isnan(model->delta))
        return STANDING_NONE;
    return place == 0                         ? STANDING_BEST
           : model->delta < ARC_RANKING_CLOSE ? STANDING_CLOSE
                                              : STANDING_WORSE;
}

/* "; models 2 and 3 LONG" for all models of a standing, nothing where there is none. */
static void say_models(ArcText *text, const ArcRanking *ranking, Standing standing,
                       const char *what[2])
{
    int n = 0, said = 0;
    for (int i = 0; i < ranking->n; i++)
        n += standing_of(ranking, i) == standing;
    for (int i = 0; i < ranking->n; i++) {
        if (standing_of(ranking, i) != standing)
            continue;
        const char *before = n > 1 ? "; models " : "; model ";
        if (said > 0)
            before = said == n - 1 ? " and " : ", ";
        arc_text_append(text, "%s%d", before, i + 1);
        said++;
    }
    if (n > 0)
        arc_text_append(text, " %s", what[n > 1]);
}

void arc_ranking_parts_sentence(ArcText *text, const ArcRanking *ranking)
{
    const char *name = ranking->by_aicc ? "AICc" : "AIC";
    char number[ARC_TABLE_NUMBER];
    if (ranking->not_comparable != NULL) {
        arc_text_append(text, "the models cannot be ranked: %s", ranking->not_comparable);
        return;
    }
    Standing first = standing_of(ranking, 0);
    if (first == STANDING_BEST)
        arc_text_append(text, "the data prefer model 1 (weight %s)",
                        arc_table_plain(number, ranking->models[0].weight, 2));
    else if (first == STANDING_OUT)
        arc_text_append(text, "of the models that chi2 rules out, model 1 has the least %s", name);
    else
        arc_text_append(text, "no model has a criterion to be ranked by");
    say_models(text, ranking, STANDING_CLOSE,
               (const char *[]){"cannot be told from it", "cannot be told from it"});
    say_models(text, ranking, STANDING_WORSE,
               (const char *[]){"explains them less well", "explain them less well"});
    say_models(text, ranking, STANDING_OUT,
               (const char *[]){"is ruled out by chi2", "are ruled out by chi2"});
    if (first != STANDING_NONE)
        say_models(text, ranking, STANDING_NONE,
                   (const char *[]){"has no criterion or did not converge",
                                    "have no criterion or did not converge"});
}

static void entry(ArcText *table, const char *name, ArcText *text)
{
    char *line;
    if (arc_text_finish(text, &line, NULL) != ARC_OK) {
        table->failed = true;
        return;
    }
    arc_table_entry(table, name, line);
    arc_text_free(line);
}

/* Beneath its row, what tells this run from others of the same file. */
static void overrides(ArcText *table, const ArcResult *result)
{
    for (int i = 0; i < result->n_overrides; i++) {
        arc_text_append(table, "     ");
        arc_table_last(table, ARC_TABLE_WIDTH - 5, result->overrides[i]);
    }
}

static void ranking_table(ArcText *table, const ArcRanking *ranking,
                          const ArcResult *const *results)
{
    char number[ARC_TABLE_NUMBER];
    arc_text_append(table, "rank %-20s %3s %8s %8s %7s %6s %8s %8s\n",
                    ranking->method == ARC_PINN ? "experiment (PINN)" : "experiment (direct)", "k",
                    "deviance", ranking->by_aicc ? "AICc" : "AIC", "more", "weight", "BIC",
                    "chi2 p");
    for (int i = 0; i < ranking->n; i++) {
        const ArcRankedModel *model = &ranking->models[i];
        const ArcCriteria *c = &model->criteria;
        const struct {
            int width, digits;
            double value;
        } cells[] = {{8, 5, c->deviance},  {8, 5, ranking->by_aicc ? c->aicc : c->aic},
                     {7, 4, model->delta}, {6, 0, model->weight},
                     {8, 5, c->bic},       {8, 3, model->chi2_p}};
        arc_text_append(table, "%4d ", i + 1);
        arc_table_cell(table, NAME_WIDTH, results[model->index]->experiment_path);
        arc_text_append(table, "%3d", c->k);
        for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++) {
            int digits = cells[k].digits;
            do
                arc_table_plain(number, cells[k].value, digits);
            while ((int)strlen(number) > cells[k].width && --digits > 0);
            /* A weight is a share: decimals, not digits. */
            if (cells[k].digits == 0 && !isnan(cells[k].value))
                snprintf(number, sizeof number, "%.3f", cells[k].value);
            arc_text_append(table, " %*s", cells[k].width, number);
        }
        arc_text_append(table, "%s\n", model->converged ? "" : " !");
        overrides(table, results[model->index]);
    }
    arc_text_append(table, "\n");
}

static void nested_entries(ArcText *table, const ArcRanking *ranking)
{
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    for (int i = 0; i < ranking->n_tests; i++) {
        const ArcNestedTest *test = &ranking->tests[i];
        ArcText text = {0};
        arc_text_append(&text, "model %d is model %d with %d %s less, which %s (%s %s, p %s)",
                        test->smaller + 1, test->larger + 1, test->added,
                        test->added == 1 ? "parameter" : "parameters",
                        test->p < needed_p     ? "the data need"
                        : test->p > needless_p ? "the data do not need"
                                               : "the data may need",
                        test->is_f ? "F" : "chi2 falls by", arc_table_plain(a, test->statistic, 3),
                        arc_table_plain(b, test->p, 2));
        entry(table, i == 0 ? "nested" : "", &text);
    }
}

/* "parameters are biased: cd by 5.3 sd, s by -2.1 sd", the worst ones first; false where none is
 * off by enough to tell. */
static bool say_biased(ArcText *text, const ArcClosurePair *pair, bool is_wanted)
{
    char number[ARC_TABLE_NUMBER];
    double below = INFINITY, least = is_wanted ? biased_sd : moved_sd;
    int told = 0;
    for (; told < BIASED_TOLD; told++) {
        int worst = -1;
        for (int k = 0; k < pair->n; k++)
            if (fabs(pair->in_sd[k]) < below && fabs(pair->in_sd[k]) > least &&
                (worst < 0 || fabs(pair->in_sd[k]) > fabs(pair->in_sd[worst])))
                worst = k;
        if (worst < 0)
            break;
        below = fabs(pair->in_sd[worst]);
        arc_text_append(text, "%s%s by %s sd",
                        told > 0    ? ", "
                        : is_wanted ? "parameters are biased: "
                                    : "parameters move: ",
                        pair->names[worst], arc_table_plain(number, pair->in_sd[worst], 2));
    }
    return told > 0;
}

/* What leaving out a closure does to the rest. */
static void closure_entries(ArcText *table, const ArcRanking *ranking,
                            const ArcResult *const *results)
{
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER], c[ARC_TABLE_NUMBER];
    for (int i = 0; i < ranking->n_pairs; i++) {
        const ArcClosurePair *pair = &ranking->pairs[i];
        const ArcResult *with = results[ranking->models[pair->with].index];
        const ArcClosureFit *closure = arc_result_fit(with, ranking->method)->closure;
        bool is_wanted =
            pair->log_bayes >= wanted_log_bayes && arc_closure_parts_is_wanted(closure);
        ArcText text = {0};
        arc_text_append(&text,
                        "model %d is model %d without its closure; the data %s (log Bayes factor "
                        "%s; chi2 %s without, %s with)",
                        pair->without + 1, pair->with + 1, arc_closure_parts_words(closure),
                        arc_closure_parts_log_bayes(a, pair->log_bayes),
                        arc_table_plain(b, pair->chi2_without, 5),
                        arc_table_plain(c, pair->chi2_with, 5));
        arc_text_append(&text, "; without it ");
        if (!say_biased(&text, pair, is_wanted))
            arc_text_append(&text, "no parameter is off by more than %s sd",
                            arc_table_plain(a, is_wanted ? biased_sd : moved_sd, 2));
        entry(table, i == 0 ? "closure" : "", &text);
    }
}

/* The same order and nearly the same criteria. */
static bool are_alike(const ArcRanking *a, const ArcRanking *b)
{
    if (a->n != b->n || a->by_aicc != b->by_aicc)
        return false;
    for (int i = 0; i < a->n; i++) {
        const ArcRankedModel *one = &a->models[i], *other = &b->models[i];
        if (one->index != other->index || one->converged != other->converged ||
            !(fabs(one->criteria.aic - other->criteria.aic) < alike + alike_share * one->delta))
            return false;
    }
    return true;
}

static void ranking_section(ArcText *table, const ArcRanking *ranking,
                            const ArcResult *const *results)
{
    ArcText text = {0};
    ranking_table(table, ranking, results);
    nested_entries(table, ranking);
    closure_entries(table, ranking, results);
    arc_ranking_parts_sentence(&text, ranking);
    entry(table, ranking->not_comparable == NULL ? "ranking" : "warning", &text);
}

/* What the columns mean, and which of them are missing why. */
static void explain(ArcText *table, const ArcRanking *ranking)
{
    arc_table_entry(table, "criteria",
                    "deviance: chi2 + prior chi2, or n log(sum of squares / n) + prior chi2 where "
                    "sigma is estimated; AIC = deviance + 2 k; AICc = AIC + 2 k (k + 1) / (n - k - "
                    "1), none where n - k - 1 < 1; BIC = deviance + k log n; weight: Akaike's; "
                    "less is better, and less than 2 more says little");
    for (int i = 0; i < ranking->n; i++) {
        const ArcRankedModel *model = &ranking->models[i];
        ArcText text = {0};
        if (!model->converged)
            arc_text_append(&text, "model %d (!) did not converge", i + 1);
        else if (isnan(model->criteria.deviance))
            arc_text_append(&text,
                            "model %d has no criteria: they need the loss gauss, of a PINN exact "
                            "physics, and no population",
                            i + 1);
        else if (isnan(model->criteria.aicc))
            arc_text_append(&text, "model %d has no AICc: %d numbers are too few for %d parameters",
                            i + 1, model->criteria.n, model->criteria.k);
        else
            continue;
        entry(table, "", &text);
    }
}

ArcStatus arc_ranking_parts_section(ArcText *table, int n, const ArcResult *const *results,
                                    ArcError *err)
{
    ArcRanking *direct = NULL, *pinn = NULL;
    ArcStatus status = arc_ranking_create(n, results, ARC_DIRECT, &direct, err);
    if (status == ARC_OK)
        status = arc_ranking_create(n, results, ARC_PINN, &pinn, err);
    if (status == ARC_OK) {
        const ArcRanking *first = direct->n > 0 ? direct : pinn;
        ranking_section(table, first, results);
        if (first == direct && pinn->n > 0 && are_alike(direct, pinn)) {
            arc_table_entry(table, "PINN", "ranks the models alike");
        } else if (first == direct && pinn->n > 0) {
            arc_text_append(table, "\n");
            ranking_section(table, pinn, results);
        }
        explain(table, first);
    }
    arc_ranking_free(direct);
    arc_ranking_free(pinn);
    return status;
}

static json_t *tests_json(ArcJson *json, const ArcRanking *ranking, const ArcResult *const *results,
                          int place)
{
    json_t *array = arc_json_array(json);
    for (int i = 0; i < ranking->n_tests; i++) {
        const ArcNestedTest *test = &ranking->tests[i];
        if (test->smaller != place)
            continue;
        json_t *object = arc_json_object(json);
        arc_json_put_integer(json, object, "rank", test->larger + 1);
        arc_json_put_string(json, object, "experiment",
                            results[ranking->models[test->larger].index]->experiment_path);
        arc_json_put_integer(json, object, "added", test->added);
        arc_json_put_string(json, object, "test", test->is_f ? "F" : "chi2");
        arc_json_put_number(json, object, "statistic", test->statistic);
        arc_json_put_number(json, object, "p", test->p);
        arc_json_push(json, array, object);
    }
    return array;
}

/* Models that have what this one lacks. */
static json_t *pairs_json(ArcJson *json, const ArcRanking *ranking, const ArcResult *const *results,
                          int place)
{
    json_t *array = arc_json_array(json);
    for (int i = 0; i < ranking->n_pairs; i++) {
        const ArcClosurePair *pair = &ranking->pairs[i];
        if (pair->without != place)
            continue;
        json_t *object = arc_json_object(json), *parameters = arc_json_object(json);
        arc_json_put_integer(json, object, "rank", pair->with + 1);
        arc_json_put_string(json, object, "experiment",
                            results[ranking->models[pair->with].index]->experiment_path);
        arc_json_put_number(json, object, "log_bayes", pair->log_bayes);
        arc_json_put_number(json, object, "chi2_without", pair->chi2_without);
        arc_json_put_number(json, object, "chi2_with", pair->chi2_with);
        for (int k = 0; k < pair->n; k++) {
            json_t *moved = arc_json_object(json);
            arc_json_put_number(json, moved, "difference", pair->difference[k]);
            arc_json_put_number(json, moved, "in_sd", pair->in_sd[k]);
            arc_json_put(json, parameters, pair->names[k], moved);
        }
        arc_json_put(json, object, "parameters", parameters);
        arc_json_push(json, array, object);
    }
    return array;
}

static json_t *ranking_json(ArcJson *json, const ArcRanking *ranking,
                            const ArcResult *const *results, int index)
{
    int place = 0;
    while (place < ranking->n && ranking->models[place].index != index)
        place++;
    if (place == ranking->n)
        return json_null();
    const ArcRankedModel *model = &ranking->models[place];
    ArcText text = {0};
    char *sentence;
    json_t *object = arc_json_object(json);
    arc_json_put_integer(json, object, "rank", place + 1);
    arc_json_put_integer(json, object, "n", model->criteria.n);
    arc_json_put_integer(json, object, "k", model->criteria.k);
    arc_json_put_number(json, object, "deviance", model->criteria.deviance);
    arc_json_put_number(json, object, "aic", model->criteria.aic);
    arc_json_put_number(json, object, "aicc", model->criteria.aicc);
    arc_json_put_number(json, object, "bic", model->criteria.bic);
    arc_json_put_string(json, object, "ranked_by", ranking->by_aicc ? "aicc" : "aic");
    arc_json_put_number(json, object, "delta", model->delta);
    arc_json_put_number(json, object, "weight", model->weight);
    arc_json_put_number(json, object, "chi2_p", model->chi2_p);
    arc_json_put(json, object, "nested_in", tests_json(json, ranking, results, place));
    if (ranking->n_pairs > 0)
        arc_json_put(json, object, "lacks_closure_of", pairs_json(json, ranking, results, place));
    arc_json_put_string(json, object, "not_comparable", ranking->not_comparable);
    arc_ranking_parts_sentence(&text, ranking);
    if (arc_text_finish(&text, &sentence, NULL) != ARC_OK) {
        json->failed = true;
        return object;
    }
    arc_json_put_string(json, object, "sentence", sentence);
    arc_text_free(sentence);
    return object;
}

json_t *arc_ranking_parts_json(ArcJson *json, const ArcRanking *const rankings[2],
                               const ArcResult *const *results, int index)
{
    json_t *object = arc_json_object(json);
    for (int i = 0; i < 2; i++)
        arc_json_put(json, object, rankings[i]->method == ARC_PINN ? "pinn" : "direct",
                     ranking_json(json, rankings[i], results, index));
    return object;
}
