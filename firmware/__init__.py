"""The program of the board: one table with its devices, journal and console, and how it is updated."""
