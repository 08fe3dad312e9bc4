# Needs make and Python 3.11 or later; everything else is installed into .venv, once.
# To use another interpreter: make PYTHON=python3.13 test

PYTHON ?= python3
BIN := .venv/bin
CREATE_VENV := test -x $(BIN)/python || $(PYTHON) -m venv .venv
PIP_INSTALL := ARENA_COMPILE=no $(BIN)/python -m pip install --quiet --disable-pip-version-check
RUNTIME := .venv/.runtime
INSTALLED := .venv/.installed
BUILD_TOOL := .venv/.build-tool
COMPILED := .venv/.compiled
DOCS := .venv/.docs
# A build leaves metadata here, in which Python run from here looks for bots and games before it looks in .venv.
REMOVE_METADATA := rm -rf commerce_arena.egg-info
REMOVE_COMPILED = rm -rf build $(COMPILED); find arena -name '*.so' -delete
# Four more than there are cores: with two more, tests that wait for other processes leave a fifth of two cores idle.
# Without MAKEFLAGS: a make that a test starts would warn that it shares no jobs with this one.
PYTEST := MAKEFLAGS= $(BIN)/python -m pytest --dist loadgroup --no-loadscope-reorder -n $$($(BIN)/python -c 'import os; print(os.cpu_count() + 4)')
SOURCES := $(shell find arena/games arena/families arena/play arena/output/pages arena/adapters -name '*.py')

# Python imports a compiled module instead of its source, so it must never be older than the source. Bytecode is compiled
# here because the processes of bots may not write any.
define USE_COMPILED
find arena -name '*.so' -exec touch {} +
$(BIN)/python -m compileall -q arena bots
touch $(COMPILED)
endef
EXTRACT_COMPILED := from glob import glob; from zipfile import ZipFile; archive = ZipFile(*glob('dist/*.whl')); \
	archive.extractall(members=[name for name in archive.namelist() if name.endswith('.so')])

.PHONY: run test test-full check wheel dist extract bytecode lint docs playground pyodide golden reference reference-check compiled plain

# Compiling would take longer than it saves in so short a run; what is compiled already must not be older than its source.
run: $(RUNTIME) $(wildcard $(COMPILED))  ## play the quick tournament and print its table
	$(BIN)/arena run

test: $(COMPILED)  ## run the tests in their short forms
	$(PYTEST)

test-full: $(COMPILED)  ## run the tests in full size
	$(PYTEST) -m ""

golden: $(COMPILED)  ## rewrite perft files, playthroughs and rule docs: review the difference
	$(BIN)/python -m pytest --update-golden tests/games/test_perft.py tests/games/test_playthroughs.py tests/games/test_rules_versions.py tests/test_rules_docs.py tests/test_own_game_page.py

reference: $(COMPILED)  ## play the reference run again: after a bot or a game has changed
	rm -rf build/reference
	$(BIN)/arena run configs/reference.toml --out build/reference
	$(BIN)/python -m benchmarks.reference_run publish build/reference

reference-check: $(COMPILED)  ## play 44 blocks of the reference run again, and compare their hashes
	$(BIN)/python -m benchmarks.reference_run check --blocks 44

# The wheel is compiled while pip installs what tests and linters need, which takes about as long. Its modules are put
# in place when nothing is importing their sources any more. The linters run beside the tests, which wait for other
# processes now and then.
check:  ## run everything that CI runs
	$(MAKE) $(BUILD_TOOL)
	$(MAKE) --jobs=2 --output-sync=target dist bytecode
	$(MAKE) extract
	$(MAKE) --jobs=2 lint test

# Else each process of the tests would compile the libraries it imports, again and again where the environment forbids
# Python to write bytecode. Collecting imports most of them; what tests import later, the first of them writes.
bytecode test test-full: export PYTHONDONTWRITEBYTECODE :=
bytecode: $(INSTALLED)
	-$(BIN)/python -m pytest --collect-only --quiet >/dev/null
	-$(BIN)/python -c 'import axe_playwright_python.sync_playwright, pandas, polars, pyarrow.parquet, statsmodels.api'

lint: $(INSTALLED)  ## check style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy $(MYPY_FLAGS)

docs: $(DOCS)  ## build the documentation site in site/, to be opened from disk: site/index.html
	-! command -v npm >/dev/null || $(MAKE) pyodide  # without it the site has no playground
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# Python for browsers, and msgspec for it, which the first page that is written downloads.
pyodide:
	test -d node_modules/pyodide || npm install --no-save --silent --no-audit --no-fund --fetch-retries=1 pyodide@314

playground: $(RUNTIME) pyodide  ## write build/playground.html, in which the arena runs without being installed
	$(BIN)/arena playground --out build/playground.html

compiled: $(COMPILED)  ## compile the modules marked for mypyc, if they changed

plain: $(RUNTIME)  ## remove the compiled modules, until the next make test
	$(REMOVE_COMPILED)

# What playing needs. The bytecode of what is imported is written then.
$(RUNTIME): pyproject.toml
	$(CREATE_VENV)
	$(REMOVE_METADATA)
	$(PIP_INSTALL) --no-compile --editable .
	touch $@

# What tests, linters and compiling need.
$(INSTALLED): pyproject.toml
	$(CREATE_VENV)
	$(REMOVE_METADATA)
	$(PIP_INSTALL) --no-compile --editable '.[dev]'
	touch $(RUNTIME) $@

# What building the wheel needs: it fetches the compiler itself.
$(BUILD_TOOL): pyproject.toml
	$(CREATE_VENV)
	$(PIP_INSTALL) build
	touch $@

# For commands that need one, which say so: make extra-tune.
extra-%: $(RUNTIME)
	$(PIP_INSTALL) --editable '.[$*]'

# What the documentation site needs.
$(DOCS): $(RUNTIME)
	$(PIP_INSTALL) --editable '.[docs]'
	touch $@

$(COMPILED): $(INSTALLED) setup.py mypyc.ini $(SOURCES)
	$(REMOVE_COMPILED)
	$(BIN)/python setup.py --quiet build_ext --inplace
	$(USE_COMPILED)

# As pip builds it for everybody: from the source distribution, in an environment that has only what compiling needs.
wheel: dist  ## build the wheel in dist/ as pip does, and use its compiled modules
	$(MAKE) extract

dist: $(BUILD_TOOL)
	$(REMOVE_COMPILED)
	rm -rf dist
	ARENA_COMPILE=$${ARENA_COMPILE:-require} $(BIN)/python -m build >/dev/null

extract: $(INSTALLED)
	$(BIN)/python -c "$(EXTRACT_COMPILED)"
	$(USE_COMPILED)
