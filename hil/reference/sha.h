#ifndef SABOT_REFERENCE_SHA_H
#define SABOT_REFERENCE_SHA_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
    uint32_t h[8];
    uint32_t bytes;
    uint8_t block[64];
};

struct sha512 {
    uint64_t h[8];
    uint32_t bytes;
    uint8_t block[128];
};

void sha256_begin(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *data, size_t n);
void sha256_end(struct sha256 *s, uint8_t out[32]);

void sha512_begin(struct sha512 *s);
void sha512_add(struct sha512 *s, const void *data, size_t n);
void sha512_end(struct sha512 *s, uint8_t out[64]);

/* A key of up to 64 bytes. */
void hmac_sha256(uint8_t out[32], const uint8_t *key, size_t key_size, const void *data, size_t n);

/* Two keys out of a shared secret; `info` is shorter than 60 characters. */
void hkdf_64(uint8_t out[64], const uint8_t secret[32], const uint8_t salt[32], const char *info);

#endif
