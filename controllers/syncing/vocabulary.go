package syncing

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/workload"
)

// vocabulary knows what API servers call their types: the first that knows one counts. It is of one goroutine at a
// time while rules are made, and knows afterwards what it was asked then.
type vocabulary struct {
	mappers []meta.RESTMapper
	kinds   map[schema.GroupResource][]string
	lookup  map[schema.GroupKind]workload.Resource
	lacks   map[string]bool // types that were not there
	failed  error           // why an API server could not be asked
	closed  bool            // it is asked by many now
}

func newVocabulary(mappers ...meta.RESTMapper) *vocabulary {
	return &vocabulary{mappers: mappers, kinds: map[schema.GroupResource][]string{}, lookup: map[schema.GroupKind]workload.Resource{},
		lacks: map[string]bool{}}
}

// Kinds implements workload.Types.
func (v *vocabulary) Kinds(group, plural string) (kinds []string) {
	of := schema.GroupResource{Group: group, Resource: plural}
	if known, is := v.kinds[of]; is || v.closed {
		return known
	}
	for _, m := range v.mappers {
		found, err := m.KindsFor(of.WithVersion(coreVersion(group)))
		v.note(err)
		for _, gvk := range found {
			if gvk.Group == group && !slices.Contains(kinds, gvk.Kind) {
				kinds = append(kinds, gvk.Kind)
			}
		}
		if len(kinds) > 0 {
			break
		}
	}
	if len(kinds) == 0 {
		v.lacks[of.String()] = true
	}
	slices.Sort(kinds)
	v.kinds[of] = kinds
	return kinds
}

// Lookup implements workload.Types. Once rules are made, what nobody asked for then is not known.
func (v *vocabulary) Lookup(group, kind string) (res workload.Resource) {
	gk := schema.GroupKind{Group: group, Kind: kind}
	if known, is := v.lookup[gk]; is || v.closed {
		return known
	}
	var versions []string
	if version := coreVersion(group); version != "" {
		versions = append(versions, version)
	}
	for _, m := range v.mappers {
		found, err := m.RESTMapping(gk, versions...)
		if v.note(err); err == nil {
			res = workload.Resource{Plural: found.Resource.Resource, Namespaced: found.Scope.Name() == meta.RESTScopeNameNamespace,
				Known: true, ListWatch: true}
			break
		}
	}
	if !res.Known {
		v.lacks[gk.String()] = true
	}
	v.lookup[gk] = res
	return res
}

func (v *vocabulary) note(err error) {
	if err != nil && !meta.IsNoMatchError(err) {
		v.failed = err
	}
}

// lack are the types that were not there.
func (v *vocabulary) lack() []string { return slices.Sorted(maps.Keys(v.lacks)) }

// coreVersion is the version of the core group, whose name a mapper would take for any; "" for others.
func coreVersion(group string) string {
	if group == "" {
		return "v1"
	}
	return ""
}
