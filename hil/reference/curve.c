/* X25519 (RFC 7748) and Ed25519 signatures (RFC 8032).
 *
 * A number modulo 2^255 - 19 is sixteen limbs of sixteen bits, each with room to grow. The same steps are
 * done whatever the secret is: no branch and no address depends on it. Slow (a signature is some tens of
 * millions of cycles on a small core) and small; a device proves itself once a session. */

#include "curve.h"

#include <string.h>

#include "sha.h"

typedef int64_t num[16];

static const num ONE = {1}, A24 = {0xdb41, 1};
static const num D2 = {0xf159, 0x26b2, 0x9b94, 0xebd6, 0xb156, 0x8283, 0x149a, 0x00e0,
                       0xd130, 0xeef3, 0x80f2, 0x198e, 0xfce7, 0x56df, 0xd9dc, 0x2406};
static const num BASE_X = {0xd51a, 0x8f25, 0x2d60, 0xc956, 0xa7b2, 0x9525, 0xc760, 0x692c,
                           0xdc5c, 0xfdd6, 0xe231, 0xc0a4, 0x53fe, 0xcd6e, 0x36d3, 0x2169};
static const num BASE_Y = {0x6658, 0x6666, 0x6666, 0x6666, 0x6666, 0x6666, 0x6666, 0x6666,
                           0x6666, 0x6666, 0x6666, 0x6666, 0x6666, 0x6666, 0x6666, 0x6666};
static const uint8_t ORDER[32] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7,
                                  0xa2, 0xde, 0xf9, 0xde, 0x14, 0,    0,    0,    0,    0,    0,
                                  0,    0,    0,    0,    0,    0,    0,    0,    0,    0x10};

/* ---------------------------------------------------------------- numbers */

static void copy(num out, const num a) { memcpy(out, a, sizeof(num)); }

static void carry(num a) {
    for (int i = 0; i < 16; i++) {
        a[i] += 65536;
        int64_t over = a[i] >> 16;
        a[(i + 1) % 16] += i < 15 ? over - 1 : 38 * (over - 1);
        a[i] -= over * 65536;
    }
}

/* Exchanges two numbers where `bit` is 1, in the same time where it is 0. */
static void swap(num a, num b, int bit) {
    int64_t mask = -(int64_t)bit;
    for (int i = 0; i < 16; i++) {
        int64_t t = mask & (a[i] ^ b[i]);
        a[i] ^= t;
        b[i] ^= t;
    }
}

static void pack(uint8_t out[32], const num n) {
    num t, less;
    copy(t, n);
    carry(t);
    carry(t);
    carry(t);
    for (int pass = 0; pass < 2; pass++) {
        less[0] = t[0] - 0xffed;
        for (int i = 1; i < 15; i++) {
            less[i] = t[i] - 0xffff - ((less[i - 1] >> 16) & 1);
            less[i - 1] &= 0xffff;
        }
        less[15] = t[15] - 0x7fff - ((less[14] >> 16) & 1);
        int is_below = (int)((less[15] >> 16) & 1);
        less[14] &= 0xffff;
        swap(t, less, 1 - is_below);
    }
    for (int i = 0; i < 16; i++) {
        out[2 * i] = (uint8_t)(t[i] & 0xff);
        out[2 * i + 1] = (uint8_t)(t[i] >> 8);
    }
}

static void unpack(num out, const uint8_t in[32]) {
    for (int i = 0; i < 16; i++) out[i] = in[2 * i] + ((int64_t)in[2 * i + 1] << 8);
    out[15] &= 0x7fff;
}

static void add(num out, const num a, const num b) {
    for (int i = 0; i < 16; i++) out[i] = a[i] + b[i];
}

static void subtract(num out, const num a, const num b) {
    for (int i = 0; i < 16; i++) out[i] = a[i] - b[i];
}

static void multiply(num out, const num a, const num b) {
    int64_t t[31] = {0};
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) t[i + j] += a[i] * b[j];
    for (int i = 0; i < 15; i++) t[i] += 38 * t[i + 16];
    memcpy(out, t, sizeof(num));
    carry(out);
    carry(out);
}

static void invert(num out, const num a) {
    num t;
    copy(t, a);
    for (int i = 253; i >= 0; i--) {
        multiply(t, t, t);
        if (i != 2 && i != 4) multiply(t, t, a);
    }
    copy(out, t);
}

/* ---------------------------------------------------------------- X25519 */

void x25519(uint8_t out[32], const uint8_t secret[32], const uint8_t theirs[32]) {
    uint8_t k[32];
    num x, a = {1}, b, c = {0}, d = {1}, e, f;
    memcpy(k, secret, 32);
    k[0] &= 248;
    k[31] = (uint8_t)((k[31] & 127) | 64);
    unpack(x, theirs);
    copy(b, x);
    for (int i = 254; i >= 0; i--) {
        int bit = k[i >> 3] >> (i & 7) & 1;
        swap(a, b, bit);
        swap(c, d, bit);
        add(e, a, c);
        subtract(a, a, c);
        add(c, b, d);
        subtract(b, b, d);
        multiply(d, e, e);
        multiply(f, a, a);
        multiply(a, c, a);
        multiply(c, b, e);
        add(e, a, c);
        subtract(a, a, c);
        multiply(b, a, a);
        subtract(c, d, f);
        multiply(a, c, A24);
        add(a, a, d);
        multiply(c, c, a);
        multiply(a, d, f);
        multiply(d, b, x);
        multiply(b, e, e);
        swap(a, b, bit);
        swap(c, d, bit);
    }
    invert(c, c);
    multiply(a, a, c);
    pack(out, a);
}

void x25519_public(uint8_t out[32], const uint8_t secret[32]) {
    static const uint8_t nine[32] = {9};
    x25519(out, secret, nine);
}

/* ---------------------------------------------------------------- Ed25519 */

typedef num point[4];

static void add_points(point p, point q) {
    num a, b, c, d, t, e, f, g, h;
    subtract(a, p[1], p[0]);
    subtract(t, q[1], q[0]);
    multiply(a, a, t);
    add(b, p[0], p[1]);
    add(t, q[0], q[1]);
    multiply(b, b, t);
    multiply(c, p[3], q[3]);
    multiply(c, c, D2);
    multiply(d, p[2], q[2]);
    add(d, d, d);
    subtract(e, b, a);
    subtract(f, d, c);
    add(g, d, c);
    add(h, b, a);
    multiply(p[0], e, f);
    multiply(p[1], h, g);
    multiply(p[2], g, f);
    multiply(p[3], e, h);
}

static void swap_points(point p, point q, int bit) {
    for (int i = 0; i < 4; i++) swap(p[i], q[i], bit);
}

/* The point `scalar` times the base, packed. */
static void times_base(uint8_t out[32], const uint8_t scalar[32]) {
    static const num zero = {0};
    point p, q;
    num x, y, z;
    uint8_t sign[32];
    copy(p[0], zero);
    copy(p[1], ONE);
    copy(p[2], ONE);
    copy(p[3], zero);
    copy(q[0], BASE_X);
    copy(q[1], BASE_Y);
    copy(q[2], ONE);
    multiply(q[3], BASE_X, BASE_Y);
    for (int i = 255; i >= 0; i--) {
        int bit = scalar[i / 8] >> (i & 7) & 1;
        swap_points(p, q, bit);
        add_points(q, p);
        add_points(p, p);
        swap_points(p, q, bit);
    }
    invert(z, p[2]);
    multiply(x, p[0], z);
    multiply(y, p[1], z);
    pack(out, y);
    pack(sign, x);
    out[31] ^= (uint8_t)((sign[0] & 1) << 7);
}

/* `x` modulo the order of the base; `x` is used up. */
static void modulo_order(uint8_t out[32], int64_t x[64]) {
    int64_t over;
    int i, j;
    for (i = 63; i >= 32; i--) {
        over = 0;
        for (j = i - 32; j < i - 12; j++) {
            x[j] += over - 16 * x[i] * ORDER[j - (i - 32)];
            over = (x[j] + 128) >> 8;
            x[j] -= over * 256;
        }
        x[j] += over;
        x[i] = 0;
    }
    over = 0;
    for (j = 0; j < 32; j++) {
        x[j] += over - (x[31] >> 4) * ORDER[j];
        over = x[j] >> 8;
        x[j] &= 255;
    }
    for (j = 0; j < 32; j++) x[j] -= over * ORDER[j];
    for (i = 0; i < 32; i++) {
        x[i + 1] += x[i] >> 8;
        out[i] = (uint8_t)(x[i] & 255);
    }
}

/* The hash of up to three parts, as a number modulo the order. */
static void hash_to_scalar(uint8_t out[32], const uint8_t *a, const uint8_t *b, const void *c, size_t n) {
    struct sha512 s;
    uint8_t hash[64];
    int64_t x[64];
    sha512_begin(&s);
    sha512_add(&s, a, 32);
    if (b) sha512_add(&s, b, 32);
    sha512_add(&s, c, n);
    sha512_end(&s, hash);
    for (int i = 0; i < 64; i++) x[i] = hash[i];
    modulo_order(out, x);
}

static void expand(uint8_t out[64], const uint8_t seed[32]) {
    struct sha512 s;
    sha512_begin(&s);
    sha512_add(&s, seed, 32);
    sha512_end(&s, out);
    out[0] &= 248;
    out[31] = (uint8_t)((out[31] & 127) | 64);
}

void ed25519_public(uint8_t out[32], const uint8_t seed[32]) {
    uint8_t key[64];
    expand(key, seed);
    times_base(out, key);
}

void ed25519_sign(uint8_t out[64], const uint8_t seed[32], const void *message, size_t n) {
    uint8_t key[64], public[32], r[32], k[32];
    int64_t x[64] = {0};
    expand(key, seed);
    times_base(public, key);
    hash_to_scalar(r, key + 32, NULL, message, n);
    times_base(out, r);
    hash_to_scalar(k, out, public, message, n);
    for (int i = 0; i < 32; i++) x[i] = r[i];
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 32; j++) x[i + j] += k[i] * (int64_t)key[j];
    modulo_order(out + 32, x);
}
