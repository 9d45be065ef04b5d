"""The credentials of the board: its keys, enrolled people and devices, and where everything lies."""
