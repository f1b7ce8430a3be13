import gzip
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from vermeil.acquisition.databases import genes
from vermeil.acquisition.databases.entries import LEXICONS, guess_kind, read_entries
from vermeil.acquisition.databases.genes import read_gene_database
from vermeil.acquisition.lexicon.compilation import Entry
from vermeil.errors import FormatError, UnknownNameError, UsageError

GENE_INFO = """\
#tax_id\tGeneID\tSymbol\tLocusTag\tSynonyms\tdescription\tSymbol_from_nomenclature_authority\t\
Full_name_from_nomenclature_authority\tOther_designations
9606\t672\tBRCA1\t-\tIRIS|PSCP\tBRCA1 DNA repair associated\tBRCA1\tBRCA1 DNA repair associated\t\
breast cancer type 1|BRCC1
10090\t12189\tBrca1\t-\t-\tbreast cancer 1\tBrca1\t-\t-
"""
OBO = """\
format-version: 1.2

[Term]
id: CHEBI:16236 ! ethanol
name: ethanol
synonym: "alcohol\\, \\"pure\\"" EXACT [KEGG:C00469]
synonym: "EtOH" RELATED []
synonym: "spirit" []

[Term]
id: CHEBI:1
name: gone
is_obsolete: true

[Typedef]
id: part_of
name: part of
"""


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def make_gene_database(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript("""
            CREATE TABLE genes (_id INTEGER PRIMARY KEY, gene_id VARCHAR(10) NOT NULL UNIQUE);
            CREATE TABLE gene_info (_id INTEGER, gene_name VARCHAR(255), symbol VARCHAR(80));
            CREATE TABLE alias (_id INTEGER, alias_symbol VARCHAR(80));
            CREATE TABLE pubmed (_id INTEGER, pubmed_id VARCHAR(10));
            INSERT INTO genes VALUES (1, '672'), (2, '7157');
            INSERT INTO gene_info VALUES (1, 'BRCA1 DNA repair associated', 'BRCA1'),
                                         (2, 'tumor protein p53', 'TP53');
            INSERT INTO alias VALUES (1, 'IRIS'), (1, 'BRCA1'), (2, 'P53');
            INSERT INTO pubmed VALUES (1, '7545954'), (2, '7545954'), (2, '8');
        """)
    return path


def names(entries: Iterable[Entry]) -> list[str]:
    return [entry.name for entry in entries]


def test_gene_info_gives_symbols_synonyms_and_full_names_once_each(tmp_path: Path) -> None:
    path = tmp_path / "all.gene_info.gz"
    path.write_bytes(gzip.compress(GENE_INFO.encode()))
    assert names(read_entries(path, tax_ids={"9606"})) == [
        "BRCA1", "IRIS", "PSCP", "BRCA1 DNA repair associated", "breast cancer type 1", "BRCC1",
    ]  # fmt: skip
    assert list(read_entries(path, tax_ids={"10090"}, label="Protein")) == [
        Entry("Brca1", "12189", "Protein"),
        Entry("breast cancer 1", "12189", "Protein"),
    ]
    assert names(read_entries(path, columns=["Symbol"])) == ["BRCA1", "Brca1"]


def test_the_organism_database_gives_symbols_full_names_and_aliases(tmp_path: Path) -> None:
    path = make_gene_database(tmp_path / "org.Hs.eg.sqlite")
    assert list(read_entries(path)) == [
        Entry("BRCA1", "672", "Gene"),
        Entry("BRCA1 DNA repair associated", "672", "Gene"),
        Entry("IRIS", "672", "Gene"),
        Entry("P53", "7157", "Gene"),
        Entry("TP53", "7157", "Gene"),
        Entry("tumor protein p53", "7157", "Gene"),
    ]


def test_obo_gives_names_and_the_synonyms_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path / "chebi.obo", OBO)
    assert list(read_entries(path, label="Chemical")) == [
        Entry("ethanol", "CHEBI:16236", "Chemical"),
        Entry('alcohol, "pure"', "CHEBI:16236", "Chemical"),
    ]
    assert names(read_entries(path, scopes=("RELATED",))) == ["ethanol", "EtOH", "spirit"]


def test_a_plain_table_may_name_its_columns(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "name\tlabel\tid\np53\t\t7157\nflu\tDisease\tD1\n")
    assert list(read_entries(path)) == [Entry("p53", "7157", "Name"), Entry("flu", "D1", "Disease")]
    path = write(tmp_path / "b.tsv", "# genes\n7157\tp53\n\nD1\tflu\tDisease\n")
    assert next(read_entries(path, label="Gene")) == Entry("p53", "7157", "Gene")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.gene_info", "", "a.gene_info:1: the header of a gene_info file was wanted; it lacks"),
        ("a.gene_info", GENE_INFO + "9606\t1\n", "a.gene_info:4: 9 columns were wanted, got 2"),
        ("a.sqlite", "no database, but long enough to be one" * 9, "organism database was wanted"),
        ("a.obo", "nothing\n", "a.obo: has no [Term]"),
        ("a.obo", "[Term]\nname: x\n", "a.obo:1: the term has no id"),
        ("a.obo", "[Term]\nid: 1\nsynonym: x EXACT\n", "a.obo:3: a synonym in double quotes"),
        ("a.obo", "[Term]\nid: 1\nnonsense\n", "a.obo:3: 'tag: value' was wanted, got 'nonsense'"),
        ("a.tsv", "1\tx\nlonely\n", "a.tsv:2: an id, a tab and a name were wanted, got 'lonely'"),
    ],
)
def test_a_bad_file_is_named_with_the_line(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    path = write(tmp_path / name, text)
    with pytest.raises(FormatError) as caught:
        list(read_entries(path))
    assert message in str(caught.value)


@pytest.mark.parametrize("kind", sorted(LEXICONS))
def test_a_file_that_is_not_there_is_a_foreseen_error(tmp_path: Path, kind: str) -> None:
    with pytest.raises(FormatError, match="nowhere"):
        list(read_entries(tmp_path / "nowhere", kind=kind))


def test_a_database_is_not_written_to(tmp_path: Path) -> None:
    path = make_gene_database(tmp_path / "org.sqlite")
    before = path.read_bytes()
    tmp_path.chmod(0o500)
    list(read_entries(path))
    tmp_path.chmod(0o700)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["org.sqlite"]


def test_what_is_unknown_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'obo'"):
        read_entries(tmp_path / "x", kind="obo2")
    with pytest.raises(UsageError, match="does not tell what lexicon"):
        guess_kind(Path("names.xyz"))
    with pytest.raises(UnknownNameError, match="EXACT"):
        list(read_entries(write(tmp_path / "a.obo", OBO), scopes=("exakt",)))


ENDLESS = """
    CREATE VIEW alias AS WITH RECURSIVE n(_id) AS (SELECT 1 UNION ALL SELECT _id + 1 FROM n)
    SELECT _id, 'a' AS alias_symbol FROM n
"""


def test_a_view_in_the_place_of_a_table_is_refused(tmp_path: Path) -> None:
    path = make_gene_database(tmp_path / "org.sqlite")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE alias")
        connection.execute(ENDLESS)
    with pytest.raises(FormatError, match="alias is no plain table"):
        list(read_gene_database(path))


def test_a_question_that_takes_too_long_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_gene_database(tmp_path / "org.sqlite")
    monkeypatch.setattr(genes, "STEPS", 1)
    monkeypatch.setattr(genes, "EVERY", 1)
    monkeypatch.setattr(genes, "STEPS_A_BYTE", 0)
    with pytest.raises(FormatError, match="interrupted"):
        list(read_gene_database(path))
