"""A table's devices outside an emulated board: on its USB, on its serial adapters, on lines of its kernel."""

from collections.abc import Callable


def of_a_board(text: str, left_out: tuple[str, ...], port_of: Callable[[str], object]) -> str:
    """Return the file of a simulated table with a board's devices.

    Lines that begin with what is left out, such as those that name a simulator, go; each port is the board's.
    """
    lines, device = [], ""
    for line in text.splitlines():
        if line.startswith("[device."):
            device = line.removeprefix("[device.").rstrip("]")
        if line.startswith("port ="):
            lines.append(f'port = "{port_of(device)}"')
        elif not line.startswith(left_out):
            lines.append(line)
    return "\n".join(lines) + "\n"
