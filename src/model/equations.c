/* Own equations, loaded: compiled twice (plugin.c), tried in a program of its own (trial.c), and
 * only then part of this process.
 *
 * The trial is compiled beside the plug-in and started by posix_spawn, not forked off: a child of a
 * process with threads (OpenMP, OpenBLAS) may call next to nothing before it is another program,
 * and this way it is the same for a library's user as for the command line. It tries the very files
 * that are loaded after it.
 */
#include "arcfit/equations.h"

#include "base/file.h"
#include "base/text.h"
#include "base/units.h"
#include "model/compiler.h"
#include "model/plugin.h"
#include "model/process.h"
#include "model/texts.h"

#include <ctype.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct ArcEquationsCode {
    void *handles[2];
    const ArcPlugin *plain;    /* rates, and hand-written partials */
    const ArcPlugin *partials; /* whichever has them */
};

static _Thread_local const char *volatile equations_running;

static const double TRIAL_TIME_S = 30.0;
enum { EQUATIONS_MAX_NAME = 31 };

static const char RATES[] = "rates.so", STEPS[] = "partials.so", TRIAL[] = "trial";

/* A path as #line has it, in quotes. */
static char *equations_quote(ArcArena *arena, const char *path)
{
    char *out = ARC_ALLOC(arena, 2 * strlen(path) + 1, char), *end = out;
    for (; out != NULL && *path != '\0'; path++) {
        if (*path == '"' || *path == '\\')
            *end++ = '\\';
        *end++ = *path;
    }
    return out;
}

/* The author's text and the frame behind it as one source, each with its own lines: what is in
 * quotes of an option's path would be up to the compiler. NULL: no memory. */
static char *equations_source(const ArcWorkplace *workplace, const char *path, const char *text)
{
    const char *quoted = equations_quote(workplace->arena, path);
    const char *frame = equations_quote(workplace->arena, workplace->folder);
    if (quoted == NULL || frame == NULL)
        return NULL;
    return arc_arena_format(workplace->arena, "#line 1 \"%s\"\n%s\n#line 1 \"%s/frame.c\"\n%s",
                            quoted, text, frame, ARC_TEXT_PLUGIN_C);
}

static ArcStatus equations_compile(const ArcWorkplace *workplace, const char *path,
                                   const char *text, ArcPlace place, ArcError *err)
{
    const char *source = equations_source(workplace, path, text);
    if (source == NULL)
        return arc_error_no_memory(err);
    ArcCompiler compiler;
    ArcStatus status = arc_compiler_find(workplace->arena, &compiler, err);
    const struct {
        const char *name, *text;
    } files[] = {{"arcfit/model.h", ARC_TEXT_MODEL_H},
                 {"arcfit/plugin.h", ARC_TEXT_PLUGIN_H},
                 {"plugin.c", source},
                 {"trial.c", ARC_TEXT_TRIAL_C}};
    for (size_t k = 0; status == ARC_OK && k < sizeof files / sizeof *files; k++)
        status = arc_workplace_write(workplace, files[k].name, files[k].text, err);
    const ArcCompilation compilations[] = {
        {.source = "plugin.c", .output = RATES, .author = path, .is_shared = true},
        {.source = "plugin.c",
         .output = STEPS,
         .author = path,
         .is_shared = true,
         .is_partials = true},
        {.source = "trial.c", .output = TRIAL},
    };
    return status != ARC_OK ? status
                            : arc_compiler_run(&compiler, workplace, place, 3, compilations, err);
}

/* What the trial says, or how it ended where it says nothing. */
static ArcStatus equations_try(const ArcWorkplace *workplace, const char *path, ArcPlace place,
                               ArcError *err)
{
    const char *verdict_path = arc_workplace_path(workplace, "verdict");
    const char *messages = arc_workplace_path(workplace, "trial-messages");
    const char *const words[] = {arc_workplace_path(workplace, TRIAL),
                                 arc_workplace_path(workplace, RATES),
                                 arc_workplace_path(workplace, STEPS), verdict_path, NULL};
    if (arc_arena_is_exhausted(workplace->arena))
        return arc_error_no_memory(err);
    const char *const environment[] = {"LC_ALL=C", NULL};
    ArcProcess process;
    int number = arc_process_start(words, messages, environment, TRIAL_TIME_S, &process);
    if (number != 0)
        return arc_error_set(err, ARC_SYSTEM,
                             "cannot run the trial of '%s' in '%s': %s; name another folder in "
                             "TMPDIR",
                             path, workplace->folder, strerror(number));
    ArcProcessEnd end = arc_process_wait(&process);
    char *verdict = NULL;
    size_t size = 0;
    ArcError unread;
    bool has_verdict = arc_file_read(verdict_path, (ArcPlace){0}, 4096, workplace->arena, &verdict,
                                     &size, &unread) == ARC_OK &&
                       size > 0;
    if (arc_arena_is_exhausted(workplace->arena))
        return arc_error_no_memory(err);
    if (has_verdict && strcmp(verdict, "ok") == 0)
        return ARC_OK;
    if (has_verdict)
        return arc_error_set_at(err, ARC_INPUT, place, "'%s': %s", path, verdict);
    if (end.timed_out || end.signal != 0)
        return arc_error_set_at(err, ARC_INPUT, place, "'%s': its trial %s", path,
                                end.timed_out ? "does not come to an end" : "crashes");
    return arc_error_set_at(err, ARC_INPUT, place, "'%s': its rates end the program (exit code %d)",
                            path, end.exit_status);
}

static ArcStatus equations_open(ArcEquations *equations, const ArcWorkplace *workplace,
                                ArcError *err)
{
    const char *const names[] = {RATES, STEPS};
    struct ArcEquationsCode *code = equations->code;
    const ArcPlugin *plugins[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        const char *path = arc_workplace_path(workplace, names[k]);
        if (path == NULL)
            return arc_error_no_memory(err);
        code->handles[k] = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (code->handles[k] != NULL)
            plugins[k] = dlsym(code->handles[k], "arc_plugin");
        if (plugins[k] == NULL)
            return arc_error_set(err, ARC_SYSTEM, "cannot load the compiled '%s': %s",
                                 equations->path, dlerror());
    }
    const ArcPluginModel *model = plugins[0]->model;
    equations->has_partials = model->partials != NULL;
    code->plain = plugins[0];
    code->partials = plugins[equations->has_partials ? 0 : 1];
    return ARC_OK;
}

static ArcStatus equations_refuse(const ArcEquations *equations, ArcPlace place, ArcError *err,
                                  const char *name, const char *why)
{
    return arc_error_set_at(err, ARC_INPUT, place, "'%s': the name '%.40s' %s", equations->path,
                            name, why);
}

/* A name that an experiment can say, and that no other has. */
static ArcStatus equations_check_name(const ArcEquations *equations, ArcPlace place,
                                      const char *name, ArcError *err)
{
    size_t length = strlen(name);
    bool is_identifier = length > 0 && !isdigit((unsigned char)name[0]);
    for (size_t k = 0; k < length; k++)
        is_identifier =
            is_identifier && (isalnum((unsigned char)name[k]) || name[k] == '_') && name[k] > 0;
    if (!is_identifier)
        return equations_refuse(equations, place, err, name,
                                "is none: letters, digits and _ make one, no digit first");
    if (length > EQUATIONS_MAX_NAME)
        return equations_refuse(equations, place, err, name, "is too long; 31 letters at most");
    if (strcmp(name, "t") == 0 || strcmp(name, "t0") == 0 || strcmp(name, "time") == 0)
        return equations_refuse(equations, place, err, name, "is that of the time or its start");
    int n_same = 0;
    for (int i = 0; i < equations->n_channels + equations->n_parameters; i++) {
        bool is_channel = i < equations->n_channels;
        const char *other = is_channel ? equations->channels[i].name
                                       : equations->parameters[i - equations->n_channels].name;
        n_same += strcmp(name, other) == 0;
        if (is_channel && strncmp(name, other, strlen(other)) == 0 &&
            strcmp(name + strlen(other), "0") == 0)
            return equations_refuse(equations, place, err, name,
                                    "is that of a state's start; choose one without the 0");
    }
    return n_same > 1 ? equations_refuse(equations, place, err, name,
                                         "is used twice (of second order a velocity's is the "
                                         "state's with a v before it)")
                      : ARC_OK;
}

/* What is printed as it stands: one line of UTF-8. */
static ArcStatus equations_check_text(const ArcEquations *equations, ArcPlace place,
                                      const char *what, const char *text, ArcError *err)
{
    size_t left = strlen(text);
    for (size_t length; left > 0; left -= length, text += length) {
        length = arc_text_character_length(text, left);
        if (length == 0 || iscntrl((unsigned char)text[0]))
            return arc_error_set_at(err, ARC_INPUT, place,
                                    "'%s': the %s has a character that cannot be printed, 0x%02x",
                                    equations->path, what, (unsigned)(unsigned char)text[0]);
    }
    return ARC_OK;
}

static ArcStatus equations_check_info(const ArcEquations *equations, ArcPlace place,
                                      const ArcParameterInfo *info, ArcError *err)
{
    ArcStatus status = equations_check_name(equations, place, info->name, err);
    if (status != ARC_OK)
        return status;
    if (info->unit[0] == '\0')
        return equations_refuse(equations, place, err, info->name,
                                "has no unit; that of a plain number is 1");
    char what[80];
    snprintf(what, sizeof what, "'%.40s' of the model", info->name);
    status = arc_unit_check(info->unit, what, place, err);
    if (status != ARC_OK)
        return status;
    snprintf(what, sizeof what, "doc of '%.40s'", info->name);
    status = equations_check_text(equations, place, what, info->doc, err);
    if (status != ARC_OK)
        return status;
    if (!isfinite(info->value))
        return equations_refuse(equations, place, err, info->name, "has no default");
    if (!(info->low < info->high && info->low <= info->value && info->value <= info->high))
        return arc_error_set_at(err, ARC_INPUT, place,
                                "'%s': the default %g of '%s' must lie in its range, %g to %g",
                                equations->path, info->value, info->name, info->low, info->high);
    return ARC_OK;
}

static ArcParameterInfo equations_copy(ArcArena *arena, const ArcPluginQuantity *from)
{
    return (ArcParameterInfo){.name = arc_arena_copy_text(arena, from->name, strlen(from->name)),
                              .unit = arc_arena_copy_text(arena, from->unit, strlen(from->unit)),
                              .doc = arc_arena_copy_text(arena, from->doc, strlen(from->doc)),
                              .value = from->value,
                              .low = from->low,
                              .high = from->high};
}

/* Of a coordinate; where it has no range of its own, the coordinate's in a second. */
static ArcParameterInfo equations_velocity(ArcArena *arena, const ArcPluginQuantity *from)
{
    bool has_range = from->velocity_low < from->velocity_high;
    double span = from->high - from->low;
    return (ArcParameterInfo){.name = arc_arena_format(arena, "v%s", from->name),
                              .unit = arc_arena_format(arena, "%s/s", from->unit),
                              .doc = arc_arena_format(arena, "rate of %s", from->name),
                              .value = from->velocity,
                              .low = has_range ? from->velocity_low : -span,
                              .high = has_range ? from->velocity_high : span};
}

/* Copies what the file says of its model, so that no text hangs on the code. */
static ArcStatus equations_describe(ArcEquations *equations, ArcPlace place, ArcError *err)
{
    ArcArena *arena = equations->arena;
    const ArcPluginModel *model = equations->code->plain->model;
    equations->name = arc_arena_copy_text(arena, model->name, strlen(model->name));
    equations->doc = arc_arena_copy_text(arena, model->doc, strlen(model->doc));
    equations->order = model->order;
    equations->n_states = model->n_states;
    equations->n_channels = model->order * model->n_states;
    equations->n_parameters = model->n_parameters;
    for (int d = 0; d < model->n_states; d++) {
        equations->channels[d] = equations_copy(arena, &model->states[d]);
        if (model->order == 2)
            equations->channels[model->n_states + d] = equations_velocity(arena, &model->states[d]);
    }
    for (int k = 0; k < model->n_parameters; k++)
        equations->parameters[k] = equations_copy(arena, &model->parameters[k]);
    if (arc_arena_is_exhausted(arena))
        return arc_error_no_memory(err);
    ArcStatus status = equations_check_text(equations, place, "name", equations->name, err);
    if (status == ARC_OK)
        status = equations_check_text(equations, place, "doc", equations->doc, err);
    for (int i = 0; status == ARC_OK && i < equations->n_channels; i++)
        status = equations_check_info(equations, place, &equations->channels[i], err);
    for (int k = 0; status == ARC_OK && k < equations->n_parameters; k++)
        status = equations_check_info(equations, place, &equations->parameters[k], err);
    return status;
}

static ArcStatus equations_make(const char *path, ArcPlace place, ArcEquations *equations,
                                ArcError *err)
{
    char *text;
    size_t size;
    ArcStatus status =
        arc_file_read(path, place, (size_t)1 << 22, equations->arena, &text, &size, err);
    ArcWorkplace workplace = {0};
    if (status == ARC_OK) {
        equations->text = text;
        status = arc_workplace_create(equations->arena, &workplace, err);
    }
    if (status == ARC_OK)
        status = equations_compile(&workplace, path, text, place, err);
    if (status == ARC_OK)
        status = equations_try(&workplace, path, place, err);
    if (status == ARC_OK)
        status = equations_open(equations, &workplace, err);
    arc_workplace_remove(&workplace);
    return status != ARC_OK ? status : equations_describe(equations, place, err);
}

ArcStatus arc_equations_load(const char *path, ArcPlace place, ArcEquations **equations,
                             ArcError *err)
{
    *equations = NULL;
    ArcArena *arena = arc_arena_create();
    ArcEquations *made = arena == NULL ? NULL : ARC_ALLOC(arena, 1, ArcEquations);
    if (made != NULL) {
        made->arena = arena;
        made->code = ARC_ALLOC(arena, 1, struct ArcEquationsCode);
        made->path = arc_arena_copy_text(arena, path, strlen(path));
    }
    if (made == NULL || made->code == NULL || made->path == NULL) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    /* An error may name the file, which is gone with the arena: err has its text. */
    ArcStatus status = equations_make(path, place, made, err);
    if (status != ARC_OK)
        arc_equations_free(made);
    else
        *equations = made;
    return status;
}

void arc_equations_free(ArcEquations *equations)
{
    if (equations == NULL)
        return;
    for (int k = 0; k < 2; k++)
        if (equations->code->handles[k] != NULL)
            dlclose(equations->code->handles[k]);
    arc_arena_free(equations->arena);
}

void arc_equations_rates(const ArcEquations *equations, int n, const double *t_s, const double *x,
                         const double *v, const double *p, double *f, double *f_x, double *f_v,
                         double *f_p)
{
    const struct ArcEquationsCode *code = equations->code;
    equations_running = equations->path;
    code->plain->rates(n, t_s, x, v, p, f);
    if (f_x != NULL)
        code->partials->partials(n, t_s, x, v, p, f_x, f_v, f_p);
    equations_running = NULL;
}

const char *arc_equations_running(void)
{
    return equations_running;
}

int arc_equations_channel(const ArcEquations *equations, const char *name)
{
    for (int i = 0; i < equations->n_channels; i++)
        if (strcmp(equations->channels[i].name, name) == 0)
            return i;
    return -1;
}
