import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import WITH_CONTROL
from vermeil.text.token_edges import LOCAL, lay_out
from vermeil.text.tokens import TOKENISERS, tokenise

TEXTS = st.lists(WITH_CONTROL | st.text(max_size=20), max_size=4)


@pytest.mark.parametrize("tokeniser", sorted(TOKENISERS))
@given(TEXTS)
def test_tokens_lie_where_the_tokeniser_puts_them(tokeniser: str, texts: list[str]) -> None:
    axis = lay_out(texts, tokeniser=tokeniser)
    assert len(axis.first_token) == len(texts) + 1
    for number, text in enumerate(texts):
        own = slice(axis.first_token[number], axis.first_token[number + 1])
        origin = axis.origin[number]
        start = (axis.token_start[own] - origin).tolist()
        end = (axis.token_end[own] - origin).tolist()
        assert list(zip(start, end, strict=True)) == tokenise(text, by=tokeniser)


@pytest.mark.parametrize("tokeniser", LOCAL)
def test_every_kind_of_character_falls_into_a_class(tokeniser: str) -> None:
    codes = [*range(0x3200), *range(0x3200, 0xD800, 17), *range(0xE000, 0x20000, 17)]
    every = [chr(code) for code in codes]
    text = "".join(f"A{character}a" for character in every)
    axis = lay_out([text], tokeniser=tokeniser)
    found = list(zip(axis.token_start.tolist(), axis.token_end.tolist(), strict=True))
    assert found == tokenise(text, by=tokeniser)
