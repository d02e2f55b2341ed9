package translation

import (
	"fmt"
	"iter"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
)

// dependencies are the resources on which unchanged Translations depend.
type dependencies struct {
	by       map[string]*krm.Object // the first Translation by name that refers to an id
	provided map[string]bool        // ids of resources after the run
}

// provided are the ids of desired resources, and of those that stay; "" for resources without one.
func (t *translator) provided() iter.Seq[string] {
	return func(yield func(string) bool) {
		for tr := range t.desired() {
			if !yieldIDs(tr.Resources, yield) {
				return
			}
		}
		for _, o := range t.translations(t.isFixed) {
			if !yieldIDs(resourcesOf(o), yield) {
				return
			}
		}
	}
}

func yieldIDs(resources []api.Resource, yield func(string) bool) bool {
	for _, r := range resources {
		if !yield(midonet.OwnID(r)) {
			return false
		}
	}
	return true
}

// findDependencies finds the dependencies once the held Translations are known. It is lazy, as few runs remove a resource
// in place.
func (t *translator) findDependencies() *dependencies {
	if t.dependencies != nil {
		return t.dependencies
	}
	t.dependencies = &dependencies{map[string]*krm.Object{}, map[string]bool{}}
	for id := range t.provided() {
		t.dependencies.provided[id] = true
	}
	for _, o := range t.translations(t.isFixed) {
		for _, r := range resourcesOf(o) {
			for _, id := range midonet.Mentions(r) {
				if t.dependencies.by[id] == nil {
					t.dependencies.by[id] = o
				}
			}
		}
	}
	return t.dependencies
}

// checkDependents returns an error if a change in place would remove a resource on which another, unchanged Translation
// depends. The old Translation cannot be held for that: the new one has its name.
func (t *translator) checkDependents(old, new *krm.Object) error {
	still := map[string]bool{}
	for _, r := range resourcesOf(new) {
		still[midonet.OwnID(r)] = true
	}
	for _, r := range resourcesOf(old) {
		id := midonet.OwnID(r)
		if id == "" || still[id] || t.findDependencies().provided[id] || t.findDependencies().by[id] == nil {
			continue
		}
		by := t.rootOf(t.findDependencies().by[id])
		name := t.ref(by).Namespace + "/" + t.ref(by).Name
		return fmt.Errorf("%s would be deleted%s, and Translation %s, which does not change, depends on it; %sdelete %s, push, then render; %s",
			midonet.Describe(r), t.otherTenant(), name, t.missingInputHint(by), name, keeping)
	}
	return nil
}

// rootOf is o or, when o is held, the Translation for which it is held in the end.
func (t *translator) rootOf(o *krm.Object) *krm.Object {
	if h, held := t.held[t.ref(o).ID]; held {
		return h.root
	}
	return o
}

// missingInputHint asks for the input of a Translation that stays because the input is missing; "" when it stays for
// another reason.
func (t *translator) missingInputHint(o *krm.Object) string {
	tags := applyset.TagsOf(o)
	if tags.Controller != t.controller || tags.Owner == globalKey || t.byKey[tags.Owner] != nil {
		return ""
	}
	return "add its input " + tags.Owner + " to the package, or "
}
