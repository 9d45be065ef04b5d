"""Tools for devices without a table: lists, a line analyser, tests, raw orders."""
