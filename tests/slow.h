/* Tests by the thousand, run where ARCFIT_SLOW is set. */
#ifndef SLOW_H
#define SLOW_H

#include <stdbool.h>
#include <stdlib.h>

/* The sanitizers look at what runs, not at how often: there a few cases are as good as thousands.
 */
static inline bool slow_is_wanted(void)
{
#ifdef __SANITIZE_ADDRESS__
    return false;
#else
    return getenv("ARCFIT_SLOW") != NULL;
#endif
}

/* The number of cases, and how many of them are enough there. */
#ifdef __SANITIZE_ADDRESS__
#define FEWER(all, few) (few)
#else
#define FEWER(all, few) (all)
#endif

/* Of a test whose code others run there, too. cmocka.h comes before. */
#define SKIP_UNDER_SANITIZERS()                                                                    \
    do {                                                                                           \
        if (FEWER(false, true)) {                                                                  \
            print_message("not under the sanitizers: it repeats what other tests run there\n");    \
            skip();                                                                                \
        }                                                                                          \
    } while (0)

#endif
