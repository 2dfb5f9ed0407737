PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

.PHONY: demo test lint format bench results docs

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

docs: .venv/.docs  ## the documentation as a site in site/; warnings are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

.venv/.docs: $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,docs]'
	touch $@

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
