/* Experiment text of every flight law with starts for its parameters, all free, for tests of
 * derivatives: flights keep clear of the corners of tables and of the ground, where differences
 * fail. Include after cmocka.h. */
#ifndef LAW_CASE_H
#define LAW_CASE_H

#include "fit_case.h"

/* What a law adds to the flight and to the parameters. */
typedef struct LawText {
    const char *name, *flight, *parameters;
} LawText;

static const LawText law_drags[] = {
    {"none", "", ""},
    {"lumped", "", "k: {start: 0.06, prior: {mean: 0.1, sd: 0.05}}, "},
    {"quadratic", "", "cd: {start: 0.6, prior: {mean: 0.5, sd: 0.1}}, "},
    {"logistic", "",
     "cd_after: {start: 0.2}, cd_drop: {start: 0.4}, v_crisis: {start: 6}, v_width: {start: 2}, "},
    {"morrison", "", ""},
    {"spin-dependent", "", "cd0: {start: 0.5}, cd_w: {start: 0.01}, "},
    {"table", ", drag_table: [[1, 0.6], [15, 0.4], [30, 0.2]]", ""},
};

static const LawText law_lifts[] = {
    {"none", "", ""},
    {"lumped", "", "s: {start: 0.08, bounds: [0.01, 0.5]}, "},
    {"constant", "", "cl: {start: 0.3}, "},
    {"linear", "", "cm: {start: 1.2}, "},
    {"rational", "", ""},
    {"nathan", "", ""},
    {"sawicki", "", ""},
    {"table", ", lift_table: [[0.05, 0.08], [2, 0.4], [4, 0.5]]", ""},
};

/* The constant law feels no size of the spin, so that priors hold what it leaves open. */
static const LawText law_decays[] = {
    {"none", "", ""},
    {"exponential", "", "spin_tau: {start: 4, prior: {mean: 3, sd: 1}}, "},
    {"aerodynamic", "", "spin_decay: {start: 0.02, prior: {mean: 0.03, sd: 0.02}}, "},
};

enum { LAW_DRAGS = 7, LAW_LIFTS = 8, LAW_TEXT = 512, LAW_NAME = 96 };

/* One combination: i counts all, and picks the spin decay and the wind as it goes. */
typedef struct LawCase {
    int drag, lift, decay;
    bool sheared, leaning; /* gravity's size and tilt are parameters */
} LawCase;

static inline LawCase law_case(int i)
{
    LawCase law = {i % LAW_DRAGS, i / LAW_DRAGS % LAW_LIFTS, 0, i % 2 == 1,
                   i % 4 == 2 || i % 8 == 5};
    bool has_spin = law.lift != 0 || strcmp(law_drags[law.drag].name, "spin-dependent") == 0;
    law.decay = has_spin ? (i + i / LAW_DRAGS) % 3 : 0;
    return law;
}

static inline void law_flight(const LawCase *law, int d, char text[LAW_TEXT])
{
    const char *wind = law->sheared ? "{velocity: [1, -2%s], shear: {height: 8 m, ground: -5 m}, "
                                      "gust: {velocity: [2, 1%s], time: 0.4, width: 0.2}}"
                                    : "[1, -2%s]%s";
    char air[LAW_TEXT];
    snprintf(air, sizeof air, wind, d == 2 ? "" : ", 0.5", d == 2 || !law->sheared ? "" : ", -1");
    snprintf(text, LAW_TEXT, "drag: %s%s, lift: %s%s, spin_decay: %s, added_mass: %s, wind: %.200s",
             law_drags[law->drag].name, law_drags[law->drag].flight, law_lifts[law->lift].name,
             law_lifts[law->lift].flight, law_decays[law->decay].name,
             law->sheared ? "true" : "false", air);
}

/* Ends with a comma unless there are none. */
static inline void law_parameters(const LawCase *law, int d, int up, char text[LAW_TEXT])
{
    const char *spin = d == 2 ? "spin: {start: 20, prior: {mean: 15, sd: 5}}, "
                              : "wx: {start: 10}, wy: {start: -30}, wz: {start: 16}, ";
    static const char *const gravity[] = {"tilt_y: {start: 0.03}, tilt_z: {start: -0.05}, ",
                                          "tilt_z: {start: 0.03}, tilt_x: {start: -0.05}, ",
                                          "gravity: {start: 9.6, prior: {mean: 9.8, sd: 0.1}}, "
                                          "tilt_x: {start: 0.03}, tilt_y: {start: -0.05}, ",
                                          "gravity: {start: 9.6}, tilt: {start: 0.05}, "};
    bool has_spin = law->lift != 0 || strcmp(law_drags[law->drag].name, "spin-dependent") == 0;
    snprintf(text, LAW_TEXT, "%s%s%s%s%s", law_drags[law->drag].parameters,
             law_lifts[law->lift].parameters, has_spin ? spin : "",
             law_decays[law->decay].parameters, law->leaning ? gravity[d == 2 ? 3 : up] : "");
}

static inline void law_name(const LawCase *law, char text[LAW_NAME])
{
    snprintf(text, LAW_NAME, "%s drag, %s lift, %s spin decay%s%s", law_drags[law->drag].name,
             law_lifts[law->lift].name, law_decays[law->decay].name, law->sheared ? ", shear" : "",
             law->leaning ? ", leaning" : "");
}

#endif
