package kptfile_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	v1 "github.com/kptdev/kpt/api/kptfile/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// checkStrict compares err, the result of Parse for data, with the strict decoder of Kubernetes: both
// must agree on unknown fields. That decoder ignores the case of names and reads strings by other
// rules, so its other errors do not count.
func checkStrict(t testing.TB, data []byte, err error) {
	t.Helper()
	objects, bad := krm.Read("Kptfile", data, krm.Limits{})
	if bad != nil || len(objects) != 1 {
		return // that decoder reads the first document only
	}
	text, bad := krm.Write(objects)
	if bad != nil {
		t.Fatal(bad)
	}
	theirs := sigsyaml.UnmarshalStrict(text, &v1.KptFile{})
	if err == nil && theirs != nil && strings.Contains(theirs.Error(), "unknown field") {
		t.Fatalf("Parse accepts a field unknown to sigs.k8s.io/yaml: %v", theirs)
	}
	if err == nil || theirs != nil {
		return
	}
	if _, names, unknown := strings.Cut(err.Error(), ": unknown field "); unknown && names == strings.ToLower(names) {
		t.Fatalf("Parse refuses a field known to sigs.k8s.io/yaml: %v", err)
	}
}

// touched are the fields that each of edits may change.
var touched = map[string]string{
	"name": "metadata", "labels": "metadata", "annotations": "metadata", "upstream": "upstream", "the same upstream": "", "lock": "upstreamLock",
	"insert": "pipeline", "insert last": "pipeline", "remove ours": "pipeline", "remove all": "pipeline", "no change": "",
	"gates": "info", "no gates": "info", "conditions": "status", "no conditions": "status",
}

// checkRest checks that an edit keeps value, style and comments of all other fields. Expanded aliases
// are no change.
func checkRest(t testing.TB, data []byte) {
	t.Helper()
	for name, edit := range edits {
		f := parse(t, string(data))
		f.Object.ExpandAliases()
		before := fields(f)
		edit(f)
		after := fields(f)
		mine, known := touched[name]
		if !known {
			t.Fatalf("touched lacks %q", name)
		}
		delete(before, mine)
		for _, key := range slices.Sorted(maps.Keys(before)) {
			if before[key] != after[key] {
				t.Fatalf("%q may change %q and changes %q from:\n%sto:\n%s", name, mine, key, before[key], after[key])
			}
		}
	}
}

// fields returns the text of each top-level field of f.
func fields(f *kptfile.File) map[string]string {
	out := map[string]string{}
	root := f.Object.Node()
	for i := 0; i+1 < len(root.Content); i += 2 {
		var b strings.Builder
		spell(&b, root.Content[i])
		spell(&b, root.Content[i+1])
		out[root.Content[i].Value] = b.String()
	}
	return out
}

// spell writes everything about n that shows in a file.
func spell(b *strings.Builder, n *yaml.Node) {
	for _, part := range []string{n.Value, n.Tag, n.HeadComment, n.LineComment, n.FootComment} {
		b.WriteString(part + "\n")
	}
	b.WriteString(strings.Repeat("*", int(n.Style)) + "\n")
	for _, c := range n.Content {
		spell(b, krm.Deref(c))
	}
}
