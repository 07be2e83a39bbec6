/* Where things stand: in space, or seen along an axis. Throws and arms are drawn by these. */
#ifndef ARC_FIGURE_SCENE_H
#define ARC_FIGURE_SCENE_H

#include "figure/maker.h"

typedef struct ArcScene {
    ArcMaker *maker;
    int dimensions, up, forward; /* forward: a level axis */
    int axes[3];                 /* along x, y and z of the figure; z -1: it is flat */
} ArcScene;

typedef enum ArcSceneView { ARC_SCENE_SIDE, ARC_SCENE_TOP, ARC_SCENE_SPACE } ArcSceneView;

/* Top and space are for three dimensions. */
ArcScene arc_scene_create(ArcMaker *maker, int dimensions, int up, int forward, ArcSceneView view);

/* Begins a figure, its axes labelled, equal in length. NULL on exhaustion. */
ArcFigure *arc_scene_begin(const ArcScene *scene, ArcFigureGroup group, const char *name,
                           const char *title);

/* n places, rows of dimensions numbers at x_m, which are copied; labels (n) or NULL. */
typedef struct ArcScenePlaces {
    ArcMark mark;
    ArcRole role;
    const char *name;
    int n;
    const double *x_m;
    const char *const *labels;
} ArcScenePlaces;
void arc_scene_add(const ArcScene *scene, const ArcScenePlaces *places);

/* The links of an arm as a line from its base to its ball, and (role ARC_ROLE_ARM) its joints as
 * points; p (A) its parameters, theta (J) its pose. */
void arc_scene_add_arm(const ArcScene *scene, const ArcArm *arm, const double *p,
                       const double *theta, ArcRole role, const char *name);

#endif
