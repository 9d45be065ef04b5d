/* One device as a board's program holds it, for the linker to count: `make reference-size`. */

#include "works.h"

struct link footprint_link;
struct works footprint_works;

void (*const footprint[])(void) = {
    (void (*)(void))link_start,      (void (*)(void))link_receive,    (void (*)(void))link_tick,
    (void (*)(void))link_deadline,   (void (*)(void))works_init,      (void (*)(void))works_command,
    (void (*)(void))works_state,     (void (*)(void))works_no_host,   (void (*)(void))works_card,
    (void (*)(void))works_all_in,    (void (*)(void))works_mixed,     (void (*)(void))works_put_out,
    (void (*)(void))works_exit_empty, (void (*)(void))works_jam,      (void (*)(void))works_fault,
    (void (*)(void))works_tested,    (void (*)(void))works_door,      (void (*)(void))works_mode,
    (void (*)(void))works_emptied,   (void (*)(void))works_deck_removed};
