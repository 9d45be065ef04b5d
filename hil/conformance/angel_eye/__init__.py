"""The reading shoe of the Angel Eye dialect: the kit's host and its checks, from the page."""
