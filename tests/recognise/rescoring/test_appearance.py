import numpy as np
from hypothesis import given

from tests.strategies import TEXTS
from vermeil import Document
from vermeil.recognise.rescoring.appearance import appearance
from vermeil.recognise.words.preclassifier import Preclassifier
from vermeil.recognise.words.word_facts import WordFacts
from vermeil.sequences.chains.candidates import Candidates
from vermeil.sequences.tokens.axis import TokenAxis


def naive(text: str, n_tokens: int) -> dict[str, float]:
    """Look at the string itself."""
    return {
        "tokens": n_tokens,
        "length": len(text),
        "upper": sum(map(str.isupper, text)) / len(text),
        "digits": sum(map(str.isdigit, text)) / len(text),
        "spaces": sum(map(str.isspace, text)),
        "capital": text[:1].isupper(),
        "no letter": not any(map(str.isalpha, text)),
        "unbalanced": text.count("(") != text.count(")") or text.count("[") != text.count("]"),
        "hyphen": "-" in text,
    }


@given(TEXTS, TEXTS)
def test_strings_are_measured_by_their_tokens(first: str, second: str) -> None:
    documents = [Document(id="1", text=f"NaCl {first}"), Document(id="2", text=second)]
    axis = TokenAxis.of(documents)
    names = [
        (number, start, end)
        for number in range(2)
        for start in range(*axis.first_of_document[number : number + 2].tolist())
        for end in range(start + 1, axis.first_of_document[number + 1] + 1)
    ]
    of, start, end = np.array(names, dtype=np.int64).reshape(-1, 3).T
    zeros = np.zeros(len(start), dtype=np.int64)
    candidates = Candidates(("C",), zeros, start, end, zeros, confidence=zeros.astype(float))
    preclassifier = Preclassifier.fit([Document(id="0", text="", layers={"gold": ()})], ["C"])
    known = WordFacts.found(axis.vocabulary.words, preclassifier, None)
    columns = appearance(candidates, axis, known)
    strings = [
        documents[number].text[low:high]
        for number, low, high in zip(
            of.tolist(), axis.start[start].tolist(), axis.end[end - 1].tolist(), strict=True
        )
    ]
    wanted = [naive(text, n) for text, n in zip(strings, (end - start).tolist(), strict=True)]
    for name, column in columns.items():
        assert column.tolist() == [each[name] for each in wanted]
