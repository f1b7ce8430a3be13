from xml.sax import saxutils

import hypothesis.strategies as st
from hypothesis import given

from vermeil.text.xml_text import escape, quoteattr

TEXTS = st.text(alphabet="ab<>&'\"\r\n\té😀\x85;")
ENTITIES = st.sampled_from([{}, {"\r": "&#13;"}, {"\n": "&#xA;", "\x85": "&#133;"}])


@given(TEXTS, ENTITIES)
def test_text_and_attributes_are_written_as_the_standard_library_does(
    text: str, entities: dict[str, str]
) -> None:
    assert escape(text, entities) == saxutils.escape(text, entities)
    assert quoteattr(text, entities) == saxutils.quoteattr(text, entities)
