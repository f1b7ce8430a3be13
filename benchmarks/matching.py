"""How fast a lexicon of a million names is found in abstracts, against a bare automaton.

The names are those of four organisms' genes, filled up to a million with numbered variants. The
bare automaton is daachorse's, asked for overlapping matches of the same text: what it finds is not
filtered by token boundaries yet, let alone settled. A second automaton is given names and text in
which each character says whether it begins or ends a token, so that it finds whole tokens only and
settles overlaps itself; it can do this for exact names alone. CPU time, one core. Reads
VERMEIL_CORPORA.

    python -m benchmarks.matching [N_DOCUMENTS]
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np

from benchmarks.generated import ENDINGS, STEMS
from benchmarks.generated import documents as generated
from benchmarks.measures import Measure, show
from benchmarks.perturbed import CORPORA
from benchmarks.timing import best, peak_megabytes
from vermeil import Document
from vermeil.acquisition.databases.entries import read_entries
from vermeil.acquisition.lexicon.compilation import Entry, Lexicon, compile_lexicon
from vermeil.acquisition.lexicon.files import load_lexicon, save_lexicon
from vermeil.acquisition.lexicon.matching import match
from vermeil.formats import read
from vermeil.text.token_edges import lay_out

N_NAMES = 1_000_000
N_COMPARED = 4_000
N_MADE_UP = 100_000
N_REAL = 20_000
SPELLINGS = ("exact", "normalised")


def main(n_documents: int | None = None) -> None:
    """Print times, ratios, growth with the text and memory."""
    folder = CORPORA / "acquire"
    if not folder.is_dir():
        print(f"no abstracts at {folder}; set VERMEIL_CORPORA; generated documents instead")
        show(rows(n_documents or N_COMPARED))
        return
    documents = list(islice(read(folder / "abstracts.jsonl.gz"), n_documents))
    entries = list(million_entries(folder))
    lexicons = {spelling: prepared(entries, spelling) for spelling in SPELLINGS}
    del entries
    growth(documents, lexicons)
    show(against_automaton(documents[:N_COMPARED], lexicons))


def rows(size: int) -> list[Measure]:
    """Measure 100,000 made-up names in ``size`` generated documents.

    From 20,000 documents on, also a million names in real abstracts where there are corpora.
    """
    beds = [(list(made_up_entries(N_MADE_UP)), list(generated(size)))]
    folder = CORPORA / "acquire"
    if size >= N_REAL and folder.is_dir():
        abstracts = list(islice(read(folder / "abstracts.jsonl.gz"), N_COMPARED))
        beds.append((list(million_entries(folder)), abstracts))
    measures = []
    for entries, documents in beds:
        lexicons = {each: compile_lexicon(entries, spelling=each) for each in SPELLINGS}
        measures += against_automaton(documents, lexicons)
    return measures


def grow(size: int) -> Callable[[], object]:
    """Prepare the matching of 100,000 made-up names in ``size`` generated documents."""
    lexicon = compile_lexicon(list(made_up_entries(N_MADE_UP)), spelling="exact")
    documents = list(generated(size))
    return lambda: len(match(lexicon, documents, tokeniser="fine"))


def made_up_entries(n: int) -> Iterator[Entry]:
    """Yield names like those of the generated documents, and more of that kind."""
    for number in range(n):
        rest, stem = divmod(number, len(STEMS))
        rest, ending = divmod(rest, len(ENDINGS))
        yield Entry(f"{STEMS[stem]}{ENDINGS[ending]}-{rest + 1}", f"ID:{number}", "Gene")


def million_entries(folder: Path) -> Iterator[Entry]:
    """Yield entries with a million distinct names."""
    seen: dict[str, Entry] = {}
    for path in sorted(folder.glob("*.gene_info.gz")):
        for entry in read_entries(path):
            seen.setdefault(entry.name, entry)
            yield entry
    rng = np.random.default_rng(0)
    real = list(seen.values())
    while len(seen) < N_NAMES + 5_000:
        entry = real[int(rng.integers(len(real)))]
        variant = entry._replace(name=f"{entry.name}-{rng.integers(10_000)}")
        if seen.setdefault(variant.name, variant) is variant:
            yield variant


def prepared(entries: Sequence[Entry], spelling: str) -> Lexicon:
    """Compile, save and load a lexicon, and print what that costs."""
    begun = process_time()
    lexicon = compile_lexicon(entries, spelling=spelling)
    compiled = process_time() - begun
    with TemporaryDirectory() as temporary:
        path = Path(temporary) / "lexicon"
        save_lexicon(lexicon, path)
        loading = best(lambda: load_lexicon(path))
        size = path.stat().st_size / 1e6
        loaded = load_lexicon(path)
    print(
        f"{spelling:12}{lexicon.compilation.n_names:>11,} names {len(lexicon):>11,} keys"
        f"  compiled {compiled:.1f} s  file {size:.0f} MB  loaded {loading:.3f} s"
    )
    return loaded


def growth(documents: Sequence[Document], lexicons: dict[str, Lexicon]) -> None:
    """Print how time grows with the text, and the memory at the end."""
    before = peak_megabytes()
    for spelling, lexicon in lexicons.items():
        match(lexicon, documents[:500])
        for share in (4, 2, 1):
            some = documents[: len(documents) // share]
            n_characters = sum(len(document.text) for document in some)
            begun = process_time()
            n_found = len(match(lexicon, some))
            spent = process_time() - begun
            print(
                f"{spelling:12}{len(some):>8,} documents {n_characters / 1e6:6.1f} M characters "
                f"{n_found:>10,} matches {spent:7.2f} s {n_characters / 1e6 / spent:6.1f} M/s"
            )
    after = peak_megabytes()
    print(f"memory {after:,.0f} MB, {after - before:,.0f} MB of it for matching")


def against_automaton(documents: Sequence[Document], lexicons: dict[str, Lexicon]) -> list[Measure]:
    """Time both spellings, and the automatons on the exact names."""
    exact = lexicons["exact"]
    text = "\n".join(document.text for document in documents)
    found = len(match(exact, documents, tokeniser="fine"))
    bed = f"{len(exact.names):,} names, {len(text) / 1e6:.1f} M characters, {found:,} matches"
    measures = [
        Measure(
            f"{spelling} names, whole tokens, overlaps settled",
            best(partial(match, lexicon, documents, tokeniser="fine")),
            floor=best(lambda: lay_out([document.text for document in documents])),
            floor_name="cutting the text into tokens",
            note=bed if spelling == "exact" else "",
        )
        for spelling, lexicon in lexicons.items()
    ]
    if find_spec("daachorse") is None:
        return measures
    from daachorse import MATCH_KIND_LEFTMOST_LONGEST, CharwiseDoubleArrayAhoCorasick

    names = [exact.names.name(row) for row in range(len(exact.names))]
    automaton = CharwiseDoubleArrayAhoCorasick(names)
    marked = CharwiseDoubleArrayAhoCorasick(
        [*map(_joined, names)], match_kind=MATCH_KIND_LEFTMOST_LONGEST
    )
    first, second = measures
    bare = best(lambda: automaton.find_overlapping(text), 1)
    shortened = best(lambda: automaton.find_overlapping_no_suffix(text), 1)
    whole = best(lambda: marked.find(_joined(text)), 1)
    n_whole = f"{len(marked.find(_joined(text))):,} matches of the automaton"
    return [
        replace(first, peer=bare, peer_name="daachorse, all overlapping matches, unsettled"),
        replace(first, peer=shortened, peer_name="daachorse, without suffixes, unsettled", note=""),
        replace(first, peer=whole, peer_name="daachorse over marked characters", note=n_whole),
        replace(second, peer=bare, peer_name="daachorse, exact names only, unsettled"),
    ]


def _joined(text: str) -> str:
    """Put a mark on each character: whether it begins and whether it ends a token."""
    axis = lay_out([text])
    codes = axis.codes[:-1].astype(np.uint32) * 4
    codes[axis.token_start] += 1
    codes[axis.token_end - 1] += 2
    codes[codes >= 0xD800] += 0x800
    return codes.astype("<u4").tobytes().decode("utf-32-le")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else None)
