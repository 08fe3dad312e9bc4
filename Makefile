# Needs make and Python 3.11 or newer; everything else goes into .venv, once.
# Another interpreter: make PYTHON=python3.13 test

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

.PHONY: run test test-full check golden

run: $(INSTALLED)  ## play the quick tournament
	$(BIN)/arena run

test: $(INSTALLED)  ## the tests in their short forms
	$(BIN)/python -m pytest -n auto

test-full: $(INSTALLED)  ## the tests in full size
	$(BIN)/python -m pytest -m ""

golden: $(INSTALLED)  ## writes perft files, playthroughs and the rules docs anew: read the difference
	$(BIN)/python -m pytest --update-golden tests/games/test_perft.py tests/games/test_playthroughs.py tests/games/test_rules_versions.py tests/test_rules_docs.py

check: $(INSTALLED)  ## what the CI runs
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(MAKE) test

$(INSTALLED): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
