#ifndef SABOT_REFERENCE_LINK_H
#define SABOT_REFERENCE_LINK_H

/* The device's side of Sabot Link, from docs/sabot-link.md: frames, session, proof, delivery, kept events.
 *
 * No allocation, no clock, no port: the owner brings bytes and milliseconds, and takes bytes. Everything that
 * moves cards is behind `struct link_works`. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"

enum {
    /* Messages. */
    HELLO = 0x01, IDENTITY, PROVE, PROOF, PARTING, ACK, PING, PONG,
    QUERY = 0x10, SHUFFLE, DISPENSE, HOLD, FREE, EJECT_STUB, RETEST, CLEAR_FAULT,
    CYCLE_STARTED = 0x20, CARD_READ, CYCLE_COMPLETED, CYCLE_STOPPED, STACK, JAM, DOOR, MODE, EMPTIED,
    FAULT, RETESTED, EJECTED, TAKEN,
    RESULT = 0x30, STATE,
    /* Codes of RESULT. */
    ACCEPTED = 0, BUSY, HELD, WRONG_MODE, DOOR_OPEN, NOT_ENOUGH, LATCHED, NOT_SUPPORTED, NONSENSE, EXIT_OCCUPIED,
    CARDS_INSIDE,
    /* Sizes, in bytes. */
    LINK_HEADER = 16, LINK_PAYLOAD = 200, LINK_MAC = 16, LINK_CRC = 4, LINK_BUFFER = 255,
    LINK_BODY = LINK_HEADER + LINK_PAYLOAD + LINK_MAC + LINK_CRC,
    LINK_HELLO = LINK_HEADER + 75, LINK_STATE = 35, LINK_EVENT = 67,
    /* What is kept: events until the host has them, answers until they are sent. */
    LINK_STORE = 8192, LINK_EVENTS = 256, LINK_SPARE = 64, LINK_ANSWERS = 8
};

/* Capabilities, as IDENTITY tells them. */
enum {
    CAN_SHUFFLE = 1, CAN_DISPENSE = 2, CAN_COUNT = 4, CAN_READ = 8, CAN_READ_STACKS = 16, CAN_SEE_FACES = 32,
    CAN_SEE_COLORS = 64, CAN_EJECT = 128, SENSES_EXIT = 256, HOLDS_TWO = 512
};

struct link_who {
    uint8_t kind; /* 1 shuffler, 2 packet shoe, 3 both */
    uint16_t capabilities;
    const char *maker, *model, *serial, *firmware; /* up to 20 characters each */
    uint8_t seed[32];                              /* the private key, made in this unit */
    uint8_t public[32];
};

/* The machine behind the link, and the port before it. */
struct link_works {
    void *context;
    /* A command with a payload of the right length; the code of RESULT. */
    uint8_t (*command)(void *context, uint8_t type, const uint8_t *payload);
    /* The fields of STATE from `mode` to `cards_out`: 25 bytes. */
    void (*state)(void *context, uint8_t *out);
    /* A session has ended, or begun: hold the cards. `wants` is that of HELLO. */
    void (*no_host)(void *context, uint8_t wants);
    void (*send)(void *context, const uint8_t *bytes, size_t n);
    /* Bytes that nobody can guess. */
    void (*random)(void *context, uint8_t *out, size_t n);
};

struct link_answer {
    uint8_t type, size;
    uint8_t payload[LINK_STATE];
};

enum link_stage { NOBODY, GREETED, OPEN, ENDED };

struct link {
    const struct link_who *who;
    const struct link_works *works;
    uint32_t boot, now, began;
    enum link_stage stage;

    /* The session. */
    uint8_t hello[LINK_HELLO];
    uint8_t nonce[32], secret[32], public[32];
    uint8_t to_host[32], to_device[32], signature[64];
    bool wants_proof, is_proved, is_known_version;
    uint32_t session, token, taken, sent, heard;
    uint8_t forged;

    /* The reliable frame that is under way: an answer, an event, or none. */
    enum { IDLE, ANSWERING, REPORTING } way;
    uint8_t sendings;
    uint32_t due;
    bool told_state;
    struct link_answer answers[LINK_ANSWERS];
    uint8_t first_answer, answer_count;

    /* Events: type, length, payload, one behind the other in a ring. */
    uint32_t events;
    uint16_t kept, head, used;
    uint8_t store[LINK_STORE];

    uint8_t in[LINK_BUFFER];
    uint8_t in_size;
    bool is_skipping;
};

/* Power came on. `who` and `works` are kept, not copied. */
void link_start(struct link *l, const struct link_who *who, const struct link_works *works, uint32_t now);
void link_receive(struct link *l, const uint8_t *bytes, size_t n, uint32_t now);
/* To be called when `link_deadline` is due, and after events. */
void link_tick(struct link *l, uint32_t now);
/* Milliseconds until `link_tick` has something to do, at most `most`. */
uint32_t link_deadline(const struct link *l, uint32_t now, uint32_t most);
/* Something happened: `rest` is what the event has behind its number and time. */
void link_event(struct link *l, uint8_t type, const uint8_t *rest, uint8_t n, uint32_t now);
/* Whether fewer events have room than the end of what is under way may need. */
bool link_is_nearly_full(const struct link *l);

/* Frames, for whoever wants to try them alone. */
size_t cobs_encode(uint8_t *out, const uint8_t *in, size_t n);
/* The size of what was encoded, 0 where it is none. */
size_t cobs_decode(uint8_t *out, const uint8_t *in, size_t n);

#endif
