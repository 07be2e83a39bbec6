/* What the tables of arcfit say of a topic, for topics.c. ARC_MEMORY. */
#ifndef ARC_CLI_TOPIC_TABLES_H
#define ARC_CLI_TOPIC_TABLES_H

#include "arcfit/error.h"
#include "cli/writer.h"

/* An experiment's sections, on a page all keys. */
ArcStatus arc_topic_sections(ArcWriter *writer, ArcError *err);

/* All keys. */
ArcStatus arc_topic_settings(ArcWriter *writer, ArcError *err);

/* Formats of captures, with what they are. */
ArcStatus arc_topic_formats(ArcWriter *writer, ArcError *err);

/* Names of parameters with units. */
ArcStatus arc_topic_parameters(ArcWriter *writer, ArcError *err);

/* Keys of a net file. */
ArcStatus arc_topic_nets(ArcWriter *writer, ArcError *err);

/* What a parameter is after a fit. */
ArcStatus arc_topic_statuses(ArcWriter *writer, ArcError *err);

ArcStatus arc_topic_units(ArcWriter *writer, ArcError *err);

#endif
