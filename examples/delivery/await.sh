#!/bin/bash
# Runs a command until its output has a line that matches $1, for at most two minutes, and prints the output.
pattern=$1
shift
for ((i = 0; i < 120; i++)); do
  if output=$("$@" 2>&1) && grep --quiet -e "$pattern" <<<"$output"; then
    printf '%s\n' "$output"
    exit
  fi
  sleep 1
done
printf 'no line matches %s in the output of %s:\n%s\n' "$pattern" "$*" "$output" >&2
exit 1
