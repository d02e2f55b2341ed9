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

// choice is what the injection points of one kind get.
type choice struct {
	name    string     // of the context object
	value   *yaml.Node // what is copied; nil when there is nothing to inject
	size    int        // of value, in bytes, with some for each node
	trouble string     // why there is nothing; "" when no injector fits
}

// chooser finds what injection points get. That depends on their kind alone, so each kind is looked
// up once.
type chooser struct {
	injectors []porchconfig.InjectionSelector
	list      Lister
	chosen    map[Kind]choice
	listed    []Kind
}

func newChooser(injectors []porchconfig.InjectionSelector, list Lister) *chooser {
	return &chooser{injectors: injectors, list: list, chosen: map[Kind]choice{}}
}

// kinds are those that were listed, in order.
func (c *chooser) kinds() []Kind {
	slices.SortFunc(c.listed, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(a.APIVersion, b.APIVersion), cmp.Compare(a.Kind, b.Kind))
	})
	return c.listed
}

func (c *chooser) choose(o *krm.Object) choice {
	kind := Kind{o.APIVersion(), o.Kind()}
	if known, ok := c.chosen[kind]; ok {
		return known
	}
	var found choice
	source, trouble := c.find(o)
	if source == nil {
		found.trouble = trouble
	} else {
		found = copied(source, injectedField(o))
	}
	c.chosen[kind] = found
	return found
}

// neverInjected is said of points that want a Secret, which is never asked for.
const neverInjected = "a Secret is never injected, since what is injected stands in Git: " +
	"have the package refer to a Secret of the cluster by name"

// find returns the context object for points of o's kind, or nil and why there is none. No reason
// means that no injector fits.
func (c *chooser) find(o *krm.Object) (*krm.Object, string) {
	if len(c.injectors) == 0 {
		return nil, "no injectors defined"
	}
	if o.Is("", "Secret") {
		return nil, neverInjected
	}
	candidates, err := c.candidates(o)
	if err != nil {
		return nil, err.Error()
	}
	if len(candidates) == 0 {
		return nil, fmt.Sprintf("no in-cluster resources of type %s.%s", o.APIVersion(), o.Kind())
	}
	byName := make(map[string]*krm.Object, len(candidates))
	for _, o := range slices.Backward(candidates) { // of two of a name, the first
		byName[o.Name()] = o
	}
	for i := range c.injectors {
		if source := byName[c.injectors[i].Name]; source != nil && fits(&c.injectors[i], o) {
			return source, ""
		}
	}
	return nil, ""
}

// candidates lists the context objects of o's kind.
func (c *chooser) candidates(o *krm.Object) ([]*krm.Object, error) {
	c.listed = append(c.listed, Kind{o.APIVersion(), o.Kind()})
	return c.list(o.APIVersion(), o.Kind())
}

// fits reports whether every part that s sets is that of o.
func fits(s *porchconfig.InjectionSelector, o *krm.Object) bool {
	same := func(want *string, have string) bool { return want == nil || *want == have }
	return same(s.Group, o.Group()) && same(s.Version, o.Version()) && same(s.Kind, o.Kind())
}

// copied is the choice of a field of source, as plain data.
func copied(source *krm.Object, field string) choice {
	value := source.Lookup(field)
	if value == nil {
		return choice{trouble: fmt.Sprintf("field %q not found in resource %q", field, source.Name())}
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
		return choice{trouble: fmt.Sprintf("field %q of resource %q: %v", field, source.Name(), err)}
	}
	const perNode = 32 // what is small in a file takes its place in memory, too
	return choice{name: source.Name(), value: n, size: len(text) + perNode*nodesIn(n)}
}
