/* xoshiro256++ with SplitMix64 seeding; uniform and normal numbers. */
#include "base/random.h"

#include <math.h>

static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t value, int count)
{
    return (value << count) | (value >> (64 - count));
}

ArcRandom arc_random_create(uint64_t seed, uint64_t stream)
{
    ArcRandom random;
    uint64_t mix = stream;
    mix = seed ^ split_mix(&mix);
    for (int i = 0; i < 4; i++)
        random.state[i] = split_mix(&mix);
    return random;
}

uint64_t arc_random_bits(ArcRandom *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate_left(s[0] + s[3], 23) + s[0];
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double arc_random_uniform(ArcRandom *random, double low, double high)
{
    double unit = (double)(arc_random_bits(random) >> 11) * 0x1.0p-53;
    return low + (high - low) * unit;
}

double arc_random_normal(ArcRandom *random)
{
    double u, v, q;
    do {
        u = arc_random_uniform(random, -1.0, 1.0);
        v = arc_random_uniform(random, -1.0, 1.0);
        q = u * u + v * v;
    } while (q >= 1.0 || q == 0.0);
    return u * sqrt(-2.0 * log(q) / q);
}
