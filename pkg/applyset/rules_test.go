package applyset_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const sourceA = `
---
apiVersion: test.dev/v1
kind: Source
metadata: {name: a, namespace: n}
spec: {make: [{apiVersion: v1, kind: Out, metadata: {name: x, namespace: n}, spec: {size: 1}}]}
`

// tagged is an Out with the tags of a key.
func tagged(name, key, spec string) string { return taggedBy("maker", name, key, key, spec) }

func taggedBy(controller, name, key, owner, spec string) string {
	return `
---
apiVersion: v1
kind: Out
metadata:
  name: ` + name + `
  namespace: n
  labels:
    waybill.dev/map-key: ` + applyset.MapKey(key) + `
  annotations:
    waybill.dev/controller: '` + controller + `'
    waybill.dev/edge: 'out'
    waybill.dev/input: '` + key + `'
    waybill.dev/owner: '` + owner + `'
spec: ` + spec + "\n"
}

func source(name, spec string) string {
	return "\n---\napiVersion: test.dev/v1\nkind: Source\nmetadata: {name: " + name + ", namespace: n}\nspec: " + spec + "\n"
}

func out(name, spec string) string {
	return "{apiVersion: v1, kind: Out, metadata: {name: " + name + ", namespace: n}, spec: " + spec + "}"
}

const keyA, keyB, keyC = "test.dev/Source/n/a", "test.dev/Source/n/b", "test.dev/Source/n/c"

const free = "\n---\napiVersion: v1\nkind: Out\nmetadata: {name: x, namespace: n}\nspec: {size: 7, more: true}\n"

func TestRules(t *testing.T) {
	cases := map[string]struct {
		reason string
		in     string
		edit   func(*applyset.Edge)
		want   string
		ops    string
		says   string
	}{
		"create": {
			reason: "an input without outputs gets them, in the order of identity, made in its own order",
			in:     source("a", "{make: ["+out("y", "{}")+", "+out("x", "{size: 1}")+"]}"),
			want:   `Out n/x {"size":1} <- test.dev/Source/n/a` + "\n" + `Out n/y {} <- test.dev/Source/n/a`,
			ops:    "create New /Out/n/y\ncreate New /Out/n/x",
		},
		"nothing to do": {
			reason: "a correct output has no operation",
			in:     source("a", "{make: ["+out("x", "{size: 1}")+"]}") + tagged("x", keyA, "{size: 1}"),
			want:   `Out n/x {"size":1} <- test.dev/Source/n/a`,
		},
		"change and removal": {
			reason: "an input without outputs deletes its old ones in every view",
			in:     source("a", "{make: ["+out("x", "{size: 2}")+"]}") + tagged("x", keyA, "{size: 1}") + tagged("y", keyA, "{}") + tagged("z", keyA, "{}"),
			want:   `Out n/x {"size":2} <- test.dev/Source/n/a`,
			ops:    "update Changed /Out/n/x\ndelete NotDesired /Out/n/z\ndelete NotDesired /Out/n/y",
		},
		"deletions first": {
			reason: "an edge may request deletions first",
			in:     source("a", "{make: ["+out("x", "{}")+"]}") + tagged("y", keyA, "{}"),
			edit:   func(e *applyset.Edge) { e.DeleteFirst = true },
			want:   `Out n/x {} <- test.dev/Source/n/a`,
			ops:    "delete NotDesired /Out/n/y\ncreate New /Out/n/x",
		},
		"failure": {
			reason: "a failing key keeps what it has, and others go on",
			in:     source("a", "{fail: no such object}") + tagged("x", keyA, "{}") + source("b", "{make: ["+out("y", "{}")+"]}"),
			want:   "Out n/x {} <- test.dev/Source/n/a\nOut n/y {} <- test.dev/Source/n/b",
			ops:    "keep Failed /Out/n/x\ncreate New /Out/n/y",
			says:   "error Failed: make(test.dev/Source/n/a): no such object",
		},
		"panic": {
			reason: "a panic fails the key",
			in:     source("a", "{panic: true}") + tagged("x", keyA, "{}"),
			want:   "Out n/x {} <- test.dev/Source/n/a",
			ops:    "keep Failed /Out/n/x",
			says:   "error Failed: make(test.dev/Source/n/a): the projection panicked on this input: as asked; please report it",
		},
		"no outcome": {
			reason: "the zero Outcome must not delete",
			in:     source("a", "{nothing: true}") + tagged("x", keyA, "{}"),
			want:   "Out n/x {} <- test.dev/Source/n/a",
			ops:    "keep Failed /Out/n/x",
			says:   "error Failed: make(test.dev/Source/n/a): the projection gave no outcome; please report it",
		},
		"retry": {
			reason: "what waits keeps what it has, with a warning",
			in:     source("a", "{retry: no node yet}") + tagged("x", keyA, "{}"),
			want:   "Out n/x {} <- test.dev/Source/n/a",
			ops:    "keep Retry /Out/n/x",
			says:   "warning Retry: make(test.dev/Source/n/a): no node yet",
		},
		"keep all": {
			reason: "KeepAll changes and reports nothing",
			in:     source("a", "{keepAll: true}") + tagged("x", keyA, "{}"),
			want:   "Out n/x {} <- test.dev/Source/n/a",
		},
		"two claims": {
			reason: "two keys that request the same object both fail, and their outputs stay",
			in: source("a", "{make: ["+out("x", "{size: 1}")+"]}") + source("b", "{make: ["+out("x", "{size: 2}")+", "+out("y", "{}")+"]}") +
				tagged("x", keyA, "{size: 0}"),
			want: `Out n/x {"size":0} <- test.dev/Source/n/a`,
			ops:  "keep Failed /Out/n/x",
			says: `
				error Failed: make(test.dev/Source/n/a): /Out/n/x is also an output of key test.dev/Source/n/b; neither gets it
				error Failed: make(test.dev/Source/n/b): /Out/n/x belongs to key test.dev/Source/n/a, which keeps it`,
		},
		"moved": {
			reason: "an output that its key does not request any more and another requests gets new tags",
			in:     source("a", "{make: []}") + source("b", "{make: ["+out("x", "{size: 1}")+"]}") + tagged("x", keyA, "{size: 1}"),
			want:   `Out n/x {"size":1} <- test.dev/Source/n/b`,
			ops:    "re-tag Moved /Out/n/x",
		},
		"moved from what stays": {
			reason: "a failing key releases nothing",
			in:     source("a", "{fail: broken}") + source("b", "{make: ["+out("x", "{}")+", "+out("y", "{}")+"]}") + tagged("x", keyA, "{}"),
			want:   `Out n/x {} <- test.dev/Source/n/a`,
			ops:    "keep Failed /Out/n/x",
			says: `
				error Failed: make(test.dev/Source/n/a): broken
				error Failed: make(test.dev/Source/n/b): /Out/n/x belongs to key test.dev/Source/n/a, which keeps it`,
		},
		"failure spreads along outputs": {
			reason: "a key that fails because of another keeps what a third wants of it",
			in: source("a", "{fail: broken}") + source("b", "{make: ["+out("x", "{}")+"]}") + source("c", "{make: ["+out("y", "{}")+"]}") +
				tagged("x", keyA, "{}") + tagged("y", keyB, "{}"),
			want: "Out n/x {} <- test.dev/Source/n/a\nOut n/y {} <- test.dev/Source/n/b",
			ops:  "keep Failed /Out/n/x\nkeep Failed /Out/n/y",
			says: `
				error Failed: make(test.dev/Source/n/a): broken
				error Failed: make(test.dev/Source/n/b): /Out/n/x belongs to key test.dev/Source/n/a, which keeps it
				error Failed: make(test.dev/Source/n/c): /Out/n/y belongs to key test.dev/Source/n/b, which keeps it`,
		},
		"never adopt": {
			reason: "an object of a user is not adopted",
			in:     sourceA + free,
			want:   `Out n/x {"more":true,"size":7}`,
			says:   "error Failed: make(test.dev/Source/n/a): /Out/n/x exists, and was not made from test.dev/Source/n/a; rename one of the two, remove it, or allow adoption",
		},
		"converge": {
			reason: "adoption asserts the output and keeps other fields: under Replace, outermost ones",
			in:     sourceA + free + "immutable: true\n",
			edit:   func(e *applyset.Edge) { e.Adopt = applyset.Converge },
			want:   `Out n/x {"size":1} <- test.dev/Source/n/a`,
			ops:    "adopt Adopted /Out/n/x",
			says:   "info Adopted: make(test.dev/Source/n/a): /Out/n/x existed before and is adopted",
		},
		"converge, three ways": {
			reason: "adoption asserts every field and keeps all others",
			in:     sourceA + free,
			edit:   func(e *applyset.Edge) { e.Adopt, e.Merge = applyset.Converge, applyset.ThreeWay },
			want:   `Out n/x {"more":true,"size":1} <- test.dev/Source/n/a`,
			ops:    "adopt Adopted /Out/n/x",
			says:   "info Adopted: make(test.dev/Source/n/a): /Out/n/x existed before and is adopted",
		},
		"preserve": {
			reason: "the content stays, in this run and in the next",
			in:     sourceA + free,
			edit:   func(e *applyset.Edge) { e.Adopt, e.Merge = applyset.Preserve, applyset.ThreeWay },
			want:   `Out n/x {"more":true,"size":7} <- test.dev/Source/n/a`,
			ops:    "adopt Adopted /Out/n/x",
			says:   "info Adopted: make(test.dev/Source/n/a): /Out/n/x existed before and is adopted",
		},
		"another controller's": {
			reason: "an object with other tags is never adopted",
			in:     sourceA + taggedBy("other", "x", keyA, keyA, "{}"),
			edit:   func(e *applyset.Edge) { e.Adopt = applyset.Converge },
			want:   `Out n/x {} <- test.dev/Source/n/a`,
			says:   "error Failed: make(test.dev/Source/n/a): /Out/n/x belongs to another owner: controller other, owner test.dev/Source/n/a, input test.dev/Source/n/a",
		},
		"another controller's, not wanted": {
			reason: "it is outside of the view",
			in:     source("a", "{make: []}") + taggedBy("other", "x", keyA, keyA, "{}"),
			want:   `Out n/x {} <- test.dev/Source/n/a`,
		},
		"partial": {
			reason: "an absent input may exist outside of a partial view",
			in:     source("b", "{make: []}") + tagged("x", keyA, "{}") + tagged("y", keyA, "{}"),
			want:   "Out n/x {} <- test.dev/Source/n/a\nOut n/y {} <- test.dev/Source/n/a",
			ops:    "keep Partial /Out/n/x\nkeep Partial /Out/n/y",
			says:   "info Partial: make(test.dev/Source/n/a): its input is not in this view, which is partial; its outputs stay: 2 outputs",
		},
		"complete": {
			reason: "the outputs of a deleted input are deleted",
			in:     source("b", "{make: []}") + tagged("x", keyA, "{}"),
			edit:   func(e *applyset.Edge) { e.View = applyset.Complete },
			ops:    "delete InputMissing /Out/n/x",
		},
		"complete and empty": {
			reason: "no input at all looks more like a mistake than a deletion",
			in:     tagged("x", keyA, "{}") + tagged("y", keyB, "{}"),
			edit:   func(e *applyset.Edge) { e.View = applyset.Complete },
			want:   "Out n/x {} <- test.dev/Source/n/a\nOut n/y {} <- test.dev/Source/n/b",
			ops:    "keep Refused /Out/n/x\nkeep Refused /Out/n/y",
			says:   "error Refused: make: there is no Source.test.dev at all, but outputs made from it exist; they stay unless allowEmpty is set",
		},
		"complete, empty and allowed": {
			reason: "allowEmpty is set",
			in:     tagged("x", keyA, "{}"),
			edit:   func(e *applyset.Edge) { e.View, e.AllowEmpty = applyset.Complete, true },
			ops:    "delete InputMissing /Out/n/x",
		},
		"a type that is no input any more": {
			reason: "the removal of a type from the rule needs allowEmpty",
			in:     source("b", "{make: []}") + tagged("x", keyA, "{}"),
			edit: func(e *applyset.Edge) {
				e.View, e.InputTypes, e.Inputs = applyset.Complete, []schema.GroupKind{{Kind: "Service"}}, nil
			},
			want: "Out n/x {} <- test.dev/Source/n/a",
			ops:  "keep Refused /Out/n/x",
			says: "error Refused: make: Source.test.dev is not an input type any more, but outputs made from it exist; they stay unless allowEmpty is set",
		},
		"too many deletions": {
			reason: "above the limit nothing changes, and nothing is created",
			in:     source("a", "{make: ["+out("z", "{}")+"]}") + tagged("x", keyA, "{}") + tagged("y", keyA, "{}"),
			edit:   func(e *applyset.Edge) { e.MaxDeletions = atMost(1) },
			want:   "Out n/x {} <- test.dev/Source/n/a\nOut n/y {} <- test.dev/Source/n/a",
			ops:    "keep Refused /Out/n/x\nkeep Refused /Out/n/y",
			says:   "error Refused: make: 2 of 2 outputs would be deleted, more than maxDeletions, 1, allows; nothing changes",
		},
		"deletions within the limit": {
			reason: "the limit itself is allowed",
			in:     source("a", "{make: []}") + tagged("x", keyA, "{}"),
			edit:   func(e *applyset.Edge) { e.MaxDeletions = atMost(1) },
			ops:    "delete NotDesired /Out/n/x",
		},
		"kept by its annotation": {
			reason: "it loses its tags and stays",
			in: source("a", "{make: []}") + `
---
apiVersion: v1
kind: Out
metadata:
  name: x
  namespace: n
  labels: {waybill.dev/map-key: ` + applyset.MapKey(keyA) + `}
  annotations: {waybill.dev/controller: maker, waybill.dev/edge: out, waybill.dev/input: ` + keyA + `, waybill.dev/owner: ` + keyA + `, waybill.dev/keep: "true"}
spec: {}
`,
			want: "Out n/x {}",
			ops:  "orphan NotDesired /Out/n/x",
			says: "info NotDesired: make(test.dev/Source/n/a): /Out/n/x is released, as its annotation waybill.dev/keep requests",
		},
		"invalid update": {
			reason: "a validation that refuses fails the key",
			in:     source("a", "{make: ["+out("x", "{size: 2}")+", "+out("y", "{}")+"]}") + tagged("x", keyA, "{size: 1}"),
			edit: func(e *applyset.Edge) {
				e.Validate = func(_ *applyset.Group, old, new *krm.Object) error {
					return errors.New("size " + old.String("spec", "size") + " must not become " + new.String("spec", "size"))
				}
			},
			want: `Out n/x {"size":1} <- test.dev/Source/n/a`,
			ops:  "keep Failed /Out/n/x",
			says: "error Failed: make(test.dev/Source/n/a): /Out/n/x: size 1 must not become 2",
		},
		"only on deletion": {
			reason: "OnDelete keeps the object, with a Keep operation",
			in:     source("a", "{make: ["+out("x", "{size: 2}")+"]}") + tagged("x", keyA, "{size: 1}"),
			edit:   func(e *applyset.Edge) { e.UpdateOf = always(applyset.OnDelete) },
			want:   `Out n/x {"size":1} <- test.dev/Source/n/a`,
			ops:    "keep OnDelete /Out/n/x",
		},
		"each its own way": {
			reason: "of several types each may have its own way to be updated",
			in:     source("a", "{make: ["+out("x", "{size: 2}")+"]}") + tagged("x", keyA, "{size: 1}"),
			edit: func(e *applyset.Edge) {
				e.UpdateOf = func(id krm.ID) applyset.Update {
					return map[string]applyset.Update{"/Out/n/x": applyset.OnDelete}[id.String()]
				}
			},
			want: `Out n/x {"size":1} <- test.dev/Source/n/a`,
			ops:  "keep OnDelete /Out/n/x",
		},
		"recreate": {
			reason: "a recreated object keeps nothing but its place",
			in:     source("a", "{make: ["+out("x", "{size: 2}")+"]}") + tagged("x", keyA, "{size: 1, more: 1}"),
			edit:   func(e *applyset.Edge) { e.UpdateOf, e.Merge = always(applyset.Recreate), applyset.ThreeWay },
			want:   `Out n/x {"size":2} <- test.dev/Source/n/a`,
			ops:    "recreate Changed /Out/n/x",
			says:   "warning StateLost: make(test.dev/Source/n/a): what was last applied to /Out/n/x is not known; its other fields stay",
		},
		"being deleted": {
			reason: "an object that is being deleted is not updated",
			in: source("a", "{make: ["+out("x", "{size: 2}")+"]}") +
				"\n---\napiVersion: v1\nkind: Out\nmetadata: {name: x, namespace: n, deletionTimestamp: \"2026-01-01T00:00:00Z\"}\nspec: {}\n",
			edit: func(e *applyset.Edge) { e.Adopt = applyset.Converge },
			want: "Out n/x {}",
			says: "warning Retry: make(test.dev/Source/n/a): it waits for the deletion of /Out/n/x",
		},
		"order by dependence": {
			reason: "dependents are created after their dependencies and deleted before them",
			in: source("a", "{dependsOn: ["+keyB+"], make: ["+out("x", "{}")+"]}") + source("b", "{make: ["+out("y", "{}")+"]}") +
				tagged("p", keyA, "{}") + tagged("q", keyB, "{}"),
			want: "Out n/x {} <- test.dev/Source/n/a\nOut n/y {} <- test.dev/Source/n/b",
			ops:  "create New /Out/n/y\ncreate New /Out/n/x\ndelete NotDesired /Out/n/p\ndelete NotDesired /Out/n/q",
		},
		"dependence on what fails": {
			reason: "it waits, and its dependents wait",
			in:     source("a", "{dependsOn: ["+keyB+"], make: ["+out("x", "{}")+"]}") + source("b", "{dependsOn: ["+keyC+"], make: []}") + source("c", "{fail: broken}"),
			says: `
				warning Retry: make(test.dev/Source/n/a): it waits for test.dev/Source/n/b
				warning Retry: make(test.dev/Source/n/b): it waits for test.dev/Source/n/c
				error Failed: make(test.dev/Source/n/c): broken`,
		},
		"dependence in a circle": {
			reason: "the cycle fails; its dependents wait",
			in:     source("a", "{dependsOn: ["+keyB+"], make: []}") + source("b", "{dependsOn: ["+keyA+"], make: []}") + source("c", "{dependsOn: ["+keyB+"], make: []}"),
			says: `
				error Failed: make(test.dev/Source/n/a): it depends on itself, through the keys it depends on
				error Failed: make(test.dev/Source/n/b): it depends on itself, through the keys it depends on
				warning Retry: make(test.dev/Source/n/c): it waits for test.dev/Source/n/b`,
		},
		"faulty outputs": {
			reason: "what cannot be an output fails its key, by its index",
			in: source("a", "{make: ["+out("x", "{}")+", null]}") + source("b", "{make: [{apiVersion: v1, kind: Out}]}") +
				source("c", "{make: ["+out("x", "{}")+", "+out("x", "{}")+"]}") + source("d", "{make: [{apiVersion: v1, kind: Other, metadata: {name: x}}]}"),
			edit: func(e *applyset.Edge) { e.OutputTypes = []schema.GroupKind{{Kind: "Out"}} },
			says: `
				error Failed: make(test.dev/Source/n/a): outputs[1] is null
				error Failed: make(test.dev/Source/n/b): outputs[0] has no metadata.name
				error Failed: make(test.dev/Source/n/c): outputs[1]: /Out/n/x is listed twice
				error Failed: make(test.dev/Source/n/d): outputs[0] is a Other, which is not an output type`,
		},
		"an output there twice": {
			reason: "either of the two may be meant",
			in:     source("a", "{make: ["+out("x", "{}")+"]}") + tagged("x", keyA, "{size: 1}") + tagged("x", keyA, "{size: 2}"),
			want:   "Out n/x {\"size\":1} <- test.dev/Source/n/a\nOut n/x {\"size\":2} <- test.dev/Source/n/a",
			ops:    "keep Failed /Out/n/x\nkeep Failed /Out/n/x",
			says:   "error Failed: make(test.dev/Source/n/a): /Out/n/x exists twice, also as Out n/x; remove one",
		},
		"an input there twice": {
			reason: "one of them counts, the same whatever the order",
			in:     source("a", "{make: ["+out("x", "{size: 1}")+"]}") + source("a", "{make: ["+out("x", "{size: 2}")+"]}"),
			want:   "Out n/x {\"size\":1} <- test.dev/Source/n/a",
			ops:    "create New /Out/n/x",
			says:   "warning Duplicate: make(test.dev/Source/n/a): this input exists twice; this copy is ignored",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			items := read(t, c.in)
			edges := func(items []*krm.Object) []applyset.Edge {
				e := edge(items)
				if c.edit != nil {
					c.edit(&e)
				}
				return []applyset.Edge{e}
			}
			plan := run(t, items, edges(items)...)
			if d := cmp.Diff(lines(c.want), outputs(t, plan.Items)); d != "" {
				t.Errorf("%s: items (-want +got):\n%s", c.reason, d)
			}
			if d := cmp.Diff(lines(c.ops), operations(plan)); d != "" {
				t.Errorf("%s: operations (-want +got):\n%s", c.reason, d)
			}
			if d := cmp.Diff(lines(c.says), results(plan)); d != "" {
				t.Errorf("%s: results (-want +got):\n%s", c.reason, d)
			}
			checkLaws(t, items, edges)
		})
	}
}
