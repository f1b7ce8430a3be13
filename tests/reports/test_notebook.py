import subprocess
import sys
from html import unescape

import pytest

from tests.reports.findings import HOSTILE, Page, corpus, hostile
from vermeil import Document, Span, Tree
from vermeil.consensus import combine
from vermeil.reports.notebook import TALLEST, show
from vermeil.scoring.scores import score

TREE = Tree.parse("(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))")


def framed(markup: str) -> str:
    assert markup.startswith("<iframe ")
    return unescape(markup.split('srcdoc="', 1)[1].split('"', 1)[0])


def test_a_document_shows_its_votes() -> None:
    page = Page(framed(show(corpus()[0], annotators=["anna", "ben"])._repr_html_()))
    assert page.data["annotators"] == ["anna", "ben"]
    assert page.data["texts"][0]["t"] == corpus()[0].text


def test_a_standard_is_shown_over_its_text() -> None:
    [document, *_] = combine(corpus(), annotators=["anna", "ben", "cleo"])
    standard = document.standards["consensus"]
    page = Page(framed(show(standard, text=document.text)._repr_html_()))
    hearts = page.data["texts"][0]["v"]
    assert [heart[:2] for heart in hearts] == [[each.start, each.end] for each in standard]
    with pytest.raises(TypeError, match="over its text"):
        show(standard)


def test_scores_show_their_figures_without_links_that_lead_nowhere() -> None:
    scores = score(corpus(), standard="gold")
    page = framed(show(scores)._repr_html_())
    assert f"{scores['ben'].counts('exact').f1:.3f}" in page
    assert "#find" not in page.split("<main", 1)[1].split("</main", 1)[0]
    assert "ben" in framed(show(scores["ben"])._repr_html_())


def test_a_tree_shows_itself_or_its_differences_from_another() -> None:
    other = Tree.parse("(S (NN p53) (NP (VBZ binds) (NP (NN DNA))))")
    assert "only-first" not in framed(show(TREE)._repr_html_()).split("<main", 1)[1]
    assert "only-first" in framed(show(TREE, other)._repr_html_()).split("<main", 1)[1]


def test_a_long_text_scrolls() -> None:
    long = Document(id="1", text="BRCA1 " * 2000, layers={"anna": ()})
    assert f'height="{TALLEST}"' in show(long)._repr_html_()


def test_hostile_text_stays_in_its_frame() -> None:
    markup = show(hostile()[0])._repr_html_()
    assert markup.count("<") == 2  # the frame begins and ends
    assert Page(framed(markup)).data["texts"][0]["i"].startswith(HOSTILE)


def test_documents_scores_and_trees_show_themselves() -> None:
    document = corpus()[0]
    scores = score(corpus(), standard="gold")["ben"]
    for thing in (document, scores, TREE):
        assert thing._repr_html_() == show(thing)._repr_html_()


@pytest.mark.parametrize("layers", [{}, {"anna": ()}, {"consensus": ()}])
def test_a_document_without_a_name_shows_its_text(layers: dict[str, tuple[Span, ...]]) -> None:
    markup = Document(id="1", text="Nothing here.", layers=layers)._repr_html_()
    assert Page(framed(markup)).data["texts"][0]["t"] == "Nothing here."


def test_the_data_model_does_not_load_the_report() -> None:
    script = "import sys, vermeil; print('vermeil.reports' in sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    assert told.stdout.strip() == "False"
