"""One page that holds everything: no network, no other file, nothing but text, shapes and a script.

The page allows itself only its own script and style, by their hashes, so that nothing in the data
can run even if it got into the page as markup.
"""

from base64 import b64encode
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec

from vermeil.reports.drawing.advice import Advice, advice_section
from vermeil.reports.drawing.elements import Html, Section, element, joined, script_data, section
from vermeil.reports.spans.advice import advice
from vermeil.reports.spans.agreement import agreement_section
from vermeil.reports.spans.findings import SpanFindings
from vermeil.reports.spans.pictures import labels_section, pictures_section
from vermeil.reports.spans.summary import contested_section, summary_section
from vermeil.reports.spans.text_data import TextData, no_texts, text_data
from vermeil.vote_view.drawing import SCRIPT, STYLE, drawing_file

if TYPE_CHECKING:
    from vermeil.reports.trees.findings import TreeFindings

MAX_BYTES = 2_000_000
"""What a page may weigh; texts that would make it heavier are left out and counted."""

LEAST_ROOM = 200_000
"""Bytes the texts get even where pictures and trees have taken the page."""

KINDS = {
    "all": "everything",
    "contested": "contested names",
    "cp-near": "near misses",
    "cp-total": "spurious: total misses",
    "cw-near": "names nearly found",
    "cw-total": "names missed: total misses",
    "cp-right": "right",
    "ep-right": "exactly right",
    "ep-wrong": "not exactly right",
    "ep-total": "nothing there (exact view)",
    "ew-right": "names found exactly",
    "ew-wrong": "names not found exactly",
    "ew-total": "names without a partner (exact view)",
}
"""What the vote view can be asked for; ``page.js`` has a function for each."""

LINKED_KINDS = {
    "pair": "taken for another label",
    "differ": "two annotators differ",
    "off": "an edge is off",
    "doubt": "so contested",
    "names": "names of the standard",
    "text": "one text",
    "places": "what was voted on in one text",
}
"""What only a link asks for."""


def make_page(
    title: str,
    *,
    spans: SpanFindings | None = None,
    trees: "TreeFindings | None" = None,
    max_documents: int | None = None,
    max_bytes: int = MAX_BYTES,
    inputs: Sequence[str] = (),
    tree_inputs: Sequence[str] = (),
) -> str:
    """Make the page of what was found about annotators, about parsers, or about both.

    ``inputs`` are the annotators' files as they were given, and ``tree_inputs`` the treebank and
    the parsers', for the commands that the page names.
    """
    said: list[Advice] = []
    if spans is not None:
        said += advice(spans, inputs)
    if trees is not None:
        from vermeil.reports.trees.advice import tree_advice

        said += tree_advice(trees, tree_inputs)
    sections = [advice_section(said)] if said else []
    n_first = len(sections) + 2
    if spans is not None:
        sections.append(summary_section(spans))
        sections.append(contested_section(spans))
        if spans.agreement is not None:
            sections.append(agreement_section(spans.agreement))
        sections += [pictures_section(spans), labels_section(spans)]
    if trees is not None:
        from vermeil.reports.trees.sections import tree_sections

        sections += tree_sections(trees)
    if spans is None:
        return _page(title, sections, None)
    nothing = no_texts(spans)
    bare = len(_page(title, [*sections, votes(nothing)], nothing).encode())
    room = max(LEAST_ROOM, max_bytes - bare)
    data = text_data(spans, max_bytes=room, max_documents=max_documents)
    return _page(title, [*sections[:n_first], votes(data), *sections[n_first:]], data)


def votes(data: TextData) -> Section:
    """Make the place of the vote view and what it can be asked for."""
    left = (
        f" {data.n_left_out:,} less contested texts had no room on this page; they count in the "
        "tables but are not shown here."
        if data.n_left_out
        else ""
    )
    kinds = [element("option", said, value=kind) for kind, said in KINDS.items()]
    kinds += [
        element("option", said, value=kind, hidden=True) for kind, said in LINKED_KINDS.items()
    ]
    return section(
        "votes",
        "The votes",
        element(
            "p",
            "The most contested texts come first. Above each text a wave of the votes for each "
            "pair of characters; solid: the heart of a name; shaded: how far names reach beyond "
            "it; small numbers: votes for an edge; below, a lane for each annotator: full where "
            "right, striped for a near miss, hollow for a total miss, starred for the standard.",
            left,
            class_="note",
        ),
        element(
            "form",
            _chooser("Show", "kind", kinds),
            _chooser("Annotator", "who", _options("anybody", data.annotators)),
            _chooser("Label", "label", _options("any", data.labels)),
            element(
                "label", "Words ", element("input", type="search", id="words", autocomplete="off")
            ),
            id="asked",
        ),
        element("ul", id="colours", class_="lanes", aria_label="Colours of labels"),
        element("p", id="found", role="status", tabindex="-1"),
        element("ol", id="shown"),
        element("button", "Show more", type="button", id="more", hidden=True),
        element(
            "noscript",
            element("p", "The votes are drawn by a script in this page, which is switched off."),
        ),
    )


def plain_page(title: str, sections: Sequence[Section]) -> str:
    """Make a page of these sections, with no texts."""
    return _page(title, sections, None)


def bare_page(title: str, sections: Sequence[Section], data: TextData | None = None) -> str:
    """Make a page of these sections only, for a notebook."""
    return _page(title, sections, data, with_head=False)


def _chooser(said: str, id: str, options: Sequence[Html]) -> Html:
    return element("label", said, " ", element("select", *options, id=id))


def _options(everything: str, names: Sequence[str]) -> list[Html]:
    return [
        element("option", everything, value=""),
        *(element("option", name, value=name) for name in names),
    ]


def _page(
    title: str, sections: Sequence[Section], data: TextData | None, *, with_head: bool = True
) -> str:
    style = drawing_file(STYLE) + _own("page.css")
    script = drawing_file(SCRIPT) + _own("tables.js") + _own("page.js")
    allowed = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=allowed),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", Html(style)),
    )
    body = element(
        "body",
        element("a", "Skip to the content", href="#content", class_="skip"),
        element("header", element("h1", title), _contents(sections)) if with_head else "",
        element("main", *(each.body for each in sections), id="content"),
        script_data(msgspec.to_builtins(data), "texts") if data is not None else "",
        element("script", Html(script), type="module"),
    )
    return joined(Html("<!doctype html>\n"), element("html", head, body, lang="en"), "\n")


def _contents(sections: Sequence[Section]) -> Html:
    """List the sections, by the heading each begins with."""
    linked = []
    for each in sections:
        linked.append(element("li", element("a", each.heading, href=f"#{each.id}")))
    return element("nav", element("ul", *linked), aria_label="Contents")


def _own(name: str) -> str:
    return files("vermeil.reports").joinpath(name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    from hashlib import sha256  # loads a library of ciphers, not needed until all is known

    return "sha256-" + b64encode(sha256(content.encode()).digest()).decode()
