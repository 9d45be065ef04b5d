# Everything a new colleague types. `make demo` and `make test` set up what they need in .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
TEXTS  ?= ../shared/rules

.DEFAULT_GOAL := help
.PHONY: help setup demo practice practice-test practice-pictures test unit others lint types imports branches walks coverage mutants mutants-edge campaign pads-campaign histories link-campaign link-demo sparkplug-proof fuzz soak powercut slips cures chaos hil hil-bench reference reference-size reference-pads-size kernel-rig kernel-rig-short bench bench-link bench-compare bench-scaling instructions build bundle image image-test image-check install uninstall install-test clean check-tools practice-measure check-chromium

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

check-tools:
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) is missing: install it with  sudo apt-get install python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: $$($(PYTHON) --version) is too old, Sabot needs Python 3.11: sudo apt-get install python3.11, then make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "make: Python cannot make a virtual environment: sudo apt-get install python3-venv"; exit 1; }
	@command -v git >/dev/null || { echo "make: git is missing: sudo apt-get install git"; exit 1; }

# A source archive has the packages below src alone; in a checkout src has links to them.
PACKAGES = rules statemachine drivers config firmware desk floor uplink practice hil

$(STAMP): pyproject.toml | check-tools
	@for name in $(PACKAGES); do [ -e $$name ] || ln -s src/sabot/$$name $$name; done
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,sign]'
	@touch $(STAMP)

setup: $(STAMP) ## a virtual environment with everything the other targets need

demo: $(STAMP) ## a short shift of each chapter in the terminal (DEMO_ARGS=--fast does not wait)
	@$(BIN)/sabot demo $(DEMO_ARGS)

practice: $(STAMP) ## sit down at a simulated table in a browser, and deal (PRACTICE_ARGS=pa683a)
	@$(BIN)/sabot practice $(PRACTICE_ARGS)

check-chromium:
	@command -v chromium google-chrome >/dev/null || { echo "make: Chromium is missing: install it with  sudo apt-get install chromium"; exit 1; }

practice-test: $(STAMP) check-chromium ## that page in Chromium: rounds of every chapter, irregularities, cables, lessons; and in Firefox (many minutes)
	@command -v firefox-esr firefox >/dev/null || echo "make: Firefox is missing, its test is skipped: install it with  sudo apt-get install firefox-esr"
	SABOT_PRACTICE=1 $(BIN)/python -Im pytest tests/practice

practice-measure: $(STAMP) check-chromium ## from a click at that page to its pixels, from the start to a table
	$(BIN)/python -m tests.practice.measure

practice-pictures: $(STAMP) check-chromium ## the pictures of docs/practice.md, the first of which is README's
	$(BIN)/python -m tests.practice.pictures

test: lint types imports others branches ## lint, types, import contracts, all tests, 100 % branches of rules and statemachine

lint: $(STAMP) ## ruff: rules and layout
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP) ## mypy --strict over packages, tests and bench
	$(BIN)/mypy
	$(BIN)/mypy bench

imports: $(STAMP) ## who may import whom
	$(BIN)/lint-imports

# Many tests wait for a program in a process of its own: more of them at a time than there are cores. Tests that
# share something dear are taken by one process (tests/sharing.py).
AT_A_TIME = --numprocesses $(or $(JOBS),6)
# These cover every branch of rules and statemachine; the walks, the counts of every hand, what tries every card, the
# model and the other folders have other aims, and need not be made three times as slow by the count.
COVERING  = tests/rules/ tests/statemachine/
BESIDE    = tests/statemachine/walk/ tests/statemachine/test_offered_rows.py tests/statemachine/test_display.py \
            tests/rules/counted/ tests/rules/test_against_the_model.py $(addprefix tests/rules/odds/test_,$(ODDS))
ODDS      = strategy.py streets.py classes.py
THE_REST  = $(filter-out $(COVERING) %/__pycache__/,$(wildcard tests/*/)) $(BESIDE)

unit: $(STAMP) ## the tests alone, JOBS=6 at a time
	$(BIN)/python -Im pytest $(AT_A_TIME) $(PYTEST_ARGS)

# What fails among six is run once more alone, and named: a machine that let a program wait is no finding, a test that
# fails alone is one. More than a handful at once is never the machine.
others: $(STAMP)
	@rm -f .pytest_cache/v/cache/lastfailed
	$(BIN)/python -Im pytest $(AT_A_TIME) $(THE_REST) || $(BIN)/python -m tests.alone

branches: $(STAMP) ## branch coverage of the law and of the table, held at 100 %
	$(BIN)/python -Im pytest --numprocesses auto --cov --cov-report= $(COVERING) $(addprefix --ignore=,$(BESIDE))
	$(BIN)/coverage report --include='rules/*,src/sabot/rules/*' --fail-under=100
	$(BIN)/coverage report --include='statemachine/*,src/sabot/statemachine/*' --fail-under=100

walks: $(STAMP) ## every state of the larger reduced tables, with a way home from each, and the odds of every reading (WALKS_ARGS='-k "two seats"')
	SABOT_EXHAUSTIVE=1 $(BIN)/python -Im pytest -s --numprocesses $(or $(JOBS),0) tests/statemachine/walk/test_exhaustive.py tests/desk/test_par.py $(WALKS_ARGS)

coverage: $(STAMP) ## misbehave clause by clause, change every number of the chapters: a named test must fail each time
	$(BIN)/python tests/law/behaviour.py $(COVERAGE_ARGS)
	$(BIN)/python tests/law/mutate.py
	@if [ -d $(TEXTS) ]; then $(BIN)/python tests/law/paytables.py $(TEXTS) --compare; else echo "no texts at $(TEXTS): the chapter files were not compared with them"; fi

mutants: $(STAMP) ## mutation testing of the pure packages, each module against its own tests; resumable
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'cosmic-ray>=8.3'
	$(BIN)/python tests/mutants/run.py $(MUTANTS_ARGS)

mutants-edge: $(STAMP) ## mutation testing of drivers, config and the board's program by the tests that reach a line; resumable (MUTANTS_ARGS='--total 600')
	$(BIN)/python -u tests/mutants/edges.py $(MUTANTS_ARGS)

campaign: $(STAMP) ## ten million damaged frames of Sabot Link: no wrong card comes out; resumable
	$(BIN)/python tests/drivers/sabot_link/link_campaign.py --state bench/out/link-campaign.json $(CAMPAIGN_ARGS)

pads-campaign: $(STAMP) ## damaged reports of the pads, ten million: no wrong wager comes out (about 20 minutes; COUNT=100000)
	$(BIN)/python -m tests.drivers.pads.campaign $(or $(COUNT),10000000)

link-campaign: $(STAMP) ## kills of uplinks, tables, floors, broker and PostgreSQL, then every cent compared (LINK_ARGS='--kills 500 --seed 3')
	@$(BIN)/python -m tests.uplink.campaign $(LINK_ARGS)

histories: $(STAMP) ## ten thousand histories of tables and floors that go wrong, each held to one order of all grants; resumable (HISTORIES_ARGS='--control no-key')
	@$(BIN)/python -m tests.floor.battery $(or $(HISTORIES_ARGS),--histories 10000 --jobs 2 --state bench/out/histories.json)

link-demo: $(STAMP) ## a floor, its broker and store, four linked tables and the page of the pit (LINK_DEMO_ARGS=--embedded)
	@$(BIN)/python -m tests.uplink.link_demo $(LINK_DEMO_ARGS)

sparkplug-proof: $(STAMP) ## Sparkplug as npm's decoder and a host library of PyPI understand it; installs both beside
	@$(BIN)/python -m tests.uplink.sparkplug_proof $(SPARKPLUG_ARGS)

fuzz: $(STAMP) ## codecs, console, files under fire for 20 s each (FUZZ_ARGS='console --seconds 600'); atheris leads where it is
	$(BIN)/python -m tests.fuzz.run $(FUZZ_ARGS)

soak: $(STAMP) ## a million random rounds under auditors; resumable (SOAK_ARGS='--rounds 20000', '--seed 4711' plays one again)
	$(BIN)/python -m tests.soak.run --state bench/out/soak.json $(SOAK_ARGS)

powercut: $(STAMP) ## the power cut at every write of recorded shifts (wants strace; POWERCUT_ARGS=--short does not)
	$(BIN)/python -m tests.powercut.run $(POWERCUT_ARGS)

slips: $(STAMP) ## an exception at the calls inside the handling of every kind of event, of a loop one in fifty; resumable (SLIPS_ARGS='--control no-lane')
	@$(BIN)/python -m tests.slips.run $(or $(SLIPS_ARGS),--state bench/out/slips.json)

cures: $(STAMP) ## every kind of fault in every phase, cured by the printed words alone; resumable (CURES_ARGS='--control no-retest')
	@$(BIN)/python -m tests.cures.run $(or $(CURES_ARGS),--state bench/out/cures.json)

chaos: $(STAMP) ## the running program under attack; resumable by seed (CHAOS_ARGS='--seeds 200', '--seed 17' plays one again)
	$(BIN)/python -m tests.chaos.run $(CHAOS_ARGS)

hil: $(STAMP) ## every scenario of the floor on simulated devices; reports in build/hil (HIL_ARGS for others)
	@mkdir -p build/hil
	@$(BIN)/sabot hil run --html build/hil/report.html --json build/hil/record.json --junit build/hil/junit.xml $(HIL_ARGS)

hil-bench: $(STAMP) ## scenarios with labgrid as power switch and ear, in an environment of its own (HIL_ARGS for others)
	@[ -x .venv-labgrid/bin/python ] || { $(PYTHON) -m venv .venv-labgrid && .venv-labgrid/bin/python -m pip install --quiet --disable-pip-version-check 'labgrid>=26'; }
	@$(BIN)/sabot hil run --target bench-process $(or $(HIL_ARGS),--scenario 'a round, hand' --scenario 'power cut in a round, hand' --scenario 'cable comes out while bets are open')

# The device sides in C (docs/reference-device.md): their cores, and their ports to a terminal and a socket.
COMMON    = bytes.c sha.c curve.c
C_STRICT  = -std=c99 -Wall -Wextra -Wpedantic -Werror
ARM       = arm-none-eabi-gcc -mcpu=$(or $(CPU),cortex-m0plus) -mthumb -Os -ffunction-sections -fdata-sections
KEPT      = -Wl,--gc-sections,-u,footprint

reference: ## the reference devices in C: build/sabot-reference on a terminal, build/sabot-reference-pads on a socket
	@command -v $(CC) >/dev/null || { echo "make: a C compiler is missing: sudo apt-get install gcc"; exit 1; }
	@mkdir -p build
	cd hil/reference && $(CC) $(C_STRICT) -O2 $(COMMON) link.c works.c port.c link_posix.c -o ../../build/sabot-reference
	cd hil/reference && $(CC) $(C_STRICT) -O2 $(COMMON) pads.c port.c pads_posix.c -o ../../build/sabot-reference-pads

reference-size: ## flash, RAM and stack of the shuffler on a microcontroller (CPU=cortex-m0plus); reference-pads-size of the pads
	$(call size_of,link.c works.c footprint.c,-e link_receive -u footprint_link -u footprint_works)

reference-pads-size:
	$(call size_of,pads.c footprint_pads.c,-e pads_receive -u footprint_pads)

define size_of
	@command -v arm-none-eabi-gcc >/dev/null || { echo "make: the compiler is missing: sudo apt-get install gcc-arm-none-eabi libnewlib-arm-none-eabi"; exit 1; }
	@rm -rf build/reference && mkdir -p build/reference
	@cd build/reference && $(ARM) $(C_STRICT) -fstack-usage -nostartfiles --specs=nano.specs $(KEPT) $(2) \
		$(addprefix ../../hil/reference/,$(COMMON) $(1)) -o device.elf && arm-none-eabi-size device.elf
	@cat build/reference/*.su | sort -t'	' -k2 -nr | head -5 | awk -F'[:\t]' '{print "stack of " $$4 ": " $$5}'
endef

kernel-rig: $(STAMP) ## the program on devices of a real kernel, in a virtual machine; as root (KERNEL_RIG_ARGS=--long, or parts)
	@$(BIN)/python -m sabot.hil.kernel --json build/kernel-rig/results.json $(KERNEL_RIG_ARGS)

kernel-rig-short: $(STAMP) ## the drivers and one round on such devices; a machine that cannot run it says so loudly and fails nothing
	@$(BIN)/python -m sabot.hil.kernel --short --json build/kernel-rig/short.json || [ $$? -eq 77 ]

bench: $(STAMP) ## speed and size, beside peers in environments of their own (BENCH_ARGS=--quick, --json F, --svg F, --page)
	$(BIN)/python bench/run.py $(BENCH_ARGS)

bench-link: $(STAMP) ## what the link costs: contributions, claims, a failover, signs, memory, tables, years (BENCH_LINK_ARGS='--only rates')
	@$(BIN)/python bench/linked.py --json bench/out/linked.json $(BENCH_LINK_ARGS)

bench-compare: $(STAMP) ## what a change did: BASE=COMMIT and this tree measured in turns (NAMES='decide round' TURNS=5)
	@[ -n '$(BASE)' ] || { echo "make: name the commit to hold this tree against:  make bench-compare BASE=HEAD"; exit 1; }
	$(BIN)/python bench/compare.py $(if $(TURNS),--turns $(TURNS)) '$(BASE)' $(NAMES)

bench-scaling: $(STAMP) ## how cost grows with seats, wagers, rounds and the journal (SCALING_ARGS='--page seats')
	$(BIN)/python bench/scaling.py $(SCALING_ARGS)

instructions: $(STAMP) ## instructions of a decision against kept limits (valgrind; exit code 77: nothing was judged)
	@$(BIN)/python bench/instructions.py $(INSTRUCTIONS_ARGS)

build: $(STAMP) ## wheel and sdist in dist/
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	$(BIN)/python -m build --quiet

# Where a board has Sabot (docs/install.md).
DESTDIR     ?=
PREFIX      ?= /opt/sabot
SYSCONFDIR  ?= /etc
BINDIR      ?= /usr/local/bin
PLACES      = --destdir '$(or $(DESTDIR),/)' --prefix '$(PREFIX)' --sysconfdir '$(SYSCONFDIR)' --bindir '$(BINDIR)'

image: $(STAMP) ## a board's card, built twice and compared (KEY=release.key; BUNDLE= else it is made of this tree)
	@[ -n '$(KEY)' ] || { echo "make: name the release key:  make image KEY=release.key  (python tools/make_bundle.py --new-key release.key makes one)"; exit 1; }
	@$(BIN)/python -u -m sabot.image --key '$(KEY)' $(if $(BUNDLE),--bundle '$(BUNDLE)') $(IMAGE_ARGS)

image-test: $(STAMP) ## trials of that card on an emulated board: long (TRIALS='changed_root first_boot', IMAGE_ARGS='--log F')
	@$(BIN)/python -u -m sabot.image.trial $(or $(IMAGE),dist/sabot-pi-arm64.img) $(TRIALS) $(IMAGE_ARGS)

# Validators of a list of packages that were written elsewhere, in an environment of their own.
SPDX = .venv-spdx/bin/python

$(SPDX): | check-tools
	@$(PYTHON) -m venv .venv-spdx.new && .venv-spdx.new/bin/python -m pip install --quiet --disable-pip-version-check 'spdx-tools>=0.8.3' 'packageurl-python>=0.16'
	@rm -rf .venv-spdx && mv .venv-spdx.new .venv-spdx

image-check: $(STAMP) $(SPDX) ## the steps of the build on a tiny board; a look into IMAGE= and its list where one is named (RELEASE_KEY=release.pub)
	SPDX_PYTHON=$(SPDX) $(BIN)/python -Im pytest tests/image
	@[ -z '$(IMAGE)' ] || $(BIN)/python -m sabot.image.inspection '$(IMAGE)' '$(RELEASE_KEY)'
	@[ -z '$(IMAGE)' ] || $(SPDX) tools/check_package_list.py '$(IMAGE:.img=.spdx.json)'

bundle: $(STAMP) ## the bundle of a release in dist/ (KEY=release.key signs it, BUNDLE_ARGS for another board)
	@$(BIN)/python tools/make_bundle.py $(if $(KEY),--key '$(KEY)') $(BUNDLE_ARGS)

install: $(STAMP) ## install BUNDLE= under DESTDIR (RELEASE_KEY=release.pub is pinned), or this tree, unsigned
	@bundle='$(BUNDLE)'; \
	[ -n "$$bundle" ] || bundle=$$($(BIN)/python tools/make_bundle.py --with-rig --out build/bundle | tail -n 1); \
	$(BIN)/python -Im sabot.firmware.update.first_install "$$bundle" $(PLACES) $(if $(RELEASE_KEY),--release-key '$(RELEASE_KEY)')

uninstall: $(STAMP) ## take releases and units away; settings and state stay
	@$(BIN)/python -Im sabot.firmware.update.first_install --uninstall $(PLACES)

install-test: $(STAMP) ## build two bundles, install, run, update, bring back, repair, digest from outside (a minute)
	SABOT_BUNDLE=1 $(BIN)/python -Im pytest tests/firmware/update/test_whole_bundle.py tests/systemd

clean: ## remove what the other targets made
	rm -rf $(VENV) .venv-spdx build dist .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache src/*.egg-info bench/envs bench/out .fuzz
