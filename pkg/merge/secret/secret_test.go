package secret

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// read is the object in a text, nil if a fuzzer wrote none.
func read(text string) *krm.Object {
	all, err := krm.Read("x.yaml", []byte(text), krm.Limits{})
	if err != nil || len(all) != 1 {
		return nil
	}
	all[0].ExpandAliases()
	return all[0]
}

// hiddenIn is a text with everything hidden. It holds the laws.
func hiddenIn(t testing.TB, text string) string {
	t.Helper()
	o := read(text)
	if o == nil {
		return ""
	}
	within := Within("", o.Node())
	did := Hide(o.Node())
	out, err := krm.WriteRaw(o)
	if err != nil {
		return Hidden
	}
	if within != did || did && !May([]byte(text)) {
		t.Errorf("something is hidden: %t; is there anything: %t; may there be: %t, in\n%s", did, within, May([]byte(text)), text)
	}
	if Hide(o.Node()); did {
		if again, _ := krm.WriteRaw(o); string(again) != string(out) {
			t.Errorf("not the same the second time:\n%s", again)
		}
	}
	return string(out)
}

const head = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n"

// cases say what is shown; want is a part of it, and hunter2 in no part.
var cases = map[string]struct{ reason, text, want string }{
	"Data":        {"names stay", head + "data:\n  pass: hunter2\ntype: Opaque\nimmutable: true\n", "data:\n  pass: (hidden)\ntype: Opaque\nimmutable: true\n"},
	"Labels":      {"and what it is called", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  labels: {a: b}\ndata: {}\n", "labels: {a: b}"},
	"Odd":         {"what no Secret has", head + "other: hunter2\nlist: [hunter2]\ntype: {a: hunter2}\n", "other: (hidden)\nlist: (hidden)\ntype: (hidden)\n"},
	"kubectl":     {"a copy", head + "  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: hunter2\n", "configuration: (hidden)"},
	"kapp":        {"a copy", head + "  annotations:\n    kapp.k14s.io/original: hunter2\n", "original: (hidden)"},
	"Rancher":     {"a copy, packed", head + "  annotations:\n    objectset.rio.cattle.io/applied: hunter2\n", "applied: (hidden)"},
	"Unknown":     {"what nobody knows", head + "  annotations:\n    example.com/password: hunter2\n", "example.com/password: (hidden)"},
	"Harmless":    {"how it is handled", head + "  annotations:\n    helm.sh/hook: pre-install\n    waybill.dev/generated-by: x\n", "helm.sh/hook: pre-install\n    waybill.dev/generated-by: x\n"},
	"OddMetadata": {"annotations that are none", head + "  annotations: hunter2\n", "annotations: (hidden)"},
	"NoMetadata":  {"nor these", "apiVersion: v1\nkind: Secret\nmetadata: hunter2\ndata: {}\n", "metadata: (hidden)"},
	"Nested":      {"in another object", "apiVersion: v1\nkind: Template\nmetadata:\n  name: s\nobjects:\n- kind: Secret\n  data:\n    pass: hunter2\n- kind: ConfigMap\n  data: {a: b}\n", "- kind: ConfigMap\n  data: {a: b}\n"},
	"List":        {"in a list", "apiVersion: v1\nkind: List\nmetadata:\n  name: s\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata:\n    annotations:\n      a: hunter2\n  stringData: {p: hunter2}\n", "a: (hidden)"},
	"Secrets":     {"in a list that says what they are", "apiVersion: v1\nkind: SecretList\nmetadata:\n  name: s\nitems:\n- metadata:\n    name: q\n    annotations: {a: hunter2}\n  stringData: {x: hunter2}\n- hunter2\n", "name: q\n    annotations: {a: (hidden)}\n  stringData: {x: (hidden)}\n- (hidden)\n"},
	"OddSecrets":  {"that is none", "apiVersion: v1\nkind: SecretList\nmetadata:\n  name: s\nitems: {a: hunter2}\n", "items: {a: (hidden)}"},
	"InWorks":     {"a list of them within a work", "apiVersion: x/v1\nkind: Work\nmetadata:\n  name: s\nspec:\n- kind: SecretList\n  items:\n  - data: {a: hunter2}\n", "data: {a: (hidden)}"},
	"Copy":        {"of a work", "apiVersion: x/v1\nkind: Work\nmetadata:\n  name: s\n  annotations:\n    banzaicloud.com/last-applied: hunter2\n    cdi/lastAppliedConfiguration: hunter2\n    note: x\n", "last-applied: (hidden)\n    cdi/lastAppliedConfiguration: (hidden)\n    note: x\n"},
	"SaysSecret":  {"a copy under any name", "apiVersion: x/v1\nkind: Work\nmetadata:\n  name: s\n  annotations:\n    a: '[{\"kind\":\"Secret\",\"data\":\"hunter2\"}]'\n    b: \"kind:  'Secret' hunter2\"\n    c: '{\"x\":\"{\\\"kind\\\": \\\"Secret\\\", hunter2}\"}'\n", "a: (hidden)\n    b: (hidden)\n    c: (hidden)\n"},
	"Talks":       {"talk of Secrets is none", "apiVersion: x/v1\nkind: Work\nmetadata:\n  name: s\n  annotations:\n    a: this kind of Secret\n", "this kind of Secret"},
	"Template":    {"annotations of pods", "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: s\nspec:\n  template:\n    metadata:\n      annotations:\n        kubectl.kubernetes.io/last-applied-configuration: hunter2\n", "configuration: (hidden)"},
	"Reference":   {"a reference is no secret", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: s\nspec: {ref: {kind: Secret, name: x}}\n", "{kind: Secret, name: x}"},
}

func TestHide(t *testing.T) {
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := hiddenIn(t, tc.text); !strings.Contains(got, tc.want) || strings.Contains(got, "hunter2") {
				t.Errorf("%s: want %q in\n%s", tc.reason, tc.want, got)
			}
		})
	}
}

func TestOpen(t *testing.T) {
	want := map[string]bool{
		"": false, "data": false, "data a": false, "kind": true, "type": true, "metadata": false, "metadata name": true, "metadata labels": true,
		"metadata labels a": true, "metadata annotations": false, "metadata annotations a": false, "metadata annotations helm.sh/hook": true,
		"metadata annotations waybill.dev/last-applied-configuration": false, "items": false,
	}
	got := map[string]bool{}
	for way := range want {
		got[way] = Open(strings.Fields(way)...)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ways into a Secret that are open (-want +got):\n%s", diff)
	}
}

// FuzzHide puts a secret into whatever is called a Secret; it is never shown.
func FuzzHide(f *testing.F) {
	for _, tc := range cases {
		f.Add(tc.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		hiddenIn(t, text)
		if strings.ContainsAny(text, "\t\r") || strings.Contains(text, "hunter3") {
			return
		}
		o := read(head + "  annotations:\n    example.com/x: hunter3\ndata:\n  a: hunter3\n  b: |\n    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n    hunter3\n")
		if o == nil {
			return
		}
		Hide(o.Node())
		if out, err := krm.WriteRaw(o); err == nil && strings.Contains(string(out), "hunter3") {
			t.Errorf("a secret is told:\n%s", out)
		}
	})
}
