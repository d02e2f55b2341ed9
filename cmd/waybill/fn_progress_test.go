package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// talkers are functions that pass and say something on stderr.
const talkers = `
-- web/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: web
pipeline:
  mutators:
  - exec: talk
  validators:
  - exec: mumble
  - exec: grepped
  - exec: blank
-- bin/talk --
#!/bin/sh
cat
printf 'one\n\n \033[2Jthree\tx\r\nfour\nfive\377\n\n' >&2
printf 'results:\n- message: "\\e[1mseen"\n'
-- bin/mumble --
#!/bin/sh
cat
echo 'well, "well"' >&2
-- bin/grepped --
#!/bin/sh
echo 'nothing found' >&2
-- bin/blank --
#!/bin/sh
cat
printf ' \n\n' >&2
`

// TestPassingFunctionsAreHeard shows what functions say that pass, as kpt does, and nothing of it acts
// on the terminal.
func TestPassingFunctionsAreHeard(t *testing.T) {
	whole := []string{`    "one"`, `    ""`, `    " \x1b[2Jthree\tx"`, `    "four"`, `    "five\xff"`}
	cut := []string{`    "one"`, `    ""`, `    " \x1b[2Jthree\tx"`, `    "four"`,
		`    ...(1 line(s) truncated, use '--truncate-output=false' to disable)`}
	messages := func(lines []string) []string {
		return append([]string{`  Results:`, `    [info]: \x1b[1mseen`, `  Stderr:`}, lines...)
	}
	others := []string{`  Stderr:`, `    "well, \"well\""`, `  Stderr:`, `    "nothing found"`}
	cases := map[string]struct {
		reason string
		args   []string
		want   []string
	}{
		"render":       {"all of it", []string{"render", "web", "--allow-exec"}, append(messages(whole), others...)},
		"render, cut":  {"four lines, as for failures", []string{"render", "web", "--allow-exec", "--truncate-output"}, append(messages(cut), others...)},
		"eval":         {"the same for one function", []string{"eval", "web", "--exec", "talk"}, messages(whole)},
		"eval, cut":    {"four lines", []string{"eval", "web", "--exec", "talk", "--truncate-output"}, messages(cut)},
		"eval, blanks": {"blanks say nothing", []string{"eval", "web", "--exec", "blank"}, nil},
		"eval, stdout": {"data and talk stay apart", []string{"eval", "web", "--exec", "mumble", "-o", "unwrap"}, others[:2]},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := writeArchive(t, talkers)
			onPath(t, filepath.Join(dir, "bin"))
			t.Chdir(dir)
			r := runCLI(t, append([]string{"fn"}, tc.args...)...)
			var got []string
			for line := range strings.Lines(r.stderr) {
				if strings.HasPrefix(line, "  ") {
					got = append(got, strings.TrimSuffix(line, "\n"))
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || r.code != exitDone || strings.Contains(r.stdout, "well") {
				t.Errorf("%s: exit code %d (-want +got):\n%s\n%s", tc.reason, r.code, diff, r.stderr)
			}
		})
	}
}
