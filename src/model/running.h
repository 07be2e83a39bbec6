/* Whose rates this thread is calling just now: a plug-in that passed its trial may still crash
 * where the trial did not look, and whoever catches that wants to name it. */
#ifndef ARC_MODEL_RUNNING_H
#define ARC_MODEL_RUNNING_H

/* The path of the file; NULL: none. May be called from signal handlers. */
const char *arc_equations_running(void);

#endif
