/* Integrates every flight of flights.h with SUNDIALS CVODES, with forward sensitivities, and writes
 * what tests/test_cvodes.c compares arcfit's simulator with:
 *
 *   cvodes [--tolerance R] > tests/cvodes/reference.txt
 *
 * Adams' method of variable order; sensitivities by the partials of equations.h to rounding, under
 * the same error control as the state. A flight is three times, each with a row of position and
 * velocity, and a row of their partials in each parameter:
 *
 *   flight NAME
 *   text YAML                        flight: of the experiment
 *   release cartesian|polar
 *   value NAME NUMBER                one line a parameter
 *   time T
 *   state x.. v..                    d + d numbers
 *   NAME dx.. dv..                   by each parameter; t0 last: at a fixed time of the clock
 *
 * The equations know the time since release only, so the column of t0 is -(v, a).
 */
#include "flights.h"

#include <cvodes/cvodes.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#define NAME(quantity) [Q_##quantity] = #quantity

static const char *const quantity_names[N_QUANTITIES] = {
    NAME(k),     NAME(cd),     NAME(cd_after), NAME(cd_drop),  NAME(v_crisis),   NAME(v_width),
    NAME(cd0),   NAME(cd_w),   NAME(s),        NAME(cl),       NAME(cm),         NAME(spin),
    NAME(wx),    NAME(wy),     NAME(wz),       NAME(spin_tau), NAME(spin_decay), NAME(x0),
    NAME(y0),    NAME(z0),     NAME(vx0),      NAME(vy0),      NAME(vz0),        NAME(speed),
    NAME(angle), NAME(azimuth)};

static const double tiny = 1e-100;

typedef struct Run {
    const Flight *flight;
    Constants constants;
    Complex q[N_QUANTITIES];
} Run;

static void check(int status, const char *what)
{
    if (status < 0) {
        fprintf(stderr, "cvodes: %s failed: %d\n", what, status);
        exit(1);
    }
}

static int state_rates(double t, N_Vector y, N_Vector rates, void *context)
{
    const Run *run = context;
    Complex z[N_STATES], dz[N_STATES];
    for (int i = 0; i < N_STATES; i++)
        z[i] = NV_Ith_S(y, i);
    flight_rates(run->flight, &run->constants, t, run->q, z, dz);
    for (int i = 0; i < N_STATES; i++)
        NV_Ith_S(rates, i) = creal(dz[i]);
    return 0;
}

static int sensitivity_rates(int n, double t, N_Vector y, N_Vector rates, N_Vector *s,
                             N_Vector *s_rates, void *context, N_Vector scratch, N_Vector more)
{
    (void)rates, (void)scratch, (void)more;
    const Run *run = context;
    for (int k = 0; k < n; k++) {
        Complex q[N_QUANTITIES], z[N_STATES], dz[N_STATES];
        memcpy(q, run->q, sizeof q);
        q[run->flight->values[k].quantity] += tiny * I;
        for (int i = 0; i < N_STATES; i++)
            z[i] = NV_Ith_S(y, i) + tiny * NV_Ith_S(s[k], i) * I;
        flight_rates(run->flight, &run->constants, t, q, z, dz);
        for (int i = 0; i < N_STATES; i++)
            NV_Ith_S(s_rates[k], i) = cimag(dz[i]) / tiny;
    }
    return 0;
}

static void start(const Run *run, N_Vector y, N_Vector *s)
{
    Complex z[N_STATES], q[N_QUANTITIES];
    flight_release(run->flight, run->q, z);
    for (int i = 0; i < N_STATES; i++)
        NV_Ith_S(y, i) = creal(z[i]);
    for (int k = 0; k < run->flight->n_values; k++) {
        memcpy(q, run->q, sizeof q);
        q[run->flight->values[k].quantity] += tiny * I;
        flight_release(run->flight, q, z);
        for (int i = 0; i < N_STATES; i++)
            NV_Ith_S(s[k], i) = cimag(z[i]) / tiny;
    }
}

/* sign: 1, or -1 for the column of t0. */
static void print_row(const char *name, const Run *run, double sign, const double *numbers)
{
    printf("%s", name);
    for (int part = 0; part < 2; part++)
        for (int c = 0; c < run->flight->dimensions; c++)
            printf(" %.17g", sign * numbers[3 * part + c]);
    printf("\n");
}

static void print_time(Run *run, double t, N_Vector y, N_Vector *s, N_Vector scratch)
{
    printf("time %.17g\n", t);
    print_row("state", run, 1, NV_DATA_S(y));
    for (int k = 0; k < run->flight->n_values; k++)
        print_row(quantity_names[run->flight->values[k].quantity], run, 1, NV_DATA_S(s[k]));
    state_rates(t, y, scratch, run);
    print_row("t0", run, -1, NV_DATA_S(scratch));
}

static void print_head(const Flight *flight)
{
    printf("\nflight %s\ntext %s\nrelease %s\n", flight->name, flight->text,
           flight->polar ? "polar" : "cartesian");
    for (int k = 0; k < flight->n_values; k++)
        printf("value %s %.17g\n", quantity_names[flight->values[k].quantity],
               flight->values[k].value);
}

static void fly(const Flight *flight, double tolerance, SUNContext context)
{
    Run run = {.flight = flight, .constants = flight_constants(flight)};
    int n = flight->n_values;
    for (int k = 0; k < n; k++)
        run.q[flight->values[k].quantity] = flight->values[k].value;
    N_Vector y = N_VNew_Serial(N_STATES, context), scratch = N_VClone(y);
    N_Vector *s = N_VCloneVectorArray(n, y);
    start(&run, y, s);
    void *solver = CVodeCreate(CV_ADAMS, context);
    SUNNonlinearSolver corrector = SUNNonlinSol_FixedPoint(y, 0, context);
    SUNNonlinearSolver of_sensitivities = SUNNonlinSol_FixedPointSens(n, y, 0, context);
    double absolute[MAX_VALUES];
    for (int k = 0; k < n; k++)
        absolute[k] = tolerance / fmax(fabs(flight->values[k].value), 1e-6);
    check(CVodeInit(solver, state_rates, 0, y), "CVodeInit");
    check(CVodeSStolerances(solver, tolerance, tolerance), "CVodeSStolerances");
    check(CVodeSetUserData(solver, &run), "CVodeSetUserData");
    check(CVodeSetMaxNumSteps(solver, 1000000), "CVodeSetMaxNumSteps");
    check(CVodeSetNonlinearSolver(solver, corrector), "CVodeSetNonlinearSolver");
    check(CVodeSensInit(solver, n, CV_STAGGERED, sensitivity_rates, s), "CVodeSensInit");
    check(CVodeSensSStolerances(solver, tolerance, absolute), "CVodeSensSStolerances");
    check(CVodeSetSensErrCon(solver, SUNTRUE), "CVodeSetSensErrCon");
    check(CVodeSetNonlinearSolverSensStg(solver, of_sensitivities), "its solver");
    print_head(flight);
    for (int i = 1; i <= 3; i++) {
        double t, end = flight->span_s * i / 3;
        check(CVodeSetStopTime(solver, end), "CVodeSetStopTime");
        check(CVode(solver, end, y, &t, CV_NORMAL), "CVode");
        check(CVodeGetSens(solver, &t, s), "CVodeGetSens");
        print_time(&run, t, y, s, scratch);
    }
    CVodeFree(&solver);
    SUNNonlinSolFree(corrector);
    SUNNonlinSolFree(of_sensitivities);
    N_VDestroyVectorArray(s, n);
    N_VDestroy(scratch);
    N_VDestroy(y);
}

int main(int n, char **words)
{
    double tolerance = n == 3 && strcmp(words[1], "--tolerance") == 0 ? atof(words[2]) : 1e-14;
    if ((n != 1 && n != 3) || !(tolerance > 0)) {
        fprintf(stderr, "usage: cvodes [--tolerance R]\n");
        return 2;
    }
    SUNContext context;
    check(SUNContext_Create(NULL, &context), "SUNContext_Create");
    printf("# Every law integrated by SUNDIALS CVODES: see tests/cvodes/cvodes.c, which wrote "
           "this.\n");
    for (int i = 0; i < N_FLIGHTS; i++)
        fly(&flights[i], tolerance, context);
    SUNContext_Free(&context);
    return 0;
}
