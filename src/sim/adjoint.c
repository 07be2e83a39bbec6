/* Runs by transition matrices.
 *
 * Nodes z_k and weights w_k of Gauss on [-1, 1], K of them; P_j the polynomials of Legendre. The
 * integrand g has the interpolant sum_k g_k L_k with L_k = w_k sum_j (j + 1/2) P_j(z_k) P_j, which
 * is integrated from the left end to z by (2 j + 1) P_j = P'_(j+1) - P'_(j-1):
 *
 *   b_k(z) = w_k / 2 (z + 1 + sum from j = 1 to K - 1 of P_j(z_k) (P_(j+1)(z) - P_(j-1)(z)))
 *
 * At z = 1 these are the weights of Gauss, of order 2 K. What the last two polynomials add between
 * the ends, at most about w_k (P_(K-2)(z_k) + P_(K-1)(z_k)) / 4 of the interval, is taken for the
 * error: it bounds it where the coefficients fall. */
#include "sim/adjoint.h"

#include "sim/integration.h"

#include <math.h>
#include <string.h>

enum { NODES = 8, ROW_TERMS = 12 };

/* From how many columns of p on the integral costs less than they do: measured (tests/README.md).
 */
static const int columns_at_least = 96;

/* Of a step: shorter pieces are taken as they are, so that a kink of a_p costs no more than that.
 */
static const double shortest_piece = 1.0 / 1024;

/* Below this error the next piece may be twice as long. */
static const double fine_error = 1.0 / 64;

/* A piece of the step: where it begins and how long it is, of the step. */
typedef struct Piece {
    double from, length;
} Piece;

/* With N = 2 d; rows of p's columns are padded to stride, vectors of N rows to size. */
typedef struct ArcSimAdjoint {
    int N, stride, size;
    double node[NODES], weight[NODES], legendre[NODES][NODES]; /* P_j at node k */
    double piece;                                              /* to try next, in seconds */
    double *sum, *next, *at;  /* (size) q at the step's begin and the integral so far; scratch */
    double *g;                /* (NODES, size) the integrand */
    double *a_p;              /* (d, stride) */
    double *zeros;            /* (size) */
    double *row;              /* (stride) */
    double *peak, *peak_next; /* (stride) largest value of each column so far */
    double *whole;            /* (N, N) state by the run's start, at the step's begin */
    double *phi, *scratch;    /* (N, N) */
    double *inverse;          /* (N, d) last columns of phi's inverse */
    double *a_x, *a_v;        /* (d, d) at the step's end */
} ArcSimAdjoint;

bool arc_sim_wants_adjoint(const ArcMotion *motion, const ArcSimSettings *settings)
{
    if (settings->sensitivities == ARC_SIM_AUTO)
        return motion->spares_a_p && motion->n_parameters >= columns_at_least;
    return settings->sensitivities == ARC_SIM_ADJOINT && motion->n_parameters > 0;
}

static void swap(double **a, double **b)
{
    double *held = *a;
    *a = *b;
    *b = held;
}

/* P_0 to P_n at z. */
static void legendre_at(double z, int n, double *value)
{
    value[0] = 1;
    value[1] = z;
    for (int j = 1; j < n; j++)
        value[j + 1] = ((2 * j + 1) * z * value[j] - j * value[j - 1]) / (j + 1);
}

/* The zeros of P_K by Newton's method. */
static void set_nodes(ArcSimAdjoint *adjoint)
{
    double value[NODES + 1];
    for (int k = 0; k < NODES; k++) {
        double z = -cos(M_PI * (k + 0.75) / (NODES + 0.5)), slope = 0;
        for (int i = 0; i < 6; i++) {
            legendre_at(z, NODES, value);
            slope = NODES * (z * value[NODES] - value[NODES - 1]) / (z * z - 1);
            z -= value[NODES] / slope;
        }
        legendre_at(z, NODES, value);
        slope = NODES * (z * value[NODES] - value[NODES - 1]) / (z * z - 1);
        adjoint->node[k] = z;
        adjoint->weight[k] = 2 / ((1 - z * z) * slope * slope);
        for (int j = 0; j < NODES; j++)
            adjoint->legendre[j][k] = value[j];
    }
}

ArcStatus arc_sim_adjoint_create(ArcSimulator *sim, ArcArena *arena, ArcError *err)
{
    ArcSimAdjoint *adjoint = ARC_ALLOC(arena, 1, ArcSimAdjoint);
    if (adjoint == NULL)
        return arc_error_no_memory(err);
    int d = sim->motion.dimensions;
    adjoint->N = 2 * d;
    adjoint->stride = arc_sim_round_up(sim->motion.n_parameters, ARC_SIM_BLOCK);
    adjoint->size = adjoint->N * adjoint->stride;
    size_t stride = (size_t)adjoint->stride, size = (size_t)adjoint->size;
    size_t square = (size_t)(d * d),
           n = (NODES + 4) * size + ((size_t)d + 3) * stride + 16 * square;
    double *block = ARC_ALLOC(arena, n, double);
    if (block == NULL)
        return arc_error_no_memory(err);
    memset(block, 0, n * sizeof(double));
    double **const parts[] = {
        &adjoint->sum,  &adjoint->next,      &adjoint->at,      &adjoint->zeros, &adjoint->row,
        &adjoint->peak, &adjoint->peak_next, &adjoint->a_p,     &adjoint->g,     &adjoint->whole,
        &adjoint->phi,  &adjoint->scratch,   &adjoint->inverse, &adjoint->a_x,   &adjoint->a_v};
    const size_t sizes[] = {size,         size,       size,       size,
                            stride,       stride,     stride,     (size_t)d * stride,
                            NODES * size, 4 * square, 4 * square, 4 * square,
                            2 * square,   square,     square};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        *parts[i] = block;
        block += sizes[i];
    }
    set_nodes(adjoint);
    sim->adjoint = adjoint;
    return ARC_OK;
}

/* out = base + h * sum of weight_k vector_k over n vectors of that size. */
static void add_weighted(int size, int n, const double *weight, const double *vectors,
                         const double *base, double h, double *out)
{
    for (int first = 0; first < n; first += ROW_TERMS) {
        ArcDop853Row row = {.n = n - first < ROW_TERMS ? n - first : ROW_TERMS};
        for (int k = 0; k < row.n; k++) {
            row.stage[k] = first + k;
            row.weight[k] = weight[first + k];
        }
        arc_sim_combine(size, &row, vectors, first == 0 ? base : out, h, out);
    }
}

/* Phi from a state's vectors. */
static void take_phi(const ArcSimulator *sim, const double *x, const double *v, double *phi)
{
    int d = sim->motion.dimensions, N = 2 * d;
    int n_x = sim->motion.position_free ? 0 : d;
    for (int e = 0; e < N; e++) {
        const double *row = (e < d ? x + e * sim->stride : v + (e - d) * sim->stride) + sim->lanes;
        for (int c = 0; c < d; c++) {
            phi[e * N + c] = n_x > 0 ? row[c] : c == e;
            phi[e * N + d + c] = row[n_x + c];
        }
    }
}

/* The last d columns of phi's inverse, by elimination with pivots. */
static void invert_phi(ArcSimAdjoint *adjoint)
{
    int N = adjoint->N, d = N / 2;
    double *a = adjoint->scratch, *b = adjoint->inverse;
    memcpy(a, adjoint->phi, (size_t)(N * N) * sizeof(double));
    for (int e = 0; e < N; e++)
        for (int c = 0; c < d; c++)
            b[e * d + c] = e == d + c;
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int e = k + 1; e < N; e++)
            if (fabs(a[e * N + k]) > fabs(a[pivot * N + k]))
                pivot = e;
        for (int c = 0; pivot != k && c < N + d; c++) {
            double *to = c < N ? &a[k * N + c] : &b[k * d + c - N];
            double *from = c < N ? &a[pivot * N + c] : &b[pivot * d + c - N], held = *to;
            *to = *from;
            *from = held;
        }
        for (int e = k + 1; e < N; e++) {
            double factor = a[e * N + k] / a[k * N + k];
            for (int c = k + 1; c < N && factor != 0; c++)
                a[e * N + c] -= factor * a[k * N + c];
            for (int c = 0; c < d && factor != 0; c++)
                b[e * d + c] -= factor * b[k * d + c];
        }
    }
    for (int k = N - 1; k >= 0; k--)
        for (int c = 0; c < d; c++) {
            double sum = b[k * d + c];
            for (int e = k + 1; e < N; e++)
                sum -= a[k * N + e] * b[e * d + c];
            b[k * d + c] = sum / a[k * N + k];
        }
}

/* The integrand at all nodes of a piece. */
static void set_integrand(ArcSimulator *sim, const ArcSimStep *step, const Piece *piece)
{
    ArcSimAdjoint *adjoint = sim->adjoint;
    const ArcMotion *motion = &sim->motion;
    int d = motion->dimensions, P = motion->n_parameters, stride = adjoint->stride;
    double a[ARC_SIM_MAX_DIMENSIONS];
    for (int k = 0; k < NODES; k++) {
        double share = piece->from + piece->length * 0.5 * (1 + adjoint->node[k]);
        double t = step->begin + share * step->h;
        arc_sim_dense(sim, step, t, true);
        take_phi(sim, sim->x_dense, sim->v_dense, adjoint->phi);
        invert_phi(adjoint);
        motion->acceleration(motion->context, t - sim->origin, sim->x_dense, sim->v_dense, sim->p,
                             a, sim->a_x, sim->a_v, sim->a_p);
        for (int e = 0; e < d; e++)
            memcpy(adjoint->a_p + e * stride, sim->a_p + e * P, (size_t)P * sizeof(double));
        double *g = adjoint->g + k * adjoint->size;
        for (int e = 0; e < adjoint->N; e++)
            add_weighted(stride, d, adjoint->inverse + e * d, adjoint->a_p, adjoint->zeros, 1,
                         g + e * stride);
    }
}

/* The integral over a piece of h seconds is added to sum, into next; returns the error in units of
 * what is allowed. */
static double integrate(ArcSimulator *sim, double h)
{
    ArcSimAdjoint *adjoint = sim->adjoint;
    int P = sim->motion.n_parameters, stride = adjoint->stride, size = adjoint->size;
    double tail[NODES], half[NODES], square = 0;
    for (int k = 0; k < NODES; k++) {
        half[k] = adjoint->weight[k] / 2;
        tail[k] = adjoint->weight[k] / 4 *
                  (adjoint->legendre[NODES - 2][k] + adjoint->legendre[NODES - 1][k]);
    }
    add_weighted(size, NODES, half, adjoint->g, adjoint->sum, h, adjoint->next);
    add_weighted(size, NODES, tail, adjoint->g, adjoint->zeros, h, adjoint->at);
    for (int c = 0; c < P; c++) {
        double peak = adjoint->peak[c], sum = 0;
        for (int e = c; e < size; e += stride) {
            peak = fmax(peak, fabs(adjoint->next[e]));
            sum += adjoint->at[e] * adjoint->at[e];
        }
        double inverse = arc_sim_inverse_allowed(sim, peak);
        square += sum * inverse * inverse;
        adjoint->peak_next[c] = peak;
    }
    return sqrt(square / (adjoint->N * P));
}

/* y = q(t_n) and the integral up to t inside the piece, into at. */
static void integrate_until(ArcSimAdjoint *adjoint, const ArcSimStep *step, const Piece *piece,
                            double t)
{
    double from = step->begin + piece->from * step->h, h = piece->length * step->h;
    double z = 2 * (t - from) / h - 1, value[NODES + 1], weight[NODES];
    legendre_at(z, NODES, value);
    for (int k = 0; k < NODES; k++) {
        double sum = z + 1;
        for (int j = 1; j < NODES; j++)
            sum += adjoint->legendre[j][k] * (value[j + 1] - value[j - 1]);
        weight[k] = adjoint->weight[k] / 4 * sum;
    }
    add_weighted(adjoint->size, NODES, weight, adjoint->g, adjoint->sum, h, adjoint->at);
}

/* Row e of what phi makes of y (size) and of whole: all columns of one number. */
static void write_row(const ArcSimulator *sim, int e, const double *y, double *out)
{
    const ArcSimAdjoint *adjoint = sim->adjoint;
    int N = adjoint->N, P = sim->motion.n_parameters;
    const double *phi = adjoint->phi + e * N;
    add_weighted(adjoint->stride, N, phi, y, adjoint->zeros, 1, adjoint->row);
    memcpy(out, adjoint->row, (size_t)P * sizeof(double));
    for (int c = 0; c < N; c++) {
        double sum = 0;
        for (int k = 0; k < N; k++)
            sum += phi[k] * adjoint->whole[k * N + c];
        out[P + c] = sum;
    }
}

/* The i-th outputs from a state's vectors, and y of that time. */
static void write_state(ArcSimulator *sim, const ArcSimOutput *output, int i, double t,
                        const double *x, const double *v, const double *y)
{
    int d = sim->motion.dimensions, Q = sim->motion.n_parameters + 2 * d;
    ArcSimOutput state = {output->x, output->v, output->a, NULL, NULL};
    arc_sim_write(sim, &state, i, t, x, v);
    take_phi(sim, x, v, sim->adjoint->phi);
    for (int e = 0; e < d; e++) {
        if (output->x_q != NULL)
            write_row(sim, e, y, output->x_q + (i * d + e) * Q);
        if (output->v_q != NULL)
            write_row(sim, d + e, y, output->v_q + (i * d + e) * Q);
    }
}

/* Outputs i.. with times inside the piece; returns the next i. */
static int write_piece(ArcSimulator *sim, const ArcSimStep *step, const Piece *piece, int i, int n,
                       const double *t, const ArcSimOutput *output)
{
    double until = piece->from + piece->length;
    double end = until < 1 - 1e-9 ? step->begin + until * step->h : step->end;
    for (; i < n && t[i] < end; i++) {
        integrate_until(sim->adjoint, step, piece, t[i]);
        arc_sim_dense(sim, step, t[i], true);
        write_state(sim, output, i, t[i], sim->x_dense, sim->v_dense, sim->adjoint->at);
    }
    return i;
}

/* The next piece: what is left of the step in equal parts that are no longer than is wanted. */
static Piece next_piece(const ArcSimAdjoint *adjoint, const ArcSimStep *step, double from)
{
    double left = 1 - from, wanted = fmax(adjoint->piece / step->h, shortest_piece);
    return (Piece){from, left / ceil(left / wanted - 1e-9)};
}

/* Goes through the step just taken piece by piece; i becomes the next output. False where a partial
 * is not finite. */
static bool go_through(ArcSimulator *sim, const ArcSimStep *step, int *i, int n, const double *t,
                       const ArcSimOutput *output)
{
    ArcSimAdjoint *adjoint = sim->adjoint;
    arc_sim_dense_prepare(sim, step);
    for (double from = 0; 1 - from > 1e-9;) {
        Piece piece = next_piece(adjoint, step, from);
        double length = piece.length * step->h;
        set_integrand(sim, step, &piece);
        double error = integrate(sim, length);
        if (isnan(error))
            return false;
        if (error > 1 && piece.length > shortest_piece) {
            adjoint->piece = length / 2;
            continue;
        }
        *i = write_piece(sim, step, &piece, *i, n, t, output);
        swap(&adjoint->sum, &adjoint->next);
        swap(&adjoint->peak, &adjoint->peak_next);
        from += piece.length;
        if (error < fine_error)
            adjoint->piece = fmax(adjoint->piece, 2 * length);
    }
    return true;
}

/* From the step's end onwards: q and whole there, and Phi the identity again. */
static void start_anew(ArcSimulator *sim)
{
    ArcSimAdjoint *adjoint = sim->adjoint;
    int d = sim->motion.dimensions, N = adjoint->N, stride = adjoint->stride;
    int n_x = sim->motion.position_free ? 0 : d;
    take_phi(sim, sim->x_new, sim->v + ARC_DOP853_STEP * sim->size, adjoint->phi);
    for (int e = 0; e < N; e++)
        add_weighted(stride, N, adjoint->phi + e * N, adjoint->sum, adjoint->zeros, 1,
                     adjoint->next + e * stride);
    swap(&adjoint->sum, &adjoint->next);
    for (int e = 0; e < N * N; e++) {
        adjoint->scratch[e] = 0;
        for (int k = 0; k < N; k++)
            adjoint->scratch[e] += adjoint->phi[e / N * N + k] * adjoint->whole[k * N + e % N];
    }
    swap(&adjoint->whole, &adjoint->scratch);
    arc_sim_advance(sim);
    for (int e = 0; e < d; e++) {
        double *x = sim->x + sim->lanes + e * sim->stride;
        double *v = sim->v + sim->lanes + e * sim->stride;
        double *a = sim->a + sim->lanes + e * sim->stride;
        for (int c = 0; c < d; c++) {
            if (n_x > 0) {
                x[c] = c == e;
                v[c] = 0;
                a[c] = adjoint->a_x[e * d + c];
            }
            x[n_x + c] = 0;
            v[n_x + c] = c == e;
            a[n_x + c] = adjoint->a_v[e * d + c];
        }
    }
    for (int c = 0; c < sim->stride; c++)
        sim->peak[c] = 1;
}

static void begin(ArcSimulator *sim, double span)
{
    ArcSimAdjoint *adjoint = sim->adjoint;
    int N = adjoint->N;
    adjoint->piece = span;
    memset(adjoint->sum, 0, (size_t)adjoint->size * sizeof(double));
    memset(adjoint->peak, 0, (size_t)adjoint->stride * sizeof(double));
    for (int e = 0; e < N * N; e++)
        adjoint->whole[e] = e % (N + 1) == 0;
    for (int c = 0; c < sim->stride; c++)
        sim->peak[c] = 1;
}

ArcSimEnd arc_sim_run_adjoint(ArcSimulator *sim, const ArcSimStart *start, int n, const double *t,
                              const ArcSimOutput *output, int *n_steps)
{
    ArcSimAdjoint *adjoint = sim->adjoint;
    int i = 0;
    if (!arc_sim_begin(sim, start, ARC_SIM_STATE_COLUMNS))
        return ARC_SIM_NON_FINITE;
    begin(sim, n > 0 ? t[n - 1] - start->t0 : 0);
    for (; i < n && t[i] <= start->t0; i++)
        write_state(sim, output, i, start->t0, sim->x, sim->v, adjoint->sum);
    if (i == n)
        return ARC_SIM_DONE;
    size_t square = (size_t)(sim->motion.dimensions * sim->motion.dimensions) * sizeof(double);
    ArcSimClock clock = arc_sim_clock(sim, start->t0, t[n - 1]);
    ArcSimStep step;
    while (i < n) {
        ArcSimEnd end = arc_sim_step(sim, &clock, &step);
        if (end != ARC_SIM_DONE)
            return end;
        /* those at the step's end, which the next step begins with */
        memcpy(adjoint->a_x, sim->a_x, square);
        memcpy(adjoint->a_v, sim->a_v, square);
        if (!go_through(sim, &step, &i, n, t, output))
            return ARC_SIM_NON_FINITE;
        for (; i < n && t[i] == step.end; i++)
            write_state(sim, output, i, t[i], sim->x_new, sim->v + ARC_DOP853_STEP * sim->size,
                        adjoint->sum);
        *n_steps = clock.n_steps;
        start_anew(sim);
    }
    return ARC_SIM_DONE;
}
