/* One set of pads as a board's program holds it, for the linker to count: `make reference-pads-size`. */

#include "pads.h"

struct pads footprint_pads;

void (*const footprint[])(void) = {
    (void (*)(void))pads_start, (void (*)(void))pads_receive, (void (*)(void))pads_tick,  (void (*)(void))pads_deadline,
    (void (*)(void))pads_take,  (void (*)(void))pads_sense,   (void (*)(void))pads_light, (void (*)(void))pads_housing};
