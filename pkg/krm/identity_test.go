package krm

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestIdentity holds that an object answers the same whether its identity is remembered or looked up, also after an edit of it or of a
// copy.
func TestIdentity(t *testing.T) {
	asked := []string{"a", "b", "c", "d", "none", "by"}
	answers := func(o *Object) (all []string) {
		all = append(all, o.APIVersion(), o.Kind(), o.Namespace(), o.Name(), o.File(), o.ID().String())
		for _, key := range asked {
			all = append(all, o.Annotation(key))
			if o.HasAnnotation(key) {
				all = append(all, key)
			}
		}
		return all
	}
	for name, text := range map[string]string{
		"all":      "apiVersion: g/v1\nkind: A\nmetadata:\n  name: n\n  namespace: s\n  annotations:\n    a: x\n    b: \"\"\n    c: null\n    d: [1]\n",
		"numbers":  "apiVersion: 1\nkind: true\nmetadata:\n  name: 2\n  annotations:\n    a: 3\n",
		"absent":   "a: 1\n",
		"no maps":  "metadata: text\n",
		"aliases":  "kind: A\nmetadata:\n  labels: &l\n    a: &x y\n    b: *x\n  annotations: *l\n",
		"deferred": "apiVersion: v1\nkind: A\nmetadata:\n  name: n\n  annotations:\n    by: me\nspec:\n  a: 1\n",
	} {
		t.Run(name, func(t *testing.T) {
			objs, err := ReadLazy("a.yaml", []byte(text), Limits{}, "spec", "by")
			if err != nil || len(objs) != 1 {
				t.Fatal(len(objs), err)
			}
			o := objs[0]
			want := answers(o.DeepCopy())
			o.Compact()
			if d := cmp.Diff(want, answers(o)); d != "" {
				t.Fatalf("(-looked up +remembered)\n%s", d)
			}
			c := o.DeepCopy()
			SetField(c.Node(), "kind", StringNode("Other"))
			if c.Kind() != "Other" || o.Kind() == "Other" {
				t.Errorf("after an edit of the copy, it is of kind %q, and the original of kind %q", c.Kind(), o.Kind())
			}
			if o.SetAnnotation("a", "new"); o.Annotation("a") != "new" {
				t.Errorf("after it was set, the annotation is %q", o.Annotation("a"))
			}
			o.Compact()
			if o.RemoveAnnotations(func(key string) bool { return key == "a" }); o.HasAnnotation("a") {
				t.Error("the annotation is still there after it was removed")
			}
		})
	}
}
