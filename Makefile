PYTHON ?= python3
BIN := .venv/bin
DEMO := .venv/.demo
INSTALLED := .venv/.installed
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check

.PHONY: demo test test-long lint format bench bench-peers results torture controls docs

demo: $(DEMO)  ## train the built-in Korean-English model, translate, draw its attention
	$(BIN)/regard demo

# A worker for each core, each with one thread: torch's threads wait for each other where cores are busy.
# Bytecode is kept, whatever the shell says: each worker, and each command that a test starts, would compile it again.
PYTEST := OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n auto --dist worksteal

test: lint  ## lint, types, tests
	$(PYTEST) -m "not long"

test-long: $(INSTALLED)  ## what make test leaves out; properties with many more examples, drawn at random
	$(PYTEST) --long -m "long or hypothesis"

lint: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --num-workers auto

format: $(INSTALLED)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(INSTALLED)  ## speed, an hour on an idle machine; peers take part after bench-peers
	$(BIN)/python bench/startup.py
	$(BIN)/python -m bench.recurrent --out results/bench-recurrent.json
	$(BIN)/python -m bench.transformer --out results/bench-transformer.json
	$(BIN)/python -m bench.sentence --out results/bench-sentence.json
	$(BIN)/python -m bench.embedding --out results/bench-embedding.json
	$(BIN)/python -m bench.pretraining --out results/bench-pretraining.json
	$(BIN)/python -m bench.growth --out results/bench-growth.json --figure docs/images/growth.svg
	$(BIN)/python -m bench.alignment --out results/bench-alignment.json
ifdef MODEL
	$(BIN)/python -m bench.attention_cost $(MODEL) --out results/bench-attention.json
else
	@echo "the cost of attention is left out; make bench MODEL=FOLDER measures it with a trained model"
endif

bench-peers: .bench/joeynmt/.installed .bench/opennmt/.installed .bench/eflomal/.installed  ## what bench compares with, each in an environment of its own
	$(BIN)/python -m bench.joeynmt_twin .bench/twin
	$(BIN)/python -m bench.transformer_decoding .bench/marian

PEER_joeynmt := joeynmt==2.3.0
PEER_opennmt := OpenNMT-py==3.5.1
# A peer comes without its dependencies: it would ask for another torch than the others have.
.bench/%/.installed: bench/peers/%.txt | $(INSTALLED)
	$(PYTHON) -m venv .bench/$*
	.bench/$*/bin/python $(PIP_INSTALL) --requirement $< \
		"torch==$$($(BIN)/python -c 'import torch; print(torch.__version__.partition("+")[0])')"
	.bench/$*/bin/python $(PIP_INSTALL) --no-deps $(PEER_$*)
	touch $@

.bench/eflomal/.installed: bench/peers/eflomal.txt  # a program in C: it needs no torch
	$(PYTHON) -m venv .bench/eflomal
	.bench/eflomal/bin/python $(PIP_INSTALL) --requirement $<
	touch $@

results: $(INSTALLED)  ## docs/results.md, and the tables of docs/alarms.md, from results/*.json
	PYTHONPATH=tools $(BIN)/python -m results_page.page results docs/results.md
	PYTHONPATH=tools $(BIN)/python -m results_page.alarms results/alarms.json docs/alarms.md

torture: $(INSTALLED)  ## the long form of those tests that have one, about 20 minutes; then docs/reliability.md
	OMP_NUM_THREADS=1 $(BIN)/pytest --torture -m torture --figures=results/torture.json
	$(BIN)/python -m tests.torture.table results/torture.json docs/reliability.md

controls: $(INSTALLED)  ## take each guard away in a copy of the tree, and see its test fail
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.controls

docs: .venv/.docs  ## the documentation as a site in site/; warnings are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

.venv/.docs: $(INSTALLED)
	$(BIN)/python $(PIP_INSTALL) --editable '.[dev,docs]' --constraint constraints.txt
	touch $@

# The demo needs little; what the tests need on top of it goes into the same environment.
$(INSTALLED): $(DEMO)
	$(BIN)/python $(PIP_INSTALL) --editable '.[dev]' --constraint constraints.txt
	touch $@

$(DEMO): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python $(PIP_INSTALL) --editable '.[plot]' --constraint constraints.txt
	touch $@
