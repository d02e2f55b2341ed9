package krm

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

const named = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: n}\n"

// TestFits holds what Fits says of objects to whether Read takes what they are written as.
func TestFits(t *testing.T) {
	cases := map[string]struct {
		reason, data string
		limits       Limits
		want         string
	}{
		"plain":     {"most files", named + "a: 1\n", Limits{}, ""},
		"bytes":     {"a file that nothing reads again must not come to be", named + "a: " + strings.Repeat("x", 100) + "\n---\n" + strings.Replace(named, "a, ", "b, ", 1), Limits{Bytes: 200}, "would be 238 bytes, but files of more than 200 bytes are not read; ConfigMap n/a is the largest of the objects in it"},
		"documents": {"nor may more objects than are read", named + "---\n" + named, Limits{Documents: 1}, "would hold 2 objects, but at most 1 are read from one file; put some of them into other files"},
		"depth":     {"nor deeper ones", named + nestedIn("b", 20, "1"), Limits{Depth: 10}, `ConfigMap n/a: below "b.b.b.b.b.b": nested deeper than 10 levels; it could be written, but not read again`},
		"flow":      {"in any style", named + "a: " + strings.Repeat("[", 20) + strings.Repeat("]", 20) + "\n", Limits{Depth: 10}, `ConfigMap n/a: below "a[0][0][0][0][0]": nested deeper than 10 levels; it could be written, but not read again`},
		"dashes":    {"or as a list in a list", named + "a:\n" + strings.Repeat("- ", 20) + "1\n", Limits{Depth: 10}, `ConfigMap n/a: below "a[0][0][0][0][0]": nested deeper than 10 levels; it could be written, but not read again`},
		"nodes":     {"or with more values", named + "a: [" + strings.Repeat("1,", 100) + "]\n", Limits{Nodes: 50}, `ConfigMap n/a: holds 100 values once aliases are followed, more than the 50 allowed; it could be written, but not read again`},
		"aliases":   {"an alias that is left counts", named + "a: &a xxxxxxxxxxxxxxxx\nb: *a\nc: *a\n", Limits{Aliased: 50}, `ConfigMap n/a: "c": with this alias, aliases stand for more than the 50 bytes allowed; write out what they stand for; it could be written, but not read again`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			objs, err := Read("in.yaml", []byte(tc.data), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			for what, objs := range map[string][]*Object{"read": objs, "deferred": withLast(objs)} {
				data, err := Write(objs)
				if err != nil {
					t.Fatal(err)
				}
				got := ""
				if err := Fits(data, objs, tc.limits); err != nil {
					got = err.Error()
				}
				if d := cmp.Diff(tc.want, got); d != "" {
					t.Errorf("%s: %s (-want +got):\n%s", what, tc.reason, d)
				}
				if _, err := Read("out.yaml", data, tc.limits); (err == nil) != (got == "") {
					t.Errorf("%s: %s: Fits says %q, and Read %v", what, tc.reason, got, err)
				}
			}
		})
	}
}

// withLast makes the last field of each object one that is deferred, where nothing stands for it elsewhere.
func withLast(objs []*Object) (out []*Object) {
	for _, o := range objs {
		n := CopyNode(o.Node())
		i := len(n.Content) - 2
		if name := n.Content[i].Value; len(name) == 1 && n.Content[i+1].Kind != yaml.AliasNode {
			value := n.Content[i+1]
			n.Content = n.Content[:i]
			text, err := Write([]*Object{FromNode(MapNode(StringNode(name), value))})
			if err != nil {
				panic(err)
			}
			o = WithDeferred(n, name, said{value, string(text)})
		}
		out = append(out, o)
	}
	return out
}
