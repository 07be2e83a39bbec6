/* Broken experiments and captures, each as one change to a good text. `place` is the line and
 * column that the message must name; `words` must stand in it. */
#ifndef ARC_TESTS_BAD_INPUTS_H
#define ARC_TESTS_BAD_INPUTS_H

typedef struct BadInput {
    const char *from, *to, *place, *words;
} BadInput;

static const char good_experiment[] =
    "arcfit: 1\n"
    "name: Made flight\n"
    "capture:\n"
    "  file: made.csv\n"
    "  sigma: 30 cm\n"
    "  window: [0 s, 2 s]\n"
    "flight:\n"
    "  dimensions: 2\n"
    "  ball: basketball\n"
    "  air: {temperature: 20 degC, humidity: 0.5}\n"
    "  drag: quadratic\n"
    "parameters:\n"
    "  cd: {start: 0.5, bounds: [0, 1.5], prior: {mean: 0.5, sd: 0.1}}\n"
    "  x0: {start: 0}\n"
    "  y0: {start: 2}\n"
    "  vx0: {start: 5}\n"
    "  vy0: {start: 6}\n"
    "fit:\n"
    "  methods: [direct]\n"
    "  seed: 1\n"
    "  pinn: {net: auto}\n";

/* The same capture with most that a flight, a fit and a simulation can be asked for. */
static const char rich_experiment[] =
    "arcfit: 1\n"
    "capture: {file: made.csv, sigma: estimate}\n"
    "flight:\n"
    "  dimensions: 2\n"
    "  ball: basketball\n"
    "  gravity: {latitude: 48 deg, height: 500 m}\n"
    "  drag: table\n"
    "  drag_table: [[3 m/s, 0.5], [9, 0.4], [20, 0.3]]\n"
    "  lift: table\n"
    "  lift_table: [[0.1, 0.1], [0.3, 0.2]]\n"
    "  spin_decay: aerodynamic\n"
    "  added_mass: true\n"
    "  wind:\n"
    "    velocity: [1 m/s, 0]\n"
    "    shear: {exponent: 0.143, height: 10 m, ground: 0}\n"
    "    gust: {velocity: [2, 0], time: 0.6 s, width: 0.2 s}\n"
    "  bounce: {plane: y=-3 m, restitution: 0.8, friction: 0.3}\n"
    "parameters:\n"
    "  spin: {start: -3 Hz, prior: {mean: -3 Hz, sd: 1 Hz}}\n"
    "  spin_decay: 0.01\n"
    "derived:\n"
    "  floor: {plane: y=0.12 m}\n"
    "  down: {height: 3.05 m}\n"
    "  post: {point: [3 m, 2.5 m]}\n"
    "  hoop: {rim: {centre: [4.19 m, 3.05 m], radius: 22.86 cm}}\n"
    "fit:\n"
    "  loss: {kind: student-t, dof: estimate}\n"
    "  stages: [vacuum, drag]\n"
    "  profile: [spin, vx0]\n"
    "  bootstrap: 40\n"
    "  sample: 100\n"
    "simulate:\n"
    "  rate: 60\n"
    "  noise: {outliers: {share: 0.1, size: 3 cm}, dropped: {share: 0.2, run: 3}, jitter: 1 ms}\n";

/* The same capture thrown by an arm. */
static const char arm_experiment[] =
    "arcfit: 1\n"
    "name: Made throw of an arm\n"
    "capture: {file: made.csv, sigma: 3 cm}\n"
    "flight: {dimensions: 2, ball: basketball}\n"
    "release: arm\n"
    "arm:\n"
    "  joints:\n"
    "    - {axis: pitch, length: 0.9 m, limits: [-170 deg, 170 deg], rate_limit: 30 rad/s}\n"
    "    - {length: 0.7 m, limits: [-150 deg, 150 deg]}\n"
    "  base: [-0.8 m, 1 m]\n"
    "  azimuth: 0 deg\n"
    "  ball: [0 m, 2 cm]\n"
    "  encoders: true\n"
    "parameters:\n"
    "  l1: {start: 0.9 m, bounds: [0.5 m, 1.2 m], prior: {mean: 0.9 m, sd: 1 cm}}\n"
    "  offset1: {prior: {mean: 0, sd: 2 deg}}\n"
    "  theta1: {start: 80 deg, measured: {value: 80 deg, sd: 20 deg}}\n"
    "  omega2: {measured: {value: 15 rad/s, sd: 5 rad/s}}\n"
    "fit: {methods: [direct], seed: 1}\n";

static const char good_capture[] = "# made\n"
                                   "time_s,x_m,y_m\n"
                                   "0,0,2\n"
                                   "0.2,1,3.0\n"
                                   "0.4,2,3.6\n"
                                   "0.6,3,3.8\n"
                                   "0.8,4,3.6\n"
                                   "1.0,5,3.1\n";

static const BadInput bad_experiments[] = {
    /* keys */
    {"sigma: 30 cm", "sgima: 3 mm", "5:3", "did you mean 'sigma'"},
    {"arcfit: 1\n", "", "1:1", "no 'arcfit: 1'"},
    {"name: Made", "title: Made", "2:1", "unknown key 'title'"},
    {"  seed: 1\n", "  seed: 1\n  seed: 1\n", "21:3", "given twice"},
    {"flight:\n", "flight:\nflight:\n", "8:1", "given twice"},
    {"x0: {start: 0}", "x0: {start: 0, start: 1}", "14:18", "given twice"},
    {"{net: auto}", "{nets: auto}", "21:10", "did you mean 'net'"},
    {"fit:\n", "fitt:\n", "18:1", "did you mean 'fit'"},
    {"humidity: 0.5", "? [a]\n  : 1", "10:", "key"},
    {"cd: {", "cdd: {", "13:3", "did you mean 'cd'"},
    {"vx0: {", "speed: {", "16:3", "release: polar"},
    {"x0: {start: 0}", "x0: {start: 0, sd: 1}", "14:18", "unknown key 'sd'"},
    /* types */
    {"arcfit: 1", "arcfit: one", "1:9", "'one'"},
    {"name: Made flight", "name: [a, b]", "2:7", "a list"},
    {"file: made.csv", "file: {a: b}", "4:9", "a mapping"},
    {"sigma: 30 cm", "sigma: [3 mm]", "5:10", "a list"},
    {"sigma: 30 cm", "sigma:", "5:", "sigma"},
    {"window: [0 s, 2 s]", "window: 2 s", "6:11", "'2 s'"},
    {"window: [0 s, 2 s]", "window: [0 s, 1 s, 2 s]", "6:11", "3 entries"},
    {"dimensions: 2", "dimensions: 2.5", "8:15", "2.5"},
    {"dimensions: 2", "dimensions: two", "8:15", "'two'"},
    {"ball: basketball", "ball: 5", "9:9", "ball"},
    {"flight:\n", "flight: none\nrelease:\n", "7:9", "flight"},
    {"{temperature: 20 degC, humidity: 0.5}", "warm", "10:8", "a mapping of keys"},
    {"methods: [direct]", "methods: direct", "19:12", "'direct'"},
    {"methods: [direct]", "methods: []", "19:12", "empty"},
    {"methods: [direct]", "methods: [direct, guess]", "19:21", "guess"},
    {"methods: [direct]", "methods: [direct, direct]", "19:21", "twice"},
    {"x0: {start: 0}", "x0: fixed", "14:7", "give its value"},
    {"x0: {start: 0}", "x0: {start: 0, bounds: 3}", "14:26", "'3'"},
    {"x0: {start: 0}", "x0: {start: 0, prior: {mean: 1}}", "14:18", "'sd' is missing"},
    {"drag: quadratic", "drag: quadratic\n  buoyancy: yes", "12:13", "'yes' is not accepted"},
    /* units and dimensions */
    {"sigma: 30 cm", "sigma: 3 kg", "5:10", "kg"},
    {"sigma: 30 cm", "sigma: 3 furlong", "5:10", "furlong"},
    {"sigma: 30 cm", "sigma: 3mm mm", "5:10", "'mm mm'"},
    {"20 degC", "20 m", "10:22", "a temperature is wanted"},
    {"humidity: 0.5", "humidity: 0.5 kg", "10:41", "a plain number is wanted"},
    {"[0 s, 2 s]", "[0 s, 2 m]", "6:17", "a time is wanted"},
    {"vx0: {start: 5}", "vx0: {start: 5 m}", "16:16", "a speed is wanted"},
    /* ranges */
    {"arcfit: 1", "arcfit: 2", "1:9", "2"},
    {"sigma: 30 cm", "sigma: 0", "5:10", "range"},
    {"sigma: 30 cm", "sigma: -3 mm", "5:10", "range"},
    {"[0 s, 2 s]", "[2 s, 0 s]", "6:11", "2"},
    {"dimensions: 2", "dimensions: 4", "8:15", "4"},
    {"20 degC", "-300 degC", "10:22", "range"},
    {"humidity: 0.5", "humidity: 50", "10:41", "range"},
    {"bounds: [0, 1.5]", "bounds: [1.5, 0]", "13:28", "1.5"},
    {"start: 0.5, bounds", "start: 2, bounds", "13:15", "bounds"},
    {"sd: 0.1", "sd: 0", "13:61", "above 0"},
    {"seed: 1", "seed: -1", "20:9", "range"},
    {"seed: 1", "seed: 1.5", "20:9", "1.5"},
    {"sigma: 30 cm", "sigma: 30 cm\n  every: 0", "6:10", "range"},
    {"sigma: 30 cm", "sigma: 30 cm\n  hold_out: {every: 1}", "6:21", "range"},
    {"seed: 1", "seed: 1\n  starts: 0", "21:11", "range"},
    {"{net: auto}", "{collocation: 3}", "21:23", "3"},
    {"{net: auto}", "{physics: 0 m/s^2}", "21:19", "0 m/s^2"},
    {"{net: auto}", "{train: [{optimizer: lm, steps: 0}]}", "21:41", "range"},
    {"{net: auto}", "{train: [{optimizer: adagrad}]}", "21:30", "adagrad"},
    {"ball: basketball", "ball: baskteball", "9:9", "did you mean 'basketball'"},
    {"ball: basketball", "ball: {mass: 1 kg}", "9:3", "'diameter' is missing"},
    {"ball: basketball", "ball: none", "11:9", "ball"},
    {"drag: quadratic", "drag: cubic", "11:9", "'cubic'"},
    {"drag: quadratic", "drag: quadratic\n  wind: [1]", "12:9", "wind"},
    {"drag: quadratic", "drag: quadratic\n  lift: constant", "12:9", "spin of zero"},
    {"drag: quadratic", "drag: quadratic\n  up: z", "12:7", "z"},
    /* tables, wind, gravity, bounces, targets, losses, and what is asked of a fit */
    {"drag: quadratic", "drag: table\n  drag_table: [[5, 0.5]]", "12:15", "1 entries"},
    {"drag: quadratic", "drag: table\n  drag_table: [[5, 0.5], [5, 0.4]]", "12:27",
     "flight.drag_table.1 is a"},
    {"drag: quadratic", "drag: table\n  drag_table: [[5, 0.5], [4, 0.4]]", "12:27",
     "flight.drag_table.1 is a"},
    {"drag: quadratic", "drag: table\n  drag_table: [[5 kg, 0.5], [6, 0.4]]", "12:17",
     "'kg' is the unit"},
    {"drag: quadratic", "drag: table\n  drag_table: [[5, nan], [6, 0.4]]", "12:20",
     "'nan' is not a number"},
    {"drag: quadratic", "drag: table\n  drag_table: [[5, 0.5], [6, -0.4]]", "12:30",
     "out of its range"},
    {"drag: quadratic", "drag: table\n  drag_table: [[5], [6, 0.4]]", "12:16", "no pair"},
    {"drag: quadratic",
     "drag: table\n  drag_table: [[1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], "
     "[1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, "
     "1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], "
     "[1, 1], [1, 1], ]",
     "12:15", "33 entries"},
    {"drag: quadratic", "drag: table\n  drag_table: 5", "12:15", "'5' is not accepted"},
    {"drag: quadratic", "drag: table", "11:9", "but there is no"},
    {"drag: quadratic", "drag: quadratic\n  drag_table: [[5, 0.5], [6, 0.4]]", "12:3",
     "for drag: table"},
    {"drag: quadratic", "drag: quadratic\n  lift: table\n  lift_table: [[0, 0.1], [0.2, 0.2]]",
     "13:20", "at S = 0"},
    {"drag: quadratic", "drag: quadratic\n  wind: {velocity: [1]}", "12:20", "1 entries"},
    {"drag: quadratic", "drag: quadratic\n  wind: {shear: {height: 10}}", "12:17", "needs flight"},
    {"drag: quadratic", "drag: quadratic\n  wind: {velocity: [1, 0], shear: {exponent: 1.5}}",
     "12:46", "out of its range"},
    {"drag: quadratic", "drag: quadratic\n  wind: {velocity: [1, 0], shear: {height: 0}}", "12:44",
     "out of its range"},
    {"drag: quadratic", "drag: quadratic\n  wind: {gust: {velocity: [1, 0], time: 1}}", "12:10",
     "'width' is missing"},
    {"drag: quadratic", "drag: quadratic\n  wind: {gust: {velocity: [1, 0], time: 1, width: 0}}",
     "12:51", "out of its range"},
    {"drag: quadratic", "drag: quadratic\n  wind: {gust: {velocity: [1 m, 0], time: 1, width: 1}}",
     "12:28", "'m' is the unit"},
    {"drag: quadratic", "drag: quadratic\n  wind: {gusts: 1}", "12:10", "did you mean 'gust'"},
    {"drag: quadratic", "drag: quadratic\n  gravity: {latitude: 91 deg}", "12:23",
     "out of its range"},
    {"drag: quadratic", "drag: quadratic\n  gravity: {height: 10 m}", "12:3",
     "'latitude' is missing"},
    {"drag: quadratic", "drag: quadratic\n  gravity: {latitude: 5 m}", "12:23", "'m' is the unit"},
    {"drag: quadratic", "drag: quadratic\n  gravity: nan", "12:12", "'nan' is not a number"},
    {"drag: quadratic", "drag: quadratic\n  gravity: [1]", "12:12", "is a list"},
    {"drag: quadratic", "drag: quadratic\n  bounce: {restitution: 0.5}", "12:3",
     "'plane' is missing"},
    {"drag: quadratic", "drag: quadratic\n  bounce: {plane: z=1}", "12:19", "stands across z"},
    {"drag: quadratic", "drag: quadratic\n  bounce: {plane: y=1 kg}", "12:19", "'kg' is the unit"},
    {"drag: quadratic", "drag: quadratic\n  bounce: {plane: 5}", "12:19", "'5' is not accepted"},
    {"drag: quadratic", "drag: quadratic\n  bounce: {plane: y=1, restitution: 1.1}", "12:37",
     "out of its range"},
    {"drag: quadratic", "drag: quadratic\n  bounce: {plane: y=1, friction: -1}", "12:34",
     "out of its range"},
    {"drag: quadratic", "drag: quadratic\n  bounce: {plane: y=nan}", "12:19",
     "'nan' is not a number"},
    {"drag: quadratic", "drag: quadratic\n  added_mass: 1", "12:15", "'1' is not accepted"},
    {"drag: quadratic", "drag: quadratic\n  spin_decay: exponential", "12:15", "no spin to act"},
    {"fit:\n", "derived: {release: {plane: y=0}}\nfit:\n", "18:11", "'release' in derived"},
    {"fit:\n", "derived: {a: {plane: y=0, height: 1}}\nfit:\n", "18:11", "2 keys"},
    {"fit:\n", "derived: {a: {}}\nfit:\n", "18:11", "0 keys"},
    {"fit:\n", "derived: {\"\": {plane: y=0}}\nfit:\n", "18:11", "'' in derived"},
    {"fit:\n", "derived: {A: {plane: y=0}}\nfit:\n", "18:11", "'A' in derived"},
    {"fit:\n", "derived: {a: {point: [1]}}\nfit:\n", "18:22", "1 entries"},
    {"fit:\n", "derived: {a: {rim: {centre: [1, 2], radius: 0}}}\nfit:\n", "18:45",
     "out of its range"},
    {"fit:\n", "derived: {a: {rim: {centre: [1, 2]}}}\nfit:\n", "18:15", "'radius' is missing"},
    {"fit:\n", "derived: {a: {height: .inf}}\nfit:\n", "18:23", "'.inf' is not a number"},
    {"fit:\n", "derived: {a: {height: 1}, a: {height: 2}}\nfit:\n", "18:27", "given twice"},
    {"fit:\n", "derived: [a, a, a, a, a, a, a, a, a, ]\nfit:\n", "18:10", "is a list"},
    {"fit:\n",
     "derived: {a: {height: 1}, b: {height: 1}, c: {height: 1}, d: {height: 1}, e: {height: 1}, f: "
     "{height: 1}, g: {height: 1}, h: {height: 1}, i: {height: 1}}\nfit:\n",
     "18:139", "more than 8"},
    {"seed: 1", "loss: l1", "20:9", "'l1' is not accepted"},
    {"seed: 1", "loss: {kind: huber, tuning: 0}", "20:31", "out of its range"},
    {"seed: 1", "loss: {kind: gauss, tuning: 2}", "20:23", "belongs to"},
    {"seed: 1", "loss: {kind: student-t, dof: 0.5}", "20:32", "out of its range"},
    {"seed: 1", "loss: {kind: huber, dof: 3}", "20:23", "belongs to"},
    {"seed: 1", "stages: [drag, vacuum]", "20:18", "comes after"},
    {"seed: 1", "stages: []", "20:11", "an empty list"},
    {"seed: 1", "profile: [nothing]", "20:13", "'nothing' is no param"},
    {"seed: 1", "profile: cd", "20:12", "'cd' is not accepted"},
    {"seed: 1", "profile: [t0]", "20:13", "'t0' is fixed"},
    {"seed: 1", "bootstrap: -1", "20:14", "out of its range"},
    {"seed: 1", "bootstrap: 1e7", "20:14", "not a whole"},
    {"seed: 1", "bootstrap_kind: both", "20:19", "'both' is not accepted"},
    {"seed: 1", "sample: 1.5", "20:11", "not a whole"},
    {"seed: 1", "sample: 1e8", "20:11", "not a whole"},
    {"sigma: 30 cm", "sigma: estimated", "5:10", "'estimated' is not accepted"},
    {"fit:\n", "simulate: {points: 1}\nfit:\n", "18:20", "out of its range"},
    {"fit:\n", "simulate: {rate: 0}\nfit:\n", "18:18", "out of its range"},
    {"fit:\n", "simulate: {noise: {outliers: {share: 2}}}\nfit:\n", "18:38", "out of its range"},
    {"fit:\n", "simulate: {noise: {outliers: {share: 0.1, size: -1}}}\nfit:\n", "18:49",
     "out of its range"},
    {"fit:\n", "simulate: {noise: {dropped: {share: 1}}}\nfit:\n", "18:37", "out of its range"},
    {"fit:\n", "simulate: {noise: {dropped: {run: 0.5}}}\nfit:\n", "18:35", "out of its range"},
    {"fit:\n", "simulate: {noise: {jitter: 1 m}}\nfit:\n", "18:28", "'m' is the unit"},
    {"fit:\n", "simulate: {noise: {rounding: -1 mm}}\nfit:\n", "18:30", "out of its range"},
    {"fit:\n", "simulate: {draw: maybe}\nfit:\n", "18:18", "'maybe' is not accepted"},
    /* numbers */
    {"sigma: 30 cm", "sigma: .nan", "5:10", ".nan"},
    {"sigma: 30 cm", "sigma: nan", "5:10", "nan"},
    {"x0: {start: 0}", "x0: {start: .inf}", "14:15", ".inf"},
    {"x0: {start: 0}", "x0: {start: 1e400}", "14:15", "1e400"},
    {"x0: {start: 0}", "x0: {start: 1e300}", "14:15", "1e300"},
    {"x0: {start: 0}", "x0: {start: 1e300 km}", "14:15", "1e300"},
    {"x0: {start: 0}", "x0: {start: 0x10}", "14:15", "'x10'"},
    {"x0: {start: 0}", "x0: {start: '1,5'}", "14:15", "1,5"},
    {"seed: 1", "seed: 99999999999999999999999", "20:9", "9999"},
    {"bounds: [0, 1.5]", "bounds: [0, nan]", "13:32", "nan"},
    /* YAML */
    {"name: Made flight", "name: *made", "2:7", "alias"},
    {"name: Made flight", "name: &made flight", "2:7", "anchor"},
    {"name: Made flight", "name: !!str flight", "2:7", "tag"},
    {"name: Made flight", "name: !<tag:x> flight", "2:7", "tag"},
    {"fit:\n", "---\nfit:\n", "18:1", "second document"},
    {"fit:\n", "...\n---\nfit:\n", "19:1", "second document"},
    {"  sigma: 30 cm\n", "  sigma: [3 mm\n", "6:9", "not valid YAML"},
    {"  sigma: 30 cm\n", "\tsigma: 30 cm\n", "5:1", "tabs"},
    {"name: Made flight", "name: 'Made flight", "22:1", "not valid YAML"},
    {"name: Made flight", "name: \"Made \\q flight\"", "2:", "not valid YAML"},
    {"  seed: 1\n", " seed: 1\n", "20:2", "not valid YAML"},
    {"name: Made flight", "name: a: b", "2:8", "not valid YAML"},
    {"name: Made flight", "name: @made", "2:7", "not valid YAML"},
    {"name: Made flight", "name: caf\xe9", "2:11", "UTF-8"},
    {"name: Made flight", "name: \x01", "2:7", "UTF-8"},
    {"name: Made flight", "<<: {a: 1}\nname: b", "2:1", "'<<'"},
    {good_experiment, "- arcfit: 1\n", "1:1", "list"},
    {good_experiment, "just words\n", "1:1", "not text"},
    {good_experiment, "# nothing but a comment\n\n", "1:1", "empty"},
    {good_experiment, "", "1:1", "empty"},
};

/* The same, in files that the experiment names and in how they fit it; `simulate` needs no capture
 * and does not mind. */
static const BadInput bad_companions[] = {
    {"file: made.csv", "file: nowhere.csv", "4:9", "nowhere.csv"},
    {"file: made.csv", "file: .", "4:9", "folder"},
    {"file: made.csv", "file: made.csv/x.csv", "4:9", "made.csv/x.csv"},
    {"file: made.csv", "file: /dev/null", "1:1", "empty"},
    {"file: made.csv", "file: made.csv\n  format: matlab", "5:11", "matlab"},
    {"file: made.csv", "file: made.csv\n  columns: {t: nothing}", "5:16", "no column 'nothing'"},
    {"file: made.csv", "file: made.csv\n  columns: {w: x_m}", "5:13", "unknown key 'w'"},
    {"file: made.csv", "file: made.csv\n  columns: {x: y_m}", "", "one column"},
    {"file: made.csv", "file: made.csv\n  units: {t: m}", "5:14", "m"},
    {"file: made.csv", "file: /dev/zero", "4:9", "too large"},
    {"file: made.csv", "file: pipe", "1:1", "empty"},
    {"file: made.csv", "file: ''", "4:9", "file"},
    {"{net: auto}", "{net: nowhere.yaml}", "21:15", "nowhere.yaml"},
    {"{net: auto}", "{net: .}", "21:15", "folder"},
    {"{net: auto}", "{net: made.csv}", "2:1", "a mapping of keys"},
    {"{net: auto}", "{net: bad-net.yaml}", "2:13", "9999"},
    {"{net: auto}", "{net: binary.bin}", "3:74", "zero byte"},
    /* what does not fit together */
    {good_experiment, "arcfit: 1\n", "1:1", "file"},
    {"[0 s, 2 s]", "[5 s, 6 s]", "4:9", "leave 0 of 6"},
    {"[0 s, 2 s]", "[0 s, 0.1 s]", "4:9", "leave 1 of 6"},
    {"fit:\n", "  t0: 0.5\nfit:\n", "18:", "t0"},
    {"  sigma: 30 cm\n", "", "4:9", "no standard deviation"},
};

static const BadInput bad_captures[] = {
    {good_capture, "", "1:1", "empty"},
    {good_capture, "# only a comment\n", "1:1", "nothing but blank"},
    {good_capture, "time_s,x_m,y_m\n", "1:1", "no rows"},
    {good_capture, "time_s,x_m,y_m\n0,1,2\n", "2:1", "at least two"},
    {good_capture, "time_s,x_m,y_m\n0,1,2\n0,1,2\n0,1,2\n", "3:1", "0"},
    {good_capture, "words and more words\nand no numbers\n", "2:1", "no rows"},
    {"0.4,2,3.6", "0.2,2,3.6", "5:1", "0.2"},
    {"0.4,2,3.6", "0.1,2,3.6", "5:1", "0.1"},
    {"0.4,2,3.6", "inf,2,3.6", "5:1", "inf"},
    {"0.4,2,3.6", "0.4,inf,3.6", "5:5", "inf"},
    {"0.4,2,3.6", "0.4,-Infinity,3.6", "5:5", "Infinity"},
    {"0.4,2,3.6", "0.4,1e999,3.6", "5:5", "1e999"},
    {"0.4,2,3.6", "0.4,1e300,3.6", "5:5", "1e"},
    {"0.4,2,3.6", "1e200,2,3.6", "5:1", "1e"},
    {"0.4,2,3.6", "nan,2,3.6", "5:1", "time"},
    {"0.4,2,3.6", ",2,3.6", "5:1", "time"},
    {"0.4,2,3.6", "0.4,2", "5:6", "2 cells"},
    {"0.4,2,3.6", "0.4,2,3.6,7", "5:11", "4 cells"},
    {"0.4,2,3.6", "0,4,2,3,6", "5:7", "5 cells"},
    {"0.4,2,3.6", "0.4,two,3.6", "5:5", "'two'"},
    {"0.4,2,3.6", "0.4,2 m,3.6", "5:5", "'2 m'"},
    {"0.4,2,3.6", "0.4,\"2,3.6", "5:5", "quote"},
    {"0.4,2,3.6", "0.4,\"2\"x,3.6", "5:8", "quote"},
    {"0.4,2,3.6", "0.4,2\xe9,3.6", "5:5", "'2\xc3\xa9' is not a number"},
    {"0.4,2,3.6", "0.4,2\x81,3.6", "5:6", "UTF-8"},
    {"0.4,2,3.6", "0.4,\"2,1\",3.6", "5:5", "a decimal comma"},
    {"0.4,2,3.6", "0.4,0x2,3.6", "5:5", "0x2"},
    {"time_s,", "when,", "2:1", "time"},
    {"x_m,y_m", "x_m,x_m", "2:", "x"},
    {"x_m,y_m", "x_m,w_m", "2:1", "y"},
    {"x_m,y_m", "x (parsec),y_m", "2:8", "unit"},
    {"x_m,y_m", "x,y_m", "2:8", "no unit"},
    {"x_m,y_m", "x_px,y_px", "1:1", "pixels and no positions"},
    {good_capture, "t,x,y,sigma_m\n0,0,2,0\n1,1,3,1\n", "2:7", "standard deviation"},
    {good_capture, "t,x,y,sigma_m\n0,0,2,-1\n1,1,3,1\n", "2:7", "standard deviation"},
    {good_capture, "t,x,y,sigma_m\n0,0,2,1\n1,1,3,1e-30\n", "3:7", "standard deviation"},
    {good_capture, "t,x,y,z\n0,0,2,1\n1,1,3,1\n", "1:7", "three axes"},
    {good_capture, "time;x;y\n0,1;2;3\n1.5,2;3;4\n", "3:1", "1.5,2"},
    {good_capture, "t,x,y\n0,1,2\n1,1,2e-08\n2,1,2e-08,3e-08\n", "4:3", "decimal commas"},
};

#endif
