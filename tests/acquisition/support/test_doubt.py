import numpy as np

from tests.acquisition import bed
from vermeil import Document
from vermeil.acquisition.databases.references import Links, References
from vermeil.acquisition.lexicon.compilation import Entry, compile_lexicon
from vermeil.acquisition.lexicon.matching import match
from vermeil.acquisition.support.doubt import FAMILY, FEW, UNLINKED, NameDoubts
from vermeil.acquisition.support.judgement import Judgement, scored_matches

NAMES = {
    "STAT1": ("1", "STAT"),
    "STAT2": ("2", "STAT"),
    "ABC": ("3",),
    "abcd": ("4",),
    "XYZ9": ("5",),
    "Longwinded": ("6",),
}
LINKED = {"1", "3", "6"}


def test_short_names_families_and_names_without_a_reference_are_doubted() -> None:
    entries = [
        Entry(name, id, "Gene")
        for symbol, (id, *others) in NAMES.items()
        for name in (symbol, *others)
    ]
    lexicon = compile_lexicon(entries, spelling="normalised")
    links = Links.of(lexicon, References.of((id, "7") for id in LINKED))
    texts = [Document(id="0", text="STAT1 STAT2 STAT ABC abcd ABCD XYZ9 Longwinded")]
    matches = match(lexicon, texts, tokeniser="punctuation")
    strings = matches.strings(texts)
    lower = NameDoubts.of(links).about(strings, matches.key)
    assert dict(zip(strings, lower.tolist(), strict=True)) == {
        "STAT1": 0.0,
        "STAT2": UNLINKED,
        "STAT": FAMILY,
        "ABC": FEW,
        "abcd": 0.0,
        "ABCD": UNLINKED,
        "XYZ9": UNLINKED,
        "Longwinded": 0.0,
    }


def test_a_judgement_lowers_its_scores_by_its_doubts() -> None:
    lexicon, links = bed.lexicon(), bed.links()
    judgement = Judgement.learn(lexicon, links, bed.abstracts())
    some = [*bed.abstracts()[:20], Document(id="0", text="CELL and ABC1 and mice")]
    plain = scored_matches(judgement.model, *judgement.describe(some))
    lower = judgement.doubts.about(plain.matches.strings(some), plain.matches.key)
    assert lower.any()
    assert np.allclose(judgement.judge(some).score, plain.score - lower)
