/* The fitted arm: its links at the release with the flight's beginning and the way of the ball in
 * the swing, and what was read off it against what was fitted. Its swing against time: swing.c. */
#include "figure/scene.h"
#include "figure/swing.h"

#include <math.h>
#include <string.h>

enum { N_POSES = 3 };                /* of the swing, beside that of the release */
static const double near_arms = 1.5; /* of a flight: as far as this many arms' lengths */
static const double within_95 = 1.959963984540054;

/* The parameters of fit's arm as arm.h has them, p (A). */
static void take_parameters(const ArcFit *fit, double *p)
{
    for (int i = 0; i < fit->arm->n_parameters; i++)
        p[i] = fit->parameters[fit->arm->first + i].value;
}

/* How many rows of the trajectory lie near the release. */
static int count_near(const ArcFit *fit, double far_m)
{
    int n = 0, d = fit->dimensions;
    for (; n < fit->n_trajectory; n++) {
        double off = 0.0;
        for (int c = 0; c < d; c++)
            off = hypot(off, fit->position_m[n * d + c] - fit->position_m[c]);
        if (!(off <= far_m))
            break;
    }
    return n;
}

static double length_of(const ArcArm *arm, const double *p)
{
    double length = 0.0;
    for (int j = 0; j < arm->settings.n_joints; j++)
        length += fabs(p[arm->length + j]);
    return length;
}

/* The ball's way in the swing, and the arm at a few times of it. */
static void add_swing(const ArcScene *scene, const ArcArm *arm, const ArcFit *fit, const double *p)
{
    const ArcSwingFit *swing = fit->arm->swing;
    int d = scene->dimensions;
    double *way = swing == NULL
                      ? NULL
                      : ARC_ALLOC(scene->maker->arena, (size_t)swing->n_times * (size_t)d, double);
    if (way == NULL)
        return;
    for (int k = 0; k < N_POSES; k++) {
        int at = k * (swing->n_times - 1) / N_POSES;
        arc_scene_add_arm(scene, arm, p, swing->theta_rad + at * swing->n_joints, ARC_ROLE_EXPECTED,
                          k == 0 ? "arm before" : NULL);
    }
    for (int i = 0; i < swing->n_times; i++) {
        ArcArmPoint ball;
        arc_arm_point(arm, ARC_ARM_BALL, p, swing->theta_rad + i * swing->n_joints,
                      swing->omega_rad_s + i * swing->n_joints, &ball);
        memcpy(way + i * d, ball.x_m, sizeof(double) * (size_t)d);
    }
    arc_scene_add(scene, &(ArcScenePlaces){ARC_MARK_LINE, ARC_ROLE_OTHER, "ball in the swing",
                                           swing->n_times, way, NULL});
}

/* Places of the arm that were seen: rows of d numbers, each axis of which was. */
static void add_seen(const ArcScene *scene, const ArcFit *fit)
{
    const ArcSwingFit *swing = fit->arm->swing;
    int d = scene->dimensions, n = 0;
    if (swing == NULL)
        return;
    double *seen = ARC_ALLOC(scene->maker->arena, (size_t)(swing->numbers + d), double);
    const char **labels =
        ARC_ALLOC(scene->maker->arena, (size_t)(swing->numbers + d), const char *);
    if (seen == NULL || labels == NULL)
        return;
    for (int i = 0; i + d <= swing->numbers; i++) {
        const ArcSwingNumber *first = &swing->measured[i];
        bool is_whole = first->kind == ARC_SWING_PLACE && first->axis == 0;
        for (int c = 1; c < d && is_whole; c++)
            is_whole = first[c].kind == ARC_SWING_PLACE && first[c].axis == c &&
                       first[c].index == first->index && first[c].row == first->row;
        for (int c = 0; c < d && is_whole; c++)
            seen[n * d + c] = first[c].value;
        if (is_whole)
            labels[n++] = arc_swing_label(scene->maker, first);
    }
    if (n > 0)
        arc_scene_add(scene, &(ArcScenePlaces){ARC_MARK_POINTS, ARC_ROLE_POINTS, "seen of the arm",
                                               n, seen, labels});
}

/* "joint 1 at 43.2 deg ± 0.3 and 5.4 rad/s, joint 2 .." */
static const char *caption_of(ArcMaker *maker, const ArcArm *arm)
{
    const ArcFit *fit = maker->fit;
    const char *words = "The arm as it lets the ball go: ";
    for (int j = 0; j < fit->arm->n_joints; j++) {
        const ArcEstimate *theta = &fit->parameters[fit->arm->first + arm->theta + j];
        const ArcEstimate *omega = &fit->parameters[fit->arm->first + arm->omega + j];
        words =
            arc_maker_words(maker, "%s%sjoint %d at %.4g deg (sd %.2g) and %.4g rad/s (sd %.2g)",
                            words, j == 0 ? "" : ", ", j + 1, theta->value * 180.0 / M_PI,
                            theta->sd * 180.0 / M_PI, omega->value, omega->sd);
    }
    return arc_maker_words(maker, "%s.", words);
}

static void draw_release(ArcMaker *maker, ArcSceneView view, const char *name, const char *title)
{
    const ArcFit *fit = maker->fit;
    const ArcArm *arm = &maker->experiment->arm;
    const ArcMakerAxes axes = arc_maker_axes(maker);
    double p[ARC_ARM_MAX_PARAMETERS];
    const ArcScene scene = arc_scene_create(maker, fit->dimensions, axes.up, axes.forward, view);
    ArcFigure *figure = arc_scene_begin(&scene, ARC_FIGURES_ARM, name, title);
    if (figure == NULL)
        return;
    take_parameters(fit, p);
    figure->caption = caption_of(maker, arm);
    add_swing(&scene, arm, fit, p);
    add_seen(&scene, fit);
    arc_scene_add_arm(&scene, arm, p, p + arm->theta, ARC_ROLE_ARM, "arm at the release");
    int near = count_near(fit, near_arms * length_of(arm, p));
    arc_scene_add(&scene, &(ArcScenePlaces){ARC_MARK_LINE, arc_maker_method_role(fit->method),
                                            "flight", near, fit->position_m, NULL});
    if (near > 0)
        arc_scene_add(&scene, &(ArcScenePlaces){ARC_MARK_POINTS, ARC_ROLE_RELEASE, "release", 1,
                                                fit->position_m, NULL});
}

/* What was read off against what each method makes of it, in the readings' sds. */
static void draw_readings(ArcMaker *maker)
{
    const ArcFit *fit = maker->fit;
    int n = fit->readings == NULL ? 0 : fit->residuals.n_readings;
    size_t room = (size_t)n;
    double *x = ARC_ALLOC(maker->arena, 4 * room, double);
    const char **names = ARC_ALLOC(maker->arena, 2 * room, const char *);
    ArcFigure *figure = n == 0 || x == NULL || names == NULL
                            ? NULL
                            : arc_maker_figure(maker, ARC_FIGURES_ARM, "arm-readings",
                                               "What was read off, against what was fitted");
    if (figure == NULL)
        return;
    int worst = 0;
    for (int i = 0; i < n; i++) {
        const ArcFittedReading *reading = &fit->readings[i];
        x[i] = i;
        x[n + i] = 0.0;
        x[2 * n + i] = -within_95;
        x[3 * n + i] = within_95;
        names[i] = reading->name;
        names[n + i] = arc_maker_words(maker, "%s: read %.5g with an sd of %.2g %s, fitted %.5g",
                                       reading->name, reading->value, reading->sd, reading->unit,
                                       reading->fitted);
        if (fabs(reading->residual_sd) > fabs(fit->readings[worst].residual_sd))
            worst = i;
    }
    figure->x = (ArcAxis){.label = "reading", .unit = "1", .n_names = n, .names = names};
    figure->y = (ArcAxis){.label = "fitted minus read", .unit = "sd"};
    figure->caption = arc_maker_words(maker, "Furthest off is %s, by %.2g sd.", names[n + worst],
                                      fit->readings[worst].residual_sd);
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_INTERVALS,
                                         .role = ARC_ROLE_EXPECTED,
                                         .name = "read, 95 %",
                                         .n = n,
                                         .x = x,
                                         .y = x + n,
                                         .low = x + 2 * n,
                                         .high = x + 3 * n});
    for (int k = 0; k < maker->result->n_fits; k++) {
        const ArcFit *of = maker->result->fits[k];
        int step = (int)(sizeof *of->readings / sizeof(double));
        if (of->readings == NULL || of->residuals.n_readings != n)
            continue;
        arc_maker_series(
            maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                .role = arc_maker_method_role(of->method),
                                .name = arc_maker_method_name(of->method),
                                .n = n,
                                .x = x,
                                .y = arc_maker_column(maker, &of->readings[0].residual_sd, n, step),
                                .labels = of == fit ? names + n : NULL});
    }
}

ArcStatus arc_make_arm(ArcMaker *maker, ArcError *err)
{
    const ArcFit *fit = maker->fit;
    (void)err;
    draw_readings(maker);
    if (fit->arm == NULL)
        return ARC_OK;
    arc_swing_draw(maker);
    if (maker->experiment == NULL) {
        arc_maker_note(maker, "The arm is not drawn, since its experiment is not there.");
        return ARC_OK;
    }
    if (fit->n_trajectory == 0)
        return ARC_OK;
    draw_release(maker, ARC_SCENE_SIDE, "arm-side", "The arm at the release, from the side");
    if (fit->dimensions == 3) {
        draw_release(maker, ARC_SCENE_TOP, "arm-top", "The arm at the release, from above");
        draw_release(maker, ARC_SCENE_SPACE, "arm-space", "The arm at the release, in space");
    }
    return ARC_OK;
}
