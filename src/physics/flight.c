/* The flight model's settings: checked, and worked out to constants and parameters. */
#include "physics/bounce.h"
#include "physics/curve.h"
#include "physics/gravity.h"
#include "physics/laws.h"
#include "physics/lift.h"

#include <math.h>

ArcFlightSettings arc_flight_settings_default(void)
{
    return (ArcFlightSettings){
        .dimensions = 2,
        .up = 1,
        .gravity_m_s2 = 9.80665,
        .air = {.temperature_k = 293.15, .pressure_pa = 101325, .humidity = 0.5},
        .drag = ARC_DRAG_NONE,
        .lift = ARC_LIFT_NONE,
        .bounce = {.restitution = 0.75, .friction = 0.5, .spin_coupling = 1.5},
    };
}

static ArcStatus flight_check_frame(const ArcFlightSettings *settings, ArcError *err)
{
    if (settings->dimensions != 2 && settings->dimensions != 3)
        return arc_error_set(err, ARC_INPUT, "dimensions %d is neither 2 (plane) nor 3 (space)",
                             settings->dimensions);
    if (settings->up < 0 || settings->up >= settings->dimensions)
        return arc_error_set(err, ARC_INPUT, "axis %d cannot be up in %d dimensions; %s",
                             settings->up, settings->dimensions,
                             settings->dimensions == 2 ? "use x or y" : "use x, y or z");
    if (!(settings->gravity_m_s2 >= 0 && settings->gravity_m_s2 <= 1000))
        return arc_error_set(err, ARC_INPUT,
                             "gravity %g m/s^2 is outside 0 to 1000 m/s^2; give its size",
                             settings->gravity_m_s2);
    for (int e = 0; e < 3; e++)
        if (settings->has_tilt[e] && (settings->dimensions == 2 ? e != 2 : e == settings->up))
            return arc_error_set(err, ARC_INPUT, "gravity cannot tilt about axis %d; use %s", e,
                                 settings->dimensions == 2 ? "tilt" : "the two level axes");
    return ARC_OK;
}

static ArcStatus flight_check_wind(const ArcFlightSettings *settings, ArcError *err)
{
    const ArcShear *shear = &settings->shear;
    const ArcGust *gust = &settings->gust;
    for (int e = 0; e < settings->dimensions; e++) {
        if (!(fabs(settings->wind_m_s[e]) <= 1000))
            return arc_error_set(err, ARC_INPUT, "wind %g m/s is outside -1000 to 1000 m/s",
                                 settings->wind_m_s[e]);
        if (gust->is_on && !(fabs(gust->velocity_m_s[e]) <= 1000))
            return arc_error_set(err, ARC_INPUT, "gust %g m/s is outside -1000 to 1000 m/s",
                                 gust->velocity_m_s[e]);
    }
    if (shear->is_on && !(shear->exponent >= 0 && shear->exponent <= 1))
        return arc_error_set(err, ARC_INPUT, "shear exponent %g is outside 0 to 1",
                             shear->exponent);
    if (shear->is_on && !(shear->height_m > 0 && shear->height_m <= 1e4))
        return arc_error_set(err, ARC_INPUT, "shear height %g m is not in 0 to 10000 m",
                             shear->height_m);
    if (shear->is_on && !(fabs(shear->ground_m) <= 1e7))
        return arc_error_set(err, ARC_INPUT, "shear ground %g m is outside -1e7 to 1e7 m",
                             shear->ground_m);
    if (gust->is_on && !(fabs(gust->time_s) <= 1e6))
        return arc_error_set(err, ARC_INPUT, "gust time %g s is outside -1e6 to 1e6 s",
                             gust->time_s);
    if (gust->is_on && !(gust->width_s > 0 && gust->width_s <= 1e6))
        return arc_error_set(err, ARC_INPUT, "gust width %g s is not in 0 to 1e6 s", gust->width_s);
    return ARC_OK;
}

static ArcStatus flight_check_laws(const ArcFlightSettings *settings, ArcError *err)
{
    int n_drag, n_lift, n_decay;
    arc_drag_laws(&n_drag);
    arc_lift_laws(&n_lift);
    const ArcLaw *decay = arc_spin_decay_laws(&n_decay);
    if ((int)settings->drag < 0 || (int)settings->drag >= n_drag)
        return arc_error_set(err, ARC_INPUT, "there is no drag law %d", (int)settings->drag);
    if ((int)settings->lift < 0 || (int)settings->lift >= n_lift)
        return arc_error_set(err, ARC_INPUT, "there is no lift law %d", (int)settings->lift);
    if ((int)settings->spin_decay < 0 || (int)settings->spin_decay >= n_decay)
        return arc_error_set(err, ARC_INPUT, "there is no law %d of spin decay",
                             (int)settings->spin_decay);
    if (settings->spin_decay != ARC_SPIN_DECAY_NONE && settings->lift == ARC_LIFT_NONE &&
        settings->drag != ARC_DRAG_SPIN_DEPENDENT && !settings->has_spin)
        return arc_error_set(err, ARC_INPUT,
                             "spin decay '%s' has no spin to act on; choose a lift law or drag "
                             "'spin-dependent'",
                             decay[settings->spin_decay].name);
    return ARC_OK;
}

static ArcStatus flight_check_ball(const ArcFlightSettings *settings, ArcError *err)
{
    int n;
    const ArcLaw *drag = &arc_drag_laws(&n)[settings->drag];
    const ArcLaw *lift = &arc_lift_laws(&n)[settings->lift];
    if (settings->has_ball) {
        if (!(settings->ball.mass_kg > 0 && settings->ball.mass_kg <= 1e6))
            return arc_error_set(err, ARC_INPUT, "ball mass %g kg is not in 0 to 1e6 kg",
                                 settings->ball.mass_kg);
        if (!(settings->ball.diameter_m > 0 && settings->ball.diameter_m <= 1e3))
            return arc_error_set(err, ARC_INPUT, "ball diameter %g m is not in 0 to 1000 m",
                                 settings->ball.diameter_m);
        return ARC_OK;
    }
    if (drag->needs_ball)
        return arc_error_set(err, ARC_INPUT,
                             "drag '%s' needs a ball; give a preset or mass and diameter, or use "
                             "drag 'lumped'",
                             drag->name);
    if (lift->needs_ball)
        return arc_error_set(err, ARC_INPUT,
                             "lift '%s' needs a ball; give a preset or mass and diameter, or use "
                             "lift 'lumped'",
                             lift->name);
    if (settings->buoyancy || settings->added_mass)
        return arc_error_set(err, ARC_INPUT, "%s needs a ball; give a preset or mass and diameter",
                             settings->buoyancy ? "buoyancy" : "added mass");
    return ARC_OK;
}

static ArcStatus flight_check_table(const char *name, const ArcTable *table, double low_y,
                                    ArcError *err)
{
    if (table->n < 2 || table->n > ARC_TABLE_MAX_PAIRS)
        return arc_error_set(err, ARC_INPUT, "the %s table has %d pairs; give 2 to %d", name,
                             table->n, ARC_TABLE_MAX_PAIRS);
    for (int i = 0; i < table->n; i++) {
        if (!(table->x[i] >= 0 && table->x[i] <= 1e4))
            return arc_error_set(err, ARC_INPUT,
                                 "pair %d of the %s table is at %g, outside 0 to "
                                 "10000",
                                 i + 1, name, table->x[i]);
        if (!(table->y[i] >= low_y && table->y[i] <= 100))
            return arc_error_set(
                err, ARC_INPUT, "pair %d of the %s table has the coefficient %g, outside %g to 100",
                i + 1, name, table->y[i], low_y);
        if (i > 0 && !(table->x[i] > table->x[i - 1]))
            return arc_error_set(
                err, ARC_INPUT, "pair %d of the %s table is at %g, which is not above %g before it",
                i + 1, name, table->x[i], table->x[i - 1]);
    }
    return ARC_OK;
}

static ArcStatus flight_set_curves(ArcFlight *flight, ArcError *err)
{
    const ArcFlightSettings *settings = &flight->settings;
    const ArcTable *drag = &settings->drag_table, *lift = &settings->lift_table;
    ArcCurve *curve = &flight->lift_curve;
    if (settings->drag == ARC_DRAG_TABLE) {
        ArcStatus status = flight_check_table("drag", drag, 0, err);
        if (status != ARC_OK)
            return status;
        for (int i = 0; i < drag->n; i++) {
            flight->drag_curve.x[i] = drag->x[i];
            flight->drag_curve.y[i] = drag->y[i];
        }
        flight->drag_curve.n = drag->n;
        arc_curve_set_slopes(&flight->drag_curve, true);
    }
    if (settings->lift != ARC_LIFT_TABLE)
        return ARC_OK;
    ArcStatus status = flight_check_table("lift", lift, -100, err);
    if (status != ARC_OK)
        return status;
    if (lift->x[0] == 0 && lift->y[0] != 0)
        return arc_error_set(err, ARC_INPUT,
                             "the lift table has %g at S = 0, where there is no spin and so no "
                             "lift; give 0 there",
                             lift->y[0]);
    curve->n = lift->x[0] > 0; /* (0, 0) comes first */
    for (int i = 0; i < lift->n; i++) {
        curve->x[curve->n] = lift->x[i];
        curve->y[curve->n++] = lift->y[i];
    }
    arc_curve_set_slopes(curve, false);
    return ARC_OK;
}

static void flight_add_parameters(ArcFlight *flight, const ArcParameterRows *rows)
{
    for (int i = 0; i < rows->n; i++)
        flight->parameters[flight->n_parameters++] = rows->infos[i];
}

static void flight_set_parameters(ArcFlight *flight)
{
    const ArcFlightSettings *settings = &flight->settings;
    flight_add_parameters(flight, arc_drag_parameters(settings->drag));
    flight->n_drag = flight->n_parameters;
    if (settings->drag == ARC_DRAG_QUADRATIC && settings->ball.cd > 0)
        flight->parameters[0].value = settings->ball.cd;
    flight_add_parameters(flight, arc_lift_parameters(settings->lift));
    flight->n_lift = flight->n_parameters - flight->n_drag;
    flight->has_rotation = settings->has_spin || settings->lift != ARC_LIFT_NONE ||
                           settings->drag == ARC_DRAG_SPIN_DEPENDENT;
    if (flight->has_rotation)
        flight_add_parameters(flight, arc_spin_parameters(settings->dimensions));
    flight_add_parameters(flight, arc_spin_decay_parameters(settings->spin_decay));
}

/* The constants of the ball in the air; none without a ball. */
static ArcStatus flight_set_constants(ArcFlight *flight, ArcError *err)
{
    const ArcFlightSettings *settings = &flight->settings;
    ArcStatus status = arc_air_density(&settings->air, &flight->density_kg_m3, err);
    if (status == ARC_OK && settings->drag == ARC_DRAG_MORRISON)
        status = arc_air_viscosity(&settings->air, &flight->viscosity_m2_s, err);
    if (status != ARC_OK)
        return status;
    double displaced = 0; /* mass of the air in the ball's place, per the ball's */
    if (settings->has_ball) {
        double mass = settings->ball.mass_kg, diameter = settings->ball.diameter_m;
        double area = 0.25 * M_PI * diameter * diameter;
        flight->radius_m = 0.5 * diameter;
        flight->drag_per_m = flight->density_kg_m3 * area / (2 * mass);
        displaced = flight->density_kg_m3 * area * diameter / 1.5 / mass;
    }
    flight->inertia = settings->added_mass ? 1 / (1 + 0.5 * displaced) : 1;
    double weight = 1 - (settings->buoyancy ? displaced : 0);
    flight->gravity_share = weight * flight->inertia;
    flight->gravity_m_s2[settings->up] = -settings->gravity_m_s2 * weight * flight->inertia;
    return ARC_OK;
}

ArcStatus arc_flight_create(const ArcFlightSettings *settings, ArcFlight *flight, ArcError *err)
{
    ArcFlight made = {.settings = *settings};
    ArcStatus status = flight_check_frame(settings, err);
    if (status == ARC_OK)
        status = flight_check_wind(settings, err);
    if (status == ARC_OK)
        status = flight_check_laws(settings, err);
    if (status == ARC_OK)
        status = flight_check_ball(settings, err);
    if (status == ARC_OK)
        status = flight_set_curves(&made, err);
    if (status == ARC_OK)
        status = flight_set_constants(&made, err);
    if (status != ARC_OK)
        return status;
    made.is_plain = settings->drag <= ARC_DRAG_QUADRATIC && !arc_lift_is_shape(settings->lift) &&
                    settings->spin_decay == ARC_SPIN_DECAY_NONE && !settings->shear.is_on &&
                    !settings->gust.is_on &&
                    !(settings->has_spin && settings->lift == ARC_LIFT_NONE);
    made.n_coordinates =
        settings->dimensions + (settings->spin_decay == ARC_SPIN_DECAY_AERODYNAMIC);
    flight_set_parameters(&made);
    arc_gravity_add(&made);
    status = arc_bounce_add(&made, err);
    if (status == ARC_OK)
        *flight = made;
    return status;
}
