/* Sources that are compiled with a plug-in, as texts (made by src/embed). */
#ifndef ARC_MODEL_TEXTS_H
#define ARC_MODEL_TEXTS_H

extern const char ARC_TEXT_MODEL_H[];  /* include/arcfit/model.h */
extern const char ARC_TEXT_PLUGIN_H[]; /* plugin.h */
extern const char ARC_TEXT_PLUGIN_C[]; /* plugin.c */
extern const char ARC_TEXT_TRIAL_C[];  /* trial.c */

#endif
