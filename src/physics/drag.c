/* D = unit Cd(U, rate) U with unit = c / (1 + h), or D = k U / (1 + h); U = |u|.
 *
 * Logistic, s = 1 / (1 + exp((U - v_crisis) / v_width)):
 *   Cd = cd_after + cd_drop s,  ds/dU = -s (1 - s) / v_width
 *
 * Morrison (An Introduction to Fluid Mechanics, Cambridge 2013, fig. 8.13), smooth sphere, Re <
 * 1e6: Cd = 24/Re + 2.6 y / (1 + y^1.52) + 0.411 z^-7.94 / (1 + z^-8) + 0.25 x / (1 + x), y = Re /
 * 5, z = Re / 2.63e5, x = Re / 1e6, Re = U d / viscosity With K = Re Cd, which is 24 at rest
 * (Stokes' drag), D = unit viscosity / d K and dD/dU = unit K'.
 */
#include "physics/drag.h"

#include "physics/curve.h"

#include <math.h>

static ArcDragFactor drag_constant(double unit, double speed, double coefficient)
{
    return (ArcDragFactor){unit * coefficient * speed, unit * coefficient, 0, {unit * speed}};
}

static ArcDragFactor drag_logistic(double unit, double speed, const double *p)
{
    double after = p[0], drop = p[1], crisis = p[2], width = p[3];
    double z = (speed - crisis) / width;
    double share = 1 / (1 + exp(z));
    /* an infinite crisis or width would give a finite drag */
    if (!isfinite(crisis) || !isfinite(width))
        share = NAN;
    double slope = share * (1 - share) / width;
    double coefficient = after + drop * share;
    return (ArcDragFactor){
        unit * coefficient * speed,
        unit * (coefficient - drop * slope * speed),
        0,
        {unit * speed, unit * speed * share, unit * speed * drop * slope,
         unit * speed * drop * slope * z},
    };
}

static ArcDragFactor drag_morrison(const ArcFlight *flight, double unit, double speed)
{
    double viscous = flight->viscosity_m2_s / (2 * flight->radius_m);
    double Re = speed / viscous, y = Re / 5, z = Re / 2.63e5, x = Re / 1e6;
    double y_sum = 1 + pow(y, 1.52), z_low = pow(z, 0.06), z8 = pow(z, 8);
    double K = 24 + 13 * y * y / y_sum + 0.411 * Re * z_low / (1 + z8) + 0.25 * Re * x / (1 + x);
    double slope = 2.6 * y * (2 + 0.48 * (y_sum - 1)) / (y_sum * y_sum) +
                   0.411 * z_low * (1.06 - 6.94 * z8) / ((1 + z8) * (1 + z8)) +
                   0.25 * x * (2 + x) / ((1 + x) * (1 + x));
    return (ArcDragFactor){unit * viscous * K, unit * slope, 0, {0}};
}

static ArcDragFactor drag_spin_dependent(double unit, double speed, double rate, const double *p)
{
    double coefficient = p[0] + p[1] * rate;
    return (ArcDragFactor){unit * coefficient * speed,
                           unit * coefficient,
                           unit * p[1] * speed,
                           {unit * speed, unit * speed * rate}};
}

static ArcDragFactor drag_table(const ArcFlight *flight, double unit, double speed)
{
    ArcCurvePoint at = arc_curve_at(&flight->drag_curve, speed);
    return (ArcDragFactor){unit * at.y * speed, unit * (at.y + at.slope * speed), 0, {0}};
}

ArcDragFactor arc_drag_factor(const ArcFlight *flight, double speed, double rate, const double *p)
{
    double unit = flight->drag_per_m * flight->inertia;
    switch (flight->settings.drag) {
    case ARC_DRAG_NONE:
        break;
    case ARC_DRAG_LUMPED:
        return drag_constant(flight->inertia, speed, p[0]);
    case ARC_DRAG_QUADRATIC:
        return drag_constant(unit, speed, p[0]);
    case ARC_DRAG_LOGISTIC:
        return drag_logistic(unit, speed, p);
    case ARC_DRAG_MORRISON:
        return drag_morrison(flight, unit, speed);
    case ARC_DRAG_SPIN_DEPENDENT:
        return drag_spin_dependent(unit, speed, rate, p);
    case ARC_DRAG_TABLE:
        return drag_table(flight, unit, speed);
    }
    return (ArcDragFactor){0};
}
