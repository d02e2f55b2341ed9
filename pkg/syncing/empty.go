package syncing

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// filterSelectsNone reports whether the filter selects no source object at all, which nobody has said may be: a label that
// is misspelt looks like that, and every copy would be deleted. In a live world the items are not all there are.
func (x *index) filterSelectsNone(sources []*krm.Object) bool {
	switch {
	case x.rule.mayBeEmpty || len(sources) == 0:
		return false
	case x.world.FilterSelects != nil:
		return !x.world.FilterSelects()
	}
	return !slices.ContainsFunc(sources, func(o *krm.Object) bool {
		selected, _ := x.selects(o, x.refs[o])
		return selected
	})
}

// filterText says which part of the filter selects nothing, and what comes near among the objects that are seen.
func (x *index) filterText(sources []*krm.Object) string {
	const why = "spec.filter selects no source object at all, so its copy stays"
	part := func(name string, s labels.Selector, set func(*krm.Object) labels.Set) string {
		if s == nil {
			return ""
		}
		var sets []labels.Set
		for _, o := range sources {
			sets = append(sets, set(o))
		}
		if selection.Matches(s, sets) {
			return ""
		}
		return fmt.Sprintf("; %s matches nothing: %s%s", name, selection.Text(s), selection.Near(s, sets))
	}
	return why +
		part("resource", x.rule.objects, func(o *krm.Object) labels.Set { return o.Labels() }) +
		part("namespace", x.rule.namespaces, func(o *krm.Object) labels.Set {
			ref := x.refs[o]
			ref.ID = krm.ID{Kind: "Namespace", Name: ref.Namespace}
			return labelsOfSpace(ref.Name, x.byRef[ref])
		}) + "; " + selection.HowToAllow
}
