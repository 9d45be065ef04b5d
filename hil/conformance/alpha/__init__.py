"""The meter sign of the Alpha protocol: the kit's host and its checks, from the page."""
