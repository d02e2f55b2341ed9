package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/pkg"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// TestPkgUpdate updates a package that was changed here: what is said, and what is on disk; and then again.
func TestPkgUpdate(t *testing.T) {
	o := gotEdge(t)
	edit(t, "edge/db/db.yaml", "a: 1", "a: 7")
	r := mustRun(t, "pkg", "update", "edge@v2")
	repo := strings.TrimSuffix(o.bare, ".git")
	messages := "Package \"edge\":\nFetching upstream from " + repo + "@v2\nFetching origin from " + repo +
		"@v1\nUpdating package \"edge\" with strategy \"resource-merge\".\n\nUpdated 1 package(s).\n"
	if diff := cmp.Diff(messages, r.stderr); diff != "" {
		t.Errorf("talk (-want +got):\n%s", diff)
	}
	report := ".  resource-merge  v1@" + o.commitID(t, "v1")[:7] + " → v2@" + o.commitID(t, "v2")[:7] +
		"\nM  Kptfile\nA  bin/run.sh\nA  new.yaml\nM  notes.txt\nD  old.yaml\nM  secret.yaml\nM  web.yaml\n"
	if diff := cmp.Diff(report, r.stdout); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	checkSilent(t, r)
	web, db := readText(t, "edge/web.yaml"), readText(t, "edge/db/db.yaml")
	if !strings.Contains(web, "replicas: 2\n") || !strings.Contains(db, "a: 7\n") || readText(t, "edge/notes.txt") != "two\n" {
		t.Errorf("theirs is here, and ours is still:\n%s%s", web, db)
	}
	if st, err := os.Stat("edge/bin/run.sh"); err != nil || st.Mode().Perm() != 0o755 {
		t.Errorf("a new program: %v, %v", st.Mode(), err)
	}
	if _, err := os.Stat("edge/old.yaml"); err == nil {
		t.Error("what is gone upstream is still here")
	}

	commitAll(t, ".", "updated")
	before := snapshot(t, "edge")
	r = mustRun(t, "pkg", "update", "edge", "--exit-code")
	if diff := cmp.Diff(before, snapshot(t, "edge")); diff != "" || r.stdout != ".  resource-merge  v2@"+o.commitID(t, "v2")[:7]+" (as before)\n" {
		t.Errorf("the second update changes files, or says so (-before +after):\n%s\n%s", diff, r.stdout)
	}
}

// conflicted is edge with an edit where v2 has another.
func conflicted(t *testing.T) *pkgOrigin {
	t.Helper()
	o := gotEdge(t)
	edit(t, "edge/web.yaml", "replicas: 1", "replicas: 3")
	edit(t, "edge/secret.yaml", "hush-one", "hush-mine")
	edit(t, "edge/db/db.yaml", "a: 1", "a: 7")
	return o
}

// TestPkgUpdateConflicts lets each side win, or none.
func TestPkgUpdateConflicts(t *testing.T) {
	const fails = `error: update package "edge": 2 conflict(s), and nothing was written; resolve each by copying the value of upstream, or choose one side for all by --on-conflict upstream or local`
	cases := map[string]struct {
		reason   string
		args     []string
		code     int
		outcome  string
		says     string
		replicas string
		written  bool
	}{
		"Default":     {"as kpt does", nil, exitDone, "upstream's", "2 conflict(s); see above which side won.\n", "2", true},
		"Upstream":    {"the same, said", []string{"--on-conflict", "upstream", "--exit-code"}, exitFailed, "upstream's", "2 conflict(s); see above", "2", true},
		"Local":       {"ours stays", []string{"--on-conflict", "local"}, exitDone, "local's", "2 conflict(s); see above which side won.\n", "3", true},
		"Fail":        {"nothing is written", []string{"--on-conflict", "fail"}, exitFailed, "undecided", fails, "3", false},
		"FailCode":    {"which is trouble", []string{"--on-conflict", "fail", "--exit-code"}, exitUsage, "undecided", fails, "3", false},
		"FailDry":     {"and is so without writing", []string{"--on-conflict", "fail", "--dry-run"}, exitFailed, "undecided", fails, "3", false},
		"Dry":         {"a look", []string{"--dry-run"}, exitDone, "upstream's", "Would update 1 package(s); nothing was written.\n", "3", false},
		"DryCode":     {"a preview with an exit code", []string{"--dry-run", "--exit-code"}, exitFailed, "upstream's", "Would update", "3", false},
		"FastForward": {"a strategy that has no conflicts", []string{"--strategy", "fast-forward"}, exitFailed, "", "local package files have been modified: [db/db.yaml secret.yaml web.yaml]", "3", false},
		"Replace":     {"one that takes it all", []string{"--strategy", "force-delete-replace"}, exitDone, "upstream's", "Updated", "2", true},
		"Unknown":     {"one that is none", []string{"--strategy", "foo"}, exitUsage, "", `error: unknown update strategy "foo"`, "3", false},
		"Whose":       {"an unknown side", []string{"--on-conflict", "theirs"}, exitUsage, "", `--on-conflict "theirs": want upstream, local or fail`, "3", false},
	}
	o := conflicted(t)
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o.again(t)
			before := snapshot(t, ".")
			r := runCLI(t, append([]string{"pkg", "update", "edge@v2"}, tc.args...)...)
			checkSilent(t, r)
			if r.code != tc.code || !strings.Contains(r.stderr, tc.says) {
				t.Errorf("%s: exit code %d, want %d; stderr:\n%s\nwant: %s", tc.reason, r.code, tc.code, r.stderr, tc.says)
			}
			if web := readText(t, "edge/web.yaml"); !strings.Contains(web, "replicas: "+tc.replicas+"\n") {
				t.Errorf("%s:\n%s", tc.reason, web)
			}
			if diff := cmp.Diff(before, snapshot(t, ".")); !tc.written && diff != "" {
				t.Errorf("%s: files were changed (-before +after):\n%s", tc.reason, diff)
			}
			line := "conflict  web.yaml Deployment shop/web spec.replicas: base 1, upstream 2, local 3 → " + tc.outcome + "\n"
			if tc.outcome != "" && name != "Replace" && !strings.Contains(r.stdout, line) {
				t.Errorf("%s: report:\n%s\nwant: %s", tc.reason, r.stdout, line)
			}
		})
	}
}

// TestPkgUpdateJSON prints everything, for programs.
func TestPkgUpdateJSON(t *testing.T) {
	conflicted(t)
	var k kptfilev1.KptFile
	if err := yaml.Unmarshal([]byte(readText(t, "edge/Kptfile")), &k); err != nil {
		t.Fatal(err)
	}
	from := *k.UpstreamLock.Git
	r := mustRun(t, "pkg", "update", "edge@v2", "--dry-run", "-o", "json")
	got := fromJSON[pkg.UpdateReport](t, r)
	checkSilent(t, r)
	fields := []string{}
	for _, c := range got.Conflicts {
		fields = append(fields, c.File+" "+c.Field)
	}
	if diff := cmp.Diff([]string{"secret.yaml stringData.token", "web.yaml spec.replicas"}, fields); diff != "" {
		t.Errorf("conflicts (-want +got):\n%s", diff)
	}
	to := from
	to.Ref, to.Commit = "v2", got.Packages[0].To.Commit
	want := pkg.UpdateReport{
		TypeMeta: cli.TypeMeta("PackageUpdateReport"), Package: "edge", DryRun: true, Conflicts: got.Conflicts,
		Packages: []upstream.PackageUpdate{{Package: ".", Strategy: merge.ResourceMerge, From: &from, To: to}},
		Files: []pkg.FileChange{{Path: "Kptfile", Change: "modified"}, {Path: "bin/run.sh", Change: "added"}, {Path: "new.yaml", Change: "added"}, {Path: "notes.txt", Change: "modified"},
			{Path: "old.yaml", Change: "deleted"}, {Path: "secret.yaml", Change: "modified"}, {Path: "web.yaml", Change: "modified"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
	var fromYAML pkg.UpdateReport
	r = mustRun(t, "pkg", "update", "edge@v2", "--dry-run", "-o", "yaml")
	if err := yaml.UnmarshalStrict([]byte(r.stdout), &fromYAML); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, fromYAML); diff != "" {
		t.Errorf("YAML (-want +got):\n%s", diff)
	}
	quiet := fromJSON[map[string]any](t, mustRun(t, "pkg", "update", "edge@v1", "-o", "json"))
	for _, list := range []string{"files", "conflicts", "packages"} {
		if _, ok := quiet[list].([]any); !ok {
			t.Errorf("%s is no list: %v", list, quiet[list])
		}
	}
}
