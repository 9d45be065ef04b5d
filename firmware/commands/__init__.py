"""The commands of ``sabot``, one module each: ``add_arguments(parser)`` and ``run(args) -> exit code``."""
