package transform

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// namespaceLabel is the label that an API server gives every Namespace.
const namespaceLabel = "kubernetes.io/metadata.name"

// labelReader is a list of selectors in a clause of a BindingPolicy.
type labelReader struct {
	policy       string
	clause       *control.DownsyncClause
	ofNamespaces bool // they select objects by the labels of their Namespaces
	labels       map[string]bool
}

// readPolicies reads the selectors of policies, in an order that does not depend on that of items. A
// policy that cannot be read might select by any label, so it is an error.
func (t *transformer) readPolicies(items []*krm.Object) {
	for _, o := range workload.OfKind(items, control.Group, control.KindBindingPolicy) {
		p, errs := control.DecodeBindingPolicy(o)
		t.add(fn.FieldErrors(o, errs))
		if len(errs) > 0 {
			continue
		}
		for i := range p.Spec.Downsync {
			c := &p.Spec.Downsync[i]
			t.readers = append(t.readers, labelReader{p.Name, c, false, labelsIn(c.ObjectSelectors)},
				labelReader{p.Name, c, true, labelsIn(c.NamespaceSelectors)})
		}
	}
}

// labelsIn are the labels that selectors name; none if one of them is empty, because then the list
// matches everything.
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

// reads reports whether a label of s may change what the clause of r selects.
func (r labelReader) reads(s *subject, label string) bool {
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

// allows reports whether a list in a clause matches word.
func allows(words []string, word string) bool {
	return len(words) == 0 || slices.Contains(words, "*") || slices.Contains(words, word)
}
