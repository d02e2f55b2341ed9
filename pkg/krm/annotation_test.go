package krm

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// edits change an object by the means this package offers.
func TestEdits(t *testing.T) {
	set := func(key, value string) func(*Object) { return func(o *Object) { o.SetAnnotation(key, value) } }
	remove := func(prefix string) func(*Object) {
		return func(o *Object) { o.RemoveAnnotations(func(k string) bool { return strings.HasPrefix(k, prefix) }) }
	}
	cases := map[string]struct {
		reason   string
		in, want string
		edit     func(*Object)
	}{
		"first annotation":     {"the maps on the way are made", "kind: K\n", "kind: K\nmetadata:\n  annotations:\n    a: 'b'\n", set("a", "b")},
		"null on the way":      {"null is as good as absent", "metadata:\n  annotations:\n", "metadata:\n  annotations:\n    a: 'b'\n", set("a", "b")},
		"value replaced":       {"its style and comment stay", "metadata:\n  annotations:\n    a: \"x\" # c\n    z: y\n", "metadata:\n  annotations:\n    a: \"b\" # c\n    z: y\n", set("a", "b")},
		"number-like text":     {"text that YAML would read as a number is quoted", "metadata:\n  annotations:\n    a: x\n", "metadata:\n  annotations:\n    a: \"1\"\n", set("a", "1")},
		"YAML 1.1 boolean":     {"so is text that only an API server would take for a boolean", "metadata:\n  annotations:\n    a: x\n", "metadata:\n  annotations:\n    a: \"yes\"\n", set("a", "yes")},
		"number replaced":      {"an annotation is text", "metadata:\n  annotations:\n    a: 1\n", "metadata:\n  annotations:\n    a: b\n", set("a", "b")},
		"list replaced":        {"what is no text makes room", "metadata:\n  annotations:\n    a: [1]\n", "metadata:\n  annotations:\n    a: 'b'\n", set("a", "b")},
		"anchored value":       {"other places keep what they said", "metadata:\n  annotations:\n    a: &x old\nother: *x\n", "metadata:\n  annotations:\n    a: 'new'\nother: old\n", set("a", "new")},
		"aliased value":        {"the anchor's place keeps what it said", "other: &x old\nmetadata:\n  annotations:\n    a: *x\n", "other: &x old\nmetadata:\n  annotations:\n    a: 'new'\n", set("a", "new")},
		"aliased map":          {"labels that share the map stay", "metadata:\n  labels: &m\n    a: x\n  annotations: *m\n", "metadata:\n  labels: &m\n    a: x\n  annotations:\n    a: new\n", set("a", "new")},
		"anchored map":         {"labels that refer to it stay", "metadata:\n  annotations: &m\n    a: x\n  labels: *m\n", "metadata:\n  annotations:\n    a: new\n  labels:\n    a: x\n", set("a", "new")},
		"remove one":           {"the others stay, with their comments", "metadata:\n  annotations:\n    a: x # one\n    b: y # two\n", "metadata:\n  annotations:\n    b: y # two\n", remove("a")},
		"remove none":          {"no match, no change", "metadata:\n  annotations: {b: y}\n", "metadata:\n  annotations: {b: y}\n", remove("a")},
		"remove last":          {"an emptied map goes", "metadata:\n  name: n\n  annotations:\n    a: x\n", "metadata:\n  name: n\n", remove("a")},
		"remove last of all":   {"and an emptied metadata", "kind: K\nmetadata:\n  annotations:\n    a: x\n", "kind: K\n", remove("a")},
		"empty before":         {"a map that was empty stays as it is", "metadata:\n  annotations: {}\n", "metadata:\n  annotations: {}\n", remove("a")},
		"remove from shared":   {"labels that refer to the map keep theirs", "metadata:\n  annotations: &m\n    a: x\n    b: y\n  labels: *m\n", "metadata:\n  annotations:\n    b: y\n  labels:\n    a: x\n    b: y\n", remove("a")},
		"odd metadata":         {"metadata that is no map is left alone", "metadata: text\n", "metadata: text\n", remove("a")},
		"field removed":        {"an alias to what is gone is written out", "a: &x {b: 1}\nc: *x\nd: *x\n", "c: {b: 1}\nd: {b: 1}\n", func(o *Object) { RemoveField(o.Node(), "a") }},
		"field set":            {"in place", "a: 1 # c\nb: 2\n", "a: new\nb: 2\n", func(o *Object) { SetField(o.Node(), "a", StringNode("new")) }},
		"field added":          {"at the end", "a: 1\n", "a: 1\nb: \"on\"\n", func(o *Object) { SetField(o.Node(), "b", StringNode("on")) }},
		"aliases expanded":     {"nested ones as well, anchors gone, comments of each place kept", "a: &a {x: &x 1}\nb: *a # b\nc: [*x, *a]\n", "a: {x: 1}\nb: {x: 1} # b\nc: [1, {x: 1}]\n", func(o *Object) { o.ExpandAliases() }},
		"other package's file": {"another object's data and this one's place", "# head\na: 1\n\n# foot\n", "# head\nb: 2\n\n# foot\n", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := one(t, c.in)
			if c.edit == nil {
				old := o
				o = FromNode(MapNode(StringNode("b"), &yaml.Node{Kind: yaml.ScalarNode, Value: "2"}))
				o.Node().HeadComment = "# head"
				o.ContinueFrom(old)
			} else {
				c.edit(o)
			}
			got := write(t, o)
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			if again := one(t, got); !Equivalent(again.Node(), o.Node()) {
				t.Errorf("%s: what was written reads otherwise:\n%s", c.reason, got)
			}
		})
	}
}

func TestLooks(t *testing.T) {
	o := one(t, `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  labels: &l {app: web, none: , n: 1}
  annotations: *l
`)
	want := map[string]string{"app": "web", "none": "", "n": "1"}
	got := map[string]any{
		"labels": o.Labels(), "annotations": o.Annotations(), "none": o.Annotation("none"), "has none": o.HasAnnotation("none"),
		"id": o.ID().String(), "describe": o.Describe(), "group": o.Group(), "version": o.Version(),
		"is": o.Is("apps", "Deployment"), "is not": o.Is("", "Deployment"), "no text": o.String("metadata"), "file": o.File(),
	}
	if d := cmp.Diff(map[string]any{
		"labels": want, "annotations": want, "none": "", "has none": true,
		"id": "apps/Deployment/shop/web", "describe": "Deployment shop/web (f.yaml)", "group": "apps", "version": "v1",
		"is": true, "is not": false, "no text": "", "file": "f.yaml",
	}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	core := one(t, "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n")
	if d := cmp.Diff([]string{"", "v1", "/Namespace//shop"}, []string{core.Group(), core.Version(), core.ID().String()}); d != "" {
		t.Errorf("the core group has no name (-want +got):\n%s", d)
	}
}

func TestPlace(t *testing.T) {
	cases := map[string]struct {
		reason, annotations string
		file                string
		index               int
	}{
		"as read":   {"no annotation says otherwise", "{}", "f.yaml", 1},
		"internal":  {"the present spelling", "{internal.config.kubernetes.io/path: a/b.yaml, internal.config.kubernetes.io/index: '3'}", "a/b.yaml", 3},
		"legacy":    {"the old spelling alone", "{config.kubernetes.io/path: c.yaml, config.kubernetes.io/index: 4}", "c.yaml", 4},
		"both":      {"the present one wins", "{internal.config.kubernetes.io/path: a.yaml, config.kubernetes.io/path: c.yaml}", "a.yaml", 1},
		"no number": {"an index that is no number is as good as none", "{internal.config.kubernetes.io/index: x}", "f.yaml", 1},
		"negative":  {"nor is there a place before the first", "{internal.config.kubernetes.io/index: '-1'}", "f.yaml", 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := read(t, "a: 1\n---\n# nothing\n---\nmetadata:\n  annotations: "+c.annotations+"\n")[1]
			if o.File() != c.file || o.Index() != c.index {
				t.Errorf("%s: got %s %d, want %s %d", c.reason, o.File(), o.Index(), c.file, c.index)
			}
			if d := o.DeepCopy(); d.File() != c.file || d.Index() != c.index {
				t.Errorf("%s: a copy stands elsewhere: %s %d", c.reason, d.File(), d.Index())
			}
			o.SetPath("new/x.yaml", 7)
			if o.File() != "new/x.yaml" || o.Index() != 7 || o.Annotation(LegacyPathAnnotation) != "new/x.yaml" || o.Annotation(LegacyIndexAnnotation) != "7" {
				t.Errorf("%s: SetPath must set both spellings: %v", c.reason, o.Annotations())
			}
		})
	}
}

func TestLocalConfig(t *testing.T) {
	for value, want := range map[string]bool{"'true'": true, "''": true, "x": true, "'false'": false, "null": true} {
		o := one(t, "metadata:\n  annotations:\n    config.kubernetes.io/local-config: "+value+"\n")
		if got := o.IsLocalConfig(); got != want {
			t.Errorf("any value but false marks local config: %s gives %t", value, got)
		}
	}
	if one(t, "a: 1\n").IsLocalConfig() {
		t.Error("without the annotation it is not local config")
	}
}

func TestSelfContained(t *testing.T) {
	o := one(t, "items:\n- a: &x {v: 1}\n- b: *x\n- c: &x {v: 2}\n  d: *x\n")
	items := o.Lookup("items").Content
	want := []string{"a: &x {v: 1}\n", "b: {v: 1}\n", "c: &x {v: 2}\nd: *x\n"}
	for i, n := range items {
		part := SelfContained(n)
		if d := cmp.Diff(want[i], write(t, FromNode(part))); d != "" {
			t.Errorf("item %d cut out of its list (-want +got):\n%s", i, d)
		}
		if whole := part == n; whole != (i != 1) {
			t.Errorf("item %d: only what refers elsewhere is copied, got the node itself: %t", i, whole)
		}
	}
	moved := CopyNode(items[2])
	moved.Content[0], moved.Content[1], moved.Content[2], moved.Content[3] = moved.Content[2], moved.Content[3], moved.Content[0], moved.Content[1]
	if d := cmp.Diff("d: {v: 2}\nc: {v: 2}\n", write(t, FromNode(moved))); d != "" {
		t.Errorf("an alias moved before its anchor is written out (-want +got):\n%s", d)
	}
}

func TestOriginAndComments(t *testing.T) {
	o := one(t, "# a\nx: 1 # b\ny:\n  # c\n  z: 1\n\n# d\n")
	if d := cmp.Diff([]string{"# a", "# b", "# c", "# d"}, o.Comments()); d != "" {
		t.Errorf("comments in document order (-want +got):\n%s", d)
	}
	if c := o.DeepCopy().DeepCopy(); c.Origin() != o.Origin() || !c.Copied() || o.Copied() {
		t.Error("the origin of a copy of a copy is the first object, which is its own origin")
	}
}
