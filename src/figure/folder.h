/* Figures as files in a folder: their names, and the folder. */
#ifndef ARC_FIGURE_FOLDER_H
#define ARC_FIGURE_FOLDER_H

#include "arcfit/figure.h"
#include "base/arena.h"

/* folder/NAME.ending, NAME as a file can be called everywhere: what is no letter, digit, '.', '_'
 * or
 * '-' becomes '-'. folder NULL: NAME.ending alone. NULL on exhaustion. */
char *arc_figure_path(ArcArena *arena, const ArcFigure *figure, const char *folder,
                      const char *ending);

/* Makes folder where it is missing. ARC_SYSTEM. */
ArcStatus arc_figure_make_folder(const char *folder, ArcError *err);

#endif
