#include "cli/cli.h"

int main(int argc, char **argv)
{
    return arc_cli_main(argc, argv);
}
