/* The one table of settings: path, type, quantity, range, default, doc and field of each.
 *
 * It drives parsing and checks (reader.h), `--set`, help (arc_settings_text) and what a result
 * records. A row's section is its path without the last name; offset counts from the struct that
 * the section fills: ArcExperiment; but ArcStage for "fit.pinn.train", ArcParameter for
 * "parameters.NAME", ArcRandomQuantity for "randomise.NAME", ArcTarget for "derived.NAME",
 * ArcCameraSettings for "capture.cameras.NAME", ArcArmJoint for "arm.joints", ArcNetSettings for
 * "net file".
 */
#ifndef ARC_EXPERIMENT_SETTINGS_H
#define ARC_EXPERIMENT_SETTINGS_H

#include "arcfit/experiment.h"
#include "base/text.h"
#include "base/units.h"
#include "io/yaml.h"

typedef enum ArcSettingType {
    ARC_SETTING_SECTION,   /* a mapping of further rows */
    ARC_SETTING_TEXT,      /* const char * */
    ARC_SETTING_FILE,      /* const char *, resolved against the experiment's folder */
    ARC_SETTING_NUMBER,    /* double, of the row's quantity */
    ARC_SETTING_WHOLE,     /* int, or uint64_t by its size */
    ARC_SETTING_FLAG,      /* bool */
    ARC_SETTING_CHOICE,    /* an enum's int, or const char * by its size */
    ARC_SETTING_PARAMETER, /* double, of the quantity of the parameter being read; by read */
    ARC_SETTING_SPECIAL    /* by a function of its own */
} ArcSettingType;

typedef struct ArcReader ArcReader;
typedef struct ArcSettingRow ArcSettingRow;

/* A row met in a file: path as a user writes it ("fit.pinn.train.0.steps"), the value's node (the
 * default's where there is none in the file), the struct that row->offset counts from. */
typedef struct ArcSetting {
    const ArcSettingRow *row;
    const char *path;
    const ArcYamlNode *node;
    void *base;
} ArcSetting;

typedef ArcStatus (*ArcSettingRead)(ArcReader *reader, const ArcSetting *setting, ArcError *err);

struct ArcSettingRow {
    const char *path;
    ArcSettingType type;
    const char *default_text; /* YAML; NULL: see absent */
    const char *absent;       /* without default: what its absence means; "required": an error */
    const char *doc;
    size_t offset, size;   /* of the field; size 0: none, only checked */
    const char *optimizer; /* of a stage's row: the only one that knows it; NULL: all do */
    ArcQuantity quantity;
    double low, high;                 /* SI, inclusive; of numbers and whole numbers */
    const char *(*choice)(int index); /* names by enumerator, NULL behind the last */
    ArcSettingRead read;              /* of a special row */
    const char *accepts;              /* of a special row, for help */
    const char *shape;                /* of a special row, for the schema (schema_shape.c) */
};

/* The table's rows in order, from 0; NULL behind the last. */
const ArcSettingRow *arc_setting_at(int i);

/* The row of that path; NULL: there is none. */
const ArcSettingRow *arc_setting_find(const char *path);

/* The last name of a path. */
const char *arc_setting_name(const ArcSettingRow *row);

/* True where row stands directly in section ("" is the top). */
bool arc_setting_is_in(const ArcSettingRow *row, const char *section);

/* What the setting accepts and its default, in words: "a length, 0 to 1 m; default 1 mm". */
void arc_setting_describe(ArcText *text, const ArcSettingRow *row);

/* Special rows; each in the file that its comment names. */
ArcStatus arc_special_model(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_plugin(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_columns(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_units(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_capture(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_sigma(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_cameras(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_part(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_numbers(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_focal(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_lens(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_noise_sigma(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_column(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_scale(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_pair(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_window(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_sensor(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_sensor_size(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_latency(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_hold_out(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_flight(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_ball(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_gravity(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_velocity(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_shear(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_gust(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_table(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_wind(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_plane(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_position(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_bounce(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_swing(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_readings(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_arm(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_joints(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_torque(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_torques(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_rim(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_derived(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_randomise(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_methods(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_loss(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_dof(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_profile(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_stages(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_net(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_aim(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_goal(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_hoop(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_backboard(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_area(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_area_plane(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_area_size(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_unknowns(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_angles(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_scatter(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_objectives(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_limits(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_maximise(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_pareto(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_contact(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_aim_swing(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_from(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_closure(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_closure_inputs(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_closure_outputs(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_closure_net(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_closure_number(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_closure_train(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_hidden(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_collocation(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_points(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_physics(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_special_train(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_simulate_read_size(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_simulate_read_rounding(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_simulate_read_times(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_simulate_read_channels(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_simulate_read_swing(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_simulate_read_places(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_simulate_read_readings(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_parameters_read(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_parameter_read(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_parameter_read_measured(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_parameter_read_prior(ArcReader *reader, const ArcSetting *setting, ArcError *err);
ArcStatus arc_parameter_read_sd(ArcReader *reader, const ArcSetting *setting, ArcError *err);

#endif
