import zlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vermeil.sequences.features.checksums import begun, checksums, extended, finished

TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)


@given(st.text("a=β", max_size=3), st.lists(TEXTS, min_size=1, max_size=5))
def test_characters_one_by_one_give_the_checksum_of_the_whole(
    prefix: str, texts: list[str]
) -> None:
    shortest = min(map(len, texts))
    registers = np.repeat(begun(prefix), len(texts))
    for place in range(shortest):
        codes = np.array([ord(text[place]) for text in texts], dtype=np.uint32)
        registers = extended(registers, codes)
    wanted = [zlib.crc32((prefix + text[:shortest]).encode()) for text in texts]
    assert finished(registers).tolist() == wanted


@given(st.text("a=β", max_size=3), st.lists(TEXTS, max_size=5))
def test_whole_strings_are_those_of_zlib(prefix: str, texts: list[str]) -> None:
    wanted = [zlib.crc32((prefix + text).encode()) for text in texts]
    assert checksums(prefix, texts).tolist() == wanted
