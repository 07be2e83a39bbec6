/* arcfit models: flight laws, the arm and ball presets, from the tables of the models; of files,
 * the own equations that they hold. */
#include "cli/commands.h"

#include "arcfit/flight.h"
#include "cli/output.h"

#include <string.h>

/* The rotation, whatever the law; no law's row names it. */
static void models_spin(ArcFlightSettings settings)
{
    settings.lift = ARC_LIFT_LUMPED;
    printf("\nspin               of every lift law and of drag: spin-dependent, default 0\n");
    for (int d = 2; d <= 3; d++) {
        settings.dimensions = d;
        ArcFlight flight;
        if (arc_flight_create(&settings, &flight, NULL) != ARC_OK)
            return;
        for (int p = 0; p < flight.n_parameters; p++) {
            const ArcParameterInfo *info = &flight.parameters[p];
            char line[256];
            if (strcmp(info->unit, "rad/s") != 0)
                continue;
            snprintf(line, sizeof line, "(%s) %s", info->unit, info->doc);
            arc_output_row(info->name, line);
        }
    }
}

/* Gravity's own parameters, each of which a flight has once `parameters` names it. */
static void models_gravity(ArcFlightSettings settings)
{
    printf("\ngravity            of a flight whose `parameters` name them; fixed unless freed\n");
    settings.has_gravity = true;
    for (int d = 2; d <= 3; d++) {
        settings.dimensions = d;
        settings.up = d - 1;
        for (int e = 0; e < 3; e++)
            settings.has_tilt[e] = d == 2 ? e == 2 : e != settings.up;
        ArcFlight flight;
        if (arc_flight_create(&settings, &flight, NULL) != ARC_OK)
            return;
        for (int k = 0; k < flight.n_gravity; k++) {
            const ArcParameterInfo *info = &flight.parameters[flight.gravity_index + k];
            char line[256];
            snprintf(line, sizeof line, "(%s) %s%s", info->unit, info->doc,
                     settings.has_gravity && k == 0 ? ", default flight.gravity" : "");
            arc_output_row(info->name, line);
        }
        settings.has_gravity = false;
    }
}

bool arc_models_lists(const char *names, const char *name)
{
    size_t length = strlen(name);
    const char *found = strstr(names, name);
    return found != NULL && (found == names || found[-1] == ' ') &&
           (found[length] == '\0' || found[length] == ' ');
}

/* A law's parameters come from a flight made with it, so that units and defaults are the real ones.
 */
static void models_parameters(const ArcFlightSettings *settings, const char *names)
{
    ArcFlight flight;
    if (arc_flight_create(settings, &flight, NULL) != ARC_OK)
        return;
    for (int p = 0; p < flight.n_parameters; p++) {
        const ArcParameterInfo *info = &flight.parameters[p];
        char line[256];
        if (!arc_models_lists(names, info->name))
            continue;
        snprintf(line, sizeof line, "%s (%s), default %g: %s", info->name, info->unit, info->value,
                 info->doc);
        arc_output_row("", line);
    }
}

static void models_law(const ArcLaw *law, ArcFlightSettings settings)
{
    char title[512];
    snprintf(title, sizeof title, "%s%s", law->equation,
             law->needs_ball ? "   (needs a ball)" : "");
    arc_output_row(law->name, title);
    if (law->parameters[0] != '\0')
        models_parameters(&settings, law->parameters);
    arc_output_row("", law->source);
}

static void models_drag(ArcFlightSettings settings)
{
    int n;
    const ArcLaw *laws = arc_drag_laws(&n);
    printf("flight.drag        u: velocity relative to the wind, rho: density of the air\n"
           "                   A, m, r: the ball's front area, mass, radius; w: its spin\n");
    for (int i = 0; i < n; i++) {
        settings.drag = (ArcDrag)i;
        models_law(&laws[i], settings);
    }
}

static void models_lift(ArcFlightSettings settings)
{
    int n;
    const ArcLaw *laws = arc_lift_laws(&n);
    printf("\nflight.lift        w: spin, S: spin parameter, CL: lift coefficient\n");
    for (int i = 0; i < n; i++) {
        settings.lift = (ArcLift)i;
        models_law(&laws[i], settings);
    }
}

static void models_spin_decay(ArcFlightSettings settings)
{
    int n;
    const ArcLaw *laws = arc_spin_decay_laws(&n);
    printf("\nflight.spin_decay  with a lift law or drag: spin-dependent\n");
    settings.lift = ARC_LIFT_LUMPED;
    for (int i = 0; i < n; i++) {
        settings.spin_decay = (ArcSpinDecay)i;
        models_law(&laws[i], settings);
    }
}

static void models_bounce(ArcFlightSettings settings)
{
    printf("\nflight.bounce      on a plane, as {plane: y=0.12 m}; 16 times, then at rest\n");
    arc_output_row("", "restitution, friction and spin_coupling are its keys, and parameters of "
                       "these names, fixed unless freed");
    settings.bounce.is_on = true;
    models_law(arc_bounce_law(), settings);
}

/* Their parameters are keys of the experiment. */
static void models_terms(void)
{
    int n;
    const ArcLaw *terms = arc_flight_terms(&n);
    printf("\nflight.            further keys; ranges: `arcfit help settings`\n");
    for (int i = 0; i < n; i++) {
        char line[512];
        snprintf(line, sizeof line, "%s%s", terms[i].equation,
                 terms[i].needs_ball ? "   (needs a ball)" : "");
        arc_output_row(terms[i].name, line);
        snprintf(line, sizeof line, "keys: %s", terms[i].parameters);
        if (terms[i].parameters[0] != '\0')
            arc_output_row("", line);
        arc_output_row("", terms[i].source);
    }
}

/* What a net may add to all of these (arcfit/closure.h). */
static void models_closure(void)
{
    printf("\nclosure            what the equations miss, by features phi_h of chosen inputs:\n"
           "                   {inputs: [x, y]}; keys: `arcfit help settings`\n");
    arc_output_row("acceleration", "a_e + sum_h W_eh phi_h of the axes in outputs: [x, y]");
    arc_output_row("cd",
                   "-rho A / (2 m) (Cd + sum_h W_h phi_h) |u| u: added to the law of drag, or "
                   "in its place with flight.drag: none   (needs a ball)");
    arc_output_row("cl",
                   "rho A / (2 m) (CL + sum_h W_h phi_h) |u|^2 (w x u) / |w x u|: the same of "
                   "lift   (needs a ball)");
    arc_output_row("", "inputs: x, y, z, vx, vy, vz, speed, height, spin_ratio, time; W is normal "
                       "about zero with a ridge chosen by evidence (MacKay 1992)");
}

static void models_balls(void)
{
    int n;
    const ArcBall *balls = arc_ball_presets(&n);
    printf("\nflight.ball        %10s %12s %6s\n", "mass (kg)", "diameter (m)", "cd");
    arc_output_row("", "cd is the default of drag: quadratic with this ball");
    for (int i = 0; i < n; i++) {
        printf("  %-16s %10.5g %12.5g %6.3g\n", balls[i].name, balls[i].mass_kg,
               balls[i].diameter_m, balls[i].cd);
        arc_output_row("", balls[i].source);
    }
}

int arc_command_models(const ArcOptions *options)
{
    if (options->n_operands > 0)
        return arc_models_equations(options);
    ArcFlightSettings settings = arc_flight_settings_default();
    settings.has_ball = true;
    settings.ball = *arc_ball_find("basketball");
    /* any table, so that a flight with its law can be made */
    settings.drag_table = settings.lift_table = (ArcTable){2, {1, 2}, {0.5, 0.5}};
    models_drag(settings);
    models_lift(settings);
    models_spin(settings);
    models_spin_decay(settings);
    models_gravity(settings);
    models_bounce(settings);
    models_terms();
    models_closure();
    arc_models_arm();
    models_balls();
    return 0;
}
