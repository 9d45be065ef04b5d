"""The library under the table warns of each name that the table chose not to bind: sixty times a table."""

import logging

logging.getLogger("transitions.core").setLevel(logging.ERROR)
