"""What a page says of annotators."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.report.spans.findings import SpanFindings, find_spans
    from vermeil.report.spans.pictures import agreement_section, labels_section, pictures_section
    from vermeil.report.spans.summary import contested_section, summary_section
    from vermeil.report.spans.text_data import TextData, document_data

__all__ = [
    "SpanFindings",
    "TextData",
    "agreement_section",
    "contested_section",
    "document_data",
    "find_spans",
    "labels_section",
    "pictures_section",
    "summary_section",
]

__getattr__ = _lazily(__name__)
