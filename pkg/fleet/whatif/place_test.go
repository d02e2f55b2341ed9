package whatif

import (
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
)

const (
	plainKptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"
	bindKptfile  = plainKptfile + "pipeline:\n  mutators:\n  - image: example.com/bind-resolve:v1@sha256:00\n"
	givenText    = "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata:\n  name: given\n  labels:\n    tier: prod\n"
)

// TestWhatIfPlaces asks where a cluster comes to that is new.
func TestWhatIfPlaces(t *testing.T) {
	given, err := krm.Read("given.yaml", []byte(givenText), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	named := func(name string) string { return strings.Replace(givenText, "given", name, 1) }
	cases := map[string]struct {
		reason string
		files  map[string]string
		want   []string
	}{
		"Root":      {"a package", map[string]string{"Kptfile": bindKptfile, "inventory/c.yaml": named("a")}, []string{withFile}},
		"Several":   {"packages without one around them", map[string]string{"a/Kptfile": bindKptfile, "a/c.yaml": named("a"), "b/c/Kptfile": bindKptfile, "b/c/i/c.yaml": inventoryText}, []string{"a/" + withFile, "b/c/" + withFile}},
		"Below":     {"pipelines of subpackages", map[string]string{"Kptfile": plainKptfile, "a/Kptfile": bindKptfile, "a/c.yaml": named("a"), "b/Kptfile": bindKptfile, "b/c.yaml": named("b")}, []string{"a/" + withFile, "b/" + withFile}},
		"OneReader": {"a pipeline that sees all must not see it twice", map[string]string{"Kptfile": bindKptfile, "a/Kptfile": plainKptfile, "a/c.yaml": named("a"), "b/Kptfile": bindKptfile, "b/c.yaml": named("b")}, []string{"b/" + withFile}},
		"Without":   {"a package beside that names none", map[string]string{"a/Kptfile": bindKptfile, "a/c.yaml": named("a"), "b/Kptfile": bindKptfile, "b/x.yaml": plainMapText}, []string{"a/" + withFile}},
		"Nobody":    {"no package names clusters", map[string]string{"a/Kptfile": bindKptfile, "a/b/Kptfile": bindKptfile, "c/Kptfile": bindKptfile}, []string{"a/" + withFile, "c/" + withFile}},
		"Loose":     {"no package at all", map[string]string{"x.yaml": plainMapText}, []string{withFile}},
		"InPlace":   {"it is replaced where it is known, and nowhere else", map[string]string{"a/Kptfile": bindKptfile, "a/c.yaml": named("given"), "b/Kptfile": bindKptfile, "b/c.yaml": named("b")}, nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			files := map[string][]byte{}
			for p, text := range tc.files {
				files[p] = []byte(strings.Replace(text, "tier: prod", "tier: test", 1))
			}
			before := treeWith(t, files)
			after, lines, err := (&Change{With: given}).Apply(before)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range before.Diff(after) {
				if path.Base(p) == withFile {
					got = append(got, p)
				}
				if from := lines[p][4]; !from.Given || from.File != "given.yaml" || from.Number != 4 {
					t.Errorf("line 4 of %s comes from %v", p, from)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

const plainMapText = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n"

// TestWhatIfLines holds that lines are those of the files as they are.
func TestWhatIfLines(t *testing.T) {
	text := "# one\n\n\n" + inventoryText + "---\n\n" + managedText
	w := Change{Without: []string{"a"}, Labels: []LabelChange{{Cluster: "m", Key: "tier", Value: "x"}, {Cluster: "n", Key: "new", Value: "x"}}}
	before := treeWith(t, map[string][]byte{"c.yaml": []byte(text)})
	after, lines, err := w.Apply(before)
	if err != nil {
		t.Fatal(err)
	}
	data, _ := after.Get("c.yaml")
	old, now := strings.Split(text, "\n"), strings.Split(string(data), "\n")
	for _, want := range []struct{ now, was string }{{"  - name: b", "  - name: b"}, {"  name: n", "  name: n"}, {"    tier: x", "    tier: test"}, {"    new: x", "  name: n"}} {
		at := -1
		for i, line := range now {
			if line == want.now {
				at = i + 1
			}
		}
		from := lines["c.yaml"][at]
		if from.Given || from.File != "c.yaml" || from.Number == 0 || want.now != "    new: x" && old[from.Number-1] != want.was {
			t.Errorf("%q, line %d of\n%s\ncomes from %v", want.now, at, data, from)
		}
	}
}

// TestWhatIfAliases labels one of two clusters that say the same by an alias.
func TestWhatIfAliases(t *testing.T) {
	text := "apiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata: {name: f}\nspec:\n  clusters:\n  - {name: a, labels: &l {tier: prod}}\n  - {name: b, labels: *l}\n"
	after, _, err := (&Change{Labels: []LabelChange{{Cluster: "a", Key: "tier", Value: "test"}}}).Apply(treeWith(t, map[string][]byte{"c.yaml": []byte(text)}))
	if data, _ := after.Get("c.yaml"); err != nil || strings.Count(string(data), "prod") != 1 {
		t.Errorf("%v\n%s", err, data)
	}
}
