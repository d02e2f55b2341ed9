package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestPkgUpdateDirty does not update over what Git could not give back.
func TestPkgUpdateDirty(t *testing.T) {
	many := func(t *testing.T) {
		for i := range 12 {
			writeFile(t, fmt.Sprintf("edge/new-%02d.txt", i), "", 0o644)
		}
	}
	hide := func(t *testing.T) {
		writeFile(t, ".gitignore", "local.env\nnew.yaml\nmine.yaml\n", 0o644)
		commitAll(t, ".", "ignore")
		writeFile(t, "edge/local.env", "mine\n", 0o644)
	}
	inTheWay := func(t *testing.T) { hide(t); writeFile(t, "edge/new.yaml", plainMap("mine", "1"), 0o644) }
	told := func(flag string) func(t *testing.T) {
		return func(t *testing.T) {
			gittest.Git(t, ".", "update-index", flag, "edge/web.yaml", "edge/db/db.yaml")
			writeFile(t, "edge/web.yaml", edgeWeb("1", "mine:1"), 0o644)
		}
	}
	cases := map[string]struct {
		reason string
		make   func(t *testing.T)
		args   []string
		code   int
		says   string
	}{
		"Clean":     {"nothing to lose", func(*testing.T) {}, nil, exitDone, "Updated 1 package(s).\n"},
		"Changed":   {"a change", func(t *testing.T) { writeFile(t, "edge/notes.txt", "mine\n", 0o644) }, nil, exitFailed, `error: package "edge" has uncommitted changes: notes.txt; commit or stash the changes first, so that you can undo the update, or overwrite them with --allow-dirty`},
		"Untracked": {"a new file", func(t *testing.T) { writeFile(t, "edge/mine/a b.txt", "", 0o644) }, nil, exitFailed, `uncommitted changes: mine/a b.txt;`},
		"Deleted":   {"a deletion", func(t *testing.T) { must(t, os.Remove("edge/notes.txt")) }, nil, exitFailed, `uncommitted changes: notes.txt;`},
		"Staged":    {"a change that is staged", func(t *testing.T) { writeFile(t, "edge/notes.txt", "mine\n", 0o644); gittest.Git(t, ".", "add", ".") }, nil, exitFailed, `uncommitted changes: notes.txt;`},
		"Many":      {"not all are named", many, nil, exitFailed, `new-08.txt, new-09.txt, and 2 more;`},
		"Elsewhere": {"what is beside it is no matter", func(t *testing.T) { writeFile(t, "other", "", 0o644) }, nil, exitDone, "Updated"},
		"Ignored": {"a package that Git does not hold", func(t *testing.T) {
			gittest.Git(t, ".", "rm", "-q", "--cached", "-r", "edge")
			writeFile(t, ".gitignore", "edge\n", 0o644)
		}, nil, exitFailed, `package "edge" is not in Git, which ignores it;`},
		"Hidden":     {"an ignored file that the update leaves alone", hide, nil, exitDone, "Updated 1 package(s).\n"},
		"HiddenMark": {"nor is one lost that only gets marks", func(t *testing.T) { hide(t); writeFile(t, "edge/mine.yaml", plainMap("mine", "1"), 0o644) }, nil, exitDone, "Updated 1 package(s).\n"},
		"HiddenGone": {"one that it deletes", hide, []string{"--strategy", "force-delete-replace"}, exitFailed, `error: update package "edge": the update would change or delete files that Git ignores or skips, and cannot restore: local.env; move them out of the package`},
		"HiddenOver": {"one that it writes over", inTheWay, []string{"--strategy", "copy-merge"}, exitFailed, `cannot restore: new.yaml;`},
		"HiddenLook": {"a look loses nothing", inTheWay, []string{"--strategy", "copy-merge", "--dry-run"}, exitDone, "cannot restore: new.yaml; without --dry-run the update refuses that, unless --allow-dirty is set.\n"},
		"HiddenOK":   {"it was asked for", inTheWay, []string{"--strategy", "copy-merge", "--allow-dirty"}, exitDone, "Updated 1 package(s).\n"},
		"Skipped":    {"what Git skips", told("--skip-worktree"), nil, exitFailed, `cannot restore: web.yaml;`},
		"Unchanged":  {"or to take for unchanged", told("--assume-unchanged"), nil, exitFailed, `cannot restore: web.yaml;`},
		"Allowed":    {"it was asked for", many, []string{"--allow-dirty"}, exitDone, "Updated 1 package(s).\n"},
		"Look":       {"a look loses nothing", many, []string{"--dry-run"}, exitDone, "without --dry-run the update refuses that, unless --allow-dirty is set.\n"},
		"ExitCode":   {"a refusal is trouble", many, []string{"--exit-code"}, exitUsage, "uncommitted changes"},
		"NoWorkTree": {"Git does not look after it", func(t *testing.T) { must(t, os.RemoveAll(".git")) }, nil, exitDone, "\"edge\" is in no Git work tree: Git cannot undo this update.\n"},
	}
	o := gotEdge(t)
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o.again(t)
			tc.make(t)
			before := snapshot(t, "edge")
			r := runCLI(t, append([]string{"pkg", "update", "edge@v2"}, tc.args...)...)
			if r.code != tc.code || !strings.Contains(r.stderr, tc.says) {
				t.Errorf("%s: exit code %d, want %d; stderr:\n%s\nwant: %s", tc.reason, r.code, tc.code, r.stderr, tc.says)
			}
			if diff := cmp.Diff(before, snapshot(t, "edge")); tc.code != exitDone && diff != "" {
				t.Errorf("%s: files were changed (-before +after):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestPkgUpdateRefused fails before anything is fetched or written.
func TestPkgUpdateRefused(t *testing.T) {
	cases := map[string]struct {
		reason string
		args   []string
		code   int
		says   string
	}{
		"NoDir":         {"a folder that is not there", []string{"gone"}, exitFailed, `error: package "gone": no such file or directory`},
		"NoDirRef":      {"at a ref", []string{"gone@release/v1"}, exitFailed, `error: package "gone": no such file or directory`},
		"File":          {"a file", []string{"edge/Kptfile"}, exitFailed, `package "edge/Kptfile" is not a folder`},
		"NoPackage":     {"a folder that is none", []string{"edge/bare"}, exitFailed, `update package "bare": not a package: there is no Kptfile`},
		"NoUpstream":    {"a package of no upstream", []string{"edge/db"}, exitFailed, `update package "db": package must have an upstream reference`},
		"EmptyRef":      {"a variable that is not set", []string{"edge@"}, exitUsage, `"edge@" names no ref after the @`},
		"NoRef":         {"a ref that upstream lacks", []string{"edge@v9"}, exitFailed, `has no branch, tag or commit "v9"`},
		"Two":           {"one at a time", []string{"edge", "db"}, exitUsage, "accepts at most 1 arg(s), received 2"},
		"Base":          {"a base that is none", []string{"edge", "--base", "origin"}, exitUsage, `--base "origin": want upstream or rendered`},
		"Format":        {"a form that is none", []string{"edge", "-o", "xml"}, exitUsage, `--output "xml": want table, json or yaml`},
		"Functions":     {"functions do not run", []string{"edge", "--allow-exec"}, exitUsage, `--allow-exec is for functions, which run only with --base rendered`},
		"Runtime":       {"checked when they do", []string{"edge", "--base", "rendered", "--runtime", "rkt"}, exitUsage, `--runtime: runtime "rkt"`},
		"UsageExitCode": {"wrong usage stays that", []string{"edge", "--exit-code", "-o", "xml"}, exitUsage, "--output"},
		"TroubleIsTwo":  {"1 is for changes", []string{"gone", "--exit-code"}, exitUsage, `package "gone"`},
	}
	o := gotEdge(t)
	writeFile(t, "edge/bare/cm.yaml", plainMap("a", "1"), 0o644)
	commitAll(t, ".", "bare")
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o.again(t)
			before := snapshot(t, ".")
			r := runCLI(t, append([]string{"pkg", "update"}, tc.args...)...)
			if r.code != tc.code || r.stdout != "" || strings.Count(r.stderr, "error: ") != 1 || !strings.Contains(r.stderr, tc.says) {
				t.Errorf("%s: exit code %d (want %d), stdout %q, stderr:\n%swant: %s", tc.reason, r.code, tc.code, r.stdout, r.stderr, tc.says)
			}
			if diff := cmp.Diff(before, snapshot(t, ".")); diff != "" {
				t.Errorf("%s: files were changed (-before +after):\n%s", tc.reason, diff)
			}
		})
	}
}
