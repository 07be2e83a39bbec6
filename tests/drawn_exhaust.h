/* Runs a function with memory that ends after the first block, the second, ..., until it is enough.
 */
#ifndef ARC_TESTS_DRAWN_EXHAUST_H
#define ARC_TESTS_DRAWN_EXHAUST_H

#include "arcfit/error.h"
#include "base/arena.h"

static int drawn_allowed;

static inline bool drawn_memory(void *context, size_t size)
{
    (void)context;
    (void)size;
    return drawn_allowed-- > 0;
}

typedef ArcStatus (*DrawnRun)(ArcError *err);

static inline void drawn_exhaust(DrawnRun run)
{
    ArcStatus status = ARC_MEMORY;
    int n = 0;
    for (; status != ARC_OK; n++) {
        ArcError err = {ARC_OK, ""};
        assert_true(n < 5000);
        drawn_allowed = n;
        arc_memory_set_hook(drawn_memory, NULL);
        status = run(&err);
        arc_memory_set_hook(NULL, NULL);
        if (status != ARC_OK && status != ARC_MEMORY)
            fail_msg("%s", err.text);
    }
    assert_true(n > 1);
}

#endif
