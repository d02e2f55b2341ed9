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

// checkStrict holds Parse, which said err of data, against the strict decoder of Kubernetes: a field
// that is unknown to one is unknown to the other. But that one takes names in any case, and it reads
// by other rules where text is wanted; so its other words do not count.
func checkStrict(t testing.TB, data []byte, err error) {
	t.Helper()
	objects, bad := krm.Read("Kptfile", data, krm.Limits{})
	if bad != nil || len(objects) != 1 {
		return // it looks at the first document only
	}
	text, bad := krm.Write(objects)
	if bad != nil {
		t.Fatal(bad)
	}
	theirs := sigsyaml.UnmarshalStrict(text, &v1.KptFile{})
	if err == nil && theirs != nil && strings.Contains(theirs.Error(), "unknown field") {
		t.Fatalf("a field that is unknown to sigs.k8s.io/yaml is taken: %v", theirs)
	}
	if err == nil || theirs != nil {
		return
	}
	if _, names, unknown := strings.Cut(err.Error(), ": unknown field "); unknown && names == strings.ToLower(names) {
		t.Fatalf("a field that sigs.k8s.io/yaml knows is refused: %v", err)
	}
}

// touched are the fields that each of edits may change; all others stay as they are.
var touched = map[string]string{
	"name": "metadata", "labels": "metadata", "annotations": "metadata", "upstream": "upstream", "the same upstream": "", "lock": "upstreamLock",
	"insert": "pipeline", "insert last": "pipeline", "remove ours": "pipeline", "remove all": "pipeline", "nothing to say": "",
	"gates": "info", "no gates": "info", "conditions": "status", "no conditions": "status",
}

// checkRest holds that an edit leaves the fields that it is not about alone: what they say, how, and
// what is said about them. Aliases are written out, which is no change.
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
			t.Fatalf("say what %q touches", name)
		}
		delete(before, mine)
		for _, key := range slices.Sorted(maps.Keys(before)) {
			if before[key] != after[key] {
				t.Fatalf("%q is about %q and changes %q from:\n%sto:\n%s", name, mine, key, before[key], after[key])
			}
		}
	}
}

// fields are the top-level fields of f, each with all that is in it.
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

// spell writes down everything about n that shows in a file.
func spell(b *strings.Builder, n *yaml.Node) {
	for _, part := range []string{n.Value, n.Tag, n.HeadComment, n.LineComment, n.FootComment} {
		b.WriteString(part + "\n")
	}
	b.WriteString(strings.Repeat("*", int(n.Style)) + "\n")
	for _, c := range n.Content {
		spell(b, krm.Deref(c))
	}
}
