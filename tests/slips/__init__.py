"""Slips: an exception is raised at a call, by whichever way the program comes to it, and what follows is judged."""
