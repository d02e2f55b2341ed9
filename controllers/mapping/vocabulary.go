package mapping

import (
	"maps"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/workload"
)

// vocabulary knows what an API server calls its types. What it has been told it keeps; that there is no such
// type, for a while.
type vocabulary struct {
	mapper meta.RESTMapper

	mu     sync.Mutex
	kinds  map[schema.GroupResource]answer[[]string]
	lookup map[schema.GroupKind]answer[workload.Resource]
	lacks  map[string]bool // types that were not there
	failed error           // why the API server could not be asked
}

// answer is one that is good for a while, or for ever.
type answer[T any] struct {
	value T
	until time.Time
}

func (a answer[T]) isGood() bool { return a.until.IsZero() || time.Now().Before(a.until) }

func newVocabulary(mapper meta.RESTMapper) *vocabulary {
	return &vocabulary{mapper: mapper, kinds: map[schema.GroupResource]answer[[]string]{},
		lookup: map[schema.GroupKind]answer[workload.Resource]{},
		lacks:  map[string]bool{}}
}

// Kinds implements mapping.Types.
func (t *vocabulary) Kinds(group, plural string) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := schema.GroupResource{Group: group, Resource: plural}
	if a, is := t.kinds[of]; is && a.isGood() {
		return a.value
	}
	found, err := t.mapper.KindsFor(of.WithVersion(coreVersion(group)))
	var kinds []string
	for _, gvk := range found {
		if gvk.Group == group && !slices.Contains(kinds, gvk.Kind) {
			kinds = append(kinds, gvk.Kind)
		}
	}
	slices.Sort(kinds)
	t.kinds[of] = answer[[]string]{kinds, t.until(of.String(), len(kinds) > 0, err)}
	return kinds
}

// Lookup implements mapping.Types.
func (t *vocabulary) Lookup(group, kind string) workload.Resource {
	t.mu.Lock()
	defer t.mu.Unlock()
	gk := schema.GroupKind{Group: group, Kind: kind}
	if a, is := t.lookup[gk]; is && a.isGood() {
		return a.value
	}
	res := workload.Resource{}
	var versions []string
	if v := coreVersion(group); v != "" {
		versions = append(versions, v)
	}
	found, err := t.mapper.RESTMapping(gk, versions...)
	if err == nil {
		res = workload.Resource{Plural: found.Resource.Resource, Namespaced: found.Scope.Name() == meta.RESTScopeNameNamespace,
			Known: true, ListWatch: true}
	}
	t.lookup[gk] = answer[workload.Resource]{res, t.until(gk.String(), res.Known, err)}
	return res
}

// coreVersion is the version of the core group, whose name a mapper would take for any; "" for others.
func coreVersion(group string) string {
	if group == "" {
		return "v1"
	}
	return ""
}

// until is how long an answer is good, and notes what was wrong with it.
func (t *vocabulary) until(name string, found bool, err error) time.Time {
	const while = 10 * time.Second
	switch {
	case found:
		return time.Time{}
	case err == nil || meta.IsNoMatchError(err):
		t.lacks[name] = true
	default:
		t.failed = err
	}
	return time.Now().Add(while)
}

// lack are the types that were not there, and why the API server could not be asked.
func (t *vocabulary) lack() (lacks []string, failed error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Sorted(maps.Keys(t.lacks)), t.failed
}
