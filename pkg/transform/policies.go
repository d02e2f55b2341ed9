package transform

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// namespaceLabel is the label that every Namespace is taken to have, whether it is written or not.
const namespaceLabel = "kubernetes.io/metadata.name"

// reader is a list of selectors in a clause of a BindingPolicy, as something that reads labels.
type reader struct {
	policy       string
	clause       *control.DownsyncClause
	ofNamespaces bool // it reads labels of Namespaces for the sake of what is in them
	labels       map[string]bool
}

// readPolicies lists what reads labels, in an order that does not depend on that of items. A
// policy that cannot be read might select by anything, so it is an error.
func (t *transformer) readPolicies(items []*krm.Object) {
	var policies []*krm.Object
	for _, o := range items {
		if o.Is(control.Group, control.KindBindingPolicy) {
			policies = append(policies, o)
		}
	}
	slices.SortFunc(policies, workload.Compare)
	for _, o := range policies {
		p, errs := control.DecodeBindingPolicy(o)
		t.fault(o, errs)
		if len(errs) > 0 {
			continue
		}
		for i := range p.Spec.Downsync {
			c := &p.Spec.Downsync[i]
			t.readers = append(t.readers, reader{p.Name, c, false, labelsIn(c.ObjectSelectors)},
				reader{p.Name, c, true, labelsIn(c.NamespaceSelectors)})
		}
	}
}

// labelsIn is every label that selectors name: none when one of them is empty, since the list
// matches everything then.
func labelsIn(selectors []metav1.LabelSelector) map[string]bool {
	found := map[string]bool{}
	for _, s := range selectors {
		if len(s.MatchLabels)+len(s.MatchExpressions) == 0 {
			return nil
		}
		for label := range s.MatchLabels {
			found[label] = true
		}
		for _, e := range s.MatchExpressions {
			found[e.Key] = true
		}
	}
	return found
}

// reads reports whether a label of s may decide what r's clause selects.
func (r reader) reads(s *subject, label string) bool {
	c, o := r.clause, s.object
	switch {
	case !r.labels[label], o.Is("", "Namespace") && label == namespaceLabel:
		return false
	case r.ofNamespaces:
		return o.Is("", "Namespace") && allows(c.Namespaces, o.Name())
	}
	return (c.APIGroup == nil || *c.APIGroup == o.Group()) && allows(c.ObjectNames, o.Name()) &&
		(!s.known || allows(c.Resources, s.resource) && allows(c.Namespaces, s.namespace))
}

// allows reports whether a part of a clause that lists words lets word pass.
func allows(words []string, word string) bool {
	return len(words) == 0 || slices.Contains(words, "*") || slices.Contains(words, word)
}
