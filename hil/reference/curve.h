#ifndef SABOT_REFERENCE_CURVE_H
#define SABOT_REFERENCE_CURVE_H

#include <stddef.h>
#include <stdint.h>

/* X25519 (RFC 7748): the public key of a private one, and the secret that two sides share. */
void x25519_public(uint8_t out[32], const uint8_t secret[32]);
void x25519(uint8_t out[32], const uint8_t secret[32], const uint8_t theirs[32]);

/* Ed25519 (RFC 8032): `seed` is the private key. */
void ed25519_public(uint8_t out[32], const uint8_t seed[32]);
void ed25519_sign(uint8_t out[64], const uint8_t seed[32], const void *message, size_t n);

#endif
