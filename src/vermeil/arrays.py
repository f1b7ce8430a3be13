"""The kinds of arrays that columns are made of, named once for the whole house."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
"""Places, counts and codes."""

Floats: TypeAlias = NDArray[np.float64]
"""Weights, scores and confidences."""

Flags: TypeAlias = NDArray[np.bool_]
"""Whether something holds, row by row."""

AnyArray: TypeAlias = NDArray[Any]
"""An array of any kind."""
