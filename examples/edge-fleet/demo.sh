#!/usr/bin/env bash
# Runs the commands of README.md, as they stand there, in a copy of this folder: in a temporary one,
# or in DIR, which is made and stays to be looked at. Usage: demo.sh [DIR]
# Needs git, and waybill on the PATH.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ $# -gt 0 ]; then
	mkdir "$1"
	dir=$(cd "$1" && pwd)
else
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
fi
cp -r "$here/." "$dir"
cd "$dir"

# The same commits for every user, at any time, whatever their git is set up to do.
unset $(git rev-parse --local-env-vars) GIT_EXTERNAL_DIFF GIT_DIFF_OPTS
export LC_ALL=C GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_PAGER=cat
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.com GIT_AUTHOR_DATE='2026-01-02T03:04:05Z'
export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.com GIT_COMMITTER_DATE='2026-01-02T03:04:05Z'
export SOURCE_DATE_EPOCH=1767323045 # the same moment, for waybill

# Each command is printed, then run.
bash -euo pipefail -v <(awk '/^```sh$/ { on = 1; next } /^```$/ { if (on) print ""; on = 0 } on' README.md)
