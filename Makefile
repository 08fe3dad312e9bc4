# Needs make and Python 3.11 or newer; everything else goes into .venv, once.
# Another interpreter: make PYTHON=python3.13 test

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
COMPILED := .venv/.compiled
SOURCES := $(shell find arena/games arena/play -name '*.py')

.PHONY: run test test-full check golden compiled plain

run: $(COMPILED)  ## play the quick tournament
	$(BIN)/arena run

test: $(COMPILED)  ## the tests in their short forms
	$(BIN)/python -m pytest -n auto

test-full: $(COMPILED)  ## the tests in full size
	$(BIN)/python -m pytest -n auto -m ""

golden: $(COMPILED)  ## writes perft files, playthroughs and the rules docs anew: read the difference
	$(BIN)/python -m pytest --update-golden tests/games/test_perft.py tests/games/test_playthroughs.py tests/games/test_rules_versions.py tests/test_rules_docs.py

check: $(COMPILED)  ## what the CI runs
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(MAKE) test

compiled: $(COMPILED)  ## compiles what setup.py names, if it has changed

plain: $(INSTALLED)  ## back to the source alone, until something is made again
	rm -rf build $(COMPILED)
	find arena -name '*.so' -delete

$(INSTALLED): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	ARENA_COMPILE=no $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

# What was compiled runs in place of its source: it must never be the older of the two. The bytecode of the rest
# is for the processes of bots, which may write none.
$(COMPILED): $(INSTALLED) setup.py $(SOURCES)
	rm -rf build
	find arena -name '*.so' -delete
	$(BIN)/python setup.py --quiet build_ext --inplace
	find arena -name '*.so' -exec touch {} +
	$(BIN)/python -m compileall -q arena bots
	touch $@
