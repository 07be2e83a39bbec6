/* Broken experiments: each is refused in one line with file, line and column. */
#include "arcfit/experiment.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Writes text to a file in a new folder and gives its path. */
static void write_file(char path[64], const char *text)
{
    strcpy(path, "/tmp/arcfit-experiment-XXXXXX");
    assert_non_null(mkdtemp(path));
    strcat(path, "/n.yaml");
    assert_int_equal(arc_file_replace(path, text, strlen(text), NULL), ARC_OK);
}

static void remove_file(char path[64])
{
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
}

static void test_parse_bad_net_file_is_refused_at_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *net, *message;
    } rows[] = {
        {"net: 1\nhiden: [24]\n", "n.yaml:2:1: error: unknown key 'hiden' in fit.pinn.net; did"},
        {"net: 2\nhidden: [24]\n", "n.yaml:1:6: error: fit.pinn.net.net is 2, out of its range"},
        {"hidden: [24]\n", "n.yaml:1:1: error: 'net' is missing"},
        {"net: 1\n", "n.yaml:1:1: error: 'hidden' is missing"},
        {"net: 1\nhidden: 24\n", "n.yaml:2:9: error: '24' is not accepted"},
        {"net: 1\nhidden: []\n", "n.yaml:2:9: error: fit.pinn.net.hidden has 0 entries"},
        {"net: 1\nhidden: [1,1,1,1,1,1,1,1,1]\n", "n.yaml:2:9: error: fit.pinn.net.hidden has 9"},
        {"net: 1\nhidden: [24, 0]\n", "n.yaml:2:14: error: fit.pinn.net.hidden is 0, out of"},
        {"net: 1\nhidden: [1025]\n", "n.yaml:2:10: error: fit.pinn.net.hidden is 1025"},
        {"net: 1\nhidden: [2]\nactivation: relu\n", "n.yaml:3:13: error: 'relu' is not accepted"},
        {"net: 1\nhidden: [2]\ninit: spred\n", "n.yaml:3:7: error: 'spred' is not accepted for "
                                               "fit.pinn.net.init; did you mean 'spread'?"},
        {"net: 1\nhidden: [2]\nfourier: 3\n",
         "n.yaml:3:10: error: fit.pinn.net.fourier is text; wanted"},
        {"net: 1\nhidden: [2]\nfourier: {modes: 65}\n",
         "n.yaml:3:18: error: fit.pinn.net.fourier.modes is 65, out of its range 0 to 64"},
        {"net: 1\nhidden: [2]\nfourier: {modes: 2, base: 0}\n",
         "n.yaml:3:27: error: fit.pinn.net.fourier.base is '0', out of its range 0.01 to 100"},
        {"net: 1\nhidden: [2]\nfourier: {nodes: 2}\n",
         "n.yaml:3:11: error: unknown key 'nodes' in fit.pinn.net.fourier; did you mean 'modes'?"},
        {"net: 1\nhidden: [2, 2]\nskip: yes\n", "n.yaml:3:7: error: 'yes' is not accepted"},
        {"net: 1\nhidden: [2, 3, 2]\nskip: true\n",
         "n.yaml:3:7: error: fit.pinn.net.skip is true, but no two neighbouring hidden layers"},
        {"", "n.yaml:1:1: error: empty"},
        {"- 1\n", "n.yaml:1:1: error: fit.pinn.net is a list"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[64], text[256];
        ArcError error = {ARC_OK, ""};
        ArcExperiment *made = NULL;
        write_file(path, rows[i].net);
        snprintf(text, sizeof text, "arcfit: 1\nfit: {pinn: {net: '%s'}}\n", path);
        ArcStatus status =
            arc_experiment_parse("f.yaml", text, strlen(text), 0, NULL, &made, &error);
        remove_file(path);
        if (status != ARC_INPUT || strstr(error.text, rows[i].message) == NULL)
            fail_msg("'%s' without '%s'", error.text, rows[i].message);
    }
}

typedef struct Broken {
    const char *text;
    const char *message; /* start of the message behind "f.yaml:" */
} Broken;

#define FLIGHT "arcfit: 1\nflight: {drag: lumped, lift: lumped}\nparameters:\n"
#define DRAG_TABLE "arcfit: 1\nflight: {ball: golf, drag: table, drag_table: "
#define LIFT_TABLE "arcfit: 1\nflight: {ball: golf, lift: table, lift_table: "
#define SPACE "arcfit: 1\nflight: {dimensions: 3, ball: golf, drag: quadratic, lift: constant}\n"

static const Broken broken[] = {
    {"", "1:1: error: empty"},
    {"# only a comment\n", "1:1: error: empty"},
    {"---\n", "2:1: error: an experiment is a mapping of keys, not empty"},
    {"- 1\n", "1:1: error: an experiment is a mapping of keys, not a list"},
    {"word\n", "1:1: error: an experiment is a mapping of keys, not text"},
    {"name: x\n", "1:1: error: no 'arcfit: 1'"},
    {"arcfit: 2\n", "1:9: error: arcfit is '2', but this program reads version 1 only"},
    {"arcfit: [1]\n", "1:9: error: arcfit is a list, but"},
    {"arcfit: 1\nnam: x\n", "2:1: error: unknown key 'nam' in the experiment; did you mean 'name'"},
    {"arcfit: 1\nzebra: x\n",
     "2:1: error: unknown key 'zebra' in the experiment; known are arcfit"},
    {"arcfit: 1\nname:\n", "2:6: error: name has no value"},
    {"arcfit: 1\nname: ''\n", "2:7: error: name is empty"},
    {"arcfit: 1\nname: [x]\n", "2:7: error: name is a list; wanted: a text"},
    {"arcfit: 1\narcfit: 1\n", "2:1: error: the key 'arcfit' is given twice"},
    {"arcfit: 1\nname: *x\n", "2:7: error: the alias '*x'"},
    {"arcfit: 1\n--- \narcfit: 1\n", "2:1: error: a second document"},
    {"arcfit: 1\nname: !!str x\n", "2:7: error: the tag"},
    {"arcfit: 1\ncapture: {\n", "3:1: error: not valid YAML"},
    {"arcfit: 1\ncapture:\n  file: a.csv\n    sigma: 1\n", "4:10: error: not valid YAML"},
    {"arcfit: 1\nname: \xff\n", "2:7: error: not UTF-8 text"},
    {"arcfit: 1\ncapture:\n  sgima: 3 mm\n",
     "3:3: error: unknown key 'sgima' in capture; did you mean 'sigma'?"},
    {"arcfit: 1\ncapture: a.csv\n", "2:10: error: capture is text; wanted: a mapping of keys"},
    {"arcfit: 1\ncapture: []\n", "2:10: error: capture is an empty list"},
    {"arcfit: 1\ncapture:\n  - file: a\n  - {fil: b}\n",
     "4:6: error: unknown key 'fil' in capture"},
    {"arcfit: 1\ncapture:\n  - file: a\n  - b\n", "4:5: error: capture is text; wanted: a mapping"},
    {"arcfit: 1\ncapture: {file: []}\n", "2:10: error: capture is an empty list"},
    {"arcfit: 1\ncapture: {file: [a, [b]]}\n", "2:21: error: capture.file is a list"},
    {"arcfit: 1\ncapture:\n  - {file: a, sigma: estimate}\n  - {file: b, sigma: 3 mm}\n",
     "4:22: error: sigma: estimate is one factor for all flights"},
    {"arcfit: 1\ncapture: {file: a, flight: -1}\n", "2:28: error: capture.flight is -1"},
    {"arcfit: 1\nparameters: {x0: {flights: own}}\n",
     "2:28: error: 'own' is not accepted for parameters.x0.flights; accepted: shared, per-flight, "
     "hierarchical"},
    {"arcfit: 1\nparameters: {x0: {fixed: 1, flights: shared}}\n",
     "2:29: error: 'flights' contradicts 'fixed'"},
    {"arcfit: 1\ncapture: {file: }\n", "2:17: error: capture.file has no value"},
    {"arcfit: 1\ncapture: {file: ''}\n", "2:17: error: capture.file is empty"},
    {"arcfit: 1\ncapture: {format: csvv}\n",
     "2:19: error: 'csvv' is not accepted for capture.format; did you mean 'csv'? accepted: auto"},
    {"arcfit: 1\ncapture: {sigma: 3 kg}\n",
     "2:18: error: 'kg' is the unit of a mass, but a length is wanted"},
    {"arcfit: 1\ncapture: {sigma: 3 mmm}\n", "2:18: error: unknown unit 'mmm'; did you mean 'mm'"},
    {"arcfit: 1\ncapture: {sigma: 0}\n", "2:18: error: capture.sigma is '0', out of its range"},
    {"arcfit: 1\ncapture: {sigma: -3 mm}\n", "2:18: error: capture.sigma is '-3 mm', out of"},
    {"arcfit: 1\ncapture: {sigma: .nan}\n", "2:18: error: '.nan' is not a number"},
    {"arcfit: 1\ncapture: {sigma: .inf}\n", "2:18: error: '.inf' is not a number"},
    {"arcfit: 1\ncapture: {sigma: 1e999}\n", "2:18: error: '1e999' is too large"},
    {"arcfit: 1\ncapture: {columns: {time: a}}\n",
     "2:21: error: unknown key 'time' in capture.columns"},
    {"arcfit: 1\ncapture: {columns: {t: [a]}}\n", "2:24: error: capture.columns.t is a list"},
    {"arcfit: 1\ncapture: {units: {t: mm}}\n",
     "2:22: error: 'mm' is the unit of a length, but a time is wanted"},
    {"arcfit: 1\ncapture: {window: [0 s]}\n", "2:19: error: capture.window has 1 entries"},
    {"arcfit: 1\ncapture: {window: [1 s, 1 s]}\n",
     "2:19: error: capture.window: the first, '1 s', must be below the second, '1 s'"},
    {"arcfit: 1\ncapture: {window: [0 s, 3 m]}\n", "2:25: error: 'm' is the unit of a length"},
    {"arcfit: 1\ncapture: {every: 0}\n", "2:18: error: capture.every is 0, out of its range 1"},
    {"arcfit: 1\ncapture: {every: 1.5}\n", "2:18: error: capture.every is '1.5', which is not"},
    {"arcfit: 1\ncapture: {hold_out: all}\n", "2:21: error: 'all' is not accepted for capture"},
    {"arcfit: 1\ncapture: {hold_out: {every: 1}}\n", "2:29: error: capture.hold_out.every is 1"},
    {"arcfit: 1\ncapture: {hold_out: {every: 3, after: 1 s}}\n",
     "2:21: error: capture.hold_out is two rules at once"},
    {"arcfit: 1\ncapture: {hold_out: {}}\n", "2:21: error: capture.hold_out is empty"},
    {"arcfit: 1\nflight: {dimensions: 4}\n", "2:22: error: flight.dimensions is 4, out of its"},
    {"arcfit: 1\nflight: {up: z}\n", "2:14: error: flight.up is z, but the plane has x and y"},
    {"arcfit: 1\nflight: {up: w}\n", "2:14: error: 'w' is not accepted for flight.up"},
    {"arcfit: 1\nflight: {gravity: -9.81}\n", "2:19: error: flight.gravity is '-9.81', out of"},
    {"arcfit: 1\nflight: {ball: basketbal}\n",
     "2:16: error: unknown ball 'basketbal'; did you mean 'basketball'?"},
    {"arcfit: 1\nflight: {ball: {mass: 1 kg}}\n", "2:10: error: 'diameter' is missing"},
    {"arcfit: 1\nflight: {ball: {mass: 0 kg, diameter: 1 m}}\n",
     "2:23: error: flight.ball.mass is '0 kg', out of its range"},
    {"arcfit: 1\nflight: {ball: pumpkin}\n", "2:16: error: unknown ball 'pumpkin'; known are none"},
    {"arcfit: 1\nflight: {ball: [1]}\n", "2:16: error: flight.ball is a list"},
    {"arcfit: 1\nflight: {air: {density: 1.2, humidity: 0.5}}\n",
     "2:30: error: flight.air has both density and humidity"},
    {"arcfit: 1\nflight: {air: {humidity: 50}}\n", "2:26: error: flight.air.humidity is '50', out"},
    {"arcfit: 1\nflight: {air: {temperature: 20}}\n",
     "2:29: error: flight.air.temperature is '20'"},
    {"arcfit: 1\nflight: {wind: [1 m/s]}\n", "2:16: error: flight.wind has 1 entries"},
    {"arcfit: 1\nflight: {wind: 1 m/s}\n", "2:16: error: '1 m/s' is not accepted for flight.wind"},
    {"arcfit: 1\nflight: {drag: quadratc}\n",
     "2:16: error: 'quadratc' is not accepted for flight.drag; did you mean 'quadratic'?"},
    {"arcfit: 1\nflight: {drag: quadratic}\n", "2:16: error: drag 'quadratic' needs a ball"},
    {"arcfit: 1\nflight: {lift: rational}\n", "2:16: error: lift 'rational' needs a ball"},
    {"arcfit: 1\nflight: {buoyancy: true}\n", "2:20: error: buoyancy needs a ball"},
    {"arcfit: 1\nflight: {buoyancy: yes}\n", "2:20: error: 'yes' is not accepted for flight.buoy"},
    {"arcfit: 1\nflight: {spin_decay: linear}\n", "2:22: error: 'linear' is not accepted for"},
    {"arcfit: 1\nflight: {spin_decay: exponential}\n",
     "2:22: error: spin_decay 'exponential' has no spin to act on"},
    {"arcfit: 1\nflight: {added_mass: true}\n", "2:22: error: added_mass needs a ball; give"},
    {"arcfit: 1\nflight: {drag: morrison}\n", "2:16: error: drag 'morrison' needs a ball"},
    {"arcfit: 1\nflight: {ball: golf, drag: table}\n",
     "2:28: error: flight.drag is table, but there is no flight.drag_table"},
    {"arcfit: 1\nflight: {ball: golf, lift: table}\n",
     "2:28: error: flight.lift is table, but there is no flight.lift_table"},
    {"arcfit: 1\nflight: {drag_table: [[1, 1], [2, 1]]}\n",
     "2:10: error: flight.drag_table is for drag: table"},
    {DRAG_TABLE "[[5 m/s, 0.5]]}\n",
     "2:47: error: flight.drag_table has 1 entries; wanted: a list"},
    {DRAG_TABLE "0.5}\n", "2:47: error: '0.5' is not accepted for flight.drag_table"},
    {DRAG_TABLE "[[5, 0.5], [7, 0.4, 1]]}\n", "2:58: error: flight.drag_table.1 is no pair"},
    {DRAG_TABLE "[[5, 0.5], 7]}\n", "2:58: error: flight.drag_table.1 is no pair"},
    {DRAG_TABLE "[[5, 0.5], [5, 0.4]]}\n",
     "2:59: error: flight.drag_table.1 is at '5', not above the pair before it"},
    {DRAG_TABLE "[[5, 0.5], [7, -0.4]]}\n",
     "2:62: error: flight.drag_table.1 is '-0.4', out of its range 0 to 100"},
    {DRAG_TABLE "[[5 m, 0.5], [7, 0.4]]}\n", "2:49: error: 'm' is the unit of a length, but a sp"},
    {DRAG_TABLE "[[-5, 0.5], [7, 0.4]]}\n", "2:49: error: flight.drag_table.0 is '-5', out of"},
    {LIFT_TABLE "[[0, 0.1], [1, 0.2]]}\n", "2:52: error: flight.lift_table.0: at S = 0 there is"},
    {LIFT_TABLE "[[0.1, 0.1], [0.1, 0.2]]}\n", "2:61: error: flight.lift_table.1 is at '0.1', not"},
    {"arcfit: 1\nflight: {gravity: {height: 3 m}}\n", "2:10: error: 'latitude' is missing"},
    {"arcfit: 1\nflight: {gravity: {latitude: 91 deg}}\n",
     "2:30: error: flight.gravity.latitude is '91 deg', out of its range"},
    {"arcfit: 1\nflight: {gravity: {latitude: 48}}\n", "2:30: error: flight.gravity.latitude is"},
    {"arcfit: 1\nflight: {gravity: {latitude: 0, height: 60 km}}\n",
     "2:41: error: flight.gravity.height is '60 km', out of its range"},
    {"arcfit: 1\nflight: {gravity: [1]}\n", "2:19: error: flight.gravity is a list"},
    {"arcfit: 1\nflight: {wind: {velocity: [1]}}\n",
     "2:27: error: flight.wind.velocity has 1 entries; wanted: one speed for each of 2"},
    {"arcfit: 1\nflight: {wind: {sheer: {}}}\n",
     "2:17: error: unknown key 'sheer' in flight.wind; did you mean 'shear'?"},
    {"arcfit: 1\nflight: {wind: {shear: {}}}\n",
     "2:24: error: flight.wind.shear needs flight.wind.velocity"},
    {"arcfit: 1\nflight: {wind: {velocity: [1, 0], shear: {exponent: 2}}}\n",
     "2:53: error: flight.wind.shear.exponent is '2', out of its range 0 to 1"},
    {"arcfit: 1\nflight: {wind: {velocity: [1, 0], shear: {height: 0 m}}}\n",
     "2:51: error: flight.wind.shear.height is '0 m', out of its range"},
    {"arcfit: 1\nflight: {wind: {gust: {velocity: [1, 0], time: 1 s}}}\n",
     "2:17: error: 'width' is missing"},
    {"arcfit: 1\nflight: {wind: {gust: {velocity: [1, 0, 0], time: 1, width: 1}}}\n",
     "2:34: error: flight.wind.gust.velocity has 3 entries"},
    {"arcfit: 1\nflight: {wind: {gust: {velocity: [1, 0], time: 1, width: 0}}}\n",
     "2:58: error: flight.wind.gust.width is '0', out of its range"},
    {FLIGHT "  spin_tau: 3\n", "4:3: error: the parameter 'spin_tau' belongs to spin_decay: exp"},
    {FLIGHT "  cd0: 3\n", "4:3: error: the parameter 'cd0' belongs to drag: spin-dependent"},
    {"arcfit: 1\nflight: {ball: golf, drag: spin-dependent}\nparameters: {cd_w: 1 1/m}\n",
     "3:20: error: '1/m' is the unit of an inverse length, but an inverse angular rate is"},
    {"arcfit: 1\nrelease: sideways\n", "2:10: error: 'sideways' is not accepted for release"},
    {"arcfit: 1\nparameters: [k]\n", "2:13: error: parameters is a list"},
    {"arcfit: 1\nparameters: {k: 1}\n",
     "2:14: error: the parameter 'k' belongs to drag: lumped, which this flight does not have"},
    {FLIGHT "  cd: free\n", "4:3: error: the parameter 'cd' belongs to drag: quadratic"},
    {FLIGHT "  cm: free\n", "4:3: error: the parameter 'cm' belongs to lift: linear"},
    {FLIGHT "  speed: 3\n", "4:3: error: the parameter 'speed' belongs to release: polar"},
    {FLIGHT "  z0: 3\n", "4:3: error: the parameter 'z0' belongs to dimensions: 3"},
    {FLIGHT "  tilt_x: 0\n", "4:3: error: the parameter 'tilt_x' belongs to dimensions: 3 with up"},
    {FLIGHT "  tilt: 4\n", "4:9: error: parameters.tilt is '4', out of its range -3.14159 to 3.14"},
    {FLIGHT "  gravity: 9.8 m/s\n", "4:12: error: 'm/s' is the unit of a speed, but an acceler"},
    {"arcfit: 1\nflight: {dimensions: 3}\nparameters: {tilt_z: free}\n",
     "3:14: error: the parameter 'tilt_z' belongs to dimensions: 3 with up: x or y"},
    {"arcfit: 1\nflight: {dimensions: 3}\nparameters: {tilt: free}\n",
     "3:14: error: the parameter 'tilt' belongs to dimensions: 2"},
    {FLIGHT "  wx: 3\n",
     "4:3: error: the parameter 'wx' belongs to a lift law or drag by spin with dimensions: 3"},
    {FLIGHT "  vxO: 3\n", "4:3: error: unknown parameter 'vxO'; did you mean 'vx0'?"},
    {FLIGHT "  mass: 3\n", "4:3: error: unknown parameter 'mass'; this flight has k, s, spin, t0"},
    {FLIGHT "  k:\n", "4:5: error: parameters.k has no value"},
    {FLIGHT "  k: [1]\n", "4:6: error: parameters.k is a list; wanted: a number, free, or a map"},
    {FLIGHT "  k: fixed\n", "4:6: error: parameters.k: to fix a parameter give its value"},
    {FLIGHT "  k: Free\n", "4:6: error: 'Free' is not a number"},
    {FLIGHT "  k: 3 m\n", "4:6: error: 'm' is the unit of a length, but an inverse length is"},
    {FLIGHT "  k: -1\n", "4:6: error: parameters.k is '-1', out of its range 0 to"},
    {FLIGHT "  spin: 3 m/s\n", "4:9: error: 'm/s' is the unit of a speed, but an angular rate"},
    {FLIGHT "  vx0: 1e300\n", "4:8: error: parameters.vx0 is '1e300', out of its range"},
    {FLIGHT "  k: {strt: 1}\n", "4:7: error: unknown key 'strt' in parameters.k; did you mean"},
    {FLIGHT "  k: {fixed: 1, start: 2}\n", "4:17: error: 'start' contradicts 'fixed'"},
    {FLIGHT "  k: {bounds: [0, 1], fixed: 1}\n", "4:7: error: 'bounds' contradicts 'fixed'"},
    {FLIGHT "  k: {bounds: [1, 0]}\n", "4:15: error: parameters.k.bounds: the first, '1', must"},
    {FLIGHT "  k: {bounds: 1}\n", "4:15: error: '1' is not accepted for parameters.k.bounds"},
    {FLIGHT "  k: {start: 2, bounds: [0, 1]}\n", "4:14: error: the start 2 of 'k' is outside its"},
    {FLIGHT "  k: {bounds: [1, 2]}\n", "4:15: error: the default start 0.02 of 'k' is outside"},
    {FLIGHT "  k: {prior: {mean: 1}}\n", "4:7: error: 'sd' is missing: parameters.k.prior.sd"},
    {FLIGHT "  k: {prior: {mean: 1, sd: 0}}\n", "4:28: error: parameters.k.prior.sd is '0'; a"},
    {FLIGHT "  k: {prior: {mean: 1, sd: 1 m}}\n", "4:28: error: 'm' is the unit of a length"},
    {FLIGHT "  k: {prior: 1}\n",
     "4:14: error: parameters.k.prior is text; wanted: {mean: number, sd: number}"},
    {SPACE, "2:60: error: with constant lift a spin of zero has no direction"},
    {SPACE "parameters: {wx: 0}\n", "3:14: error: with constant lift a spin of zero"},
    {"arcfit: 1\nfit: {methods: []}\n", "2:16: error: fit.methods is an empty list"},
    {"arcfit: 1\nfit: {methods: pinn}\n", "2:16: error: 'pinn' is not accepted for fit.methods"},
    {"arcfit: 1\nfit: {methods: [pinn, pinn]}\n", "2:23: error: 'pinn' is given twice"},
    {"arcfit: 1\nfit: {methods: [pin]}\n", "2:17: error: 'pin' is not accepted for fit.methods; "
                                           "did you mean 'pinn'?"},
    {"arcfit: 1\nfit: {seed: -1}\n", "2:13: error: fit.seed is -1, out of its range 0 to"},
    {"arcfit: 1\nfit: {starts: 1001}\n", "2:15: error: fit.starts is 1001, out of its range 1 to"},
    {"arcfit: 1\nfit: {loss: hubber}\n",
     "2:13: error: 'hubber' is not accepted for fit.loss; did you mean 'huber'?"},
    {"arcfit: 1\nfit: {loss: 3}\n", "2:13: error: '3' is not accepted for fit.loss"},
    {"arcfit: 1\nfit: {loss: [huber]}\n", "2:13: error: fit.loss is a list"},
    {"arcfit: 1\nfit: {loss: {kind: l1}}\n", "2:20: error: 'l1' is not accepted for fit.loss.kind"},
    {"arcfit: 1\nfit: {loss: {kind: huber, tuning: 0}}\n",
     "2:35: error: fit.loss.tuning is '0', out of its range"},
    {"arcfit: 1\nfit: {loss: {kind: huber, dof: 4}}\n",
     "2:27: error: the key 'dof' in fit.loss belongs to student-t, but kind is huber"},
    {"arcfit: 1\nfit: {loss: {kind: student-t, tuning: 2}}\n",
     "2:31: error: the key 'tuning' in fit.loss belongs to huber and cauchy"},
    {"arcfit: 1\nfit: {loss: {kind: student-t, dof: many}}\n",
     "2:36: error: 'many' is not accepted for fit.loss.dof; wanted: estimate, or 1 to 200"},
    {"arcfit: 1\nfit: {loss: {kind: student-t, dof: 0.5}}\n",
     "2:36: error: fit.loss.dof is '0.5', out of its range"},
    {"arcfit: 1\ncapture: {sigma: guess}\n",
     "2:18: error: 'guess' is not accepted for capture.sigma; wanted: estimate, pixels"},
    {"arcfit: 1\ncapture: {window: some}\n",
     "2:19: error: 'some' is not accepted for capture.window; wanted: auto (free flight), all, or"},
    {"arcfit: 1\nfit: {pinn: {net: missing.yaml}}\n", "2:19: error: cannot open 'missing.yaml'"},
    {"arcfit: 1\nfit: {pinn: {net: /tmp}}\n", "2:19: error: '/tmp' is a folder"},
    {"arcfit: 1\nfit: {pinn: {collocation: 3}}\n", "2:27: error: fit.pinn.collocation is 3, out"},
    {"arcfit: 1\nfit: {pinn: {physics: 0}}\n", "2:23: error: fit.pinn.physics is '0', out of"},
    {"arcfit: 1\nfit: {pinn: {physics: 1 m}}\n", "2:23: error: 'm' is the unit of a length"},
    {"arcfit: 1\nfit: {pinn: {train: []}}\n", "2:21: error: fit.pinn.train has 0 entries"},
    {"arcfit: 1\nfit: {pinn: {train: linear}}\n", "2:21: error: 'linear' is not accepted for"},
    {"arcfit: 1\nfit: {pinn: {train: [{steps: 3}]}}\n", "2:22: error: 'optimizer' is missing"},
    {"arcfit: 1\nfit: {pinn: {train: [{optimizer: lm, steps: 0}]}}\n",
     "2:45: error: fit.pinn.train.0.steps is 0, out of its range"},
    {"arcfit: 1\nfit: {direct: {tolerance: 1}}\n", "2:27: error: fit.direct.tolerance is '1', out"},
    {"arcfit: 1\noutput: a.h5\n", "2:9: error: output is text; wanted: a mapping"},
    {"arcfit: 1\noutput: {fil: a.h5}\n", "2:10: error: unknown key 'fil' in output; did you mean"},
};

static void test_parse_broken_files_are_refused_at_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        ArcError error = {ARC_OK, ""};
        ArcExperiment *made = NULL;
        char expected[300];
        snprintf(expected, sizeof expected, "f.yaml:%s", broken[i].message);
        ArcStatus status = arc_experiment_parse("f.yaml", broken[i].text, strlen(broken[i].text), 0,
                                                NULL, &made, &error);
        if (status != ARC_INPUT || strncmp(error.text, expected, strlen(expected)) != 0)
            fail_msg("row %d: status %d, '%s' instead of '%s'", (int)i, (int)status, error.text,
                     expected);
        assert_int_equal(error.status, ARC_INPUT);
        assert_null(made);
        /* a NULL error is as good */
        assert_int_equal(arc_experiment_parse("f.yaml", broken[i].text, strlen(broken[i].text), 0,
                                              NULL, &made, NULL),
                         ARC_INPUT);
    }
}

static const char small_text[] = "arcfit: 1\n"
                                 "capture: [{file: a.csv}]\n"
                                 "flight: {ball: golf, drag: quadratic}\n"
                                 "parameters: {cd: {start: 0.5, bounds: [0, 1.5]}}\n";

static void test_parse_bad_overrides_are_refused_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *override, *message;
    } rows[] = {
        {"capture.0.sgima=1", "--set:2:11: error: unknown key 'sgima' in capture"},
        {"capture.sigma=1", "--set:2:9: error: 'sigma' is not an index of a list of 1"},
        {"parameters.q=1", "--set:2:12: error: unknown parameter 'q'"},
        {"parameters.cd.start=3 m", "--set:2:21: error: 'm' is the unit of a length"},
        {"parameters.cd.start=2", "--set:2:21: error: the start 2 of 'cd' is outside its bounds"},
        {"flight.ball=none", "lab/f.yaml:3:28: error: drag 'quadratic' needs a ball"},
        {"arcfit=2", "--set:2:8: error: arcfit is '2'"},
        {"fit", "--set:2:1: error: 'fit' is not of the form"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcError error = {ARC_OK, ""};
        ArcExperiment *made = NULL;
        const char *const overrides[] = {"name=x", rows[i].override};
        ArcStatus status = arc_experiment_parse("lab/f.yaml", small_text, strlen(small_text), 2,
                                                overrides, &made, &error);
        if (status != ARC_INPUT || strncmp(error.text, rows[i].message, strlen(rows[i].message)))
            fail_msg("'%s' instead of '%s'", error.text, rows[i].message);
    }
}

static void test_read_missing_file_or_folder_is_refused(void **state)
{
    (void)state;
    ArcError error = {ARC_OK, ""};
    ArcExperiment *made = NULL;
    assert_int_equal(arc_experiment_read("no/such.yaml", 0, NULL, &made, &error), ARC_INPUT);
    assert_non_null(strstr(error.text, "no/such.yaml:1:1: error: cannot open"));
    assert_int_equal(arc_experiment_read("/tmp", 0, NULL, &made, &error), ARC_INPUT);
    assert_non_null(strstr(error.text, "/tmp:1:1: error: '/tmp' is a folder"));
    assert_null(made);
    arc_experiment_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_bad_net_file_is_refused_at_its_place),
        cmocka_unit_test(test_parse_broken_files_are_refused_at_their_place),
        cmocka_unit_test(test_parse_bad_overrides_are_refused_at_their_place),
        cmocka_unit_test(test_read_missing_file_or_folder_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
