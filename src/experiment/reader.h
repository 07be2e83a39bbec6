/* Reads nodes of the tree into fields by the rows of the table, checking as it goes.
 *
 * Every function gives ARC_INPUT with the node's place, or ARC_MEMORY. path is the setting's path
 * as a user writes it, for messages.
 */
#ifndef ARC_EXPERIMENT_READER_H
#define ARC_EXPERIMENT_READER_H

#include "base/arena.h"
#include "experiment/settings.h"

struct ArcReader {
    ArcArena *arena;
    ArcExperiment *experiment;
    const char *folder;         /* of the experiment file */
    const ArcYamlNode *root;    /* of the experiment file */
    ArcParameterInfo parameter; /* being read: its unit and range */
    const char *optimizer;      /* of the stage being read; NULL where it is not known */
    int n_records, capacity;
    const char **paths, **values;
};

/* All rows of section from node, a mapping: unknown keys refused, defaults filled in, values
 * recorded. base is the struct of the rows' offsets. */
ArcStatus arc_reader_section(ArcReader *reader, const char *section, const ArcSetting *setting,
                             ArcError *err);

/* One scalar as a number of a quantity, low to high. */
ArcStatus arc_reader_number(const ArcSettingRow *row, const char *path, const ArcYamlNode *node,
                            double *value, ArcError *err);

/* One scalar as a number with the unit and the range of the parameter that is being read. */
ArcStatus arc_reader_parameter(const ArcReader *reader, const char *path, const ArcYamlNode *node,
                               double *value, ArcError *err);

/* One scalar as a whole number, row->low to row->high. */
ArcStatus arc_reader_whole(const ArcSettingRow *row, const char *path, const ArcYamlNode *node,
                           long long *value, ArcError *err);

/* One scalar, not null. accepts says what is wanted, for the message. */
ArcStatus arc_reader_scalar(const char *path, const ArcYamlNode *node, const char *accepts,
                            ArcError *err);

/* Index of node's text among names, which end with NULL. */
ArcStatus arc_reader_choice(const char *path, const ArcYamlNode *node,
                            const char *(*name)(int index), int *index, ArcError *err);

/* Remembers path and a text of the value for the result. */
ArcStatus arc_reader_record(ArcReader *reader, const char *path, const char *value, ArcError *err);

/* The same of a number in SI, with its unit ("1": none). */
ArcStatus arc_reader_record_number(ArcReader *reader, const char *path, double value,
                                   const char *unit, ArcError *err);

/* Where key stands in mapping: its value; the mapping's own key where it is absent. */
ArcPlace arc_reader_place(const ArcYamlNode *mapping, const char *key);

#endif
