package applyset_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const keyP, keyQ = "test.dev/Parent/n/p", "test.dev/Parent/n/q"

const parentP = "\n---\napiVersion: test.dev/v1\nkind: Parent\nmetadata: {name: p, namespace: n}\n"

func owned(name, key, owner, spec string) string { return taggedBy("maker", name, key, owner, spec) }

// keepLabelled is a tombstone that keeps what is labelled so.
func keepLabelled(_ context.Context, g *applyset.Group) applyset.Outcome {
	var kept []*krm.Object
	for _, o := range g.Outputs {
		if o.Lookup("spec", "keep") != nil {
			kept = append(kept, o)
		}
	}
	return applyset.Outputs(kept...)
}

// mapEdge owns everything by parent p, and selects all sources but those that say so.
func mapEdge(items []*krm.Object) applyset.Edge {
	e := applyset.Edge{
		Verb: "map", Controller: "maker", Project: projectSpec, Merge: applyset.ThreeWay, View: applyset.Complete, Owners: []applyset.Owner{},
	}
	for _, o := range items {
		if o.Kind() == "Parent" {
			e.Owners = append(e.Owners, applyset.Owner{Key: applyset.Key(o), Object: o, Hold: o.Lookup("spec", "hold") != nil})
		}
	}
	slices.SortFunc(e.Owners, func(a, b applyset.Owner) int { return strings.Compare(a.Key, b.Key) })
	for _, o := range items {
		if o.Kind() == "Source" && o.Lookup("spec", "unselected") == nil && len(e.Owners) > 0 {
			e.Inputs = append(e.Inputs, applyset.Input{Key: applyset.Key(o), Owner: e.Owners[0].Key, Object: o})
		}
	}
	return e
}

// unselect has an edge that no longer selects its owners.
func unselect(e *applyset.Edge) { e.Owners, e.Inputs = []applyset.Owner{}, nil }

func TestOwned(t *testing.T) {
	cases := map[string]struct {
		reason string
		in     string
		edit   func(*applyset.Edge)
		want   string
		ops    string
		says   string
	}{
		"made for an owner": {
			reason: "tags name input and owner; the state is what was applied",
			in:     parentP + source("a", "{make: ["+out("x", "{size: 1}")+"]}"),
			want:   `Out n/x {"size":1} <- test.dev/Source/n/a of test.dev/Parent/n/p`,
			ops:    "create New /Out/n/x",
		},
		"tombstone": {
			reason: "of a detached group stays what the tombstone keeps, untouched",
			in:     parentP + source("b", "{make: []}") + owned("x", keyA, keyP, "{keep: true}") + owned("y", keyA, keyP, "{}"),
			edit:   func(e *applyset.Edge) { e.Tombstone = keepLabelled },
			want:   `Out n/x {"keep":true} <- test.dev/Source/n/a of test.dev/Parent/n/p`,
			ops:    "keep Tombstone /Out/n/x\ndelete InputMissing /Out/n/y",
		},
		"tombstone names a stranger": {
			reason: "it is ignored with a warning",
			in:     parentP + source("b", "{make: []}") + owned("x", keyA, keyP, "{}"),
			edit: func(e *applyset.Edge) {
				e.Tombstone = func(context.Context, *applyset.Group) applyset.Outcome {
					return applyset.Keep(krm.ID{Kind: "Out", Namespace: "n", Name: "z"}, krm.ID{Kind: "Out", Namespace: "n", Name: "x"})
				}
			},
			want: `Out n/x {} <- test.dev/Source/n/a of test.dev/Parent/n/p`,
			ops:  "keep Tombstone /Out/n/x",
			says: "warning Note: map(test.dev/Source/n/a): there is no output /Out/n/z to keep (owner test.dev/Parent/n/p)",
		},
		"kept and wanted": {
			reason: "two keys request it: a kept output counts",
			in:     parentP + source("b", "{make: ["+out("x", "{}")+"]}") + owned("x", keyA, keyP, "{keep: true}"),
			edit:   func(e *applyset.Edge) { e.Tombstone = keepLabelled },
			want:   `Out n/x {"keep":true} <- test.dev/Source/n/a of test.dev/Parent/n/p`,
			ops:    "keep Failed /Out/n/x",
			says: `
				error Failed: map(test.dev/Source/n/a): /Out/n/x is also an output of key test.dev/Source/n/b; neither gets it (owner test.dev/Parent/n/p)
				error Failed: map(test.dev/Source/n/b): /Out/n/x belongs to key test.dev/Source/n/a, which keeps it (owner test.dev/Parent/n/p)`,
		},
		"not selected": {
			reason: "the group of an existing input that is not selected is detached",
			in:     parentP + source("a", "{unselected: true}") + source("b", "{make: []}") + owned("x", keyA, keyP, "{}"),
			ops:    "delete InputNotSelected /Out/n/x",
		},
		"none selected": {
			reason: "an owner without one input of the type may have a misspelt selector; what was made of an input that is gone goes",
			in:     parentP + source("a", "{unselected: true}") + source("c", "{unselected: true}") + owned("x", keyA, keyP, "{}") + owned("y", keyB, keyP, "{}"),
			edit: func(e *applyset.Edge) {
				e.Owners[0].Unmatched = func(gk schema.GroupKind) string { return ": no " + gk.Kind + " is like that" }
			},
			want: "Out n/x {} <- test.dev/Source/n/a of test.dev/Parent/n/p",
			ops:  "keep Refused /Out/n/x\ndelete InputMissing /Out/n/y",
			says: "error Refused: map: test.dev/Parent/n/p selects no Source.test.dev any more, but outputs made from it exist; they stay: no Source is like that; " +
				`correct the selector, or allow it by allowEmpty or by the annotation waybill.dev/allow-empty-selection: "true" of the owner`,
		},
		"none selected, allowed": {
			reason: "unless the owner allows it",
			in:     parentP + source("a", "{unselected: true}") + owned("x", keyA, keyP, "{}"),
			edit:   func(e *applyset.Edge) { e.Owners[0].MayBeEmpty = true },
			ops:    "delete InputNotSelected /Out/n/x",
		},
		"none selected, all allowed": {
			reason: "or the edge allows it",
			in:     parentP + source("a", "{unselected: true}") + owned("x", keyA, keyP, "{}"),
			edit:   func(e *applyset.Edge) { e.AllowEmpty = true },
			ops:    "delete InputNotSelected /Out/n/x",
		},
		"its own outputs": {
			reason: "what an owner has is no input of it",
			in: parentP + source("b", "{make: []}") + `
---
apiVersion: test.dev/v1
kind: Source
metadata: {name: a, namespace: n, annotations: {waybill.dev/owner: ` + keyP + `}}
spec: {make: [` + out("y", "{}") + `]}
` + owned("x", keyA, keyP, "{}"),
			ops: "delete InputExcluded /Out/n/x",
		},
		"owner is not there": {
			reason: "its outputs are not deleted",
			in:     source("a", "{}") + owned("x", keyA, keyP, "{}") + owned("y", keyB, keyP, "{}"),
			want:   "Out n/x {} <- test.dev/Source/n/a of test.dev/Parent/n/p\nOut n/y {} <- test.dev/Source/n/b of test.dev/Parent/n/p",
			ops:    "keep Refused /Out/n/x\nkeep Refused /Out/n/y",
			says:   "error Refused: map: owner test.dev/Parent/n/p does not exist, but outputs made from it exist; they stay unless allowEmpty is set",
		},
		"owner is not there, and that is fine": {
			reason: "allowEmpty is set",
			in:     source("a", "{}") + owned("x", keyA, keyP, "{}"),
			edit:   func(e *applyset.Edge) { e.AllowEmpty = true },
			ops:    "delete OwnerMissing /Out/n/x",
			says:   "info OwnerMissing: map: owner test.dev/Parent/n/p does not exist any more; its outputs are removed: 1 output",
		},
		"owner is not selected": {
			reason: "the message says that it exists",
			in:     parentP + source("a", "{}") + owned("x", keyA, keyP, "{}"),
			edit:   unselect,
			want:   "Out n/x {} <- test.dev/Source/n/a of test.dev/Parent/n/p",
			ops:    "keep Refused /Out/n/x",
			says:   "error Refused: map: owner test.dev/Parent/n/p is not selected, but outputs made from it exist; they stay unless allowEmpty is set",
		},
		"owner is not selected, and that is fine": {
			reason: "the deletion is reported once for the owner, which has no summary",
			in:     parentP + source("a", "{}") + owned("x", keyA, keyP, "{}") + owned("y", keyB, keyP, "{}"),
			edit:   func(e *applyset.Edge) { unselect(e); e.AllowEmpty = true },
			ops:    "delete OwnerNotSelected /Out/n/y\ndelete OwnerNotSelected /Out/n/x",
			says:   "info OwnerNotSelected: map: owner test.dev/Parent/n/p is not selected any more; its outputs are removed: 2 outputs",
		},
		"an input of the same owner": {
			reason: "once adopted it would be no input, and go in the next run",
			in:     parentP + source("a", "{make: [{apiVersion: test.dev/v1, kind: Source, metadata: {name: a, namespace: n}}]}") + source("b", "{make: []}"),
			edit:   func(e *applyset.Edge) { e.Adopt = applyset.Converge },
			says:   "error Failed: map(test.dev/Source/n/a): test.dev/Source/n/a is an input of the same owner; after adoption it would be no input any more, and the next run would delete it; give the output another name (owner test.dev/Parent/n/p)",
		},
		"another input of the same owner": {
			reason: "by whichever input it is asked for",
			in:     parentP + source("a", "{make: [{apiVersion: test.dev/v1, kind: Source, metadata: {name: b, namespace: n}}]}") + source("b", "{make: []}"),
			edit:   func(e *applyset.Edge) { e.Adopt = applyset.Preserve },
			says:   "error Failed: map(test.dev/Source/n/a): test.dev/Source/n/b is an input of the same owner; after adoption it would be no input any more, and the next run would delete it; give the output another name (owner test.dev/Parent/n/p)",
		},
		"an owner": {
			reason: "an object that owns outputs is never adopted",
			in:     parentP + source("a", "{make: [{apiVersion: test.dev/v1, kind: Parent, metadata: {name: p, namespace: n}}]}"),
			edit:   func(e *applyset.Edge) { e.Adopt = applyset.Converge },
			says:   "error Failed: map(test.dev/Source/n/a): test.dev/Parent/n/p owns outputs itself, and is never adopted (owner test.dev/Parent/n/p)",
		},
		"another controller": {
			reason: "an output with another controller would not be recognized in the next run",
			in: parentP + source("a", "{make: [{apiVersion: v1, kind: Out, metadata: {name: x, namespace: n, ownerReferences: "+
				"[{apiVersion: apps/v1, kind: Deployment, name: d, uid: u, controller: true}]}}]}") + source("b", "{make: ["+out("y", "{}")+"]}"),
			want: "Out n/y {} <- test.dev/Source/n/b of test.dev/Parent/n/p",
			ops:  "create New /Out/n/y",
			says: "error Failed: map(test.dev/Source/n/a): outputs[0] names a controller other than its owner in metadata.ownerReferences (owner test.dev/Parent/n/p)",
		},
		"its owner, by reference": {
			reason: "a reference to the owner, or one that is no controller's, is content like other content",
			in: parentP + source("a", "{make: [{apiVersion: v1, kind: Out, metadata: {name: x, namespace: n, ownerReferences: "+
				"[{apiVersion: test.dev/v1, kind: Parent, name: p, uid: u, controller: true}, {apiVersion: apps/v1, kind: Deployment, name: d, uid: u}]}}]}"),
			want: "Out n/x  <- test.dev/Source/n/a of test.dev/Parent/n/p",
			ops:  "create New /Out/n/x",
		},
		"another controller, by hand": {
			reason: "the message names the object and not the other controller",
			in: parentP + source("a", "{make: ["+out("x", "{}")+"]}") + strings.Replace(owned("x", keyA, keyP, "{}"), "  namespace: n\n",
				"  namespace: n\n  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: d, uid: u, controller: true}]\n", 1),
			want: "Out n/x {} <- test.dev/Source/n/a of test.dev/Parent/n/p",
			says: "error Failed: map(test.dev/Source/n/a): /Out/n/x has another controller, by its owner reference (owner test.dev/Parent/n/p)",
		},
		"a type that is no output any more": {
			reason: "the projection cannot return this type; each type is reported once",
			in:     parentP + source("a", "{make: []}") + source("b", "{make: []}") + owned("x", keyA, keyP, "{}") + owned("y", keyB, keyP, "{}") + owned("z", keyC, keyP, "{}"),
			edit:   func(e *applyset.Edge) { e.OutputTypes = []schema.GroupKind{{Kind: "Other"}} },
			want: "Out n/x {} <- test.dev/Source/n/a of test.dev/Parent/n/p\nOut n/y {} <- test.dev/Source/n/b of test.dev/Parent/n/p\n" +
				"Out n/z {} <- test.dev/Source/n/c of test.dev/Parent/n/p",
			ops:  "keep Refused /Out/n/x\nkeep Refused /Out/n/y\nkeep Refused /Out/n/z",
			says: "error Refused: map: Out is not an output type any more, but outputs of it exist; they stay unless allowEmpty is set",
		},
		"a type that is no output any more, and that is fine": {
			reason: "allowEmpty is set",
			in:     parentP + source("a", "{make: []}") + owned("x", keyA, keyP, "{}"),
			edit: func(e *applyset.Edge) {
				e.OutputTypes, e.AllowEmpty = []schema.GroupKind{{Kind: "Other"}}, true
			},
			ops: "delete NotDesired /Out/n/x",
		},
		"a secret's new outputs": {
			reason: "their names may be values of the secret; what is there can be named",
			in: parentP + source("a", "{make: ["+out("hunter2", "{}")+", "+out("hunter2", "{}")+"]}") +
				source("b", "{make: [{apiVersion: hunter2/v1, kind: hunter2, metadata: {name: x}}]}") +
				source("c", "{make: ["+out("hunter3", "{}")+"]}") + source("d", "{make: ["+out("hunter3", "{}")+"]}") + source("e", "{make: ["+out("x", "{}")+"]}") + free,
			edit: func(e *applyset.Edge) {
				e.OutputTypes, e.SecretTypes = []schema.GroupKind{{Kind: "Out"}}, []schema.GroupKind{{Group: "test.dev", Kind: "Source"}}
			},
			want: `Out n/x {"more":true,"size":7}`,
			says: `
				error Failed: map(test.dev/Source/n/a): outputs[1]: (its name may be secret) is listed twice (owner test.dev/Parent/n/p)
				error Failed: map(test.dev/Source/n/b): outputs[0] has a type that is not an output type (owner test.dev/Parent/n/p)
				error Failed: map(test.dev/Source/n/c): (its name may be secret) is also an output of key test.dev/Source/n/d; neither gets it (owner test.dev/Parent/n/p)
				error Failed: map(test.dev/Source/n/d): (its name may be secret) is also an output of key test.dev/Source/n/c; neither gets it (owner test.dev/Parent/n/p)
				error Failed: map(test.dev/Source/n/e): /Out/n/x exists, and was not made from test.dev/Source/n/e; rename one of the two, remove it, or allow adoption (owner test.dev/Parent/n/p)`,
		},
		"a secret among other objects": {
			reason: "a projection knows of more than the run",
			in:     parentP + source("b", "{make: []}") + owned("x", keyA, keyP, "{}"),
			edit: func(e *applyset.Edge) {
				e.Tombstone = func(context.Context, *applyset.Group) applyset.Outcome {
					out := applyset.Keep(krm.ID{Kind: "Out", Namespace: "n", Name: "hunter2"}, krm.ID{Kind: "Out", Namespace: "n", Name: "x"})
					out.Redact = true
					return out
				}
			},
			want: `Out n/x {} <- test.dev/Source/n/a of test.dev/Parent/n/p`,
			ops:  "keep Tombstone /Out/n/x",
			says: "warning Note: map(test.dev/Source/n/a): there is no output (its name may be secret) to keep (owner test.dev/Parent/n/p)",
		},
		"a secret that breaks a projection": {
			reason: "the value of the panic is not shown",
			in:     parentP + source("a", "{panic: true}"),
			edit:   func(e *applyset.Edge) { e.SecretTypes = []schema.GroupKind{{Group: "test.dev", Kind: "Source"}} },
			says:   "error Failed: map(test.dev/Source/n/a): the projection panicked on this input, which may hold secrets; please report it (owner test.dev/Parent/n/p)",
		},
		"owner is held": {
			reason: "nothing changes and nothing is reported",
			in: "\n---\napiVersion: test.dev/v1\nkind: Parent\nmetadata: {name: p, namespace: n}\nspec: {hold: true}\n" +
				source("a", "{make: ["+out("z", "{}")+"]}") + owned("x", keyA, keyP, "{}") + owned("y", keyB, keyP, "{}"),
			want: "Out n/x {} <- test.dev/Source/n/a of test.dev/Parent/n/p\nOut n/y {} <- test.dev/Source/n/b of test.dev/Parent/n/p",
		},
		"requests of two owners": {
			reason: "an output moves to the key that requests it once its old key does not",
			edit:   func(e *applyset.Edge) { e.Owners[1].MayBeEmpty = true },
			in:     parentP + "\n---\napiVersion: test.dev/v1\nkind: Parent\nmetadata: {name: q, namespace: n}\n" + source("a", "{make: ["+out("x", "{}")+"]}") + owned("x", keyA, keyQ, "{}"),
			want:   "Out n/x {} <- test.dev/Source/n/a of test.dev/Parent/n/p",
			ops:    "re-tag Moved /Out/n/x",
			says:   "warning StateLost: map(test.dev/Source/n/a): what was last applied to /Out/n/x is not known; its other fields stay (owner test.dev/Parent/n/p)",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			items := read(t, c.in)
			edges := func(items []*krm.Object) []applyset.Edge {
				e := mapEdge(items)
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

func TestSummaries(t *testing.T) {
	items := read(t, parentP+source("a", "{make: ["+out("x", "{size: 2}")+", "+out("w", "{}")+"]}")+source("b", "{fail: broken}")+
		owned("x", keyA, keyP, "{size: 1}")+owned("y", keyA, keyP, "{}")+owned("z", keyC, keyP, "{}"))
	plan := run(t, items, mapEdge(items))
	if len(plan.Summaries) != 1 {
		t.Fatalf("one owner has one summary, got %d", len(plan.Summaries))
	}
	s := plan.Summaries[0]
	got := fmt.Sprintf("%s inputs=%d outputs=%d created=%d changed=%d removed=%d failed=%d observed=%d detached=%d",
		s.Owner, s.Inputs, s.Outputs, s.Created, s.Changed, s.Removed, s.FailedKeys, len(s.Observed), len(s.Detached))
	want := keyP + " inputs=2 outputs=2 created=1 changed=1 removed=2 failed=1 observed=3 detached=1"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
