#!/usr/bin/env bash
# Prints the path of a Chromium on stdout, and says on stderr where it found it.
#
#   scripts/chromium.sh          finds one, or as root on Debian installs it
#   scripts/chromium.sh --find   finds one or fails; installs nothing
#
# The order is $CHROMIUM, then `chromium` in PATH. A $CHROMIUM that cannot be run
# is an error, not a reason to look further: whoever set it meant that one.
set -euo pipefail

# The fonts are part of it: without them Japanese and emoji are drawn as empty
# boxes, and a screenshot of the page proves nothing.
packages="chromium fonts-noto-cjk fonts-noto-color-emoji"
install="apt-get update && apt-get install -y $packages"

say() { printf 'chromium: %s\n' "$*" >&2; }

find_chromium() {
	if [ -n "${CHROMIUM:-}" ]; then
		if [ ! -f "$CHROMIUM" ] || [ ! -x "$CHROMIUM" ]; then
			say "CHROMIUM=$CHROMIUM is no program that can be run"
			exit 1
		fi
		say "from CHROMIUM"
		printf '%s\n' "$CHROMIUM"
		return 0
	fi
	local found
	found=$(command -v chromium) || return 1
	say "from PATH"
	printf '%s\n' "$found"
}

case "${1:-}" in
"" | --find) ;;
*)
	say "unknown argument $1 (only --find is known)"
	exit 2
	;;
esac

if find_chromium; then exit 0; fi

if [ "${1:-}" = --find ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
	say "none in \$CHROMIUM or PATH. Install it as root:"
	printf '  %s\n' "$install" >&2
	exit 1
fi

say "none found, installing: $install"
export DEBIAN_FRONTEND=noninteractive
# stdout is for the path alone. An unquoted $packages is a list on purpose.
apt-get update >&2
# shellcheck disable=SC2086
apt-get install -y $packages >&2 </dev/null
if ! find_chromium; then
	say "still no chromium in PATH after its installation"
	exit 1
fi
