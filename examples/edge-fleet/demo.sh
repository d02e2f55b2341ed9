#!/usr/bin/env bash
# Runs the commands of README.md, as they stand there, in a temporary copy of this folder.
# Needs git, and waybill on the PATH.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp -r "$here/." "$tmp"
cd "$tmp"

# The same commits whoever runs it, whenever, and whatever their git is set up to do.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_PAGER=cat
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.com GIT_AUTHOR_DATE='2026-01-02T03:04:05Z'
export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.com GIT_COMMITTER_DATE='2026-01-02T03:04:05Z'

# Each command is printed, then run.
awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0; print "" } on' README.md > commands
bash -euo pipefail -v commands
