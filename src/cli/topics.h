/* What `arcfit help TOPIC` explains beside commands and keys; one page each. */
#ifndef ARC_CLI_TOPICS_H
#define ARC_CLI_TOPICS_H

#include "arcfit/error.h"
#include "cli/writer.h"

typedef struct ArcTopicRow {
    const char *name;
    int section;       /* of the manual */
    const char *doc;   /* in one line */
    const char *about; /* as arc_writer_words takes it */
    /* What the tables of arcfit say of it, behind that; NULL: nothing. ARC_MEMORY. */
    ArcStatus (*more)(ArcWriter *writer, ArcError *err);
    const char *see; /* names of commands and topics, blank between */
} ArcTopicRow;

/* The rows in order, from 0; NULL behind the last. */
const ArcTopicRow *arc_topic_at(int i);

/* The row of that name, in which a blank is as good as a hyphen; NULL: there is none. */
const ArcTopicRow *arc_topic_find(const char *name);

/* Exit codes and what they mean, as items. */
void arc_topic_exit_codes(ArcWriter *writer);

#endif
