package render

import (
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// scope is what a function receives of the items: all, or those that its selectors match.
type scope struct {
	all, in []*krm.Object
	limited bool
}

// selectItems applies the function's selectors (an item must match one of them) and exclusions
// (it must match none). An item is passed once, however many selectors it matches.
func selectItems(f *kptfilev1.Function, items []*krm.Object) scope {
	s := scope{all: items, in: items}
	if len(f.Selectors) == 0 && len(f.Exclusions) == 0 {
		return s
	}
	s.limited, s.in = true, nil
	for _, o := range items {
		if (len(f.Selectors) == 0 || anyMatches(f.Selectors, o, true)) && !anyMatches(f.Exclusions, o, false) {
			s.in = append(s.in, o)
		}
	}
	return s
}

// anyMatches reports whether a selector matches o; an empty selector matches if emptyMatches.
func anyMatches(selectors []kptfilev1.Selector, o *krm.Object, emptyMatches bool) bool {
	for i := range selectors {
		s := &selectors[i]
		if s.IsEmpty() && len(s.Labels) == 0 && len(s.Annotations) == 0 {
			if emptyMatches {
				return true
			}
		} else if matches(s, o) {
			return true
		}
	}
	return false
}

func matches(s *kptfilev1.Selector, o *krm.Object) bool {
	return (s.APIVersion == "" || s.APIVersion == o.APIVersion()) &&
		(s.Kind == "" || s.Kind == o.Kind()) &&
		(s.Name == "" || s.Name == o.Name()) &&
		(s.Namespace == "" || s.Namespace == o.Namespace()) &&
		holds(o.Labels(), s.Labels) && holds(o.Annotations(), s.Annotations)
}

func holds(have, want map[string]string) bool {
	for k, v := range want {
		if got, ok := have[k]; !ok || got != v {
			return false
		}
	}
	return true
}

// merge puts what the function returned back among the items it did not receive: an item that it returned
// takes its old place, one that it did not return is dropped, a new one comes at the end.
func (s scope) merge(out []returned) []*krm.Object {
	if !s.limited {
		items := make([]*krm.Object, len(out))
		for i, r := range out {
			items[i] = r.now
		}
		return items
	}
	received := sets.New(s.in...)
	now := make(map[*krm.Object]*krm.Object, len(out))
	var added []*krm.Object
	for _, r := range out {
		if r.was != nil {
			now[r.was] = r.now
		} else {
			added = append(added, r.now)
		}
	}
	var items []*krm.Object
	for _, o := range s.all {
		if !received.Has(o) {
			items = append(items, o)
		} else if n := now[o]; n != nil {
			items = append(items, n)
		}
	}
	return append(items, added...)
}
