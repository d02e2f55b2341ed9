package apisync

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync/mutation"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/template/text"
)

// filterSelectsNone reports whether the filter selects no source object at all although no setting allows that: a misspelt
// label has that effect, and would delete every copy. In a live snapshot the items are not complete.
func (x *index) filterSelectsNone(sources []*krm.Object) bool {
	switch {
	case x.rule.mayBeEmpty || len(sources) == 0:
		return false
	case x.snapshot.FilterSelects != nil:
		return !x.snapshot.FilterSelects()
	}
	return !slices.ContainsFunc(sources, func(o *krm.Object) bool {
		selected, _ := x.selects(o, x.refs[o])
		return selected
	})
}

const noneSelected = "spec.filter selects no source object at all"

// filterParts says which part of the filter selects nothing, and lists near matches among the objects.
func (x *index) filterParts(sources []*krm.Object) string {
	part := func(name string, s labels.Selector, set func(*krm.Object) labels.Set) string {
		var sets []labels.Set
		for _, o := range sources {
			sets = append(sets, set(o))
		}
		if s == nil || selection.Matches(s, sets) {
			return ""
		}
		return fmt.Sprintf("; %s matches nothing: %s%s", name, selection.Text(s), selection.Near(s, sets))
	}
	return part("resource", x.rule.objects, x.labelsOf) + part("namespace", x.rule.namespaces, func(o *krm.Object) labels.Set {
		return labelsOfNamespace(x.refs[o].Namespace, x.namespaceOf(x.refs[o]))
	})
}

// whyUnmatched describes a selector of an entry that matches nothing, and lists near matches among the candidates.
func (q *query) whyUnmatched(s labels.Selector, kind string, candidates []*krm.Object, ofNamespaces bool) string {
	at := "object.selector"
	if ofNamespaces {
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

// emptyLocator is a locator that gives nothing for a primary: the primary no longer names an object, or the locator is
// misspelt.
type emptyLocator struct {
	locator      *locator
	ofNamespaces bool // it is the locator of namespaces
}

// at is the field of the locator in its entry, and what it is.
func (e *emptyLocator) at() (at, what string) {
	at = "object"
	if e.ofNamespaces {
		at = "object.namespace"
	}
	if e.locator.template != nil {
		return at + ".template", "template"
	}
	return fmt.Sprintf("%s.reference.path %s", at, e.locator.path), "path"
}

// keepOnEmptySelection turns the result of an entry into an error where a selector matches nothing for a primary, or a
// reference or template that seems misspelt gives nothing, and existing origins would lose their copies. Where the entry
// names another origin that does not exist, the result is pending until it does.
func (r *relatedObjects) keepOnEmptySelection() {
	if r.x.rule.mayBeEmpty || r.cleanup != waybill.CleanupMatchOrigin {
		return
	}
	nowhere := r.isEmptyEverywhere()
	for _, p := range r.x.primaries {
		f := r.found[p.key]
		if !r.isKnown(p.key) || len(f.pairs) > 0 {
			continue
		}
		for _, o := range r.x.related[p.key][r.entry.Identifier] {
			origin := r.x.objectOf(applyset.TagsOf(o).Input)
			if origin == nil || isDeleting(origin) {
				continue
			}
			f.err = r.whyKept(p, f, origin, nowhere)
			f.pending = f.err == nil && f.absent != ""
			if f.err != nil || f.pending {
				r.found[p.key] = f
				break
			}
		}
	}
}

// isEmptyEverywhere reports whether the entry's reference or template gives nothing for any primary. A live snapshot has
// one primary at a time: there it reports whether the entry has found nothing since it was compiled.
func (r *relatedObjects) isEmptyEverywhere() bool {
	if r.x.snapshot.Live {
		return !r.proven.Load()
	}
	for _, f := range r.found {
		if f.empty == nil || f.err != nil || f.pending {
			return false
		}
	}
	return true
}

// whyKept says why a copy of an origin stays although the entry finds nothing for a primary; nil when it may be deleted.
func (r *relatedObjects) whyKept(p *primary, f found, origin *krm.Object, nowhere bool) error {
	const stay = "; the existing copies stay; "
	switch {
	case f.unmatched != "":
		return errors.New(f.unmatched + stay + selection.HowToAllow)
	case f.empty == nil:
		return nil
	}
	at, what := f.empty.at()
	if field := r.fieldNaming(p, f.empty, origin); field != "" {
		return fmt.Errorf("%s gives nothing, but %s still names the %s %s%scorrect the %s, or %s",
			at, field, r.Origin.Kind, origin.Name(), stay, what, selection.SetAnnotation)
	}
	if nowhere {
		return fmt.Errorf("%s gives nothing for any %s%scorrect the %s, or %s", at, r.namingObject(p).Kind(), stay, what, selection.SetAnnotation)
	}
	return nil
}

// fieldNaming is the field of a primary that still has the name of an origin, or its namespace; "" when there is none. Of
// several it is the one whose path is the most similar.
func (r *relatedObjects) fieldNaming(p *primary, s *emptyLocator, origin *krm.Object) string {
	name := origin.Name()
	if s.ofNamespaces {
		name = r.x.refs[origin].Namespace
	}
	data, err := r.x.doc(r.namingObject(p)).text()
	if err != nil || name == "" || s.locator.pattern.isConstant() {
		return ""
	}
	left := text.NewAllowance()
	paths := mutation.Find(data, func(path, value string) bool {
		became, err := s.locator.pattern.apply(left, value)
		return err == nil && became == name && !strings.HasPrefix(path, "metadata.")
	})
	if paths = append(selection.Similar(s.locator.path, paths), paths...); len(paths) > 0 {
		return paths[0]
	}
	return ""
}

// namingObject is the primary's object on the side of the origins, which names them.
func (r *relatedObjects) namingObject(p *primary) *krm.Object {
	if !r.FromSource {
		return p.copy
	}
	return p.object
}

// warnUnmatched warns, for files, about a filter that selects nothing, and about entries whose selectors match nothing for
// any primary, once each.
func (x *index) warnUnmatched(out *Round, all []*relatedObjects) {
	if x.snapshot.Live || x.rule.mayBeEmpty { // API servers may get more objects later
		return
	}
	if x.unmatched != "" {
		out.report(sdk.Warning, nil, field.NewPath("spec", "filter"), "%s(%s): %s", Name, x.rule.name, x.unmatched)
	}
	for _, k := range all {
		why := ""
		for _, key := range slices.Sorted(maps.Keys(k.found)) {
			if !k.isKnown(key) || len(k.found[key].pairs) > 0 {
				why = ""
				break
			}
			why = cmp.Or(why, k.found[key].unmatched)
		}
		if why != "" {
			out.report(sdk.Warning, nil, k.permits.at, "%s(%s): %s", Name, k.entry.Identifier, why)
		}
	}
}

// reportAbsent reports primaries whose existing copies stay because the origins that they name now do not exist.
func (x *index) reportAbsent(out *Round, all []*relatedObjects) {
	for _, k := range all {
		for _, key := range slices.Sorted(maps.Keys(k.found)) {
			if f := k.found[key]; f.pending && f.absent != "" {
				why := fmt.Sprintf("%s(%s %s): %s does not exist; the existing copies stay until it does", Name, k.entry.Identifier,
					key, f.absent)
				out.Waiting = append(out.Waiting, why)
				out.report(sdk.Warning, x.byKey[key].object, nil, "%s", why)
			}
		}
	}
}
