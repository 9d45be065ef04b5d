"""The journal: every event with its effects, chained, signed and sealed, before anybody sees an effect."""
