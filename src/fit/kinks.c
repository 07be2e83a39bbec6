/* Truncated powers as features of an output layer. */
#include "fit/kinks.h"

enum { FIRST_ORDER = 3 };

/* N, N' and N'' in tau of feature j, ((s - place) / T)^q = a, where x = s^2 N has x'' = a; zero
 * before. */
static void feature_at(const ArcKinks *kinks, int j, double span_s, double s, double N[3])
{
    int order = FIRST_ORDER + j % ARC_KINK_ORDERS;
    double since = s - kinks->place_s[j / ARC_KINK_ORDERS], p = order + 2.0, rate = 0.5 * span_s;
    N[0] = N[1] = N[2] = 0.0;
    if (!(since > 0.0))
        return;
    /* g has g'' = a; N = g / s^2. */
    double z = since / span_s, power = z * z * z;
    for (int i = 3; i < order; i++)
        power *= z;
    double g2 = power, g1 = power * z * span_s / (p - 1.0);
    double g0 = power * z * z * span_s * span_s / (p * (p - 1.0)), inverse = 1.0 / s;
    N[0] = g0 * inverse * inverse;
    N[1] = (g1 - 2.0 * g0 * inverse) * inverse * inverse * rate;
    N[2] =
        (g2 - 4.0 * g1 * inverse + 6.0 * g0 * inverse * inverse) * inverse * inverse * rate * rate;
}

void arc_kinks_features(const ArcKinks *kinks, double span_s, int m, const double *tau,
                        double *features, int stride)
{
    for (int i = 0; i < m; i++) {
        double s = 0.5 * (tau[i] + 1.0) * span_s;
        for (int j = 0; j < kinks->n; j++) {
            double N[3];
            feature_at(kinks, j, span_s, s, N);
            for (int part = 0; part < 3; part++)
                features[(part * m + i) * stride + j] = N[part];
        }
    }
}

void arc_kinks_add(const ArcKinks *kinks, double span_s, int D, int m, const double *tau,
                   double *jets)
{
    for (int i = 0; i < m; i++) {
        double s = 0.5 * (tau[i] + 1.0) * span_s;
        for (int j = 0; j < kinks->n; j++) {
            double N[3];
            feature_at(kinks, j, span_s, s, N);
            for (int part = 0; part < 3; part++)
                for (int c = 0; c < D; c++)
                    jets[(part * m + i) * D + c] += kinks->weights[c * kinks->n + j] * N[part];
        }
    }
}
