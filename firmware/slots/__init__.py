"""A board that starts from an image: two slots, and settings that anybody may have written."""

# Theory of operation. RAUC writes the slot that does not run, so a cut of power in the middle
# leaves the one that does. The new slot has two tries; U-Boot takes one off before each start and
# goes back to the slot before when none is left. So a release that does not come up needs nobody to
# undo it: only a good one has to be said (``judge``). The state is shared by both slots. What one
# release has changed in it the other must be able to take back, so a journal that was brought to a
# newer format keeps its former file beside it (``prepare_start``).
