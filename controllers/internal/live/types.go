package live

import (
	"maps"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/workload"
)

// Types implements workload.Types with API servers; the first that knows a type counts. It keeps its answers about types that
// exist, and for ten seconds that one does not.
type Types struct {
	mappers []meta.RESTMapper

	mu      sync.Mutex
	kinds   map[schema.GroupResource]answer[[]string]
	lookups map[schema.GroupKind]answer[workload.Resource]
	missing map[string]bool
	err     error
	frozen  bool
}

type answer[T any] struct {
	value T
	until time.Time // zero: always
}

func (a answer[T]) isValid() bool { return a.until.IsZero() || time.Now().Before(a.until) }

// NewTypes returns the types of these servers.
func NewTypes(servers ...*Server) *Types {
	t := &Types{kinds: map[schema.GroupResource]answer[[]string]{}, lookups: map[schema.GroupKind]answer[workload.Resource]{},
		missing: map[string]bool{}}
	for _, s := range servers {
		t.mappers = append(t.mappers, s.Mapper())
	}
	return t
}

// Freeze stops all requests: a type that is not known yet is then unknown.
func (t *Types) Freeze() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.frozen = true
}

// Missing lists the types that no server has. The error says why a server did not answer.
func (t *Types) Missing() ([]string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Sorted(maps.Keys(t.missing)), t.err
}

// Kinds implements workload.Types.
func (t *Types) Kinds(group, plural string) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := schema.GroupResource{Group: group, Resource: plural}
	if a, ok := t.kinds[of]; t.frozen || ok && a.isValid() {
		return a.value
	}
	kinds, err := t.requestKinds(of)
	t.kinds[of] = answer[[]string]{kinds, t.validUntil(of.String(), len(kinds) > 0, err)}
	return kinds
}

func (t *Types) requestKinds(of schema.GroupResource) (kinds []string, failed error) {
	for _, m := range t.mappers {
		found, err := m.KindsFor(of.WithVersion(coreVersion(of.Group)))
		if err != nil && !meta.IsNoMatchError(err) {
			failed = err
		}
		for _, gvk := range found {
			if gvk.Group == of.Group && !slices.Contains(kinds, gvk.Kind) {
				kinds = append(kinds, gvk.Kind)
			}
		}
		if len(kinds) > 0 {
			break
		}
	}
	slices.Sort(kinds)
	return kinds, failed
}

// Lookup implements workload.Types.
func (t *Types) Lookup(group, kind string) workload.Resource {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := schema.GroupKind{Group: group, Kind: kind}
	if a, ok := t.lookups[of]; t.frozen || ok && a.isValid() {
		return a.value
	}
	res, err := t.requestLookup(of)
	t.lookups[of] = answer[workload.Resource]{res, t.validUntil(of.String(), res.Known, err)}
	return res
}

func (t *Types) requestLookup(of schema.GroupKind) (res workload.Resource, failed error) {
	var versions []string
	if v := coreVersion(of.Group); v != "" {
		versions = append(versions, v)
	}
	for _, m := range t.mappers {
		found, err := m.RESTMapping(of, versions...)
		if err == nil {
			return workload.Resource{Plural: found.Resource.Resource, Namespaced: found.Scope.Name() == meta.RESTScopeNameNamespace,
				Known: true, ListWatch: true}, failed
		}
		if !meta.IsNoMatchError(err) {
			failed = err
		}
	}
	return res, failed
}

// validUntil is how long an answer is kept. It notes missing types, and why a server did not answer.
func (t *Types) validUntil(name string, found bool, err error) time.Time {
	const retryAfter = 10 * time.Second
	if err != nil {
		t.err = err
	}
	switch {
	case found:
		return time.Time{}
	case err == nil:
		t.missing[name] = true
	}
	return time.Now().Add(retryAfter)
}

// coreVersion is the version of the core group, for whose empty name a mapper would take any group; empty for other groups.
func coreVersion(group string) string {
	if group == "" {
		return "v1"
	}
	return ""
}
