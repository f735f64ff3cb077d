# `make demo` and `make test` each do all of their own set-up on a fresh machine.
SHELL := /bin/bash
.DELETE_ON_ERROR:
.PHONY: help setup build demo demo-full test test-fast check check-types check-lint check-dead-code check-rest format schemas bundle bench clean

BUILT := dist/.built
INSTALLED := node_modules/.installed
SOURCES := $(shell find src -name '*.ts' -o -name '*.tsx' 2>/dev/null)
PAGES := $(shell find web -not -path 'web/dist*' -type f 2>/dev/null)

help:
	@echo 'make demo       build Pawl, then catch a slowdown, confirm a gain and refuse a cheat; demo-full: the rest too'
	@echo 'make test       everything CI runs: types, lint, format, dead code, tests'
	@echo 'make test-fast  types, lint and the tests of what changed since the last commit'
	@echo 'make build      compile the CLI; then bin/pawl works'
	@echo 'make bench      benchmarks of Pawl itself (bench/README.md)'
	@echo 'make format     rewrite sources in the project style; make schemas: rewrite docs/schemas'
	@echo 'make bundle     rewrite action/dist, what the GitHub Action runs'

setup:
	@tools/setup.sh

# Not `npm ci`: it refuses a lock file that lacks other platforms' binaries, which mirrors publish late.
$(INSTALLED): package.json package-lock.json | setup
	PAWL_PREPARE=no npm install --no-save --no-audit --no-fund --loglevel=error
	@touch $@

$(BUILT): $(INSTALLED) $(SOURCES) $(PAGES) method/lessons.yaml tools/bundle-cli.js tsconfig.json tsconfig.build.json
	npm run --silent build
	@touch $@

build: $(BUILT)

demo: $(BUILT)
	@tools/demo.sh

demo-full: $(BUILT)
	@tools/demo.sh --full

# Two at a time: some of them use one processor for most of their time.
CHECKS := check-lint check-dead-code check-types check-rest
check: $(INSTALLED)
	@$(MAKE) --no-print-directory --jobs=2 $(CHECKS)

check-lint:
	npx oxlint --type-aware --deny-warnings

check-dead-code:
	npx knip

check-types:
	npx tsc -p tsconfig.json
	npx tsc -p web/tsconfig.json

check-rest:
	node tools/import-cycles.js
	node tools/import-cycles.js web/app
	npx oxfmt --check

test: $(BUILT) check
	@tools/setup.sh torch
	npx publint --strict
	npx vitest run

test-fast: $(BUILT)
	npx tsc -p tsconfig.json
	npx oxlint --type-aware --deny-warnings
	npx vitest run --changed

format: $(INSTALLED)
	npx oxfmt

schemas: $(INSTALLED)
	UPDATE_SCHEMAS=1 npx vitest run test/workflows/published-schemas.test.ts test/server/open-api.test.ts

bundle: $(INSTALLED)
	node tools/bundle-action.js

bench: $(BUILT)
	npx tsc -p tsconfig.bench.json
	node .bench/bench/overhead.js

clean:
	rm -rf dist web/dist coverage .pawl node_modules
