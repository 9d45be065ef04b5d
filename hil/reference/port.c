#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE

#include "port.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "curve.h"

int64_t port_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void port_fail(const char *what) {
    fprintf(stderr, "reference device: %s: %s\n", what, strerror(errno));
    exit(1);
}

void port_random(void *context, uint8_t *out, size_t n) {
    static int random = -1;
    (void)context;
    if (random < 0 && (random = open("/dev/urandom", O_RDONLY)) < 0) port_fail("/dev/urandom");
    if (read(random, out, n) != (ssize_t)n) port_fail("/dev/urandom");
}

void port_key(const char *path, uint8_t seed[32], uint8_t public[32]) {
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file || fread(seed, 1, 32, file) != 32) {
        port_random(NULL, seed, 32);
        umask(077);
        FILE *made = path ? fopen(path, "wb") : NULL;
        if (path && (!made || fwrite(seed, 1, 32, made) != 32 || fclose(made))) port_fail(path);
    }
    if (file) fclose(file);
    ed25519_public(public, seed);
    printf("key ");
    for (int i = 0; i < 32; i++) printf("%02x", public[i]);
    printf("\n");
    fflush(stdout);
}

int port_listen(const char *path) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    strncpy(at.sun_path, path, sizeof at.sun_path - 1);
    unlink(path);
    if (listener < 0 || bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, PORT_CLIENTS)) port_fail(path);
    return listener;
}

/* ---------------------------------------------------------------- hands */

void port_hands_open(struct port_hands *hands, const char *path, bool (*act)(char *text)) {
    memset(hands, 0, sizeof *hands);
    for (int i = 0; i < PORT_CLIENTS; i++) hands->clients[i] = -1;
    hands->listener = path ? port_listen(path) : -1;
    hands->act = act;
}

void port_hands_ears(const struct port_hands *hands, struct pollfd ears[PORT_EARS]) {
    for (int i = 0; i < PORT_EARS; i++) {
        ears[i].fd = i < PORT_CLIENTS ? hands->clients[i] : hands->listener;
        ears[i].events = POLLIN;
        ears[i].revents = 0;
    }
}

static void answer(const struct port_hands *hands, int client, char *text) {
    static const char done[] = "{\"done\": true}\n", unknown[] = "{\"error\": \"it knows no such word\"}\n", shows[] = "{\"shows\": {}}\n";
    char *what = strstr(text, "\"do\":"), *end;
    const char *said = shows;
    if (what && (what = strchr(what + 5, '"')) && (end = strchr(++what, '"'))) {
        *end = 0;
        said = hands->act(what) ? done : unknown;
    }
    if (write(client, said, strlen(said)) < 0) return;
}

static void hear(struct port_hands *hands, int i) {
    char *held = hands->held[i], *end;
    size_t size = strlen(held);
    ssize_t n = read(hands->clients[i], held + size, PORT_LINE - size - 1);
    if (n <= 0) {
        close(hands->clients[i]);
        hands->clients[i] = -1;
        *held = 0;
        return;
    }
    held[size + (size_t)n] = 0;
    while ((end = strchr(held, '\n'))) {
        *end = 0;
        answer(hands, hands->clients[i], held);
        memmove(held, end + 1, strlen(end + 1) + 1);
    }
}

void port_hands_serve(struct port_hands *hands, const struct pollfd ears[PORT_EARS]) {
    bool is_new = ears[PORT_CLIENTS].revents & POLLIN;
    for (int i = 0; i < PORT_CLIENTS; i++) {
        if (hands->clients[i] >= 0 && ears[i].revents) hear(hands, i);
        if (hands->clients[i] < 0 && is_new) {
            hands->clients[i] = accept(hands->listener, NULL, NULL);
            is_new = false;
        }
    }
}
