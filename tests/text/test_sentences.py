import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil.text import sentences
from vermeil.text.sentences import NEVER_LAST, split_sentences

PIECES = ["a", "The", "p53", "e.g.", "Fig.", "E.", "(", ")", ".", "!", '"', " ", "\n", "\r\n",
          "\n\n", "1", "α", "\U0001d6fc", "et al.", "i.v.", "2.5", "[3]", "…"]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=30)


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@given(text=TEXTS)
def test_sentences_are_trimmed_in_order_and_cover_all_but_white_space(text: str) -> None:
    place = 0
    for start, end in split_sentences(text):
        assert place <= start < end <= len(text)
        assert not text[place:start].strip()
        assert text[start:end].strip() == text[start:end]
        place = end
    assert not text[place:].strip()


@given(text=TEXTS | st.text("a.!?…\r\n )]}»'\"12[,–-", max_size=20))
def test_stops_are_found_where_the_pattern_alone_finds_them(text: str) -> None:
    wanted = [match.span() for match in sentences._STOPS.finditer(text)]
    assert [match.span() for match in sentences._stops(text)] == wanted


@given(text=TEXTS | st.text("aα.\r\n )]–,", max_size=12))
def test_the_word_before_a_stop_is_what_a_plain_search_finds(text: str) -> None:
    plain = re.search(r"[^\s()\[\]{}\"“\u2018,;–—]*$", text)
    assert plain
    assert sentences._last_word(text) == plain[0]


@given(first=TEXTS, second=TEXTS)
def test_a_blank_line_always_ends_a_sentence(first: str, second: str) -> None:
    for blank in ("\n\n", "\r\n\r\n", "\n \t\n"):
        edge = len(first)
        assert not any(
            start < edge and end > edge + len(blank)
            for start, end in split_sentences(first + blank + second)
        )


@pytest.mark.parametrize(
    "sentence",
    [
        "It grows in bacteria, e.g. in E. coli, i.e. S. aureus.",
        "See Fig. 2 and Figs. 3A and B (cf. ref. 3).",
        "Dr. J. A. Smith et al. (2003) disagree.",
        "The drug vs. placebo took approx. 5 h at 2.5 mg/kg i.v. in rats.",
        "St. John's wort No. 5 was lost (P < 0.05).",
        "This (as Smith et al. say. And more.) is one.",
        "We used v1.2.3 of gp0.7 from www.example.org there.",
        "The U.S. patients were sent to F. Hoffmann Inc. in Basel.",
        "3. Insulin treatment helped.",
        "Lines are\nbroken and\r\nbroken.",
        "A title without a stop",
    ],
)
def test_a_sentence_stays_whole(sentence: str) -> None:
    assert split(sentence) == [sentence]
    assert split(f"{sentence}\n\n{sentence}") == [sentence, sentence]


@pytest.mark.parametrize(
    "parts",
    [
        ("It was lost (P < 0.05).", "Then it came back."),
        ("The protein was lost.", "p53 is a gene.", "mRNA was low.", "α-Tubulin rose."),
        ("She said: “It ends here.”", "Then more!", "Really?", "(See above.)", "Yes."),
        ("Cells grew at 37 C.", "Cells died after 2 h.", "Mice lived."),
        ("As was shown by Smith et al.", "We agree."),
        ("Take vitamin C.", "Result: none.", "It is hepatitis B.", "The end."),
        ("They cited this.12", "The others did too.[3,4]", "So it is."),
        ("The answer is no.", "It inhibits CA.", "Our data agree."),
        ("There were two groups.", "20 patients died."),
        ("It gave 10 mumol/L.", "CONCLUSION: it works."),
    ],
)
def test_sentences_part(parts: tuple[str, ...]) -> None:
    for gap in (" ", "\n", "\r\n"):
        assert split(gap.join(parts)) == list(parts)


@pytest.mark.parametrize("abbreviation", sorted(NEVER_LAST - {"no"}))
def test_no_sentence_ends_at_an_abbreviation_that_wants_a_word(abbreviation: str) -> None:
    text = f"We saw {abbreviation}. Smith there."
    assert split(text) == [text]


@pytest.mark.parametrize(
    "piece", [".", ". ", "a. B ", "(", "()", "\n", " ", "(a. B) ", "1. ", "(."]
)
def test_a_long_odd_text_takes_no_quadratic_time(piece: str) -> None:
    split_sentences(piece * 30_000)
