/* Objectives one behind the other. */
#include "solve/stacked.h"

#include <string.h>

typedef struct Part {
    ArcObjective objective;
    int first_row, first_inner;
    double *z, *J; /* its own unknowns and partials */
} Part;

typedef struct Stacked {
    int n, m, n_inner, n_outer;
    Part parts[ARC_MAX_STACKED];
} Stacked;

/* Columns of a part's own partials into those of all: only its block of the inner ones is ever
 * anything but zero. */
static void place_columns(const Stacked *stacked, const Part *part, double *J)
{
    size_t ld = (size_t)stacked->m, rows = (size_t)part->objective.m;
    int n_inner = part->objective.n_inner;
    double *inner = J + (size_t)part->first_row + (size_t)part->first_inner * ld;
    double *outer = J + (size_t)part->first_row + (size_t)stacked->n_inner * ld;
    for (int k = 0; k < n_inner; k++)
        memcpy(inner + (size_t)k * ld, part->J + (size_t)k * rows, sizeof(double) * rows);
    for (int k = 0; k < stacked->n_outer; k++)
        memcpy(outer + (size_t)k * ld, part->J + (size_t)(n_inner + k) * rows,
               sizeof(double) * rows);
}

static bool stacked_evaluate(void *context, const double *z, double *r, double *J)
{
    Stacked *stacked = context;
    for (int i = 0; i < stacked->n; i++) {
        Part *part = &stacked->parts[i];
        const ArcObjective *objective = &part->objective;
        memcpy(part->z, z + part->first_inner, sizeof(double) * (size_t)objective->n_inner);
        memcpy(part->z + objective->n_inner, z + stacked->n_inner,
               sizeof(double) * (size_t)stacked->n_outer);
        if (!objective->evaluate(objective->context, part->z, r + part->first_row,
                                 J != NULL ? part->J : NULL))
            return false;
        if (J != NULL)
            place_columns(stacked, part, J);
    }
    return true;
}

ArcStatus arc_stacked_create(int n, const ArcObjective *parts, ArcArena *arena,
                             ArcObjective *objective, ArcError *err)
{
    Stacked *stacked = ARC_ALLOC(arena, 1, Stacked);
    if (stacked == NULL)
        return arc_error_no_memory(err);
    stacked->n = n;
    stacked->n_outer = parts[0].n_outer;
    for (int i = 0; i < n; i++) {
        Part *part = &stacked->parts[i];
        size_t all = (size_t)(parts[i].n_inner + parts[i].n_outer);
        *part = (Part){.objective = parts[i],
                       .first_row = stacked->m,
                       .first_inner = stacked->n_inner,
                       .z = ARC_ALLOC(arena, all, double),
                       .J = ARC_ALLOC(arena, (size_t)parts[i].m * all, double)};
        if (part->z == NULL || part->J == NULL)
            return arc_error_no_memory(err);
        stacked->m += parts[i].m;
        stacked->n_inner += parts[i].n_inner;
    }
    ArcInnerBlock blocks[ARC_MAX_STACKED];
    for (int i = 0; i < n; i++) {
        const Part *part = &stacked->parts[i];
        blocks[i] = (ArcInnerBlock){part->first_row, part->objective.m, part->first_inner,
                                    part->objective.n_inner};
    }
    *objective = (ArcObjective){.m = stacked->m,
                                .n_inner = stacked->n_inner,
                                .n_outer = stacked->n_outer,
                                .context = stacked,
                                .evaluate = stacked_evaluate,
                                .n_blocks = stacked->n_inner > 0 ? n : 0};
    memcpy(objective->blocks, blocks, sizeof blocks);
    return ARC_OK;
}

int arc_stacked_count(const ArcObjective *objective)
{
    const Stacked *stacked = objective->context;
    return objective->evaluate == stacked_evaluate ? stacked->n : 0;
}

const ArcObjective *arc_stacked_part(const ArcObjective *objective, int part, int *first_inner)
{
    const Stacked *stacked = objective->context;
    *first_inner = stacked->parts[part].first_inner;
    return &stacked->parts[part].objective;
}
