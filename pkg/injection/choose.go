package injection

import (
	"cmp"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Kind names a kind of objects in one version.
type Kind struct{ APIVersion, Kind string }

// contextValue is the value for the injection points of one kind.
type contextValue struct {
	name   string     // of the context object
	value  *yaml.Node // the value to copy; nil if there is none
	size   int        // of value, in bytes, with some for each node
	reason string     // why there is no value; "" if no injector fits
}

// chooser finds the values for injection points. They depend only on the kind of a point, so each kind is looked
// up once.
type chooser struct {
	injectors []porchconfig.InjectionSelector
	list      Lister
	chosen    map[Kind]contextValue
	listed    []Kind
}

func newChooser(injectors []porchconfig.InjectionSelector, list Lister) *chooser {
	return &chooser{injectors: injectors, list: list, chosen: map[Kind]contextValue{}}
}

// kinds are the listed kinds, sorted.
func (c *chooser) kinds() []Kind {
	slices.SortFunc(c.listed, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(a.APIVersion, b.APIVersion), cmp.Compare(a.Kind, b.Kind))
	})
	return c.listed
}

func (c *chooser) choose(o *krm.Object) contextValue {
	kind := Kind{o.APIVersion(), o.Kind()}
	if known, ok := c.chosen[kind]; ok {
		return known
	}
	source, reason := c.find(o)
	found := contextValue{reason: reason}
	if source != nil {
		found = copyField(source, injectedField(o))
	}
	c.chosen[kind] = found
	return found
}

// neverInjected is the reason for points of kind Secret, which are never listed.
const neverInjected = "a Secret is never injected, because injected values are in Git: " +
	"let the package refer to a Secret of the cluster by name"

// find returns the context object for points of o's kind, or nil and the reason. Without a reason
// no injector fits.
func (c *chooser) find(o *krm.Object) (*krm.Object, string) {
	if len(c.injectors) == 0 {
		return nil, "no injectors defined"
	}
	if o.Is("", "Secret") {
		return nil, neverInjected
	}
	c.listed = append(c.listed, Kind{o.APIVersion(), o.Kind()})
	candidates, err := c.list(o.APIVersion(), o.Kind())
	if err != nil {
		return nil, err.Error()
	}
	if len(candidates) == 0 {
		return nil, fmt.Sprintf("no in-cluster resources of type %s.%s", o.APIVersion(), o.Kind())
	}
	byName := make(map[string]*krm.Object, len(candidates))
	for _, o := range slices.Backward(candidates) { // of two with a name, the first
		byName[o.Name()] = o
	}
	for i := range c.injectors {
		if source := byName[c.injectors[i].Name]; source != nil && fits(&c.injectors[i], o) {
			return source, ""
		}
	}
	return nil, ""
}

// fits reports whether o has every part that s sets.
func fits(s *porchconfig.InjectionSelector, o *krm.Object) bool {
	same := func(want *string, have string) bool { return want == nil || *want == have }
	return same(s.Group, o.Group()) && same(s.Version, o.Version()) && same(s.Kind, o.Kind())
}

// copyField is the value of a field of source, as plain data.
func copyField(source *krm.Object, field string) contextValue {
	value := source.Lookup(field)
	if value == nil {
		return contextValue{reason: fmt.Sprintf("field %q not found in resource %q", field, source.Name())}
	}
	plain, err := krm.Value(value)
	var n *yaml.Node
	if err == nil {
		n, err = krm.NodeOf(plain)
	}
	var text []byte
	if err == nil {
		text, err = krm.CanonicalJSON(n)
	}
	if err != nil {
		return contextValue{reason: fmt.Sprintf("field %q of resource %q: %v", field, source.Name(), err)}
	}
	const perNode = 32 // small values in a file take memory, too
	return contextValue{name: source.Name(), value: n, size: len(text) + perNode*nodesIn(n)}
}
