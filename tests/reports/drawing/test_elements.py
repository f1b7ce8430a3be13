import json
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import AWKWARD
from vermeil.reports.drawing.elements import count_link, element, finding, script_data, table

TEXTS = st.text(alphabet=AWKWARD + "\u202e\u2066=`", max_size=30)
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'\u202e<!--"


class Reader(HTMLParser):
    """Collects the names of elements, their attributes and their text."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: list[dict[str, str | None]] = []
        self.text = ""
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes.append(dict(attrs))

    def handle_data(self, data: str) -> None:
        self.text += data


@given(TEXTS)
def test_any_text_comes_back_as_text(text: str) -> None:
    read = Reader(element("p", text))
    assert read.names == ["p"]
    assert read.text == text


@given(TEXTS)
def test_any_text_comes_back_from_an_attribute(text: str) -> None:
    read = Reader(element("p", title=text))
    assert read.names == ["p"]
    assert read.attributes == [{"title": text}]


def test_hostile_text_makes_no_element_anywhere() -> None:
    made = table(HOSTILE, ["", HOSTILE], [[HOSTILE, HOSTILE]], id="x")
    assert set(Reader(made).names) == {
        "div",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    }


@given(TEXTS)
def test_data_for_a_script_cannot_end_it(text: str) -> None:
    made = script_data({"text": text + "</script><!--"}, "data")
    assert made.count("<") == 2
    inside = made.split(">", 1)[1].rsplit("<", 1)[0]
    assert json.loads(inside) == {"text": text + "</script><!--"}


def test_control_characters_that_html_cannot_hold_are_replaced() -> None:
    assert element("p", "a\x00b\x1fc") == "<p>a\ufffdb\ufffdc</p>"


def test_nothing_leads_from_a_count_of_0() -> None:
    assert count_link(0, "near", "anna") == "0"
    assert 'href="#find/near/a%2Fb%20%3C"' in count_link(3, "near", "a/b <")
    assert finding("all") == "#find/all"
