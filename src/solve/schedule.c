/* Learning rates by step. */
#include "solve/schedule.h"

#include <math.h>

ArcRateSchedule arc_schedule_default(void)
{
    return (ArcRateSchedule){.kind = ARC_RATE_CONSTANT, .rate = 1e-3, .decay = 1.0};
}

ArcStatus arc_schedule_check(const ArcRateSchedule *s, ArcError *err)
{
    if (!(s->rate > 0.0) || !isfinite(s->rate))
        return arc_error_set(err, ARC_INPUT, "learning rate %g must be above 0; try 0.001",
                             s->rate);
    if (s->warm_up_steps < 0)
        return arc_error_set(err, ARC_INPUT, "warm-up of %d steps must be 0 or more",
                             s->warm_up_steps);
    if (s->kind == ARC_RATE_CONSTANT)
        return ARC_OK;
    if (!(s->final_rate >= 0.0 && s->final_rate <= s->rate))
        return arc_error_set(err, ARC_INPUT, "final rate %g must be from 0 to the rate, %g",
                             s->final_rate, s->rate);
    if (s->kind == ARC_RATE_EXPONENTIAL && !(s->decay > 0.0 && s->decay <= 1.0))
        return arc_error_set(err, ARC_INPUT,
                             "decay %g of the rate per step must be above 0 and at most 1",
                             s->decay);
    if (s->kind == ARC_RATE_COSINE && s->steps <= s->warm_up_steps)
        return arc_error_set(err, ARC_INPUT,
                             "cosine schedule of %d steps must be longer than its warm-up, %d",
                             s->steps, s->warm_up_steps);
    return ARC_OK;
}

double arc_schedule_rate(const ArcRateSchedule *s, int64_t k)
{
    if (k < s->warm_up_steps)
        return s->rate * ((double)(k + 1) / s->warm_up_steps);
    double j = (double)(k - s->warm_up_steps);
    switch (s->kind) {
    case ARC_RATE_COSINE: {
        double part = fmin(j / (s->steps - s->warm_up_steps), 1.0);
        return s->final_rate + (s->rate - s->final_rate) * 0.5 * (1.0 + cos(M_PI * part));
    }
    case ARC_RATE_EXPONENTIAL:
        return fmax(s->rate * pow(s->decay, j), s->final_rate);
    case ARC_RATE_CONSTANT:
        break;
    }
    return s->rate;
}
