"""The program held against its signed manifest: at each start, before a table may open.

Every file that a release brings must be there as it was signed, and no other: a package that was slipped in
runs as well as one that was changed. What the installer itself adds is known by name (pip's notes) or by its
own record (compiled files).
"""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from sabot.config.loader import ChapterLaw
from sabot.firmware.examine import Check
from sabot.firmware.integrity.compiled import recorded
from sabot.firmware.integrity.drivers import verify_drivers
from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.file_walk import files_below, is_compiled
from sabot.firmware.integrity.installation import Installation, here, signed_manifest
from sabot.firmware.integrity.law import law_checks
from sabot.firmware.integrity.manifest import Manifest, measure
from sabot.firmware.integrity.surroundings import verify_no_drop_ins, verify_surroundings

MOST_NAMED = 5
AGAIN = "~"
# Made by pip where it installs; ``RECORD`` has its own list of files, which nothing here believes.
PIP_NOTES = frozenset({"INSTALLER", "RECORD", "REQUESTED", "direct_url.json"})


def checks(drivers: Iterable[str], law: ChapterLaw, *, is_simulated: bool) -> tuple[Check, ...]:
    """Return the checks of program and law; a simulated table opens on a development installation too."""
    where = here()
    program = Check("program", partial(verify_program, where), not (where.is_development and is_simulated))
    signed = law_checks(law, where, is_simulated=is_simulated)
    if where.is_development:
        return (program, *signed)
    names = tuple(drivers)
    return (
        program,
        *signed,
        Check("drivers", lambda: verify_drivers(names, signed_manifest(where))),
        Check("surroundings", partial(verify_surroundings, where)),
        Check("drop-ins", partial(verify_no_drop_ins, where), keeps_closed=False),
    )


def verify_program(where: Installation) -> None:
    """Raise where the program is not what was released, with the files by name."""
    manifest = signed_manifest(where)
    assert where.release is not None  # a signed manifest is in a release
    # The folder's name is what people see: it must be the release that was signed.
    if where.release.name.partition(AGAIN)[0] != manifest.version:
        raise VerifyError("E-VERIFY-005", str(where.release), what=f"this is {manifest.version}")
    raise_differences(where.release, where.site, manifest)


def raise_differences(release: Path, site: Path, manifest: Manifest) -> None:
    """Raise where the installed files are not those of the manifest."""
    found = list(_differences(release, site, manifest))
    if found:
        more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        raise VerifyError("E-VERIFY-005", str(site), what=", ".join(found[:MOST_NAMED]) + more)


def _differences(release: Path, site: Path, manifest: Manifest) -> Iterator[str]:
    listed = {each.path: (each.size, each.sha256) for each in manifest.files}
    compiled = recorded(release)
    for path in files_below(site):
        name = path.relative_to(site).as_posix()
        # Taken out of the list: what is left in it at the end is missing.
        wanted = (compiled if is_compiled(path) else listed).pop(name, None)
        if wanted is None and not _is_pips(path):
            yield f"{name} was added"
        elif wanted is not None and _is_changed(path, wanted):
            yield f"{name} was changed"
    for name in (*listed, *compiled):
        yield f"{name} is missing"


def _is_pips(path: Path) -> bool:
    return path.name in PIP_NOTES and path.parent.suffix == ".dist-info"


def _is_changed(path: Path, wanted: tuple[int, str]) -> bool:
    try:
        # The size first: it costs no reading.
        return path.stat().st_size != wanted[0] or measure(path) != wanted
    except OSError:
        return True
