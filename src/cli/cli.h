/* The program `arcfit`: everything but main itself. */
#ifndef ARC_CLI_CLI_H
#define ARC_CLI_CLI_H

/* Runs the command that the arguments name and returns the process's exit code (README, "Exit
 * codes"). Results go to standard output, all else to standard error. */
int arc_cli_main(int argc, char **argv);

#endif
