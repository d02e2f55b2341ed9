package injection

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Result is what injection made of a package.
type Result struct {
	// Changed maps every object that changed to what it became.
	Changed map[*krm.Object]*krm.Object
	// Outcomes tell of every injection point, in the order of the files.
	Outcomes Outcomes
	// Kinds are those that were listed, sorted, each once: a new object of one of them, or a
	// changed one, may change the result. There are none without injectors.
	Kinds []Kind
}

// Inject fills the injection points among items. The injectors are tried in order; the first
// that fits the point and names a listed object wins. list is asked at most once for each kind,
// and never for Secrets. The error says what is wrong with the points themselves, or that too much
// would be injected; then nothing is.
func Inject(items []*krm.Object, injectors []porchconfig.InjectionSelector, list Lister) (*Result, error) {
	found, faults := points(filed(items))
	if len(faults) > 0 {
		return nil, faults
	}
	return fill(found, injectors, list)
}

// fill injects into points, in their order.
func fill(found []point, injectors []porchconfig.InjectionSelector, list Lister) (*Result, error) {
	r := &Result{Changed: map[*krm.Object]*krm.Object{}}
	c := newChooser(injectors, list)
	left := mostInjected
	for _, p := range found {
		chosen := c.choose(p.object)
		out := Outcome{Type: p.conditionType, Required: p.required, Trouble: chosen.trouble}
		if chosen.value != nil {
			out.Source = chosen.name
			if injected := chosen.into(p.object); injected != p.object {
				r.Changed[p.object] = injected
				left -= chosen.size
			}
		}
		if left < 0 {
			return nil, fmt.Errorf("what would be injected takes more than %d MiB, all together", mostInjected>>20)
		}
		r.Outcomes = append(r.Outcomes, out)
	}
	r.Kinds = c.kinds()
	return r, nil
}

// mostInjected bounds what one run puts into a package, as choice.size counts it: a large context
// object and many points are each no more than what a package may hold, and together far more than
// memory does.
const mostInjected = 64 << 20

// into returns o with the injected field replaced whole, and the source's name noted. It returns o
// itself when it is so already.
func (c choice) into(o *krm.Object) *krm.Object {
	field := injectedField(o)
	have := o.Lookup(field)
	there := have != nil && krm.Equivalent(have, c.value)
	if there && o.Annotation(SourceAnnotation) == c.name {
		return o
	}
	injected := o.DeepCopy()
	injected.ExpandAliases()
	if !there {
		krm.SetField(injected.Node(), field, krm.CopyNode(c.value))
	}
	injected.SetAnnotation(SourceAnnotation, c.name)
	return injected
}

// injectedField is the field that is copied: data of a ConfigMap, spec of everything else.
func injectedField(o *krm.Object) string {
	if o.Is("", "ConfigMap") {
		return "data"
	}
	return "spec"
}

// nodesIn counts n and what is below it.
func nodesIn(n *yaml.Node) int {
	count := 1
	for _, c := range n.Content {
		count += nodesIn(c)
	}
	return count
}
