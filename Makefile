# Every target sets up its own virtual environment; nothing but Python 3.11, venv, pip and make is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
AS_ROOT := $(shell [ $$(id -u) -eq 0 ] || echo sudo)
# Of what is installed only what is imported gets compiled, and then: it takes half the time.
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile --constraint constraints.txt
# The tests start hundreds of commands, each of which would compile the package anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test check suite browser bench docs site pictures models clean

demo: $(VENV)/.core
	$(BIN)/vermeil demo vermeil-demo

# Types are checked by one process, which would leave a core idle: the suite begins beside it.
test: $(VENV)/.dev
	$(MAKE) --jobs=2 check site suite

suite: $(VENV)/.dev
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -q -n auto --dist worksteal

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/vulture

# The pages are tested in Debian's chromium; without it those tests skip.
browser:
	command -v chromium || command -v chromium-browser || command -v google-chrome \
	    || { $(AS_ROOT) apt-get update -qq && $(AS_ROOT) apt-get install -y -qq chromium; }

# The peers are compared with where they can be installed. BENCH takes options: make bench BENCH=--full
PEERS := crowd-kit nervaluate seqeval krippendorff nltk PYEVALB daachorse
bench: $(VENV)/.dev
	$(INSTALL) $(PEERS) || echo "going on without some peers" >&2
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks $(BENCH)

docs: $(VENV)/.dev
	$(BIN)/python -m docs.generate

# What fails: broken links, pages that are missing or not in the navigation, and anything that a
# page would fetch from elsewhere. `.venv/bin/zensical serve` shows the site while one writes.
site: $(VENV)/.dev
	$(BIN)/pytest -q -p no:cacheprovider tests/test_docs.py
	$(BIN)/zensical build --strict --clean
	! grep -rEl '<(script|link|img)[^>]+(src|href)="?(https?:)?//' build/site --include='*.html'
	@echo "the site: build/site/index.html"

pictures: $(VENV)/.dev browser
	$(BIN)/python -m docs.pictures

models: $(VENV)/.dev
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python models/train.py

clean:
	rm -rf $(VENV) vermeil-demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "vermeil needs Python 3.11 or later; name one: make PYTHON=python3.11 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: $(VENV)/bin/python pyproject.toml constraints.txt
	$(INSTALL) --editable '.[review]'
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml constraints.txt
	$(INSTALL) --editable '.[scale,spacy,train,crf,review,inception,annotate,dev,site]'
	@touch $(VENV)/.core $@
