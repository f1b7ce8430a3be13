"""Files like PubMed's, made up from a seed after the structure of its public DTD (190101).

No real file is at hand. What takes room in real ones is here in about their proportion: authors
with affiliations, references, identifiers and history weigh as much as titles and abstracts, one
abstract in three is structured, one article in six has none, and markup and MathML are sprinkled.
"""

import random
from collections.abc import Iterable, Iterator

from benchmarks.generated import document

LABELS = ("BACKGROUND", "METHODS", "RESULTS", "CONCLUSIONS")
HEAD = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2019//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_190101.dtd">\n<PubmedArticleSet>\n'
)
MATHS = (
    '<mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML"><mml:mrow><mml:mi>p</mml:mi>'
    "<mml:mo>&lt;</mml:mo><mml:mn>0.05</mml:mn></mml:mrow></mml:math>"
)


def file_of(ids: Iterable[int], *, deleted: Iterable[int] = (), seed: int = 0) -> Iterator[str]:
    """Yield the pieces of a file with these articles, and what it deletes."""
    rng = random.Random(seed)
    yield HEAD
    for id in ids:
        yield article(id, rng)
    gone = "".join(f'<PMID Version="1">{id}</PMID>' for id in deleted)
    yield f"<DeleteCitation>{gone}</DeleteCitation>\n" if gone else ""
    yield "</PubmedArticleSet>\n"


def article(id: int, rng: random.Random) -> str:
    """Make an article; its title names the seed's state, so that two versions differ."""
    words = document(str(id), rng).text.replace("&", "&amp;").replace("<", "&lt;").split(" ")
    title = f"<i>In vitro</i> study {rng.randrange(10**6)} of {' '.join(words[:9])}."
    year = rng.randrange(1970, 2024)
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">{id}'
        f"</PMID><DateRevised><Year>{year}</Year><Month>03</Month><Day>07</Day></DateRevised>\n"
        '<Article PubModel="Print"><Journal><ISSN IssnType="Print">0006-2944</ISSN><JournalIssue '
        f'CitedMedium="Print"><Volume>13</Volume><Issue>2</Issue><PubDate><Year>{year}</Year>'
        "<Month>Jun</Month></PubDate></JournalIssue><Title>Biochemical medicine</Title>"
        "<ISOAbbreviation>Biochem Med</ISOAbbreviation></Journal>\n"
        f"<ArticleTitle>{title}</ArticleTitle><Pagination><MedlinePgn>117-26</MedlinePgn>"
        f"</Pagination>{_abstract(words, rng)}{_authors(rng)}<Language>eng</Language>"
        '<PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType>'
        '<PublicationType UI="D013486">Research Support, U.S. Gov\'t, P.H.S.</PublicationType>'
        "</PublicationTypeList></Article>\n<MedlineJournalInfo><Country>United States</Country>"
        "<MedlineTA>Biochem Med</MedlineTA><NlmUniqueID>0151424</NlmUniqueID></MedlineJournalInfo>"
        f"{_headings(rng)}</MedlineCitation>\n<PubmedData><History>{_history(year)}</History>"
        f"<PublicationStatus>ppublish</PublicationStatus><ArticleIdList>"
        f'<ArticleId IdType="pubmed">{id}</ArticleId><ArticleId IdType="doi">10.1016/x-{id}'
        f"</ArticleId></ArticleIdList>{_references(rng)}</PubmedData></PubmedArticle>\n"
    )


def _abstract(words: list[str], rng: random.Random) -> str:
    kind = rng.random()
    if kind < 1 / 6:
        return ""
    text = " ".join([*words, MATHS, "10<sup>-3</sup>", *words[:30]])
    if kind < 2 / 3:
        return f"<Abstract><AbstractText>{text}</AbstractText></Abstract>"
    quarter = len(words) // 4
    parts = "".join(
        f'<AbstractText Label="{label}" NlmCategory="{label}">'
        f"{' '.join(words[n * quarter : (n + 1) * quarter])}</AbstractText>"
        for n, label in enumerate(LABELS)
    )
    return f"<Abstract>{parts}<CopyrightInformation>© 2019</CopyrightInformation></Abstract>"


def _authors(rng: random.Random) -> str:
    one = (
        '<Author ValidYN="Y"><LastName>Čapek</LastName><ForeName>A B</ForeName><Initials>AB'
        "</Initials><AffiliationInfo><Affiliation>Department of Biochemistry, University Hospital, "
        "Somewhere, Country.</Affiliation></AffiliationInfo></Author>"
    )
    return f'<AuthorList CompleteYN="Y">{one * rng.randint(1, 7)}</AuthorList>\n'


def _headings(rng: random.Random) -> str:
    rows = "".join(
        f'<MeshHeading><DescriptorName UI="D{rng.randrange(10**6):06}" MajorTopicYN="N">Animals'
        '</DescriptorName><QualifierName UI="Q000378" MajorTopicYN="N">metabolism</QualifierName>'
        "</MeshHeading>"
        for _ in range(rng.randint(4, 14))
    )
    return f"<MeshHeadingList>{rows}</MeshHeadingList>"


def _history(year: int) -> str:
    return "".join(
        f'<PubMedPubDate PubStatus="{status}"><Year>{year}</Year><Month>6</Month><Day>1</Day>'
        "<Hour>0</Hour><Minute>0</Minute></PubMedPubDate>"
        for status in ("pubmed", "medline", "entrez")
    )


def _references(rng: random.Random) -> str:
    one = (
        "<Reference><Citation>J Biol Chem. 1974 Jun 10;249(11):3618-22</Citation><ArticleIdList>"
        '<ArticleId IdType="pubmed">4363830</ArticleId></ArticleIdList></Reference>'
    )
    return f"<ReferenceList>{one * rng.randint(0, 25)}</ReferenceList>"
