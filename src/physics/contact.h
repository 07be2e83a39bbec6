/* Rim and backboard pushing a ball that touches them: smooth, so that gradients pass through.
 *
 * The wire of the rim is a torus: a level circle of radius R_w about the centre, with wire radius
 * w. With rho and h the ball's distance from the axis and its height over the rim, the ball of
 * radius r overlaps it by
 *
 *   delta = r + w - l,   l = |(rho - R_w, h)|,   n = grad l   (in the plane: of the nearer wire)
 *
 * and the board's face by r - s, s the distance of the centre from the face on its front side, n
 * the normal there. Either pushes along n with
 *
 *   F = k S exp(b u),   S = width log(1 + exp(delta / width)),
 *   u = delta' / sqrt(delta'^2 + (k / m) S^2 + v_0^2),   v_0 = width sqrt(k / m).
 *
 * k is the stiffness, S the overlap with its corner rounded, and u runs from 1 where the ball comes
 * in to -1 where it leaves, so that it is pushed more on the way in than on the way out, yet never
 * held back. But for width and v_0, F is homogeneous in (delta, delta'): what a touch leaves of the
 * speed is then the same for every speed, namely
 *
 *   -log e = integral from -1 to 1 of u (exp(b u) - 1) / (u^2 + (1 - u^2) exp(b u)) du,
 *
 * from which b follows for a restitution e. Touches slower than some v_0 lose less. There is no
 * friction: spin, and velocity along the surface, stay what they are. The form is that of Hunt and
 * Crossley, J. Appl. Mech. 42 (1975) 440, F = k delta (1 + c delta'), whose c would have to be
 * chosen anew for each speed.
 */
#ifndef ARC_PHYSICS_CONTACT_H
#define ARC_PHYSICS_CONTACT_H

#include <stdbool.h>

typedef struct ArcContactSettings {
    int dimensions, up;
    double mass_kg, radius_m; /* of the ball */
    bool has_rim;
    double centre_m[3];
    double circle_m, wire_m; /* R_w and w; the inner edge has R_w - w */
    bool has_board;
    int axis;      /* across the board */
    double face_m; /* where it stands */
    double front;  /* 1 or -1: on which side of the face its front is */
    double stiffness_n_m;
    double restitution; /* below ARC_CONTACT_LEAST as that */
    double width_m;
} ArcContactSettings;

#define ARC_CONTACT_LEAST 0.05

typedef struct ArcContactLaw {
    ArcContactSettings settings;
    double damping;    /* b */
    double rate_rad_s; /* sqrt(k / m) */
    double reach_m;    /* a gap from which on a push is below rounding: 40 widths */
} ArcContactLaw;

/* Settings are taken for sound: sizes above 0, and a ball smaller than the rim. */
ArcContactLaw arc_contact_create(const ArcContactSettings *settings);

/* Between the ball and the nearest of rim and board, below 0 where they overlap; infinite where
 * there is neither. */
double arc_contact_gap(const ArcContactLaw *law, const double *x_m);
double arc_contact_gap_rim(const ArcContactLaw *law, const double *x_m);
double arc_contact_gap_board(const ArcContactLaw *law, const double *x_m);

/* Adds the acceleration of a ball at x_m with v_m_s to a (D), and its partials to a_x and a_v (D,D)
 * row-major, which may be NULL together; of D >= dimensions coordinates the first are looked at. */
void arc_contact_add(const ArcContactLaw *law, int D, const double *x_m, const double *v_m_s,
                     double *a, double *a_x, double *a_v);

#endif
