/* One hidden layer of a closure: H features of I inputs z, each with a few numbers of its own.
 *
 *   radial   phi_h = g_h exp(-b_h^2 |z - c_h|^2 / 2) numbers c_h (I) and b_h = 1 / width; g_h fixed
 *   ridge    phi_h = s(a_h . z + b_h)                numbers a_h (I) and b_h; s an activation of
 *                                                    net files (net/kernels.h)
 *
 * `hidden` (I + 1, H) row-major holds them: row i < I is component i of all units, the last row b.
 */
#ifndef ARC_MODEL_FEATURES_H
#define ARC_MODEL_FEATURES_H

#include "arcfit/closure.h"
#include "base/random.h"

typedef struct ArcFeatures {
    int I, H;
    bool is_radial;
    ArcActivation activation; /* of ridge units */
    const double *gain;       /* (H) of radial units */
} ArcFeatures;

/* Chooses among n > 0 points (n,I) the one nearest to zero, then each time the one farthest from
 * those before (Gonzalez, Theor. Comput. Sci. 38 (1985) 293), until all lie within `reach` of one
 * or there are `most`. Returns how many; chosen (most). distance (n): scratch. */
int arc_features_choose(int I, int n, const double *points, double reach, int most, int *chosen,
                        double *distance);

/* Radial units first to first + n - 1 at the chosen points. */
void arc_features_place(const ArcFeatures *features, const double *points, int first, int n,
                        const int *chosen, double width, double *hidden);

/* Ridge units whose middle is at a chosen point, unit h at the point h modulo n_chosen, in random
 * directions with slope 1 / width. Of sin: frequencies normal with sd 1 / width, any phase (Rahimi
 * and Recht, NeurIPS 2007). */
void arc_features_draw(const ArcFeatures *features, const double *points, int n_chosen,
                       const int *chosen, double width, ArcRandom *random, double *hidden);

/* phi (H) at z (I), and its slope (H), nullable: d phi_h / d z_i is slope_h (z_i - c_hi) of radial
 * units, slope_h a_hi of ridge units. */
void arc_features_at(const ArcFeatures *features, const double *hidden, const double *z,
                     double *phi, double *slope);

/* by_z (I) = d (sum_h W_h phi_h) / d z with the slopes at z. weighted (H): scratch. */
void arc_features_gradient(const ArcFeatures *features, const double *hidden, const double *z,
                           const double *W, const double *slope, double *weighted, double *by_z);

/* by_hidden (I + 1, H) = factor d (sum_h W_h phi_h) / d hidden. */
void arc_features_by_hidden(const ArcFeatures *features, const double *hidden, const double *z,
                            const double *W, const double *slope, double factor, double *by_hidden);

/* sum of a_h b_h, h < n. */
double arc_features_dot(int n, const double *a, const double *b);

#endif
