"""Why an image is not made, or is not taken for one."""


class ImageError(Exception):
    """An image cannot be made or is not what it should be; the words say what, and what to do."""
