"""The power is cut at every write of a recorded shift, and what is left is opened as a start would."""
