"""The sample passages as the tests of the verbs take them."""

from functools import cache

from vermeil import Corpus, read, samples


@cache
def passages() -> Corpus:
    """All sample passages with gold and the five annotators, kept in memory."""
    return read([samples.GOLD, *samples.ANNOTATORS]).hold()
