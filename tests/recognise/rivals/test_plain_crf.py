import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.recognise.annotated import marked
from vermeil.arrays import Flags
from vermeil.errors import MissingExtraError
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.rivals.plain_crf import PlainCrf, read_crfsuite, sentences_of, train_crfsuite
from vermeil.recognise.rivals.plain_features import PLACES, WordLists, _places, encode_plain
from vermeil.recognise.words.knowledge import Resources
from vermeil.recognise.words.name_list import NameList
from vermeil.sequences.chains.lattice import lattice_of
from vermeil.sequences.chains.learning import TaggedTokens
from vermeil.sequences.features.rows import Encoded
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.sequences.tokens.tag_set import TagSet

TEXTS = [
    "Patients received [C:morphine] or [C:acetic acid] before the operation.",
    "After [C:clonidine] the heart rate fell. Then [C:morphine] had no effect in [G:BRCA1] mice.",
    "The [G:protein kinase] was found in rats. [C:Acetic acid] too.",
]
DOCUMENTS = [marked(str(number), text) for number, text in enumerate(TEXTS)]


def described(axis: TokenAxis, names: Sequence[str] = (), english: Sequence[str] = ()) -> Encoded:
    return encode_plain(axis, WordLists.of(names, english, tokeniser="fine"))


class FreeTags(TagSet):
    """Tags of which every one may follow every other, as crfsuite has it."""

    @property
    def allowed_first(self) -> Flags:
        return np.ones(len(self), dtype=bool)

    @property
    def allowed(self) -> Flags:
        return np.ones((len(self), len(self)), dtype=bool)


def test_our_lattice_gives_the_marginals_of_crfsuite(tmp_path: Path) -> None:
    pycrfsuite = pytest.importorskip("pycrfsuite")
    tags = FreeTags(("C", "G"))
    axis = TokenAxis.of(DOCUMENTS)
    tag = axis.tags_of(DOCUMENTS, tags, annotator="gold")
    encoded = described(axis, ["morphine"], ["rats"])
    tokens = TaggedTokens(encoded, tag, axis.first_token, tags)
    train_crfsuite(tokens, tmp_path / "m", n_rounds=20)
    model = read_crfsuite(tmp_path / "m", tags)
    ours = lattice_of(model.potentials(encoded, axis.first_token)).marginal
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "m"))
    theirs = []
    for sentence in sentences_of(encoded, axis.first_token):
        tagger.set(sentence)
        theirs += [
            [tagger.marginal(name, place) if name in tagger.labels() else 0 for name in tags.names]
            for place in range(len(sentence))
        ]
    assert ours == pytest.approx(np.array(theirs), abs=1e-4)
    assert len(np.unique(ours.argmax(axis=1))) == len(tags)


def test_without_crfsuite_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    with pytest.raises(
        MissingExtraError, match=r"crfsuite needs python-crfsuite, .* 'python-crfsuite>="
    ):
        PlainCrf.fit(DOCUMENTS, Recipe(("C",)), Resources())


def features_of(encoded: Encoded, token: int) -> set[int]:
    return {
        int(feature)
        for row in encoded.row[token]
        for feature in encoded.rows.features[slice(*encoded.rows.first[row : row + 2])]
    }


def test_a_token_is_described_by_its_window_and_no_further() -> None:
    texts = ["a b c d e f", "x b c d e f", "a b c D e f", "a b c. D e f"]
    encoded = [described(TokenAxis.of([marked("1", text)])) for text in texts]
    same = [features_of(each, 3) == features_of(encoded[0], 3) for each in encoded]
    assert same == [True, True, False, False]
    assert features_of(encoded[0], 2) != features_of(encoded[1], 2)


def test_a_token_knows_its_place_in_a_listed_name_and_which_lists_it_is_in() -> None:
    axis = TokenAxis.of([marked("1", "the acetic acid fell")])
    bare = described(axis)
    listed = described(axis, ["acetic acid"])
    known = described(axis, [], ["fell"])
    differ = [
        [features_of(each, at) != features_of(bare, at) for at in range(4)]
        for each in (listed, known)
    ]
    assert differ == [[True, True, True, True], [False, True, True, True]]


def test_the_window_ends_with_the_sentence() -> None:
    one, other = (
        described(TokenAxis.of([marked("1", text)]))
        for text in ("It fell. Then he left.", "We rose. Then he left.")
    )
    assert [features_of(one, at) == features_of(other, at) for at in range(7)] == [
        *(False, False, False),
        *(True, True, True, True),
    ]


def test_the_places_of_listed_names_are_first_inside_last_or_whole() -> None:
    axis = TokenAxis.of([marked("1", "ethanol and acetic acid ethyl ester with acetic acid")])
    lexicon = NameList.of(["ethanol", "acetic acid", "acetic acid ethyl ester"])
    assert "".join(PLACES[at] for at in _places(axis, lexicon)) == "SOBIIEOBE"
