/* How a result was made, and how to make it again; the licence of what draws the page. */
#include "arcfit/version.h"
#include "page/markup.h"
#include "page/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bytes that a shell takes as they are. */
static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("_-./,:=@%+", c) != NULL;
}

/* word as one word of a shell: quoted where it must be; what cannot be seen by its number. */
static void append_word(ArcText *text, const char *word)
{
    bool plain = *word != '\0', visible = true;
    for (const char *c = word; *c != '\0'; c++) {
        plain = plain && is_plain(*c);
        visible = visible && (unsigned char)*c >= 0x20 && *c != 0x7f;
    }
    if (*word == '-')
        arc_text_append(text, "./");
    if (plain) {
        arc_text_append(text, "%s", word);
        return;
    }
    arc_text_append(text, visible ? "'" : "$'");
    for (const char *c = word; *c != '\0'; c++) {
        if (*c == '\'')
            arc_text_append(text, visible ? "'\\''" : "\\'");
        else if (!visible && *c == '\\')
            arc_text_append(text, "\\\\");
        else if ((unsigned char)*c < 0x20 || *c == 0x7f)
            arc_text_append(text, "\\x%02x", (unsigned)(unsigned char)*c);
        else
            arc_text_append_bytes(text, c, 1);
    }
    arc_text_append(text, "'");
}

/* Texts of --set that were in force. */
static int n_overrides(const ArcPageItem *item)
{
    return item->result != NULL ? item->result->n_overrides : item->aim->experiment->n_overrides;
}

static const char *const *overrides(const ArcPageItem *item)
{
    return item->result != NULL ? item->result->overrides : item->aim->experiment->overrides;
}

static void put_command(ArcText *page, const ArcPagePart *part)
{
    ArcText line = {0};
    char *text;
    const ArcResult *result = part->item->result;
    arc_text_append(&line, "arcfit %s ", result != NULL ? "fit" : "aim");
    append_word(&line,
                result != NULL ? result->experiment_path : part->item->aim->experiment->path);
    for (int i = 0; i < n_overrides(part->item); i++) {
        arc_text_append(&line, " --set ");
        append_word(&line, overrides(part->item)[i]);
    }
    if (part->item->path != NULL) {
        arc_text_append(&line, " -o ");
        append_word(&line, part->item->path);
        arc_text_append(&line, "\narcfit report ");
        append_word(&line, part->item->path);
    }
    if (arc_text_finish(&line, &text, NULL) != ARC_OK) {
        page->failed = true;
        return;
    }
    arc_text_append(page, "<p>To repeat it:</p>\n<pre class=\"code\" tabindex=\"0\"><code>");
    arc_markup_text(page, text);
    arc_text_append(page, "</code></pre>\n");
    arc_text_free(text);
}

static void put_entry(ArcText *page, const char *label, const char *text)
{
    if (text == NULL)
        return;
    arc_text_append(page, "<div><dt>%s</dt><dd>", label);
    arc_markup_name(page, text);
    arc_text_append(page, "</dd></div>\n");
}

/* path without the folders that it enters and leaves again: "experiments/../data/a.csv". */
static void put_path(ArcText *page, const char *label, const char *path)
{
    ArcText text = {0};
    if (path == NULL)
        return;
    arc_text_append(&text, "%s", "");
    while (*path != '\0') {
        size_t length = strcspn(path, "/"), taken = length + strspn(path + length, "/");
        size_t last = text.size > 0 ? text.size - 1 : 0; /* where the folder before it begins */
        while (last > 0 && text.bytes[last - 1] != '/')
            last--;
        bool has_folder = text.size > last && text.bytes[last] != '/' &&
                          strncmp(text.bytes + last, "../", 3) != 0;
        if (has_folder && length == 2 && strncmp(path, "..", 2) == 0)
            text.size = last;
        else
            arc_text_append_bytes(&text, path, taken);
        path += taken;
    }
    arc_text_append(&text, "%s", "");
    page->failed = page->failed || text.failed;
    if (!text.failed)
        put_entry(page, label, text.bytes);
    arc_text_free(text.bytes);
}

/* A text that a person wrote, folded up. */
static void put_file(ArcText *page, const char *label, const char *path, const char *text)
{
    if (text == NULL)
        return;
    arc_text_append(page, "<details class=\"file printed\"><summary>%s", label);
    if (path != NULL) {
        arc_text_append(page, " ");
        arc_markup_name(page, path);
    }
    arc_text_append(page, "</summary>\n<pre class=\"code\" tabindex=\"0\"><code>");
    arc_markup_text(page, text);
    arc_text_append(page, "</code></pre></details>\n");
}

static void put_entries(ArcText *page, const ArcPagePart *part)
{
    const ArcResult *result = part->item->result;
    const ArcAim *aim = part->item->aim;
    char seed[24];
    put_entry(page, result != NULL ? "Result" : "Aim", part->item->path);
    put_entry(page, "Experiment", result != NULL ? result->experiment_path : aim->experiment->path);
    if (result != NULL)
        put_path(page, "Capture", result->capture->file);
    put_entry(page, "Version of arcfit", result != NULL ? result->version : aim->version);
    put_entry(page, "Its libraries", result != NULL ? result->libraries : aim->libraries);
    snprintf(seed, sizeof seed, "%" PRIu64, result != NULL ? result->seed : aim->experiment->seed);
    put_entry(page, "Seed", seed);
    for (int i = 0; i < n_overrides(part->item); i++)
        put_entry(page, "Set", overrides(part->item)[i]);
}

/* Every setting that was in force, folded up. */
static void put_settings(ArcText *page, const ArcResult *result)
{
    if (result->n_settings == 0)
        return;
    arc_text_append(page, "<details class=\"file\"><summary>All settings in force (SI)</summary>\n"
                          "<pre class=\"code\" tabindex=\"0\"><code>");
    for (int i = 0; i < result->n_settings; i++) {
        arc_markup_text(page, result->setting_paths[i]);
        arc_text_append(page, ": ");
        arc_markup_text(page, result->setting_values[i]);
        arc_text_append(page, "\n");
    }
    arc_text_append(page, "</code></pre></details>\n");
}

void arc_page_origin(ArcText *page, const ArcPagePart *part)
{
    const ArcResult *result = part->item->result;
    const ArcExperiment *experiment = part->item->experiment;
    if (result == NULL)
        experiment = part->item->aim->experiment;
    arc_page_section(page, part, "origin", "How this was made");
    arc_text_append(page, "<dl class=\"origin\">\n");
    put_entries(page, part);
    arc_text_append(page, "<div><dt>This page by</dt><dd>arcfit %s</dd></div>\n</dl>\n",
                    ARC_VERSION);
    put_command(page, part);
    if (result != NULL) {
        put_file(page, "The experiment’s text", NULL, result->experiment_text);
        put_file(page, "Its equations’ text", result->model_path, result->model_text);
        put_settings(page, result);
    } else {
        put_file(page, "The experiment’s text", NULL, experiment->text);
    }
    arc_page_end_section(page);
}

void arc_page_licence(ArcText *page)
{
    static const char licence[] =
        "Copyright (c) 2016-2026 Plotly Technologies Inc.\n\n"
        "Permission is hereby granted, free of charge, to any person obtaining a copy of this "
        "software and associated documentation files (the \"Software\"), to deal in the Software "
        "without restriction, including without limitation the rights to use, copy, modify, merge, "
        "publish, distribute, sublicense, and/or sell copies of the Software, and to permit "
        "persons to whom the Software is furnished to do so, subject to the following "
        "conditions:\n\n"
        "The above copyright notice and this permission notice shall be included in all copies or "
        "substantial portions of the Software.\n\n"
        "THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, "
        "INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR "
        "PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE "
        "FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR "
        "OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER "
        "DEALINGS IN THE SOFTWARE.";
    arc_text_append(page,
                    "<details class=\"licence\"><summary>Drawn by Plotly.js, under the MIT "
                    "licence</summary><p>%s</p></details>\n",
                    licence);
}
