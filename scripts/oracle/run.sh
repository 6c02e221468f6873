#!/usr/bin/env bash
# Holds core/tokens against npm tiktoken (Rust), token for token, and against
# tiktoken-go:
#
#   scripts/oracle/run.sh [--freeze] [CORPUS]
#
# on 300,000 adversarial strings, every code point in ten contexts and 2,000 long
# texts, and, where a directory CORPUS is named, on each of its files and on
# 100,000 random slices of them. --freeze then writes tiktoken's hashes to
# core/tokens/testdata/frozen.json, for `go test`. About two minutes. Needs npm ci in
# scripts/ (or TIKTOKEN_FROM, a directory whose node_modules has tiktoken).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

freeze=
if [ "${1:-}" = --freeze ]; then
	freeze=1
	shift
fi
corpus=
if [ $# -gt 0 ]; then corpus=$(cd "$OLDPWD" && realpath -- "$1"); fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go run ./planes -check
go build -o "$dir/trials" ./trials
mkdir "$dir/texts"
"$dir/trials" write "$dir/texts" ${corpus:+"$corpus"}
node tiktoken.mjs "$dir/texts"
"$dir/trials" compare "$dir/texts"
if [ -n "$freeze" ]; then
	"$dir/trials" freeze "$dir/texts" ../../core/tokens/testdata/frozen.json
fi
TAMP_CORPUS=$corpus go test -count=1 ./...
