/* The reference pads on a socket: sensors and chips are simulated, everything else is the device.
 *
 *   sabot-reference-pads --usb SOCKET [--hands SOCKET] [--key-file FILE] [--spots N] [--capabilities N]
 *
 * The socket stands for the cable: who connects gets the three strings of the descriptors, a line each, and then
 * the bytes of the two endpoints. `sabot.hil.simulators.usb_backend:over_stream:SOCKET` makes a bus of it. `--hands`
 * takes what a person would do, one JSON object a line: {"do": "chips 0 500"}, as docs/certify.md lists them. */

#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pads.h"
#include "port.h"

enum { ROOM = 2048, DIM = 90, BLINDING = 254 };

static struct pads pads;
static struct pads_who who = {
    .spots = 21, .capabilities = 31, .maker = "Sabot", .model = "Reference pads", .serial = "REF-0002", .firmware = "1.0.0"};
static uint32_t chips[PADS_SPOTS];
static int cable = -1;
static uint8_t frame[PADS_FRAME];
static size_t frame_size, frame_sent;

/* ---------------------------------------------------------------- power and the cable */

static void pull_cable(void) {
    if (cable >= 0) close(cable);
    cable = -1;
    frame_size = frame_sent = 0;
}

static void power_on(void) {
    pull_cable();
    pads_start(&pads, &who, port_random, NULL, chips, (uint32_t)port_now());
    for (uint8_t i = 0; i < who.spots && who.capabilities & MEASURES_LIGHT; i++) pads.spots[i].light = DIM;
}

static void plug_in(int listener) {
    int room = ROOM, other = accept(listener, NULL, NULL);
    if (other < 0) return;
    if (cable >= 0) {
        close(other);
        return;
    }
    cable = other;
    setsockopt(cable, SOL_SOCKET, SO_SNDBUF, &room, sizeof room); /* a host that does not read gets the newest STATE */
    fcntl(cable, F_SETFL, O_NONBLOCK);
    frame_size = (size_t)snprintf((char *)frame, sizeof frame, "%s\n%s\n%s\n", who.maker, who.model, who.serial);
}

static void give(void) {
    for (;;) {
        if (frame_sent == frame_size) {
            frame_sent = 0;
            frame_size = pads_take(&pads, frame, (uint32_t)port_now());
        }
        if (!frame_size) return;
        ssize_t n = send(cable, frame + frame_sent, frame_size - frame_sent, MSG_NOSIGNAL);
        if (n < 0) return;
        frame_sent += (size_t)n;
    }
}

static void hear(void) {
    uint8_t bytes[512];
    ssize_t n = read(cable, bytes, sizeof bytes);
    if (n > 0)
        pads_receive(&pads, bytes, (size_t)n, (uint32_t)port_now());
    else if (n == 0 || errno != EAGAIN)
        pull_cable();
}

/* ---------------------------------------------------------------- hands */

static bool spot_of(char **words, uint8_t *spot) {
    long number = strtol(*words, words, 10);
    *spot = (uint8_t)number;
    return number >= 0 && number < who.spots;
}

static void lay(char *words) {
    uint8_t spot;
    if (!spot_of(&words, &spot)) return;
    chips[spot] = (uint32_t)strtoul(words, NULL, 10);
    pads_sense(&pads, spot, chips[spot], (uint32_t)port_now());
}

static void blind(char *words) {
    uint8_t spot;
    if (spot_of(&words, &spot)) pads_light(&pads, spot, BLINDING, true, (uint32_t)port_now());
}

static void see(char *words) {
    uint8_t spot;
    if (spot_of(&words, &spot)) pads_light(&pads, spot, DIM, false, (uint32_t)port_now());
}

static void restart(char *words) {
    (void)words;
    power_on();
}

static const struct {
    const char *name;
    void (*act)(char *words);
} ACTS[] = {{"chips", lay}, {"blind", blind}, {"see", see}, {"restart", restart}};

static bool act(char *text) {
    char *words = strchr(text, ' ');
    if (words) *words++ = 0;
    for (size_t i = 0; i < sizeof ACTS / sizeof *ACTS; i++) {
        char none[1] = "";
        if (strcmp(ACTS[i].name, text)) continue;
        ACTS[i].act(words ? words : none);
        return true;
    }
    return false;
}

/* ---------------------------------------------------------------- the program */

static void serve(const char *usb_at, const char *hands_at) {
    static struct port_hands hands;
    struct pollfd ears[2 + PORT_EARS];
    int listener = port_listen(usb_at);
    port_hands_open(&hands, hands_at, act);
    for (;;) {
        ears[0] = (struct pollfd){listener, POLLIN, 0};
        ears[1] = (struct pollfd){cable, (short)(frame_size ? POLLIN | POLLOUT : POLLIN), 0};
        port_hands_ears(&hands, ears + 2);
        if (poll(ears, 2 + PORT_EARS, (int)pads_deadline(&pads, (uint32_t)port_now(), 1000)) < 0 && errno != EINTR) port_fail("poll");
        pads_tick(&pads, (uint32_t)port_now());
        if (cable >= 0 && ears[1].revents & (POLLIN | POLLHUP)) hear();
        if (ears[0].revents & POLLIN) plug_in(listener);
        port_hands_serve(&hands, ears + 2);
        if (cable >= 0) give();
    }
}

int main(int count, char **words) {
    const char *usb = NULL, *hands = NULL, *key_file = NULL;
    for (int i = 1; i + 1 < count; i += 2) {
        if (!strcmp(words[i], "--usb")) usb = words[i + 1];
        if (!strcmp(words[i], "--hands")) hands = words[i + 1];
        if (!strcmp(words[i], "--key-file")) key_file = words[i + 1];
        if (!strcmp(words[i], "--spots")) who.spots = (uint8_t)atoi(words[i + 1]);
        if (!strcmp(words[i], "--capabilities")) who.capabilities = (uint16_t)atoi(words[i + 1]);
    }
    if (!usb || !who.spots || who.spots > PADS_SPOTS) {
        fprintf(stderr, "usage: sabot-reference-pads --usb SOCKET [--hands SOCKET] [--key-file FILE] [--spots 1..64] [--capabilities N]\n");
        return 2;
    }
    port_key(key_file, who.seed, who.public);
    power_on();
    serve(usb, hands);
    return 0;
}
