/* The coefficients of DOP853, the explicit Runge-Kutta pair 8(5,3) of Dormand and Prince.
 *
 * Source: Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, 2nd ed. (1993),
 * sec. II.5 and II.10. Stages 0 to 11 make the step, stage 12 is the rate at its end (and stage 0
 * of the next step), stages 13 to 15 serve the 7th-order dense output only.
 */
#ifndef ARC_SIM_DOP853_H
#define ARC_SIM_DOP853_H

enum {
    ARC_DOP853_STEP = 12,   /* the stage at the step's end; its row is the step itself */
    ARC_DOP853_STAGES = 16, /* with those of the dense output */
    ARC_DOP853_DENSE = 4 /* polynomial terms that need weights; three more follow from the ends */
};

/* A weighted sum of stages, without the zero weights: sum of weight[i] * (stage[i]), i < n. */
typedef struct ArcDop853Row {
    int n;
    int stage[12];
    double weight[12];
} ArcDop853Row;

/* Times of the stages in units of the step. */
extern const double arc_dop853_nodes[ARC_DOP853_STAGES];

/* Row i gives the argument of stage i; row 0 is empty. */
extern const ArcDop853Row arc_dop853_stages[ARC_DOP853_STAGES];

/* Estimates of the step's error by the embedded methods of order 5 and 3. */
extern const ArcDop853Row arc_dop853_error5, arc_dop853_error3;

/* Terms 3 to 6 of the dense output. */
extern const ArcDop853Row arc_dop853_dense[ARC_DOP853_DENSE];

#endif
