/* Figures: what a result looks like, before anything is drawn.
 *
 * A figure is titled axes with series of numbers in SI units. It is made once, of a result or of an
 * aim, and drawn by whoever asks: on a page (page.h), by gnuplot, as CSV, as text at the prompt.
 */
#ifndef ARCFIT_FIGURE_H
#define ARCFIT_FIGURE_H

#include "arcfit/aim.h"
#include "arcfit/result.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

typedef enum ArcMark {
    ARC_MARK_LINE,      /* through (x, y[, z]); NaN parts it */
    ARC_MARK_POINTS,    /* at (x, y[, z]) */
    ARC_MARK_BAND,      /* between low and high, along x */
    ARC_MARK_INTERVALS, /* points at (x, y) with a bar from low to high, along y or
                         * (is_level) along x */
    ARC_MARK_BARS,      /* from 0 to y at x, as wide as their distance */
    ARC_MARK_CELLS      /* a colour each: cells (n_rows, n) at x (n) and y (n_rows), -1 to 1 or from
                         * 0, as the z axis has it */
} ArcMark;

/* What a series is, by which it gets colour, dash and symbol: the same everywhere. */
typedef enum ArcRole {
    ARC_ROLE_PINN,
    ARC_ROLE_DIRECT,
    ARC_ROLE_POINTS,   /* fitted ones */
    ARC_ROLE_HELD_OUT, /* points kept from the fit */
    ARC_ROLE_OUTLIER,
    ARC_ROLE_RELEASE,
    ARC_ROLE_APEX,
    ARC_ROLE_TARGET,
    ARC_ROLE_EXPECTED, /* zero, a bound, what noise alone would give */
    ARC_ROLE_ARM,
    ARC_ROLE_OTHER, /* one of several of a kind: the next colour */
    ARC_N_ROLES
} ArcRole;

typedef struct ArcSeries {
    ArcMark mark;
    ArcRole role;
    const char *name; /* in the legend; NULL: it is not there */
    int n;
    const double *x, *y, *z;   /* (n); z in space alone */
    const double *low, *high;  /* (n) of bands and intervals */
    bool is_level;             /* of intervals: low and high along x */
    int n_rows;                /* of cells */
    const double *cells;       /* (n_rows, n) */
    const char *const *labels; /* (n) of each point: "throw.csv:31"; NULL: none */
} ArcSeries;

typedef struct ArcAxis {
    const char *label; /* "height" */
    const char *unit;  /* SI: "m"; "1": a plain number; "sd": in standard deviations */
    bool is_log;
    int n_names;
    const char *const *names; /* of categories at 0, 1, ...; NULL: it is numeric */
} ArcAxis;

/* The part of a page that a figure belongs to. */
typedef enum ArcFigureGroup {
    ARC_FIGURES_FLIGHT,
    ARC_FIGURES_RESIDUALS,
    ARC_FIGURES_METHODS, /* PINN minus direct */
    ARC_FIGURES_PHYSICS,
    ARC_FIGURES_PARAMETERS,
    ARC_FIGURES_UNCERTAINTY, /* profiles, samples, bootstrap */
    ARC_FIGURES_TRAINING,
    ARC_FIGURES_ARM, /* and its swing */
    ARC_FIGURES_CLOSURE,
    ARC_FIGURES_STATES, /* of own equations */
    ARC_FIGURES_AIM,
    ARC_FIGURES_COMPARISON, /* of several results */
    ARC_N_FIGURE_GROUPS
} ArcFigureGroup;

typedef struct ArcFigure {
    const char *name; /* unique in its set, a file's stem: "flight-side", "flight-2-side" */
    ArcFigureGroup group;
    const char *title;
    const char *caption; /* one or two sentences: what it shows, with the numbers that count */
    bool is_space;       /* three axes */
    bool is_equal;       /* a metre is as long along all axes */
    ArcAxis x, y, z;     /* z: in space, or what the colours of cells say */
    int flight;          /* of several, from 1; 0: of the whole result */
    int n_series;
    const ArcSeries *series; /* the first is drawn undermost */
} ArcFigure;

/* Read-only; owned by its arena. */
typedef struct ArcFigures {
    int n;
    const ArcFigure *figures; /* by group, then by flight */
    int n_notes;
    const char *const *notes; /* what cannot be drawn, and why; a sentence each */
    void *arena;
} ArcFigures;

/* All figures of a result. experiment (report.h: arc_report_experiment) gives bands and the physics
 * residual; NULL: without. A path that cannot be followed is a note. The figures point into result.
 * ARC_MEMORY. */
ArcStatus arc_figures_of_result(const ArcResult *result, const ArcExperiment *experiment,
                                ArcFigures **figures, ArcError *err);

/* Several results side by side: flights over each other, parameters with their intervals. The
 * figures point into the results. ARC_MEMORY. */
ArcStatus arc_figures_of_results(int n, const ArcResult *const *results, ArcFigures **figures,
                                 ArcError *err);

/* Throws that hit, their chances, the front, the arm. The figures point into aim. ARC_MEMORY. */
ArcStatus arc_figures_of_aim(const ArcAim *aim, ArcFigures **figures, ArcError *err);

/* Accepts NULL. */
void arc_figures_free(ArcFigures *figures);

/* Units that numbers are shown in. SI has radians; metric degrees and revolutions a second;
 * imperial feet, miles an hour, pounds and degrees Fahrenheit. */
typedef enum ArcUnits { ARC_UNITS_SI, ARC_UNITS_METRIC, ARC_UNITS_IMPERIAL } ArcUnits;

/* "si", "metric", "imperial"; NULL behind the last. */
const char *arc_units_name(int index);

/* A number of SI unit is shown as slope * value + offset in this unit; sds and differences by the
 * slope alone. A unit that has no other name is shown as it is. */
typedef struct ArcShownUnit {
    const char *unit;
    double slope, offset;
} ArcShownUnit;
ArcShownUnit arc_units_shown(ArcUnits units, const char *si_unit);

/* What a figure shows, in words for who cannot see it: axes, and of each series how many points,
 * from where to where, its extremes. Caller frees with arc_text_free. */
ArcStatus arc_figure_words(const ArcFigure *figure, ArcUnits units, char **text, ArcError *err);

/* A picture of characters, columns wide and rows high, with its axes' numbers; colours by escape
 * sequences where is_coloured. Caller frees with arc_text_free. ARC_USAGE: smaller than 20 by 5. */
ArcStatus arc_figure_picture(const ArcFigure *figure, int columns, int rows, bool is_coloured,
                             char **text, ArcError *err);

typedef enum ArcPictureFormat {
    ARC_PICTURE_SVG,
    ARC_PICTURE_PDF,
    ARC_PICTURE_PNG
} ArcPictureFormat;

/* "svg", "pdf", "png"; NULL behind the last. */
const char *arc_picture_format_name(int index);

/* NAME.csv of each figure into folder, which is made where it is missing: a row a point, series
 * one behind the other, in SI units. ARC_SYSTEM. */
ArcStatus arc_figures_write_csv(const ArcFigures *figures, const char *folder, ArcError *err);

/* NAME.gp, NAME.dat and, by running gnuplot in folder, NAME.svg (pdf, png) of each figure.
 * ARC_SYSTEM: cannot be written; no gnuplot (scripts and data are there then). */
ArcStatus arc_figures_write_gnuplot(const ArcFigures *figures, const char *folder,
                                    ArcPictureFormat format, ArcUnits units, ArcError *err);

#pragma GCC visibility pop

#endif
