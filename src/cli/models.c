/* arcfit models: laws of drag and lift and ball presets, from the tables of the flight model. */
#include "cli/commands.h"

#include "arcfit/flight.h"

#include <string.h>

enum { COLUMNS = 80, INDENT = 14 };

/* label in a first column, words behind it wrapped at 80 columns. */
static void models_print(const char *label, const char *words)
{
    int column = printf("  %-*s", INDENT - 2, label);
    bool first = true;
    while (*words != '\0') {
        int length = (int)strcspn(words, " ");
        if (!first && column + 1 + length > COLUMNS) {
            printf("\n%*s", INDENT, "");
            column = INDENT;
            first = true;
        }
        column += printf("%s%.*s", first ? "" : " ", length, words);
        first = false;
        words += length + (int)strspn(words + length, " ");
    }
    printf("\n");
}

/* The rotation, whatever the law of lift; no law's row names it. */
static void models_spin(ArcFlightSettings settings)
{
    settings.lift = ARC_LIFT_LUMPED;
    printf("\nspin           of every lift law, default 0\n");
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
            models_print(info->name, line);
        }
    }
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
        const char *found = strstr(names, info->name);
        size_t length = strlen(info->name);
        char line[256];
        if (found == NULL || (found != names && found[-1] != ' ') ||
            (found[length] != '\0' && found[length] != ' '))
            continue;
        snprintf(line, sizeof line, "%s (%s), default %g: %s", info->name, info->unit, info->value,
                 info->doc);
        models_print("", line);
    }
}

static void models_law(const ArcLaw *law, ArcFlightSettings settings)
{
    char title[128];
    snprintf(title, sizeof title, "%s%s", law->equation,
             law->needs_ball ? "   (needs a ball)" : "");
    models_print(law->name, title);
    if (law->parameters != NULL && law->parameters[0] != '\0')
        models_parameters(&settings, law->parameters);
    if (law->source != NULL && law->source[0] != '\0')
        models_print("", law->source);
}

int arc_command_models(const ArcOptions *options)
{
    int n_drag, n_lift, n_balls;
    const ArcLaw *drag = arc_drag_laws(&n_drag), *lift = arc_lift_laws(&n_lift);
    const ArcBall *balls = arc_ball_presets(&n_balls);
    ArcFlightSettings settings = arc_flight_settings_default();
    (void)options;
    settings.has_ball = n_balls > 0;
    settings.ball = balls[0];
    printf("flight.drag    u: velocity relative to the wind, rho: density of the air\n"
           "               A, m, r: the ball's front area, mass, radius\n");
    for (int i = 0; i < n_drag; i++) {
        settings.drag = (ArcDrag)i;
        models_law(&drag[i], settings);
    }
    settings.drag = ARC_DRAG_NONE;
    printf("\nflight.lift    w: spin, S: spin parameter, CL: lift coefficient\n");
    for (int i = 0; i < n_lift; i++) {
        settings.lift = (ArcLift)i;
        models_law(&lift[i], settings);
    }
    models_spin(settings);
    printf("\nflight.ball    %10s %12s %6s\n", "mass (kg)", "diameter (m)", "cd");
    models_print("", "cd is the default of drag: quadratic with this ball");
    for (int i = 0; i < n_balls; i++) {
        printf("  %-12s %10.5g %12.5g %6.3g\n", balls[i].name, balls[i].mass_kg,
               balls[i].diameter_m, balls[i].cd);
        models_print("", balls[i].source);
    }
    return 0;
}
