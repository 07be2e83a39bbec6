/* The push of rim and board.
 *
 * By x, delta has the gradient -n and delta' has -H v, where H = grad n; by v, delta' has -n. Of
 * the wire, with t normal to n in the half plane of the axis and e round about it, H = t t' / l +
 * (rho - R_w) / (l rho) e e'.
 */
#include "physics/contact.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

enum { PANELS = 400, HALVINGS = 60 };

static const double reach_widths = 40.0, most_damping = 60.0;

/* -log of what is left of the speed. */
static double loss_of(double b)
{
    double sum = 0.0;
    for (int i = 0; i <= PANELS; i++) {
        double u = -1.0 + 2.0 * i / PANELS, h = exp(b * u);
        double weight = i == 0 || i == PANELS ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        sum += weight * u * (h - 1.0) / (u * u + (1.0 - u * u) * h);
    }
    return sum * 2.0 / PANELS / 3.0;
}

static double damping_of(double restitution)
{
    double low = 0.0, high = most_damping;
    double wanted = -log(fmin(fmax(restitution, ARC_CONTACT_LEAST), 1.0));
    for (int i = 0; wanted > 0.0 && i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        if (loss_of(middle) < wanted)
            low = middle;
        else
            high = middle;
    }
    return low;
}

ArcContactLaw arc_contact_create(const ArcContactSettings *settings)
{
    return (ArcContactLaw){.settings = *settings,
                           .damping = damping_of(settings->restitution),
                           .rate_rad_s = sqrt(settings->stiffness_n_m / settings->mass_kg),
                           .reach_m = reach_widths * settings->width_m};
}

/* A surface near the ball: its gap, normal n and H. */
typedef struct Surface {
    double gap_m, n[3], turn[3][3]; /* H */
} Surface;

static Surface rim_of(const ArcContactSettings *settings, const double *x)
{
    int d = settings->dimensions, up = settings->up;
    double square = 0.0, h = x[up] - settings->centre_m[up], radial[3] = {0};
    for (int c = 0; c < d; c++) {
        radial[c] = c == up ? 0.0 : x[c] - settings->centre_m[c];
        square += radial[c] * radial[c];
    }
    double rho = fmax(sqrt(square), DBL_MIN), out = rho - settings->circle_m;
    double l = fmax(hypot(out, h), DBL_MIN);
    Surface surface = {.gap_m = l - settings->radius_m - settings->wire_m};
    double n_out = out / l, n_up = h / l;
    for (int c = 0; c < d; c++) {
        radial[c] /= rho;
        surface.n[c] = c == up ? n_up : n_out * radial[c];
    }
    for (int c = 0; c < d; c++)
        for (int e = 0; e < d; e++) {
            bool level = c != up && e != up;
            double t_c = c == up ? n_out : -n_up * radial[c];
            double t_e = e == up ? n_out : -n_up * radial[e];
            double round_about = level ? (c == e ? 1.0 : 0.0) - radial[c] * radial[e] : 0.0;
            surface.turn[c][e] = t_c * t_e / l + n_out / rho * round_about;
        }
    return surface;
}

static Surface board_of(const ArcContactSettings *settings, const double *x)
{
    Surface surface = {.gap_m = settings->front * (x[settings->axis] - settings->face_m) -
                                settings->radius_m};
    surface.n[settings->axis] = settings->front;
    return surface;
}

double arc_contact_gap_rim(const ArcContactLaw *law, const double *x_m)
{
    return law->settings.has_rim ? rim_of(&law->settings, x_m).gap_m : INFINITY;
}

double arc_contact_gap_board(const ArcContactLaw *law, const double *x_m)
{
    return law->settings.has_board ? board_of(&law->settings, x_m).gap_m : INFINITY;
}

double arc_contact_gap(const ArcContactLaw *law, const double *x_m)
{
    return fmin(arc_contact_gap_rim(law, x_m), arc_contact_gap_board(law, x_m));
}

/* F / m by overlap and its rate. */
typedef struct Push {
    double value, by_overlap, by_rate;
} Push;

static Push push_of(const ArcContactLaw *law, double overlap, double rate)
{
    double width = law->settings.width_m, z = overlap / width,
           w2 = law->rate_rad_s * law->rate_rad_s;
    double S = width * (fmax(z, 0.0) + log1p(exp(-fabs(z))));
    double S_overlap = z > 0.0 ? 1.0 / (1.0 + exp(-z)) : exp(z) / (1.0 + exp(z));
    double still = w2 * (S * S + width * width), V = sqrt(rate * rate + still), u = rate / V;
    double value = w2 * S * exp(law->damping * u);
    double by_u = law->damping * value, V3 = V * V * V;
    return (Push){.value = value,
                  .by_overlap = value / S * S_overlap - by_u * rate * w2 * S * S_overlap / V3,
                  .by_rate = by_u * still / V3};
}

static void add_surface(const ArcContactLaw *law, const Surface *surface, int D, const double *v,
                        double *const rows[3])
{
    int d = law->settings.dimensions;
    double rate = 0.0, turned[3] = {0};
    if (surface->gap_m > law->reach_m)
        return;
    for (int c = 0; c < d; c++) {
        rate -= surface->n[c] * v[c];
        for (int e = 0; e < d; e++)
            turned[c] += surface->turn[c][e] * v[e];
    }
    const Push push = push_of(law, -surface->gap_m, rate);
    for (int c = 0; c < d; c++) {
        rows[0][c] += push.value * surface->n[c];
        for (int e = 0; rows[1] != NULL && e < d; e++) {
            double by_x = -push.by_overlap * surface->n[e] - push.by_rate * turned[e];
            rows[1][c * D + e] += surface->n[c] * by_x + push.value * surface->turn[c][e];
            rows[2][c * D + e] -= surface->n[c] * push.by_rate * surface->n[e];
        }
    }
}

void arc_contact_add(const ArcContactLaw *law, int D, const double *x_m, const double *v_m_s,
                     double *a, double *a_x, double *a_v)
{
    double *const rows[3] = {a, a_x, a_v};
    if (law->settings.has_rim) {
        const Surface rim = rim_of(&law->settings, x_m);
        add_surface(law, &rim, D, v_m_s, rows);
    }
    if (law->settings.has_board) {
        const Surface board = board_of(&law->settings, x_m);
        add_surface(law, &board, D, v_m_s, rows);
    }
}
