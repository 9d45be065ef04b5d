/* The pad's side of Sabot pads. Section names in comments are those of docs/sabot-pads.md. */

#include "pads.h"

#include <string.h>

#include "bytes.h"
#include "curve.h"
#include "sha.h"

enum {
    HELLO = 0x01, IDENTITY, PROVE, PROOF, ORDER = 0x10, STATE = 0x20,
    VERSION = 1, SIGNED = 1, WANTS_PROOF = 1, HELLO_SIZE = 67, ORDER_SIZE = 34, PROOF_SIZE = 64, KEY_AT = 35,
    DEBOUNCE_MS = 30, LATE_VALUE_MS = 500, SILENCE_MS = 1000, BEAT_MS = 250, STRANGERS = 3, MOST_LAMP = 3,
    LONG_AGO = 0xffff
};

static const uint8_t MAGIC[2] = {'S', 'P'};

static uint64_t bit_of(uint8_t spot) { return (uint64_t)1 << spot; }

/* ---------------------------------------------------------------- STATE */

/* The next STATE is made: what was not taken yet is replaced by it. */
static void make_state(struct pads *p) {
    if (!p->taken) return;
    p->made++;
    p->owes_state = true;
    p->told_at = p->now;
}

uint64_t pads_burning(const struct pads *p) {
    uint64_t counting = 0;
    for (uint8_t i = 0; i < p->who->spots; i++)
        if (p->spots[i].state == COVERED) counting |= bit_of(i);
    return p->lit & counting;
}

static uint8_t *put_spot(const struct pads *p, const struct pads_spot *s, uint8_t *at) {
    bool lies = s->state == COVERED || s->state == LATE || s->state == CHANGED;
    uint32_t age = p->now - s->changed_at;
    at = put8(put8(put8(at, s->state), s->changes), s->light);
    at = put16(at, (uint16_t)(s->has_changed && age < LONG_AGO ? age : LONG_AGO));
    return put32(at, lies ? s->cents : 0);
}

static uint8_t *put_state(const struct pads *p, uint8_t *at) {
    uint64_t every = p->who->spots == PADS_SPOTS ? ~(uint64_t)0 : bit_of(p->who->spots) - 1;
    at = put64(put64(put64(at, p->locked & every), p->expected & every), pads_burning(p));
    at = put_bytes(at, p->seats, PADS_SEATS);
    at = put8(put8(put16(at, p->selflocks), p->flags), p->who->spots);
    for (uint8_t i = 0; i < p->who->spots; i++) at = put_spot(p, &p->spots[i], at);
    return at;
}

/* ---------------------------------------------------------------- The state of a spot */

static void become(struct pads *p, struct pads_spot *s, enum pads_state state, uint32_t at) {
    s->state = (uint8_t)state;
    s->changes++;
    s->has_changed = true;
    s->changed_at = at;
    make_state(p);
}

/* The table of the page: what came, went or changed, where the move is free and where it is late. */
static enum pads_state after_move(enum pads_state before, bool had, bool has, bool is_free) {
    if (!had) return is_free ? COVERED : LATE;
    if (!has) return before == LATE || is_free ? EMPTY : LIFTED;
    return before == COVERED && !is_free ? CHANGED : before;
}

static void settle(struct pads *p, uint8_t spot) {
    struct pads_spot *s = &p->spots[spot];
    uint32_t before = s->cents, at = s->seen_since;
    bool is_free = !(p->locked & bit_of(spot)) || p->expected & bit_of(spot);
    bool is_found_out = before == PADS_UNKNOWN && s->seen && at - s->changed_at <= LATE_VALUE_MS;
    s->is_settling = false;
    s->cents = s->seen;
    if (s->state == BLIND) return;
    become(p, s, is_found_out ? (enum pads_state)s->state : after_move((enum pads_state)s->state, before, s->cents, is_free), at);
}

void pads_sense(struct pads *p, uint8_t spot, uint32_t cents, uint32_t now) {
    struct pads_spot *s = &p->spots[spot];
    if (cents && !(p->who->capabilities & SENSES_VALUES)) cents = PADS_UNKNOWN;
    if (!s->is_settling || s->seen != cents) s->seen_since = now;
    s->seen = cents;
    s->is_settling = cents != s->cents;
}

void pads_light(struct pads *p, uint8_t spot, uint8_t level, bool is_blind, uint32_t now) {
    struct pads_spot *s = &p->spots[spot];
    p->now = now;
    s->light = level;
    if (is_blind && s->state != BLIND)
        become(p, s, BLIND, now);
    else if (!is_blind && s->state == BLIND) /* what it sees came new, and nobody saw it come */
        become(p, s, !s->cents ? EMPTY : p->locked & bit_of(spot) ? LATE : COVERED, now);
    else
        make_state(p);
}

void pads_housing(struct pads *p, bool is_open, uint32_t now) {
    p->now = now;
    p->flags = (uint8_t)(is_open ? p->flags | HOUSING_OPEN : p->flags & ~HOUSING_OPEN);
    make_state(p);
}

static void set_locks(struct pads *p, uint64_t locked) {
    uint64_t opened = p->locked & ~locked;
    p->locked = locked;
    for (uint8_t i = 0; i < p->who->spots; i++) {
        struct pads_spot *s = &p->spots[i];
        if (!(opened & bit_of(i))) continue;
        if (s->state == LIFTED) s->state = EMPTY;
        if (s->state == CHANGED) s->state = COVERED;
    }
}

static void lock_all(struct pads *p) {
    set_locks(p, ~(uint64_t)0);
    p->expected = p->lit = 0;
    memset(p->seats, 0, PADS_SEATS);
}

/* ---------------------------------------------------------------- Frames */

static size_t put_header(uint8_t *out, uint8_t type, bool is_signed, size_t n, uint32_t session, uint32_t sequence, uint32_t ack,
                         uint32_t time) {
    uint8_t *at = put_bytes(out, MAGIC, 2);
    at = put16(put8(put8(put8(put8(at, VERSION), type), is_signed ? SIGNED : 0), 0), (uint16_t)n);
    put32(put32(put32(put32(at, session), sequence), ack), time);
    return PADS_HEADER + n;
}

static size_t close_frame(uint8_t *out, size_t n) {
    put32(out + n, crc32_of(out, n));
    return n + PADS_CRC;
}

static void make_mac(uint8_t out[PADS_MAC], const uint8_t key[32], const uint8_t *body, size_t n) {
    uint8_t full[32];
    hmac_sha256(full, key, 32, body, n);
    memcpy(out, full, PADS_MAC);
}

/* IDENTITY without its CRC; the same bytes as often as it is asked for. */
static size_t make_identity(const struct pads *p, uint8_t *out) {
    const struct pads_who *who = p->who;
    uint8_t *at = put8(put8(out + PADS_HEADER, p->is_known_version), who->spots);
    at = put_bytes(put32(put16(at, who->capabilities), p->boot), p->nonce, 32);
    at = put_bytes(put_bytes(at, p->public, 32), who->public, 32);
    at = put_text(put_text(put_text(put_text(at, who->maker), who->model), who->serial), who->firmware);
    return put_header(out, IDENTITY, false, (size_t)(at - out - PADS_HEADER), get32(p->hello + 8), 0, 0, p->greeted_at - p->began);
}

static size_t make_proof(const struct pads *p, uint8_t *out) {
    memcpy(out + PADS_HEADER, p->signature, PROOF_SIZE);
    return put_header(out, PROOF, false, PROOF_SIZE, p->session, 0, 0, p->now - p->began);
}

static size_t tell_state(const struct pads *p, uint8_t *out) {
    size_t n = (size_t)(put_state(p, out + PADS_HEADER) - out - PADS_HEADER);
    size_t size = put_header(out, STATE, p->wants_proof, n, p->session, p->made, p->taken, p->now - p->began);
    if (!p->wants_proof) return size;
    make_mac(out + size, p->to_host, out, size);
    return size + PADS_MAC;
}

size_t pads_take(struct pads *p, uint8_t *out, uint32_t now) {
    bool *const owed[] = {&p->owes_identity, &p->owes_proof, &p->owes_state};
    size_t (*const make[])(const struct pads *, uint8_t *) = {make_identity, make_proof, tell_state};
    p->now = now;
    for (int i = 0; i < 3; i++) {
        if (!*owed[i]) continue;
        *owed[i] = false;
        return close_frame(out, make[i](p, out));
    }
    return 0;
}

/* ---------------------------------------------------------------- A session, step by step */

/* Whatever was opened is over; only another HELLO begins anew. */
static void end_session(struct pads *p) {
    p->session = p->taken = p->made = 0;
    p->wants_proof = p->is_proved = p->owes_identity = p->owes_proof = p->owes_state = false;
    p->forged = 0;
    memset(p->to_host, 0, sizeof p->to_host);
    memset(p->to_pad, 0, sizeof p->to_pad);
    lock_all(p);
}

static void on_hello(struct pads *p, const uint8_t *frame) {
    const uint8_t *told = frame + PADS_HEADER;
    bool is_same = p->session == get32(frame + 8) && !memcmp(frame + PADS_HEADER, p->hello + PADS_HEADER, HELLO_SIZE);
    if (!is_same) {
        end_session(p);
        memcpy(p->hello, frame, PADS_HELLO);
        p->random(p->context, p->nonce, 32);
        p->random(p->context, p->secret, 32);
        x25519_public(p->public, p->secret);
        p->is_known_version = told[0] <= VERSION && VERSION <= told[1];
        p->wants_proof = told[2] & WANTS_PROOF;
        p->greeted_at = p->now;
        p->session = p->is_known_version ? get32(frame + 8) : 0;
    }
    p->owes_identity = true;
}

/* Authentication: what was said in HELLO and IDENTITY is signed, and makes the keys of this session. */
static bool prove(struct pads *p) {
    static const char title[] = "sabot-pads/1 transcript", proof[] = "sabot-pads/1 proof";
    struct sha256 s;
    uint8_t identity[PADS_FRAME], text[sizeof proof - 1 + 32], shared[32], keys[64], any = 0;
    sha256_begin(&s);
    sha256_add(&s, title, sizeof title - 1);
    sha256_add(&s, p->hello, PADS_HELLO);
    sha256_add(&s, identity, make_identity(p, identity));
    memcpy(text, proof, sizeof proof - 1);
    sha256_end(&s, text + sizeof proof - 1);
    x25519(shared, p->secret, p->hello + PADS_HEADER + KEY_AT);
    for (int i = 0; i < 32; i++) any |= shared[i];
    if (!any) return false;
    hkdf_64(keys, shared, text + sizeof proof - 1, "sabot-pads/1 session");
    memcpy(p->to_pad, keys, 32);
    memcpy(p->to_host, keys + 32, 32);
    ed25519_sign(p->signature, p->who->seed, text, sizeof text);
    return true;
}

static void on_prove(struct pads *p) {
    if (!p->wants_proof || p->taken) return;
    p->is_proved = p->is_proved || prove(p);
    p->owes_proof = p->is_proved;
}

/* ORDER: it locks before anything else, and unlocks only for who has seen what the pad did by itself. */
static void on_order(struct pads *p, const uint8_t *frame) {
    const uint8_t *told = frame + PADS_HEADER;
    bool has_seen = get16(told + 32) == p->selflocks;
    set_locks(p, has_seen ? get64(told) : ~(uint64_t)0);
    if (has_seen) p->flags &= (uint8_t)~LOCKED_ITSELF;
    p->expected = get64(told + 8);
    p->lit = get64(told + 16);
    memcpy(p->seats, told + 24, PADS_SEATS);
    p->taken = get32(frame + 12);
    p->ordered_at = p->now;
    make_state(p);
}

/* Whether an ORDER comes from the host of this session; the third that does not ends it. */
static bool is_believed(struct pads *p, const uint8_t *frame, bool is_signed) {
    uint8_t mac[PADS_MAC], differs = 0;
    size_t size = PADS_HEADER + (size_t)ORDER_SIZE;
    if (!p->wants_proof || !is_signed) return p->wants_proof == is_signed;
    if (p->is_proved) {
        make_mac(mac, p->to_pad, frame, size);
        for (int i = 0; i < PADS_MAC; i++) differs |= mac[i] ^ frame[size + (size_t)i];
        if (!differs) return true;
    }
    if (++p->forged == STRANGERS) end_session(p);
    return false;
}

static bool has_good_lamps(const uint8_t *seats) {
    for (int i = 0; i < PADS_SEATS; i++)
        if (seats[i] > MOST_LAMP) return false;
    return true;
}

static void on_frame(struct pads *p, const uint8_t *frame, uint16_t n) {
    uint8_t type = frame[3];
    bool is_signed = frame[4] & SIGNED, is_mine = p->session && get32(frame + 8) == p->session;
    if (type == HELLO && n == HELLO_SIZE && !is_signed && get32(frame + 8))
        on_hello(p, frame);
    else if (type == PROVE && !n && !is_signed && is_mine)
        on_prove(p);
    else if (type == ORDER && n == ORDER_SIZE && is_mine && get32(frame + 12) > p->taken &&
             has_good_lamps(frame + PADS_HEADER + 24) && is_believed(p, frame, is_signed))
        on_order(p, frame);
}

/* ---------------------------------------------------------------- Receiving */

static bool is_header(const uint8_t *at, size_t n) {
    if (at[0] != MAGIC[0] || (n > 1 && at[1] != MAGIC[1])) return false;
    return n < 8 || (at[2] == VERSION && !(at[4] & ~SIGNED) && !at[5] && get16(at + 6) <= PADS_PAYLOAD);
}

/* How many bytes at the beginning of what is held are done with: 0 while more must come. */
static size_t look(struct pads *p) {
    const uint8_t *at = p->in;
    if (!is_header(at, p->in_size)) return 1;
    if (p->in_size < PADS_HEADER) return 0;
    size_t size = PADS_HEADER + (size_t)get16(at + 6) + (at[4] & SIGNED ? PADS_MAC : 0);
    if (p->in_size < size + PADS_CRC) return 0;
    if (crc32_of(at, size) != get32(at + size)) return 1;
    on_frame(p, at, get16(at + 6));
    return size + PADS_CRC;
}

void pads_receive(struct pads *p, const uint8_t *bytes, size_t n, uint32_t now) {
    pads_tick(p, now);
    for (; n--; bytes++) {
        size_t done;
        p->in[p->in_size++] = *bytes;
        while (p->in_size && (done = look(p))) {
            p->in_size = (uint16_t)(p->in_size - done);
            memmove(p->in, p->in + done, p->in_size);
        }
    }
}

/* ---------------------------------------------------------------- Silence */

static bool is_ordered(const struct pads *p) { return p->taken && !(p->flags & LOCKED_ITSELF); }

void pads_tick(struct pads *p, uint32_t now) {
    p->now = now;
    if (is_ordered(p) && now - p->ordered_at >= SILENCE_MS) {
        lock_all(p);
        p->selflocks++;
        p->flags |= LOCKED_ITSELF;
        make_state(p);
    }
    for (uint8_t i = 0; i < p->who->spots; i++)
        if (p->spots[i].is_settling && now - p->spots[i].seen_since >= DEBOUNCE_MS) settle(p, i);
    if (p->taken && now - p->told_at >= BEAT_MS) make_state(p);
}

static uint32_t sooner(uint32_t most, uint32_t since, uint32_t after, uint32_t now) {
    uint32_t left = since + after - now;
    return (int32_t)left <= 0 ? 0 : left < most ? left : most;
}

uint32_t pads_deadline(const struct pads *p, uint32_t now, uint32_t most) {
    if (is_ordered(p)) most = sooner(most, p->ordered_at, SILENCE_MS, now);
    if (p->taken) most = sooner(most, p->told_at, BEAT_MS, now);
    for (uint8_t i = 0; i < p->who->spots; i++)
        if (p->spots[i].is_settling) most = sooner(most, p->spots[i].seen_since, DEBOUNCE_MS, now);
    return most;
}

void pads_start(struct pads *p, const struct pads_who *who, void (*random)(void *, uint8_t *, size_t), void *context,
                const uint32_t *cents, uint32_t now) {
    uint8_t boot[4];
    memset(p, 0, sizeof *p);
    p->who = who;
    p->random = random;
    p->context = context;
    p->now = p->began = now;
    random(context, boot, sizeof boot);
    p->boot = get32(boot) ? get32(boot) : 1;
    p->locked = ~(uint64_t)0;
    for (uint8_t i = 0; i < who->spots; i++) {
        struct pads_spot *s = &p->spots[i];
        s->cents = cents[i] && !(who->capabilities & SENSES_VALUES) ? PADS_UNKNOWN : cents[i];
        s->state = s->cents ? LATE : EMPTY;
        s->light = who->capabilities & MEASURES_LIGHT ? 0 : 255;
    }
}
