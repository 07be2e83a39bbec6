/* See scene.h. */
#include "figure/scene.h"

#include <string.h>

/* Places of an arm: base, ends of links, ball. */
enum { MOST_PLACES = ARC_ARM_MAX_JOINTS + 2 };

ArcScene arc_scene_create(ArcMaker *maker, int dimensions, int up, int forward, ArcSceneView view)
{
    int sideways = dimensions == 3 ? 3 - up - forward : -1;
    return (ArcScene){.maker = maker,
                      .dimensions = dimensions,
                      .up = up,
                      .forward = forward,
                      .axes = {forward, view == ARC_SCENE_SIDE ? up : sideways,
                               view == ARC_SCENE_SPACE ? up : -1}};
}

static ArcAxis axis_of(const ArcScene *scene, int axis)
{
    const char *label = axis == scene->up        ? "height"
                        : axis == scene->forward ? "forward"
                                                 : "sideways";
    return (ArcAxis){.label = label, .unit = "m"};
}

ArcFigure *arc_scene_begin(const ArcScene *scene, ArcFigureGroup group, const char *name,
                           const char *title)
{
    ArcFigure *figure = arc_maker_figure(scene->maker, group, name, title);
    if (figure == NULL)
        return NULL;
    figure->is_equal = true;
    figure->x = axis_of(scene, scene->axes[0]);
    figure->y = axis_of(scene, scene->axes[1]);
    figure->is_space = scene->axes[2] >= 0;
    if (figure->is_space)
        figure->z = axis_of(scene, scene->axes[2]);
    return figure;
}

void arc_scene_add(const ArcScene *scene, const ArcScenePlaces *places)
{
    const double *columns[3] = {NULL};
    for (int k = 0; k < 3 && scene->axes[k] >= 0; k++) {
        columns[k] = arc_maker_column(scene->maker, places->x_m + scene->axes[k], places->n,
                                      scene->dimensions);
        if (columns[k] == NULL)
            return;
    }
    arc_maker_series(scene->maker, &(ArcSeries){.mark = places->mark,
                                                .role = places->role,
                                                .name = places->name,
                                                .n = places->n,
                                                .x = columns[0],
                                                .y = columns[1],
                                                .z = columns[2],
                                                .labels = places->labels});
}

void arc_scene_add_arm(const ArcScene *scene, const ArcArm *arm, const double *p,
                       const double *theta, ArcRole role, const char *name)
{
    int J = arm->settings.n_joints, d = scene->dimensions;
    double x_m[3 * MOST_PLACES];
    const double still[ARC_ARM_MAX_JOINTS] = {0.0};
    const char **labels = ARC_ALLOC(scene->maker->arena, MOST_PLACES, const char *);
    if (labels == NULL)
        return;
    for (int place = 0; place <= J + 1; place++) {
        ArcArmPoint point;
        arc_arm_point(arm, place > J ? ARC_ARM_BALL : place, p, theta, still, &point);
        memcpy(x_m + place * d, point.x_m, sizeof(double) * (size_t)d);
        labels[place] = place == J   ? "hand"
                        : place == 0 ? "base, joint 1"
                                     : arc_maker_words(scene->maker, "joint %d", place + 1);
    }
    arc_scene_add(scene,
                  &(ArcScenePlaces){
                      .mark = ARC_MARK_LINE, .role = role, .name = name, .n = J + 2, .x_m = x_m});
    if (role == ARC_ROLE_ARM)
        arc_scene_add(scene, &(ArcScenePlaces){.mark = ARC_MARK_POINTS,
                                               .role = role,
                                               .name = "joints",
                                               .n = J + 1,
                                               .x_m = x_m,
                                               .labels = labels});
}
