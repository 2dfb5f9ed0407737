PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

.PHONY: demo test lint format bench results torture controls docs

demo: $(INSTALLED)  ## train the built-in Korean-English model, translate, draw its attention
	$(BIN)/regard demo

test: lint  ## lint, types, tests
	$(BIN)/pytest

lint: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(INSTALLED)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(INSTALLED)  ## start-up and training speed; wants an idle machine
	$(BIN)/python bench/startup.py
	$(BIN)/python bench/training.py

results: $(INSTALLED)  ## docs/results.md from results/*.json
	$(BIN)/python -m regard.experiments.tables results docs/results.md

torture: $(INSTALLED)  ## the long form of the tests of reliability, about 20 minutes; then docs/reliability.md
	OMP_NUM_THREADS=1 $(BIN)/pytest --torture -m torture --figures=results/torture.json
	$(BIN)/python -m tests.torture.table results/torture.json docs/reliability.md

controls: $(INSTALLED)  ## take each guard away in a copy of the tree, and see its test fail
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.controls

docs: .venv/.docs  ## the documentation as a site in site/; warnings are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

.venv/.docs: $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,docs]'
	touch $@

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
