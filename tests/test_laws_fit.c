/* Both fits of simulated flights, law by law: they agree, and hold the truth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit_case.h"

enum { TEXT = 1024, MAX_NAMES = 4 };

/* A law's flight: what is fitted beside the release has a true value and a start. */
typedef struct LawCase {
    const char *name;
    const char *flight;
    const char *release;
    double span_s;
    int points;
    const char *given; /* parameters that are not fitted */
    struct {
        const char *name;
        double truth, start;
    } fitted[MAX_NAMES];
} LawCase;

#define PLANE_THROW "x0: 0, y0: 2, vx0: 6, vy0: 8"
#define PLANE_BOUNCE "x0: 0, y0: 2, vx0: 3, vy0: 1"
#define PLANE_KICK "x0: 0, y0: 0.2, vx0: 22, vy0: 10"
#define SPACE_HIT "x0: 0, y0: 0, z0: 1, vx0: 38, vy0: 2, vz0: 14"

static const LawCase cases[] = {
    {"drag logistic",
     "ball: soccer, drag: logistic",
     PLANE_KICK,
     2,
     60,
     "v_width: 1.309",
     {{"cd_after", 0.155, 0.2}, {"cd_drop", 0.346, 0.3}, {"v_crisis", 16, 14}}},
    {"drag morrison", "ball: table-tennis, drag: morrison", PLANE_THROW, 0.9, 12, "", {{0}}},
    {"drag spin-dependent",
     "ball: baseball, drag: spin-dependent, lift: nathan, dimensions: 3",
     SPACE_HIT,
     3,
     40,
     "wx: 10, wz: 20, cd_w: 0.0292 1/krpm",
     {{"cd0", 0.3008, 0.4}, {"wy", -200, -100}}},
    {"drag spin-dependent without lift",
     "ball: baseball, drag: spin-dependent",
     PLANE_KICK,
     2,
     40,
     "spin: 300",
     {{"cd_w", 3e-4, 1e-4}}},
    {"drag table",
     "ball: soccer, drag: table, drag_table: [[5, 0.5], [12, 0.42], [18, 0.2], [30, 0.22]]",
     PLANE_KICK,
     2,
     40,
     "",
     {{0}}},
    {"lift nathan",
     "ball: basketball, drag: quadratic, lift: nathan",
     PLANE_THROW,
     1.4,
     30,
     "cd: 0.5",
     {{"spin", -20, -10}}},
    {"lift sawicki",
     "ball: baseball, drag: quadratic, lift: sawicki, dimensions: 3",
     SPACE_HIT,
     3,
     40,
     "wx: 10, wz: 20",
     {{"cd", 0.35, 0.3}, {"wy", -120, -60}}},
    {"lift sawicki through its corner",
     "ball: soccer, drag: quadratic, lift: sawicki",
     PLANE_KICK,
     2,
     40,
     "cd: 0.25",
     {{"spin", -18, -10}}},
    {"lift table",
     "ball: soccer, drag: quadratic, lift: table, "
     "lift_table: [[0.05, 0.06], [0.2, 0.2], [0.5, 0.27]]",
     PLANE_KICK,
     2,
     40,
     "cd: 0.25",
     {{"spin", -18, -10}}},
    {"decay exponential",
     "ball: soccer, drag: quadratic, lift: linear, spin_decay: exponential",
     PLANE_KICK,
     2,
     60,
     "cd: 0.25, cm: 1",
     {{"spin", -50, -20}, {"spin_tau", 1.5, 3}}},
    {"decay aerodynamic",
     "ball: soccer, drag: quadratic, lift: rational, spin_decay: aerodynamic",
     PLANE_KICK,
     2,
     60,
     "cd: 0.25",
     {{"spin", -50, -20}, {"spin_decay", 0.03, 0.01}}},
    {"decay aerodynamic in space",
     "ball: baseball, drag: spin-dependent, lift: nathan, dimensions: 3, spin_decay: aerodynamic",
     SPACE_HIT,
     4,
     80,
     "wx: 10, wz: 20, cd_w: 3e-4, cd0: 0.3",
     {{"wy", -200, -100}, {"spin_decay", 0.01, 0.003}}},
    {"shear, gust and added mass",
     "ball: basketball, drag: quadratic, added_mass: true, gravity: {latitude: 52 deg}, "
     "wind: {velocity: [4, 0], shear: {height: 3 m}, "
     "gust: {velocity: [3, 1], time: 0.6, width: 0.2}}",
     PLANE_THROW,
     1.4,
     30,
     "",
     {{"cd", 0.5, 0.4}}},
    {"gravity tilted in the plane",
     "ball: soccer, drag: quadratic, gravity: 9.81",
     PLANE_KICK,
     2,
     60,
     "cd: 0.25",
     {{"gravity", 9.4, 9.81}, {"tilt", 0.03, 0}}},
    {"gravity tilted in space, with lift",
     "ball: baseball, drag: spin-dependent, lift: nathan, dimensions: 3",
     SPACE_HIT,
     3,
     40,
     "wx: 10, wy: -200, wz: 20, cd_w: 3e-4",
     {{"cd0", 0.3, 0.35}, {"gravity", 9.7, 9.8}, {"tilt_x", -0.02, 0}, {"tilt_y", 0.03, 0}}},
    {"gravity tilted over a bounce",
     "ball: basketball, drag: quadratic, bounce: {plane: y=0.12}",
     PLANE_BOUNCE,
     1.3,
     60,
     "cd: 0.5",
     {{"tilt", 0.02, 0}, {"restitution", 0.75, 0.7}}},
    {"bounce, decay exponential",
     "ball: basketball, drag: quadratic, lift: rational, spin_decay: exponential, "
     "bounce: {plane: y=0.12}",
     PLANE_BOUNCE,
     1.3,
     60,
     "cd: 0.5, spin_tau: 0.8",
     {{"spin", -30, -20}, {"restitution", 0.75, 0.7}}},
    {"bounce, decay aerodynamic, gust",
     "ball: basketball, drag: quadratic, lift: nathan, spin_decay: aerodynamic, "
     "wind: {gust: {velocity: [2, 0], time: 0.7, width: 0.4}}, bounce: {plane: y=0.12}",
     PLANE_BOUNCE,
     1.3,
     60,
     "cd: 0.5, spin_decay: 0.2",
     {{"spin", -30, -20}, {"restitution", 0.75, 0.7}}},
    {"shear in space with all the rest",
     "ball: volleyball, drag: logistic, lift: sawicki, dimensions: 3, spin_decay: exponential, "
     "added_mass: true, wind: {velocity: [-4, 2, 0], shear: {exponent: 0.3, height: 4 m}}",
     "x0: 0, y0: 0, z0: 2, vx0: 15, vy0: 2, vz0: 5",
     1.2,
     40,
     "cd_after: 0.15, cd_drop: 0.3, v_width: 2, v_crisis: 12, wx: 3, wz: 8, spin_tau: 3",
     {{"wy", -40, -20}}},
};

static void case_texts(const LawCase *law, char truth[TEXT], char text[TEXT])
{
    char fixed[256] = "", started[256] = "";
    for (int k = 0; k < MAX_NAMES && law->fitted[k].name != NULL; k++) {
        snprintf(fixed + strlen(fixed), 64, "%s: %g, ", law->fitted[k].name, law->fitted[k].truth);
        snprintf(started + strlen(started), 64, "%s: {start: %g}, ", law->fitted[k].name,
                 law->fitted[k].start);
    }
    snprintf(truth, TEXT, "%sflight: {%s}\nparameters: {%s%s%s%s}\n", CASE_HEAD, law->flight, fixed,
             law->given, law->given[0] == '\0' ? "" : ", ", law->release);
    snprintf(text, TEXT, "%sflight: {%s}\nparameters: {%s%s}\n", CASE_HEAD, law->flight, started,
             law->given);
}

static void assert_holds(const LawCase *law, const ArcFit *fit, const char *name, double truth)
{
    const ArcEstimate *e = case_parameter(fit, name);
    if (e->status != ARC_PARAMETER_FREE || !(fabs(e->value - truth) <= 5 * e->sd))
        fail_msg("%s: %s is %g +- %g, not %g (status %d)", law->name, name, e->value, e->sd, truth,
                 (int)e->status);
}

static void test_fit_run_every_law_both_methods_agree_and_hold_the_truth(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char truth[TEXT], text[TEXT];
        case_texts(&cases[i], truth, text);
        ArcCapture *capture = case_capture(truth, cases[i].points, cases[i].span_s, 0.003);
        ArcFit *pinn = case_fit(text, capture, ARC_PINN);
        ArcFit *direct = case_fit(text, capture, ARC_DIRECT);
        CaseGap gap = case_gap(pinn, direct);
        print_message("%s: %.1e sd, sd %.1e, %d and %d iterations, fine %.2g sigma\n",
                      cases[i].name, gap.estimate_sd, gap.sd_share, pinn->iterations,
                      direct->iterations,
                      pinn->residuals.physics_rms_fine_m_s2 / pinn->residuals.sigma_phys_m_s2);
        if (!(pinn->converged && direct->converged && gap.estimate_sd <= 1e-2 &&
              gap.sd_share <= 1e-2 && direct->residuals.chi2_p > 1e-3))
            fail_msg("%s: converged %d and %d, %g sd, sd %g, chi2 p %g", cases[i].name,
                     pinn->converged, direct->converged, gap.estimate_sd, gap.sd_share,
                     direct->residuals.chi2_p);
        for (int k = 0; k < MAX_NAMES && cases[i].fitted[k].name != NULL; k++) {
            assert_holds(&cases[i], pinn, cases[i].fitted[k].name, cases[i].fitted[k].truth);
            assert_holds(&cases[i], direct, cases[i].fitted[k].name, cases[i].fitted[k].truth);
        }
        arc_fit_free(pinn);
        arc_fit_free(direct);
        arc_capture_free(capture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_run_every_law_both_methods_agree_and_hold_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
