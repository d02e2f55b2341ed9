package applyset_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// adopting is a rule that adopts existing objects, and keeps its state in an item.
func adopting(adopt applyset.Adoption, edit ...func(*applyset.Edge)) func([]*krm.Object) applyset.Edge {
	return func(items []*krm.Object) applyset.Edge {
		e := edge(items)
		e.Merge, e.State, e.Adopt, e.View, e.AllowEmpty = applyset.ThreeWay, applyset.InItem, adopt, applyset.Complete, true
		for _, f := range edit {
			f(&e)
		}
		return e
	}
}

// without is the items except those of a kind.
func without(items []*krm.Object, kind string) []*krm.Object {
	return slices.DeleteFunc(slices.Clone(items), func(o *krm.Object) bool { return o.Kind() == kind })
}

// change is items with an edited copy of the output.
func change(items []*krm.Object, edit func(*krm.Object)) []*krm.Object {
	items = slices.Clone(items)
	for i, o := range items {
		if o.Kind() == "Out" {
			items[i] = o.DeepCopy()
			edit(items[i])
		}
	}
	return items
}

func stripped(o *krm.Object) {
	o.RemoveAnnotations(func(name string) bool { return strings.HasPrefix(name, "waybill.dev/") })
	krm.RemoveField(o.Lookup("metadata"), "labels")
}

// TestAdoptedIsNeverDeleted adopts an object and deletes everything that it was adopted for.
func TestAdoptedIsNeverDeleted(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		adopt  applyset.Adoption
		damage func([]*krm.Object) []*krm.Object // after it was adopted
		rule   func(*applyset.Edge)              // from then on
	}{
		"converge": {reason: "whose content was there", adopt: applyset.Converge},
		"preserve": {reason: "likewise", adopt: applyset.Preserve},
		"nothing is wanted": {reason: "the input is there and asks for nothing", adopt: applyset.Converge, damage: func(items []*krm.Object) []*krm.Object {
			return append(read(t, source("a", "{make: []}")), without(items, "Source")...)
		}},
		"by the tombstone": {reason: "whichever group requests it", adopt: applyset.Converge, rule: func(e *applyset.Edge) {
			e.Tombstone = func(context.Context, *applyset.Group) applyset.Outcome { return applyset.Outputs() }
		}},
		"annotation taken off": {reason: "the state knows it, too", adopt: applyset.Converge, damage: func(items []*krm.Object) []*krm.Object {
			return change(items, func(o *krm.Object) {
				o.RemoveAnnotations(func(name string) bool { return name == applyset.AdoptedAnnotation })
			})
		}},
		"state lost": {reason: "the annotation is enough", adopt: applyset.Converge, damage: func(items []*krm.Object) []*krm.Object { return without(items, applyset.StateKind) }},
	} {
		t.Run(name, func(t *testing.T) {
			rule := adopting(tc.adopt)
			items := read(t, sourceA+free)
			items = run(t, items, rule(items)).Items
			if got := outs(items)[0].Annotation(applyset.AdoptedAnnotation); got == "" {
				t.Fatalf("it is not marked as adopted:\n%s", dump(t, items))
			}
			if tc.damage != nil {
				items = tc.damage(items)
			}
			if name != "nothing is wanted" {
				items = without(items, "Source")
			}
			e := rule(items)
			if tc.rule != nil {
				tc.rule(&e)
			}
			plan := run(t, items, e)
			left := outs(plan.Items)
			if len(left) != 1 || left[0].Annotation(applyset.OwnerAnnotation) != "" || left[0].String("spec", "more") != "true" {
				t.Errorf("%s: it is released; got\n%s", tc.reason, dump(t, plan.Items))
			}
			for _, op := range plan.Operations {
				if op.Action != applyset.ActionOrphan {
					t.Errorf("%s: %s %s", tc.reason, op.Action, op.Ref)
				}
			}
			if again := run(t, plan.Items, rule(plan.Items)); len(again.Operations) > 0 && name != "nothing is wanted" {
				t.Errorf("the next run has something to do: %v", again.Operations[0].Action)
			}
		})
	}
}

func outs(items []*krm.Object) (found []*krm.Object) {
	for _, o := range items {
		if o.Kind() == "Out" {
			found = append(found, o)
		}
	}
	return found
}

// TestAdoptedIsChangedInPlace has a rule that recreates objects: it updates an adopted object in place.
func TestAdoptedIsChangedInPlace(t *testing.T) {
	rule := adopting(applyset.Converge, func(e *applyset.Edge) { e.UpdateOf = always(applyset.Recreate) })
	items := read(t, sourceA+free)
	items = run(t, items, rule(items)).Items
	items = append(read(t, source("a", "{make: [{apiVersion: v1, kind: Out, metadata: {name: x, namespace: n}, spec: {size: 3}}]}")), without(items, "Source")...)
	plan := run(t, items, rule(items))
	if len(plan.Operations) != 1 || plan.Operations[0].Action != applyset.ActionUpdate {
		t.Errorf("want one update, got %v", plan.Operations)
	}
}

// TestDeleteAdopted deletes adopted outputs where the rule says so.
func TestDeleteAdopted(t *testing.T) {
	rule := adopting(applyset.Converge, func(e *applyset.Edge) { e.DeleteAdopted = true })
	items := read(t, sourceA+free)
	items = run(t, items, rule(items)).Items
	plan := run(t, without(items, "Source"), rule(without(items, "Source")))
	if len(outs(plan.Items)) > 0 {
		t.Errorf("it still exists:\n%s", dump(t, plan.Items))
	}
}

// TestLostTags removes all tags of an output: the engine recognizes it by all that was last applied to it, and by nothing less.
func TestLostTags(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		edit   func(*krm.Object)
		mended bool
	}{
		"all tags":  {"it holds all that was applied", stripped, true},
		"and more":  {"and what others added", func(o *krm.Object) { stripped(o); krm.SetField(o.Lookup("spec"), "theirs", krm.StringNode("x")) }, true},
		"recreated": {"an object with other content is another one", func(o *krm.Object) { stripped(o); krm.SetField(o.Lookup("spec"), "size", krm.StringNode("9")) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			rule := adopting(applyset.Never)
			items := read(t, sourceA)
			items = run(t, items, rule(items)).Items
			items = change(items, tc.edit)
			plan := run(t, items, rule(items))
			if plan.Failed() == tc.mended {
				t.Errorf("%s: %v", tc.reason, results(plan))
			}
			if got := outs(plan.Items)[0]; got.Annotation(applyset.AdoptedAnnotation) != "" || (got.Annotation(applyset.OwnerAnnotation) != "") != tc.mended {
				t.Errorf("%s; got\n%s", tc.reason, dump(t, plan.Items))
			}
		})
	}
}
