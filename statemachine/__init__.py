"""The table: the state machine of a whole shift, pure."""
