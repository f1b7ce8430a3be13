"""Small corpora to report on, and pages read back."""

import json
import re
from html.parser import HTMLParser
from typing import Any

from vermeil import Document, Span

LINES = (
    "The human BRCA1 gene and aspirin in breast cancer.",
    "α-globin and β-globin chains; TP53 mutations.",
    "No name is here, some say, but p53 may be one.",
    "Iron overload and ferritin \U0001d6fc in rats.",
)


def corpus() -> list[Document]:
    """Four texts, four annotators of whom one did not look at all, gold with alternatives."""
    one, two, three, four = LINES
    return [
        Document(
            id="doc/1",
            text=one,
            layers={
                "anna": (
                    _at(one, "BRCA1"),
                    _at(one, "aspirin", "Chemical"),
                    _at(one, "breast cancer", "Disease"),
                ),
                "ben": (_at(one, "human BRCA1"), _at(one, "cancer", "Disease")),
                "cleo": (_at(one, "BRCA1 gene"), _at(one, "aspirin", "Gene")),
                "tagger": (_at(one, "BRCA1", sure=0.9), _at(one, "breast", "Disease", sure=0.4)),
                "gold": (
                    _at(one, "BRCA1"),
                    _at(one, "aspirin", "Chemical"),
                    _at(one, "breast cancer", "Disease"),
                ),
                "gold.alternatives": (_at(one, "BRCA1 gene"), _at(one, "cancer", "Disease")),
            },
        ),
        Document(
            id="doc/2",
            text=two,
            layers={
                "anna": (_at(two, "α-globin"), _at(two, "β-globin"), _at(two, "TP53")),
                "ben": (Span(0, 21, "Gene", fragments=((0, 8), (13, 21))),),
                "cleo": (_at(two, "globin chains"),),
                "tagger": (_at(two, "TP53 mutations", sure=0.7),),
                "gold": (_at(two, "α-globin"), _at(two, "β-globin"), _at(two, "TP53")),
            },
        ),
        Document(
            id="doc/3",
            text=three,
            layers={
                "anna": (),
                "ben": (_at(three, "p53"),),
                "tagger": (_at(three, "name", "Chemical", sure=0.2),),
                "gold": (_at(three, "p53"),),
            },
        ),
        Document(
            id="doc/4",
            text=four,
            layers={
                "anna": (_at(four, "ferritin \U0001d6fc"), _at(four, "Iron overload", "Disease")),
                "ben": (_at(four, "ferritin"), _at(four, "rats", "Disease")),
                "cleo": (_at(four, "Iron", "Chemical"),),
                "tagger": (),
                "gold": (_at(four, "ferritin"), _at(four, "Iron overload", "Disease")),
            },
        ),
    ]


def without_gold() -> list[Document]:
    """The same without gold."""
    return [
        each.replace(layers={k: v for k, v in each.layers.items() if not k.startswith("gold")})
        for each in corpus()
    ]


HOSTILE = "</script><script>window.stolen=1</script><img src=x onerror='window.stolen=1'>\u202e\"'&"


def hostile() -> list[Document]:
    """Texts, ids, labels and annotators that try to be markup."""
    text = f"{HOSTILE} BRCA1 \u202eאבג\u2066 {HOSTILE}"
    start = text.index("BRCA1")
    span = Span(start, start + 5, HOSTILE)
    return [
        Document(
            id=f"{HOSTILE}{number}",
            text=text,
            layers={HOSTILE: (span,), "ben": (Span(0, 9, "<b>"), span), "gold": (span,)},
        )
        for number in range(3)
    ]


class Page(HTMLParser):
    """What a page holds: ids, links, all attributes, and the data of its script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page = page
        self.ids: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.attributes: list[tuple[str, str, str]] = []
        self._link: str | None = None
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            self.attributes.append((tag, name, value or ""))
            if name == "id":
                self.ids.append(value or "")
            if tag == "a" and name == "href":
                self._link = value or ""
                self.links.append((self._link, ""))

    def handle_data(self, data: str) -> None:
        if self._link is not None:
            href, said = self.links[-1]
            self.links[-1] = href, said + data

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self._link = None

    @property
    def data(self) -> Any:
        """The texts as the script has them."""
        found = re.search(r'<script type="application/json" id="texts">(.*?)</script>', self.page)
        assert found is not None
        return json.loads(found[1])


def _at(text: str, name: str, label: str = "Gene", sure: float | None = None) -> Span:
    start = text.index(name)
    return Span(start, start + len(name), label, sure)
