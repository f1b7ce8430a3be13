import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil.cli.showing import json_text as spelling
from vermeil.cli.showing.json_text import json_text

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=4),
    lambda each: st.lists(each, max_size=7) | st.dictionaries(st.text(max_size=3), each),
)


@given(value=VALUES)
def test_pieces_are_spelt_like_the_whole(value: object) -> None:
    whole = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spelling, "MOST_ITEMS", 3)
        patch.setattr(spelling, "PIECE", 2)
        assert "".join(json_text(value)) == whole


@given(pairs=st.dictionaries(st.text(max_size=3) | st.integers(0, 9), VALUES))
def test_an_iterator_of_pairs_is_an_object(pairs: dict[str, object]) -> None:
    assert "".join(json_text({"all": iter(pairs.items())})) == "".join(json_text({"all": pairs}))
