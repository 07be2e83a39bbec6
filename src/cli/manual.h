/* The pages of the manual: how to begin, a command, a topic, a key of an experiment. Each is
 * written as text or as a page of man(1), by the writer that it is given. */
#ifndef ARC_CLI_MANUAL_H
#define ARC_CLI_MANUAL_H

#include "arcfit/error.h"
#include "cli/options.h"
#include "cli/topics.h"
#include "cli/writer.h"

/* What arcfit is, how to begin, commands and topics. */
void arc_manual_overview(ArcWriter *writer);

void arc_manual_command(ArcWriter *writer, ArcCommand command);

/* ARC_MEMORY. */
ArcStatus arc_manual_topic(ArcWriter *writer, const ArcTopicRow *topic, ArcError *err);

/* A key and those below it, by its number in the table of settings. ARC_MEMORY. */
ArcStatus arc_manual_setting(ArcWriter *writer, int i, ArcError *err);

#endif
