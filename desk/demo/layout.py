"""Where things stand on the canvas of the felt: lines from the top, and how wide things are."""

from sabot.desk.demo.canvas import WIDTH

TITLE, RIBBON, METERS = 0, 1, 2
SEATS, CARDS, HANDS, STACKS, DEALER, FELT_END = 3, 4, 6, 7, 13, 16
ALARM, DESK, LOG = 16, 17, 22
# Between the title of a chapter and the number of the round.
NOTICE = 42
# Nothing is written in the last column: some terminals scroll when it is full.
LAST = WIDTH - 1
DESK_TEXT = 24
STORY_WIDTH = LAST - DESK_TEXT
