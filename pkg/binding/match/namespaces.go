package match

import (
	"maps"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// namespaceLabel is the label that every live Namespace carries.
const namespaceLabel = "kubernetes.io/metadata.name"

// liveLabels are the labels of o as an API server would have them: a Namespace has its name for a
// label. For matching only; it neither ships nor counts in digests.
func liveLabels(o *krm.Object) labels.Set {
	if !o.Is("", "Namespace") {
		return o.Labels()
	}
	set := labels.Set{}
	maps.Copy(set, o.Labels())
	set[namespaceLabel] = o.Name()
	return set
}

// linkNamespaces gives every entry the labels of its namespace.
func (u *Candidates) linkNamespaces() {
	u.spaces = map[string]labels.Set{}
	for _, e := range u.All {
		if e.Object.Is("", "Namespace") {
			u.spaces[e.Name] = e.Labels
		}
	}
	for _, e := range u.All {
		e.spaceLabels = u.labelsOf(e.Namespace)
	}
}

// labelsOf are the labels of a namespace, with or without a Namespace object; nil of "".
func (u *Candidates) labelsOf(namespace string) labels.Set {
	if u.spaces[namespace] == nil && namespace != "" {
		u.spaces[namespace] = labels.Set{namespaceLabel: namespace}
	}
	return u.spaces[namespace]
}
