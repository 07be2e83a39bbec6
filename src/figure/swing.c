/* See swing.h. Encoders read gain theta + offset; what they read is drawn as the angle that it is
 * by the fit that counts. */
#include "figure/swing.h"

#include "figure/scene.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const char *const parts[] = {"places", "angles", "rates"};

static const ArcSwingFit *swing_of(const ArcFit *fit)
{
    return fit->arm == NULL ? NULL : fit->arm->swing;
}

const char *arc_swing_label(ArcMaker *maker, const ArcSwingNumber *number)
{
    const ArcExperiment *experiment = maker->experiment;
    const char *file =
        experiment == NULL || experiment->n_captures > 1 ? NULL : experiment->capture.swing.file;
    const char *base = file == NULL ? NULL : strrchr(file, '/');
    return arc_maker_words(maker, "%s:%d",
                           base != NULL   ? base + 1
                           : file != NULL ? file
                                          : "swing",
                           number->line);
}

/* What an encoder's number is as an angle or a rate; without its gain as it is. */
static double decoded(const ArcMaker *maker, const ArcSwingNumber *number)
{
    const ArcFit *fit = maker->fit;
    const ArcArm *arm = maker->experiment == NULL ? NULL : &maker->experiment->arm;
    if (arm == NULL || arm->gain < 0 || number->kind == ARC_SWING_PLACE)
        return number->value;
    double gain = fit->parameters[fit->arm->first + arm->gain + number->index].value;
    double offset = fit->parameters[fit->arm->first + arm->offset + number->index].value;
    return (number->value - (number->kind == ARC_SWING_ANGLE ? offset : 0.0)) / gain;
}

/* The i-th number as it is drawn, and its label. */
typedef struct Drawn {
    double value;
    const char *label;
} Drawn;
typedef Drawn (*DrawNumber)(ArcMaker *maker, int i);

static Drawn measured_number(ArcMaker *maker, int i)
{
    const ArcSwingNumber *number = &swing_of(maker->fit)->measured[i];
    return (Drawn){decoded(maker, number), arc_maker_words(maker, "joint %d, %s", number->index + 1,
                                                           arc_swing_label(maker, number))};
}

/* What is left over of it by the fit, in its sd. */
static Drawn residual_number(ArcMaker *maker, int i)
{
    const ArcSwingFit *swing = swing_of(maker->fit);
    const ArcSwingNumber *number = &swing->measured[i];
    return (Drawn){(number->value - swing->fitted[i]) / number->sigma,
                   arc_swing_label(maker, number)};
}

/* Numbers of a kind, of all joints or places, against time: a series of this role and name. */
static void add_numbers(ArcMaker *maker, ArcSwingKind kind, DrawNumber draw, ArcRole role,
                        const char *name)
{
    const ArcSwingFit *swing = swing_of(maker->fit);
    size_t room = (size_t)swing->numbers;
    double *x = ARC_ALLOC(maker->arena, 2 * room, double);
    const char **labels = ARC_ALLOC(maker->arena, room, const char *);
    int n = 0;
    if (x == NULL || labels == NULL)
        return;
    for (int i = 0; i < swing->numbers; i++) {
        if (swing->measured[i].kind != kind)
            continue;
        Drawn drawn = draw(maker, i);
        x[n] = swing->number_time_s[i];
        x[room + (size_t)n] = drawn.value;
        labels[n++] = drawn.label;
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                         .role = role,
                                         .name = name,
                                         .n = n,
                                         .x = x,
                                         .y = x + room,
                                         .labels = labels});
}

/* A method's motion: rows of a number a joint; NULL: none. */
static const double *rows_of(const ArcFit *fit, size_t offset)
{
    const ArcSwingFit *swing = swing_of(fit);
    const double *rows = NULL;
    if (swing != NULL)
        memcpy(&rows, (const char *)swing + offset, sizeof rows);
    return rows;
}

/* A line a joint, each of its own colour. */
static void add_joints(ArcMaker *maker, const ArcFit *fit, const double *rows)
{
    const ArcSwingFit *swing = swing_of(fit);
    for (int j = 0; j < swing->n_joints; j++)
        arc_maker_series(
            maker,
            &(ArcSeries){.mark = ARC_MARK_LINE,
                         .role = ARC_ROLE_OTHER,
                         .name = arc_maker_words(maker, "joint %d, %s", j + 1,
                                                 arc_maker_method_name(fit->method)),
                         .n = swing->n_times,
                         .x = swing->time_s,
                         .y = arc_maker_column(maker, rows + j, swing->n_times, swing->n_joints)});
}

/* All joints of the method that does not count, as one line over the others, parted by NaN. */
static void add_other_method(ArcMaker *maker, const ArcFit *fit, const double *rows)
{
    const ArcSwingFit *swing = swing_of(fit);
    int n = swing->n_times, J = swing->n_joints;
    size_t room = (size_t)(n + 1) * (size_t)J, at = 0;
    double *x = ARC_ALLOC(maker->arena, 2 * room, double);
    if (x == NULL)
        return;
    for (int j = 0; j < J; j++)
        for (int i = 0; i <= n; i++, at++) {
            x[at] = i < n ? swing->time_s[i] : (double)NAN;
            x[room + at] = i < n ? rows[i * J + j] : (double)NAN;
        }
    arc_maker_series(maker,
                     &(ArcSeries){.mark = ARC_MARK_LINE,
                                  .role = ARC_ROLE_EXPECTED,
                                  .name = arc_maker_words(maker, "all joints, %s",
                                                          arc_maker_method_name(fit->method)),
                                  .n = (int)room,
                                  .x = x,
                                  .y = x + room});
}

static void add_lines(ArcMaker *maker, size_t offset)
{
    const double *rows = rows_of(maker->fit, offset);
    if (rows != NULL)
        add_joints(maker, maker->fit, rows);
    for (int k = 0; k < maker->result->n_fits; k++) {
        const ArcFit *fit = maker->result->fits[k];
        rows = fit == maker->fit ? NULL : rows_of(fit, offset);
        if (rows != NULL)
            add_other_method(maker, fit, rows);
    }
}

static ArcFigure *begin(ArcMaker *maker, const char *name, const char *title, const char *label,
                        const char *unit)
{
    ArcFigure *figure = arc_maker_figure(maker, ARC_FIGURES_ARM, name, title);
    if (figure == NULL)
        return NULL;
    figure->x = (ArcAxis){.label = "time", .unit = "s"};
    figure->y = (ArcAxis){.label = label, .unit = unit};
    return figure;
}

/* How well what was measured is met: "shoulder angles: rms 0.01 rad of 40 numbers". */
static const char *parts_caption(ArcMaker *maker, ArcSwingKind kind)
{
    static const char *const units[] = {"m", "rad", "rad/s"};
    const ArcSwingFit *swing = swing_of(maker->fit);
    double square = 0.0;
    int n = 0;
    for (int i = 0; i < swing->n_parts; i++)
        if (swing->parts[i].kind == kind) {
            n += swing->parts[i].numbers;
            square += swing->parts[i].rms * swing->parts[i].rms * swing->parts[i].numbers;
        }
    if (n == 0)
        return "None of these was measured: they follow from what else was.";
    return arc_maker_words(maker,
                           "%d numbers were measured; the rms of their residuals is %.3g %s.", n,
                           sqrt(square / n), units[kind]);
}

static void draw_motion(ArcMaker *maker)
{
    ArcFigure *figure =
        begin(maker, "swing-angles", "The joints' angles in the swing", "angle", "rad");
    if (figure == NULL)
        return;
    figure->caption = parts_caption(maker, ARC_SWING_ANGLE);
    add_lines(maker, offsetof(ArcSwingFit, theta_rad));
    add_numbers(maker, ARC_SWING_ANGLE, measured_number, ARC_ROLE_POINTS, "measured");
    figure = begin(maker, "swing-rates", "The joints' rates in the swing", "rate", "rad/s");
    if (figure == NULL)
        return;
    figure->caption = parts_caption(maker, ARC_SWING_RATE);
    add_lines(maker, offsetof(ArcSwingFit, omega_rad_s));
    add_numbers(maker, ARC_SWING_RATE, measured_number, ARC_ROLE_POINTS, "measured");
}

static void draw_residuals(ArcMaker *maker)
{
    const ArcSwingFit *swing = swing_of(maker->fit);
    double *line = ARC_ALLOC(maker->arena, 4, double);
    if (swing->numbers == 0 || line == NULL)
        return;
    ArcFigure *figure =
        begin(maker, "swing-residuals", "Residuals of the swing", "measured minus fitted", "sd");
    if (figure == NULL)
        return;
    figure->caption = arc_maker_words(maker, "%s: chi2 %.4g of %d numbers in %d rows.",
                                      maker->fit->method == ARC_PINN ? "PINN" : "Direct fit",
                                      swing->chi2, swing->numbers, swing->rows);
    line[0] = swing->number_time_s[0];
    line[1] = swing->number_time_s[swing->numbers - 1];
    line[2] = line[3] = 0.0;
    arc_maker_series(
        maker,
        &(ArcSeries){
            .mark = ARC_MARK_LINE, .role = ARC_ROLE_EXPECTED, .n = 2, .x = line, .y = line + 2});
    for (int kind = ARC_SWING_PLACE; kind <= ARC_SWING_RATE; kind++)
        add_numbers(maker, (ArcSwingKind)kind, residual_number, ARC_ROLE_OTHER, parts[kind]);
}

static double largest_of(const ArcSwingFit *swing, int joint)
{
    double most = 0.0;
    for (int i = 0; i < swing->n_times; i++)
        most = fmax(most, fabs(swing->motor_n_m[i * swing->n_joints + joint]));
    return most;
}

static void draw_torques(ArcMaker *maker)
{
    const ArcSwingFit *swing = swing_of(maker->fit);
    const char *words = "The motors' largest torques: ";
    double most = 0.0;
    for (int j = 0; j < swing->n_joints; j++) {
        most = fmax(most, largest_of(swing, j));
        words = arc_maker_words(maker, "%s%sjoint %d %.3g N m", words, j == 0 ? "" : ", ", j + 1,
                                largest_of(swing, j));
    }
    if (!(most > 0.0))
        return;
    ArcFigure *figure =
        begin(maker, "swing-torques", "The motors' torques in the swing", "torque", "N m");
    if (figure == NULL)
        return;
    figure->caption = arc_maker_words(maker, "%s.", words);
    add_lines(maker, offsetof(ArcSwingFit, motor_n_m));
}

void arc_swing_draw(ArcMaker *maker)
{
    const ArcSwingFit *swing = swing_of(maker->fit);
    if (swing == NULL || swing->n_times == 0)
        return;
    draw_motion(maker);
    draw_residuals(maker);
    draw_torques(maker);
}
