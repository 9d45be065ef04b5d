#ifndef SABOT_REFERENCE_PADS_H
#define SABOT_REFERENCE_PADS_H

/* The pad's side of Sabot pads, from docs/sabot-pads.md: frames, session, proof, spots, the lock.
 *
 * No allocation, no clock, no port: the owner brings bytes, milliseconds and what its sensors see, and takes a
 * frame whenever the IN endpoint is free. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PADS_SPOTS = 64, PADS_SEATS = 8,
    PADS_HEADER = 24, PADS_PAYLOAD = 612, PADS_MAC = 16, PADS_CRC = 4,
    PADS_FRAME = PADS_HEADER + PADS_PAYLOAD + PADS_MAC + PADS_CRC,
    PADS_HELLO = PADS_HEADER + 67
};

/* Capabilities, as IDENTITY tells them. */
enum { SENSES_VALUES = 1, MEASURES_LIGHT = 2, HAS_SPOT_LAMPS = 4, HAS_SEAT_LAMPS = 8, HAS_SWITCH = 16 };

/* Flags of STATE. */
enum { LOCKED_ITSELF = 1, TEST_FAILED = 2, HOUSING_OPEN = 4 };

enum pads_state { EMPTY, COVERED, LATE, LIFTED, CHANGED, BLIND };

#define PADS_UNKNOWN 0xffffffffu

struct pads_who {
    uint8_t spots; /* 1 to 64 */
    uint16_t capabilities;
    const char *maker, *model, *serial, *firmware; /* up to 20 characters each */
    uint8_t seed[32];                              /* the private key, made in this unit */
    uint8_t public[32];
};

struct pads_spot {
    uint8_t state, changes, light;
    bool has_changed, is_settling;
    uint32_t cents, changed_at; /* 0: nothing lies there */
    uint32_t seen, seen_since;  /* what the sensor says that was not said for long enough yet */
};

struct pads {
    const struct pads_who *who;
    void (*random)(void *context, uint8_t *out, size_t n);
    void *context;
    uint32_t boot, now, began;

    /* The session. */
    uint8_t hello[PADS_HELLO];
    uint8_t nonce[32], secret[32], public[32];
    uint8_t to_host[32], to_pad[32], signature[64];
    uint32_t session, greeted_at, taken, made, ordered_at, told_at;
    bool wants_proof, is_known_version, is_proved;
    uint8_t forged;

    /* What waits for the endpoint: a STATE that nobody took is replaced by the next. */
    bool owes_identity, owes_proof, owes_state;

    uint64_t locked, expected, lit;
    uint8_t seats[PADS_SEATS];
    uint16_t selflocks;
    uint8_t flags;
    struct pads_spot spots[PADS_SPOTS];

    uint8_t in[PADS_FRAME];
    uint16_t in_size;
};

/* Power came on: everything is locked, and what lies there came at a time that nobody knows. `cents` has what
 * the sensors see, a number for each spot. */
void pads_start(struct pads *p, const struct pads_who *who, void (*random)(void *, uint8_t *, size_t), void *context,
                const uint32_t *cents, uint32_t now);
void pads_receive(struct pads *p, const uint8_t *bytes, size_t n, uint32_t now);
/* To be called when `pads_deadline` is due. */
void pads_tick(struct pads *p, uint32_t now);
/* Milliseconds until `pads_tick` has something to do, at most `most`. */
uint32_t pads_deadline(const struct pads *p, uint32_t now, uint32_t most);
/* The next frame for the host, at most PADS_FRAME bytes; 0 where there is none. */
size_t pads_take(struct pads *p, uint8_t *out, uint32_t now);

/* A sensor sees so much: 0 nothing, PADS_UNKNOWN chips of an unknown value. Debounce is done here. */
void pads_sense(struct pads *p, uint8_t spot, uint32_t cents, uint32_t now);
void pads_light(struct pads *p, uint8_t spot, uint8_t level, bool is_blind, uint32_t now);
void pads_housing(struct pads *p, bool is_open, uint32_t now);

/* What the lamps of the spots show: a refused wager has no light. */
uint64_t pads_burning(const struct pads *p);

#endif
