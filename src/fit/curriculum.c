/* The curriculum: problems with fewer laws, their fits one after the other, one history of them. */
#include "fit/curriculum.h"

#include "fit/objectives.h"

#include <math.h>
#include <string.h>

enum { MOST_FITS = ARC_N_LAW_STAGES + 2, STAGE_ITERATIONS = 100 };

/* A problem with some laws off. map: index of each of its parameters in the whole problem. */
typedef struct Lesson {
    ArcProblem problem;
    int map[ARC_MAX_PARAMETERS];
} Lesson;

/* Passes the progress of a lesson on as that of the whole problem. */
typedef struct Relay {
    const ArcProblem *whole;
    const ArcFitOptions *options; /* may be NULL */
    const int *map;
    int stage; /* of the history: the fit's first */
    bool stopped;
    double values[ARC_MAX_PARAMETERS];
} Relay;

static bool relay_progress(void *context, const ArcProgressState *state)
{
    Relay *relay = context;
    ArcProgressState whole = *state;
    ArcHistoryRow row = *state->row;
    row.stage += relay->stage;
    for (int i = 0; i < state->n_parameters; i++)
        relay->values[relay->map[i]] = state->values[i];
    whole.row = &row;
    whole.n_parameters = relay->whole->n_parameters;
    whole.parameters = relay->whole->parameters;
    whole.values = relay->values;
    if (!relay->stopped && relay->options != NULL && relay->options->progress != NULL)
        relay->stopped = !relay->options->progress(relay->options->context, &whole);
    return !relay->stopped;
}

/* The fits so far; their histories are joined at the end. */
typedef struct Course {
    const ArcProblem *whole;
    ArcMethod method;
    ArcFitOptions options;
    ArcStartPlace place;
    Relay relay;
    double *start;                     /* (n_parameters of the whole) where the next fit begins */
    bool is_known[ARC_MAX_PARAMETERS]; /* of the whole's: some stage has fitted it */
    int n;
    ArcOutcome outcomes[MOST_FITS];
    int first_stage[MOST_FITS];
} Course;

static void switch_off(ArcFlightSettings *flight, ArcLawStage stage)
{
    if (stage < ARC_LAWS_SPIN_DECAY)
        flight->spin_decay = ARC_SPIN_DECAY_NONE;
    if (stage < ARC_LAWS_LIFT)
        flight->lift = ARC_LIFT_NONE;
    if (stage < ARC_LAWS_DRAG)
        flight->drag = ARC_DRAG_NONE;
}

static bool is_same(const ArcFlightSettings *a, const ArcFlightSettings *b)
{
    return a->drag == b->drag && a->lift == b->lift && a->spin_decay == b->spin_decay;
}

static int find_parameter(const ArcProblem *problem, const char *name)
{
    for (int i = 0; i < problem->n_parameters; i++)
        if (strcmp(problem->parameters[i].name, name) == 0)
            return i;
    return -1;
}

/* Parameters of the reduced flight by name, then the release's, which are the same. False where one
 * has no counterpart. */
static bool lesson_map(const ArcProblem *whole, Lesson *lesson)
{
    const ArcFlight *flight = &lesson->problem.flight;
    int n = 0;
    for (int i = 0; i < flight->n_parameters; i++) {
        lesson->map[n] = find_parameter(whole, flight->parameters[i].name);
        if (lesson->map[n++] < 0)
            return false;
    }
    for (int i = whole->P; i < whole->n_parameters; i++)
        lesson->map[n++] = i;
    lesson->problem.n_parameters = n;
    return true;
}

/* The lesson's index of a parameter of the whole; -1: it has none, or the whole has none (-1). */
static int lesson_index(const Lesson *lesson, int i)
{
    for (int k = 0; i >= 0 && k < lesson->problem.n_parameters; k++)
        if (lesson->map[k] == i)
            return k;
    return -1;
}

static ArcStatus lesson_take_readings(const ArcProblem *whole, ArcArena *arena, Lesson *lesson,
                                      ArcError *err)
{
    ArcProblem *problem = &lesson->problem;
    problem->readings = ARC_ALLOC(arena, (size_t)whole->n_readings, ArcProblemReading);
    if (problem->readings == NULL)
        return arc_error_no_memory(err);
    problem->n_readings = 0;
    for (int i = 0; i < whole->n_readings; i++) {
        ArcProblemReading reading = whole->readings[i];
        reading.parameter = lesson_index(lesson, reading.parameter);
        reading.gain = lesson_index(lesson, reading.gain);
        reading.offset = lesson_index(lesson, reading.offset);
        if (reading.parameter >= 0)
            problem->readings[problem->n_readings++] = reading;
    }
    problem->n_priors += problem->n_readings;
    return ARC_OK;
}

static ArcStatus lesson_take_parameters(const ArcProblem *whole, const double *start,
                                        ArcArena *arena, Lesson *lesson, ArcError *err)
{
    ArcProblem *problem = &lesson->problem;
    if (!arc_problem_reserve(problem, arena))
        return arc_error_no_memory(err);
    problem->n_free = problem->n_priors = 0;
    for (int i = 0; i < problem->n_parameters; i++) {
        int from = lesson->map[i], unknown = whole->free_index[from], k = problem->n_free;
        problem->parameters[i] = whole->parameters[from];
        problem->start[i] = start[from];
        problem->free_index[i] = unknown < 0 ? -1 : k;
        if (unknown < 0)
            continue;
        problem->free_parameter[k] = i;
        problem->low[k] = whole->low[unknown];
        problem->high[k] = whole->high[unknown];
        problem->n_priors += whole->parameters[from].has_prior;
        problem->n_free++;
    }
    return lesson_take_readings(whole, arena, lesson, err);
}

/* A small net's output layer and parameters: nothing else is worth the time for a start. */
static void lesson_train_briefly(ArcPinnSettings *pinn)
{
    int windows = pinn->windows;
    double sigma_phys_m_s2 = pinn->sigma_phys_m_s2;
    *pinn = (ArcPinnSettings){
        .net = arc_net_settings_default(),
        .collocation_every = 1,
        .sigma_phys_m_s2 = sigma_phys_m_s2,
        .weighting_every = 1,
        .causal_epsilon = 1.0,
        .windows = windows,
        .n_stages = 1,
        .stages = {{.optimizer = ARC_OPTIMIZER_LINEAR, .steps = STAGE_ITERATIONS}}};
}

static ArcStatus lesson_create(const Course *course, const ArcFlight *flight, ArcArena *arena,
                               Lesson *lesson, bool *makes_sense, ArcError *err)
{
    ArcProblem *problem = &lesson->problem;
    *problem = *course->whole;
    problem->flight = *flight;
    problem->P = problem->t0_index = flight->n_parameters;
    problem->arm_index = problem->t0_index + 1 + 2 * problem->d;
    problem->D = flight->n_coordinates;
    problem->Q = problem->P + 2 * problem->D;
    lesson_train_briefly(&problem->pinn);
    *makes_sense = lesson_map(course->whole, lesson);
    if (!*makes_sense)
        return ARC_OK;
    ArcStatus status = lesson_take_parameters(course->whole, course->start, arena, lesson, err);
    *makes_sense = problem->n_free > 0;
    return status;
}

/* Half the sum of squares at a start, by simulation; infinite where it cannot be followed. */
static ArcStatus cost_at(const ArcProblem *problem, const double *start, double *cost,
                         ArcError *err)
{
    ArcObjective objective;
    ArcTrajectory states;
    double *values;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = arc_direct_objective(problem, arena, &objective, &states, &values, err);
    double *u = ARC_ALLOC(arena, (size_t)problem->n_free, double);
    double *r = status == ARC_OK ? ARC_ALLOC(arena, (size_t)objective.m, double) : NULL;
    if (status == ARC_OK && (u == NULL || r == NULL))
        status = arc_error_no_memory(err);
    if (status == ARC_OK) {
        for (int k = 0; k < problem->n_free; k++)
            u[k] = start[problem->free_parameter[k]];
        bool flies = objective.evaluate(objective.context, u, r, NULL);
        *cost = 0.0;
        for (int i = 0; i < objective.m; i++)
            *cost += 0.5 * r[i] * r[i];
        if (!flies || !isfinite(*cost))
            *cost = INFINITY;
    }
    arc_arena_free(arena);
    return status;
}

/* A law that is switched on begins at its defaults where these are nearer to the points than its
 * starts. Spins stay under constant lift, which has no direction without. */
static ArcStatus course_settle_start(Course *course, const ArcProblem *problem, const int *map,
                                     ArcError *err)
{
    double other[ARC_MAX_PARAMETERS], cost, other_cost;
    bool is_new = false;
    memcpy(other, problem->start, sizeof(double) * (size_t)problem->n_parameters);
    for (int i = 0; i < problem->P; i++) {
        const ArcParameterInfo *info = &problem->flight.parameters[i];
        int k = problem->free_index[i];
        bool stays =
            problem->flight.settings.lift == ARC_LIFT_CONSTANT && strcmp(info->unit, "rad/s") == 0;
        if (k < 0 || course->is_known[map[i]] || stays)
            continue;
        course->is_known[map[i]] = is_new = true;
        other[i] = fmin(fmax(info->value, problem->low[k]), problem->high[k]);
    }
    if (!is_new)
        return ARC_OK;
    ArcStatus status = cost_at(problem, problem->start, &cost, err);
    if (status == ARC_OK)
        status = cost_at(problem, other, &other_cost, err);
    if (status == ARC_OK && other_cost < cost)
        memcpy(problem->start, other, sizeof(double) * (size_t)problem->P);
    return status;
}

/* The next of the fits; stages of the one after it count on. */
static void course_keep(Course *course, const ArcOutcome *outcome)
{
    course->first_stage[course->n] = course->relay.stage;
    course->outcomes[course->n++] = *outcome;
    if (outcome->n_history > 0)
        course->relay.stage += outcome->history[outcome->n_history - 1].stage + 1;
}

/* Fits one problem and takes what it found as the start of the next. */
static ArcStatus course_fit(Course *course, const ArcProblem *problem, const int *map,
                            ArcStartPlace place, ArcArena *arena, ArcError *err)
{
    ArcOutcome *outcome = &course->outcomes[course->n];
    course->relay.map = map;
    ArcStatus status = course_settle_start(course, problem, map, err);
    if (status == ARC_OK && course->method == ARC_PINN)
        status = arc_pinn_fit(problem, &course->options, place, arena, outcome, err);
    else if (status == ARC_OK)
        status = arc_direct_fit(problem, &course->options, false, arena, outcome, err);
    if (status != ARC_OK)
        return status;
    course_keep(course, outcome);
    for (int i = 0; i < problem->n_parameters && outcome->T != NULL; i++)
        if (isfinite(outcome->values[i]))
            course->start[map[i]] = outcome->values[i];
    return ARC_OK;
}

/* The stages before the whole flight; names gets theirs. */
static ArcStatus course_run(Course *course, ArcArena *arena, char **names, ArcError *err)
{
    const ArcProblem *whole = course->whole;
    const ArcCurriculum *curriculum = &whole->curriculum;
    ArcFlightSettings before = whole->flight.settings;
    Lesson *lesson = ARC_ALLOC(arena, 1, Lesson);
    int n = curriculum->is_auto ? ARC_N_LAW_STAGES : curriculum->n;
    *names = arc_arena_format(arena, "%s", "");
    if (lesson == NULL || *names == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < n; i++) {
        ArcLawStage stage = curriculum->is_auto ? (ArcLawStage)i : curriculum->stages[i];
        ArcFlightSettings settings = whole->flight.settings;
        ArcFlight flight;
        bool makes_sense = false;
        switch_off(&settings, stage);
        if (is_same(&settings, &whole->flight.settings) || is_same(&settings, &before) ||
            arc_flight_create(&settings, &flight, NULL) != ARC_OK)
            continue;
        before = settings;
        ArcStatus status = lesson_create(course, &flight, arena, lesson, &makes_sense, err);
        if (status == ARC_OK && makes_sense)
            status = course_fit(course, &lesson->problem, lesson->map,
                                (ArcStartPlace){course->place.start, 0, NULL}, arena, err);
        if (status != ARC_OK)
            return status;
        if (makes_sense)
            *names = arc_arena_format(arena, "%s%s, ", *names, arc_law_stage_name((int)stage));
        if (*names == NULL)
            return arc_error_no_memory(err);
    }
    return ARC_OK;
}

/* One history and one count of iterations of all fits. */
static ArcStatus course_join(const Course *course, ArcArena *arena, ArcOutcome *outcome,
                             ArcError *err)
{
    int rows = 0, iterations = 0;
    for (int i = 0; i < course->n; i++) {
        rows += course->outcomes[i].n_history;
        iterations += course->outcomes[i].iterations;
    }
    ArcHistoryRow *history = ARC_ALLOC(arena, (size_t)rows, ArcHistoryRow);
    if (history == NULL)
        return arc_error_no_memory(err);
    int n = 0;
    for (int i = 0; i < course->n; i++)
        for (int row = 0; row < course->outcomes[i].n_history; row++) {
            history[n] = course->outcomes[i].history[row];
            history[n++].stage += course->first_stage[i];
        }
    *outcome = course->outcomes[course->n - 1];
    outcome->iterations = iterations;
    outcome->n_history = rows;
    outcome->history = history;
    return ARC_OK;
}

bool arc_curriculum_applies(const ArcProblem *problem, ArcMethod method,
                            const ArcFitOptions *options)
{
    const ArcCurriculum *curriculum = &problem->curriculum;
    const ArcFlightSettings *flight = &problem->flight.settings;
    /* A net that begins warm brings the parameters' start with it. */
    bool is_warm = method == ARC_PINN && options != NULL && options->warm_start != NULL;
    return !is_warm && problem->equations == NULL && (curriculum->is_auto || curriculum->n > 0) &&
           (flight->drag != ARC_DRAG_NONE || flight->lift != ARC_LIFT_NONE);
}

ArcStatus arc_curriculum_fit(const ArcProblem *problem, const ArcCurriculumRun *run,
                             ArcArena *arena, ArcOutcome *outcome, ArcError *err)
{
    Course *course = ARC_ALLOC(arena, 1, Course);
    size_t n = (size_t)problem->n_parameters;
    double *start = ARC_ALLOC(arena, n, double);
    int *identity = ARC_ALLOC(arena, n, int);
    ArcProblem *last = ARC_ALLOC(arena, 1, ArcProblem); /* which the outcome goes on to use */
    char *names = NULL;
    if (course == NULL || start == NULL || identity == NULL || last == NULL)
        return arc_error_no_memory(err);
    memcpy(start, problem->start, sizeof(double) * n);
    for (int i = 0; i < problem->n_parameters; i++)
        identity[i] = i;
    *course = (Course){.whole = problem,
                       .method = run->method,
                       .place = run->place,
                       .relay = {.whole = problem, .options = run->options},
                       .start = start};
    memcpy(course->relay.values, start, sizeof(double) * n);
    if (run->options != NULL)
        course->options = *run->options;
    course->options.progress = relay_progress;
    course->options.context = &course->relay;
    *last = *problem;
    last->start = start;
    if (outcome->n_history > 0)
        course_keep(course, outcome);
    ArcStatus status = course_run(course, arena, &names, err);
    ArcStartPlace place = run->place;
    /* What begins where an interrupted stage stood must not be gone on with. */
    if (course->relay.stopped)
        place.checkpoint = NULL;
    if (status == ARC_OK)
        status = course_fit(course, last, identity, place, arena, err);
    if (status == ARC_OK)
        status = course_join(course, arena, outcome, err);
    if (status != ARC_OK)
        return status;
    outcome->stages = arc_arena_format(arena, "%sall laws", names);
    return outcome->stages == NULL ? arc_error_no_memory(err) : ARC_OK;
}
