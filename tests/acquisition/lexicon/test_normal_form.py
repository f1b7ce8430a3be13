import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import WITH_CONTROL
from vermeil.acquisition.lexicon.normal_form import FORMS, Speller, normal_form, spelled
from vermeil.text.characters import code_points

TEXTS = WITH_CONTROL | st.text(max_size=20)


@pytest.mark.parametrize(
    "variants",
    [
        ("TNF-α", "TNF alpha", "tnfα", "Tnf-Alpha"),
        ("NF-κB", "NF-kappa B", "nf kappab"),
        ("µ-opioid", "μ opioid", "mu-Opioid"),
        ("β2", "beta-2", "Β²"),
    ],
)
def test_greek_letters_are_the_same_spelt_or_not(variants: tuple[str, ...]) -> None:
    assert len({normal_form(variant) for variant in variants}) == 1


@given(TEXTS)
def test_a_normal_form_is_its_own_normal_form_and_holds_only_letters_and_digits(text: str) -> None:
    form = normal_form(text)
    assert normal_form(form) == form
    assert form == "" or form.isalnum()


@pytest.mark.parametrize("form", sorted(FORMS))
@given(TEXTS, st.sets(st.characters(codec="utf-8"), max_size=20))
def test_texts_are_spelled_as_strings_are(form: str, text: str, more: set[str]) -> None:
    letters = sorted({*map(ord, spelled(text[::2], form)), *map(ord, more)})
    symbols, places = Speller(form, np.array(letters, dtype=np.uint32)).spell(code_points(text))
    known = {chr(code): place + 1 for place, code in enumerate(letters)}
    assert symbols.tolist() == [known.get(letter, 0) for letter in spelled(text, form)]
    if places is not None:
        lengths = [len(spelled(character, form)) for character in text]
        assert np.diff(places).tolist() == lengths
