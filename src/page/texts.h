/* Style and scripts of the page, as texts (made by src/embed). */
#ifndef ARC_PAGE_TEXTS_H
#define ARC_PAGE_TEXTS_H

extern const char ARC_TEXT_STYLE_CSS[]; /* style.css */
extern const char ARC_TEXT_DRAW_JS[];   /* draw.js */
extern const char ARC_TEXT_PAGE_JS[];   /* page.js */

#endif
