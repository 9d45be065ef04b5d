"""What all tests share: examples are not held to a time, since a busy machine is no finding."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
