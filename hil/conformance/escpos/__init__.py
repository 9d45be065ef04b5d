"""The dealer's display of the ESC/POS dialect: the kit's host and its checks, from the page."""
