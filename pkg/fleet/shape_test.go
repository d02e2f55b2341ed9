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
