/* The device's side of Sabot Link. Section names in comments are those of docs/sabot-link.md. */

#include "link.h"

#include <string.h>

#include "curve.h"
#include "sha.h"

enum {
    RETRY_MS = 150, SENDINGS = 10, SILENCE_MS = 2000, STRANGERS = 3, RELIABLE_FROM = 0x10,
    VERSION = 1, RELIABLE = 1, SIGNED = 2, WANTS_PROOF = 1, BY_A_STRANGER = 2, STATE_FIXED = 25
};

/* ---------------------------------------------------------------- Frames */

size_t cobs_encode(uint8_t *out, const uint8_t *in, size_t n) {
    size_t code = 0, at = 1;
    for (size_t i = 0; i < n; i++) {
        if (in[i]) {
            out[at++] = in[i];
            continue;
        }
        out[code] = (uint8_t)(at - code);
        code = at++;
    }
    out[code] = (uint8_t)(at - code);
    return at;
}

size_t cobs_decode(uint8_t *out, const uint8_t *in, size_t n) {
    size_t at = 0, made = 0;
    while (at < n) {
        size_t end = at + in[at];
        if (!in[at] || end > n) return 0;
        for (at++; at < end; at++) out[made++] = in[at];
        if (at < n) out[made++] = 0;
    }
    return made;
}

/* One body: the CRC behind it, COBS around it, a 00 at its end. */
static void send_body(struct link *l, uint8_t *body, size_t n) {
    uint8_t wire[LINK_BODY + 2];
    put32(body + n, crc32_of(body, n));
    size_t size = cobs_encode(wire, body, n + LINK_CRC);
    wire[size++] = 0;
    l->works->send(l->works->context, wire, size);
}

static void make_mac(uint8_t out[LINK_MAC], const uint8_t key[32], const uint8_t *body, size_t n) {
    uint8_t full[32];
    hmac_sha256(full, key, 32, body, n);
    memcpy(out, full, LINK_MAC);
}

static size_t put_header(const struct link *l, uint8_t *body, uint8_t type, uint8_t n, uint32_t sequence,
                         bool is_signed) {
    uint8_t flags = (uint8_t)((type >= RELIABLE_FROM ? RELIABLE : 0) | (is_signed ? SIGNED : 0));
    uint8_t *at = put8(put8(put8(put8(body, VERSION), type), flags), n);
    put32(put32(put32(at, l->session), sequence), type == IDENTITY || type == PROOF ? 0 : l->taken);
    return LINK_HEADER + n;
}

static void say(struct link *l, uint8_t type, const uint8_t *payload, uint8_t n, uint32_t sequence) {
    uint8_t body[LINK_BODY];
    size_t size = put_header(l, body, type, n, sequence, l->wants_proof);
    if (n) memcpy(body + LINK_HEADER, payload, n);
    if (l->wants_proof) {
        make_mac(body + size, l->to_host, body, size);
        size += LINK_MAC;
    }
    send_body(l, body, size);
}

/* ---------------------------------------------------------------- Kept events */

static uint8_t stored(const struct link *l, uint16_t at) { return l->store[(l->head + at) % LINK_STORE]; }

static void keep_byte(struct link *l, uint8_t byte) { l->store[(l->head + l->used++) % LINK_STORE] = byte; }

static uint32_t first_number(const struct link *l) {
    uint32_t number = 0;
    for (uint16_t i = 0; i < 4; i++) number = number << 8 | stored(l, (uint16_t)(2 + i));
    return number;
}

static void drop_first(struct link *l) {
    uint16_t size = (uint16_t)(2 + stored(l, 1));
    l->head = (uint16_t)((l->head + size) % LINK_STORE);
    l->used = (uint16_t)(l->used - size);
    l->kept--;
}

bool link_is_nearly_full(const struct link *l) {
    return l->kept > LINK_EVENTS - LINK_SPARE || l->used > LINK_STORE - LINK_SPARE * 24;
}

void link_event(struct link *l, uint8_t type, const uint8_t *rest, uint8_t n, uint32_t now) {
    uint8_t head[8];
    if (l->kept >= LINK_EVENTS || l->used + n + 10u > LINK_STORE) return; /* STATE shows what it was */
    put32(put32(head, ++l->events), now - l->began);
    keep_byte(l, type);
    keep_byte(l, (uint8_t)(n + 8));
    for (int i = 0; i < 8; i++) keep_byte(l, head[i]);
    for (uint8_t i = 0; i < n; i++) keep_byte(l, rest[i]);
    l->kept++;
}

/* ---------------------------------------------------------------- A session */

static void forget(struct link *l, enum link_stage stage) {
    l->stage = stage;
    l->session = l->token = l->taken = l->sent = 0;
    l->wants_proof = l->is_proved = l->told_state = false;
    l->forged = l->answer_count = l->first_answer = l->sendings = 0;
    l->way = IDLE;
    memset(l->to_host, 0, sizeof l->to_host);
    memset(l->to_device, 0, sizeof l->to_device);
}

/* What was opened by this HELLO is over, and is not opened by it again. */
static void end_session(struct link *l) {
    forget(l, ENDED);
    l->works->no_host(l->works->context, 0);
}

/* IDENTITY without its CRC; the same bytes as often as it is asked for. */
static size_t make_identity(const struct link *l, uint8_t *body) {
    const struct link_who *who = l->who;
    uint8_t *at = body + LINK_HEADER;
    at = put16(put8(put8(at, l->is_known_version), who->kind), who->capabilities);
    at = put_bytes(put32(at, l->boot), l->nonce, 32);
    at = put_bytes(put_bytes(at, l->public, 32), who->public, 32);
    at = put_text(put_text(put_text(put_text(at, who->maker), who->model), who->serial), who->firmware);
    return put_header(l, body, IDENTITY, (uint8_t)(at - body - LINK_HEADER), 0, false);
}

static void on_hello(struct link *l, const uint8_t *body) {
    const uint8_t *told = body + LINK_HEADER;
    uint8_t answer[LINK_BODY];
    bool is_same = l->stage != NOBODY && !memcmp(body, l->hello, LINK_HELLO);
    if (is_same && l->stage == ENDED) return;
    if (!is_same) {
        forget(l, GREETED);
        l->works->no_host(l->works->context, told[2]);
        memcpy(l->hello, body, LINK_HELLO);
        l->works->random(l->works->context, l->nonce, 32);
        l->works->random(l->works->context, l->secret, 32);
        x25519_public(l->public, l->secret);
        l->is_known_version = told[0] <= VERSION && VERSION <= told[1];
        l->wants_proof = told[2] & WANTS_PROOF;
        while (get32(told + 3) == l->boot && l->kept && first_number(l) <= get32(told + 7)) drop_first(l);
    }
    l->session = get32(body + 4);
    size_t size = make_identity(l, answer);
    if (!l->is_known_version) l->session = 0;
    send_body(l, answer, size);
}

/* Authentication: what was said in HELLO and IDENTITY is signed, and makes the keys of this session. */
static bool prove(struct link *l) {
    static const char title[] = "sabot-link/1 transcript", proof[] = "sabot-link/1 proof";
    struct sha256 s;
    uint8_t identity[LINK_BODY], text[sizeof proof - 1 + 32], shared[32], keys[64], any = 0;
    sha256_begin(&s);
    sha256_add(&s, title, sizeof title - 1);
    sha256_add(&s, l->hello, LINK_HELLO);
    sha256_add(&s, identity, make_identity(l, identity));
    memcpy(text, proof, sizeof proof - 1);
    sha256_end(&s, text + sizeof proof - 1);
    x25519(shared, l->secret, l->hello + LINK_HEADER + 43);
    for (int i = 0; i < 32; i++) any |= shared[i];
    if (!any) return false;
    hkdf_64(keys, shared, text + sizeof proof - 1, "sabot-link/1 session");
    memcpy(l->to_device, keys, 32);
    memcpy(l->to_host, keys + 32, 32);
    ed25519_sign(l->signature, l->who->seed, text, sizeof text);
    return true;
}

static void on_prove(struct link *l) {
    uint8_t body[LINK_BODY];
    if (!l->wants_proof || l->stage == OPEN) return;
    if (!l->is_proved && !prove(l)) return;
    l->is_proved = true;
    size_t size = put_header(l, body, PROOF, 64, 0, false);
    memcpy(body + LINK_HEADER, l->signature, 64);
    send_body(l, body, size);
}

/* ---------------------------------------------------------------- Sequence, acknowledgement, retry */

static void acknowledged(struct link *l) {
    if (l->way == ANSWERING) {
        l->told_state = l->told_state || l->answers[l->first_answer].type == STATE;
        l->first_answer = (uint8_t)((l->first_answer + 1) % LINK_ANSWERS);
        l->answer_count--;
    } else {
        drop_first(l);
    }
    l->way = IDLE;
}

/* Sends the frame that is under way again, or the next: answers first, then events. */
static void push(struct link *l) {
    if (l->stage != OPEN) return;
    if (l->way == IDLE) {
        if (!l->answer_count && !(l->kept && l->told_state)) return;
        l->way = l->answer_count ? ANSWERING : REPORTING;
        l->sent++;
        l->sendings = 0;
        l->due = l->now;
    }
    if ((int32_t)(l->now - l->due) < 0) return;
    if (l->sendings++ == SENDINGS) {
        end_session(l);
        return;
    }
    l->due = l->now + RETRY_MS;
    if (l->way == ANSWERING) {
        const struct link_answer *a = &l->answers[l->first_answer];
        say(l, a->type, a->payload, a->size, l->sent);
    } else {
        uint8_t event[LINK_EVENT], n = stored(l, 1);
        for (uint8_t i = 0; i < n; i++) event[i] = stored(l, (uint16_t)(2 + i));
        say(l, stored(l, 0), event, n, l->sent);
    }
}

static void answer(struct link *l, uint8_t type, const uint8_t *payload, uint8_t n) {
    struct link_answer *a = &l->answers[(l->first_answer + l->answer_count++) % LINK_ANSWERS];
    a->type = type;
    a->size = n;
    memcpy(a->payload, payload, n);
}

static uint8_t verdict(struct link *l, uint8_t type, const uint8_t *payload, uint8_t n) {
    static const uint8_t sizes[] = {0, 1, 6, 0, 0, 1, 1, 1}; /* QUERY to CLEAR_FAULT */
    if (type > CLEAR_FAULT) return NOT_SUPPORTED;
    if (n != sizes[type - QUERY]) return NONSENSE;
    return l->works->command(l->works->context, type, payload);
}

static void on_command(struct link *l, uint8_t type, const uint8_t *payload, uint8_t n, uint32_t sequence) {
    uint8_t out[LINK_STATE];
    put32(out, sequence);
    if (type == QUERY && n == 0) {
        l->works->state(l->works->context, out + 4);
        put32(put16(out + 4 + STATE_FIXED, l->kept), l->now - l->began);
        answer(l, STATE, out, LINK_STATE);
        return;
    }
    out[4] = verdict(l, type, payload, n);
    answer(l, RESULT, out, 5);
}

static void on_reliable(struct link *l, const uint8_t *body, uint32_t sequence) {
    bool is_new = sequence == l->taken + 1;
    if (sequence > l->taken + 1) return;
    if (is_new && ((!l->taken && body[1] != QUERY) || l->answer_count == LINK_ANSWERS)) return;
    if (is_new) {
        l->taken = sequence;
        l->stage = OPEN;
        l->heard = l->now;
    }
    say(l, ACK, NULL, 0, 0);
    if (is_new) on_command(l, body[1], body + LINK_HEADER, body[3], sequence);
}

static void on_ping(struct link *l, const uint8_t *payload) {
    if (get32(payload) <= l->token) return;
    l->token = get32(payload);
    l->heard = l->now;
    say(l, PONG, payload, 4, 0);
}

/* Whether a frame comes from the host of this session; the third that does not ends it. */
static bool is_believed(struct link *l, const uint8_t *body, size_t size, bool is_signed) {
    uint8_t mac[LINK_MAC], differs = 0;
    if (!l->wants_proof) return !is_signed;
    if (l->is_proved && is_signed) {
        make_mac(mac, l->to_device, body, size);
        for (int i = 0; i < LINK_MAC; i++) differs |= mac[i] ^ body[size + i];
        if (!differs) return true;
    }
    if (++l->forged == STRANGERS) {
        uint8_t reason = BY_A_STRANGER;
        say(l, PARTING, &reason, 1, 0);
        end_session(l);
    }
    return false;
}

static void on_session(struct link *l, const uint8_t *body) {
    uint8_t type = body[1], n = body[3];
    if (l->way != IDLE && get32(body + 12) == l->sent) acknowledged(l);
    if (type >= RELIABLE_FROM)
        on_reliable(l, body, get32(body + 8));
    else if (type == PING && n == 4)
        on_ping(l, body + LINK_HEADER);
    else if (type == PARTING && n == 1)
        end_session(l);
}

/* ---------------------------------------------------------------- Receiving */

static void on_body(struct link *l, const uint8_t *body, size_t n) {
    uint8_t type = body[1], flags = body[2];
    bool is_reliable = type >= RELIABLE_FROM, is_signed = flags & SIGNED;
    size_t size = LINK_HEADER + (size_t)body[3];
    if (body[0] != VERSION || flags & ~(RELIABLE | SIGNED) || body[3] > LINK_PAYLOAD) return;
    if (n != size + (is_signed ? LINK_MAC : 0)) return;
    if ((flags & RELIABLE) != is_reliable || (get32(body + 8) != 0) != is_reliable) return;
    if (!get32(body + 4)) return;
    if (type == HELLO && size == LINK_HELLO && !is_signed)
        on_hello(l, body);
    else if (get32(body + 4) != l->session)
        return;
    else if (type == PROVE && !body[3] && !is_signed)
        on_prove(l);
    else if (type != PROVE && type != HELLO && is_believed(l, body, size, is_signed))
        on_session(l, body);
}

static void on_frame(struct link *l) {
    uint8_t plain[LINK_BUFFER];
    size_t n = cobs_decode(plain, l->in, l->in_size);
    if (n < LINK_HEADER + LINK_CRC || n > LINK_BODY) return;
    n -= LINK_CRC;
    if (crc32_of(plain, n) == get32(plain + n)) on_body(l, plain, n);
}

void link_receive(struct link *l, const uint8_t *bytes, size_t n, uint32_t now) {
    l->now = now;
    for (; n--; bytes++) {
        if (*bytes && l->in_size == LINK_BUFFER) {
            l->is_skipping = true;
            l->in_size = 0;
        }
        if (*bytes) {
            if (!l->is_skipping) l->in[l->in_size++] = *bytes;
            continue;
        }
        if (!l->is_skipping && l->in_size) on_frame(l);
        l->is_skipping = false;
        l->in_size = 0;
    }
    push(l);
}

void link_tick(struct link *l, uint32_t now) {
    l->now = now;
    if (l->stage == OPEN && now - l->heard >= SILENCE_MS) end_session(l);
    push(l);
}

uint32_t link_deadline(const struct link *l, uint32_t now, uint32_t most) {
    uint32_t silent = l->heard + SILENCE_MS - now, again = l->due - now;
    if (l->stage != OPEN) return most;
    if ((int32_t)silent <= 0 || (l->way != IDLE && (int32_t)again <= 0)) return 0;
    if (silent < most) most = silent;
    return l->way != IDLE && again < most ? again : most;
}

void link_start(struct link *l, const struct link_who *who, const struct link_works *works, uint32_t now) {
    uint8_t boot[4];
    memset(l, 0, sizeof *l);
    l->who = who;
    l->works = works;
    l->now = l->began = now;
    works->random(works->context, boot, sizeof boot);
    l->boot = get32(boot) | 1;
}
