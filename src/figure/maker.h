/* What makes figures: each maker is a file that adds those of one kind, if the result has them.
 *
 * The arena is that of the figures; numbers that stand in the result are pointed to, not copied.
 * To add a maker: a file, a prototype below, a row in figures.c.
 */
#ifndef ARC_FIGURE_MAKER_H
#define ARC_FIGURE_MAKER_H

#include "arcfit/figure.h"
#include "base/arena.h"

/* What figures are made of, and those that are there. */
typedef struct ArcMaker {
    ArcArena *arena;
    const ArcResult *result;         /* of one of several flights: arc_result_of_flight's */
    const ArcExperiment *experiment; /* NULL: no bands */
    const ArcFit *fit;               /* the one that counts: direct where there is one */
    int flight;                      /* of several, from 1; 0: the whole result */
    struct ArcPath *paths[2];        /* by method, once asked for (path.h) */
    int n_figures, room_figures;
    ArcFigure *figures;
    int room_series; /* of the last figure */
    ArcSeries *series;
    int n_notes, room_notes;
    const char **notes;
} ArcMaker;

/* Begins a figure; series go into it by arc_maker_series, until the next begins. name gets
 * the flight's number where there are several: "flight-side" is "flight-2-side" of the second. NULL
 * on exhaustion. Fill in the rest (caption, axes) through the pointer, at once. */
ArcFigure *arc_maker_figure(ArcMaker *maker, ArcFigureGroup group, const char *name,
                            const char *title);

/* Copies series to the end of the last figure's. Nothing happens on exhaustion, which
 * arc_arena_is_exhausted remembers. */
void arc_maker_series(ArcMaker *maker, const ArcSeries *series);

/* printf into the arena; "" on exhaustion, which the arena remembers. */
const char *arc_maker_words(ArcMaker *maker, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* printf of a sentence about what cannot be drawn. */
void arc_maker_note(ArcMaker *maker, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Every step-th number from first: a column of a row-major matrix of n rows. NULL on exhaustion. */
const double *arc_maker_column(ArcMaker *maker, const double *first, int n, int step);

/* Which axis of the capture is which: forward is the level one along which the flight goes furthest
 * (the first one of none); sideways -1 in the plane. */
typedef struct ArcMakerAxes {
    int forward, sideways, up;
} ArcMakerAxes;
ArcMakerAxes arc_maker_axes(const ArcMaker *maker);

/* An axis of the experiment's flight in words: "forward", "height", "sideways". */
const char *arc_maker_axis_label(const ArcMaker *maker, int axis);

/* "throw.csv:31" of a point of the capture: its file without folders, and its line; "throw.csv,
 * point 4" where that is not known. NULL on exhaustion. */
const char *arc_maker_point_label(ArcMaker *maker, int point);

/* " m" behind a number; "" of a plain one (and on exhaustion, which the arena remembers). */
const char *arc_maker_unit(ArcMaker *maker, const char *unit);

/* "PINN", "direct"; and the role of that method. */
const char *arc_maker_method_name(ArcMethod method);
ArcRole arc_maker_method_role(ArcMethod method);

/* The figures of maker, by group; on failure (status, or memory) its arena is freed. */
ArcStatus arc_maker_finish(ArcMaker *maker, ArcStatus status, ArcFigures **figures, ArcError *err);

typedef ArcStatus (*ArcMake)(ArcMaker *maker, ArcError *err);

/* Of a result, or of each of several flights. */
ArcStatus arc_make_flight(ArcMaker *maker, ArcError *err);     /* in space and from three sides */
ArcStatus arc_make_residuals(ArcMaker *maker, ArcError *err);  /* by time, by camera */
ArcStatus arc_make_quantile(ArcMaker *maker, ArcError *err);   /* against their expected size */
ArcStatus arc_make_difference(ArcMaker *maker, ArcError *err); /* PINN minus direct */
ArcStatus arc_make_physics(ArcMaker *maker, ArcError *err);    /* residual of the equations */
ArcStatus arc_make_arm(ArcMaker *maker, ArcError *err);        /* at the release; its swing */
ArcStatus arc_make_states(ArcMaker *maker, ArcError *err);     /* channels of own equations */

/* Of a whole result. */
ArcStatus arc_make_overview(ArcMaker *maker, ArcError *err);    /* several flights side by side */
ArcStatus arc_make_parameters(ArcMaker *maker, ArcError *err);  /* intervals, correlation */
ArcStatus arc_make_uncertainty(ArcMaker *maker, ArcError *err); /* profiles, samples, bootstrap */
ArcStatus arc_make_training(ArcMaker *maker, ArcError *err);    /* history */
ArcStatus arc_make_closure(ArcMaker *maker, ArcError *err);     /* what was learned */

#endif
