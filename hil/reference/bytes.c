/* Numbers and check sums on a wire. */

#include "bytes.h"

#include <string.h>

uint8_t *put8(uint8_t *at, uint8_t value) {
    *at = value;
    return at + 1;
}

uint8_t *put16(uint8_t *at, uint16_t value) { return put8(put8(at, (uint8_t)(value >> 8)), (uint8_t)value); }

uint8_t *put32(uint8_t *at, uint32_t value) { return put16(put16(at, (uint16_t)(value >> 16)), (uint16_t)value); }

uint8_t *put64(uint8_t *at, uint64_t value) { return put32(put32(at, (uint32_t)(value >> 32)), (uint32_t)value); }

uint16_t get16(const uint8_t *at) { return (uint16_t)(at[0] << 8 | at[1]); }

uint32_t get32(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

uint64_t get64(const uint8_t *at) { return (uint64_t)get32(at) << 32 | get32(at + 4); }

uint8_t *put_bytes(uint8_t *at, const void *bytes, size_t n) {
    memcpy(at, bytes, n);
    return at + n;
}

uint8_t *put_text(uint8_t *at, const char *text) {
    size_t n = strlen(text);
    return put_bytes(put8(at, (uint8_t)n), text, n);
}

uint32_t crc32_of(const uint8_t *bytes, size_t n) {
    uint32_t crc = 0xffffffffu;
    while (n--) {
        crc ^= *bytes++;
        for (int i = 0; i < 8; i++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return crc ^ 0xffffffffu;
}
