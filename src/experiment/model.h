/* Own equations in an experiment: which keys then make no sense, and numbers given by channel. */
#ifndef ARC_EXPERIMENT_MODEL_H
#define ARC_EXPERIMENT_MODEL_H

#include "experiment/reader.h"

/* Whether the experiment has own equations and the row of that path says something of a ball. */
bool arc_model_is_without(const ArcExperiment *experiment, const char *path);

/* Whether the row of that path says something of a ball, which own equations do not have. */
bool arc_model_is_of_flights(const char *path);

/* ARC_INPUT at such a key. */
ArcStatus arc_model_refuse_key(const char *path, const ArcYamlNode *node, ArcError *err);

/* ARC_INPUT at a parameter that the model does not have. */
ArcStatus arc_model_refuse_parameter(const ArcExperiment *experiment, const ArcYamlNode *node,
                                     ArcError *err);

/* Of a capture that was read: only tables of text have columns of channels. */
ArcStatus arc_model_check_capture(const ArcExperiment *experiment, const ArcYamlNode *node,
                                  ArcError *err);

/* A number above 0 for each channel (values, n_channels): one for all that have its unit, or a
 * mapping by name; what is not named stays. estimated (nullable): where `factor: estimate` of the
 * mapping, or `estimate` alone, goes. */
ArcStatus arc_model_read_sigma(ArcReader *reader, const ArcSetting *setting, double *values,
                               bool *estimated, ArcError *err);

/* The channel that the item names; -1 and a message where there is none. */
int arc_model_channel(const ArcExperiment *experiment, const char *path, const char *name,
                      ArcPlace place, ArcError *err);

#endif
