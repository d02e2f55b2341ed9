#!/usr/bin/env bash
# Runs the commands of README.md, as they stand there, in a copy of this folder: in a new temporary one,
# or in DIR, which must not exist. The folder stays. Usage: demo.sh [DIR]
# Needs git, and waybill on the PATH.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ $# -gt 0 ]; then
	mkdir "$1"
	dir=$(cd "$1" && pwd)
else
	dir=$(mktemp -d)
fi
cp -r "$here/." "$dir"
cd "$dir"

# The same commits for every user, at any time, whatever their git is set up to do.
unset $(git rev-parse --local-env-vars) GIT_EXTERNAL_DIFF GIT_DIFF_OPTS
export LC_ALL=C GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_PAGER=cat
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.com GIT_AUTHOR_DATE='2026-01-02T03:04:05Z'
export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.com GIT_COMMITTER_DATE='2026-01-02T03:04:05Z'
export SOURCE_DATE_EPOCH=1767323045 # the same moment, for waybill

bold= plain=
if [ -t 2 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\e[1m' plain=$'\e[0m'; fi
step() { printf '\n%s%s%s\n%s\n' "$bold" "$1" "$plain" "$2" >&2; }
show() { sed '1s/^/\n$ /; 2,$s/^/  /' >&2; }

# Of the README: each heading with the sentence below it, each command (printed, then run), and the setup (only run).
steps() {
	awk '
		/^## /         { title = substr($0, 4); next }
		title && /./   { gsub(/\047/, "\047\\\047\047", title); gsub(/\047/, "\047\\\047\047"); printf "step \047%s\047 \047%s\047\n", title, $0; title = "" }
		/^```sh setup/ { on = 1; next }
		/^```sh$/      { on = 1; block = ""; shown = 1; next }
		/^```$/        { if (shown) printf "show <<\047END\047\n%sEND\n%s", block, block; on = shown = 0 }
		on && shown    { block = block $0 "\n"; next }
		on             { print }
	' README.md
}
bash_script=$(declare -f step show; declare -p bold plain; steps)
bash -euo pipefail -c "$bash_script"
printf '\nThe repositories and packages are in %s. Open the page in a browser: %s/upgrade.html\n' "$dir" "$dir" >&2
printf 'next: examples/edge-fleet/README.md has these steps to type yourself; docs/README.md starts with your own package.\n' >&2
