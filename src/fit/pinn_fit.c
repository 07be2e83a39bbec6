/* The PINN fit: the widening ladder of nets, the stages on each, and the judge between the nodes.
 *
 * A net counts as fine enough when the physics residual on the grid that training never saw is at
 * most 0.1 sigma_phys. Where points pull against the equations (a bounce in the data, or a
 * `physics` that lets the flight break the model) the residual is rightly larger; then a net is
 * fine enough once widening it changed the residual by no more than that.
 *
 * A run is where it stands (rung, stage, the best net so far, the present one); all of that goes
 * into a checkpoint between two steps, and a run read from one takes the same path on.
 */
#include "fit/checkpoint.h"
#include "fit/collocation.h"
#include "fit/evidence.h"
#include "fit/segments.h"
#include "fit/stage.h"

#include <math.h>
#include <string.h>

/* A last stage that is not linear has converged where less than this is left of the linear step. */
static const double near_enough_sd = 5.0;
static const double remaining_sd = 5e-2;
enum { MAX_RESPANS = 8 };

/* A trained net: what the run keeps of a rung. */
typedef struct Trained {
    bool exists;
    int rung, swing_rung;
    ArcPinn *pinn;
    double *T; /* (n_free, n_free) */
    bool has_T, converged;
    int stop;
    double cost, rms, rms_fine;
    double swing_rms, swing_rms_fine; /* NaN without a swing */
} Trained;

typedef struct Run {
    const ArcProblem *problem;
    const ArcFitOptions *options;
    ArcHistory history;
    ArcCheckpoint *checkpoint;
    int section; /* of the checkpoint */
    ArcArena *arena;
    int rung, swing_rung, attempt, stage;
    bool within; /* of a checkpoint: inside the stage, else before it */
    int iterations;
    double rms_before, swing_before; /* of the rung before */
    Trained best, present;
    const char *note;
} Run;

static ArcStatus trained_create(Run *run, const int rungs[2], const double *values,
                                Trained *trained, ArcError *err)
{
    size_t n = (size_t)run->problem->n_free;
    *trained =
        (Trained){.exists = true, .rung = rungs[0], .swing_rung = rungs[1], .stop = ARC_STOP_LIMIT};
    trained->T = ARC_ALLOC(run->arena, n * n, double);
    if (trained->T == NULL)
        return arc_error_no_memory(err);
    return arc_pinn_create_rungs(run->problem, rungs, values, run->arena, &trained->pinn, err);
}

static int sound_rung(int rung, int n)
{
    return rung < 0 || rung >= n ? 0 : rung;
}

/* Both directions; on reading the net is made first, by its rung. */
static ArcStatus trained_store(Run *run, Trained *trained, ArcStore *store, ArcError *err)
{
    arc_store_flag(store, &trained->exists);
    if (!trained->exists || store->failed)
        return ARC_OK;
    arc_store_whole(store, &trained->rung);
    if (run->problem->swing != NULL)
        arc_store_whole(store, &trained->swing_rung);
    double start[ARC_MAX_PARAMETERS];
    size_t n_parameters = (size_t)run->problem->n_parameters;
    memcpy(start, store->reads ? run->problem->start : trained->pinn->problem->start,
           sizeof(double) * n_parameters);
    arc_store_reals(store, start, n_parameters);
    if (store->reads) {
        const int rungs[2] = {
            sound_rung(trained->rung, arc_pinn_n_rungs(run->problem)),
            sound_rung(trained->swing_rung, arc_pinn_n_swing_rungs(run->problem))};
        ArcStatus status = trained_create(run, rungs, start, trained, err);
        if (status != ARC_OK)
            return status;
    }
    size_t n = (size_t)run->problem->n_free;
    arc_store_reals(store, trained->T, n * n);
    arc_store_flag(store, &trained->has_T);
    arc_store_flag(store, &trained->converged);
    arc_store_whole(store, &trained->stop);
    arc_store_reals(store, &trained->cost, 1);
    arc_store_reals(store, &trained->rms, 1);
    arc_store_reals(store, &trained->rms_fine, 1);
    if (run->problem->swing != NULL) {
        arc_store_reals(store, &trained->swing_rms, 1);
        arc_store_reals(store, &trained->swing_rms_fine, 1);
    }
    arc_pinn_store(trained->pinn, store);
    return ARC_OK;
}

static ArcStatus run_store(Run *run, ArcStore *store, ArcError *err)
{
    arc_store_whole(store, &run->rung);
    arc_store_whole(store, &run->attempt);
    arc_store_whole(store, &run->stage);
    arc_store_flag(store, &run->within);
    arc_store_whole(store, &run->iterations);
    arc_store_reals(store, &run->rms_before, 1);
    if (run->problem->swing != NULL) {
        arc_store_whole(store, &run->swing_rung);
        arc_store_reals(store, &run->swing_before, 1);
    }
    arc_history_store(&run->history, store);
    ArcStatus status = trained_store(run, &run->best, store, err);
    if (status == ARC_OK)
        status = trained_store(run, &run->present, store, err);
    return status;
}

/* Saves the run, with the stage under way; NULL: between two stages. */
static ArcStatus save(Run *run, ArcStageRun *stage, ArcError *err)
{
    ArcStore store = {0};
    run->within = stage != NULL;
    ArcStatus status = run_store(run, &store, err);
    if (status == ARC_OK && run->within)
        arc_stage_store(stage, &store);
    return arc_checkpoint_put(run->checkpoint, run->section, &store, err);
}

/* Where and when something was not finite, and what to change. */
static void note_non_finite(Run *run, const ArcStage *stage, const ArcStageEnd *end)
{
    const char *advice = stage->optimizer == ARC_OPTIMIZER_ADAM ? "lower its rate or set clip"
                         : run->problem->equations != NULL
                             ? "give starts or bounds nearer to the run"
                             : "give starts or bounds nearer to the flight";
    run->note = arc_arena_format(run->arena, "%s not finite at step %d of stage %d (%s); %s",
                                 end->block != NULL ? end->block : "physics", end->iterations + 1,
                                 run->stage, arc_optimizer_name((int)stage->optimizer), advice);
}

static bool is_over(const Run *run)
{
    return run->present.stop == ARC_STOP_INTERRUPTED || run->present.stop == ARC_STOP_NON_FINITE;
}

/* Takes over what a stage ended with; the next one is then the present. */
static void end_stage(Run *run, ArcStageRun *stepper)
{
    Trained *present = &run->present;
    size_t n = (size_t)run->problem->n_free;
    bool is_over = arc_stage_is_over(stepper);
    ArcStageEnd end = arc_stage_finish(stepper);
    const double *T = arc_stage_factor(stepper);
    present->has_T = T != NULL;
    if (T != NULL)
        memcpy(present->T, T, sizeof(double) * n * n);
    present->stop = is_over ? (int)end.stop : ARC_STOP_INTERRUPTED;
    run->iterations += end.iterations;
    if (end.stop == ARC_STOP_NON_FINITE)
        note_non_finite(run, &run->problem->pinn.stages[run->stage], &end);
    run->stage += is_over;
    run->history.stage += is_over;
}

/* Steps of a swing's net that is left for another one anyway, since t0 has moved, need not end in
 * every digit. */
static bool is_to_be_left(const Run *run)
{
    const ArcHistory *history = &run->history;
    const ArcStage *stage = &run->problem->pinn.stages[run->stage];
    return run->present.pinn->swing != NULL && stage->optimizer == ARC_OPTIMIZER_LINEAR &&
           run->attempt < MAX_RESPANS && history->n > 0 &&
           history->rows[history->n - 1].step_sd < near_enough_sd &&
           !arc_pinn_fits_span(run->present.pinn);
}

/* The present stage to its end, or to an interruption. stored: where it stood, NULL to begin. A
 * checkpoint is written at the end of a stage too, so that there is one whatever comes next. */
static ArcStatus run_stage(Run *run, ArcStore *stored, ArcError *err)
{
    const ArcStage *stage = &run->problem->pinn.stages[run->stage];
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStageRun *stepper = NULL;
    ArcStatus status =
        arc_stage_create(run->present.pinn, stage, &run->history, arena, &stepper, err);
    if (status == ARC_OK)
        arc_stage_begin(stepper, stored);
    if (status == ARC_OK && stored != NULL && stored->failed)
        status = arc_checkpoint_refuse(run->checkpoint, err);
    while (status == ARC_OK && !run->history.interrupted && arc_stage_step(stepper)) {
        if (is_to_be_left(run)) {
            arc_stage_leave(stepper);
            break;
        }
        if (arc_checkpoint_is_due(run->checkpoint, run->section))
            status = save(run, stepper, err);
    }
    bool interrupted = run->history.interrupted;
    if (status == ARC_OK && run->checkpoint != NULL && !arc_stage_is_over(stepper))
        status = save(run, stepper, err);
    if (status == ARC_OK) {
        end_stage(run, stepper);
        if (run->checkpoint != NULL && !is_over(run))
            status = save(run, NULL, err);
        if (interrupted)
            run->present.stop = ARC_STOP_INTERRUPTED;
    }
    arc_arena_free(arena);
    return status;
}

/* The factor where the last stage gave none, and whether that stage has arrived. */
static ArcStatus settle_posterior(Run *run, ArcError *err)
{
    Trained *present = &run->present;
    if (present->has_T)
        return ARC_OK;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = ARC_OK;
    double remaining = NAN;
    present->has_T =
        arc_stage_posterior(present->pinn, arena, present->T, &remaining, &status, err);
    arc_arena_free(arena);
    bool ran_out = present->stop == ARC_STOP_LIMIT || present->stop == ARC_STOP_STALLED;
    if (present->has_T && ran_out && remaining <= remaining_sd)
        present->stop = ARC_STOP_COST;
    return status;
}

/* Another span for the present net; of a flight in segments other nets, from where it is. */
static ArcStatus respan(Run *run, ArcError *err)
{
    Trained *present = &run->present;
    const int rungs[2] = {present->rung, present->swing_rung};
    if (present->pinn->next != NULL || run->problem->flight.settings.bounce.is_on)
        return arc_pinn_create_rungs(run->problem, rungs, present->pinn->values, run->arena,
                                     &present->pinn, err);
    arc_pinn_respan(present->pinn);
    return ARC_OK;
}

/* All stages of the present net from run->stage on; a t0 that left the span is followed by a new
 * span. */
static ArcStatus run_stages(Run *run, ArcStore *stored, ArcError *err)
{
    for (;;) {
        ArcPinn *pinn = run->present.pinn;
        while (run->stage < run->problem->pinn.n_stages) {
            ArcStatus status = run_stage(run, stored, err);
            stored = NULL;
            if (status != ARC_OK)
                return status;
            if (is_over(run))
                return settle_posterior(run, err);
        }
        if (arc_pinn_fits_span(pinn))
            return settle_posterior(run, err);
        if (run->attempt == MAX_RESPANS) {
            ArcStatus status = settle_posterior(run, err);
            run->present.stop = ARC_STOP_STALLED;
            return status;
        }
        run->attempt++;
        run->stage = 0;
        ArcStatus status = respan(run, err);
        if (status != ARC_OK)
            return status;
    }
}

/* The residual between the nodes; with a swing that of the two which is the larger in its own
 * sigma, in that of the flight. */
static double fine_of(const Trained *trained)
{
    const ArcPinn *pinn = trained->pinn;
    if (pinn->swing == NULL)
        return trained->rms_fine;
    return fmax(trained->rms_fine,
                trained->swing_rms_fine * pinn->sigma_phys_m_s2 / pinn->swing->sigma_phys_m_s2);
}

/* The better of two nets: converged first, then by the residual between the nodes. */
static bool is_better(const Trained *a, const Trained *b)
{
    if (!b->exists || !b->has_T || !a->has_T)
        return !b->exists || a->has_T;
    if (a->converged != b->converged)
        return a->converged;
    return fine_of(a) < fine_of(b);
}

/* Whether the present net follows the equations closely enough, and of own equations is wide enough
 * for what they leave open too. */
static bool is_fine(const Run *run)
{
    const Trained *present = &run->present;
    const ArcPinn *pinn = present->pinn;
    bool follows = arc_pinn_is_fine(pinn, present->rms, present->rms_fine, run->rms_before);
    if (run->problem->equations == NULL)
        return follows;
    follows = follows || (run->rung > 0 && present->has_T &&
                          arc_pinn_is_settled(pinn, present->T, present->rms_fine));
    return follows && arc_pinn_is_wide(run->problem, run->rung, present->pinn);
}

/* Judges the present nets and keeps them where they are the better ones; the next rungs are those
 * of what is not fine enough. False where there is no wider one. */
static bool judge(Run *run)
{
    Trained *present = &run->present;
    ArcPinn *pinn = present->pinn;
    present->cost = arc_pinn_cost(pinn, &present->rms);
    present->rms_fine = arc_pinn_physics_rms_fine(pinn);
    arc_pinn_swing_rms(pinn, &present->swing_rms, &present->swing_rms_fine);
    bool fine = is_fine(run);
    bool swing_fine =
        pinn->swing == NULL || arc_pinn_is_fine(pinn->swing, present->swing_rms,
                                                present->swing_rms_fine, run->swing_before);
    present->converged = arc_stop_is_converged((ArcStop)present->stop) && fine && swing_fine;
    run->rms_before = present->rms_fine;
    run->swing_before = present->swing_rms_fine;
    if (is_better(present, &run->best))
        run->best = *present;
    int last = arc_pinn_n_rungs(run->problem) - 1;
    int last_swing = arc_pinn_n_swing_rungs(run->problem) - 1;
    bool widens = !fine || swing_fine, widens_swing = pinn->swing != NULL && !swing_fine;
    bool goes_on = (widens && run->rung < last) || (widens_swing && run->swing_rung < last_swing);
    run->rung += widens && run->rung < last;
    run->swing_rung += widens_swing && run->swing_rung < last_swing;
    return goes_on;
}

/* Where the next net begins. A net of own equations is drawn for the motion by its start, so that
 * the estimates of the one before serve it. */
static const double *rung_start(const Run *run)
{
    bool goes_on = run->problem->equations != NULL && run->present.exists && run->present.has_T;
    return goes_on ? run->present.pinn->values : run->problem->start;
}

/* resumed: a checkpoint gave the present net; stored: what belongs to its stage, or NULL. */
static ArcStatus climb(Run *run, bool resumed, ArcStore *stored, ArcError *err)
{
    for (bool goes_on = true; goes_on;) {
        ArcStatus status = ARC_OK;
        if (!resumed) {
            run->rung = arc_pinn_rung_for(run->problem, run->rung, rung_start(run));
            const int rungs[2] = {run->rung, run->swing_rung};
            run->attempt = run->stage = 0;
            status = trained_create(run, rungs, rung_start(run), &run->present, err);
            if (status == ARC_OK && run->options != NULL && run->options->warm_start != NULL)
                arc_pinn_warm_start(run->present.pinn, run->options->warm_start);
        }
        if (status == ARC_OK)
            status = run_stages(run, stored, err);
        resumed = false;
        stored = NULL;
        if (status != ARC_OK)
            return status;
        goes_on = judge(run) && !run->best.converged && !is_over(run);
    }
    return ARC_OK;
}

static bool is_within(int value, int low, int high)
{
    return value >= low && value <= high;
}

/* Whether what was read of a checkpoint can be of this run. */
static bool is_sound(const Run *run)
{
    const Trained *best = &run->best, *present = &run->present;
    int last = arc_pinn_n_rungs(run->problem) - 1;
    int last_swing = arc_pinn_n_swing_rungs(run->problem) - 1;
    return present->exists && is_within(run->rung, 0, last) && is_within(present->rung, 0, last) &&
           is_within(best->rung, 0, last) && is_within(run->swing_rung, 0, last_swing) &&
           is_within(present->swing_rung, 0, last_swing) &&
           is_within(best->swing_rung, 0, last_swing) && is_within(run->attempt, 0, MAX_RESPANS) &&
           is_within(run->stage, 0, run->problem->pinn.n_stages - run->within) &&
           is_within(present->stop, 0, ARC_STOP_INTERRUPTED) &&
           is_within(best->stop, 0, ARC_STOP_INTERRUPTED);
}

/* Takes the run to where a checkpoint left it, if there is one; *stored is then set to what belongs
 * to its stage, and left NULL between two stages. */
static ArcStatus resume(Run *run, ArcStore *reader, bool *resumed, ArcStore **stored, ArcError *err)
{
    *resumed = false;
    if (!arc_checkpoint_section(run->checkpoint, run->section, reader))
        return ARC_OK;
    ArcStatus status = run_store(run, reader, err);
    if (status == ARC_OK && (reader->failed || !is_sound(run)))
        status = arc_checkpoint_refuse(run->checkpoint, err);
    *resumed = true;
    if (run->within)
        *stored = reader;
    return status;
}

/* In batches, since the net's scratch has room for so many points; each of one segment. */
static bool pinn_states(void *context, int n, const double *t_s, double *x, double *v, double *a)
{
    ArcPinn *first = context;
    int D = first->problem->D, t0 = first->problem->t0_index;
    for (int begin = 0, count; begin < n; begin += count) {
        ArcPinn *pinn = arc_segments_at(first, t_s[begin]);
        for (count = 0; count < pinn->F && begin + count < n; count++) {
            if (arc_segments_at(first, t_s[begin + count]) != pinn)
                break;
            pinn->batch_s[count] = t_s[begin + count] - pinn->values[t0];
            pinn->batch_tau[count] = 2.0 * pinn->batch_s[count] / pinn->span_s - 1.0;
        }
        arc_pinn_forward(pinn, count, pinn->batch_tau);
        arc_pinn_states(pinn, count, pinn->batch_s);
        const double *from[3] = {pinn->x, pinn->v, pinn->a};
        double *to[3] = {x, v, a};
        for (int part = 0; part < 3; part++)
            if (to[part] != NULL)
                memcpy(to[part] + begin * D, from[part], sizeof(double) * (size_t)(count * D));
    }
    return true;
}

/* The nets of all segments, one behind the other. */
static ArcStatus gather_nets(const ArcPinn *first, ArcArena *arena, ArcFittedNet *net,
                             ArcError *err)
{
    *net = (ArcFittedNet){.settings = first->settings,
                          .n_outputs = first->problem->D,
                          .scale_m_s2 = first->scale_m_s2,
                          .collocation = first->M};
    for (const ArcPinn *pinn = first; pinn != NULL; pinn = pinn->next)
        net->n_segments++;
    net->n_weights = net->n_segments * first->n_weights;
    double *weights = ARC_ALLOC(arena, (size_t)net->n_weights, double);
    double *segments = ARC_ALLOC(arena, 2 * (size_t)net->n_segments, double);
    if (weights == NULL || segments == NULL)
        return arc_error_no_memory(err);
    net->weights = weights;
    net->begin_s = segments;
    net->span_s = segments + net->n_segments;
    int t0 = first->problem->t0_index;
    for (const ArcPinn *pinn = first; pinn != NULL; pinn = pinn->next, segments++) {
        memcpy(weights, pinn->weights, sizeof(double) * (size_t)pinn->n_weights);
        weights += pinn->n_weights;
        segments[0] = pinn->values[t0] - first->values[t0];
        segments[net->n_segments] = pinn->span_s;
    }
    return ARC_OK;
}

ArcStatus arc_pinn_describe(ArcPinn *pinn, ArcArena *arena, ArcOutcome *outcome, ArcError *err)
{
    const ArcProblem *problem = pinn->problem;
    *outcome = (ArcOutcome){.values = pinn->values,
                            .pinn = pinn,
                            .trajectory = {pinn, pinn_states},
                            .swing = {pinn->swing, pinn->swing != NULL ? pinn_states : NULL},
                            .swing_rms_rad_s2 = NAN,
                            .swing_rms_fine_rad_s2 = NAN,
                            .swing_sigma_phys_rad_s2 =
                                pinn->swing != NULL ? pinn->swing->sigma_phys_m_s2 : (double)NAN,
                            .sigma_phys_m_s2 = pinn->sigma_phys_m_s2,
                            .sigma_phys_ci95_m_s2 = {problem->sigma_phys_ci95_m_s2[0],
                                                     problem->sigma_phys_ci95_m_s2[1]}};
    return gather_nets(pinn, arena, &outcome->net, err);
}

static ArcStatus fill_outcome(const Run *run, ArcOutcome *outcome, ArcError *err)
{
    const Trained *best = &run->best;
    ArcStatus status = arc_pinn_describe(best->pinn, run->arena, outcome, err);
    outcome->stop = run->history.interrupted ? ARC_STOP_INTERRUPTED : (ArcStop)best->stop;
    outcome->converged = best->converged;
    outcome->iterations = run->iterations;
    outcome->cost = best->cost;
    outcome->T = best->has_T ? best->T : NULL;
    outcome->n_history = run->history.n;
    outcome->history = run->history.rows;
    outcome->physics_rms_m_s2 = best->rms;
    outcome->physics_rms_fine_m_s2 = best->rms_fine;
    outcome->swing_rms_rad_s2 = best->swing_rms;
    outcome->swing_rms_fine_rad_s2 = best->swing_rms_fine;
    outcome->note = run->note;
    return status;
}

ArcStatus arc_pinn_settle_physics(ArcProblem *problem, ArcError *err)
{
    if (!problem->pinn.physics_auto)
        return ARC_OK;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcPinn *pinn = NULL;
    ArcEvidence evidence;
    ArcStatus status = arc_pinn_first(problem, arena, &pinn, err);
    if (status == ARC_OK)
        status = arc_evidence_maximise(pinn, arena, &evidence, err);
    if (status == ARC_OK) {
        problem->pinn.sigma_phys_m_s2 = evidence.sigma_phys_m_s2;
        memcpy(problem->sigma_phys_ci95_m_s2, evidence.ci95_m_s2, sizeof evidence.ci95_m_s2);
    }
    arc_arena_free(arena);
    return status;
}

ArcStatus arc_pinn_fit(const ArcProblem *problem, const ArcFitOptions *options, ArcStartPlace place,
                       ArcArena *arena, ArcOutcome *outcome, ArcError *err)
{
    int rows = 0;
    for (int i = 0; i < problem->pinn.n_stages; i++)
        rows += arc_history_rows_of(problem->pinn.stages[i].steps);
    int n_nets = arc_pinn_n_rungs(problem) + arc_pinn_n_swing_rungs(problem) - 1;
    Run run = {.problem = problem,
               .options = options,
               .history = {.problem = problem,
                           .method = ARC_PINN,
                           .options = options,
                           .start = place.start,
                           .capacity = rows * n_nets},
               .checkpoint = place.checkpoint,
               .section = place.section,
               .arena = arena,
               .rms_before = INFINITY,
               .swing_before = INFINITY};
    ArcStatus status = arc_history_create(&run.history, arena, err);
    ArcStore reader = {0}, *stored = NULL;
    bool resumed = false;
    if (status == ARC_OK)
        status = resume(&run, &reader, &resumed, &stored, err);
    if (status == ARC_OK)
        status = climb(&run, resumed, stored, err);
    if (status == ARC_OK)
        status = fill_outcome(&run, outcome, err);
    return status;
}
