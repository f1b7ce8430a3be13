import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.recognise.annotated import marked
from vermeil.recognise.words.preclassifier import TYPES, Preclassifier, tentative_type
from vermeil.recognise.words.token_sets import folded, is_word
from vermeil.recognise.words.word_facts import WordFacts, facts
from vermeil.sequences.features.word_strings import shape
from vermeil.sequences.tokens.alphabet import hash_words

PARTS = st.sampled_from(
    [
        "ethanol",
        "Kinases",
        "oxy",
        "ation",
        "ic",
        "N",
        "pH",
        "\u0130",
        "\u212a",
        "7",
        "-",
        "(",
        "\U0001f9ec",
    ]
)
WORDS = st.lists(st.lists(PARTS, min_size=1, max_size=3).map("".join), unique=True, max_size=8)
PRECLASSIFIER = Preclassifier.fit(
    [marked("1", "We gave [C:ethanol] and [C:N] to mice ( pH 7 ), ethanol.")],
    ["C"],
    english=["kinases"],
)


@given(WORDS)
def test_what_is_known_of_words_is_what_is_found_of_each_by_itself(words: list[str]) -> None:
    known = WordFacts.of_records(WordFacts.found(words, PRECLASSIFIER, None).records())
    assert known.lower.tolist() == [hash_words([word.lower()])[0] for word in words]
    assert known.folded.tolist() == [hash_words([folded(word)])[0] for word in words]
    assert known.is_word.tolist() == list(map(is_word, words))
    assert [TYPES[place] for place in known.type.tolist()] == list(map(tentative_type, words))
    assert known.side.tolist() == PRECLASSIFIER.tokens.sides_of(words).tolist()
    assert known.spelling.tolist() == PRECLASSIFIER.score(words).tolist()
    assert known.shape.tolist() == [hash_words([shape(word)[:4]])[0] for word in words]
    said = [[texts[place] for place in which.tolist()] for texts, which in facts(known)]
    for number, word in enumerate(words):
        bin = int(np.floor(PRECLASSIFIER.score([word])[0] / 2.5))
        [side], [english] = PRECLASSIFIER.tokens.sides_of([word]), PRECLASSIFIER.is_english([word])
        told = [
            f"pre={bin}",
            f"seen={side}{'w' if is_word(word) else ''}",
            f"type={tentative_type(word)}{bin > 0}",
            f"english={english}",
        ]
        assert [column[number] for column in said] == told
        kind = "|".join((*told[:2], shape(word)[:4]))
        assert known.kind[number] == hash_words([kind])[0]
