/* Ball presets. Where a rule gives a range, its middle is taken. */
#include "arcfit/ball.h"

#include <string.h>

static const ArcBall ball_presets[] = {
    {"basketball", 0.62, 0.24, 0.5, "size 7: 22 oz, 29.5 in around, rounded; usual cd of a sphere"},
    {"basketball-6", 0.53, 0.23, 0.5,
     "size 6 (women): 510 to 550 g, 715 to 730 mm around (FIBA); cd as size 7"},
    {"table-tennis", 0.0027, 0.040, 0.47,
     "2.7 g, 40 mm (ITTF law 2.3); cd of a published robot's free flights"},
    {"tennis", 0.0577, 0.067, 0.507,
     "56.0 to 59.4 g, 65.4 to 68.6 mm (ITF rule 3); cd of free flights at 15 to 30 m/s, 0.507 +- "
     "0.024"},
    {"soccer", 0.43, 0.22, 0.25,
     "size 5: 410 to 450 g, 68 to 70 cm around (IFAB law 2); cd past the drag crisis (0.2 to 0.5)"},
    {"baseball", 0.145, 0.0732, 0.35,
     "5 to 5.25 oz, 9 to 9.25 in around (MLB rule 3.01), rounded; usual cd 0.3 to 0.4"},
    {"softball", 0.188, 0.097, 0.35,
     "12-inch ball: 6.25 to 7 oz, 11.875 to 12.125 in around (ASA rule 3); cd as a baseball's"},
    {"volleyball", 0.27, 0.21, 0.15,
     "260 to 280 g, 65 to 67 cm around (FIVB rule 3.1); cd past the drag crisis, 0.13 to 0.17: "
     "Hong et al., Appl. Sci. 10 (2020) 3256"},
    {"golf", 0.04593, 0.04267, 0.25,
     "1.620 oz at most, 1.680 in at least (R&A rules of equipment); usual cd"},
    {"shot", 7.26, 0.12, 0.47,
     "men's: 7.260 kg, 110 to 130 mm (World Athletics); cd of a smooth sphere"},
    {"shot-4", 4, 0.1025, 0.47,
     "women's: 4.000 kg, 95 to 110 mm (World Athletics); cd of a smooth sphere"},
    {"badminton", 0.005, 0.06, 0.6,
     "4.74 to 5.50 g (BWF law 2); shuttle with 28 cm^2 of front, cd 0.6: Cohen et al. 2015; it "
     "displaces far less air than a sphere: give buoyancy: false"},
};

enum { N_PRESETS = sizeof ball_presets / sizeof ball_presets[0] };

const ArcBall *arc_ball_presets(int *n)
{
    *n = N_PRESETS;
    return ball_presets;
}

const ArcBall *arc_ball_find(const char *name)
{
    for (int i = 0; i < N_PRESETS; i++) {
        if (strcmp(ball_presets[i].name, name) == 0)
            return &ball_presets[i];
    }
    return NULL;
}
