package secret

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// read parses the only object of a text, nil for other texts.
func read(text string) *krm.Object {
	all, err := krm.Read("x.yaml", []byte(text), krm.Limits{})
	if err != nil || len(all) != 1 {
		return nil
	}
	all[0].ExpandAliases()
	return all[0]
}

// hiddenIn returns the text after Hide and checks the properties of Hide.
func hiddenIn(t testing.TB, text string) string {
	t.Helper()
	o := read(text)
	if o == nil {
		return ""
	}
	contains := Contains("", o.Node())
	hidden := Hide(o.Node())
	out, err := krm.WriteRaw(o)
	if err != nil {
		return Hidden
	}
	if contains != hidden || hidden && !MayContain([]byte(text)) {
		t.Errorf("Hide: %t, Contains: %t, MayContain: %t, for\n%s", hidden, contains, MayContain([]byte(text)), text)
	}
	if Hide(o.Node()); hidden {
		if again, _ := krm.WriteRaw(o); string(again) != string(out) {
			t.Errorf("a second Hide changes the text:\n%s", again)
		}
	}
	return string(out)
}

const head = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n"

// cases are texts; want is part of the output, and hunter2 must not be.
var cases = map[string]struct{ reason, text, want string }{
	"Data":        {"names stay", head + "data:\n  pass: hunter2\ntype: Opaque\nimmutable: true\n", "data:\n  pass: (hidden)\ntype: Opaque\nimmutable: true\n"},
	"Labels":      {"name and labels stay", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  labels: {a: b}\ndata: {}\n", "labels: {a: b}"},
	"OtherFields": {"fields that a Secret has not", head + "other: hunter2\nlist: [hunter2]\ntype: {a: hunter2}\n", "other: (hidden)\nlist: (hidden)\ntype: (hidden)\n"},
	"kubectl":     {"a copy", head + "  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: hunter2\n", "configuration: (hidden)"},
	"kapp":        {"a copy", head + "  annotations:\n    kapp.k14s.io/original: hunter2\n", "original: (hidden)"},
	"Rancher":     {"a copy, packed", head + "  annotations:\n    objectset.rio.cattle.io/applied: hunter2\n", "applied: (hidden)"},
	"Unknown":     {"an unknown annotation", head + "  annotations:\n    example.com/password: hunter2\n", "example.com/password: (hidden)"},
	"Harmless":    {"how tools handle it", head + "  annotations:\n    helm.sh/hook: pre-install\n    waybill.dev/generated-by: x\n", "helm.sh/hook: pre-install\n    waybill.dev/generated-by: x\n"},
	"NoMap":       {"annotations that are not a map", head + "  annotations: hunter2\n", "annotations: (hidden)"},
	"NoMetadata":  {"metadata that is not a map", "apiVersion: v1\nkind: Secret\nmetadata: hunter2\ndata: {}\n", "metadata: (hidden)"},
	"Nested":      {"in another object", "apiVersion: v1\nkind: Template\nmetadata:\n  name: s\nobjects:\n- kind: Secret\n  data:\n    pass: hunter2\n- kind: ConfigMap\n  data: {a: b}\n", "- kind: ConfigMap\n  data: {a: b}\n"},
	"List":        {"in a list", "apiVersion: v1\nkind: List\nmetadata:\n  name: s\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata:\n    annotations:\n      a: hunter2\n  stringData: {p: hunter2}\n", "a: (hidden)"},
	"Secrets":     {"in a list with the kind", "apiVersion: v1\nkind: SecretList\nmetadata:\n  name: s\nitems:\n- metadata:\n    name: q\n    annotations: {a: hunter2}\n  stringData: {x: hunter2}\n- hunter2\n", "name: q\n    annotations: {a: (hidden)}\n  stringData: {x: (hidden)}\n- (hidden)\n"},
	"NoList":      {"items that are not a list", "apiVersion: v1\nkind: SecretList\nmetadata:\n  name: s\nitems: {a: hunter2}\n", "items: {a: (hidden)}"},
	"InWorks":     {"a SecretList in a work", "apiVersion: x/v1\nkind: Work\nmetadata:\n  name: s\nspec:\n- kind: SecretList\n  items:\n  - data: {a: hunter2}\n", "data: {a: (hidden)}"},
	"Copy":        {"a copy of a work", "apiVersion: x/v1\nkind: Work\nmetadata:\n  name: s\n  annotations:\n    banzaicloud.com/last-applied: hunter2\n    cdi/lastAppliedConfiguration: hunter2\n    note: x\n", "last-applied: (hidden)\n    cdi/lastAppliedConfiguration: (hidden)\n    note: x\n"},
	"SecretText":  {"a copy under any name", "apiVersion: x/v1\nkind: Work\nmetadata:\n  name: s\n  annotations:\n    a: '[{\"kind\":\"Secret\",\"data\":\"hunter2\"}]'\n    b: \"kind:  'Secret' hunter2\"\n    c: '{\"x\":\"{\\\"kind\\\": \\\"Secret\\\", hunter2}\"}'\n", "a: (hidden)\n    b: (hidden)\n    c: (hidden)\n"},
	"Sentence":    {"the word Secret alone is not a copy", "apiVersion: x/v1\nkind: Work\nmetadata:\n  name: s\n  annotations:\n    a: this kind of Secret\n", "this kind of Secret"},
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

func TestPublic(t *testing.T) {
	want := map[string]bool{
		"": false, "data": false, "data a": false, "kind": true, "type": true, "metadata": false, "metadata name": true, "metadata labels": true,
		"metadata labels a": true, "metadata annotations": false, "metadata annotations a": false, "metadata annotations helm.sh/hook": true,
		"metadata annotations waybill.dev/last-applied-configuration": false, "items": false,
	}
	got := map[string]bool{}
	for path := range want {
		got[path] = Public(strings.Fields(path)...)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Public (-want +got):\n%s", diff)
	}
}

// FuzzHide puts a value into Secrets of any form; Hide must hide it.
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
			t.Errorf("Hide left a secret:\n%s", out)
		}
	})
}
