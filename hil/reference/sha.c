/* SHA-256 and SHA-512 (FIPS 180-4), HMAC (RFC 2104) and HKDF (RFC 5869) over SHA-256.
 *
 * Small rather than fast: one block of state each, no tables but the constants. */

#include "sha.h"

#include <string.h>

static const uint32_t K256[64] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u,
    0x923f82a4u, 0xab1c5ed5u, 0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u,
    0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u, 0xe49b69c1u, 0xefbe4786u,
    0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u,
    0x06ca6351u, 0x14292967u, 0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u,
    0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u, 0xa2bfe8a1u, 0xa81a664bu,
    0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au,
    0x5b9cca4fu, 0x682e6ff3u, 0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u,
    0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u};

static const uint64_t K512[80] = {
    0x428a2f98d728ae22ull, 0x7137449123ef65cdull, 0xb5c0fbcfec4d3b2full,
    0xe9b5dba58189dbbcull, 0x3956c25bf348b538ull, 0x59f111f1b605d019ull,
    0x923f82a4af194f9bull, 0xab1c5ed5da6d8118ull, 0xd807aa98a3030242ull,
    0x12835b0145706fbeull, 0x243185be4ee4b28cull, 0x550c7dc3d5ffb4e2ull,
    0x72be5d74f27b896full, 0x80deb1fe3b1696b1ull, 0x9bdc06a725c71235ull,
    0xc19bf174cf692694ull, 0xe49b69c19ef14ad2ull, 0xefbe4786384f25e3ull,
    0x0fc19dc68b8cd5b5ull, 0x240ca1cc77ac9c65ull, 0x2de92c6f592b0275ull,
    0x4a7484aa6ea6e483ull, 0x5cb0a9dcbd41fbd4ull, 0x76f988da831153b5ull,
    0x983e5152ee66dfabull, 0xa831c66d2db43210ull, 0xb00327c898fb213full,
    0xbf597fc7beef0ee4ull, 0xc6e00bf33da88fc2ull, 0xd5a79147930aa725ull,
    0x06ca6351e003826full, 0x142929670a0e6e70ull, 0x27b70a8546d22ffcull,
    0x2e1b21385c26c926ull, 0x4d2c6dfc5ac42aedull, 0x53380d139d95b3dfull,
    0x650a73548baf63deull, 0x766a0abb3c77b2a8ull, 0x81c2c92e47edaee6ull,
    0x92722c851482353bull, 0xa2bfe8a14cf10364ull, 0xa81a664bbc423001ull,
    0xc24b8b70d0f89791ull, 0xc76c51a30654be30ull, 0xd192e819d6ef5218ull,
    0xd69906245565a910ull, 0xf40e35855771202aull, 0x106aa07032bbd1b8ull,
    0x19a4c116b8d2d0c8ull, 0x1e376c085141ab53ull, 0x2748774cdf8eeb99ull,
    0x34b0bcb5e19b48a8ull, 0x391c0cb3c5c95a63ull, 0x4ed8aa4ae3418acbull,
    0x5b9cca4f7763e373ull, 0x682e6ff3d6b2b8a3ull, 0x748f82ee5defb2fcull,
    0x78a5636f43172f60ull, 0x84c87814a1f0ab72ull, 0x8cc702081a6439ecull,
    0x90befffa23631e28ull, 0xa4506cebde82bde9ull, 0xbef9a3f7b2c67915ull,
    0xc67178f2e372532bull, 0xca273eceea26619cull, 0xd186b8c721c0c207ull,
    0xeada7dd6cde0eb1eull, 0xf57d4f7fee6ed178ull, 0x06f067aa72176fbaull,
    0x0a637dc5a2c898a6ull, 0x113f9804bef90daeull, 0x1b710b35131c471bull,
    0x28db77f523047d84ull, 0x32caab7b40c72493ull, 0x3c9ebe0a15c9bebcull,
    0x431d67c49c100d4cull, 0x4cc5d4becb3e42b6ull, 0x597f299cfc657e2aull,
    0x5fcb6fab3ad6faecull, 0x6c44198c4a475817ull};

static const uint32_t H256[8] = {
    0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
    0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};

static const uint64_t H512[8] = {
    0x6a09e667f3bcc908ull, 0xbb67ae8584caa73bull, 0x3c6ef372fe94f82bull,
    0xa54ff53a5f1d36f1ull, 0x510e527fade682d1ull, 0x9b05688c2b3e6c1full,
    0x1f83d9abfb41bd6bull, 0x5be0cd19137e2179ull};

static uint32_t turn32(uint32_t x, int n) { return x >> n | x << (32 - n); }
static uint64_t turn64(uint64_t x, int n) { return x >> n | x << (64 - n); }

/* ---------------------------------------------------------------- SHA-256 */

static void block256(uint32_t h[8], const uint8_t *p) {
    uint32_t w[16], v[8];
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i++) {
        if (i < 16) {
            w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
        } else {
            uint32_t a = w[(i + 1) & 15], b = w[(i + 14) & 15];
            w[i & 15] += (turn32(a, 7) ^ turn32(a, 18) ^ a >> 3) + w[(i + 9) & 15] + (turn32(b, 17) ^ turn32(b, 19) ^ b >> 10);
        }
        uint32_t e = v[4], a = v[0];
        uint32_t one = v[7] + (turn32(e, 6) ^ turn32(e, 11) ^ turn32(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + K256[i] + w[i & 15];
        uint32_t two = (turn32(a, 2) ^ turn32(a, 13) ^ turn32(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
}

void sha256_begin(struct sha256 *s) {
    memcpy(s->h, H256, sizeof s->h);
    s->bytes = 0;
}

void sha256_add(struct sha256 *s, const void *data, size_t n) {
    const uint8_t *p = data;
    while (n--) {
        s->block[s->bytes++ % 64] = *p++;
        if (s->bytes % 64 == 0) block256(s->h, s->block);
    }
}

void sha256_end(struct sha256 *s, uint8_t out[32]) {
    uint64_t bits = (uint64_t)s->bytes * 8;
    uint8_t byte = 0x80, length[8];
    for (int i = 0; i < 8; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
    do {
        sha256_add(s, &byte, 1);
        byte = 0;
    } while (s->bytes % 64 != 56);
    sha256_add(s, length, 8);
    for (int i = 0; i < 32; i++) out[i] = (uint8_t)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

void hmac_sha256(uint8_t out[32], const uint8_t *key, size_t key_size, const void *data, size_t n) {
    struct sha256 s;
    uint8_t pad[64];
    for (int pass = 0; pass < 2; pass++) {
        memset(pad, pass ? 0x5c : 0x36, sizeof pad);
        for (size_t i = 0; i < key_size; i++) pad[i] ^= key[i]; /* keys here are never longer than a block */
        sha256_begin(&s);
        sha256_add(&s, pad, sizeof pad);
        sha256_add(&s, pass ? out : data, pass ? 32 : n);
        sha256_end(&s, out);
    }
}

void hkdf_64(uint8_t out[64], const uint8_t secret[32], const uint8_t salt[32], const char *info) {
    uint8_t extracted[32], text[96];
    size_t n = strlen(info);
    hmac_sha256(extracted, salt, 32, secret, 32);
    memcpy(text, info, n);
    text[n] = 1;
    hmac_sha256(out, extracted, 32, text, n + 1);
    memcpy(text, out, 32);
    memcpy(text + 32, info, n);
    text[32 + n] = 2;
    hmac_sha256(out + 32, extracted, 32, text, 33 + n);
}

/* ---------------------------------------------------------------- SHA-512 */

static void block512(uint64_t h[8], const uint8_t *p) {
    uint64_t w[16], v[8];
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 80; i++) {
        if (i < 16) {
            w[i] = 0;
            for (int k = 0; k < 8; k++) w[i] = w[i] << 8 | p[8 * i + k];
        } else {
            uint64_t a = w[(i + 1) & 15], b = w[(i + 14) & 15];
            w[i & 15] += (turn64(a, 1) ^ turn64(a, 8) ^ a >> 7) + w[(i + 9) & 15] + (turn64(b, 19) ^ turn64(b, 61) ^ b >> 6);
        }
        uint64_t e = v[4], a = v[0];
        uint64_t one = v[7] + (turn64(e, 14) ^ turn64(e, 18) ^ turn64(e, 41)) + ((e & v[5]) ^ (~e & v[6])) + K512[i] + w[i & 15];
        uint64_t two = (turn64(a, 28) ^ turn64(a, 34) ^ turn64(a, 39)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
}

void sha512_begin(struct sha512 *s) {
    memcpy(s->h, H512, sizeof s->h);
    s->bytes = 0;
}

void sha512_add(struct sha512 *s, const void *data, size_t n) {
    const uint8_t *p = data;
    while (n--) {
        s->block[s->bytes++ % 128] = *p++;
        if (s->bytes % 128 == 0) block512(s->h, s->block);
    }
}

void sha512_end(struct sha512 *s, uint8_t out[64]) {
    uint64_t bits = (uint64_t)s->bytes * 8;
    uint8_t byte = 0x80, length[16] = {0}; /* of sixteen bytes the first eight are always 0 here */
    for (int i = 0; i < 8; i++) length[8 + i] = (uint8_t)(bits >> (56 - 8 * i));
    do {
        sha512_add(s, &byte, 1);
        byte = 0;
    } while (s->bytes % 128 != 112);
    sha512_add(s, length, 16);
    for (int i = 0; i < 64; i++) out[i] = (uint8_t)(s->h[i / 8] >> (56 - 8 * (i % 8)));
}
