"""What comes next: places or documents in order of the errors expected to be mended by a decision.

A name at a time, that is the gain of the place itself. A document at a time, a place is worth what
the open places of its document gain on average, because each of them costs a decision.
"""

import numpy as np

from vermeil.arrays import Floats
from vermeil.review.learning.lessons import Outlook

UNITS = NAME, DOCUMENT = "name", "document"
"""What is taken up at a time."""


def worth(learned: Outlook, unit: str) -> Floats:
    """Return what a decision on each place is expected to mend; 0 where all is settled."""
    if unit != DOCUMENT:
        return learned.gain
    _, own = np.unique(learned.document, return_inverse=True)
    n_open = np.bincount(own.ravel(), ~learned.is_settled)
    total = np.bincount(own.ravel(), learned.gain)
    mean = np.divide(total, n_open, out=np.zeros_like(total), where=n_open > 0)
    # Places of a document stay together, in the order of reading.
    value: Floats = np.where(learned.is_settled, 0.0, mean[own.ravel()])
    return value
