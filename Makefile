# Every target builds .venv from requirements.lock first, when it is missing or older than the lock.
# Needs Python 3.11 to 3.13 and make, nothing else.

PYTHON  ?= python3
PROFILE ?= quick
JOBS    ?=
ONLY    ?=
RUN     ?= $(PROFILE)
DRILLS  ?= 20

ifdef FSLIB_DATA
export FSLIB_DATA
endif

VENV := .venv
BIN  := $(VENV)/bin
STAMP := $(VENV)/.lock-sha256
RUN_FLAGS = $(if $(JOBS),--jobs $(JOBS)) $(if $(ONLY),--only "$(ONLY)")

.DEFAULT_GOAL := help
.PHONY: help env reproduce test lab docs report bench drills expected reference lint lock clean

help:
	@echo "make reproduce   run every notebook, compare with the papers, build a report (10 minutes on two cores)"
	@echo "make test        lint, unit, property, regression and end-to-end tests"
	@echo "make lab         open copies of the notebooks, in lab/, in JupyterLab"
	@echo "make docs        build the documentation site, with the notebooks of the last quick run"
	@echo "make report      compare and rebuild the report of the last run, without running notebooks"
	@echo "make bench       benchmarks against other packages from PyPI"
	@echo "make drills      test runs that are killed, started twice, edited or short of disk space; prints how many recover"
	@echo "make expected    rewrite tests/expected from the quick run; review the changes like code"
	@echo "make reference   copy the last paper-profile results to papermill_runs/reference and figures/"
	@echo "make lint        format the code and check it"
	@echo "make lock        update requirements.lock (needs uv)"
	@echo "make clean       remove .venv and the results of runs (not data/downloads)"
	@echo
	@echo "Variables: PROFILE=quick|paper  RUN=name of the run  JOBS=2  ONLY=bayes  FSLIB_DATA=folder of NAME.npz  PYTHON=python3.12"
	@echo "Interrupted runs resume. The report: papermill_runs/RUN/report.html"

# The stamp holds the hash of interpreter, lock and pyproject, and is written last: a broken install is redone.
env:
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info[:2] <= (3, 13) else "fslib needs Python 3.11 to 3.13; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12 ...")'
	@want=$$({ $(PYTHON) -V; cat requirements.lock pyproject.toml; } | $(PYTHON) -c 'import hashlib, sys; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())'); \
	if [ "$$(cat $(STAMP) 2>/dev/null)" != "$$want" ]; then \
	  echo "Building $(VENV) (one to three minutes) ..."; \
	  $(PYTHON) -m venv --clear $(VENV) && \
	  $(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes --no-deps --only-binary :all: -r requirements.lock && \
	  $(BIN)/python -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps -e . && \
	  $(BIN)/python -c 'import matplotlib.font_manager' && \
	  echo "$$want" > $(STAMP); \
	fi

reproduce: env
	$(BIN)/fslib run --profile $(PROFILE) --run $(RUN) $(RUN_FLAGS)

test: env
	$(BIN)/ruff check . && $(BIN)/ruff format --check .
	$(BIN)/python -m pytest

# Copies of the notebooks, which may be run and changed while `git status` stays clean; a copy that is there is kept.
COPY = import pathlib, shutil; \
  pairs = [(s, pathlib.Path('lab', *s.parts[1:])) for s in pathlib.Path('notebooks').rglob('*.ipynb')]; \
  [(t.parent.mkdir(parents=True, exist_ok=True), shutil.copy(s, t)) \
   for s, t in pairs if '.ipynb_checkpoints' not in s.parts and not t.exists()]

# JupyterLab serves the site that `make docs` built, and estimators link to it; a browser refuses links to files.
SITE = $(if $(FSLIB_DOCS),,$(if $(wildcard docs/_build/html/index.html),FSLIB_DOCS=/files/docs/_build/html))

lab: env
	@$(BIN)/python -c "$(COPY)"
	@echo "Your copies of the notebooks are in lab/; delete one to get it anew from notebooks/."
	$(SITE) $(BIN)/jupyter lab --ServerApp.root_dir=. lab/00_start_here.ipynb

# Offline; a warning is an error.
docs: env
	$(BIN)/python docs/generate.py
	$(BIN)/python -m sphinx -W --keep-going -q -c docs docs/_build/source docs/_build/html
	@echo "Site: $(CURDIR)/docs/_build/html/index.html"

report: env
	$(BIN)/fslib compare --profile $(PROFILE) --run $(RUN)

bench: env
	$(BIN)/python -m benchmarks

# Kills, races, edits, full disks and foreign files against `fslib run`; DRILLS is the number of kills.
drills: env
	FSLIB_DRILLS=$(DRILLS) $(BIN)/python -m pytest -n 0 -m slow tests/drills

expected: env
	$(BIN)/fslib run --profile quick $(RUN_FLAGS) --write-expected

# What the last run of the paper profile found becomes the committed reference: tables, verdicts, figures, manifest.
reference: PROFILE = paper
reference: env
	$(BIN)/fslib adopt --profile $(PROFILE) --run $(RUN) $(if $(ONLY),--only "$(ONLY)")

lint: env
	$(BIN)/ruff check --fix . && $(BIN)/ruff format .

# The lock names no registry. uv makes it and is needed for nothing else.
lock:
	uv pip compile pyproject.toml --all-extras --group dev --group docs --group bench --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-emit-find-links --no-header --no-annotate -o requirements.lock

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis build dist docs/_build
	find papermill_runs -mindepth 1 -maxdepth 1 ! -name reference ! -name README.md -exec rm -rf {} +
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
