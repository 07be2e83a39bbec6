/* Seeded random streams: the same seed and stream number give the same numbers on every machine.
 *
 * Generator: xoshiro256++ (Blackman and Vigna, ACM Trans. Math. Softw. 47 (2021) 36), its state
 * filled by SplitMix64 from seed and stream, so that streams of one seed are independent.
 */
#ifndef ARC_BASE_RANDOM_H
#define ARC_BASE_RANDOM_H

#include <stdint.h>

typedef struct ArcRandom {
    uint64_t state[4];
} ArcRandom;

/* Stream numbers in use, so that no two users of one seed draw the same numbers. What is drawn once
 * for each of many (starts, replicas of a capture, replicates, ensembles) adds its index << 32; of
 * flights thrown together also theirs << 8. */
enum {
    ARC_STREAM_NET = 1,
    ARC_STREAM_NOISE = 2,
    ARC_STREAM_STARTS = 3,
    ARC_STREAM_COLLOCATION = 4,
    ARC_STREAM_TRUTH = 16,
    ARC_STREAM_OUTLIERS = 17,
    ARC_STREAM_DROPPED = 18,
    ARC_STREAM_JITTER = 19,
    ARC_STREAM_BREACH = 21,
    ARC_STREAM_SWING_PLACES = 22,
    ARC_STREAM_SWING_ANGLES = 23,
    ARC_STREAM_SWING_RATES = 24,
    ARC_STREAM_READINGS = 25,
    ARC_STREAM_SENSOR = 26,
    ARC_STREAM_RANDOMISE = 27,
    ARC_STREAM_CLOSURE = 30,
    ARC_STREAM_THROWS = 31,
    ARC_STREAM_ODDS = 32,
    ARC_STREAM_BOOTSTRAP = 64,
    ARC_STREAM_SAMPLE = 65
};

ArcRandom arc_random_create(uint64_t seed, uint64_t stream);

uint64_t arc_random_bits(ArcRandom *random);

/* Uniform in [low, high). */
double arc_random_uniform(ArcRandom *random, double low, double high);

/* Normal with mean 0 and standard deviation 1 (Marsaglia's polar method). */
double arc_random_normal(ArcRandom *random);

#endif
