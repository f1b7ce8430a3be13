"""Texts as arrays of code points, and which of them are white space."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Flags

_LAST_SPACE = 0x3000


def code_points(text: str) -> NDArray[np.unsignedinteger]:
    """Return the code points of a text, in bytes where all are ASCII.

    >>> code_points("aβ").tolist()
    [97, 946]
    """
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def is_space(codes: NDArray[np.unsignedinteger]) -> Flags:
    """Tell which code points are white space, as ``str.isspace`` does.

    >>> is_space(code_points("a b")).tolist()
    [False, True, False]
    """
    low = codes if codes.dtype == np.uint8 else np.minimum(codes, _LAST_SPACE + 1)
    spaces: Flags = _space_table()[low]
    return spaces


@cache
def _space_table() -> Flags:
    return np.array([chr(code).isspace() for code in range(_LAST_SPACE + 2)])
