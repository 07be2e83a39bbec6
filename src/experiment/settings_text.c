/* The table of settings for people: help in 80 columns. */
#include "base/number.h"
#include "base/text.h"
#include "experiment/settings.h"

#include <string.h>

enum { TEXT_COLUMNS = 80, TEXT_INDENT = 6 };

static void append_range(ArcText *text, const ArcSettingRow *row)
{
    char low[ARC_NUMBER_TEXT], high[ARC_NUMBER_TEXT];
    if (row->low == row->high) {
        arc_text_append(text, ", %s only", arc_number_write_digits(low, row->low, 6));
        return;
    }
    int digits = row->type == ARC_SETTING_WHOLE ? 16 : 6;
    arc_text_append(text, ", %s to %s", arc_number_write_digits(low, row->low, digits),
                    arc_number_write_digits(high, row->high, digits));
    if (row->quantity != ARC_ONE)
        arc_text_append(text, " %s", arc_quantity_unit(row->quantity));
}

/* What the setting accepts. */
static void append_type(ArcText *text, const ArcSettingRow *row)
{
    switch (row->type) {
    case ARC_SETTING_SECTION:
        arc_text_append(text, "a mapping");
        break;
    case ARC_SETTING_TEXT:
        arc_text_append(text, "a text");
        break;
    case ARC_SETTING_FILE:
        arc_text_append(text, "a file");
        break;
    case ARC_SETTING_NUMBER:
        arc_text_append(text, "%s", arc_quantity_text(row->quantity));
        append_range(text, row);
        break;
    case ARC_SETTING_WHOLE:
        arc_text_append(text, "a whole number");
        append_range(text, row);
        break;
    case ARC_SETTING_FLAG:
        arc_text_append(text, "true or false");
        break;
    case ARC_SETTING_CHOICE:
        for (int i = 0; row->choice(i) != NULL; i++)
            arc_text_append(text, "%s%s", i == 0 ? "" : " | ", row->choice(i));
        break;
    case ARC_SETTING_PARAMETER:
    case ARC_SETTING_SPECIAL:
        arc_text_append(text, "%s", row->accepts);
        break;
    }
}

/* words in lines of at most TEXT_COLUMNS, each indented. */
static void append_wrapped(ArcText *text, const char *words)
{
    int column = 0;
    while (*words != '\0') {
        int length = (int)strcspn(words, " ");
        if (column > 0 && column + 1 + length > TEXT_COLUMNS) {
            arc_text_append(text, "\n");
            column = 0;
        }
        arc_text_append(text, "%*s%.*s", column == 0 ? TEXT_INDENT : 1, "", length, words);
        column += (column == 0 ? TEXT_INDENT : 1) + length;
        words += length;
        words += strspn(words, " ");
    }
    arc_text_append(text, "\n");
}

void arc_setting_describe(ArcText *text, const ArcSettingRow *row)
{
    append_type(text, row);
    if (row->optimizer != NULL)
        arc_text_append(text, "; %s only", row->optimizer);
    if (row->default_text != NULL && strcmp(row->default_text, "{}") != 0)
        arc_text_append(text, "; default %s", row->default_text);
    else if (row->absent != NULL && strcmp(row->absent, "required") == 0)
        arc_text_append(text, "; required");
    else if (row->absent != NULL)
        arc_text_append(text, "; default: %s", row->absent);
}

static ArcStatus append_row(ArcText *text, const ArcSettingRow *row, ArcError *err)
{
    ArcText line = {0};
    arc_setting_describe(&line, row);
    char *words = NULL;
    ArcStatus status = arc_text_finish(&line, &words, err);
    if (status != ARC_OK)
        return status;
    arc_text_append(text, "  %s\n", row->path);
    append_wrapped(text, row->doc);
    append_wrapped(text, words);
    arc_text_free(words);
    return ARC_OK;
}

/* Hands out over, or frees it where it failed. */
static ArcStatus finish(ArcText *out, ArcStatus status, char **text, ArcError *err)
{
    if (status == ARC_OK)
        return arc_text_finish(out, text, err);
    arc_text_free(out->bytes);
    return status;
}

static ArcStatus no_row(int i, ArcError *err)
{
    return arc_error_set(err, ARC_USAGE, "error: the table of settings has no row %d", i);
}

ArcStatus arc_setting_accepts(int i, char **text, ArcError *err)
{
    const ArcSettingRow *row = arc_setting_at(i);
    if (row == NULL)
        return no_row(i, err);
    ArcText out = {0};
    arc_setting_describe(&out, row);
    return arc_text_finish(&out, text, err);
}

ArcStatus arc_setting_text(int i, char **text, ArcError *err)
{
    const ArcSettingRow *section = arc_setting_at(i), *row;
    if (section == NULL)
        return no_row(i, err);
    ArcText out = {0};
    ArcStatus status = append_row(&out, section, err);
    for (int k = 0; status == ARC_OK && (row = arc_setting_at(k)) != NULL; k++) {
        ArcSettingInfo info;
        if (!arc_setting_is_in(row, section->path))
            continue;
        status = append_row(&out, row, err);
        if (status == ARC_OK && arc_setting_info(k, &info) && info.n_below > 0)
            arc_text_append(&out, "%*swith keys of its own: `arcfit help %s`\n", TEXT_INDENT, "",
                            row->path);
    }
    return finish(&out, status, text, err);
}

ArcStatus arc_settings_text(char **text, ArcError *err)
{
    ArcText out = {0};
    arc_text_append(&out, "Settings of an experiment, each with what it is, what it accepts and "
                          "its\ndefault. Any of them can be given as --set path=value; a list's "
                          "entries are\ncounted from 0 (fit.pinn.train.0.steps=20).\n\n");
    const ArcSettingRow *row;
    ArcStatus status = ARC_OK;
    for (int i = 0; status == ARC_OK && (row = arc_setting_at(i)) != NULL; i++)
        status = append_row(&out, row, err);
    return finish(&out, status, text, err);
}
