package transform

import (
	"fmt"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// sideEffect is what a removal in place does to the next render. It is reported once, with the objects that it affects.
type sideEffect struct {
	at   string      // path of the removal in by
	by   *krm.Object // the CustomTransform; nil for cleaning
	what string      // the field
	why  string      // it must stay
}

// affected are the objects that a side effect affects.
type affected struct {
	first *krm.Object
	n     int
}

const instead = "remove custom-transform from the pipeline and set customTransforms: apply in bundle-manifestwork, " +
	"which removes from what ships"

// addLabels adds every label of s that after does not have although a policy selects by it.
func (t *transformer) addLabels(s *subject, after *krm.Object, removals []removal) {
	if len(t.readers) == 0 {
		return
	}
	left := after.Labels()
	for label := range s.object.Labels() {
		if _, stays := left[label]; stays {
			continue
		}
		for _, policy := range t.selectingBy(s, label) {
			t.addField(s, removals, append(slices.Clone(inLabels), label), fmt.Sprintf("label %q", label),
				fmt.Sprintf("by which BindingPolicy %q selects: the next render would select differently", policy))
		}
	}
}

// selectingBy are the policies whose selection a label of s may change.
func (t *transformer) selectingBy(s *subject, label string) (policies []string) {
	for _, r := range t.readers {
		if r.reads(s, label) && !slices.Contains(policies, r.policy) {
			policies = append(policies, r.policy)
		}
	}
	return policies
}

// addNodePorts adds a Service that keeps node ports but not the annotation that preserves them.
// The next cleaning would change its version in Bindings and what ships.
func (t *transformer) addNodePorts(s *subject, after *krm.Object, removals []removal) {
	if isService(after) && preservesNodePorts(s.object) && !preservesNodePorts(after) && hasNodePorts(after) {
		t.addField(s, removals, append(slices.Clone(inAnnotations), preserveAnnotation), fmt.Sprintf("annotation %q", preserveAnnotation),
			"without which its node ports are cleaned away and its version in Bindings is another")
	}
}

// addDefinition adds a CustomResourceDefinition that no longer declares the same plural and scope of its kind: the next render
// would treat its objects differently.
func (t *transformer) addDefinition(s *subject, after *krm.Object, removals []removal) {
	if workload.SameDefinition(s.object, after) {
		return
	}
	for _, r := range removals {
		if slices.ContainsFunc(workload.DefinitionFields(), func(at []string) bool {
			return slices.Equal(r.path, at[:min(len(r.path), len(at))]) && s.object.Lookup(r.path...) != nil
		}) {
			t.count(s, sideEffect{r.at, r.by, r.path.String(),
				"by which the name and scope of its kind are known: the next render would not know them"})
		}
	}
}

func hasNodePorts(o *krm.Object) bool {
	ports := o.Lookup("spec", "ports")
	return ports != nil && slices.ContainsFunc(ports.Content, func(port *yaml.Node) bool {
		return krm.Lookup(port, "nodePort") != nil
	})
}

// addField adds the side effect of every removal of the field at path, or of a map around it; of cleaning if there is none.
func (t *transformer) addField(s *subject, removals []removal, path Path, what, why string) {
	found := false
	for _, r := range removals {
		if len(r.path) > 0 && slices.Equal(r.path, path[:min(len(r.path), len(path))]) {
			t.count(s, sideEffect{r.at, r.by, what, why})
			found = true
		}
	}
	if !found {
		t.count(s, sideEffect{"clean", nil, what, why})
	}
}

func (t *transformer) count(s *subject, e sideEffect) {
	if t.effects[e] == nil {
		t.effects[e] = &affected{first: s.object}
	}
	t.effects[e].n++
}

// reportSideEffects reports each side effect once.
func (t *transformer) reportSideEffects() {
	for e, objects := range t.effects {
		from := objects.first.Describe()
		if objects.n > 1 {
			from += fmt.Sprintf(" and %d more", objects.n-1)
		}
		about, text := e.by, fmt.Sprintf("Invalid %s: it removes %s of %s, %s; %s", e.at, e.what, from, e.why, instead)
		if e.by == nil {
			about, text = t.config, fmt.Sprintf("clean removes %s of %s, %s; leave clean off: bundle-manifestwork cleans what ships",
				e.what, from, e.why)
			e.at = fn.OptionsPath(t.config).Child(e.at).String()
		}
		r := fn.NewResult(sdk.Error, about, nil, "%s", text)
		r.Field = &sdk.Field{Path: e.at}
		t.results = append(t.results, r)
	}
}
