/* Plug-ins made of texts, in a folder of their own that is also where temporary files go. */
#ifndef ARC_TESTS_PLUGIN_CASE_H
#define ARC_TESTS_PLUGIN_CASE_H

#include "arcfit/equations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char plugin_folder[64];

static inline int plugin_make_folder(void **state)
{
    (void)state;
    strcpy(plugin_folder, "/tmp/arcfit-it's \"a\" XXXXXX");
    if (mkdtemp(plugin_folder) == NULL)
        return -1;
    char path[128];
    snprintf(path, sizeof path, "%s/temporary", plugin_folder);
    return mkdir(path, 0700) != 0 || setenv("TMPDIR", path, 1) != 0;
}

/* Fails where a load left anything behind. */
static inline int plugin_remove_folder(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s/temporary", plugin_folder);
    if (remove(path) != 0)
        return -1;
    DIR *all = opendir(plugin_folder);
    for (struct dirent *entry = readdir(all); entry != NULL; entry = readdir(all)) {
        snprintf(path, sizeof path, "%s/%.100s", plugin_folder, entry->d_name);
        if (entry->d_name[0] != '.')
            remove(path);
    }
    closedir(all);
    return remove(plugin_folder);
}

/* With a macro that the frame must not stumble over. */
static const char PLUGIN_HEAD[] =
    "#define P 2\n#include <arcfit/model.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
    "static const ArcModelQuantity states[] = {{\"x\", \"m\", \"a\", 1, -9, 9},\n"
    "    {\"y\", \"m\", \"b\", 2, -9, 9}};\n"
    "static const ArcModelQuantity parameters[] = {{\"k\", \"1/s\", \"c\", 0.5, 0, 2},\n"
    "    {\"s\", \"1/s\", \"d\", 0.1, -5, 5}};\n";
static const char PLUGIN_END[] = "ARC_MODEL(\"case\", \"d\", 1, states, parameters, rates, NULL)\n";

/* The same rates that tests go out from: f = (k x, s y). */
#define PLUGIN_RATES(more)                                                                         \
    "static void rates(real t, const real *x, const real *v, const real *p, real *f)\n{\n"         \
    "f[0] = p[0] * x[0]; f[1] = p[1] * x[1];" more "\n}\n"

/* Writes head and tail as NAME.c; its path. */
static inline const char *plugin_write(const char *name, const char *head, const char *body,
                                       const char *tail)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s.c", plugin_folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s%s%s", head, body, tail);
    assert_int_equal(fclose(file), 0);
    return path;
}

static const ArcPlace PLUGIN_PLACE = {"experiment.yaml", 3, 10};

#endif
