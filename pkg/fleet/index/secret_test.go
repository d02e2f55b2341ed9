package index

import (
	"strings"
	"testing"
)

// TestSecrets says what becomes of Secrets; hunter2 is the secret in all of them.
func TestSecrets(t *testing.T) {
	const head = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n"
	cases := map[string]struct {
		reason, text string
		want         []string // what stands there all the same
	}{
		"Data":        {"names stay", head + "data:\n  pass: hunter2\n", []string{"pass: (hidden)", "name: s"}},
		"StringData":  {"in either form", head + "stringData:\n  pass: |\n    hunter2\n    more\n", []string{"pass: (hidden)"}},
		"Flow":        {"written as JSON", "{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {pass: hunter2}}\n", []string{"(hidden)"}},
		"Comments":    {"said in passing", head + "data:\n  # hunter2\n  pass: x # hunter2\n", []string{"pass: (hidden)"}},
		"Odd":         {"what no Secret has", head + "other: hunter2\nlist: [hunter2]\n", []string{"other: (hidden)", "list: (hidden)"}},
		"Escaped":     {"a kind that is not written as it is read", "apiVersion: v1\nkind: \"Secre\\x74\"\nmetadata:\n  name: s\ndata:\n  pass: hunter2\n", []string{"(hidden)"}},
		"Nested":      {"in an object of another kind", "apiVersion: v1\nkind: Template\nmetadata:\n  name: s\nobjects:\n- kind: Secret\n  data:\n    pass: hunter2\n- kind: ConfigMap\n", []string{"kind: ConfigMap", "pass: (hidden)"}},
		"Anchor":      {"named elsewhere", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\ndata: &d\n  pass: hunter2\nother: *d\n", []string{"pass: (hidden)"}},
		"Copies":      {"or under the name of another tool, even in a Secret", head + "  annotations:\n    kapp.k14s.io/original: hunter2\n    objectset.rio.cattle.io/applied: hunter2\n    banzaicloud.com/last-applied: hunter2\n    example.com/own: hunter2\n    helm.sh/hook: test\n", []string{"original: (hidden)", "own: (hidden)", "helm.sh/hook: test"}},
		"List":        {"in a list of Secrets", "apiVersion: v1\nkind: SecretList\nmetadata:\n  name: s\nitems:\n- metadata:\n    name: q\n  stringData:\n    x: hunter2\n", []string{"name: q", "x: (hidden)"}},
		"JSON":        {"as one document", "{\"apiVersion\":\"v1\",\"kind\":\"\\u0053ecret\",\"metadata\":{\"name\":\"s\"},\"data\":{\"pass\":\"hunter2\"}}", []string{"kind: Secret\n", "data:\n  pass: (hidden)\n"}},
		"LastApplied": {"repeated in an annotation", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: s\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: '{\"kind\":\"Secret\",\"data\":{\"a\":\"hunter2\"}}'\n", []string{"last-applied-configuration: (hidden)"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			a := indexOf(t, nil, map[string]string{"clusters/a/s.yaml": tc.text, "clusters/b/s.yaml": strings.ReplaceAll(tc.text, "hunter2", "hunter3")})
			if n := len(a.Objects[0].Texts); n != 1 {
				t.Errorf("%s: it shows that two Secrets differ", tc.reason)
			}
			got := a.Objects[0].Texts[0]
			for _, want := range tc.want {
				if !strings.Contains(got, want) {
					t.Errorf("%s: no %q in\n%s", tc.reason, want, got)
				}
			}
			if strings.Contains(got, "hunter") {
				t.Errorf("%s: it is shown in\n%s", tc.reason, got)
			}
		})
	}
	const reference = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p # why\nspec:\n  ref: {kind: Secret, name: s}\n"
	a := indexOf(t, nil, map[string]string{"clusters/a/p.yaml": reference})
	if got := a.Objects[0].Texts[0]; got != reference {
		t.Errorf("a reference is no secret, and stays as it is written:\n%s", got)
	}
}
