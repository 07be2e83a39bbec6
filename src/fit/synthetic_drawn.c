/* Values of what is randomised, one set a replica. */
#include "fit/synthetic_drawn.h"

#include "base/number.h"
#include "base/random.h"
#include "fit/noise.h"

#include <string.h>

static void draw_values(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                        double values[ARC_MAX_RANDOM_QUANTITIES])
{
    ArcRandom random = arc_noise_stream((ArcNoiseSource){experiment->seed, settings->replica, 0},
                                        ARC_STREAM_RANDOMISE);
    for (int k = 0; k < experiment->randomise.n; k++)
        values[k] = arc_random_quantity_at(&experiment->randomise.quantities[k],
                                           arc_random_uniform(&random, 0.0, 1.0));
}

ArcStatus arc_synthetic_draw(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                             ArcArena **arena, const ArcExperiment **drawn, ArcError *err)
{
    double values[ARC_MAX_RANDOM_QUANTITIES];
    *arena = NULL;
    *drawn = experiment;
    if (experiment->randomise.n == 0)
        return ARC_OK;
    *arena = arc_arena_create();
    ArcExperiment *made = *arena == NULL ? NULL : ARC_ALLOC(*arena, 1, ArcExperiment);
    ArcStatus status = ARC_OK;
    if (made == NULL) {
        status = arc_error_no_memory(err);
    } else {
        draw_values(experiment, settings, values);
        status = arc_randomise_apply(experiment, values, made, err);
    }
    if (status != ARC_OK) {
        arc_arena_free(*arena);
        *arena = NULL;
        return status;
    }
    made->randomise.n = 0;
    *drawn = made;
    return ARC_OK;
}

void arc_synthetic_drawn_text(ArcText *out, const ArcExperiment *experiment,
                              const ArcSimulateSettings *settings)
{
    double values[ARC_MAX_RANDOM_QUANTITIES];
    char number[ARC_NUMBER_TEXT];
    draw_values(experiment, settings, values);
    for (int k = 0; k < experiment->randomise.n; k++) {
        const ArcRandomQuantity *quantity = &experiment->randomise.quantities[k];
        bool is_plain = strcmp(quantity->unit, "1") == 0;
        arc_text_append(out, "%s %s %s%s%s", k == 0 ? "randomised:" : ",", quantity->name,
                        arc_number_write(number, values[k]), is_plain ? "" : " ",
                        is_plain ? "" : quantity->unit);
    }
    arc_text_append(out, "\n");
}
