package syncing

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/fn"
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

// whyUnmatched says what a selector of an entry asks for, and what comes near among the objects, or namespaces, that it is
// asked about.
func (q *query) whyUnmatched(s labels.Selector, kind string, candidates []*krm.Object, spaces bool) string {
	at := "object.selector"
	if spaces {
		at = "object.namespace.selector"
	}
	var sets []labels.Set
	for _, o := range candidates {
		if !isDeleting(o) && !q.isCopy(o) {
			sets = append(sets, q.x.labelsOf(o))
		}
	}
	return fmt.Sprintf("%s matches no %s: %s%s", at, kind, selection.Text(s), selection.Near(s, sets))
}

// doubted is f, or an error where a selector of the entry matches nothing for a primary, and copies would be deleted whose
// origins are there: a label that is misspelt looks like that.
func (k *kin) doubted(p *primary, f found) found {
	if f.unmatched == "" || f.err != nil || f.pending || k.x.rule.mayBeEmpty || k.cleanup != waybill.CleanupMatchOrigin {
		return f
	}
	for _, o := range k.x.related[p.key][k.entry.Identifier] {
		if origin := k.x.objectOf(correspond.TagsOf(o).Input); origin != nil && !isDeleting(origin) {
			f.err = errors.New(f.unmatched + "; the copies that there are stay; " + selection.HowToAllow)
			return f
		}
	}
	return f
}

// warnUnmatched warns, for files, of entries whose selectors match nothing for any primary, once each.
func (x *index) warnUnmatched(out *Round, all []*kin) {
	if x.world.Live || x.rule.mayBeEmpty { // on API servers, more may come
		return
	}
	for _, k := range all {
		why := ""
		for _, key := range slices.Sorted(maps.Keys(k.found)) {
			f := k.found[key]
			if len(f.pairs) > 0 || f.err != nil || f.pending {
				why = ""
				break
			}
			why = cmp.Or(why, f.unmatched)
		}
		if why != "" {
			out.Results = append(out.Results, fn.NewResult(sdk.Warning, nil, k.permits.at, "%s(%s): %s", Name, k.entry.Identifier, why))
		}
	}
}
