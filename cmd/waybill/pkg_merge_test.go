package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// threeFolders are base, theirs and ours, with a conflict.
func threeFolders(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	upstreamed := func(ref string) string {
		git := "\n  type: git\n  git:\n    repo: https://git.example.com/b\n    directory: /edge\n    ref: " + ref + "\n"
		return edgeKptfile + "upstream:" + git + "  updateStrategy: resource-merge\nupstreamLock:" + git + "    commit: " + strings.Repeat("a", 40) + "\n"
	}
	for file, text := range map[string]string{
		"base/Kptfile": upstreamed("v1"), "base/web.yaml": edgeWeb("1", "web:1"), "base/secret.yaml": edgeSecret("hush-one"),
		"theirs/Kptfile": upstreamed("v2"), "theirs/web.yaml": edgeWeb("2", "web:2"), "theirs/secret.yaml": edgeSecret("hush-two"), "theirs/run.sh": "true\n",
		"ours/Kptfile": upstreamed("v1"), "ours/web.yaml": edgeWeb("3", "web:1"), "ours/secret.yaml": edgeSecret("hush-mine"), "ours/mine.sh": "true\n",
		"full/file": "", "file": "", "bare/web.yaml": edgeWeb("2", "web:2"),
	} {
		writeFile(t, file, text, 0o644)
	}
	for _, program := range []string{"theirs/run.sh", "ours/mine.sh"} {
		must(t, os.Chmod(program, 0o755))
	}
	must(t, os.Mkdir("empty", 0o755))
}

// TestPkgMerge merges folders into a place of each kind.
func TestPkgMerge(t *testing.T) {
	for name, out := range map[string]string{"New": "new", "Empty": "empty", "Ours": "ours", "OursOtherwise": "./theirs/../ours"} {
		t.Run(name, func(t *testing.T) {
			threeFolders(t)
			r := mustRun(t, "pkg", "merge", "--base", "base", "--theirs", "theirs", "--ours", "ours", "-o", out)
			checkSilent(t, r)
			want := "conflict  secret.yaml Secret token stringData.token: base (hidden), upstream (hidden), local (hidden) → upstream's\n" +
				"conflict  web.yaml Deployment shop/web spec.replicas: base 1, upstream 2, local 3 → upstream's\n"
			if diff := cmp.Diff(want, r.stdout); diff != "" || r.stderr != "2 conflict(s).\n" {
				t.Errorf("report (-want +got):\n%s\nstderr %q", diff, r.stderr)
			}
			k, web := readText(t, out+"/Kptfile"), readText(t, out+"/web.yaml")
			if strings.Count(k, "ref: v2\n") != 2 || !strings.Contains(web, "metadata: # kpt-merge: shop/web\n") || !strings.Contains(web, "replicas: 2\n") {
				t.Errorf("%s%s", k, web)
			}
			for _, program := range []string{"run.sh", "mine.sh"} {
				if st, err := os.Stat(out + "/" + program); err != nil || st.Mode().Perm() != 0o755 {
					t.Errorf("%s: %v, %v", program, st.Mode(), err)
				}
			}
			checkOnly(t, out, "Kptfile", "mine.sh", "run.sh", "secret.yaml", "web.yaml")
		})
	}
}

// TestPkgMergeFlags takes every flag, and refuses what makes no sense without writing anything.
func TestPkgMergeFlags(t *testing.T) {
	dirs := func(base, theirs, ours, out string, more ...string) []string {
		return append([]string{"--base", base, "--theirs", theirs, "--ours", ours, "-o", out}, more...)
	}
	cases := map[string]struct {
		reason   string
		args     []string
		code     int
		replicas string // in new; "" for nothing written
		says     string
	}{
		"Local":       {"ours stays", dirs("base", "theirs", "ours", "new", "--on-conflict", "local"), exitDone, "3", "2 conflict(s).\n"},
		"Fail":        {"nothing is written", dirs("base", "theirs", "ours", "new", "--on-conflict", "fail"), exitFailed, "", "error: merge: 2 conflict(s), and nothing was written; resolve each"},
		"FailCode":    {"which is trouble", dirs("base", "theirs", "ours", "new", "--on-conflict", "fail", "--exit-code"), exitUsage, "", "nothing was written"},
		"FailOurs":    {"in place neither", dirs("base", "theirs", "ours", "ours", "--on-conflict", "fail"), exitFailed, "", "nothing was written"},
		"NoStart":     {"an empty base", dirs("empty", "theirs", "ours", "new"), exitDone, "2", "conflict(s).\n"},
		"Replace":     {"by a strategy", dirs("base", "theirs", "ours", "new", "--strategy", "copy-merge", "--exit-code"), exitFailed, "2", ""},
		"Same":        {"nothing new", dirs("base", "base", "base", "new", "--exit-code"), exitFailed, "1", ""}, // marks are new
		"FastForward": {"refused", dirs("base", "theirs", "ours", "new", "--strategy", "fast-forward"), exitFailed, "", "error: merge: local package files have been modified"},
		"NoBase":      {"all are needed", dirs("", "theirs", "ours", "new"), exitUsage, "", "name a folder by --base"},
		"NoTheirs":    {"all are needed", dirs("base", "", "ours", "new"), exitUsage, "", "name a folder by --theirs"},
		"NoOurs":      {"all are needed", dirs("base", "theirs", "", "new"), exitUsage, "", "name a folder by --ours"},
		"NoOutput":    {"all are needed", dirs("base", "theirs", "ours", ""), exitUsage, "", "name a folder by --output"},
		"BaseGone":    {"a folder that is not there", dirs("gone", "theirs", "ours", "new"), exitFailed, "", "open gone: no such file or directory"},
		"TheirsGone":  {"a folder that is not there", dirs("base", "gone", "ours", "new"), exitFailed, "", "open gone: no such file or directory"},
		"TheirsEmpty": {"a folder with nothing in it", dirs("base", "empty", "ours", "ours"), exitFailed, "", `--theirs "empty" holds no file`},
		"TheirsAbove": {"a folder that is not the package", dirs("base", ".", "ours", "ours"), exitFailed, "", `--theirs "." holds no Kptfile, but "base" does: name the folder of the package`},
		"TheirsOurs":  {"of which ours is one", dirs("empty", "bare", "ours", "new"), exitFailed, "", `--theirs "bare" holds no Kptfile, but "ours" does`},
		"NoKptfiles":  {"a folder that never was a package", dirs("bare", "bare", "ours", "new", "--on-conflict", "local"), exitDone, "3", ""},
		"OursFile":    {"a file", dirs("base", "theirs", "file", "new"), exitFailed, "", "file"},
		"Full":        {"what is there is not mixed with", dirs("base", "theirs", "ours", "full"), exitFailed, "", `--output "full" is not empty, and is not the folder in --ours`},
		"IntoBase":    {"nor is base", dirs("base", "theirs", "ours", "base"), exitFailed, "", `--output "base" is not empty`},
		"IntoFile":    {"a file is no folder", dirs("base", "theirs", "ours", "file"), exitFailed, "", `--output "file" is not a folder`},
		"Strategy":    {"in kpt's words", dirs("base", "theirs", "ours", "new", "--strategy", "foo"), exitUsage, "", `unknown update strategy "foo"`},
		"Whose":       {"an unknown side", dirs("base", "theirs", "ours", "new", "--on-conflict", "x"), exitUsage, "", `--on-conflict "x": want upstream, local or fail`},
		"Form":        {"a form that is none", dirs("base", "theirs", "ours", "new", "--conflicts", "x"), exitUsage, "", `--conflicts "x": want table, json or yaml`},
		"Argument":    {"folders have flags", append(dirs("base", "theirs", "ours", "new"), "x"), exitUsage, "", "takes no arguments"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			threeFolders(t)
			before := snapshot(t, ".")
			r := runCLI(t, append([]string{"pkg", "merge"}, tc.args...)...)
			checkSilent(t, r)
			if r.code != tc.code || !strings.Contains(r.stderr, tc.says) {
				t.Errorf("%s: exit code %d, want %d; stderr:\n%s\nwant: %s", tc.reason, r.code, tc.code, r.stderr, tc.says)
			}
			if tc.replicas == "" {
				if diff := cmp.Diff(before, snapshot(t, ".")); diff != "" {
					t.Errorf("%s: files were changed (-before +after):\n%s", tc.reason, diff)
				}
			} else if web := readText(t, "new/web.yaml"); !strings.Contains(web, "replicas: "+tc.replicas+"\n") {
				t.Errorf("%s:\n%s", tc.reason, web)
			}
		})
	}
}

// TestPkgMergeAgain merges what was merged: nothing changes, and that shows.
func TestPkgMergeAgain(t *testing.T) {
	threeFolders(t)
	writeFile(t, "ours/run.sh", "true\n", 0o644)
	args := []string{"pkg", "merge", "--base", "theirs", "--theirs", "theirs", "--ours", "ours", "-o", "ours", "--exit-code", "--conflicts", "json"}
	if r := runCLI(t, args...); r.code != exitFailed || !strings.Contains(r.stdout, `"items": []`) {
		t.Fatalf("the first merge adds marks: exit code %d, stdout %q, stderr %q", r.code, r.stdout, r.stderr)
	}
	before := readTree(t, "ours")
	if r := runCLI(t, args...); r.code != exitDone || !before.Equal(readTree(t, "ours")) {
		t.Errorf("exit code %d, changed: %v", r.code, before.Diff(readTree(t, "ours")))
	}
	if st, err := os.Stat("ours/run.sh"); err != nil || st.Mode().Perm() != 0o644 {
		t.Errorf("who may run what was here is not for upstream to say: %v, %v", st.Mode(), err)
	}
	r := mustRun(t, "pkg", "merge", "--base", "base", "--theirs", "theirs", "--ours", "ours", "-o", "new", "--conflicts", "json")
	got := fromJSON[cli.List[merge.Conflict]](t, r).Items
	tree := func(dir string) pkgtree.Tree {
		tree, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
		must(t, err)
		return tree
	}
	res, err := merge.Packages(tree("base"), tree("theirs"), tree("ours"), merge.Options{})
	must(t, err)
	if diff := cmp.Diff(res.Conflicts, got); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}
