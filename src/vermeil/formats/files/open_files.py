"""How many files may be open at a time, which systems limit: often to 256 or 1,024."""

import errno
from contextlib import suppress

SPARE = 64
"""Files beside those that are read: programs and libraries have some open, too."""


def allow(n: int) -> None:
    """Ask the system for as many open files as it grants us, if ``n`` are more than it did.

    A system may allow no more whatever it says: who then opens too many is told ``why``.
    """
    try:
        import resource
    except ImportError:  # where there is no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = n + SPARE
    if soft == resource.RLIM_INFINITY or wanted <= soft:
        return
    granted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (granted, hard))


def why(error: OSError) -> str:
    """Say why a file could not be opened, and what to do where too many are open."""
    said = error.strerror or str(error)
    if error.errno == errno.EMFILE:
        return f"{said.lower()}; read fewer inputs at once, or allow more files: ulimit -n 10000"
    return said
