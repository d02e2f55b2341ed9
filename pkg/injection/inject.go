package injection

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Result is the result of injection into a package.
type Result struct {
	// Changed maps every object that changes to its new form.
	Changed map[*krm.Object]*krm.Object
	// Outcomes are those of every injection point, in the order of the files.
	Outcomes Outcomes
	// Kinds are the listed kinds, sorted, each once: a new object of one of them, or a
	// changed one, may change the result. There are none without injectors.
	Kinds []Kind
}

// Inject fills the injection points among items. It tries the injectors in order; the first
// that fits the point and names a listed object wins. It calls list at most once for each kind,
// and never for Secrets. The error says what is wrong with the points, or that the values are too
// large; then it injects nothing.
func Inject(items []*krm.Object, injectors []porchconfig.InjectionSelector, list Lister) (*Result, error) {
	found, faults := points(withFiles(items))
	if len(faults) > 0 {
		return nil, faults
	}
	return fill(found, injectors, list)
}

// fill injects into points, in their order.
func fill(found []point, injectors []porchconfig.InjectionSelector, list Lister) (*Result, error) {
	r := &Result{Changed: map[*krm.Object]*krm.Object{}}
	c := newChooser(injectors, list)
	left := maxInjected
	for _, p := range found {
		chosen := c.choose(p.object)
		out := Outcome{Type: p.conditionType, Required: p.required, Reason: chosen.reason}
		if chosen.value != nil {
			out.Source = chosen.name
			if injected := chosen.into(p.object); injected != p.object {
				r.Changed[p.object] = injected
				left -= chosen.size
			}
		}
		if left < 0 {
			return nil, fmt.Errorf("the values to inject take more than %d MiB together", maxInjected>>20)
		}
		r.Outcomes = append(r.Outcomes, out)
	}
	r.Kinds = c.kinds()
	return r, nil
}

// maxInjected limits the values that one run injects, as contextValue.size counts them: a package may hold a large context
// object and many points, but memory cannot hold the object for each point.
const maxInjected = 64 << 20

// into returns o with the injected field replaced and the name of the source in an annotation. It returns o
// itself if nothing changes.
func (c contextValue) into(o *krm.Object) *krm.Object {
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

// injectedField is the field to copy: data of a ConfigMap, spec of other kinds.
func injectedField(o *krm.Object) string {
	if o.Is("", "ConfigMap") {
		return "data"
	}
	return "spec"
}

// nodesIn counts n and the nodes below it.
func nodesIn(n *yaml.Node) int {
	count := 1
	for _, c := range n.Content {
		count += nodesIn(c)
	}
	return count
}
