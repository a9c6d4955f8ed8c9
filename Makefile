# The one list of commands. `make help` prints it.
PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
HTML := _build/html
NOTEBOOKS := $(shell $(PYTHON) -c "import pathlib; print(*sorted(p.as_posix() for p in pathlib.Path('book').rglob('*.ipynb') if '.ipynb_checkpoints' not in p.parts))")
BUILD := $(BIN)/jupyter-book build . -n -W --keep-going

# Node, npm and every tool come from the lock.
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PYTHONUTF8 := 1

.DEFAULT_GOAL := help
.PHONY: help book serve lab test test-portable peers notebooks widgets lint bench lighthouse lock clean browser fresh-site

help: ## list these commands
	@$(PYTHON) -c "import re; [print(f'make {t:<14} {d}') for t, d in re.findall(r'^([a-z-]+):.*?## (.*)$$', open('Makefile').read(), re.M)]"

book: $(VENV)/installed site/assets/fetched ## install everything, execute the chapters, build the site
	$(BUILD)
	@echo
	@echo "The book is in $(CURDIR)/$(HTML)/index.html"
	@echo "Run 'make serve' and open http://localhost:$(PORT)/ to use it with its live figures."

serve: ## serve the built site at http://localhost:8000/ (PORT=...)
	@test -f $(HTML)/index.html || { echo "There is no site yet: run 'make book' first."; exit 1; }
	@echo "http://localhost:$(PORT)/   (Ctrl-C stops)"
	@$(PYTHON) -m http.server $(PORT) --bind 127.0.0.1 --directory $(HTML)

lab: $(VENV)/installed ## open the chapters in JupyterLab
	$(BIN)/jupyter lab book

test: lint browser fresh-site ## everything that must hold: library, chapters, site, browser
	$(BIN)/python -m pytest -n logical --dist loadfile

test-portable: $(VENV)/installed ## the same without a browser and without comparing stored outputs
	$(BIN)/python -m pytest -n logical --dist loadfile --nbval-lax --ignore=tests/browser

peers: $(VENV)/installed ## install PyTorch and transformers, which the tests then compare ours with
	$(BIN)/python -m pip install --disable-pip-version-check -c requirements.txt -e ".[peers]"

notebooks: $(VENV)/installed ## execute every chapter and store its outputs in the notebook
	$(BIN)/python book/execute.py $(NOTEBOOKS)

widgets: site/node_modules/installed ## bundle the interactive figures' JavaScript
	cd site && npm run bundle

lint: $(VENV)/installed ## check style and format of the Python code and the notebooks
	$(BIN)/ruff check
	$(BIN)/ruff format --check

bench: $(VENV)/installed ## measure speed and memory as ratios within one run
	$(BIN)/python -m benchmarks

lighthouse: $(VENV)/installed site/lighthouse/node_modules/installed ## measure every page of the built site as a phone sees it
	CHROME_PATH="$$($(BIN)/python -c 'from tests.browser.chromium import find_chromium as f; print(f() or "")')" \
	  node site/lighthouse/run.mjs $(HTML)

lock: $(VENV)/installed ## write requirements.txt anew from pyproject.toml
	$(BIN)/uv pip compile pyproject.toml --extra book --extra test --universal --python-version 3.11 \
	  --fork-strategy fewest --upgrade --no-emit-index-url --no-annotate --no-header -o requirements.txt

clean: ## remove what was built; keep the installed packages
	rm -rf _build site/assets site/node_modules site/lighthouse/node_modules

# A build from nothing but the executed chapters, with every warning an error.
fresh-site: $(VENV)/installed site/assets/fetched
	rm -rf $(HTML) _build/.doctrees
	$(BUILD)

# A Chromium for the browser tests: the system's, else Playwright's own.
browser: $(VENV)/installed
	@$(BIN)/python tests/browser/chromium.py

$(VENV)/installed: requirements.txt pyproject.toml
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --disable-pip-version-check --no-deps -e .
	touch $@

site/node_modules/installed: site/package-lock.json $(VENV)/installed
	cd site && npm ci
	touch $@

# Lighthouse is large, so it has a manifest of its own that only 'make lighthouse' installs.
site/lighthouse/node_modules/installed: site/lighthouse/package-lock.json $(VENV)/installed
	cd site/lighthouse && npm ci
	touch $@

# What pages load, fonts from npm packages included: nothing third-party is committed.
site/assets/fetched: site/node_modules/installed site/assets.py $(wildcard site/styles/*.css site/scripts/*.js)
	$(BIN)/python site/assets.py
	cd site && npm run scripts
	rm -rf $(HTML) # Sphinx would leave the old ones there if no page has changed
	touch $@
