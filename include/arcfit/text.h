/* Text handed to the caller by functions named arc_*_text. */
#ifndef ARCFIT_TEXT_H
#define ARCFIT_TEXT_H

#pragma GCC visibility push(default)

/* Frees what an arc_*_text function returned; accepts NULL. */
void arc_text_free(char *text);

#pragma GCC visibility pop

#endif
