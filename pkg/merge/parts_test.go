package merge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestShortText(t *testing.T) {
	for name, c := range map[string]struct{ reason, in, want string }{
		"number":        {"numbers stay bare", "5", "5"},
		"text number":   {"text that looks like a number is quoted", `"5"`, `"5"`},
		"text yes":      {"so is text that is a boolean to others", `"yes"`, `"yes"`},
		"empty":         {"and empty text", `""`, `""`},
		"null":          {"all nulls are null", "~", "null"},
		"lines":         {"it is one line", "|\n    a\n    b", `"a\nb\n"`},
		"odd":           {"odd characters are quoted", `"a: [b]"`, `"a: [b]"`},
		"map":           {"maps have braces", "\n    a: 1\n    b: {c: x}", "{a: 1, b: {c: x}}"},
		"list":          {"lists have brackets", "\n  - 1\n  - a", "[1, a]"},
		"long text":     {"what is long is cut", strings.Repeat("x", 300), strings.Repeat("x", 200) + "…"},
		"long list":     {"so are long lists", "[" + strings.Repeat("abcdefgh, ", 40) + "]", "[" + strings.Repeat("abcdefgh, ", 20) + "…]"},
		"plain service": {"plain text stays bare", "reg.example/web:v1", "reg.example/web:v1"},
	} {
		t.Run(name, func(t *testing.T) {
			o, err := krm.Read("a.yaml", []byte("v: "+c.in+"\n"), krm.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if got := *shortText(o[0].Lookup("v")); got != c.want {
				t.Errorf("%s: got %s, want %s", c.reason, got, c.want)
			}
		})
	}
	if shortText(nil) != nil {
		t.Error("nothing has no text")
	}
}

func TestPlace(t *testing.T) {
	for want, p := range map[string]place{
		"spec.replicas":                         {"spec", "replicas"},
		"spec.ports[port=80,protocol=TCP].name": {"spec", "ports", item([]string{"port", "protocol"}, []string{"80", "TCP"}), "name"},
		"metadata.finalizers[a]":                {"metadata", "finalizers", item(nil, []string{"a"})},
		"metadata.annotations[x.dev/y]":         {"metadata", "annotations", "x.dev/y"},
		"":                                      nil,
	} {
		if got := p.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

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
	empty := tree(t, nil)
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
	r, err := Packages(tree(t, map[string]string{"Kptfile": base}), tree(t, map[string]string{"Kptfile": theirs}), tree(t, map[string]string{"Kptfile": ours}), Options{Inserted: mine})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]string{"Kptfile": strings.ReplaceAll(ours, "a:v1", "a:v2")}, text(r.Tree)); d != "" {
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
			r, err := Packages(tree(t, trees[0]), tree(t, trees[1]), tree(t, trees[2]), Options{})
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
