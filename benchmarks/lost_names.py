"""What acquired annotation or a recogniser misses and invents, by kinds that rules tell apart.

A name of the gold is missed, to the character, for the first of these reasons that fits:

    another boundary      something that overlaps it was found; which words differ is listed apart
    found elsewhere       the same string was found elsewhere in the document
    listed                the lexicon has it in some spelling, and it was not believed
    defined in brackets   its long form stands before it, or its short form behind it
    number of a list      ``-beta`` and ``2`` of ``IL-1alpha and -beta`` and ``STAT1 and 2``
    other spelling        listed without a species (``hGATA3``), a plural, or a general noun
    family or numbered    listed with another number or letter, or with one more (``NFAT``, ``p40``)
    words                 small letters only
    no database           all else

What was found wrongly is told apart by whether it overlaps a name of the gold, and whether the
lexicon has it. Without a model it is printed what each organism adds: the gold's names that its
genes have, and those that no other's have. Reads VERMEIL_CORPORA. Kinds were looked at on GE, which
is for choosing; on EPI no examples are shown unless asked for.

    python -m benchmarks.lost_names [MODEL.zip] [--epi] [--examples N]
"""

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.acquisition import FOLDER, FOUND, GOLD, LABEL, genes, proteins, row
from vermeil import Document, Span
from vermeil.acquisition.databases.entries import read_entries
from vermeil.acquisition.lexicon.compilation import Lexicon
from vermeil.acquisition.lexicon.normal_form import normal_form
from vermeil.recognise.recogniser import load
from vermeil.recognise.tagging import tag

BOUNDARY = "another boundary"
SPECIES = re.compile(r"^(?:human|mouse|murine|rat|bovine|yeast|viral|[hmrxdv])[ -]?(?=\w{2})")
NOUNS = re.compile(
    r"[ -]?(?:genes?|proteins?|receptors?|factors?|molecules?|antigens?|subunits?|chains?|isoforms?"
    r"|kinases?|mRNA|cDNA|s)$"
)
NUMBER = re.compile(r"[ -]?(?:[0-9]+[A-Za-z]?|[IVX]+|[A-Za-z]|alpha|beta|gamma|delta|epsilon)$")
PART = re.compile(r"-?(?:[0-9]+[A-Za-z]?|[IVX]+|[A-Z]|alpha|beta|gamma|delta|epsilon|zeta)")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path, nargs="?")
    parser.add_argument("--epi", action="store_true", help="EPI, which is not for choosing")
    parser.add_argument("--examples", type=int)
    asked = parser.parse_args()
    if not FOLDER.is_dir():
        print(f"no abstracts at {FOLDER}; set VERMEIL_CORPORA")
        return
    judges = proteins(FOLDER / ("epi-train" if asked.epi else "ge-train"))
    n_examples = asked.examples if asked.examples is not None else 0 if asked.epi else 12
    if asked.model is None:
        print_organisms(judges)
        return
    model = load(asked.model)
    found = list(tag(model, judges, name=FOUND, threshold=model.recipe.threshold))
    row(asked.model.stem, found)
    print_kinds(found, Listed(names_in(genes("normalised"))), n_examples)


def print_organisms(judges: Sequence[Document]) -> None:
    """Print how many of the gold's names each organism has, and has alone."""
    gold = Counter(
        normal_form(span.marked(document.text))
        for document in judges
        for span in document.layers[GOLD]
    )
    n, n_left = gold.total(), gold.total()
    files = sorted(FOLDER.glob("*.gene_info.gz"))
    forms = {
        path.name.partition(".")[0]: {
            form
            for entry in read_entries(path, label=LABEL)
            if (form := normal_form(entry.name)) in gold
        }
        for path in files
    }
    print(f"{'':28}{'has':>8}{'alone':>8}  of {n:,} names")
    for organism, own in forms.items():
        others = set[str]().union(*(each for other, each in forms.items() if other != organism))
        has, alone = (sum(gold[form] for form in some) for some in (own, own - others))
        print(f"{organism:<28}{100 * has / n:7.1f}%{100 * alone / n:7.1f}%")
    n_left -= sum(gold[form] for form in set[str]().union(*forms.values()))
    print(f"{'none of them':<28}{100 * n_left / n:7.1f}%")


def names_in(lexicon: Lexicon) -> Iterator[str]:
    """Yield the names of a lexicon."""
    return (lexicon.names.name(number) for number in range(len(lexicon.key_of_name)))


def print_kinds(documents: Sequence[Document], listed: "Listed", n_examples: int) -> None:
    """Print what is missed and what is invented, by kind, with the commonest strings."""
    n_gold = sum(len(each.layers[GOLD]) for each in documents)
    n_found = sum(len(each.layers[FOUND]) for each in documents)
    print_table("missed", missed(documents, listed), n_gold, n_examples)
    print_table("boundary found", boundaries(documents), n_gold, n_examples)
    print_table("invented", invented(documents, listed), n_found, n_examples)


def print_table(title: str, told: Iterable[tuple[str, str]], n: int, n_examples: int) -> None:
    """Print a row for each kind: how many, the share of all, and what is most common."""
    strings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for kind, string in told:
        strings[kind][string] += 1
    total = sum(each.total() for each in strings.values())
    print(f"\n{title}: {total:,} of {n:,}, {100 * total / n:.1f}%")
    for kind, own in sorted(strings.items(), key=lambda each: -each[1].total()):
        common = ", ".join(f"{string} {times}" for string, times in own.most_common(n_examples))
        print(f"{kind:<24}{own.total():6,}{100 * own.total() / n:6.1f}%  {common}")


class Listed:
    """Tells whether a string is among names in some spelling."""

    def __init__(self, names: Iterable[str]) -> None:
        self._forms = {normal_form(name) for name in names}

    def __contains__(self, string: str) -> bool:
        return normal_form(string) in self._forms


def missed(documents: Iterable[Document], listed: Listed) -> Iterator[tuple[str, str]]:
    """Yield the kind and the string of every name that was not found."""
    for document in documents:
        found = document.layers[FOUND]
        places = {(span.start, span.end) for span in found}
        strings = {span.marked(document.text) for span in found}
        for span in document.layers[GOLD]:
            if (span.start, span.end) not in places:
                string = span.marked(document.text)
                if any(overlap(span, other) for other in found):
                    yield BOUNDARY, string
                elif string in strings:
                    yield "found elsewhere", string
                else:
                    yield kind_of(span, document.text, listed), string


def kind_of(span: Span, text: str, listed: Listed) -> str:
    """Tell the kind of a name of which nothing was found."""
    string = span.marked(text)
    before, after = text[: span.start].rstrip(), text[span.end :].lstrip()
    bare = NOUNS.sub("", SPECIES.sub("", string))
    stem = NUMBER.sub("", string)
    if string in listed:
        return "listed"
    if (before.endswith("(") and after.startswith(")")) or re.match(r"\([^()]{2,12}\)", after):
        return "defined in brackets"
    if PART.fullmatch(string):
        return "number of a list"
    if bare != string and bare in listed:
        return "other spelling"
    numbered = (f"{part}{end}" for part in (string, stem) for end in ("1", "2", "A", "alpha"))
    if (stem != string and len(stem) > 1 and stem in listed) or any(
        each in listed for each in numbered
    ):
        return "family or numbered"
    return "words" if string.islower() else "no database"


def boundaries(documents: Iterable[Document]) -> Iterator[tuple[str, str]]:
    """Yield how what was found differs from a name that it overlaps, and the words that differ."""
    for document in documents:
        found = document.layers[FOUND]
        places = {(span.start, span.end) for span in found}
        for span in document.layers[GOLD]:
            if (span.start, span.end) in places:
                continue
            other = next((each for each in found if overlap(span, each)), None)
            if other is not None:
                yield difference(span, other, document.text)


def difference(wanted: Span, other: Span, text: str) -> tuple[str, str]:
    """Say on which sides what was found is too long or too short, and by which words."""
    parts, words = [], []
    for side, mine, theirs in (
        ("left", wanted.start, other.start),
        ("right", -wanted.end, -other.end),
    ):
        if mine != theirs:
            parts.append(f"{'longer' if theirs < mine else 'shorter'} {side}")
            low, high = sorted((abs(mine), abs(theirs)))
            words.append(text[low:high].strip())
    return ", ".join(parts), " … ".join(words)


def invented(documents: Iterable[Document], listed: Listed) -> Iterator[tuple[str, str]]:
    """Yield the kind and the string of what was found and is no name of the gold."""
    for document in documents:
        gold = document.layers[GOLD]
        places = {(span.start, span.end) for span in gold}
        strings = {span.marked(document.text) for span in gold}
        for span in document.layers[FOUND]:
            if (span.start, span.end) in places:
                continue
            string = span.marked(document.text)
            if any(overlap(span, other) for other in gold):
                yield BOUNDARY, string
            elif string in strings:
                yield "gold elsewhere", string
            else:
                yield "listed" if string in listed else "no database", string


def overlap(one: Span, other: Span) -> bool:
    """Tell whether two spans share a character."""
    return one.start < other.end and other.start < one.end


if __name__ == "__main__":
    main()
