#include "arcfit/figure.h"
#include "arcfit/text.h"
#include <stdio.h>
#include "drawn_case.h"
int main(void)
{
    drawn_make();
    for (int i = 0; i < N_DRAWN; i++) {
        char *t = NULL;
        ArcError e;
        if (arc_figure_picture(&drawn[i], 80, 20, false, &t, &e) != ARC_OK) puts(e.text);
        else fputs(t, stdout);
        arc_text_free(t);
        t=NULL;
        arc_figure_words(&drawn[i], ARC_UNITS_SI, &t, &e);
        puts(t);
        arc_text_free(t);
    }
    return 0;
}
