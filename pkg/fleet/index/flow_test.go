package index

import "testing"

// TestFlow has what is written as JSON stand in lines, and leaves the rest as it is written.
func TestFlow(t *testing.T) {
	cases := map[string]struct{ reason, text, want string }{
		"JSON": {"every value on its line", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","labels":{}},"data":{"a":"1","b":"x y","c":"one\ntwo\n","d":[],"on":"yes"}}`,
			"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  labels: {}\ndata:\n  a: \"1\"\n  b: x y\n  c: |\n    one\n    two\n  d: []\n  \"on\": \"yes\"\n"},
		"Flow":    {"so does YAML that looks like it", "# a\n{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {k: 'x', l: [1, two]}}\n", "# a\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  k: x\n  l:\n  - 1\n  - two\n"},
		"Within":  {"what is in block style may have other parts", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c} # why\n", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c} # why\n"},
		"Comment": {"a comment is no object", "# {\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: 'c'\n", "# {\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: 'c'\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			a := indexOf(t, nil, map[string]string{"clusters/a/c.yaml": tc.text})
			if got := a.Objects[0].Texts[0]; got != tc.want {
				t.Errorf("%s: got\n%s\nwant\n%s", tc.reason, got, tc.want)
			}
		})
	}
}
