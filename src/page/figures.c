/* Figures as they stand on the page: a place to draw in, a caption, words and a table. */
#include "base/file.h"
#include "page/markup.h"
#include "page/parts.h"

static const char *const titles[ARC_N_FIGURE_GROUPS] = {
    "The flight",  "Residuals",   "PINN minus direct", "Physics residual", "Parameters in pictures",
    "Uncertainty", "Training",    "The arm",           "What was learned", "States",
    "Throws",      "Side by side"};
static const char *const ids[ARC_N_FIGURE_GROUPS] = {
    "flight",      "residual-figures", "methods", "physics", "parameter-figures",
    "uncertainty", "training",         "arm",     "closure", "states",
    "aim",         "comparison"};

static void write_words(ArcText *page, const void *what, ArcUnits units)
{
    char *text;
    if (arc_figure_words(what, units, &text, NULL) != ARC_OK) {
        page->failed = true;
        return;
    }
    arc_markup_text(page, text);
    arc_text_free(text);
}

static void put_id(ArcText *page, const ArcPagePart *part, const char *kind,
                   const ArcFigure *figure)
{
    arc_text_append(page, "%s-", kind);
    arc_page_prefix(page, part);
    arc_markup_id(page, figure->name);
}

static void put_figure(ArcText *page, const ArcPagePart *part, const ArcFigure *figure)
{
    int level = part->level + 1;
    arc_text_append(page, "<figure id=\"");
    put_id(page, part, "figure", figure);
    arc_text_append(page, "\" class=\"%s\" data-flight=\"%d\"%s>\n<h%d id=\"",
                    figure->is_space ? "space" : "plane", figure->flight,
                    figure->flight > 1 ? " hidden" : "", level);
    put_id(page, part, "title", figure);
    arc_text_append(page, "\">");
    arc_markup_text(page, figure->title);
    arc_text_append(page, "</h%d>\n<div class=\"plot\" role=\"img\" aria-labelledby=\"", level);
    put_id(page, part, "title", figure);
    arc_text_append(page, "\" aria-describedby=\"");
    put_id(page, part, "words", figure);
    arc_text_append(page, "\"></div>\n<div class=\"tools\"></div>\n<figcaption>");
    arc_markup_sentence(page, figure->caption);
    arc_text_append(page, "</figcaption>\n<p class=\"words\" id=\"");
    put_id(page, part, "words", figure);
    arc_text_append(page, "\">");
    arc_markup_in_units(page, write_words, figure);
    arc_text_append(page, "</p>\n<details class=\"numbers\"><summary>Numbers"
                          "<span class=\"unseen\"> of “");
    arc_markup_text(page, figure->title);
    arc_text_append(page, "”</span></summary></details>\n</figure>\n");
}

/* A choice among several flights; figures of the others are not shown. */
static void put_chooser(ArcText *page, const ArcPagePart *part)
{
    const ArcResult *result = part->item == NULL ? NULL : part->item->result;
    if (result == NULL || result->n_flights < 2)
        return;
    arc_text_append(page, "<p class=\"chooser\"><label>Flight <select data-chooser>\n");
    for (int i = 0; i < result->n_flights; i++) {
        const char *name = result->fits[0]->flights[i].flight;
        const char *file = result->flights[i]->file;
        arc_text_append(page, "<option value=\"%d\">%d of %d", i + 1, i + 1, result->n_flights);
        if (name != NULL || file != NULL) {
            arc_text_append(page, ": ");
            arc_markup_text(page, arc_file_name(name != NULL ? name : file));
        }
        arc_text_append(page, "</option>\n");
    }
    arc_text_append(page, "</select></label></p>\n");
}

/* Those of the group that show all flights, or (of_each) each its own. */
static void put_grid(ArcText *page, const ArcPagePart *part, ArcFigureGroup group, bool of_each)
{
    bool is_open = false;
    for (int i = 0; i < part->figures->n; i++) {
        const ArcFigure *figure = &part->figures->figures[i];
        if (figure->group != group || (figure->flight > 0) != of_each)
            continue;
        if (!is_open && of_each)
            put_chooser(page, part);
        arc_text_append(page, "%s", is_open ? "" : "<div class=\"figures\">\n");
        is_open = true;
        put_figure(page, part, figure);
    }
    arc_text_append(page, "%s", is_open ? "</div>\n" : "");
}

/* What all flights have in common comes before the one that is chosen. */
void arc_page_figures(ArcText *page, const ArcPagePart *part, ArcFigureGroup group)
{
    bool has_any = false;
    for (int i = 0; i < part->figures->n; i++)
        has_any = has_any || part->figures->figures[i].group == group;
    if (!has_any)
        return;
    arc_page_section(page, part, ids[group], titles[group]);
    put_grid(page, part, group, false);
    put_grid(page, part, group, true);
    arc_page_end_section(page);
}

void arc_page_notes(ArcText *page, const ArcPagePart *part)
{
    if (part->figures->n_notes == 0)
        return;
    arc_page_section(page, part, "notes", "What cannot be drawn");
    arc_text_append(page, "<ul>\n");
    for (int i = 0; i < part->figures->n_notes; i++) {
        arc_text_append(page, "<li>");
        arc_markup_text(page, part->figures->notes[i]);
        arc_text_append(page, "</li>\n");
    }
    arc_text_append(page, "</ul>\n");
    arc_page_end_section(page);
}
