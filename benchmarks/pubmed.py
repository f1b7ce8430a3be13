"""Reading PubMed's XML against the bare parser, and memory against the size of a file.

The files are made up after the public DTD (see ``medline``), since no real one is at hand. The
floor is lxml's ``iterparse`` over the same file, throwing every article away; the peer is the same
loop with the least code that gives ids, titles and abstracts as strings, without markup, labels or
checks. A folder of files is read twice, to know which versions are current.

    python -m benchmarks.pubmed [N_ARTICLES]
"""

import gzip
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.measures import Measure, show
from benchmarks.medline import file_of
from benchmarks.timing import best
from vermeil.formats import read, write


def main(n: int) -> None:
    """Print the table."""
    show(rows(n))


def rows(size: int) -> list[Measure]:
    """Measure on ``size`` made-up articles."""
    with tempfile.TemporaryDirectory() as name:
        plain = written(size, Path(name) / "pubmed24n0001.xml")
        packed = plain.with_suffix(".xml.gz")
        packed.write_bytes(gzip.compress(plain.read_bytes(), mtime=0))
        n_bytes = plain.stat().st_size / 1e6
        floor, peer = best(lambda: bare(plain)), best(lambda: [*simple(plain)])
        reading = best(lambda: exhaust(plain))
        from_gzip = best(lambda: exhaust(packed))
        target = Path(name) / "out.jsonl.gz"
        converting = best(lambda: write(read(packed), target), 1)
        unpacking = best(lambda: gzip.decompress(packed.read_bytes()))
        plain.unlink()
        folder = best(lambda: exhaust(Path(name), format="pubmed"), 1)
    parsing, unpacked = "lxml.iterparse, nothing kept", "the same and unpacking"
    return [
        Measure(
            "read XML",
            reading,
            peer=peer,
            peer_name="the simplest loop",
            floor=floor,
            floor_name=parsing,
            note=f"{size:,} articles, {n_bytes:.0f} MB; {n_bytes / reading:.0f} MB and "
            f"{size / reading:,.0f} articles a CPU s",
        ),
        Measure("read XML, gzip", from_gzip, floor=floor + unpacking, floor_name=unpacked),
        Measure(
            "read a folder, current versions only",
            folder,
            floor=floor + unpacking,
            floor_name=unpacked,
            note="parsed twice",
        ),
        Measure("convert to JSON Lines, gzip to gzip", converting),
    ]


def grow(size: int) -> Callable[[], object]:
    """Prepare the conversion of ``size`` made-up articles."""
    folder = Path(tempfile.mkdtemp())
    path = written(size, folder / "a.xml")

    def work() -> None:
        write(read(path), folder / "a.jsonl")
        shutil.rmtree(folder)

    return work


def written(n: int, path: Path) -> Path:
    """Write a file with ``n`` articles."""
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(file_of(range(1, n + 1)))
    return path


def bare(path: Path) -> int:
    """Parse and throw away."""
    return sum(1 for _ in _articles(path))


def simple(path: Path) -> Iterator[tuple[str, str]]:
    """Give ids and texts the quick way."""
    for article in _articles(path):
        texts = [article.find(".//ArticleTitle"), *article.iterfind(".//AbstractText")]
        yield article.findtext(".//PMID"), " ".join("".join(each.itertext()) for each in texts)


def exhaust(path: Path, format: str | None = None) -> None:
    """Read and drop."""
    for _ in read(path, format=format):
        pass


def _articles(path: Path) -> Iterator[Any]:
    from lxml import etree

    for _, article in etree.iterparse(str(path), tag="PubmedArticle"):
        yield article
        article.clear()
        while article.getprevious() is not None:
            del article.getparent()[0]


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 5_000)
