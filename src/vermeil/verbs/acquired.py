"""What the verbs of ``acquire`` return, as tables and as data."""

from collections.abc import Iterable, Iterator, Sequence
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vermeil.document import Document
from vermeil.formats.files.ledger import Ledger
from vermeil.verbs.corpus import Corpus
from vermeil.verbs.tables.table import Block, Table, Tabled, counted

if TYPE_CHECKING:
    from vermeil.acquisition.lexicon.compilation import Compilation
    from vermeil.acquisition.rounds import Round
    from vermeil.acquisition.stage import Equipment, Labelled
    from vermeil.runs.streaming import Streaming

RATIOS = ("precision", "recall", "f1")
LENGTHS = ("1", "2", "3", "4 or more")


class CompiledLexicon(Tabled):
    """A lexicon in a file; it can be given wherever the path of one is wanted."""

    def __init__(self, path: Path, labels: Sequence[str], done: "Compilation") -> None:
        self.path, self.labels, self.compilation = path, tuple(labels), done

    def __fspath__(self) -> str:
        return str(self.path)

    def blocks(self) -> Iterator[Block]:
        """Yield how many names there are, and what was left out."""
        size = self.path.stat().st_size
        title = f"{self.path}: {size / 1e6:.1f} MB, {', '.join(self.labels)}"
        yield lexicon_table(title, self.compilation)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the counts in one row."""
        yield lexicon_data(self.compilation)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        own = {"output": str(self.path), "labels": list(self.labels)}
        return {**own, **lexicon_data(self.compilation)}

    def __repr__(self) -> str:
        n = counted(self.compilation.n_names, "name")
        return f"<CompiledLexicon: {n} of {', '.join(self.labels)}>"[:160]


class LabelledDocuments(Tabled):
    """Documents with layers of acquired annotation: ``documents``, and how much each layer holds.

    They can be given to every other verb in the place of their documents; files stream.
    """

    def __init__(self, source: Corpus, work: "Streaming[None, Equipment, Labelled]") -> None:
        self._work = work
        self._counted: Labelled | None = None
        self.documents = Corpus(self._labelled, "labelled documents", as_long_as=source)
        if source.is_held:
            self.documents.hold()

    @property
    def counts(self) -> "Labelled":
        """What each layer holds, and how right it is where there is gold."""
        if self._counted is None:
            for _ in self.documents:
                pass
        assert self._counted is not None
        return self._counted

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    def blocks(self) -> Iterator[Block]:
        """Yield how many names each layer has."""
        yield labelled_table(self.counts)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a layer."""
        for name, figures in labelled_figures(self.counts).items():
            yield {"layer": name, **figures}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {"documents": self.counts.n_documents, "layers": labelled_figures(self.counts)}

    def __repr__(self) -> str:
        return "<LabelledDocuments>"

    def _labelled(self, ledger: Ledger) -> Iterator[Document]:
        stream = self._work.documents()
        counted = self._work.sums
        yield from stream
        self._counted = counted


class MendedDocuments(Tabled):
    """Documents whose annotation was mended, round by round."""

    def __init__(self, documents: Iterable[Document], rounds: "Sequence[Round]") -> None:
        self.documents, self.rounds_done = Corpus.of(documents), tuple(rounds)

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    def blocks(self) -> Iterator[Block]:
        """Yield what each round added, and how long names are."""
        yield from rounds_blocks(counted(len(self), "document"), self.rounds_done)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a round."""
        return map(round_data, self.rounds_done)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {"documents": len(self), "rounds": list(self.rows())}

    def __repr__(self) -> str:
        n = counted(max(0, len(self.rounds_done) - 1), "round")
        return f"<MendedDocuments: {counted(len(self), 'document')}, {n}>"


def lexicon_table(title: str, done: "Compilation") -> Table:
    """List how many names there are, and what was left out."""
    rows: list[list[object]] = [["entries", done.n_entries]]
    rows += [[f"  removed: {reason}", n] for reason, n in sorted(done.removed.items())]
    rows += [["names", done.n_names], ["  spelled apart", done.n_keys], ["ids", done.n_ids]]
    return Table(title, ["", "n"], rows)


def lexicon_data(done: "Compilation") -> dict[str, Any]:
    """Return the counts as JSON has them."""
    return {
        "entries": done.n_entries,
        "removed": dict(done.removed),
        "names": done.n_names,
        "keys": done.n_keys,
        "ids": done.n_ids,
    }


def labelled_figures(labelled: "Labelled") -> dict[str, dict[str, Any]]:
    """Return how many names each layer has, with ratios where there is gold."""
    figures: dict[str, dict[str, Any]] = {}
    for name, n in labelled.n_names.items():
        counts = labelled.counts.get(name)
        ratios = {} if counts is None else {key: getattr(counts, key) for key in RATIOS}
        figures[name] = {"names": n, **ratios}
    return figures


def labelled_table(labelled: "Labelled") -> Table:
    """List how many names each layer has, with ratios where there is gold."""
    figures = labelled_figures(labelled)
    columns = ["layer", "names", *(["P", "R", "F1"] if labelled.counts else [])]
    rows = [
        [
            name,
            own["names"],
            *(f"{own.get(key, nan):.3f}" for key in (RATIOS if labelled.counts else ())),
        ]
        for name, own in figures.items()
    ]
    return Table(f"{labelled.n_documents:,} documents", columns, rows)


def rounds_blocks(title: str, rounds: "Sequence[Round]") -> Iterator[Block]:
    """List what each round added (Figure 7), and how long names are (Figure 9)."""
    rows = [
        [each.number, each.n_tokens, each.n_names, each.n_added, f"{each.f1:.3f}"]
        for each in rounds
    ]
    yield Table(title, ["round", "tokens", "names", "added", "F1"], rows)
    if rounds:
        yield ""
        yield lengths_table(rounds[-1])


def lengths_table(last: "Round") -> Table:
    """Tell which share of the annotated and of the added names has which length."""
    rows = [
        [name, sum(own), *(f"{n / sum(own) if sum(own) else nan:.3f}" for n in own)]
        for name, own in (("annotated", last.lengths), ("added", last.added_lengths))
    ]
    return Table("Share of names by length in words (Figure 9)", ["", "names", *LENGTHS], rows)


def round_data(each: "Round") -> dict[str, Any]:
    """Return a round as JSON has it."""
    return {
        "round": each.number,
        "documents": each.n_documents,
        "tokens": each.n_tokens,
        "names": each.n_names,
        "added": each.n_added,
        "lengths": each.lengths,
        "added_lengths": each.added_lengths,
        "f1": each.f1,
    }
