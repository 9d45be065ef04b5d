"""The library beneath pyusb, named in words: where a USB device is not on this machine's own bus."""

from importlib import import_module


def backend_of(words: str) -> object:
    """Return what ``module:factory[:argument]`` makes; None, which is libusb, for no words."""
    if not words:
        return None
    module, _, rest = words.partition(":")
    factory, _, argument = rest.partition(":")
    make = getattr(import_module(module), factory)
    return make(argument) if argument else make()
