/* For each row of the table of settings the experiment that it can be tried in: its path there, and
 * what else its section needs. For test_settings.c. */
#ifndef SETTINGS_TEXTS_H
#define SETTINGS_TEXTS_H

#include "experiment/settings.h"

#include <stdio.h>
#include <string.h>

/* The path as an override and a record write it. */
static void path_text(const ArcSettingRow *row, char out[100])
{
    const char *const train = "fit.pinn.train.", *const name = "parameters.NAME";
    const char *const joints = "arm.joints.";
    if (strncmp(row->path, joints, strlen(joints)) == 0)
        snprintf(out, 100, "%s0.%s", joints, row->path + strlen(joints));
    else if (strncmp(row->path, train, strlen(train)) == 0)
        snprintf(out, 100, "%s0.%s", train, row->path + strlen(train));
    else if (strncmp(row->path, "parameters.NAME.measured", 24) == 0)
        snprintf(out, 100, "parameters.t0%s", row->path + strlen(name));
    else if (strncmp(row->path, name, strlen(name)) == 0)
        snprintf(out, 100, "parameters.k%s", row->path + strlen(name));
    else if (strncmp(row->path, "randomise.NAME", 14) == 0)
        snprintf(out, 100, "randomise.gravity%s", row->path + 14);
    else if (strncmp(row->path, "aim.scatter.NAME", 16) == 0)
        snprintf(out, 100, "aim.scatter.k");
    else if (strncmp(row->path, "aim.objectives.NAME", 19) == 0)
        snprintf(out, 100, "aim.objectives.height");
    else if (strncmp(row->path, "aim.limits.NAME", 15) == 0)
        snprintf(out, 100, "aim.limits.height%s", row->path + 15);
    else if (strncmp(row->path, "derived.NAME", 12) == 0)
        snprintf(out, 100, "derived.hoop%s", row->path + 12);
    else if (strncmp(row->path, "capture.cameras.NAME", 20) == 0)
        snprintf(out, 100, "capture.cameras.side%s", row->path + 20);
    else
        snprintf(out, 100, "%s", row->path);
}

/* A flight in which the row's section is whole without the row. */
static const char *flight_of(const ArcSettingRow *row)
{
    if (strncmp(row->path, "flight.ball.", 12) == 0)
        return "ball: {mass: 1, diameter: 1}";
    if (strncmp(row->path, "flight.gravity.", 15) == 0)
        return "gravity: {latitude: 0.8}";
    if (strncmp(row->path, "flight.wind.gust.", 17) == 0)
        return "wind: {gust: {velocity: [1, 0], time: 1, width: 1}}";
    if (strncmp(row->path, "flight.wind.shear.", 18) == 0)
        return "wind: {velocity: [1, 0], shear: {}}";
    if (strncmp(row->path, "flight.bounce.", 14) == 0)
        return "bounce: {plane: y=0}";
    return "drag: lumped";
}

/* What else the file needs, so that the row's section is whole without the row. */
static const char *section_of(const ArcSettingRow *row)
{
    if (strncmp(row->path, "capture.cameras.NAME.stick.", 27) == 0)
        return "capture: {cameras: {side: {stick: {from: [0, 0], to: [9, 0], length: 1}}}}\n";
    if (strncmp(row->path, "capture.swing.", 14) == 0)
        return "capture: {swing: {file: a.csv}}\n";
    if (strncmp(row->path, "capture.readings.", 17) == 0)
        return "capture: {readings: {file: a.csv}}\n";
    if (strncmp(row->path, "capture.sensor.latency.", 23) == 0)
        return "capture: {sensor: {latency: {}}}\n";
    if (strncmp(row->path, "simulate.noise.latency.", 23) == 0)
        return "simulate: {noise: {latency: {}}}\n";
    if (strncmp(row->path, "randomise.", 10) == 0)
        return "randomise: {gravity: {mean: 9.8, sd: 0.1}}\n";
    if (strncmp(row->path, "arm.", 4) == 0)
        return "release: arm\narm: {joints: [{length: 1, stall: 1}]}\n";
    if (strncmp(row->path, "closure.", 8) == 0)
        return "closure: {inputs: [x]}\n";
    if (strncmp(row->path, "aim.target.hoop.", 16) == 0 || strcmp(row->path, "aim.contact") == 0)
        return "aim: {target: {hoop: {centre: [4, 3], radius: 1}}}\n";
    if (strncmp(row->path, "aim.target.area.", 16) == 0)
        return "aim: {target: {area: {plane: x=4, centre: [4, 3], size: 1}}}\n";
    if (strncmp(row->path, "aim.contact.", 12) == 0)
        return "aim: {target: {hoop: {centre: [4, 3], radius: 1}}, contact: {}}\n";
    if (strncmp(row->path, "aim.swing", 9) == 0)
        return "release: arm\narm: {joints: [{length: 1}]}\n"
               "aim: {target: {point: [4, 3]}, swing: {time: 1}}\n";
    if (strncmp(row->path, "aim.", 4) == 0 && strncmp(row->path, "aim.release", 11) != 0 &&
        strncmp(row->path, "aim.target", 10) != 0)
        return "aim: {target: {point: [4, 3]}, scatter: {k: 1}}\n";
    if (strncmp(row->path, "parameters.NAME.measured.", 25) == 0)
        return "parameters: {t0: {measured: {value: 1, sd: 1}}}\n";
    return "";
}

#endif
