/* The works: see works.h. Section names in comments are those of docs/sabot-link.md. */

#include "works.h"

#include <string.h>

#include "sha.h"

enum {
    SERVICE_DOOR = 3, INTAKE_LID = 1, BY_JAM = 1, BY_DOOR = 2, BY_FACE = 5, BY_HAND = 7, FACE_UP = 2,
    IN_CYCLE = 3, BROKEN_OFF = 2, RUNNING = 1, UNREAD = 52, WANTS_CODES = 2, WANTS_WHOLE = 4, MOST = 52
};

static void tell(struct works *w, uint8_t type, const uint8_t *rest, const uint8_t *end) {
    link_event(w->link, type, rest, (uint8_t)(end - rest), w->link->now);
}

static void tell2(struct works *w, uint8_t type, uint8_t a, uint8_t b) {
    uint8_t rest[2] = {a, b};
    tell(w, type, rest, rest + 2);
}

/* ---------------------------------------------------------------- Faults */

static uint16_t bit_of(uint8_t fault) { return (uint16_t)(1u << fault); }

static bool is_latched(const struct works *w, uint8_t fault) {
    for (uint8_t i = 0; i < w->fault_count; i++)
        if (w->oldest[i] == fault) return true;
    return false;
}

static void latch(struct works *w, uint8_t fault) {
    w->tested = (uint16_t)(w->tested & ~bit_of(fault));
    if (!is_latched(w, fault) && w->fault_count < FAULTS) w->oldest[w->fault_count++] = fault;
}

void works_fault(struct works *w, uint8_t fault) {
    latch(w, fault);
    tell2(w, FAULT, fault, 1);
}

/* Each event is one fewer that has room. */
static void watch_store(struct works *w) {
    if (link_is_nearly_full(w->link) && !is_latched(w, STORE_FULL)) works_fault(w, STORE_FULL);
}

void works_tested(struct works *w, uint8_t fault, bool is_good) {
    if (is_good) w->tested = fault ? (uint16_t)(w->tested | bit_of(fault)) : 0xffff;
    if (link_is_nearly_full(w->link)) w->tested = (uint16_t)(w->tested & ~bit_of(STORE_FULL));
    tell2(w, RETESTED, fault, is_good);
}

static uint8_t clear(struct works *w, uint8_t fault) {
    uint8_t left = 0;
    for (uint8_t i = 0; i < w->fault_count; i++) {
        bool is_meant = !fault || w->oldest[i] == fault;
        if (is_meant && !(w->tested & bit_of(w->oldest[i]))) return LATCHED;
    }
    for (uint8_t i = 0; i < w->fault_count; i++) {
        if (fault && w->oldest[i] != fault)
            w->oldest[left++] = w->oldest[i];
        else
            tell2(w, FAULT, w->oldest[i], 0);
    }
    w->fault_count = left;
    return ACCEPTED;
}

/* ---------------------------------------------------------------- The cards inside */

/* The slot of a deck: by its name, or one without a name that it gets by being asked for. */
static int slot_of(const struct works *w, uint8_t name) {
    int nameless = -1;
    for (int i = 0; i < SLOTS; i++) {
        if (w->decks[i].cards && w->decks[i].name == name) return i;
        if (w->decks[i].cards && !w->decks[i].name) nameless = i;
    }
    return nameless;
}

static uint16_t ready_cards(const struct works *w) { return (uint16_t)(w->decks[0].cards + w->decks[1].cards); }

static uint16_t inside(const struct works *w) { return (uint16_t)(ready_cards(w) + w->loose + w->taken_in); }

static uint8_t ready_decks(const struct works *w) { return (uint8_t)(!!w->decks[0].cards + !!w->decks[1].cards); }

static bool has_room_for(const struct works *w, uint8_t name) {
    uint8_t holds = w->capabilities & HOLDS_TWO ? 2 : 1;
    for (int i = 0; i < SLOTS; i++)
        if (w->decks[i].cards && w->decks[i].name == name) return false;
    return !w->loose && ready_decks(w) < holds;
}

static void loosen(struct works *w) {
    w->loose = (uint16_t)(w->loose + ready_cards(w));
    memset(w->decks, 0, sizeof w->decks);
}

/* ---------------------------------------------------------------- What a command is answered */

static bool is_deck(uint8_t name) { return name >= 'A' && name <= 'Z'; }

static bool is_odd(const struct works *w, uint8_t type, const uint8_t *p) {
    if (type == SHUFFLE) return !is_deck(p[0]);
    if (type == EJECT_STUB) return p[0] && !is_deck(p[0]);
    return !is_deck(p[4]) || !p[5] || p[5] > MOST || get32(p) <= w->last_order;
}

static uint16_t cards_for(const struct works *w, uint8_t type, uint8_t name) {
    if (type == SHUFFLE) return w->motors->in_intake(w->motors->context);
    if (!name) return inside(w);
    int slot = slot_of(w, name);
    return slot < 0 ? 0 : w->decks[slot].cards;
}

/* The first reason in the order of the page. */
static uint8_t refusal(const struct works *w, uint8_t type, const uint8_t *p) {
    uint16_t needs = type == SHUFFLE ? CAN_SHUFFLE : type == DISPENSE ? CAN_DISPENSE : CAN_EJECT;
    uint8_t name = type == DISPENSE ? p[4] : p[0], wanted = type == DISPENSE ? p[5] : 1;
    if (!(w->capabilities & needs)) return NOT_SUPPORTED;
    if (is_odd(w, type, p)) return NONSENSE;
    if (w->fault_count) return LATCHED;
    if (w->doors >> (SERVICE_DOOR - 1) & 1 || (type == SHUFFLE && w->doors & INTAKE_LID)) return DOOR_OPEN;
    if (w->mode != PLAY) return WRONG_MODE;
    if (w->is_held && type != SHUFFLE) return HELD;
    if (w->cycle == RUNNING || w->moving != STILL) return BUSY;
    if (w->is_lying && type != SHUFFLE) return EXIT_OCCUPIED;
    if (type == SHUFFLE && !has_room_for(w, name)) return CARDS_INSIDE;
    return cards_for(w, type, name) < wanted ? NOT_ENOUGH : ACCEPTED;
}

static void start_cycle(struct works *w, uint8_t name) {
    w->cycle = RUNNING;
    w->cycle_deck = name;
    w->cycle_slot = w->decks[0].cards ? 1 : 0;
    w->reads = w->taken_in = 0;
    memset(w->seen, 0, sizeof w->seen);
    tell(w, CYCLE_STARTED, &name, &name + 1);
    w->motors->take_in(w->motors->context);
}

static void put_out(struct works *w, uint8_t name, uint8_t cards, uint32_t order) {
    int slot = slot_of(w, name);
    w->order = order;
    w->order_deck = name;
    w->order_cards = cards;
    w->moving = order ? STACKING : EJECTING;
    if (order) w->last_order = order;
    if (name) w->decks[slot].name = name;
    w->motors->put_out(w->motors->context, name ? (uint8_t)slot : EVERYTHING, cards);
}

static void hold(struct works *w) {
    w->is_held = true;
    if (w->moving != STILL) w->motors->recall(w->motors->context);
    w->moving = STILL;
}

uint8_t works_command(void *works, uint8_t type, const uint8_t *p) {
    struct works *w = works;
    uint8_t code = ACCEPTED;
    if (type == SHUFFLE || type == DISPENSE || type == EJECT_STUB) code = refusal(w, type, p);
    if (type == CLEAR_FAULT) return clear(w, p[0]);
    if (code != ACCEPTED) return code;
    if (type == SHUFFLE) start_cycle(w, p[0]);
    if (type == DISPENSE) put_out(w, p[4], p[5], get32(p));
    if (type == EJECT_STUB) put_out(w, p[0], (uint8_t)cards_for(w, type, p[0]), 0);
    if (type == HOLD) hold(w);
    if (type == FREE) w->is_held = false;
    if (type == RETEST) w->motors->test(w->motors->context, p[0]);
    return ACCEPTED;
}

void works_no_host(void *works, uint8_t wants) {
    struct works *w = works;
    hold(w);
    w->wants = wants;
    w->last_order = 0;
}

/* ---------------------------------------------------------------- A cycle */

static void stop_cycle(struct works *w, uint8_t cause) {
    uint8_t rest[3] = {w->cycle_deck, cause, w->taken_in};
    if (w->cycle != RUNNING) return;
    w->cycle = 0;
    w->taken_in = 0;
    w->motors->stop(w->motors->context);
    tell(w, CYCLE_STOPPED, rest, rest + 3);
}

void works_card(struct works *w, struct works_card card) {
    uint8_t rest[7];
    bool is_read = card.rank != 0;
    if (w->cycle != RUNNING) return;
    w->taken_in++;
    if (w->capabilities & CAN_READ) {
        w->seen[is_read ? (card.rank - 2) * 4 + card.suit : UNREAD]++;
        uint8_t *at = put8(put8(put16(rest, ++w->reads), card.rank), is_read ? card.suit : 255);
        put8(put8(put8(at, card.face), card.color), card.confidence);
        tell(w, CARD_READ, rest, rest + 7);
    }
    if (card.face == FACE_UP && w->capabilities & CAN_SEE_FACES) stop_cycle(w, BY_FACE);
}

static bool is_handed_out(const struct works *w) {
    return w->wants & WANTS_WHOLE || !(w->capabilities & CAN_DISPENSE);
}

void works_all_in(struct works *w) {
    if (w->cycle == RUNNING) w->motors->mix(w->motors->context, w->cycle_slot, is_handed_out(w));
}

/* The composition digest. */
static void digest(const struct works *w, uint8_t out[32]) {
    static const char title[] = "sabot-link/1 composition";
    struct sha256 s;
    sha256_begin(&s);
    sha256_add(&s, title, sizeof title - 1);
    sha256_add(&s, w->seen, sizeof w->seen);
    sha256_end(&s, out);
}

void works_mixed(struct works *w) {
    uint8_t rest[35] = {w->cycle_deck, w->taken_in, w->reads};
    if (w->cycle != RUNNING) return;
    if (w->capabilities & CAN_READ) digest(w, rest + 3);
    w->cycle = 0;
    w->cycles++;
    w->cards_in = (uint16_t)(w->cards_in + w->taken_in);
    if (is_handed_out(w)) {
        w->cards_out += w->taken_in;
        w->given_out = (uint16_t)(w->given_out + w->taken_in);
    } else {
        struct works_deck made = {w->cycle_deck, w->taken_in, w->taken_in};
        w->decks[w->cycle_slot] = made;
        if (ready_decks(w) == 1) w->first = w->cycle_slot;
    }
    w->taken_in = 0;
    tell(w, CYCLE_COMPLETED, rest, rest + 35);
    watch_store(w);
}

/* ---------------------------------------------------------------- Stacks and the exit */

static void take_away(struct works *w, uint8_t name, uint8_t n) {
    int slot = slot_of(w, name);
    w->cards_out += n;
    w->given_out = (uint16_t)(w->given_out + n);
    if (!name) {
        memset(w->decks, 0, sizeof w->decks);
        w->loose = 0;
    } else if (slot >= 0) {
        w->decks[slot].cards = (uint8_t)(w->decks[slot].cards - n);
    }
    if (!w->decks[w->first].cards) w->first = (uint8_t)!w->first;
}

static void lie(struct works *w, uint8_t n) {
    w->is_lying = n && w->capabilities & SENSES_EXIT;
    w->lying_order = w->order;
    w->lying_deck = w->order_deck;
}

void works_put_out(struct works *w, const uint8_t *codes, uint8_t n) {
    uint8_t rest[LINK_EVENT - 8], *at;
    bool is_stack = w->moving == STACKING;
    if (w->moving == STILL) return;
    w->moving = STILL;
    take_away(w, w->order_deck, n);
    lie(w, n);
    if (!is_stack) {
        tell2(w, EJECTED, w->order_deck, n);
        return;
    }
    w->stacks++;
    bool is_told = codes && w->wants & WANTS_CODES && w->capabilities & CAN_READ_STACKS;
    at = put8(put8(put8(put32(rest, w->order), w->order_deck), n), is_told ? n : 0);
    for (uint8_t i = 0; is_told && i < n; i++) at = put8(at, codes[i]);
    tell(w, STACK, rest, at);
    if (n < w->order_cards) works_fault(w, TOO_FEW);
    watch_store(w);
}

void works_exit_empty(struct works *w) {
    uint8_t rest[5];
    if (!w->is_lying) return;
    w->is_lying = false;
    put8(put32(rest, w->lying_order), w->lying_deck);
    tell(w, TAKEN, rest, rest + 5);
}

/* ---------------------------------------------------------------- What goes wrong, and what hands do */

void works_jam(struct works *w, uint8_t place, uint8_t cause) {
    tell2(w, JAM, place, cause);
    latch(w, JAMMED);
    w->motors->recall(w->motors->context);
    w->moving = STILL;
    if (place <= IN_CYCLE) stop_cycle(w, BY_JAM);
}

void works_door(struct works *w, uint8_t door, bool is_open) {
    uint8_t bit = (uint8_t)(1u << (door - 1));
    w->doors = (uint8_t)(is_open ? w->doors | bit : w->doors & ~bit);
    tell2(w, DOOR, door, is_open);
    if (is_open && door == SERVICE_DOOR) stop_cycle(w, BY_DOOR);
    watch_store(w);
}

void works_mode(struct works *w, uint8_t mode) {
    w->mode = mode;
    tell(w, MODE, &mode, &mode + 1);
    if (mode == PLAY) return;
    stop_cycle(w, BY_HAND);
    loosen(w);
}

static void tell_emptied(struct works *w, uint8_t name, uint16_t in, uint16_t out) {
    uint8_t rest[5];
    put16(put16(put8(rest, name), in), out);
    tell(w, EMPTIED, rest, rest + 5);
}

void works_emptied(struct works *w) {
    uint16_t left = inside(w);
    tell_emptied(w, 0, w->cards_in, (uint16_t)(w->given_out + left));
    memset(w->decks, 0, sizeof w->decks);
    w->loose = w->cards_in = w->given_out = 0;
    if (w->cycle == BROKEN_OFF) w->cycle = 0;
}

void works_deck_removed(struct works *w, uint8_t slot) {
    struct works_deck gone = w->decks[slot];
    w->given_out = (uint16_t)(w->given_out + gone.cards);
    memset(&w->decks[slot], 0, sizeof w->decks[slot]);
    if (!w->decks[w->first].cards) w->first = (uint8_t)!w->first;
    tell_emptied(w, inside(w) ? gone.name : 0, gone.size, gone.size);
    if (!inside(w)) w->cards_in = w->given_out = 0;
}

/* ---------------------------------------------------------------- STATE */

void works_state(void *works, uint8_t *out) {
    const struct works *w = works;
    const struct works_deck *one = &w->decks[w->first], *two = &w->decks[!w->first];
    out = put8(put8(put8(out, w->mode), w->is_held), w->doors);
    out = put8(put8(out, w->fault_count ? w->oldest[0] : 0), w->cycle);
    out = put8(put8(out, w->cycle ? w->cycle_deck : 0), w->is_lying);
    out = put8(put8(out, one->cards ? one->name : 0), one->cards);
    out = put8(put8(out, two->cards ? two->name : 0), two->cards);
    put32(put32(put32(put16(out, inside(w)), w->cycles), w->stacks), w->cards_out);
}

void works_init(struct works *w, struct link *link, const struct works_motors *motors, uint16_t capabilities,
                const struct works_start *start) {
    memset(w, 0, sizeof *w);
    w->link = link;
    w->motors = motors;
    w->capabilities = capabilities;
    w->mode = start->mode;
    w->doors = start->doors;
    w->is_held = true;
    w->loose = w->cards_in = start->inside;
    w->cycle = start->is_broken_off ? BROKEN_OFF : 0;
    w->is_lying = start->is_lying;
    memcpy(w->oldest, start->faults, FAULTS);
    w->fault_count = start->fault_count;
}
