/* The C compiler of whoever runs the program, and what it says of a plug-in. */
#ifndef ARC_MODEL_COMPILER_H
#define ARC_MODEL_COMPILER_H

#include "model/workplace.h"

typedef struct ArcCompiler {
    int n_words;
    const char *words[8]; /* of $CC, blanks between; else "cc" */
    const char *const *environment;
} ArcCompiler;

/* One call of it: a source of the workplace to an output there. */
typedef struct ArcCompilation {
    const char *source, *output;
    const char *author; /* whose file stands at its beginning; NULL: nobody's */
    bool is_shared;     /* a shared object, else a program */
    bool is_partials;   /* of rates by complex steps */
} ArcCompilation;

ArcStatus arc_compiler_find(ArcArena *arena, ArcCompiler *compiler, ArcError *err);

/* Makes all outputs, side by side. ARC_INPUT: the first error of the author's file at its own
 * place, or at from where it has none; ARC_SYSTEM: there is no compiler, or it does not work. */
ArcStatus arc_compiler_run(const ArcCompiler *compiler, const ArcWorkplace *workplace,
                           ArcPlace from, int n, const ArcCompilation *compilations, ArcError *err);

#endif
