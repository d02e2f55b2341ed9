package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/pkg"
)

// diffTable is a table without what aligns it.
func diffTable(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n")
}

// TestPkgDiff compares in every way.
func TestPkgDiff(t *testing.T) {
	const header = "CHANGE FILE OBJECT FIELD FROM TO\n"
	const local = "changed secret.yaml Secret token stringData.token (hidden) (hidden)\nchanged web.yaml Deployment shop/web spec.replicas 1 3\n" +
		"changed db/db.yaml ConfigMap db data.a 1 7"
	const image = "spec.template.spec.containers[name=web].image"
	const remote = "added bin/run.sh - - - -\nadded new.yaml ConfigMap new - - -\nchanged notes.txt - - - -\nremoved old.yaml ConfigMap old - - -\n" +
		"changed secret.yaml Secret token stringData.token (hidden) (hidden)\nchanged web.yaml Deployment shop/web spec.replicas 1 2\n" +
		"changed web.yaml Deployment shop/web " + image + " web:1 web:2"
	const combined = "removed bin/run.sh - - - -\nremoved new.yaml ConfigMap new - - -\nchanged notes.txt - - - -\nadded old.yaml ConfigMap old - - -\n" +
		"changed secret.yaml Secret token stringData.token (hidden) (hidden)\nchanged web.yaml Deployment shop/web spec.replicas 2 3\n" +
		"changed web.yaml Deployment shop/web " + image + " web:2 web:1\nchanged db/db.yaml ConfigMap db data.a 1 7"
	sided := func(side, rows string) string { return side + " " + strings.ReplaceAll(rows, "\n", "\n"+side+" ") }
	cases := map[string]struct {
		reason string
		args   []string
		code   int
		table  string
		says   string
	}{
		"Default":     {"what was changed here", []string{"edge"}, exitDone, header + local, "3 difference(s), 0 conflict(s).\n"},
		"Local":       {"the same, said", []string{"edge", "--diff-type", "local", "--exit-code"}, exitFailed, header + local, "Fetching origin from "},
		"Remote":      {"what upstream changed", []string{"edge@v2", "--diff-type", "remote"}, exitDone, header + remote, "7 difference(s)"},
		"Combined":    {"how far we are apart", []string{"edge@v2"}, exitDone, header + combined, "Fetching upstream from "},
		"CombinedRef": {"by the recorded ref", []string{"edge", "--diff-type", "combined"}, exitDone, header + local, "@v1\n"},
		"ThreeWay": {"all of it, and where it meets", []string{"edge@v2", "--diff-type", "3way"}, exitDone, "SIDE " + header + sided("local", local) + "\n" + sided("remote", remote) +
			"\nconflict secret.yaml Secret token stringData.token: base (hidden), upstream (hidden), local (hidden) → undecided" +
			"\nconflict web.yaml Deployment shop/web spec.replicas: base 1, upstream 2, local 3 → undecided", "10 difference(s), 2 conflict(s).\n"},
		"None":     {"nothing is different", []string{"edge@v1", "--diff-type", "remote", "--exit-code"}, exitDone, "", "Nothing differs.\n"},
		"Unknown":  {"in kpt's words", []string{"edge", "--diff-type", "foo"}, exitUsage, "", "invalid diff-type 'foo': supported diff-types are: local, remote, combined, 3way"},
		"LocalRef": {"what was fetched is what it is", []string{"edge@v2", "--diff-type", "local"}, exitUsage, "", "leave @v2 out"},
		"Tool":     {"a tool that is not there", []string{"edge", "--diff-tool", "no-such-tool"}, exitFailed, "", "diff-tool 'no-such-tool' not found in the PATH"},
		"ToolJSON": {"what a tool prints has no other form", []string{"edge", "--diff-tool", "true", "-o", "json"}, exitUsage, "", "leave --output json out"},
		"Format":   {"a form that is none", []string{"edge", "-o", "wide"}, exitUsage, "", `--output "wide"`},
		"NoDir":    {"a folder that is not there", []string{"gone"}, exitFailed, "", `package "gone": no such file or directory`},
		"NoRef":    {"trouble is 2 here", []string{"edge@v9", "--exit-code"}, exitUsage, "", `compare package "edge": repository`},
		"NoKpt":    {"of no upstream", []string{"edge/db"}, exitFailed, "", "must have an upstream reference"},
	}
	o := conflicted(t)
	before := snapshot(t, ".")
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(o.tree)
			r := runCLI(t, append([]string{"pkg", "diff"}, tc.args...)...)
			checkSilent(t, r)
			if r.code != tc.code || !strings.Contains(r.stderr, tc.says) {
				t.Errorf("%s: exit code %d, want %d; stderr:\n%s\nwant: %s", tc.reason, r.code, tc.code, r.stderr, tc.says)
			}
			if diff := cmp.Diff(tc.table, diffTable(r.stdout)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
	if diff := cmp.Diff(before, snapshot(t, ".")); diff != "" {
		t.Errorf("files were changed (-before +after):\n%s", diff)
	}
}

// TestPkgDiffJSON prints the same for programs.
func TestPkgDiffJSON(t *testing.T) {
	conflicted(t)
	r := mustRun(t, "pkg", "diff", "edge@v2", "--diff-type", "3way", "-o", "json")
	checkSilent(t, r)
	got := fromJSON[pkg.DiffReport](t, r)
	var seen []string
	for _, c := range got.Changes {
		seen = append(seen, c.Side+" "+c.Change.String())
	}
	want := []string{
		"local secret.yaml Secret token stringData.token: changed (hidden)", "local web.yaml Deployment shop/web spec.replicas: 1 → 3",
		"local db/db.yaml ConfigMap db data.a: 1 → 7", "remote bin/run.sh: added", "remote new.yaml ConfigMap new: added", "remote notes.txt: changed",
		"remote old.yaml ConfigMap old: removed", "remote secret.yaml Secret token stringData.token: changed (hidden)",
		"remote web.yaml Deployment shop/web spec.replicas: 1 → 2", "remote web.yaml Deployment shop/web spec.template.spec.containers[name=web].image: web:1 → web:2",
	}
	if diff := cmp.Diff(want, seen); diff != "" || got.Package != "edge" || got.Type != "3way" || len(got.Conflicts) != 2 {
		t.Errorf("JSON (-want +got):\n%s\n%+v", diff, got)
	}
	r = mustRun(t, "pkg", "diff", "edge@v2", "--diff-type", "3way", "-o", "yaml")
	var fromYAML pkg.DiffReport
	if err := yaml.UnmarshalStrict([]byte(r.stdout), &fromYAML); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, fromYAML); diff != "" {
		t.Errorf("YAML (-JSON +YAML):\n%s", diff)
	}
	none := mustRun(t, "pkg", "diff", "edge@v1", "--diff-type", "remote", "-o", "json")
	if diff := cmp.Diff("{\n  \"kind\": \"PackageDiffReport\",\n  \"apiVersion\": \"waybill.dev/v1alpha1\",\n  \"package\": \"edge\",\n  \"type\": \"remote\",\n  \"changes\": [],\n  \"conflicts\": []\n}\n", none.stdout); diff != "" {
		t.Errorf("nothing (-want +got):\n%s", diff)
	}
}

// TestPkgDiffUpdateFails shows what is different although an update would be refused, and says that, too.
func TestPkgDiffUpdateFails(t *testing.T) {
	conflicted(t)
	edit(t, "edge/Kptfile", "updateStrategy: resource-merge", "updateStrategy: fast-forward")
	r := mustRun(t, "pkg", "diff", "edge@v2", "--diff-type", "3way")
	if !strings.Contains(r.stderr, "An update would fail: local package files have been modified") || !strings.Contains(diffTable(r.stdout), "local changed web.yaml") {
		t.Errorf("%s%s", r.stdout, r.stderr)
	}
}
