/* Help by the tables: settings, formats, parameters, units. */
#include "cli/topic_tables.h"

#include "arcfit/experiment.h"
#include "arcfit/fit.h"
#include "arcfit/recording.h"
#include "cli/parameter_names.h"

#include <string.h>

enum { KEY_COLUMN = 16, PARAMETER_COLUMN = 26 };

static const char net_file[] = "net file.";

/* A key, what it is, what it accepts. */
static ArcStatus put_setting(ArcWriter *writer, int i, const char *name, ArcError *err)
{
    ArcSettingInfo info;
    char *accepts = NULL, words[1024];
    ArcStatus status = arc_setting_accepts(i, &accepts, err);
    if (status != ARC_OK || !arc_setting_info(i, &info))
        return status;
    snprintf(words, sizeof words, "%s\n%s", info.doc, accepts);
    arc_text_free(accepts);
    arc_writer_item(writer, name, words);
    return ARC_OK;
}

/* A page has a heading for each section. */
static ArcStatus put_settings(ArcWriter *writer, ArcError *err)
{
    ArcSettingInfo info;
    ArcStatus status = ARC_OK;
    bool was_net = false;
    for (int i = 0; status == ARC_OK && arc_setting_info(i, &info); i++) {
        bool is_net = strncmp(info.path, net_file, strlen(net_file)) == 0;
        if (is_net && !was_net)
            arc_writer_subheading(writer, "A net file");
        else if (strchr(info.path, '.') == NULL && info.n_below > 0)
            arc_writer_subheading(writer, info.path);
        was_net = is_net;
        status = put_setting(writer, i, is_net ? info.path + strlen(net_file) : info.path, err);
    }
    return status;
}

ArcStatus arc_topic_settings(ArcWriter *writer, ArcError *err)
{
    if (writer->is_man)
        return put_settings(writer, err);
    char *text = NULL;
    ArcStatus status = arc_settings_text(&text, err);
    if (status == ARC_OK)
        fprintf(writer->stream, "\n%s", text);
    arc_text_free(text);
    return status;
}

/* Of a long doc what stands before its details. */
static void put_section(ArcWriter *writer, const ArcSettingInfo *info)
{
    enum { SHORT = 100 };
    char words[512];
    size_t length = strlen(info->doc);
    if (length > SHORT)
        length = strcspn(info->doc, ":;");
    snprintf(words, sizeof words, "%.*s", (int)length, info->doc);
    arc_writer_item(writer, info->path, words);
}

ArcStatus arc_topic_sections(ArcWriter *writer, ArcError *err)
{
    ArcSettingInfo info;
    writer->column = KEY_COLUMN;
    arc_writer_heading(writer, writer->is_man ? "Settings" : "Sections");
    if (writer->is_man)
        return put_settings(writer, err);
    for (int i = 0; arc_setting_info(i, &info); i++) {
        if (strchr(info.path, '.') == NULL)
            put_section(writer, &info);
    }
    return ARC_OK;
}

ArcStatus arc_topic_formats(ArcWriter *writer, ArcError *err)
{
    (void)err;
    writer->column = KEY_COLUMN;
    for (int i = 0; arc_format_name(i) != NULL; i++)
        arc_writer_item(writer, arc_format_name(i), arc_format_what(i));
    return ARC_OK;
}

ArcStatus arc_topic_parameters(ArcWriter *writer, ArcError *err)
{
    ArcKnownParameters known;
    ArcStatus status = arc_known_parameters(&known, err);
    writer->column = PARAMETER_COLUMN;
    for (int i = 0; status == ARC_OK && i < known.n; i++) {
        char term[64];
        snprintf(term, sizeof term, "%s (%s)", known.rows[i].name, known.rows[i].unit);
        arc_writer_item(writer, term, known.rows[i].doc);
    }
    return status;
}

ArcStatus arc_topic_nets(ArcWriter *writer, ArcError *err)
{
    ArcSettingInfo info;
    ArcStatus status = ARC_OK;
    writer->column = KEY_COLUMN + 2;
    for (int i = 0; status == ARC_OK && arc_setting_info(i, &info); i++) {
        if (strncmp(info.path, net_file, strlen(net_file)) == 0)
            status = put_setting(writer, i, info.path + strlen(net_file), err);
    }
    return status;
}

ArcStatus arc_topic_statuses(ArcWriter *writer, ArcError *err)
{
    static const char *const words[] = {
        [ARC_PARAMETER_FREE] = "found, with a standard deviation",
        [ARC_PARAMETER_FIXED] = "held at its value",
        [ARC_PARAMETER_AT_BOUND] = "the data pull it beyond its bounds; the reason is said",
        [ARC_PARAMETER_UNIDENTIFIED] = "the data do not tell it: no standard deviation, and the "
                                       "reason",
        [ARC_PARAMETER_TIED] = "of the release: it follows from the arm"};
    (void)err;
    writer->column = KEY_COLUMN;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        arc_writer_item(writer, arc_parameter_status_text((ArcParameterStatus)i), words[i]);
    return ARC_OK;
}

/* The table's lines as they are, behind two blanks that some have already. */
ArcStatus arc_topic_units(ArcWriter *writer, ArcError *err)
{
    char *text = NULL;
    ArcStatus status = arc_units_text(&text, err);
    if (status == ARC_OK)
        arc_writer_words(writer, text);
    arc_text_free(text);
    return status;
}
