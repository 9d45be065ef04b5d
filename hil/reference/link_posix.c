/* The reference device on a pseudo-terminal: motors and cards are simulated, everything else is the device.
 *
 *   sabot-reference --pty PATH [--hands SOCKET] [--key-file FILE] [--speed N] [--capabilities N] [--kind N]
 *
 * It prints its public key and serves until it is ended. `--hands` is a socket on which a program does to it
 * what a person would: one JSON object a line, {"do": "load As Kd"}, as docs/certify.md lists them. */

#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "port.h"
#include "works.h"

enum { CARD_MS = 110, MIX_MS = 8000, OUT_MS = 900, TEST_MS = 1500, LIFT_MS = 600, HEAP = 160, NEVER = -1 };

struct card {
    uint8_t rank, suit, color, face;
};

struct heap {
    struct card cards[HEAP];
    int n;
};

/* What the motors move, and when they are done: times in ms, NEVER where nothing is under way. */
static struct {
    struct heap intake, taken_in, inside[LOOSE + 1], lying;
    int64_t card_at, mixed_at, out_at, test_at, lift_at;
    uint8_t slot, from, wanted, fault;
    bool is_handed_out, remains, lifts;
    int color;
} machine = {.lifts = true, .card_at = NEVER, .mixed_at = NEVER, .out_at = NEVER, .test_at = NEVER, .lift_at = NEVER};

static struct link line;
static struct works works;
static struct link_who who = {
    .kind = 3, .capabilities = 0x3ff, .maker = "Sabot", .model = "Reference in C", .serial = "REF-0001", .firmware = "1.0.0"};
static int terminal = -1;
static double speed = 1.0;

static int64_t after(int ms) { return port_now() + (int64_t)(ms / speed) + 1; }

/* ---------------------------------------------------------------- the cards */

static void move(struct heap *to, struct heap *from, int n) {
    for (int i = 0; i < n && i < from->n && to->n < HEAP; i++) to->cards[to->n++] = from->cards[i];
    if (n > from->n) n = from->n;
    from->n -= n;
    memmove(from->cards, from->cards + n, (size_t)from->n * sizeof *from->cards);
}

static void mix_heap(struct heap *heap) {
    for (int i = heap->n - 1; i > 0; i--) {
        uint8_t bytes[4];
        port_random(NULL, bytes, 4);
        int at = (int)(get32(bytes) % (uint32_t)(i + 1));
        struct card t = heap->cards[i];
        heap->cards[i] = heap->cards[at];
        heap->cards[at] = t;
    }
}

static uint8_t in_intake(void *context) {
    (void)context;
    return (uint8_t)machine.intake.n;
}

static void take_in(void *context) {
    (void)context;
    machine.card_at = after(CARD_MS);
}

static void mix(void *context, uint8_t slot, bool is_handed_out) {
    (void)context;
    machine.slot = slot;
    machine.is_handed_out = is_handed_out;
    machine.mixed_at = after(MIX_MS);
}

static void stop(void *context) {
    (void)context;
    machine.card_at = machine.mixed_at = NEVER;
    move(&machine.taken_in, &machine.intake, HEAP);
    move(&machine.intake, &machine.taken_in, HEAP);
}

static void begin_out(void *context, uint8_t from, uint8_t cards) {
    (void)context;
    machine.from = from;
    machine.wanted = cards;
    machine.out_at = after(OUT_MS);
}

static void recall(void *context) {
    (void)context;
    machine.out_at = NEVER;
}

static void begin_test(void *context, uint8_t fault) {
    (void)context;
    machine.fault = fault;
    machine.test_at = after(TEST_MS);
}

static const struct works_motors MOTORS = {NULL, in_intake, take_in, mix, stop, begin_out, recall, begin_test};

static void next_card(void) {
    struct heap one = {.n = 0};
    machine.card_at = NEVER;
    move(&one, &machine.intake, 1);
    if (!one.n) {
        works_all_in(&works);
        return;
    }
    struct card c = one.cards[0];
    struct works_card read = {c.rank, c.suit, c.face, c.color, 99};
    move(&machine.taken_in, &one, 1);
    machine.card_at = after(CARD_MS);
    works_card(&works, read);
}

static void mixed(void) {
    machine.mixed_at = NEVER;
    mix_heap(&machine.taken_in);
    if (machine.is_handed_out)
        machine.taken_in.n = 0;
    else
        move(&machine.inside[machine.slot], &machine.taken_in, HEAP);
    works_mixed(&works);
}

static void come_out(void) {
    uint8_t codes[HEAP];
    machine.out_at = NEVER;
    machine.lying.n = 0;
    for (int i = 0; i <= LOOSE; i++)
        if (machine.from == i || machine.from == EVERYTHING) move(&machine.lying, &machine.inside[i], machine.from == i ? machine.wanted : HEAP);
    for (int i = 0; i < machine.lying.n; i++)
        codes[i] = (uint8_t)((machine.lying.cards[i].rank - 2) * 4 + machine.lying.cards[i].suit);
    works_put_out(&works, codes, (uint8_t)machine.lying.n);
    machine.lift_at = machine.lifts ? after(LIFT_MS) : NEVER;
}

static void lift(void) {
    machine.lift_at = NEVER;
    machine.lying.n = 0;
    works_exit_empty(&works);
}

static void tested(void) {
    machine.test_at = NEVER;
    works_tested(&works, machine.fault, !machine.remains);
}

/* ---------------------------------------------------------------- power */

static void send_bytes(void *context, const uint8_t *bytes, size_t n) {
    (void)context;
    while (n) {
        ssize_t done = write(terminal, bytes, n);
        if (done <= 0) return; /* nobody reads: the link says the rest */
        bytes += done;
        n -= (size_t)done;
    }
}

static const struct link_works WORKS = {&works, works_command, works_state, works_no_host, send_bytes, port_random};

static void power_on(void) {
    struct works_start start = {.mode = works.mode ? works.mode : PLAY, .doors = works.doors};
    start.is_broken_off = works.cycle != 0;
    start.is_lying = works.is_lying;
    start.fault_count = works.fault_count;
    memcpy(start.faults, works.oldest, FAULTS);
    machine.card_at = machine.mixed_at = machine.out_at = machine.test_at = NEVER;
    move(&machine.inside[LOOSE], &machine.inside[0], HEAP);
    move(&machine.inside[LOOSE], &machine.inside[1], HEAP);
    move(&machine.inside[LOOSE], &machine.taken_in, HEAP);
    start.inside = (uint16_t)machine.inside[LOOSE].n;
    link_start(&line, &who, &WORKS, (uint32_t)port_now());
    works_init(&works, &line, &MOTORS, who.capabilities, &start);
}

/* ---------------------------------------------------------------- hands */

static struct card card_of(const char *name, int color) {
    static const char ranks[] = "23456789TJQKA", suits[] = "cdhs";
    const char *rank = strchr(ranks, name[0]), *suit = strchr(suits, name[1]);
    struct card c = {(uint8_t)(rank ? rank - ranks + 2 : 0), (uint8_t)(suit ? suit - suits : 0), (uint8_t)color, name[2] == '!' ? 2 : 1};
    return c;
}

/* What is left of the deck with these backs is taken out for it, and loose cards. */
static void take_back(int color) {
    for (int i = 0; i < SLOTS; i++) {
        if (!machine.inside[i].n || machine.inside[i].cards[0].color != color) continue;
        machine.inside[i].n = 0;
        works_deck_removed(&works, (uint8_t)i);
    }
    if (machine.inside[LOOSE].n && !machine.inside[0].n && !machine.inside[1].n) {
        machine.inside[LOOSE].n = 0;
        works_emptied(&works);
    }
}

static void load(char *words) {
    int color = 1;
    struct heap laid = {.n = 0};
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        if (!strcmp(word, "blue"))
            color = 2;
        else if (strcmp(word, "red") && laid.n < HEAP)
            laid.cards[laid.n++] = card_of(word, color);
    }
    for (int code = 0; !laid.n || code; code = (code + 1) % 52) {
        struct card c = {(uint8_t)(code / 4 + 2), (uint8_t)(code % 4), (uint8_t)color, 1};
        laid.cards[laid.n++] = c;
        if (code == 51) break;
    }
    take_back(color);
    machine.intake = laid;
}

static void lift_words(char *words) {
    if (!*words)
        lift();
    else
        machine.lifts = strcmp(words, "never") != 0;
}

static void empty(char *words) {
    (void)words;
    for (int i = 0; i <= LOOSE; i++) machine.inside[i].n = 0;
    works_emptied(&works);
}

static void door(char *words) { works_door(&works, (uint8_t)atoi(words), !strstr(words, "close")); }

static void jam(char *words) { works_jam(&works, (uint8_t)atoi(words), (uint8_t)(strlen(words) > 2 ? atoi(words + 2) : 5)); }

static void remain(char *words) { machine.remains = atoi(words) != 0; }

static void mode(char *words) {
    static const char *const names[] = {"play", "sort", "verify", "service"};
    for (uint8_t i = 0; i < 4; i++)
        if (!strcmp(words, names[i])) works_mode(&works, (uint8_t)(i + 1));
}

static void reboot(char *words) {
    (void)words;
    power_on();
}

static const struct {
    const char *name;
    void (*act)(char *words);
} ACTS[] = {{"load", load}, {"lift", lift_words}, {"empty", empty}, {"door", door}, {"jam", jam}, {"remain", remain}, {"mode", mode}, {"reboot", reboot}};

static bool act(char *text) {
    char *words = strchr(text, ' ');
    if (words) *words++ = 0;
    for (size_t i = 0; i < sizeof ACTS / sizeof *ACTS; i++) {
        char none[1] = "";
        if (strcmp(ACTS[i].name, text)) continue;
        line.now = (uint32_t)port_now();
        ACTS[i].act(words ? words : none);
        return true;
    }
    return false;
}

/* ---------------------------------------------------------------- the program */

static int open_terminal(const char *path) {
    struct termios raw;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) || unlockpt(master)) port_fail("pseudo-terminal");
    const char *name = ptsname(master);
    int slave = open(name, O_RDWR | O_NOCTTY); /* kept, so that a host may come and go */
    if (slave < 0 || tcgetattr(slave, &raw)) port_fail(name);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    unlink(path);
    if (symlink(name, path)) port_fail(path);
    fcntl(master, F_SETFL, O_NONBLOCK);
    return master;
}

static int wait_ms(int64_t now) {
    const int64_t times[] = {machine.card_at, machine.mixed_at, machine.out_at, machine.test_at, machine.lift_at};
    int64_t most = link_deadline(&line, (uint32_t)now, 1000);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (times[i] != NEVER && times[i] - now < most) most = times[i] > now ? times[i] - now : 0;
    return (int)most;
}

static void run_motors(int64_t now) {
    line.now = (uint32_t)now;
    if (machine.card_at != NEVER && machine.card_at <= now) next_card();
    if (machine.mixed_at != NEVER && machine.mixed_at <= now) mixed();
    if (machine.out_at != NEVER && machine.out_at <= now) come_out();
    if (machine.lift_at != NEVER && machine.lift_at <= now) lift();
    if (machine.test_at != NEVER && machine.test_at <= now) tested();
}

static void serve(const char *hands_at) {
    struct port_hands hands;
    struct pollfd ears[1 + PORT_EARS] = {{terminal, POLLIN, 0}};
    port_hands_open(&hands, hands_at, act);
    for (;;) {
        uint8_t bytes[512];
        port_hands_ears(&hands, ears + 1);
        if (poll(ears, 1 + PORT_EARS, wait_ms(port_now())) < 0 && errno != EINTR) port_fail("poll");
        run_motors(port_now());
        ssize_t n = ears[0].revents & POLLIN ? read(terminal, bytes, sizeof bytes) : 0;
        if (n > 0) link_receive(&line, bytes, (size_t)n, (uint32_t)port_now());
        port_hands_serve(&hands, ears + 1);
        link_tick(&line, (uint32_t)port_now());
    }
}

int main(int count, char **words) {
    const char *path = NULL, *hands = NULL, *key_file = NULL;
    for (int i = 1; i + 1 < count; i += 2) {
        if (!strcmp(words[i], "--pty")) path = words[i + 1];
        if (!strcmp(words[i], "--hands")) hands = words[i + 1];
        if (!strcmp(words[i], "--key-file")) key_file = words[i + 1];
        if (!strcmp(words[i], "--speed")) speed = atof(words[i + 1]);
        if (!strcmp(words[i], "--capabilities")) who.capabilities = (uint16_t)atoi(words[i + 1]);
        if (!strcmp(words[i], "--kind")) who.kind = (uint8_t)atoi(words[i + 1]);
    }
    if (!path || speed <= 0) {
        fprintf(stderr, "usage: sabot-reference --pty PATH [--hands SOCKET] [--key-file FILE] [--speed N] [--capabilities N] [--kind N]\n");
        return 2;
    }
    port_key(key_file, who.seed, who.public);
    terminal = open_terminal(path);
    power_on();
    serve(hands);
    return 0;
}
