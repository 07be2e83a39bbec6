/* Throws over each other with the target, and the arm that gives the best one. Flights are flown
 * again; a throw off the board is drawn to where the ball touches it, and from there straight to
 * where it comes down, since what it does there lasts for milliseconds. */
#include "figure/throws.h"

#include "aim/describe.h"
#include "aim/numbers.h"
#include "figure/scene.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = ARC_SHOT_PATH + 1, CIRCLE_POINTS = 65 };
static const double longest_s = 60.0; /* as flights to a goal are followed */
/* A board as basketball has it: 1.8 m wide, from 15 cm below the rim up to 90 cm above it. */
static const double board_half_m = 0.9, board_low_m = -0.15, board_high_m = 0.9;

/* A throw's flight. */
typedef struct Flight {
    int n;
    double x_m[3 * MOST_POINTS];
    bool has_apex;
    double apex_m[3];
} Flight;

static bool follow(const ArcThrows *throws, const ArcAimSolution *thrown, Flight *flight)
{
    const ArcAim *aim = throws->aim;
    double end_s = thrown->numbers[ARC_AIM_TIME], time_s[ARC_SHOT_PATH];
    int d = aim->dimensions;
    ArcShotPath path;
    ArcShotState apex;
    flight->n = 0;
    if (throws->shot == NULL || !(end_s > 0.0 && end_s <= longest_s))
        return false;
    for (int i = 0; i < ARC_SHOT_PATH; i++)
        time_s[i] = end_s * i / (ARC_SHOT_PATH - 1);
    if (!arc_shot_path(throws->shot, thrown->values, ARC_SHOT_PATH, time_s, &path))
        return false;
    for (int i = 0; i < ARC_SHOT_PATH; i++)
        memcpy(flight->x_m + i * d, path.x_m + i * path.D, sizeof(double) * (size_t)d);
    flight->n = ARC_SHOT_PATH;
    flight->has_apex = arc_shot_apex(throws->shot, thrown->values, false, &apex) &&
                       apex.t_s > 0.0 && apex.t_s < end_s;
    memcpy(flight->apex_m, apex.x_m, sizeof flight->apex_m);
    return true;
}

/* Cuts a flight where the ball touches the board, and adds where it comes down. */
static void bounce(const ArcThrows *throws, const ArcAimSolution *thrown, Flight *flight)
{
    const ArcPlane *board = &throws->aim->settings.goal.backboard;
    int d = throws->aim->dimensions, n = 0;
    double radius = arc_goal_ball_radius(throws->aim->experiment);
    while (n < flight->n && fabs(flight->x_m[n * d + board->axis] - board->level_m) > radius)
        n++;
    memcpy(flight->x_m + n * d, thrown->arrival_m, sizeof(double) * (size_t)d);
    flight->n = n + 1;
}

/* A circle about the centre, across up. */
static void add_rim(const ArcScene *scene, const ArcGoal *goal)
{
    double x_m[3 * CIRCLE_POINTS];
    int d = scene->dimensions, n = d == 2 ? 2 : CIRCLE_POINTS;
    for (int i = 0; i < n; i++) {
        double turn = 2.0 * M_PI * i / (CIRCLE_POINTS - 1);
        double *x = x_m + i * d;
        memcpy(x, goal->point_m, sizeof(double) * (size_t)d);
        x[scene->forward] += goal->radius_m * (d == 2 ? 2.0 * i - 1.0 : cos(turn));
        if (d == 3)
            x[3 - scene->up - scene->forward] += goal->radius_m * sin(turn);
    }
    arc_scene_add(scene, &(ArcScenePlaces){ARC_MARK_LINE, ARC_ROLE_TARGET, "rim", n, x_m, NULL});
}

/* A rectangle across an axis about a centre, of half sizes low and high along the others. */
static void add_rectangle(const ArcScene *scene, int across, const double *centre,
                          const double *low, const double *high, const char *name)
{
    double x_m[3 * 5];
    int d = scene->dimensions, first = across == 0 ? 1 : 0;
    int second = d == 3 ? 3 - across - first : -1, n = d == 3 ? 5 : 2;
    for (int i = 0; i < n; i++) {
        double *x = x_m + i * d;
        memcpy(x, centre, sizeof(double) * (size_t)d);
        x[first] += d == 2 ? (i == 0 ? low : high)[first] : (i == 1 || i == 2 ? high : low)[first];
        if (second >= 0)
            x[second] += (i == 2 || i == 3 ? high : low)[second];
    }
    arc_scene_add(scene, &(ArcScenePlaces){ARC_MARK_LINE, ARC_ROLE_TARGET, name, n, x_m, NULL});
}

static void add_board(const ArcScene *scene, const ArcGoal *goal)
{
    double centre[3], low[3], high[3];
    for (int c = 0; c < scene->dimensions; c++) {
        centre[c] = goal->point_m[c];
        low[c] = c == scene->up ? board_low_m : -board_half_m;
        high[c] = c == scene->up ? board_high_m : board_half_m;
    }
    centre[goal->backboard.axis] = goal->backboard.level_m;
    add_rectangle(scene, goal->backboard.axis, centre, low, high, "backboard");
}

static void add_target(const ArcScene *scene, const ArcGoal *goal)
{
    double low[3];
    for (int c = 0; c < scene->dimensions; c++)
        low[c] = -goal->half_m[c];
    if (goal->kind == ARC_GOAL_HOOP)
        add_rim(scene, goal);
    if (goal->kind == ARC_GOAL_HOOP && goal->has_backboard)
        add_board(scene, goal);
    if (goal->kind == ARC_GOAL_AREA)
        add_rectangle(scene, goal->axis, goal->point_m, low, goal->half_m, "area");
    arc_scene_add(scene, &(ArcScenePlaces){ARC_MARK_POINTS, ARC_ROLE_TARGET, "target", 1,
                                           goal->point_m, NULL});
}

static void add_path(const ArcScene *scene, const Flight *flight, const char *name)
{
    arc_scene_add(scene, &(ArcScenePlaces){ARC_MARK_LINE, ARC_ROLE_OTHER, name, flight->n,
                                           flight->x_m, NULL});
}

/* All flights, then releases and tops with the throws' names. */
static void add_throws(const ArcThrows *throws, const ArcScene *scene)
{
    const ArcAim *aim = throws->aim;
    int d = aim->dimensions, n = aim->n_solutions, n_tops = 0;
    double releases_m[3 * ARC_AIM_MAX_SOLUTIONS], tops_m[3 * ARC_AIM_MAX_SOLUTIONS];
    const char **tops = ARC_ALLOC(scene->maker->arena, (size_t)n, const char *);
    Flight flight;
    /* The best one first, that it has the first colour however many there are. */
    for (int i = 0; i < n && tops != NULL; i++) {
        const ArcAimSolution *thrown = &aim->solutions[i];
        memcpy(releases_m + i * d, thrown->position_m, sizeof(double) * (size_t)d);
        if (!follow(throws, thrown, &flight))
            continue;
        add_path(scene, &flight, throws->names[i]);
        if (!flight.has_apex)
            continue;
        memcpy(tops_m + n_tops * d, flight.apex_m, sizeof(double) * (size_t)d);
        tops[n_tops++] = arc_maker_words(scene->maker, "top of throw %d", i + 1);
    }
    for (int i = 0; i < aim->n_banks; i++) {
        if (!follow(throws, &aim->banks[i], &flight))
            continue;
        bounce(throws, &aim->banks[i], &flight);
        add_path(scene, &flight,
                 arc_maker_words(scene->maker, "off the board %d: %.3g m/s", i + 1,
                                 aim->banks[i].numbers[ARC_AIM_SPEED]));
    }
    arc_scene_add(scene, &(ArcScenePlaces){ARC_MARK_POINTS, ARC_ROLE_RELEASE, "release", n,
                                           releases_m, throws->names});
    if (n_tops > 0)
        arc_scene_add(
            scene, &(ArcScenePlaces){ARC_MARK_POINTS, ARC_ROLE_APEX, "top", n_tops, tops_m, tops});
}

/* The level axis along which the target lies further from the best throw's release. */
static int forward_of(const ArcAim *aim)
{
    const double *from = aim->solutions[0].position_m, *to = aim->settings.goal.point_m;
    int best = -1;
    for (int c = 0; c < aim->dimensions; c++)
        if (c != aim->up && (best < 0 || fabs(to[c] - from[c]) > fabs(to[best] - from[best])))
            best = c;
    return best;
}

/* How many hit, and the best one; or how far the nearest is off. */
static const char *caption_of(const ArcThrows *throws)
{
    const ArcAim *aim = throws->aim;
    const ArcAimSolution *best = &aim->solutions[0];
    int n = 0;
    for (int i = 0; i < aim->n_solutions; i++)
        n += aim->solutions[i].hits ? 1 : 0;
    if (!aim->is_reachable)
        return arc_maker_words(throws->maker, "No throw hits; the nearest, %s, is %.3g m off.",
                               throws->names[0], aim->shortfall_miss_m);
    return arc_maker_words(throws->maker,
                           "%d throw%s the target. The best is %s; the ball is there after %.3g s, "
                           "at %.3g m/s.",
                           n, n == 1 ? " hits" : "s hit", throws->names[0],
                           best->numbers[ARC_AIM_TIME], best->numbers[ARC_AIM_ENTRY_SPEED]);
}

static void draw_view(const ArcThrows *throws, ArcSceneView view, const char *name,
                      const char *title)
{
    const ArcAim *aim = throws->aim;
    const ArcScene scene =
        arc_scene_create(throws->maker, aim->dimensions, aim->up, forward_of(aim), view);
    ArcFigure *figure = arc_scene_begin(&scene, ARC_FIGURES_AIM, name, title);
    if (figure == NULL)
        return;
    figure->caption = caption_of(throws);
    add_target(&scene, &aim->settings.goal);
    add_throws(throws, &scene);
}

/* The part of a flight that is not further from its release than an arm's length and a half. */
static int count_near(const ArcAim *aim, const Flight *flight)
{
    const ArcArm *arm = &aim->experiment->arm;
    const double *p = aim->solutions[0].values + arc_aim_arm_parameter(aim, 0);
    double reach_m = 0.0;
    int d = aim->dimensions, n = 0;
    for (int j = 0; j < arm->settings.n_joints; j++)
        reach_m += 1.5 * fabs(p[arm->length + j]);
    for (; n < flight->n; n++) {
        double off = 0.0;
        for (int c = 0; c < d; c++)
            off = hypot(off, flight->x_m[n * d + c] - flight->x_m[c]);
        if (off > reach_m)
            break;
    }
    return n;
}

static const char *arm_caption(const ArcThrows *throws)
{
    const ArcAim *aim = throws->aim;
    const ArcArm *arm = &aim->experiment->arm;
    const double *p = aim->solutions[0].values + arc_aim_arm_parameter(aim, 0);
    ArcAimOvers overs;
    const char *joints = "";
    arc_aim_describe_overs(aim, &aim->solutions[0], &overs);
    for (int j = 0; j < arm->settings.n_joints; j++)
        joints = arc_maker_words(throws->maker, "%s%sjoint %d at %.4g deg and %.4g rad/s", joints,
                                 j == 0 ? "" : ", ", j + 1, p[arm->theta + j] * 180.0 / M_PI,
                                 p[arm->omega + j]);
    return arc_maker_words(throws->maker, "The arm as it lets the ball go: %s; %s its limits.",
                           joints, overs.is_within ? "within" : "beyond");
}

/* The arm at the release of the best throw. */
static void draw_arm(const ArcThrows *throws, ArcSceneView view, const char *name)
{
    const ArcAim *aim = throws->aim;
    const ArcArm *arm = &aim->experiment->arm;
    const double *p = aim->solutions[0].values + arc_aim_arm_parameter(aim, 0);
    const ArcScene scene =
        arc_scene_create(throws->maker, aim->dimensions, aim->up, forward_of(aim), view);
    ArcFigure *figure =
        arc_scene_begin(&scene, ARC_FIGURES_AIM, name,
                        arc_maker_words(throws->maker, "The arm at the release of the %s throw%s",
                                        aim->is_reachable ? "best" : "nearest",
                                        view == ARC_SCENE_SPACE ? ", in space" : ""));
    Flight flight;
    if (figure == NULL)
        return;
    figure->caption = arm_caption(throws);
    arc_scene_add_arm(&scene, arm, p, p + arm->theta, ARC_ROLE_ARM, "arm");
    if (follow(throws, &aim->solutions[0], &flight)) {
        flight.n = count_near(aim, &flight);
        add_path(&scene, &flight, "flight");
    }
    arc_scene_add(&scene, &(ArcScenePlaces){ARC_MARK_POINTS, ARC_ROLE_RELEASE, "release", 1,
                                            aim->solutions[0].position_m, NULL});
}

void arc_throws_draw_paths(const ArcThrows *throws)
{
    const ArcAim *aim = throws->aim;
    bool is_space = aim->dimensions == 3;
    draw_view(throws, ARC_SCENE_SIDE, "throws-side", "The throws from the side");
    if (is_space) {
        draw_view(throws, ARC_SCENE_TOP, "throws-top", "The throws from above");
        draw_view(throws, ARC_SCENE_SPACE, "throws-space", "The throws in space");
    }
    if (!aim->has_arm)
        return;
    draw_arm(throws, ARC_SCENE_SIDE, "throws-arm");
    if (is_space)
        draw_arm(throws, ARC_SCENE_SPACE, "throws-arm-space");
}
