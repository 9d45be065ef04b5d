#ifndef SABOT_REFERENCE_BYTES_H
#define SABOT_REFERENCE_BYTES_H

/* Numbers on a wire, most significant byte first; each returns the place behind what it put. */

#include <stddef.h>
#include <stdint.h>

uint8_t *put8(uint8_t *at, uint8_t value);
uint8_t *put16(uint8_t *at, uint16_t value);
uint8_t *put32(uint8_t *at, uint32_t value);
uint8_t *put64(uint8_t *at, uint64_t value);
uint8_t *put_bytes(uint8_t *at, const void *bytes, size_t n);
/* A byte of length, then the characters. */
uint8_t *put_text(uint8_t *at, const char *text);
uint16_t get16(const uint8_t *at);
uint32_t get32(const uint8_t *at);
uint64_t get64(const uint8_t *at);

/* The CRC-32 of Ethernet, zip and PNG. */
uint32_t crc32_of(const uint8_t *bytes, size_t n);

#endif
