#ifndef SABOT_REFERENCE_WORKS_H
#define SABOT_REFERENCE_WORKS_H

/* The works of a shuffler and packet shoe: what may be done when, what is counted, and what is told of it.
 *
 * Motors and sensors are the port's: works give it orders through `struct works_motors`, and are told by the
 * functions below what came of them. No clock, no allocation, no order of cards. */

#include "link.h"

enum {
    PLAY = 1, FAULTS = 12, JAMMED = 1, TOO_FEW = 3, STORE_FULL = 12, SLOTS = 2,
    /* What `put_out` takes cards from: a slot, what belongs to no deck, or everything. */
    LOOSE = 2, EVERYTHING = 3
};

struct works_card {
    uint8_t rank, suit, face, color, confidence;
};

struct works_motors {
    void *context;
    uint8_t (*in_intake)(void *context); /* cards that wait there, as far as it can see; 0: none */
    void (*take_in)(void *context);      /* then works_card for each, works_all_in at the end */
    void (*mix)(void *context, uint8_t slot, bool is_handed_out); /* then works_mixed */
    void (*stop)(void *context);         /* what was taken in goes back to the intake; the number that did not */
    void (*put_out)(void *context, uint8_t from, uint8_t cards); /* then works_put_out */
    void (*recall)(void *context);       /* puts out nothing of what has not begun */
    void (*test)(void *context, uint8_t fault); /* then works_tested */
};

struct works_deck {
    uint8_t name, cards, size;
};

struct works {
    struct link *link;
    const struct works_motors *motors;
    uint16_t capabilities;
    uint32_t now;
    uint8_t wants, mode, doors;
    bool is_held;

    uint8_t oldest[FAULTS], fault_count; /* latched, in their order */
    uint16_t tested;                     /* a bit for each fault that was tested good since */

    uint8_t cycle, cycle_deck, cycle_slot, reads, taken_in;
    uint8_t seen[53];

    struct works_deck decks[SLOTS]; /* by slot; no cards: the slot is free */
    uint8_t first;                  /* the slot that was completed first */
    uint16_t loose, cards_in, given_out;

    enum { STILL, STACKING, EJECTING } moving;
    uint32_t order, last_order;
    uint8_t order_deck, order_cards;

    bool is_lying;
    uint32_t lying_order;
    uint8_t lying_deck;

    uint32_t cycles, stacks, cards_out;
};

/* What a machine knows of itself when power comes: cards inside, a cycle that was broken off, latched faults. */
struct works_start {
    uint16_t inside;
    uint8_t mode, doors;
    bool is_broken_off, is_lying;
    uint8_t faults[FAULTS], fault_count;
};

void works_init(struct works *w, struct link *link, const struct works_motors *motors, uint16_t capabilities,
                const struct works_start *start);
/* The functions of `struct link_works`. */
uint8_t works_command(void *works, uint8_t type, const uint8_t *payload);
void works_state(void *works, uint8_t *out);
void works_no_host(void *works, uint8_t wants);

/* What the motors and sensors have to say. */
void works_card(struct works *w, struct works_card card);
void works_all_in(struct works *w);
void works_mixed(struct works *w);
void works_put_out(struct works *w, const uint8_t *codes, uint8_t n); /* codes: NULL where they are not read */
void works_exit_empty(struct works *w);
void works_jam(struct works *w, uint8_t place, uint8_t cause);
void works_fault(struct works *w, uint8_t fault);
void works_tested(struct works *w, uint8_t fault, bool is_good);
void works_door(struct works *w, uint8_t door, bool is_open);
void works_mode(struct works *w, uint8_t mode);
void works_emptied(struct works *w);                    /* all cards were taken out by hand */
void works_deck_removed(struct works *w, uint8_t slot); /* one deck was */

#endif
