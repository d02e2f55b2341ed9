package fleet

import (
	"strings"
	"testing"
)

// TestSecretShapes changes a long annotation of a Secret that two of three clusters have the same of, and does not show which.
func TestSecretShapes(t *testing.T) {
	side := func(doc string, tokens ...string) map[string][]byte {
		out := map[string][]byte{}
		for i, token := range tokens {
			c := string(rune('a' + i))
			out["clusters/"+c+"/x.yaml"] = []byte("apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  annotations: {kubernetes.io/description: " + strings.Repeat("x", 300) + doc + "}\nstringData: {t: " + token + "}\n")
		}
		out["Kptfile"] = []byte(plainKptfile)
		return out
	}
	for _, after := range [][]string{{"one", "one", "two"}, {"one", "one", "one"}} {
		p := compared(t, treeOf(t, side("1", after...)), treeOf(t, side("2", after...))).Preview("")
		if len(p.Groups) != 1 || len(p.Groups[0].Shapes) != 1 {
			t.Errorf("%d groups, of %d shapes", len(p.Groups), len(p.Groups[0].Shapes))
		}
	}
	before, after := side("1", "one", "one"), side("2", "one", "one")
	after["clusters/b/x.yaml"] = side("3", "one", "one")["clusters/b/x.yaml"]
	if p := compared(t, treeOf(t, before), treeOf(t, after)).Preview(""); len(p.Groups[0].Shapes) != 2 {
		t.Errorf("what is shown differs, in %d shapes", len(p.Groups[0].Shapes))
	}
}

// TestTemplates has one group for a template that changes, with other values on each cluster, and with lists of other lengths;
// and one for each change that no template explains.
func TestTemplates(t *testing.T) {
	deployment := func(env ...string) string {
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n      containers:\n      - name: web\n        env:\n" + strings.Join(env, "")
	}
	env := func(name, value string) string {
		return "        - name: " + name + "\n          value: " + value + "\n"
	}
	cases := map[string]struct {
		reason string
		object func(cluster, version string) string
		groups int
	}{
		"Values": {"a value by cluster", func(c, v string) string { return deployment(env("URL", v+"."+c)) }, 1},
		"Lengths": {"lists of other lengths", func(c, v string) string {
			return deployment(map[string]string{"a": "", "b": env("PEER_1", v), "c": env("PEER_1", v+"1") + env("PEER_2", v)}[c], env("PEER_0", v+c))
		}, 1},
		"Names": {"items named like the cluster", func(c, v string) string { return deployment(env("PEER_"+c, v)) }, 1},
		"Items": {"other items of a list", func(c, v string) string {
			return deployment(env("ONE", map[bool]string{true: v}[c == "a"]), env("TWO", map[bool]string{true: v}[c != "a"]))
		}, 2},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			side := func(version string) map[string][]byte {
				out := map[string][]byte{"Kptfile": []byte(plainKptfile)}
				for _, c := range []string{"a", "b", "c"} {
					out["clusters/"+c+"/x.yaml"] = []byte(tc.object(c, version))
				}
				return out
			}
			p := compared(t, treeOf(t, side("v1")), treeOf(t, side("v2"))).Preview("")
			clusters := 0
			for _, g := range p.Groups {
				clusters += g.Clusters
			}
			if len(p.Groups) != tc.groups || clusters != 3 {
				t.Errorf("%s: %d groups on %d clusters, want %d on 3: %+v", tc.reason, len(p.Groups), clusters, tc.groups, p.Groups)
			}
		})
	}
}
