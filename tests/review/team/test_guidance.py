from pathlib import Path
from typing import Any

import pytest

from tests.review.reviews import CONTESTED, GENE, accepting
from vermeil.errors import UnknownNameError, UsageError
from vermeil.review.decisions import Answer, Change, Name
from vermeil.review.exporting import export, gold
from vermeil.review.questions import SentDecision, about, decide
from vermeil.review.queue import listed, progress
from vermeil.review.store import Store
from vermeil.review.team.archive import set_archived
from vermeil.review.team.assignment import give_out, team_progress
from vermeil.review.team.guidance import guidelines, parse_labels, set_guidelines, set_labels
from vermeil.review.web.accounts import set_password


def test_only_labels_of_the_team_are_given_and_the_nearest_is_told(store: Store) -> None:
    set_labels(store, parse_labels("Gene:red:7,Chemical"))
    told = about(store)
    assert (told["labels"], told["keys"], told["is_closed"]) == (
        ["Gene", "Chemical"],
        {"7": "Gene", "1": "Chemical"},
        True,
    )
    assert told["colours"] == {"Gene": 1, "Chemical": 1, "Disease": 1}
    wrong = Change(GENE, None, Answer(GENE, "accepted", Name(4, 9, "Chemcial")))
    with pytest.raises(UnknownNameError, match="did you mean 'Chemical'"):
        decide(store, "cleo", SentDecision("k", "review", "label", CONTESTED, (wrong,)))
    decide(store, "cleo", SentDecision("k", "review", "accept", CONTESTED, (accepting(GENE),)))
    set_labels(store, [])
    assert not about(store)["is_closed"]


@pytest.mark.parametrize(
    "spelt", ["Gene:mauve", "Gene::x", ":red", "a:red:1:2", "A,A", "A::1,B::1"]
)
def test_labels_that_make_no_sense_are_refused(spelt: str) -> None:
    with pytest.raises((UsageError, UnknownNameError)):
        parse_labels(spelt)


def tags(tree: Any) -> set[str]:
    if isinstance(tree, str):
        return set()
    if tree and isinstance(tree[0], str) and len(tree) == 3 and isinstance(tree[1], dict):
        return {tree[0]} | tags(tree[2])
    return set().union(*(tags(each) for each in tree)) if tree else set()


def test_guidelines_are_elements_and_never_markup(store: Store) -> None:
    set_guidelines(
        store,
        "# Names\n\n- **whole** words, `p53`\n- see [here](https://example.org)\n"
        "- [bad](javascript:alert(1)) <b onclick=x>raw</b>\n\n<script>alert(1)</script>\n\n"
        "![x](http://evil/x.png)\n\n|a|b|\n|-|-|\n|1|2|\n",
    )
    tree = guidelines(store)
    assert tree[0] == ["h1", {}, ["Names"]]
    assert tags(tree) <= {
        *("h1", "ul", "li", "p", "strong", "code", "a", "table", "thead", "tbody", "tr", "th", "td")
    }
    said = str(tree)
    assert "'href': 'https://example.org'" in said
    assert "'href': 'javascript" not in said
    assert "<script>alert(1)</script>" in said, "it stays text"


def with_curators(store: Store, *names: str) -> None:
    set_password(store, "boss", "correct horse")
    for name in names:
        set_password(store, name, "correct horse")


def test_work_is_split_and_a_share_of_it_is_done_twice(store: Store) -> None:
    with pytest.raises(UsageError, match="no curators yet"):
        give_out(store, overlap=1)
    with_curators(store, "cleo", "dora")
    loads = give_out(store, overlap=2, share=1 / 3)
    assert sorted(loads.values()) == [2, 2], "three documents, one of them twice"
    seen = {who: {each.id for each in listed(store, who)} for who in ("cleo", "dora")}
    assert len(seen["cleo"] & seen["dora"]) == 1
    assert seen["cleo"] | seen["dora"] == {"contested", "sure", "empty"}
    assert progress(store, "cleo").n_documents == 2
    assert len(listed(store, "boss")) == 3
    assert give_out(store, overlap=2, share=1) == loads, "what was given out stays"
    with pytest.raises(UsageError, match="between 1 and 2"):
        give_out(store, overlap=3)
    found = team_progress(store)
    assert [(each.curator, each.n_given, each.n_done) for each in found.curators] == [
        ("cleo", 2, 0),
        ("dora", 2, 0),
    ]


def test_what_is_put_aside_is_neither_listed_nor_exported_and_kept(
    store: Store, tmp_path: Path
) -> None:
    change = Change((0, 0, ""), None, Answer((0, 0, ""), "looked"))
    decide(store, "cleo", SentDecision("k", "review", "done", 3, (change,)))
    assert [each.id for each in gold(store)] == ["empty"]
    set_archived(store, "cleo", 3, True)
    assert list(gold(store)) == []
    assert {each.id for each in listed(store, "cleo", show="all")} == {"contested", "sure"}
    assert [each.id for each in listed(store, "cleo", show="archived")] == ["empty"]
    assert progress(store, "cleo").n_documents == 2
    [path] = export(store, tmp_path / "history.jsonl", what="history")
    assert '"action":"archive","document":"empty"' in path.read_text(encoding="utf-8")
    set_archived(store, "cleo", 3, False)
    assert [each.id for each in gold(store)] == ["empty"]
