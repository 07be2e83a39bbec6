/* An aim on the page: what it comes to in one line, and its throws. */
#include "aim/describe.h"
#include "page/markup.h"
#include "page/parts.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COLUMNS = ARC_N_AIM_NUMBERS };

static void say_release(ArcText *page, const ArcAim *aim, const ArcAimSolution *solution)
{
    char number[ARC_TABLE_NUMBER];
    ArcAimRelease release;
    arc_aim_describe(aim, solution, &release);
    arc_text_append(page, "<strong>");
    arc_markup_rounded(page, release.speed_m_s, 0, "m/s");
    arc_text_append(page, ", %s° up</strong>",
                    arc_table_plain(number, release.angle_rad * 180 / M_PI, 3));
}

static int n_hits(const ArcAim *aim)
{
    int n = 0;
    for (int i = 0; i < aim->n_solutions; i++)
        n += aim->solutions[i].hits;
    return n;
}

/* The first throw, by what sets it apart where objectives do not. */
static const char *first_word(const ArcAim *aim)
{
    if (isfinite(aim->solutions[0].cost))
        return "the best";
    for (int i = 1; i < aim->n_solutions; i++)
        if (aim->solutions[i].numbers[ARC_AIM_SPEED] < aim->solutions[0].numbers[ARC_AIM_SPEED])
            return "the first";
    return "the slowest";
}

/* Throws that were drawn tell it better than the linearisation. */
static double chance_of(const ArcAimSolution *solution)
{
    return isfinite(solution->chance.checked) ? solution->chance.checked : solution->chance.value;
}

/* "; throw 2 is the surest, with 43 of a hundred", where that is another one. */
static void say_surest(ArcText *page, const ArcAim *aim)
{
    char number[ARC_TABLE_NUMBER];
    int best = 0;
    for (int i = 1; i < aim->n_solutions; i++)
        if (chance_of(&aim->solutions[i]) > chance_of(&aim->solutions[best]))
            best = i;
    if (best > 0)
        arc_text_append(page, "; throw %d is the surest, with %s of a hundred", best + 1,
                        arc_table_plain(number, 100 * chance_of(&aim->solutions[best]), 2));
}

void arc_page_aim_headline(ArcText *page, const ArcAim *aim)
{
    char number[ARC_TABLE_NUMBER];
    int hits = n_hits(aim);
    arc_text_append(page, "<p class=\"headline %s\">", aim->is_reachable ? "good" : "bad");
    if (aim->n_solutions == 0) {
        arc_text_append(page, "<strong>No throw hits</strong>, and none comes near.</p>\n");
        return;
    }
    if (aim->is_reachable)
        arc_text_append(page, "<strong>%d throw%s</strong>; %s leaves the hand at ", hits,
                        hits == 1 ? " hits" : "s hit", hits == 1 ? "it" : first_word(aim));
    else
        arc_text_append(page, "<strong>No throw hits</strong> within the limits; the nearest "
                              "leaves the hand at ");
    say_release(page, aim, &aim->solutions[0]);
    if (aim->is_reachable && isfinite(chance_of(&aim->solutions[0]))) {
        arc_text_append(page, " and goes in %s times of a hundred",
                        arc_table_plain(number, 100 * chance_of(&aim->solutions[0]), 2));
        say_surest(page, aim);
    }
    if (!aim->is_reachable && aim->shortfall_speed_m_s > 0) {
        arc_text_append(page, "; it would have to be faster by ");
        arc_markup_rounded(page, aim->shortfall_speed_m_s, 0, "m/s");
    }
    arc_text_append(page, ".</p>\n");
}

/* A miss of less than a micrometre is what the search leaves of none. */
static void number_cell(ArcText *page, double value, const char *unit)
{
    bool is_none = strcmp(unit, "m") == 0 && fabs(value) < 1e-6;
    arc_text_append(page, "<td>");
    if (isfinite(value))
        arc_markup_rounded(page, is_none ? 0 : value, 0, unit);
    else
        arc_text_append(page, "–");
    arc_text_append(page, "</td>");
}

/* Whether any throw has the number. */
static bool has_number(int n, const ArcAimSolution *of, int number)
{
    for (int i = 0; i < n; i++)
        if (isfinite(of[i].numbers[number]))
            return true;
    return false;
}

static void throw_row(ArcText *page, const ArcAim *aim, int n, const ArcAimSolution *of, int i)
{
    char number[ARC_TABLE_NUMBER];
    ArcAimRelease release;
    arc_aim_describe(aim, &of[i], &release);
    arc_text_append(page, "<tr><th scope=\"row\">%d</th>", i + 1);
    number_cell(page, release.speed_m_s, "m/s");
    number_cell(page, release.angle_rad, "rad");
    for (int k = 0; k < MOST_COLUMNS; k++)
        if (k != ARC_AIM_SPEED && has_number(n, of, k))
            number_cell(page, of[i].numbers[k], arc_aim_number_unit(k));
    if (isfinite(chance_of(&of[i])))
        arc_text_append(page, "<td>%s&nbsp;%%</td>",
                        arc_table_plain(number, 100 * chance_of(&of[i]), 3));
    else
        arc_text_append(page, "<td>–</td>");
    arc_text_append(page, "<td>%s</td></tr>\n", of[i].hits ? "yes" : "no");
}

static void put_throws(ArcText *page, const ArcPagePart *part, int n, const ArcAimSolution *of,
                       const char *caption)
{
    const ArcAim *aim = part->item->aim;
    if (n == 0)
        return;
    arc_page_begin_table(page, part, caption);
    arc_text_append(page, "<th scope=\"col\">Throw</th><th scope=\"col\">release speed</th>"
                          "<th scope=\"col\">release angle</th>");
    for (int k = 0; k < MOST_COLUMNS; k++)
        if (k != ARC_AIM_SPEED && has_number(n, of, k))
            arc_text_append(page, "<th scope=\"col\">%s</th>", arc_aim_number_words(k));
    arc_text_append(page, "<th scope=\"col\">chance</th><th scope=\"col\">hits</th></tr></thead>\n"
                          "<tbody>\n");
    for (int i = 0; i < n; i++)
        throw_row(page, aim, n, of, i);
    arc_text_append(page, "</tbody></table></div>\n");
}

void arc_page_throws(ArcText *page, const ArcPagePart *part)
{
    const ArcAim *aim = part->item->aim;
    arc_page_section(page, part, "throws", "Throws in numbers");
    put_throws(page, part, aim->n_solutions, aim->solutions,
               !aim->is_reachable                 ? "The nearest throws"
               : isfinite(aim->solutions[0].cost) ? "Throws, the best first"
                                                  : "Throws, one a row");
    put_throws(page, part, aim->n_banks, aim->banks, "Throws off the board");
    arc_page_end_section(page);
}
