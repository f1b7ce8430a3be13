from itertools import product

import pytest

from vermeil.errors import UnknownNameError
from vermeil.sequences.tokens.tag_set import TagSet
from vermeil.text.tags import find_repairs


def test_what_is_allowed_is_what_needs_no_repair() -> None:
    tags = TagSet(("Gene", "Cell"))
    for first, second in product(range(len(tags)), repeat=2):
        pair = [tags.names[first], tags.names[second]]
        is_sound = bool(tags.allowed_first[first] and tags.allowed[first, second])
        assert is_sound == (not find_repairs(pair, "iob2"))


def test_tags_have_codes_both_ways() -> None:
    tags = TagSet(("Gene", "Cell"))
    assert tags.codes(tags.names).tolist() == list(range(len(tags)))
    with pytest.raises(UnknownNameError, match="no tag named 'B-Gen'; did you mean 'B-Gene'"):
        tags.codes(["B-Gen"])


def test_no_labels_leave_one_tag() -> None:
    assert TagSet(()).names == ("O",)


def test_a_label_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="labels must differ, got Gene, Gene"):
        TagSet(("Gene", "Gene"))
