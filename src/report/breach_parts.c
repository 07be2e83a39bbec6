/* A breach in words, as JSON, and as HDF5 and back. */
#include "report/breach_parts.h"

#include "report/table.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

static const char group[] = "/comparison/physics";

/* The numbers of a breach by the names of their attributes. */
static const struct {
    const char *name;
    size_t offset;
} numbers[] = {
    {"begin_s", offsetof(ArcBreach, interval_s)},
    {"end_s", offsetof(ArcBreach, interval_s) + sizeof(double)},
    {"size_m_s2", offsetof(ArcBreach, size_m_s2)},
    {"size_sd_m_s2", offsetof(ArcBreach, size_sd_m_s2)},
    {"direction_x", offsetof(ArcBreach, direction)},
    {"direction_y", offsetof(ArcBreach, direction) + sizeof(double)},
    {"direction_z", offsetof(ArcBreach, direction) + 2 * sizeof(double)},
    {"along", offsetof(ArcBreach, relative)},
    {"across", offsetof(ArcBreach, relative) + sizeof(double)},
    {"up", offsetof(ArcBreach, relative) + 2 * sizeof(double)},
    {"displacement_m", offsetof(ArcBreach, displacement_m)},
    {"chi2_explained", offsetof(ArcBreach, chi2_explained)},
    {"p", offsetof(ArcBreach, p)},
    {"p_scaled", offsetof(ArcBreach, p_scaled)},
};

enum { N_NUMBERS = sizeof numbers / sizeof numbers[0] };

void arc_breach_parts_phrase(ArcText *text, const ArcBreach *breach)
{
    static const char *const words[3][2] = {
        {"backwards", "forwards"}, {"to the left", "to the right"}, {"downwards", "upwards"}};
    char size[ARC_TABLE_NUMBER], begin[ARC_TABLE_NUMBER], end[ARC_TABLE_NUMBER];
    int most = 0;
    for (int part = 1; part < 3; part++)
        if (fabs(breach->relative[part]) > fabs(breach->relative[most]))
            most = part;
    /* Digits of a time that the interval deserves: two of its length. */
    double length = 0.1 * (breach->interval_s[1] - breach->interval_s[0]);
    arc_text_append(text, "%s m/s^2, mostly %s, from %s to %s s",
                    arc_table_value(size, breach->size_m_s2, breach->size_sd_m_s2, 1),
                    words[most][breach->relative[most] > 0.0],
                    arc_table_number(begin, breach->interval_s[0], length),
                    arc_table_number(end, breach->interval_s[1], length));
}

void arc_breach_parts_chance(ArcText *text, double p)
{
    char number[ARC_TABLE_NUMBER];
    bool least = p <= ARC_BREACH_LEAST_P * (1.0 + 1e-9);
    arc_text_append(text, "p %s%s", least ? "< " : "",
                    arc_table_plain(number, least ? ARC_BREACH_LEAST_P : p, 2));
}

void arc_breach_parts_entry(ArcText *table, const ArcBreach *breach)
{
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER], c[ARC_TABLE_NUMBER], *line;
    ArcText text = {0};
    if (!breach->searched)
        return;
    if (breach->p >= ARC_BREACH_TOLD_P) {
        arc_text_append(&text, "no part of the flight stands out from its equations (");
        arc_breach_parts_chance(&text, breach->p);
        arc_text_append(&text, ")");
    } else {
        arc_text_append(&text, "an extra acceleration of ");
        arc_breach_parts_phrase(&text, breach);
        arc_text_append(&text, " (along the flight %s, across %s, up %s)",
                        arc_table_plain(a, breach->relative[0], 2),
                        arc_table_plain(b, breach->relative[1], 2),
                        arc_table_plain(c, breach->relative[2], 2));
        arc_text_append(
            &text,
            " takes %s off chi2 and, from the same release, adds up to %s mm at the last point; ",
            arc_table_plain(a, breach->chi2_explained, 3),
            arc_table_plain(b, 1e3 * breach->displacement_m, 3));
        arc_breach_parts_chance(&text, breach->p);
        arc_text_append(&text, ", ");
        arc_breach_parts_chance(&text, breach->p_scaled);
        arc_text_append(&text, " if the noise may be larger than stated");
    }
    if (arc_text_finish(&text, &line, NULL) != ARC_OK) {
        table->failed = true;
        return;
    }
    arc_table_entry(table, "physics", line);
    arc_text_free(line);
}

json_t *arc_breach_parts_json(ArcJson *json, const ArcBreach *breach, int d)
{
    if (!breach->searched)
        return json_null();
    json_t *object = arc_json_object(json);
    arc_json_put(json, object, "interval_s", arc_json_vector(json, 2, breach->interval_s));
    arc_json_put_number(json, object, "size_m_s2", breach->size_m_s2);
    arc_json_put_number(json, object, "size_sd_m_s2", breach->size_sd_m_s2);
    arc_json_put(json, object, "direction", arc_json_vector(json, d, breach->direction));
    arc_json_put_number(json, object, "along", breach->relative[0]);
    arc_json_put_number(json, object, "across", breach->relative[1]);
    arc_json_put_number(json, object, "up", breach->relative[2]);
    arc_json_put_number(json, object, "displacement_m", breach->displacement_m);
    arc_json_put_number(json, object, "chi2_explained", breach->chi2_explained);
    arc_json_put_number(json, object, "p", breach->p);
    arc_json_put_number(json, object, "p_scaled", breach->p_scaled);
    arc_json_put_bool(json, object, "tolerated", breach->tolerated);
    return object;
}

void arc_breach_parts_write(ArcHdf5 *file, const ArcBreach *breach)
{
    if (!breach->searched)
        return;
    arc_hdf5_put_count(file, group, "tolerated", breach->tolerated ? 1 : 0);
    for (int i = 0; i < N_NUMBERS; i++)
        arc_hdf5_put_number(
            file, group, numbers[i].name,
            *(const double *)(const void *)((const char *)breach + numbers[i].offset));
}

void arc_breach_parts_read(ArcHdf5 *file, ArcBreach *breach)
{
    if (!arc_hdf5_has(file, group))
        return;
    uint64_t tolerated = arc_hdf5_count(file, group, "tolerated");
    if (tolerated > 1)
        arc_hdf5_refuse(file, "attribute 'tolerated' of '%s' is out of range", group);
    *breach = (ArcBreach){.searched = true, .tolerated = tolerated == 1};
    for (int i = 0; i < N_NUMBERS; i++) {
        double number = arc_hdf5_number(file, group, numbers[i].name);
        if (isinf(number))
            arc_hdf5_refuse(file, "attribute '%s' of '%s' is infinite", numbers[i].name, group);
        *(double *)(void *)((char *)breach + numbers[i].offset) = number;
    }
}
