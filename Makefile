# `make` lists the targets. `make play` needs Go alone; everything else installs
# what it needs first, at the versions below, into .tools/ and scripts/node_modules/.

GOLANGCI_VERSION := v2.15.0
WAZERO_VERSION   := v1.12.0

PORT        ?= 8787
FUZZTIME    ?= 60s
GOTESTFLAGS ?=
BENCH       ?= .

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
# The steps of `test` stand in an order, cheapest first: -j would mix their output.
.NOTPARALLEL:

# A stamp of the version control in a binary would make the wasm differ from
# commit to commit with the same source, and refuses checkouts of another owner.
GOFLAGS ?= -buildvcs=false
export GOFLAGS

# Relative, so that a checkout whose path has a space in it works too.
TOOLS := .tools
export PATH := $(CURDIR)/$(TOOLS)/bin:$(PATH)

# A linter must be built by the Go that it reads, so that its version counts too.
GOVERSION := $(shell go env GOVERSION)
GOLANGCI  := $(TOOLS)/golangci-lint-$(GOLANGCI_VERSION)-$(GOVERSION).stamp
WAZERO    := $(TOOLS)/wazero-$(WAZERO_VERSION)-$(GOVERSION).stamp
NPM       := $(TOOLS)/npm.stamp
CHROMIUM_STAMP := $(TOOLS)/chromium.stamp

JS     := GOOS=js GOARCH=wasm
WASIP1 := GOOS=wasip1 GOARCH=wasm
# The directories whose code knows JavaScript, as far as they hold Go by now.
JS_DIRS := $(foreach dir,web wasm worker,$(if $(shell find $(dir) -name '*.go' -print -quit 2>/dev/null),./$(dir)/...))

.PHONY: help
help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: play web
play: web ## serves the playground and the API on http://127.0.0.1:8787 (PORT changes it)
	PORT=$(PORT) go run ./worker -web web/static

# What reads the configuration of other systems, loaded when it is needed. Without
# the npm packages the page asks for JSON instead.
PARSERS := mkdir -p web/static/parsers/toml && \
	install -m 644 scripts/node_modules/js-yaml/dist/browser/js-yaml.esm.min.mjs web/static/parsers/js-yaml.mjs && \
	install -m 644 scripts/node_modules/smol-toml/dist/*.js web/static/parsers/toml/

web: ## builds the playground's wasm into web/static/
	$(JS) go build -trimpath -ldflags "-s -w" -o web/static/playground.wasm ./web
	install -m 644 "$$(go env GOROOT)/lib/wasm/wasm_exec.js" web/static/wasm_exec.js
	install -m 644 core/tokens/ranks/o200k_base.planes web/static/o200k_base.planes
	if [ -d scripts/node_modules/js-yaml ]; then $(PARSERS); fi

.PHONY: tools
tools: $(GOLANGCI) $(WAZERO) $(NPM) $(CHROMIUM_STAMP) ## installs the tools of the tests

$(GOLANGCI):
	GOBIN="$(CURDIR)/$(TOOLS)/bin" go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	touch $@

$(WAZERO):
	GOBIN="$(CURDIR)/$(TOOLS)/bin" go install github.com/tetratelabs/wazero/cmd/wazero@$(WAZERO_VERSION)
	touch $@

$(NPM): scripts/package.json scripts/package-lock.json $(if $(wildcard scripts/node_modules),,npm-again)
	cd scripts && npm ci --ignore-scripts --no-audit --no-fund
	mkdir -p $(TOOLS)
	touch $@

# The stamp alone proves nothing when somebody removed scripts/node_modules.
.PHONY: npm-again
npm-again:

# Holds the path. A browser that has gone since, or another $CHROMIUM, is looked up again.
$(CHROMIUM_STAMP): scripts/chromium.sh $(if $(shell scripts/chromium.sh --find 2>/dev/null | cmp -s - $(CHROMIUM_STAMP) && echo same),,chromium-again)
	mkdir -p $(TOOLS)
	scripts/chromium.sh </dev/null >$@.new
	mv $@.new $@

.PHONY: chromium-again
chromium-again:

.PHONY: test check
test: tools check test-go test-js test-wasip1 test-scripts test-cli test-web size fuzz-short ## installs what is missing and runs everything, cheapest first

check: fmt-check tidy-check vet lint ## format, go.mod, vet and lint: all that runs no test

.PHONY: fmt fmt-check tidy-check vet lint
fmt: $(GOLANGCI) ## formats the Go code (gofumpt, goimports)
	golangci-lint fmt

fmt-check: $(GOLANGCI) ## fails with a diff where the Go code is not formatted
	golangci-lint fmt --diff

tidy-check: ## fails with a diff where go.mod or go.sum is not tidy
	go mod tidy -diff

vet: ## go vet for this machine, js and wasip1
	go vet ./...
	$(JS) go vet ./...
	$(WASIP1) go vet ./...

lint: $(GOLANGCI) ## golangci-lint for this machine and for js
	golangci-lint run ./...
	$(if $(JS_DIRS),$(JS) golangci-lint run $(JS_DIRS))

.PHONY: test-go test-js test-wasip1 test-scripts test-cli test-web
test-go: ## Go tests with the race detector
	go test -race -timeout 40m $(GOTESTFLAGS) ./...

test-js: ## core's tests as js/wasm in Node, and the engine as JavaScript gets it
	$(JS) go test -timeout 30m -exec '"$(CURDIR)/scripts/wasm-exec.sh"' ./core/...
	$(NODE_TEST) wasm/js/*.test.mjs

test-wasip1: $(WAZERO) ## core's tests as wasip1/wasm in wazero
	$(WASIP1) go test -timeout 30m -exec '"$(CURDIR)/scripts/wasm-exec.sh"' ./core/...

# One file at a time: two browsers on two cores only wait for each other.
NODE_TEST := node --test --test-concurrency=1 --test-timeout=300000

test-scripts: $(NPM) $(CHROMIUM_STAMP) bench-wasm ## tests of the scripts themselves, and what tokens cost in wasm
	$(NODE_TEST) scripts/*.test.mjs scripts/e2e/*.test.mjs scripts/bench/*.test.mjs

test-cli: $(NPM) ## the real Codex CLI and Claude Code go on with logs that tamp compacted
	$(NODE_TEST) scripts/cli/*.test.mjs

test-web: $(NPM) $(CHROMIUM_STAMP) web ## the playground in a real Chromium
	$(NODE_TEST) web/e2e/*.test.mjs

.PHONY: fuzz fuzz-short bench bench-plan bench-wasm bench-tokens tokens-oracle size clean
fuzz: ## every fuzz target for FUZZTIME each (60s)
	FUZZTIME=$(FUZZTIME) scripts/fuzz.sh

# One target for each wire family, one for plan and apply. The formats of single
# harnesses are fuzzed by make fuzz.
fuzz-short: ## the main fuzz targets for 20 s each
	FUZZTIME=20s ONLY='^Fuzz(OpenAIChat|OpenAIResponses|AnthropicMessages|GeminiContents|BedrockConverse|Compact)$$' scripts/fuzz.sh

bench: bench-tokens bench-plan ## benchmarks (BENCH chooses by name), those that have limits first
	go test -run '^$$' -bench '$(BENCH)' -benchmem ./...

# x-valid is a plan's time by that of json.Valid on the same 5 MB, x-bytes what it
# allocates for each byte: the limit of both is 3, on every platform.
PLAN := go test -run '^$$' -bench '^BenchmarkPlan$$' -benchtime 3x

bench-plan: $(WAZERO) ## what decoding and planning cost, by json.Valid, natively and in wasm
	$(PLAN) ./core
	$(JS) $(PLAN) -exec '"$(CURDIR)/scripts/wasm-exec.sh"' ./core
	$(WASIP1) $(PLAN) -exec '"$(CURDIR)/scripts/wasm-exec.sh"' ./core

# o200k_base alone is linked into the module of the benchmark, as into one that
# is built with the tag.
bench-wasm:
	mkdir -p build/bench
	$(JS) go build -trimpath -tags tamp_o200k -ldflags "-s -w" -o build/bench/tokens.wasm ./scripts/bench/wasm
	$(JS) go build -trimpath -tags bare -ldflags "-s -w" -o build/bench/bare.wasm ./scripts/bench/wasm
	$(JS) go build -trimpath -ldflags "-s -w" -o build/bench/empty.wasm ./scripts/bench/empty
	$(JS) go build -trimpath -ldflags "-s -w" -o build/bench/js.wasm ./wasm/js
	install -m 644 "$$(go env GOROOT)/lib/wasm/wasm_exec.js" build/bench/wasm_exec.cjs

bench-tokens: $(NPM) bench-wasm ## tokens against the peers, ratios only: four npm packages in wasm, tiktoken-go/tokenizer natively
	node scripts/bench/corpus.mjs build/bench/corpus
	node scripts/bench/tokens.mjs
	cd scripts/bench/native && go run . "$(CURDIR)/build/bench/corpus"

tokens-oracle: $(NPM) ## every token against npm tiktoken and tiktoken-go: minutes
	scripts/oracle/run.sh $(if $(TAMP_SHARED),"$(TAMP_SHARED)/corpus")

size: $(NPM) web bench-wasm ## sizes of what is shipped, against their budgets
	node scripts/size-budget.mjs

clean: ## removes what was built, not the tools
	rm -rf build web/static/playground.wasm web/static/wasm_exec.js web/static/o200k_base.planes web/static/parsers
