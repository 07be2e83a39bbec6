/* The checkpoint file. */
#include "fit/checkpoint.h"

#include "base/file.h"
#include "fit/loss.h"
#include "fit/swing.h"

#include <string.h>
#include <time.h>
#include <zlib.h>

static const char magic[] = "arcfit checkpoint 1\n";
enum { MAGIC_BYTES = sizeof magic - 1 };
static const size_t largest_bytes = (size_t)4 << 30;

typedef struct Section {
    char *bytes; /* of the heap; NULL: none yet */
    size_t size;
    double saved_s;
} Section;

struct ArcCheckpoint {
    const char *path;
    const char *resumed; /* the file that was read */
    double every_s;
    uint64_t key;
    int n_sections;
    Section *sections;
};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void add_number(ArcStore *store, double value)
{
    arc_store_reals(store, &value, 1);
}

static void add_net(ArcStore *store, const ArcNetSettings *net)
{
    add_number(store, net->n_hidden);
    for (int i = 0; i < net->n_hidden; i++)
        add_number(store, net->widths[i]);
    add_number(store, net->activation);
    add_number(store, net->init);
    add_number(store, net->slope_low);
    add_number(store, net->slope_high);
    add_number(store, net->fourier_modes);
    add_number(store, net->fourier_base);
    add_number(store, net->skip);
    add_number(store, net->windows);
}

static void add_stage(ArcStore *store, const ArcStage *stage)
{
    const double numbers[] = {stage->optimizer,      stage->steps,    stage->rate,
                              stage->parameter_rate, stage->schedule, stage->final_share,
                              stage->warm_up,        stage->clip,     stage->weight_decay,
                              stage->memory,         stage->geodesic};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        add_number(store, numbers[i]);
}

static void add_pinn(ArcStore *store, const ArcPinnSettings *pinn)
{
    const double numbers[] = {
        pinn->net_auto,        pinn->collocation,  pinn->collocation_kind, pinn->collocation_every,
        pinn->sigma_phys_m_s2, pinn->physics_auto, pinn->weighting,        pinn->weighting_every,
        pinn->causal_epsilon,  pinn->windows};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        add_number(store, numbers[i]);
    if (!pinn->net_auto)
        add_net(store, &pinn->net);
    for (int i = 0; i < pinn->n_stages; i++)
        add_stage(store, &pinn->stages[i]);
}

static void add_loss(ArcStore *store, const ArcProblem *problem)
{
    const ArcLoss *loss = &problem->loss;
    /* What is sought before the fit (scale.h) is sought by simulation. */
    bool is_sought = problem->sigma_estimated || problem->n_sigmas > 0 || !arc_loss_is_convex(loss);
    const double numbers[] = {loss->kind,
                              loss->tuning,
                              loss->dof,
                              loss->dof_estimated,
                              problem->sigma_estimated,
                              is_sought ? problem->direct_tolerance : 0.0};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        add_number(store, numbers[i]);
}

static void add_curve(ArcStore *store, const ArcCurve *curve)
{
    add_number(store, curve->n);
    for (int i = 0; i < curve->n; i++) {
        add_number(store, curve->x[i]);
        add_number(store, curve->y[i]);
    }
}

static void add_flight(ArcStore *store, const ArcFlight *flight)
{
    const ArcFlightSettings *settings = &flight->settings;
    const double numbers[] = {settings->dimensions,    settings->up,
                              settings->drag,          settings->lift,
                              settings->wind_m_s[0],   settings->wind_m_s[1],
                              settings->wind_m_s[2],   flight->drag_per_m,
                              flight->radius_m,        flight->gravity_m_s2[0],
                              flight->gravity_m_s2[1], flight->gravity_m_s2[2],
                              flight->inertia,         flight->viscosity_m2_s,
                              settings->spin_decay,    settings->has_gravity,
                              settings->has_tilt[0],   settings->has_tilt[1],
                              settings->has_tilt[2],   settings->has_spin};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        add_number(store, numbers[i]);
    const ArcShear *shear = &settings->shear;
    const ArcGust *gust = &settings->gust;
    const double air[] = {shear->is_on,          shear->exponent,       shear->height_m,
                          shear->ground_m,       gust->is_on,           gust->velocity_m_s[0],
                          gust->velocity_m_s[1], gust->velocity_m_s[2], gust->time_s,
                          gust->width_s};
    for (size_t i = 0; i < sizeof air / sizeof air[0]; i++)
        add_number(store, air[i]);
    const ArcBounce *bounce = &settings->bounce;
    const double plane[] = {bounce->is_on, bounce->plane.axis, bounce->plane.level_m};
    for (size_t i = 0; i < sizeof plane / sizeof plane[0]; i++)
        add_number(store, plane[i]);
    add_curve(store, &flight->drag_curve);
    add_curve(store, &flight->lift_curve);
}

/* Cameras, and what of each point goes into its true time. */
static void add_view(ArcStore *store, const ArcProblem *problem)
{
    const ArcView *view = problem->view;
    if (view == NULL)
        return;
    add_number(store, view->reference_s);
    add_number(store, view->radius_m);
    for (int c = 0; c < view->n_cameras; c++) {
        ArcCamera camera = view->cameras[c].camera;
        add_number(store, camera.kind);
        add_number(store, camera.skew_px);
        add_number(store, camera.n_lens);
        arc_store_reals(store, camera.homography, 9);
        arc_store_reals(store, camera.focal_px, 2);
        arc_store_reals(store, camera.centre_px, 2);
        arc_store_reals(store, camera.rotation, 9);
        arc_store_reals(store, camera.translation_m, 3);
        arc_store_reals(store, camera.lens, ARC_LENS_COEFFICIENTS);
    }
    for (int i = 0; i < problem->n_times; i++) {
        add_number(store, view->camera[problem->time_point[i]]);
        add_number(store, view->row_px[problem->time_point[i]]);
    }
}

static void add_curriculum(ArcStore *store, const ArcCurriculum *curriculum)
{
    add_number(store, curriculum->is_auto);
    for (int i = 0; i < curriculum->n; i++)
        add_number(store, (double)curriculum->stages[i]);
}

/* What an arm ties the release to: the chain of its joints, and what was read off. */
static void add_arm(ArcStore *store, const ArcProblem *problem)
{
    add_number(store, problem->has_arm);
    for (int j = 0; problem->has_arm && j < problem->arm.settings.n_joints; j++)
        add_number(store, problem->arm.settings.joints[j].axis);
    for (int i = 0; i < problem->n_readings; i++) {
        const ArcProblemReading *reading = &problem->readings[i];
        const double numbers[] = {reading->parameter, reading->gain, reading->offset,
                                  reading->value, reading->sd};
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
            add_number(store, numbers[k]);
    }
}

/* What was seen of a swing, and the equations that it follows. */
static void add_swing(ArcStore *store, const ArcProblem *problem)
{
    const ArcProblem *swing = problem->swing;
    if (swing == NULL)
        return;
    const ArcSwingNumber *numbers = arc_swing_numbers(swing);
    const ArcArmSettings *arm = &problem->arm.settings;
    add_number(store, arm->begin_s);
    add_number(store, arm->end_s);
    for (int j = 0; j < arm->n_joints; j++) {
        add_number(store, arm->joints[j].curve);
        add_number(store, arm->joints[j].n_torques);
        add_number(store, arm->joints[j].stall_n_m);
        add_number(store, arm->joints[j].idle_rad_s);
    }
    for (int i = 0; i < swing->n_observations; i++) {
        add_number(store, swing->time_s[swing->observations[i].time]);
        add_number(store, numbers[i].kind);
        add_number(store, numbers[i].index);
        add_number(store, numbers[i].axis);
        add_number(store, swing->observations[i].value);
        add_number(store, swing->observations[i].sigma);
    }
}

/* An earlier fit that the nets of all rungs start from. */
static void add_warm_start(ArcStore *store, const ArcFit *fit)
{
    add_number(store, fit != NULL);
    if (fit == NULL)
        return;
    for (int i = 0; i < fit->n_parameters; i++)
        add_number(store, fit->parameters[i].value);
    add_net(store, &fit->net.settings);
    for (int i = 0; i < fit->net.n_weights; i++)
        add_number(store, fit->net.weights[i]);
}

/* A text by its letters. */
static void add_letters(ArcStore *store, const char *text)
{
    for (; *text != '\0'; text++)
        add_number(store, *text);
}

/* The file of own equations may change between two runs; what it is asked for may not. */
static void add_equations(ArcStore *store, const ArcProblem *problem)
{
    const ArcEquations *equations = problem->equations;
    if (equations == NULL)
        return;
    add_letters(store, equations->path);
    add_letters(store, equations->name);
    add_number(store, equations->order);
    for (int c = 0; c < equations->n_channels; c++)
        add_letters(store, equations->channels[c].name);
    for (int i = 0; i < equations->n_parameters; i++)
        add_letters(store, equations->parameters[i].name);
}

/* False on exhaustion. */
static bool problem_key(const ArcProblem *problem, const ArcFitOptions *options, int n_sections,
                        uint64_t *key)
{
    ArcStore store = {0};
    add_number(&store, n_sections);
    add_warm_start(&store, options->warm_start);
    add_number(&store, (double)problem->release);
    uint64_t seed = problem->seed;
    arc_store_bits(&store, &seed, 1);
    add_flight(&store, &problem->flight);
    add_equations(&store, problem);
    add_curriculum(&store, &problem->curriculum);
    add_pinn(&store, &problem->pinn);
    add_loss(&store, problem);
    for (int i = 0; i < problem->n_parameters; i++) {
        const ArcParameter *p = &problem->parameters[i];
        const double numbers[] = {problem->start[i], p->is_free,    p->low,     p->high,
                                  p->has_prior,      p->prior_mean, p->prior_sd};
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
            add_number(&store, numbers[k]);
    }
    add_view(&store, problem);
    add_arm(&store, problem);
    add_swing(&store, problem);
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        add_number(&store, problem->time_s[o->time]);
        add_number(&store, o->axis);
        add_number(&store, o->value);
        add_number(&store, o->sigma);
    }
    if (!store.failed)
        *key = crc32_z(0, (const unsigned char *)store.text.bytes, store.text.size);
    arc_text_free(store.text.bytes);
    return !store.failed;
}

/* Splits a file that stands in memory into sections; false where it does not fit together. */
static bool take_sections(ArcCheckpoint *checkpoint, const char *bytes, size_t size, uint64_t *key,
                          bool *out_of_memory)
{
    uint64_t sum, n;
    if (size < MAGIC_BYTES + 3 * sizeof sum || memcmp(bytes, magic, MAGIC_BYTES) != 0)
        return false;
    memcpy(&sum, bytes + size - sizeof sum, sizeof sum);
    if (sum != crc32_z(0, (const unsigned char *)bytes, size - sizeof sum))
        return false;
    const char *at = bytes + MAGIC_BYTES, *end = bytes + size - sizeof sum;
    memcpy(key, at, sizeof *key);
    memcpy(&n, at + sizeof *key, sizeof n);
    at += sizeof *key + sizeof n;
    for (int i = 0; i < checkpoint->n_sections && (uint64_t)i < n; i++) {
        uint64_t length;
        if ((size_t)(end - at) < sizeof length)
            return false;
        memcpy(&length, at, sizeof length);
        at += sizeof length;
        if ((size_t)(end - at) < length)
            return false;
        ArcText text = {0};
        arc_text_append_bytes(&text, at, length);
        at += length;
        if (text.failed)
            *out_of_memory = true;
        checkpoint->sections[i].size = text.failed ? 0 : length;
        checkpoint->sections[i].bytes = text.bytes;
    }
    /* Of another number of sections is another key, which says better what is wrong. */
    return (n == (uint64_t)checkpoint->n_sections && at == end) || *key != checkpoint->key;
}

static ArcStatus resume_from(ArcCheckpoint *checkpoint, const char *path, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    char *bytes = NULL;
    size_t size = 0;
    uint64_t key = 0;
    bool out_of_memory = false;
    ArcPlace place = {path, 1, 1};
    ArcStatus status = arc_file_read(path, place, largest_bytes, arena, &bytes, &size, err);
    if (status == ARC_OK && !take_sections(checkpoint, bytes, size, &key, &out_of_memory))
        status = arc_error_set_at(err, ARC_INPUT, place,
                                  "this is no checkpoint of this program, or it is damaged; begin "
                                  "without --resume");
    else if (status == ARC_OK && out_of_memory)
        status = arc_error_no_memory(err);
    else if (status == ARC_OK && key != checkpoint->key)
        status =
            arc_error_set_at(err, ARC_INPUT, place,
                             "this checkpoint belongs to other points or settings; resume with "
                             "the experiment that it was made with");
    arc_arena_free(arena);
    return status;
}

ArcStatus arc_checkpoint_create(const ArcProblem *problem, const ArcFitOptions *options,
                                int n_sections, ArcArena *arena, ArcCheckpoint **checkpoint,
                                ArcError *err)
{
    *checkpoint = NULL;
    if (options == NULL || (options->checkpoint == NULL && options->resume == NULL))
        return ARC_OK;
    ArcCheckpoint *result = ARC_ALLOC(arena, 1, ArcCheckpoint);
    Section *sections = ARC_ALLOC(arena, (size_t)n_sections, Section);
    if (result == NULL || sections == NULL)
        return arc_error_no_memory(err);
    *result = (ArcCheckpoint){.path = options->checkpoint,
                              .resumed = options->resume,
                              .every_s = options->checkpoint_every_s,
                              .n_sections = n_sections,
                              .sections = sections};
    if (!problem_key(problem, options, n_sections, &result->key))
        return arc_error_no_memory(err);
    double now = seconds_now();
    for (int i = 0; i < n_sections; i++)
        sections[i].saved_s = now;
    ArcStatus status = options->resume != NULL ? resume_from(result, options->resume, err) : ARC_OK;
    if (status == ARC_OK)
        *checkpoint = result;
    else
        arc_checkpoint_free(result);
    return status;
}

void arc_checkpoint_free(ArcCheckpoint *checkpoint)
{
    for (int i = 0; checkpoint != NULL && i < checkpoint->n_sections; i++)
        arc_text_free(checkpoint->sections[i].bytes);
}

bool arc_checkpoint_section(const ArcCheckpoint *checkpoint, int section, ArcStore *reader)
{
    if (checkpoint == NULL || checkpoint->sections[section].size == 0)
        return false;
    *reader =
        arc_store_reader(checkpoint->sections[section].bytes, checkpoint->sections[section].size);
    return true;
}

ArcStatus arc_checkpoint_refuse(const ArcCheckpoint *checkpoint, ArcError *err)
{
    return arc_error_set_at(err, ARC_INPUT, (ArcPlace){checkpoint->resumed, 1, 1},
                            "the checkpoint is damaged, or of another run; begin without --resume");
}

bool arc_checkpoint_is_due(const ArcCheckpoint *checkpoint, int section)
{
    return checkpoint != NULL && checkpoint->path != NULL &&
           seconds_now() - checkpoint->sections[section].saved_s >= checkpoint->every_s;
}

static ArcStatus write_file(const ArcCheckpoint *checkpoint, ArcError *err)
{
    ArcText text = {0};
    uint64_t n = (uint64_t)checkpoint->n_sections;
    arc_text_append_bytes(&text, magic, MAGIC_BYTES);
    arc_text_append_bytes(&text, (const char *)&checkpoint->key, sizeof checkpoint->key);
    arc_text_append_bytes(&text, (const char *)&n, sizeof n);
    for (int i = 0; i < checkpoint->n_sections; i++) {
        uint64_t length = checkpoint->sections[i].size;
        arc_text_append_bytes(&text, (const char *)&length, sizeof length);
        if (length > 0)
            arc_text_append_bytes(&text, checkpoint->sections[i].bytes, length);
    }
    uint64_t sum = text.failed ? 0 : crc32_z(0, (const unsigned char *)text.bytes, text.size);
    arc_text_append_bytes(&text, (const char *)&sum, sizeof sum);
    ArcStatus status = text.failed ? arc_error_no_memory(err)
                                   : arc_file_replace(checkpoint->path, text.bytes, text.size, err);
    arc_text_free(text.bytes);
    return status;
}

ArcStatus arc_checkpoint_put(ArcCheckpoint *checkpoint, int section, ArcStore *written,
                             ArcError *err)
{
    ArcStatus status = ARC_OK;
#pragma omp critical(arc_checkpoint)
    {
        Section *place = &checkpoint->sections[section];
        if (written->failed) {
            arc_text_free(written->text.bytes);
            status = arc_error_no_memory(err);
        } else {
            arc_text_free(place->bytes);
            place->bytes = written->text.bytes;
            place->size = written->text.size;
            if (checkpoint->path != NULL)
                status = write_file(checkpoint, err);
            place->saved_s = seconds_now();
        }
    }
    *written = (ArcStore){0};
    return status;
}
