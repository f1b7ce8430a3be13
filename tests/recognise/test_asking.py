from dataclasses import replace
from typing import Any

import pytest

from vermeil.errors import UnknownNameError, UsageError
from vermeil.recognise.asking import PAPER, USUAL, choices, settled
from vermeil.recognise.recipe import Recipe

UNASKED: dict[str, Any] = dict.fromkeys(USUAL)


def test_without_a_word_a_cascade_is_made_our_way() -> None:
    way = settled(UNASKED, by="cascade", like_paper=False)
    assert replace(Recipe(("C",)), **choices(way)) == Recipe(("C",))


def test_the_paper_differs_from_us_in_every_answer() -> None:
    way = settled(UNASKED, by="cascade", like_paper=True)
    assert way == PAPER
    assert set(PAPER) == set(USUAL)
    assert not [name for name in PAPER if PAPER[name] == USUAL[name]]


def test_what_is_asked_for_outranks_the_paper() -> None:
    way = settled(UNASKED | {"filters": False, "parts": 3}, by="cascade", like_paper=True)
    recipe = Recipe(("C",), **choices(way))
    assert (recipe.filtered, recipe.n_parts, recipe.sequence) == (False, 3, "memms")
    assert recipe.like_paper
    assert recipe.blocked_first


def test_only_a_cascade_is_like_the_paper() -> None:
    with pytest.raises(UsageError, match="leave it out for --by hmm"):
        settled(UNASKED, by="hmm", like_paper=True)


def test_what_a_kind_has_no_use_for_is_refused() -> None:
    asked = UNASKED | {"keep_features": 0.5, "sequence": "memm", "tokeniser": "chemistry"}
    with pytest.raises(UsageError, match="--by hmm has no use for --keep-features, --sequence;"):
        settled(asked, by="hmm", like_paper=False)
    assert settled(asked, by="committee", like_paper=False)["sequence"] == "memm"


@pytest.mark.parametrize("asked", [{"features": "papers"}, {"resolve": "befor"}])
def test_what_there_is_not_is_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(UnknownNameError, match="did you mean"):
        settled(UNASKED | asked, by="cascade", like_paper=False)
