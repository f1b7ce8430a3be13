import re
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from itertools import islice
from pathlib import Path

import pytest

from tests.genia_trees import PARSERS
from tests.reports.findings import HOSTILE, Page, corpus, hostile, without_gold
from vermeil import Document, Span
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.corpus import read_corpus
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.forests import read_forests
from vermeil.formats.inputs import Input
from vermeil.reports.page import KINDS, LINKED_KINDS, MAX_BYTES, make_page
from vermeil.reports.spans.findings import CONSENSUS, SpanFindings, find_spans
from vermeil.reports.trees.findings import find_trees
from vermeil.scoring.agreement import agree
from vermeil.scoring.scores import score
from vermeil.scoring.silver import compare_standards


@pytest.fixture(scope="module")
def findings() -> SpanFindings:
    return find_spans(corpus(), n_resamples=50)


@pytest.fixture(scope="module")
def page(findings: SpanFindings) -> Page:
    return Page(make_page("A page", spans=findings))


def test_numbers_are_those_of_the_library(findings: SpanFindings) -> None:
    documents = corpus()
    names = ["anna", "ben", "cleo", "tagger"]
    scores = score(documents, standard="gold", systems=names)
    assert findings.annotators == tuple(names)
    for name in names:
        assert findings.scores[name].views.keys() == scores[name].views.keys()
        for view in scores[name].views:
            assert findings.scores[name].counts(view) == scores[name].counts(view)
    assert findings.agreement is not None
    assert findings.agreement.pairs == agree(documents, annotators=names).pairs
    assert findings.comparison == compare_standards(documents, gold="gold", systems=names)


def test_the_summary_shows_precision_recall_and_misses(findings: SpanFindings, page: Page) -> None:
    row = re.search(r'<tr><th scope="row"><bdi>ben</bdi></th>(.*?)</tr>', page.page)
    assert row is not None
    cells = [re.sub(r"<[^>]*>", "", cell) for cell in re.findall("<td>(.*?)</td>", row[1])]
    exact, centroid = (findings.scores["ben"].counts(view) for view in ("exact", "centroid"))
    shown = [float(cell.split(" ")[0]) for cell in cells[:6]]
    wanted = [exact.precision, exact.recall, exact.f1]
    wanted += [centroid.precision, centroid.recall, centroid.f1]
    assert shown == [round(value, 3) for value in wanted]
    predicted, names = findings.scores["ben"].views["centroid"].outcomes
    counts = [predicted["near"], predicted["total"], names["near"], names["total"]]
    assert cells[8:12] == [str(count) for count in counts]


def test_every_link_leads_to_an_element_or_to_instances(page: Page) -> None:
    assert page.links
    for href, _ in page.links:
        assert href.startswith("#"), href
        if href.startswith("#find/"):
            assert href.split("/")[1] in {*KINDS, *LINKED_KINDS}
        else:
            assert href[1:] in page.ids


def test_no_id_is_given_twice(page: Page) -> None:
    assert max(Counter(page.ids).values()) == 1


def test_the_page_loads_nothing_from_elsewhere(page: Page) -> None:
    for _, name, value in page.attributes:
        assert name not in ("src", "srcset", "action", "style")
        if name == "href":
            assert value.startswith("#")
    style = page.page.split("<style>", 1)[1].split("</style>", 1)[0]
    assert "url(" not in style
    assert "@import" not in style


def test_only_its_own_script_and_style_are_allowed(page: Page) -> None:
    [allowed] = [value for _, name, value in page.attributes if name == "content"][:1]
    for kind, pattern in (
        ("script", '<script type="module">(.*?)</script>'),
        ("style", "<style>(.*?)</style>"),
    ):
        [content] = re.findall(pattern, page.page, flags=re.DOTALL)
        hashed = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{hashed}'" in allowed
    assert "default-src 'none'" in allowed
    assert "unsafe" not in allowed


def test_hostile_text_is_nothing_but_text() -> None:
    made = make_page(HOSTILE, spans=find_spans(hostile(), n_resamples=0))
    read = Page(made)
    assert made.count("<script") == 2
    assert made.count("</script>") == 2
    assert not any(tag == "img" or name.startswith("on") for tag, name, _ in read.attributes)
    assert read.data["texts"][0]["t"] == hostile()[0].text
    assert HOSTILE in read.data["labels"]


def test_without_gold_annotators_are_compared_with_their_consensus() -> None:
    findings = find_spans(without_gold(), n_resamples=0)
    assert (findings.gold, findings.standard) == (None, CONSENSUS)
    assert "there is no gold standard" in make_page("A page", spans=findings)
    assert list(findings.scores) == ["anna", "ben", "cleo", "tagger"]


def test_one_annotator_alone_makes_a_page() -> None:
    alone = [Document(id="1", text="BRCA1", layers={"anna": (Span(0, 5, "Gene"),)})]
    findings = find_spans(alone, n_resamples=10)
    assert findings.agreement is None
    assert 'id="agreement"' not in make_page("A page", spans=findings)


def test_texts_without_any_name_make_a_page() -> None:
    empty = [Document(id=str(n), text="", layers={"anna": (), "ben": ()}) for n in range(2)]
    assert "2 texts" in make_page("A page", spans=find_spans(empty, n_resamples=10))


def test_a_layer_nobody_has_is_refused_and_so_are_namesakes() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'gold'"):
        find_spans(corpus(), gold="gld")
    with pytest.raises(UnknownNameError):
        find_spans(corpus(), annotators=["nobody"])
    with pytest.raises(UsageError, match="two documents are called 'doc/1'"):
        find_spans([*corpus(), corpus()[0]])
    with pytest.raises(UsageError, match="no annotator to report on"):
        find_spans([Document(id="1", text="a", layers={"gold": ()})])


def test_texts_without_room_are_left_out_and_counted() -> None:
    text = "BRCA1 " * 1000
    many = [
        Document(
            id=f"{number:03}", text=text, layers={name: (Span(0, 5, "Gene"),) for name in "ab"}
        )
        for number in range(400)
    ]
    made = make_page("A page", spans=find_spans(many, n_resamples=0))
    n_shown = len(Page(made).data["texts"])
    assert len(made.encode()) <= MAX_BYTES
    assert 250 < n_shown < 400
    assert f"{400 - n_shown} less contested texts had no room" in made


def test_the_most_contested_texts_are_kept() -> None:
    findings = find_spans(corpus(), n_resamples=0)
    made = Page(make_page("A page", spans=findings, max_documents=2))
    order = sorted(zip(findings.contested, findings.documents, strict=True), key=lambda p: -p[0])
    assert [each["i"] for each in made.data["texts"]] == [each.id for _, each in order[:2]]
    assert made.data["n_left_out"] == 2


@pytest.mark.corpus
def test_six_taggers_of_2000_sentences_fit_on_one_page(corpora: Path) -> None:
    folder = corpora / "bc2gm" / "taggers-dev"
    sources = [
        Input(folder / "GENE.eval", "gold"),
        Input(folder / "ALTGENE.eval", "gold.alternatives"),
        *(Input(path, path.stem) for path in sorted(folder.glob("s*.eval"))[::2]),
    ]
    documents = read_corpus(sources, text=Input(folder / "text.in"), ledger=Ledger())
    made = make_page("Taggers", spans=find_spans(islice(documents, 2000), n_resamples=100))
    assert len(made.encode()) <= MAX_BYTES
    assert len(Page(made).data["texts"]) == 2000


@pytest.mark.corpus
def test_parsers_of_genia_make_a_page_whose_links_lead_somewhere(corpora: Path) -> None:
    names = ("gold", *PARSERS)
    files = [Input(corpora / "genia-trees" / f"{name}.mrg", name) for name in names]
    batch = next(read_forests(files, batch=120))
    findings = find_trees([batch], gold="gold")
    made = Page(make_page("Parsers", trees=findings))
    for href, _ in made.links:
        assert href[1:] in made.ids
    assert len(made.page.encode()) < MAX_BYTES
    scores = findings.scores["charniak"].all
    assert f"<td>{scores.leaf_ancestor:.3f}</td>" in made.page
    assert f"<td>{scores.counts.f1:.3f}</td>" in made.page


def test_many_labels_and_annotators_leave_room_for_texts() -> None:
    text = " ".join(f"name{n:02}" for n in range(25))
    labels = [f"Label {n}" for n in range(25)]
    layers = {
        f"annotator {a}": tuple(
            Span(7 * n, 7 * n + 6, labels[(n + (a * n) % 3) % 25]) for n in range(25)
        )
        for a in range(14)
    }
    found = find_spans([Document(id="1", text=text, layers=layers)], n_resamples=0)
    made = Page(make_page("Many", spans=found))
    part = made.page[made.page.index('<section id="labels">') :]
    assert len(part[: part.index("</section>")].encode()) < 250_000
    assert "had no room on this page" in part
    for href, _ in made.links:
        assert href.startswith("#find/") or href[1:] in made.ids
