/* The trial of a plug-in: a program of its own, compiled and run at load (equations.c), which calls
 * it as fits will, where all that it may do harms nothing. No part of the library.
 *
 *   trial RATES.so PARTIALS.so VERDICT
 *
 * The verdict is "ok", or what is wrong in one line. A process that ends without one was ended by
 * the plug-in. Every array lies against pages that may not be touched, at its end and then at its
 * beginning; arguments may not be written. What is called at the defaults and at places between the
 * ranges' ends must
 *   - end in time and by returning, set all numbers, and be finite at the defaults
 *   - give the same again, in both kinds of numbers (model.h), one state or many at a time
 *   - have the partials by complex steps that differences have, and those of its own, if any
 * Differences are asked only where they can tell: where halves of a step agree.
 */
#include <arcfit/plugin.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    TRIAL_MAX_STATES = 16,
    TRIAL_MAX_PARAMETERS = 31,
    TRIAL_MAX_COLUMNS = 2 * TRIAL_MAX_STATES + TRIAL_MAX_PARAMETERS,
    TRIAL_POINTS = 12,
    TRIAL_GUARD = 1 << 20,
    TRIAL_ROOM = 1 << 15
};
static const size_t TRIAL_MEMORY = (size_t)1 << 28;

/* An array with guards on both sides. */
typedef struct Guarded {
    const char *name;
    char *room; /* of TRIAL_ROOM bytes */
    char *data;
    int n;
    size_t size; /* of a number */
    bool is_argument;
} Guarded;

enum { TRIAL_X, TRIAL_V, TRIAL_P, TRIAL_F, TRIAL_F_X, TRIAL_F_V, TRIAL_F_P, TRIAL_ARRAYS };
static Guarded arrays[TRIAL_ARRAYS] = {
    [TRIAL_X] = {.name = "x", .is_argument = true},
    [TRIAL_V] = {.name = "v", .is_argument = true},
    [TRIAL_P] = {.name = "p", .is_argument = true},
    [TRIAL_F] = {.name = "f"},
    [TRIAL_F_X] = {.name = "f_x"},
    [TRIAL_F_V] = {.name = "f_v"},
    [TRIAL_F_P] = {.name = "f_p"},
};

static const char *running = "its file"; /* what is called just now */
static int verdict_file = -1;
static const char OWN_PARTS[] = "its file's own parts";
static pid_t trial; /* this process, which the plug-in may fork */

static const ArcPluginModel *model;
static const ArcPlugin *plain, *stepped; /* for rates, for partials */
static int D, P, C;                      /* states, parameters, columns of partials */
static bool has_v;

__attribute__((noreturn, format(printf, 1, 2))) static void end(const char *format, ...)
{
    char text[800];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t n = length < (int)sizeof text ? (size_t)length : sizeof text - 1;
    if (getpid() != trial)
        _exit(2); /* only one says what there is to say */
    if (write(verdict_file, text, n) != (ssize_t)n)
        _exit(2);
    _exit(0);
}

/* Signals and ends of the process. */

static void end_at_address(const char *address)
{
    for (int k = 0; k < TRIAL_ARRAYS; k++) {
        const Guarded *one = &arrays[k];
        if (one->room == NULL || address < one->room - TRIAL_GUARD ||
            address >= one->room + TRIAL_ROOM + TRIAL_GUARD)
            continue;
        long away = (long)(address - one->data), size = (long)one->size;
        long index = (away - (away < 0 ? size - 1 : 0)) / size;
        if (index >= 0 && index < one->n)
            end("%s write to %s[%ld], an argument", running, one->name, index);
        if (one->n == 0)
            end("%s touch %s[%ld], but there is no %s", running, one->name, index, one->name);
        end("%s touch %s[%ld], but there are only %s[0] to %s[%d]", running, one->name, index,
            one->name, one->name, one->n - 1);
    }
    if ((uintptr_t)address < 1 << 20)
        end("%s use a pointer that is NULL%s", running,
            has_v || model == NULL ? "" : ", as v is of a model of first order");
    end("%s touch memory that is not theirs, or take more stack than there is", running);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (number == SIGPROF || number == SIGALRM)
        end("%s do not come to an end", running);
    if (number == SIGSEGV || number == SIGBUS)
        end_at_address(info->si_addr);
    end("%s crash (%s)", running,
        number == SIGFPE   ? "division of whole numbers by zero"
        : number == SIGILL ? "a statement that cannot be"
                           : "abort");
}

static void on_exit_called(void)
{
    end("%s end the program", running);
}

static void limit(void)
{
    static char stack[1 << 16];
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF, SIGALRM};
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) {
        struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigaction(signals[k], &action, NULL);
    }
    signal(SIGXFSZ, SIG_IGN);
    const struct rlimit none = {0, 0}, memory = {TRIAL_MEMORY, TRIAL_MEMORY},
                        file = {1 << 20, 1 << 20}, time = {5, 5};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_FSIZE, &file);
    setrlimit(RLIMIT_CPU, &time);
    const struct itimerval half = {.it_value = {0, 500000}};
    setitimer(ITIMER_PROF, &half, NULL); /* of computing */
    alarm(10);                           /* of waiting */
    atexit(on_exit_called);
}

/* Arrays. */

static void guard(Guarded *one)
{
    char *all =
        mmap(NULL, TRIAL_ROOM + 2 * TRIAL_GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + TRIAL_GUARD, TRIAL_ROOM, PROT_READ | PROT_WRITE) != 0)
        end("there is no memory for its trial");
    one->room = all + TRIAL_GUARD;
}

/* Room for n numbers against the guard behind, or before. */
static void *array_place(int which, int n, size_t size, bool at_end)
{
    Guarded *one = &arrays[which];
    mprotect(one->room, TRIAL_ROOM, PROT_READ | PROT_WRITE);
    one->n = n;
    one->size = size;
    one->data = at_end ? one->room + TRIAL_ROOM - (size_t)n * size : one->room;
    return one->data;
}

static const uint64_t UNSET = 0x7ff8a7c0ffee1234;

static double *array_clear(int which, int n, size_t size, bool at_end)
{
    double *data = array_place(which, n, size, at_end);
    for (size_t k = 0; k < (size_t)n * size / sizeof(double); k++)
        memcpy(&data[k], &UNSET, sizeof UNSET);
    return data;
}

/* An argument: n numbers, of which the one at seed (-1: none) carries a derivative. */
static const void *array_fill(int which, int n, const double *values, size_t size, int seed,
                              bool at_end)
{
    double *data = array_place(which, n, size, at_end);
    size_t stride = size / sizeof(double);
    for (size_t k = 0; k < (size_t)n; k++) {
        data[k * stride] = values[k];
        if (stride > 1)
            data[k * stride + 1] = (int)k == seed ? 0x1p-664 : 0;
    }
    mprotect(arrays[which].room, TRIAL_ROOM, PROT_READ);
    return data;
}

static void check_set(int which, int n, const double *data, size_t stride)
{
    for (int k = 0; k < n; k++)
        if (memcmp(&data[(size_t)k * stride], &UNSET, sizeof UNSET) == 0)
            end("%s leave %s[%d] unset", running, arrays[which].name, k);
}

/* One place: t, and x, v, p one behind the other, in the order of the columns. */
typedef struct Point {
    double t;
    double z[TRIAL_MAX_COLUMNS];
} Point;

static const double *point_v(const Point *point)
{
    return point->z + D;
}

static const double *point_p(const Point *point)
{
    return point->z + (has_v ? 2 : 1) * D;
}

/* The name of a column: a letter to put before it, and the rest. */
static const char *column_letter(int c)
{
    return c >= D && c < C - P ? "v" : "";
}

static const char *column_name(int c)
{
    return c < D       ? model->states[c].name
           : c < C - P ? model->states[c - D].name
                       : model->parameters[c - (C - P)].name;
}

static const char *where(const Point *point)
{
    static char text[400];
    size_t used = (size_t)snprintf(text, sizeof text, "t %.6g", point->t);
    for (int c = 0; c < C && used + 60 < sizeof text; c++)
        used += (size_t)snprintf(text + used, sizeof text - used, ", %s%.30s %.6g",
                                 column_letter(c), column_name(c), point->z[c]);
    return text;
}

/* f (D) as the author wrote it, of column seed's derivative if not -1 (f_seed). */
static void call(const ArcPlugin *plugin, const Point *point, int seed, bool at_end, double *f,
                 double *f_seed)
{
    size_t size = plugin->size_of_real, stride = size / sizeof(double);
    running = "its rates";
    const void *x = array_fill(TRIAL_X, D, point->z, size, seed, at_end);
    const void *v = has_v ? array_fill(TRIAL_V, D, point_v(point), size, seed - D, at_end) : NULL;
    const void *p = array_fill(TRIAL_P, P, point_p(point), size, seed - (C - P), at_end);
    double *out = array_clear(TRIAL_F, D, size, at_end);
    plugin->call(point->t, x, v, p, out);
    check_set(TRIAL_F, D, out, stride);
    for (size_t e = 0; e < (size_t)D; e++) {
        f[e] = out[e * stride];
        if (f_seed != NULL)
            f_seed[e] = out[e * stride + 1] * 0x1p664;
    }
}

static bool is_near(double a, double b, double relative, double absolute)
{
    return a == b || (isnan(a) && isnan(b)) ||
           fabs(a - b) <= relative * fmax(fabs(a), fabs(b)) + absolute;
}

static bool are_finite(const double *f)
{
    for (int e = 0; e < D; e++)
        if (!isfinite(f[e]))
            return false;
    return true;
}

/* Checks. */

static void check_rates(const Point *point, bool is_default, double *f)
{
    double again[TRIAL_MAX_STATES], imaginary[TRIAL_MAX_STATES];
    call(plain, point, -1, true, f, NULL);
    for (int e = 0; is_default && e < D; e++)
        if (!isfinite(f[e]))
            end("its rates give %g for f[%d], of '%s', at the defaults", isnan(f[e]) ? NAN : f[e],
                e, model->states[e].name);
    call(plain, point, -1, false, again, NULL);
    for (int e = 0; e < D; e++)
        if (!is_near(f[e], again[e], 0, 0))
            end("its rates give %.17g and then %.17g for f[%d] of the same arguments: they must "
                "keep nothing from call to call",
                f[e], again[e], e);
    call(stepped, point, -1, true, again, imaginary);
    for (int e = 0; are_finite(f) && e < D; e++)
        if (!is_near(f[e], again[e], 1e-9, 1e-300))
            end("f[%d] is %.9g in plain numbers, but %.9g with derivatives: compare value(x), not "
                "x, at %s",
                e, f[e], again[e], where(point));
    call(stepped, point, -1, false, again, imaginary);
}

/* One column of partials by differences, NaN where they cannot tell: by halves of a step. */
static void differences(const Point *point, const double *f, int c, double *f_c)
{
    double at[4][TRIAL_MAX_STATES]; /* -2 -1 1 2 halves of the step */
    double h = 1e-5 * fmax(fabs(point->z[c]), 1e-2);
    for (int k = 0; k < 4; k++) {
        Point moved = *point;
        moved.z[c] += (double[]){-1, -0.5, 0.5, 1}[k] * h;
        call(plain, &moved, -1, true, at[k], NULL);
    }
    for (int e = 0; e < D; e++) {
        double whole = (at[3][e] - at[0][e]) / (2 * h), half = (at[2][e] - at[1][e]) / h;
        double before = (f[e] - at[0][e]) / h, behind = (at[3][e] - f[e]) / h;
        double size = fmax(fabs(whole), fabs(half)), rounding = 1e-14 * fabs(f[e]) / h;
        bool can_tell = is_near(whole, half, 1e-4, rounding) &&
                        is_near(before, behind, 1e-2, 10 * rounding + 1e-3 * size);
        f_c[e] = can_tell ? half : NAN;
    }
}

/* J (D,C) by complex steps. */
static void check_steps(const Point *point, const double *f, double J[][TRIAL_MAX_COLUMNS])
{
    for (int c = 0; c < C; c++) {
        double real[TRIAL_MAX_STATES], step[TRIAL_MAX_STATES], difference[TRIAL_MAX_STATES];
        call(stepped, point, c, true, real, step);
        for (int e = 0; e < D; e++)
            J[e][c] = step[e];
        if (!are_finite(f))
            continue;
        differences(point, f, c, difference);
        for (int e = 0; e < D; e++) {
            double rounding = 1e-13 * fabs(f[e]) / (1e-5 * fmax(fabs(point->z[c]), 1e-2));
            if (!isnan(difference[e]) && !is_near(step[e], difference[e], 1e-3, 10 * rounding))
                end("d f[%d] / d %s%s of its rates is %.6g, but %.6g by differences, at %s: are "
                    "all numbers that depend on it `real`?",
                    e, column_letter(c), column_name(c), step[e], difference[e], where(point));
        }
    }
}

/* J by the batch, hand-written or by steps, of one state. */
static void partials(const ArcPlugin *plugin, const Point *point, bool at_end,
                     double J[][TRIAL_MAX_COLUMNS])
{
    const size_t size = sizeof(double);
    const double *x = array_fill(TRIAL_X, D, point->z, size, -1, at_end), *v = NULL;
    if (has_v)
        v = array_fill(TRIAL_V, D, point_v(point), size, -1, at_end);
    const double *p = array_fill(TRIAL_P, P, point_p(point), size, -1, at_end);
    double *f_x = array_clear(TRIAL_F_X, D * D, size, at_end), *f_v = NULL;
    if (has_v)
        f_v = array_clear(TRIAL_F_V, D * D, size, at_end);
    double *f_p = array_clear(TRIAL_F_P, D * P, size, at_end);
    plugin->partials(1, &point->t, x, v, p, f_x, f_v, f_p);
    check_set(TRIAL_F_X, D * D, f_x, 1);
    if (has_v)
        check_set(TRIAL_F_V, D * D, f_v, 1);
    check_set(TRIAL_F_P, D * P, f_p, 1);
    for (int e = 0; e < D; e++) {
        for (int d = 0; d < D; d++) {
            J[e][d] = f_x[e * D + d];
            if (has_v)
                J[e][D + d] = f_v[e * D + d];
        }
        for (int k = 0; k < P; k++)
            J[e][C - P + k] = f_p[e * P + k];
    }
}

static void check_partials(const Point *point, double steps[][TRIAL_MAX_COLUMNS])
{
    double J[TRIAL_MAX_STATES][TRIAL_MAX_COLUMNS];
    running = "its rates";
    partials(stepped, point, true, J);
    for (int e = 0; e < D; e++)
        for (int c = 0; c < C; c++)
            if (!is_near(J[e][c], steps[e][c], 1e-9, 1e-300))
                end("d f[%d] / d %s%s is %.9g when the rates are compiled for speed, else %.9g, at "
                    "%s: do they use what is not set?",
                    e, column_letter(c), column_name(c), J[e][c], steps[e][c], where(point));
    for (int at_end = 0; model->partials != NULL && at_end < 2; at_end++) {
        running = "its partials";
        partials(plain, point, at_end, J);
        for (int e = 0; e < D; e++) {
            double largest = 0;
            for (int c = 0; c < C; c++)
                largest = fmax(largest, fabs(steps[e][c]));
            for (int c = 0; isfinite(largest) && c < C; c++)
                if (!is_near(J[e][c], steps[e][c], 1e-7, 1e-11 * largest))
                    end("d f[%d] / d %s%s of its partials is %.9g, but %.9g by the rates, at %s", e,
                        column_letter(c), column_name(c), J[e][c], steps[e][c], where(point));
        }
    }
}

/* Many states at a time give what one gives. */
static void check_batch(const Point *point, const double *f)
{
    enum { N = 3 };
    double t[N], x[N * TRIAL_MAX_STATES], v[N * TRIAL_MAX_STATES], out[N * TRIAL_MAX_STATES];
    for (int i = 0; i < N; i++) {
        t[i] = point->t;
        memcpy(x + i * D, point->z, (size_t)D * sizeof *x);
        memcpy(v + i * D, point_v(point), (size_t)D * sizeof *v);
    }
    running = "its rates";
    plain->rates(N, t, x, has_v ? v : NULL, point_p(point), out);
    for (int k = 0; k < N * D; k++)
        if (!is_near(out[k], f[k % D], 1e-9, 1e-300))
            end("f[%d] is %.9g when compiled for speed, else %.9g, at %s: do the rates use what is "
                "not set?",
                k % D, out[k], f[k % D], where(point));
}

/* Reads every text once. */
static void check_texts(const ArcPluginQuantity *all, int n, const char *what)
{
    for (int k = 0; k < n; k++)
        if (all[k].name == NULL || all[k].unit == NULL || all[k].doc == NULL)
            end("%s %d of %d has no name, unit or doc", what, k + 1, n);
        else if (strlen(all[k].name) + strlen(all[k].unit) + strlen(all[k].doc) > 1000)
            end("%s %d of %d has a name, unit or doc that is too long", what, k + 1, n);
}

static const ArcPlugin *load(const char *path, void **handle)
{
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const ArcPlugin *plugin = *handle == NULL ? NULL : dlsym(*handle, "arc_plugin");
    if (plugin == NULL)
        end("it cannot be loaded: %s", dlerror());
    return plugin;
}

/* What is done when it is unloaded is its own, too; processes of its own would outlive this one,
 * and of a fork there would soon be two fits. */
static void unload(void *const handles[2])
{
    running = OWN_PARTS;
    for (int k = 0; k < 2; k++)
        dlclose(handles[k]);
    if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD)
        return;
    static const char text[] = "it starts processes of its own";
    ssize_t written = write(verdict_file, text, sizeof text - 1);
    if (getpgrp() == trial)
        kill(0, SIGKILL); /* those as well */
    _exit(written < 0 ? 2 : 0);
}

/* At a share of the way from the value to somewhere within a range. */
static double draw(uint64_t *state, double value, double low, double high, double share)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    double u = (double)(*state >> 11) / 9007199254740992.0;
    if (!isfinite(low) || low < value - 1e6)
        low = value - fmax(1, fabs(value));
    if (!isfinite(high) || high > value + 1e6)
        high = value + fmax(1, fabs(value));
    double to = u < 0.5 ? low : high;
    return value + share * fabs(2 * u - 1) * (to - value);
}

/* The defaults, and then places nearer and farther from them within the ranges. */
static void points(Point *all)
{
    uint64_t state = 20261201;
    for (int i = 0; i < TRIAL_POINTS; i++) {
        double share = i == 0 ? 0 : (double[]){1e-3, 0.05, 0.3, 1}[i % 4];
        double *z = all[i].z;
        all[i].t = 0.37 * i;
        for (int d = 0; d < D; d++) {
            const ArcPluginQuantity *one = &model->states[d];
            double span = one->high - one->low;
            bool has = one->velocity_low < one->velocity_high;
            z[d] = draw(&state, one->value, one->low, one->high, share);
            if (has_v)
                z[D + d] = draw(&state, one->velocity, has ? one->velocity_low : -span,
                                has ? one->velocity_high : span, share);
        }
        for (int k = 0; k < P; k++) {
            const ArcPluginQuantity *one = &model->parameters[k];
            z[C - P + k] = draw(&state, one->value, one->low, one->high, share);
        }
    }
}

int main(int argc, char **argv)
{
    verdict_file = argc == 4 ? open(argv[3], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (verdict_file < 0)
        return 2;
    trial = getpid();
    limit();
    running = OWN_PARTS;
    void *handles[2];
    plain = load(argv[1], &handles[0]);
    stepped = load(argv[2], &handles[1]);
    model = plain->model;
    if (model->order != 1 && model->order != 2)
        end("its order is %d, not 1 or 2", model->order);
    if (model->n_states < 1 || model->n_states > TRIAL_MAX_STATES)
        end("it has %d states; 1 to %d can be", model->n_states, TRIAL_MAX_STATES);
    if (model->n_parameters < 0 || model->n_parameters > TRIAL_MAX_PARAMETERS)
        end("it has %d parameters; %d at most can be", model->n_parameters, TRIAL_MAX_PARAMETERS);
    if (model->name == NULL || model->doc == NULL || model->rates == NULL)
        end("its ARC_MODEL has NULL for name, doc or rates");
    check_texts(model->states, model->n_states, "state");
    check_texts(model->parameters, model->n_parameters, "parameter");
    D = model->n_states;
    P = model->n_parameters;
    has_v = model->order == 2;
    C = (has_v ? 2 : 1) * D + P;
    for (int k = 0; k < TRIAL_ARRAYS; k++)
        guard(&arrays[k]);

    static Point all[TRIAL_POINTS];
    points(all);
    for (int i = 0; i < TRIAL_POINTS; i++) {
        double f[TRIAL_MAX_STATES], J[TRIAL_MAX_STATES][TRIAL_MAX_COLUMNS];
        check_rates(&all[i], i == 0, f);
        check_steps(&all[i], f, J);
        if (!are_finite(f))
            continue;
        check_partials(&all[i], J);
        check_batch(&all[i], f);
    }
    unload(handles);
    end("ok");
}
