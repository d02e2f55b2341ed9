package merge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/merge/mergetest"
)

func TestInsertedByVariant(t *testing.T) {
	for name, want := range map[string]bool{
		"PackageVariant.eu.tier.0": true, "PackageVariant.eu..12": true,
		"PackageVariant.eu.tier": false, "PackageVariant.eu.tier.x": false, "PackageVariant.a.b.c.0": false, "Other.eu.tier.0": false, "": false,
	} {
		if got := insertedByVariant(name); got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}

func TestOptions(t *testing.T) {
	empty := mergetest.Tree(t, nil)
	for want, o := range map[string]Options{
		"unrecognized update strategy rebase":                         {Strategy: "rebase"},
		`unknown preference "me", want "upstream", "local" or "fail"`: {Prefer: "me"},
	} {
		if _, err := Packages(empty, empty, empty, o); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	ours := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\npipeline:\n  mutators:\n  - image: m:v1\n    name: mine\n  - image: a:v1\n"
	theirs := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\npipeline:\n  mutators:\n  - image: a:v2\n"
	base := strings.ReplaceAll(theirs, "v2", "v1")
	mine := func(name string) bool { return name == "mine" }
	r, err := Packages(mergetest.Tree(t, map[string]string{"Kptfile": base}), mergetest.Tree(t, map[string]string{"Kptfile": theirs}), mergetest.Tree(t, map[string]string{"Kptfile": ours}), Options{Inserted: mine})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]string{"Kptfile": strings.ReplaceAll(ours, "a:v1", "a:v2")}, mergetest.Texts(r.Tree)); d != "" {
		t.Errorf("the caller says which functions are inserted (-want +got):\n%s", d)
	}
}

// TestSecretsStayOut: no value of a Secret is in a conflict or an error, whatever its form.
func TestSecretsStayOut(t *testing.T) {
	secret := func(parts string) string {
		return "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n" + parts
	}
	for name, c := range map[string][3]string{
		"text":     {"stringData: {a: hush0}\n", "stringData: {a: hush1}\n", "stringData: {a: hush2}\n"},
		"map":      {"data: {a: hush0}\n", "data: {a: hush1, b: {c: hush3}}\n", ""},
		"applied":  {"", "  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: hush1\n", "  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: hush2\n"},
		"metadata": {"  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: hush1\n    b: {c: d}\n", "", "  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: hush2\n    b: {c: e}\n"},
		"twice":    {"data: {a: hush0}\n", "data: {a: hush0}\n---\n" + secret("data: {a: hush0}\n"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			var trees [3]map[string]string
			for i := range trees {
				trees[i] = map[string]string{"s.yaml": secret(c[i])}
			}
			r, err := Packages(mergetest.Tree(t, trees[0]), mergetest.Tree(t, trees[1]), mergetest.Tree(t, trees[2]), Options{})
			said := ""
			if err != nil {
				said = err.Error()
			} else {
				for _, c := range r.Conflicts {
					said += line(c)
				}
			}
			if said == "" || strings.Contains(said, "hush") {
				t.Errorf("got %q", said)
			}
		})
	}
}
