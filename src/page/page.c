/* See page.h. */
#include "arcfit/page.h"

#include "base/text.h"

ArcStatus arc_page_text(int n, const ArcPageItem *items, const ArcPageSettings *settings,
                        char **text, ArcError *err)
{
    ArcText page = {0};
    (void)n;
    (void)items;
    (void)settings;
    return arc_text_finish(&page, text, err);
}
