"""What is fuzzed beside the codecs: whatever else a stranger may hand to the program.

A module of this package has an ``Aim`` with good inputs to start from (``seeds``), pieces of them (``words``)
and ``check``, which raises where the program did anything but answer or refuse with an error of its own.
"""
