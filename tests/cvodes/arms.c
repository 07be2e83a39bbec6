/* Integrates every arm of arms_list.h with SUNDIALS CVODES, with forward sensitivities, and writes
 * what tests/test_arm_cvodes.c compares arcfit's arms with:
 *
 *   cvodes_arms [--tolerance R] > tests/cvodes/arms.txt
 *
 * As cvodes.c does for flights. An arm is three times, each with a row of angles and rates, and a
 * row of their partials in each parameter and in the angles and rates at the start:
 *
 *   arm NAME
 *   of DIMENSIONS UP BEGIN END WIDTH START      begin and end of the curves, width of the friction
 *   joint AXIS CURVE N STALL IDLE               0: no limit
 *   value NAME NUMBER
 *   time T
 *   state theta.. omega..
 *   NAME dtheta.. domega..
 */
#include "arms_list.h"

#include <cvodes/cvodes.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

static const double tiny = 1e-100;

typedef struct Run {
    const Arm *arm;
    int n; /* values */
    char names[MAX_VALUES][16];
    int slots[MAX_VALUES];
    Complex values[N_SLOTS];
} Run;

static void check(int status, const char *what)
{
    if (status < 0) {
        fprintf(stderr, "cvodes_arms: %s failed: %d\n", what, status);
        exit(1);
    }
}

static void read_values(Run *run)
{
    const char *text = run->arm->values;
    double number;
    int used;
    while (sscanf(text, "%15s %lf %n", run->names[run->n], &number, &used) == 2) {
        int slot = arm_slot(run->names[run->n]);
        check(slot < 0 || run->n + 1 >= MAX_VALUES ? -1 : 0, run->names[run->n]);
        run->slots[run->n++] = slot;
        run->values[slot] = number;
        text += used;
    }
    check(*text == '\0' ? 0 : -1, text);
}

static void rates_of(const Run *run, double t, const Complex *values, const Complex *z, Complex *dz)
{
    int J = run->arm->n_joints;
    memcpy(dz, z + J, sizeof(Complex) * (size_t)J);
    arm_accelerations(run->arm, t, values, z, dz + J);
}

static int state_rates(double t, N_Vector y, N_Vector rates, void *context)
{
    const Run *run = context;
    Complex z[2 * MAX_JOINTS], dz[2 * MAX_JOINTS];
    for (int i = 0; i < 2 * run->arm->n_joints; i++)
        z[i] = NV_Ith_S(y, i);
    rates_of(run, t, run->values, z, dz);
    for (int i = 0; i < 2 * run->arm->n_joints; i++)
        NV_Ith_S(rates, i) = creal(dz[i]);
    return 0;
}

static int sensitivity_rates(int n, double t, N_Vector y, N_Vector rates, N_Vector *s,
                             N_Vector *s_rates, void *context, N_Vector scratch, N_Vector more)
{
    (void)rates, (void)scratch, (void)more;
    const Run *run = context;
    for (int k = 0; k < n; k++) {
        Complex values[N_SLOTS], z[2 * MAX_JOINTS], dz[2 * MAX_JOINTS];
        memcpy(values, run->values, sizeof values);
        values[run->slots[k]] += tiny * I;
        for (int i = 0; i < 2 * run->arm->n_joints; i++)
            z[i] = NV_Ith_S(y, i) + tiny * NV_Ith_S(s[k], i) * I;
        rates_of(run, t, values, z, dz);
        for (int i = 0; i < 2 * run->arm->n_joints; i++)
            NV_Ith_S(s_rates[k], i) = cimag(dz[i]) / tiny;
    }
    return 0;
}

static void start(const Run *run, N_Vector y, N_Vector *s)
{
    int J = run->arm->n_joints;
    for (int i = 0; i < 2 * J; i++) {
        int slot = AT(i % J, i < J ? THETA : OMEGA);
        NV_Ith_S(y, i) = creal(run->values[slot]);
        for (int k = 0; k < run->n; k++)
            NV_Ith_S(s[k], i) = run->slots[k] == slot;
    }
}

static void print_row(const char *name, const Run *run, const double *numbers)
{
    printf("%s", name);
    for (int i = 0; i < 2 * run->arm->n_joints; i++)
        printf(" %.17g", numbers[i]);
    printf("\n");
}

static void print_head(const Run *run)
{
    const Arm *arm = run->arm;
    printf("\narm %s\nof %d %d %.17g %.17g %.17g %.17g\n", arm->name, arm->dimensions, arm->up,
           arm->begin_s, arm->end_s, arm->width_rad_s, arm->start_s);
    for (int j = 0; j < arm->n_joints; j++)
        printf("joint %c %c %d %.17g %.17g\n", arm->joints[j].axis, arm->joints[j].curve,
               arm->joints[j].n_torques, arm->joints[j].stall_n_m, arm->joints[j].idle_rad_s);
    for (int k = 0; k < run->n; k++)
        printf("value %s %.17g\n", run->names[k], creal(run->values[run->slots[k]]));
}

static void swing(const Arm *arm, double tolerance, SUNContext context)
{
    Run run = {.arm = arm};
    read_values(&run);
    int n = run.n;
    N_Vector y = N_VNew_Serial(2 * arm->n_joints, context);
    N_Vector *s = N_VCloneVectorArray(n, y);
    start(&run, y, s);
    void *solver = CVodeCreate(CV_ADAMS, context);
    SUNNonlinearSolver corrector = SUNNonlinSol_FixedPoint(y, 0, context);
    SUNNonlinearSolver of_sensitivities = SUNNonlinSol_FixedPointSens(n, y, 0, context);
    double absolute[MAX_VALUES];
    for (int k = 0; k < n; k++)
        absolute[k] = tolerance / fmax(fabs(creal(run.values[run.slots[k]])), 1e-6);
    check(CVodeInit(solver, state_rates, arm->start_s, y), "CVodeInit");
    check(CVodeSStolerances(solver, tolerance, tolerance), "CVodeSStolerances");
    check(CVodeSetUserData(solver, &run), "CVodeSetUserData");
    check(CVodeSetMaxNumSteps(solver, 1000000), "CVodeSetMaxNumSteps");
    check(CVodeSetNonlinearSolver(solver, corrector), "CVodeSetNonlinearSolver");
    check(CVodeSensInit(solver, n, CV_STAGGERED, sensitivity_rates, s), "CVodeSensInit");
    check(CVodeSensSStolerances(solver, tolerance, absolute), "CVodeSensSStolerances");
    check(CVodeSetSensErrCon(solver, SUNTRUE), "CVodeSetSensErrCon");
    check(CVodeSetNonlinearSolverSensStg(solver, of_sensitivities), "its solver");
    print_head(&run);
    for (int i = 1; i <= 3; i++) {
        double t, end = arm->start_s + arm->span_s * i / 3;
        check(CVodeSetStopTime(solver, end), "CVodeSetStopTime");
        check(CVode(solver, end, y, &t, CV_NORMAL), "CVode");
        check(CVodeGetSens(solver, &t, s), "CVodeGetSens");
        printf("time %.17g\n", t);
        print_row("state", &run, NV_DATA_S(y));
        for (int k = 0; k < n; k++)
            print_row(run.names[k], &run, NV_DATA_S(s[k]));
    }
    CVodeFree(&solver);
    SUNNonlinSolFree(corrector);
    SUNNonlinSolFree(of_sensitivities);
    N_VDestroyVectorArray(s, n);
    N_VDestroy(y);
}

int main(int n, char **words)
{
    double tolerance = n == 3 && strcmp(words[1], "--tolerance") == 0 ? atof(words[2]) : 1e-14;
    if ((n != 1 && n != 3) || !(tolerance > 0)) {
        fprintf(stderr, "usage: cvodes_arms [--tolerance R]\n");
        return 2;
    }
    SUNContext context;
    check(SUNContext_Create(NULL, &context), "SUNContext_Create");
    printf("# Arms integrated by SUNDIALS CVODES: see tests/cvodes/arms.c, which wrote this.\n");
    for (int i = 0; i < N_ARMS; i++)
        swing(&arms[i], tolerance, context);
    SUNContext_Free(&context);
    return 0;
}
