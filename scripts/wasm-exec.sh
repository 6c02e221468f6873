#!/usr/bin/env bash
# Runs a test program that was built for wasm: go test -exec scripts/wasm-exec.sh
#
# The environment is cleared first. Go's start code for js/wasm refuses more
# than 8,192 bytes of arguments and environment together, and a CI machine's
# environment alone can be larger. What stays:
#   PWD, HOME, TMPDIR, PATH   a test may ask for its directory; node and wazero are found
#   TAMP_SHARED, empty        vectors and corpus are run natively, and skip here with
#                             that reason: a wasm run of all of them takes minutes,
#                             while core/testdata already holds the bytes that must
#                             be the same on all platforms, and is read on all of them
# Both of Go's own runners give the program the host's file system.
set -euo pipefail

case "${GOOS:-}" in
js | wasip1) ;;
*)
	echo "wasm-exec: GOOS=${GOOS:-} has no runner here, only js and wasip1" >&2
	exit 2
	;;
esac

exec env -i \
	PATH="$PATH" HOME="${HOME:-/}" PWD="$PWD" TMPDIR="${TMPDIR:-/tmp}" \
	GOWASIRUNTIME=wazero TAMP_SHARED= \
	"$(go env GOROOT)/lib/wasm/go_${GOOS}_wasm_exec" "$@"
