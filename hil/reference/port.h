#ifndef SABOT_REFERENCE_PORT_H
#define SABOT_REFERENCE_PORT_H

/* What the simulated devices share: the clock, randomness, a key in a file, and hands on a socket. */

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PORT_CLIENTS = 4, PORT_EARS = PORT_CLIENTS + 1, PORT_LINE = 4096 };

int64_t port_now(void);
/* Says what could not be done and why, and ends the program. */
void port_fail(const char *what);
void port_random(void *context, uint8_t *out, size_t n);
/* Reads the private key, or draws one and keeps it there; prints the public one. */
void port_key(const char *path, uint8_t seed[32], uint8_t public[32]);
/* A Unix socket that listens. */
int port_listen(const char *path);

/* Does to the device what a person would: a line of JSON each, of which the text behind "do" is looked at. */
struct port_hands {
    int listener;
    int clients[PORT_CLIENTS];
    char held[PORT_CLIENTS][PORT_LINE];
    bool (*act)(char *text); /* false: there is no such word */
};

void port_hands_open(struct port_hands *hands, const char *path, bool (*act)(char *text));
void port_hands_ears(const struct port_hands *hands, struct pollfd ears[PORT_EARS]);
void port_hands_serve(struct port_hands *hands, const struct pollfd ears[PORT_EARS]);

#endif
