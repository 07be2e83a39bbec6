/* The table of settings: the closure. It is read behind flight and arm, whose axes and spin it
 * takes, and before the parameters. */
#include "experiment/settings_rows.h"

#include <math.h>

static const char *choice_name(int index)
{
    static const char *const names[] = {"evidence", "cross-validation"};
    return choice_of(names, 2, index);
}

static const ArcSettingRow rows[] = {
    {"closure", ARC_SETTING_SPECIAL, "none", NULL,
     "a small net for what the equations miss, shared by all flights", OF(closure.is_on),
     READ(arc_special_closure, "none, or a mapping", "none|KEYS")},
    {"closure.inputs", ARC_SETTING_SPECIAL, NULL, "required", "what it depends on",
     OF(closure.inputs),
     READ(arc_special_closure_inputs,
          "a list of 1 to 4 of x, y, z, vx, vy, vz, speed, height, spin_ratio, time; of own "
          "equations of their states, velocities and time",
          "[TEXT 1..4 unique]")},
    {"closure.outputs", ARC_SETTING_SPECIAL, "acceleration", NULL,
     "what it adds: accelerations (of own equations rates), or a coefficient of drag or lift",
     OF(closure.output),
     READ(arc_special_closure_outputs,
          "acceleration for all axes, cd, cl, or a list of axes as [x] (of own equations of "
          "states)",
          "acceleration|cd|cl|[TEXT 1.. unique]")},
    {"closure.replaces", ARC_SETTING_FLAG, NULL, "true where flight has no such law",
     "of cd and cl: whether it stands in place of the law", OF(closure.replaces), PLAIN},
    {"closure.net", ARC_SETTING_SPECIAL, "auto", NULL,
     "auto: Gaussian units over what the flights come by; or a net file of one hidden layer",
     OF(closure.net), READ(arc_special_closure_net, "auto, or a file", "auto|FILE")},
    {"closure.ridge", ARC_SETTING_SPECIAL, "auto", NULL,
     "1 / sd^2 of the output weights' prior, by SI units; auto: chosen for each output",
     OF(closure.ridge), ARC_ONE, 1e-12, 1e12, NULL, arc_special_closure_number,
     "auto, or a number from 1e-12 to 1e12", "auto|NUMBER"},
    {"closure.width", ARC_SETTING_SPECIAL, "auto", NULL,
     "of a unit, where the range that the flights come by is 2", OF(closure.width), ARC_ONE, 1e-3,
     1e3, NULL, arc_special_closure_number, "auto, or a number from 0.001 to 1000", "auto|NUMBER"},
    {"closure.choose", ARC_SETTING_CHOICE, "evidence", NULL, "how ridge and width are chosen",
     OF(closure.choice), CHOICE(choice_name)},
    {"closure.train", ARC_SETTING_SPECIAL, "output", NULL,
     "output: the hidden layer is drawn once and held; all: it is trained, too",
     OF(closure.trains_all), READ(arc_special_closure_train, "output, or all", "output|all")},
};

const ArcSettingPart arc_settings_closure = PART(rows);
