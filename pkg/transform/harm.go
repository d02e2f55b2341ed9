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

// harm is what a removal in place does to the next render. In most cases it is done to many
// objects and reported once.
type harm struct {
	at   string      // of the removal, in by
	by   *krm.Object // the CustomTransform; nil: cleaning
	what string      // is removed
	why  string      // it must not be
}

// tally counts the objects that a harm is done to.
type tally struct {
	first *krm.Object
	n     int
}

const instead = "take custom-transform out of the pipeline and give bundle-manifestwork customTransforms: apply, " +
	"which removes from what ships"

// noteLabels notes every label of s that is gone from after although a policy selects by it.
func (t *transformer) noteLabels(s *subject, after *krm.Object, removals []removal) {
	if len(t.readers) == 0 {
		return
	}
	left := after.Labels()
	for label := range s.object.Labels() {
		if _, stays := left[label]; stays {
			continue
		}
		for _, policy := range t.selectingBy(s, label) {
			t.note(s, removals, append(slices.Clone(inLabels), label), fmt.Sprintf("label %q", label),
				fmt.Sprintf("by which BindingPolicy %q selects: the next render would select differently", policy))
		}
	}
}

// selectingBy names the policies that may select, or pass over, something because of a label of s.
func (t *transformer) selectingBy(s *subject, label string) (policies []string) {
	for _, r := range t.readers {
		if r.reads(s, label) && !slices.Contains(policies, r.policy) {
			policies = append(policies, r.policy)
		}
	}
	return policies
}

// noteNodePorts notes a Service that keeps node ports but not the annotation that preserves them.
// Its version in Bindings, and what ships, would change with the next cleaning.
func (t *transformer) noteNodePorts(s *subject, after *krm.Object, removals []removal) {
	if isService(after) && preservesNodePorts(s.object) && !preservesNodePorts(after) && hasNodePorts(after) {
		t.note(s, removals, append(slices.Clone(inAnnotations), preserveAnnotation), fmt.Sprintf("annotation %q", preserveAnnotation),
			"without which its node ports are cleaned away and its version in Bindings is another")
	}
}

// noteDefinition notes a CustomResourceDefinition that no longer says, or says otherwise, what its
// kind is called and where its objects live: the next render would take them for something else.
func (t *transformer) noteDefinition(s *subject, after *krm.Object, removals []removal) {
	if workload.TeachesLike(s.object, after) {
		return
	}
	for _, r := range removals {
		if slices.ContainsFunc(workload.DefinitionFields(), func(at []string) bool {
			return slices.Equal(r.path, at[:min(len(r.path), len(at))]) && s.object.Lookup(r.path...) != nil
		}) {
			t.count(s, harm{r.at, r.by, r.path.String(), "by which the name and scope of its kind are known: the next render would not know them"})
		}
	}
}

func hasNodePorts(o *krm.Object) bool {
	ports := o.Lookup("spec", "ports")
	return ports != nil && slices.ContainsFunc(ports.Content, func(port *yaml.Node) bool {
		return krm.Lookup(port, "nodePort") != nil
	})
}

// note blames every removal that takes the field at path, or the map it stands in, from s; cleaning
// when there is none.
func (t *transformer) note(s *subject, removals []removal, path Path, what, why string) {
	blamed := false
	for _, r := range removals {
		if len(r.path) > 0 && slices.Equal(r.path, path[:min(len(r.path), len(path))]) {
			t.count(s, harm{r.at, r.by, what, why})
			blamed = true
		}
	}
	if !blamed {
		t.count(s, harm{"clean", nil, what, why})
	}
}

func (t *transformer) count(s *subject, h harm) {
	if t.harm[h] == nil {
		t.harm[h] = &tally{first: s.object}
	}
	t.harm[h].n++
}

// reportHarm reports what was noted, each harm once.
func (t *transformer) reportHarm() {
	for h, objects := range t.harm {
		from := objects.first.Describe()
		if objects.n > 1 {
			from += fmt.Sprintf(" and %d more", objects.n-1)
		}
		about, text := h.by, fmt.Sprintf("Invalid %s: it removes %s of %s, %s; %s", h.at, h.what, from, h.why, instead)
		if h.by == nil {
			about, text = t.config, fmt.Sprintf("clean removes %s of %s, %s; leave clean off: bundle-manifestwork cleans what ships",
				h.what, from, h.why)
			h.at = optionPath(t.config, h.at).String()
		}
		r := fn.NewResult(sdk.Error, about, nil, "%s", text)
		r.Field = &sdk.Field{Path: h.at}
		t.results = append(t.results, r)
	}
}
