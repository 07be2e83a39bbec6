/* Several results compared: which of them explains the points, in one line, and the ranking. */
#include "arcfit/ranking.h"
#include "base/arena.h"
#include "page/markup.h"
#include "page/parts.h"
#include "report/ranking_parts.h"

#include <math.h>

typedef enum Kind { BEST, CLOSE, WORSE, NOT_EXPLAINING, WITHOUT, N_KINDS } Kind;

static Kind kind_of(const ArcRanking *ranking, int place)
{
    const ArcRankedModel *model = &ranking->models[place];
    if (!model->converged)
        return WITHOUT;
    if (model->chi2_p < ARC_MISFIT_P)
        return NOT_EXPLAINING;
    if (isnan(model->delta))
        return WITHOUT;
    return place == 0 ? BEST : model->delta < ARC_RANKING_CLOSE ? CLOSE : WORSE;
}

/* The place of a result in the ranking; -1: none. */
static int place_of(const ArcRanking *ranking, int index)
{
    for (int i = 0; i < ranking->n; i++)
        if (ranking->models[i].index == index)
            return i;
    return -1;
}

/* "; results 2 and 3 explain them less well" of all but the first. */
static void say_others(ArcText *page, const ArcRanking *ranking, const ArcPageCompared *compared,
                       Kind kind)
{
    static const char *const words[N_KINDS][2] = {
        {"", ""},
        {"explains them about as well", "explain them about as well"},
        {"explains them less well", "explain them less well"},
        {"does not explain them", "do not explain them"},
        {"has nothing to be ranked by", "have nothing to be ranked by"}};
    int n = 0, said = 0;
    for (int i = 1; i < ranking->n; i++)
        n += kind_of(ranking, i) == kind;
    for (int k = 0; k < compared->n; k++) {
        int place = place_of(ranking, k);
        if (place < 1 || kind_of(ranking, place) != kind)
            continue;
        arc_text_append(page, "%s%d",
                        said == 0       ? n > 1 ? "; results " : "; result "
                        : said == n - 1 ? " and "
                                        : ", ",
                        compared->numbers[k]);
        said++;
    }
    if (n > 0)
        arc_text_append(page, " %s", words[kind][n > 1]);
}

static void say(ArcText *page, const ArcRanking *ranking, const ArcPageCompared *compared)
{
    Kind first = ranking->n == 0 ? WITHOUT : kind_of(ranking, 0);
    bool is_ranked = ranking->not_comparable == NULL && first != WITHOUT;
    arc_text_append(page, "<p class=\"headline %s\">",
                    is_ranked && first == BEST ? "good" : "unsure");
    if (ranking->not_comparable != NULL) {
        arc_text_append(page, "These results cannot be ranked: ");
        arc_markup_sentence(page, ranking->not_comparable);
    } else if (!is_ranked) {
        arc_text_append(page, "These results have nothing to be ranked by");
    } else {
        int number = compared->numbers[ranking->models[0].index];
        if (first == BEST)
            arc_text_append(page, "<strong>Result %d explains the points best</strong>", number);
        else
            arc_text_append(page,
                            "<strong>None of the models explains the points</strong>; result %d "
                            "comes nearest",
                            number);
        for (int kind = CLOSE; first == BEST && kind < N_KINDS; kind++)
            say_others(page, ranking, compared, (Kind)kind);
    }
    arc_text_append(page, ".</p>\n");
}

/* By the direct fits where there are any. */
static ArcStatus put_headline(ArcText *page, const ArcPageCompared *compared, ArcError *err)
{
    ArcRanking *ranking;
    ArcStatus status =
        arc_ranking_create(compared->n, compared->results, ARC_DIRECT, &ranking, err);
    if (status == ARC_OK && ranking->n == 0) {
        arc_ranking_free(ranking);
        status = arc_ranking_create(compared->n, compared->results, ARC_PINN, &ranking, err);
    }
    if (status != ARC_OK)
        return status;
    say(page, ranking, compared);
    arc_ranking_free(ranking);
    return ARC_OK;
}

ArcStatus arc_page_ranking(ArcText *page, ArcText *sections, const ArcPagePart *part,
                           const ArcPageCompared *compared, ArcError *err)
{
    ArcText text = {0};
    ArcStatus status = put_headline(page, compared, err);
    if (status == ARC_OK)
        status = arc_ranking_parts_section(&text, compared->n, compared->results, err);
    if (status == ARC_OK && text.failed)
        status = arc_error_no_memory(err);
    if (status == ARC_OK) {
        arc_page_section(sections, part, "ranking", "Ranked");
        arc_text_append(sections, "<p>Here models are counted by their ranks.</p>\n"
                                  "<pre class=\"code\" tabindex=\"0\"><code>");
        arc_markup_text(sections, text.bytes == NULL ? "" : text.bytes);
        arc_text_append(sections, "</code></pre>\n");
        arc_page_end_section(sections);
    }
    arc_text_free(text.bytes);
    return status;
}
