/* The page: its head, its parts in order, and what draws it.
 *
 * Structure, which tests and users' scripts may rely on:
 *   html[data-units]                    si, metric or imperial: what is shown; data-theme: chosen
 *   #units (select), #theme (button)    switch these
 *   main#content > article              one an item; of several the comparison first, #compared
 *     p.headline.good|unsure|bad        in one line; p.verdict; dl.facts
 *     nav; section#ID                   links; ID: flight, residual-figures, numbers, .., origin
 *     select[data-chooser]              of several flights the one whose figures are shown
 *     figure#figure-NAME[data-flight]   hidden where another flight is chosen; .drawn once drawn
 *       .plot (role img), .tools (buttons), figcaption, p.words#words-NAME, details.numbers
 *   script#figures, script#page-units   JSON: data.c
 * Of several items ids and NAMEs of the second begin with "result-2-". Numbers in all units stand
 * in .in-si, .in-metric and .in-imperial where they differ.
 *
 * The text of Plotly (script#plotly) becomes a script when the first figure is drawn: wait for
 * figure.drawn, not for the page.
 *
 * Nothing is loaded, and no script runs but the two that carry the page's nonce: a hash of all that
 * users wrote in it, so that none of that can hold it.
 */
#include "arcfit/report.h"
#include "arcfit/version.h"
#include "base/arena.h"
#include "page/markup.h"
#include "page/parts.h"
#include "page/texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void arc_page_prefix(ArcText *page, const ArcPagePart *part)
{
    if (part->index > 0)
        arc_text_append(page, "result-%d-", part->index);
}

void arc_page_section(ArcText *page, const ArcPagePart *part, const char *id, const char *title)
{
    arc_text_append(page, "<section id=\"");
    arc_page_prefix(page, part);
    arc_text_append(page, "%s\"", id);
    /* Of several items sections would be landmarks of the same name. */
    if (part->level == 2)
        arc_text_append(page, " aria-label=\"%s\"", title);
    arc_text_append(page, ">\n<h%d>%s</h%d>\n", part->level, title, part->level);
    arc_text_append(part->contents, "<li><a href=\"#");
    arc_page_prefix(part->contents, part);
    arc_text_append(part->contents, "%s\">%s</a></li>\n", id, title);
}

void arc_page_end_section(ArcText *page)
{
    arc_text_append(page, "</section>\n");
}

/* A part's name as a person gave it: of the result, of the aim's experiment. */
static const char *name_of(const ArcPagePart *part)
{
    const ArcResult *result = part->item->result;
    const char *name = result != NULL ? result->name : part->item->aim->experiment->name;
    if (name == NULL || *name == '\0')
        name = result != NULL ? result->experiment_path : part->item->aim->experiment->path;
    return name == NULL ? "" : name;
}

void arc_page_title(ArcText *page, const ArcPagePart *part)
{
    if (part->index > 0)
        arc_text_append(page, "%d. ", part->index);
    arc_markup_name(page, name_of(part));
}

/* The whole report as the prompt has it: nothing that is known is missing from the page. */
static ArcStatus put_report(ArcText *page, const ArcPagePart *part, ArcError *err)
{
    char *text;
    ArcStatus status = part->item->result != NULL
                           ? arc_report_text(part->item->result, true, &text, err)
                           : arc_aim_text(part->item->aim, &text, err);
    if (status != ARC_OK)
        return status;
    arc_page_section(page, part, "text", "All numbers as text");
    arc_text_append(page, "<details class=\"file\"><summary>The report as the prompt prints it"
                          "</summary>\n<pre class=\"code\" tabindex=\"0\"><code>");
    arc_markup_text(page, text);
    arc_text_append(page, "</code></pre></details>\n");
    arc_page_end_section(page);
    arc_text_free(text);
    return ARC_OK;
}

/* All sections of an item: first what was found and whether it fits the points, then its numbers,
 * then how they came about. */
static ArcStatus put_sections(ArcText *page, const ArcPagePart *part, ArcError *err)
{
    static const ArcFigureGroup order[ARC_N_FIGURE_GROUPS] = {
        ARC_FIGURES_FLIGHT,  ARC_FIGURES_STATES,    ARC_FIGURES_AIM,        ARC_FIGURES_ARM,
        ARC_FIGURES_CLOSURE, ARC_FIGURES_RESIDUALS, ARC_FIGURES_PARAMETERS, ARC_FIGURES_UNCERTAINTY,
        ARC_FIGURES_METHODS, ARC_FIGURES_PHYSICS,   ARC_FIGURES_TRAINING,   ARC_FIGURES_COMPARISON};
    for (int i = 0; i < ARC_N_FIGURE_GROUPS; i++) {
        arc_page_figures(page, part, order[i]);
        if (part->item->result == NULL && order[i] == ARC_FIGURES_AIM)
            arc_page_throws(page, part);
        if (part->item->result != NULL && order[i] == ARC_FIGURES_RESIDUALS) {
            arc_page_outliers(page, part);
            arc_page_parameters(page, part);
            arc_page_residuals(page, part);
        }
    }
    arc_page_notes(page, part);
    ArcStatus status = put_report(page, part, err);
    arc_page_origin(page, part);
    return status;
}

static void put_text(ArcText *page, const ArcText *text)
{
    page->failed = page->failed || text->failed;
    if (text->bytes != NULL)
        arc_text_append_bytes(page, text->bytes, text->size);
}

/* Links to the sections stand before these. */
static void put_linked(ArcText *page, const ArcPagePart *part, const ArcText *sections)
{
    arc_text_append(page, "<nav aria-label=\"Sections");
    if (part->index > 0)
        arc_text_append(page, " of result %d", part->index);
    arc_text_append(page, "\"><ul>\n");
    put_text(page, part->contents);
    arc_text_append(page, "</ul></nav>\n");
    put_text(page, sections);
}

/* What was set beside the experiment's text, which tells results of one experiment apart. */
static void put_changes(ArcText *page, const ArcPagePart *part)
{
    const ArcResult *result = part->item->result;
    if (result == NULL || result->n_overrides == 0)
        return;
    arc_text_append(page, "<p class=\"changes\">With");
    for (int i = 0; i < result->n_overrides; i++) {
        arc_text_append(page, "%s <code>", i > 0 ? "," : "");
        arc_markup_name(page, result->overrides[i]);
        arc_text_append(page, "</code>");
    }
    arc_text_append(page, "</p>\n");
}

static ArcStatus put_item(ArcText *page, const ArcPagePart *item, ArcError *err)
{
    ArcText contents = {0}, sections = {0};
    ArcPagePart part = *item;
    part.contents = &contents;
    ArcStatus status = put_sections(&sections, &part, err);
    arc_text_append(page, "<article id=\"result");
    if (part.index > 0)
        arc_text_append(page, "-%d", part.index);
    arc_text_append(page, "\">\n<h%d>", part.title);
    arc_page_title(page, &part);
    arc_text_append(page, "</h%d>\n", part.title);
    put_changes(page, &part);
    if (part.item->result == NULL) {
        arc_page_aim_headline(page, part.item->aim);
    } else {
        arc_page_headline(page, &part);
        arc_page_facts(page, &part);
    }
    put_linked(page, &part, &sections);
    arc_text_append(page, "</article>\n");
    arc_text_free(contents.bytes);
    arc_text_free(sections.bytes);
    return status;
}

static ArcStatus put_comparison(ArcText *page, const ArcPagePart *all,
                                const ArcPageCompared *compared, ArcError *err)
{
    ArcText contents = {0}, sections = {0};
    ArcPagePart part = *all;
    part.contents = &contents;
    arc_text_append(page, "<article id=\"compared\">\n");
    arc_page_figures(&sections, &part, ARC_FIGURES_COMPARISON);
    for (int group = 0; group < ARC_FIGURES_COMPARISON; group++)
        arc_page_figures(&sections, &part, (ArcFigureGroup)group);
    arc_page_notes(&sections, &part);
    ArcStatus status = arc_page_ranking(page, &sections, &part, compared, err);
    put_linked(page, &part, &sections);
    arc_text_append(page, "</article>\n");
    arc_text_free(contents.bytes);
    arc_text_free(sections.bytes);
    return status;
}

/* What is shown, and its figures' arena. */
typedef struct Page {
    int n, n_parts;      /* items; parts: theirs, and the comparison's */
    bool has_comparison; /* it is the first part */
    ArcPagePart *parts;
    ArcPageCompared compared; /* the results */
    ArcArena *arena;
} Page;

static ArcStatus make_figures(const ArcPageItem *item, ArcFigures **figures, ArcError *err)
{
    return item->result != NULL
               ? arc_figures_of_result(item->result, item->experiment, figures, err)
               : arc_figures_of_aim(item->aim, figures, err);
}

static ArcStatus begin_comparison(Page *page, ArcError *err)
{
    ArcFigures *figures;
    ArcStatus status =
        arc_figures_of_results(page->compared.n, page->compared.results, &figures, err);
    if (status == ARC_OK) {
        page->parts[page->n_parts++] = (ArcPagePart){.figures = figures, .level = 2, .title = 1};
        page->has_comparison = true;
    }
    return status;
}

static void end(Page *page)
{
    for (int i = 0; i < page->n_parts; i++)
        arc_figures_free((ArcFigures *)(void *)page->parts[i].figures);
    arc_arena_free(page->arena);
}

/* On failure nothing is left. */
static ArcStatus begin(int n, const ArcPageItem *items, Page *page, ArcError *err)
{
    ArcStatus status = ARC_OK;
    *page = (Page){.n = n, .arena = arc_arena_create()};
    if (page->arena == NULL)
        return arc_error_no_memory(err);
    page->parts = ARC_ALLOC(page->arena, (size_t)n + 1, ArcPagePart);
    ArcPageCompared *compared = &page->compared;
    compared->results = ARC_ALLOC(page->arena, (size_t)n + 1, const ArcResult *);
    compared->numbers = ARC_ALLOC(page->arena, (size_t)n + 1, int);
    if (page->parts == NULL || compared->results == NULL || compared->numbers == NULL)
        status = arc_error_no_memory(err);
    for (int i = 0; status == ARC_OK && i < n; i++) {
        if (items[i].result == NULL)
            continue;
        compared->results[compared->n] = items[i].result;
        compared->numbers[compared->n++] = i + 1;
    }
    if (status == ARC_OK && compared->n > 1)
        status = begin_comparison(page, err);
    for (int i = 0; status == ARC_OK && i < n; i++) {
        ArcFigures *figures;
        status = make_figures(&items[i], &figures, err);
        if (status == ARC_OK)
            page->parts[page->n_parts++] = (ArcPagePart){.item = &items[i],
                                                         .figures = figures,
                                                         .index = n > 1 ? i + 1 : 0,
                                                         .level = n > 1 ? 3 : 2,
                                                         .title = n > 1 ? 2 : 1};
    }
    if (status != ARC_OK)
        end(page);
    return status;
}

static void put_contents(ArcText *body, const Page *page)
{
    if (page->n < 2)
        return;
    arc_text_append(body, "<nav aria-label=\"Contents\"><ul>\n");
    for (int i = 0; i < page->n_parts; i++) {
        const ArcPagePart *part = &page->parts[i];
        if (part->item == NULL) {
            arc_text_append(body, "<li><a href=\"#compared\">Compared</a></li>\n");
            continue;
        }
        arc_text_append(body, "<li><a href=\"#result-%d\">", part->index);
        arc_page_title(body, part);
        arc_text_append(body, "</a></li>\n");
    }
    arc_text_append(body, "</ul></nav>\n");
}

static void put_bar(ArcText *body, ArcUnits units)
{
    static const char *const names[] = {"SI", "metric", "imperial"};
    arc_text_append(body, "<a class=\"skip\" href=\"#content\">Skip to the content</a>\n"
                          "<header class=\"bar\"><span class=\"brand\">arcfit</span>\n"
                          "<label>Units <select id=\"units\">");
    for (int u = 0; arc_units_name(u) != NULL; u++)
        arc_text_append(body, "<option value=\"%s\"%s>%s</option>", arc_units_name(u),
                        u == (int)units ? " selected" : "", names[u]);
    arc_text_append(body, "</select></label>\n<button type=\"button\" id=\"theme\">Dark</button>\n"
                          "</header>\n");
}

static ArcStatus put_body(ArcText *body, const Page *page, ArcUnits units, ArcError *err)
{
    ArcStatus status = ARC_OK;
    put_bar(body, units);
    arc_text_append(body, "<main id=\"content\" tabindex=\"-1\">\n");
    if (page->n > 1)
        arc_text_append(body, "<h1>%d results</h1>\n", page->n);
    put_contents(body, page);
    for (int i = 0; status == ARC_OK && i < page->n_parts; i++)
        status = page->parts[i].item == NULL
                     ? put_comparison(body, &page->parts[i], &page->compared, err)
                     : put_item(body, &page->parts[i], err);
    arc_text_append(body, "</main>\n<footer>\n<p>Made by arcfit %s.</p>\n", ARC_VERSION);
    arc_page_licence(body);
    arc_text_append(body, "</footer>\n<script type=\"application/json\" id=\"page-units\">");
    arc_page_units(body, page->n_parts, page->parts);
    arc_text_append(body, "</script>\n<script type=\"application/json\" id=\"figures\">[\n");
    for (int i = 0, n = 0; i < page->n_parts; i++)
        arc_page_data(body, &page->parts[i], &n);
    arc_text_append(body, "\n]</script>\n");
    return status;
}

/* FNV-1a of 64 bits (Fowler, Noll, Vo). */
static uint64_t hash(const ArcText *text)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < text->size; i++)
        h = (h ^ (unsigned char)text->bytes[i]) * 0x100000001b3u;
    return h;
}

static void put_head(ArcText *text, const Page *page, ArcUnits units, uint64_t nonce)
{
    arc_text_append(text,
                    "<!doctype html>\n<html lang=\"en\" data-units=\"%s\">\n<head>\n"
                    "<meta charset=\"utf-8\">\n"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                    "script-src 'nonce-%016" PRIx64 "'; style-src 'unsafe-inline'; img-src data: "
                    "blob:; base-uri 'none'; form-action 'none'\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta name=\"generator\" content=\"arcfit %s\">\n<title>",
                    arc_units_name((int)units), nonce, ARC_VERSION);
    if (page->n > 1)
        arc_text_append(text, "%d results", page->n);
    else
        arc_markup_text(text, name_of(&page->parts[page->n_parts - 1]));
    arc_text_append(text,
                    " – arcfit</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n%s"
                    "</style>\n<noscript><style>figure[hidden] { display: block !important; "
                    "}</style></noscript>\n</head>\n<body>\n",
                    ARC_TEXT_STYLE_CSS);
}

/* All of the page around and behind its body. */
static ArcStatus put_page(ArcText *text, const Page *page, const ArcText *body,
                          const ArcPageSettings *settings, ArcError *err)
{
    uint64_t nonce = hash(body);
    put_head(text, page, settings->units, nonce);
    put_text(text, body);
    arc_text_append(text, "<script type=\"text/plain\" id=\"plotly\" nonce=\"%016" PRIx64 "\">\n",
                    nonce);
    ArcStatus status = arc_page_library(settings->library, text, err);
    arc_text_append(text, "\n</script>\n<script nonce=\"%016" PRIx64 "\">\n", nonce);
    arc_text_append_bytes(text, ARC_TEXT_DRAW_JS, strlen(ARC_TEXT_DRAW_JS));
    arc_text_append_bytes(text, ARC_TEXT_PAGE_JS, strlen(ARC_TEXT_PAGE_JS));
    arc_text_append(text, "</script>\n</body>\n</html>\n");
    return status;
}

ArcStatus arc_page_text(int n, const ArcPageItem *items, const ArcPageSettings *settings,
                        char **text, ArcError *err)
{
    Page page;
    ArcText whole = {0}, body = {0};
    *text = NULL;
    ArcStatus status = begin(n, items, &page, err);
    if (status != ARC_OK)
        return status;
    status = put_body(&body, &page, settings->units, err);
    if (status == ARC_OK && body.failed)
        status = arc_error_no_memory(err);
    if (status == ARC_OK)
        status = put_page(&whole, &page, &body, settings, err);
    arc_text_free(body.bytes);
    end(&page);
    if (status != ARC_OK) {
        arc_text_free(whole.bytes);
        return status;
    }
    return arc_text_finish(&whole, text, err);
}
