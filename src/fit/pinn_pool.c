/* Scratch that the nets of many flights share. */
#include "fit/pinn.h"

/* Whether what lends is of pinn's shape and large enough. */
static bool can_lend(const ArcPinn *lender, const ArcPinn *pinn)
{
    const ArcProblem *own = pinn->problem, *other = lender->problem;
    const ArcNetSettings *a = &lender->settings, *b = &pinn->settings;
    return arc_net_settings_have_same_shape(a, b) && a->init == b->init &&
           a->slope_low == b->slope_low && a->slope_high == b->slope_high && lender->M == pinn->M &&
           lender->max_points >= pinn->max_points &&
           arc_pinn_own_rows(lender) >= arc_pinn_own_rows(pinn) &&
           other->n_priors >= own->n_priors && other->D == own->D && other->P == own->P &&
           other->seed == own->seed;
}

ArcStatus arc_pinn_borrow_scratch(ArcPinn *pinn, ArcError *err)
{
    ArcPinnPool *pool = pinn->problem->pool;
    ArcPinnLender *lender = pool->lenders;
    while (lender != NULL && !can_lend(&lender->scratch, pinn))
        lender = lender->next;
    if (lender == NULL) {
        lender = ARC_ALLOC(pool->arena, 1, ArcPinnLender);
        ArcProblem *problem = ARC_ALLOC(pool->arena, 1, ArcProblem);
        if (lender == NULL || problem == NULL)
            return arc_error_no_memory(err);
        *lender = (ArcPinnLender){.scratch = *pinn, .arena = pool->arena, .next = pool->lenders};
        *problem = *pinn->problem;
        lender->scratch.problem = problem;
        ArcStatus status = arc_pinn_allocate_scratch(&lender->scratch, pool->arena, err);
        if (status != ARC_OK)
            return status;
        pool->lenders = lender;
    }
    const ArcPinn *from = &lender->scratch;
    pinn->lender = lender;
    pinn->net = from->net;
    pinn->work = from->work;
    pinn->batch_tau = from->batch_tau;
    pinn->batch_s = from->batch_s;
    pinn->breach = from->breach;
    pinn->clock = from->clock;
    pinn->jets = from->jets;
    pinn->x = from->x;
    pinn->v = from->v;
    pinn->a = from->a;
    pinn->law = from->law;
    pinn->a_x = from->a_x;
    pinn->a_v = from->a_v;
    pinn->a_p = from->a_p;
    pinn->q_rows = from->q_rows;
    pinn->t0_rows = from->t0_rows;
    pinn->r = from->r;
    return ARC_OK;
}
