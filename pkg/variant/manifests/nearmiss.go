package manifests

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// nearMiss finds objects that a target of a set does not select because of a slip in their kind or namespace. An API
// server would have refused such an object.
type nearMiss struct {
	namespace string
	kind      injection.Kind // that the target selects
	name      string         // "" for all
	selector  labels.Selector
}

// NearMiss is an error where an object counts as deleted that a set would select if it were not for a slip, unless the set
// may select nothing.
func (m *Manifests) NearMiss(set *v1alpha2.PackageVariantSet) error {
	if allowed, _ := selection.Allowed(set.Annotations); allowed {
		return nil
	}
	used, selected := m.namespaces(), map[injection.Kind]bool{} // neither of them is a slip
	for _, s := range m.Sets {
		for _, kind := range variantset.Kinds(s) {
			selected[kind] = true
		}
	}
	for i := range set.Spec.Targets {
		l := &nearMiss{namespace: set.Namespace}
		if !l.setTarget(&set.Spec.Targets[i]) {
			continue
		}
		for _, o := range m.candidates(l.kind, selected) {
			if want := l.wants(o, used); want != "" {
				return fmt.Errorf("an object is similar to those that spec.targets[%d] selects: %s: %s: want %s; correct it or, on the set, %s",
					i, o.Source, describe(o), want, selection.SetAnnotation)
			}
		}
	}
	return nil
}

// candidates returns the objects of a kind and of similar kinds, except kinds that sets select.
func (m *Manifests) candidates(want injection.Kind, selected map[injection.Kind]bool) (out []*krm.Object) {
	for _, kind := range slices.SortedFunc(maps.Keys(m.ByKind), variant.CompareKinds) {
		if kind == want || !selected[kind] && isNearly(kind, want) {
			out = append(out, m.ByKind[kind]...)
		}
	}
	return out
}

// setTarget notes which objects a target selects, and reports whether it selects any.
func (n *nearMiss) setTarget(t *v1alpha2.Target) bool {
	asks := t.RepositorySelector
	n.kind = injection.Kind{APIVersion: porchconfig.APIVersion, Kind: porchconfig.KindRepository}
	if s := t.ObjectSelector; s != nil {
		asks, n.kind, n.name = &s.LabelSelector, injection.Kind{APIVersion: s.APIVersion, Kind: s.Kind}, s.Name
	}
	var err error
	n.selector, err = metav1.LabelSelectorAsSelector(asks)
	return asks != nil && err == nil // a bad selector is refused with the set
}

// wants says what must change in a candidate for the target to select it; "" where it is selected, or not similar.
func (n *nearMiss) wants(o *krm.Object, used map[string]bool) string {
	var wants []string
	if o.APIVersion() != n.kind.APIVersion {
		wants = append(wants, fmt.Sprintf("apiVersion %q", n.kind.APIVersion))
	}
	if o.Kind() != n.kind.Kind {
		wants = append(wants, fmt.Sprintf("kind %q", n.kind.Kind))
	}
	if is := cmp.Or(o.Namespace(), DefaultNamespace); is != n.namespace {
		if used[is] || o.Namespace() != "" && !isSlip(is, n.namespace) {
			return ""
		}
		wants = append(wants, fmt.Sprintf("namespace %q", n.namespace))
	}
	has := labels.Set(o.Labels())
	isOutdented := len(has) == 0 && workload.HasLabelsBesideMetadata(o) && !n.selector.Matches(has)
	if isOutdented && krm.DecodeNode(o.Lookup("labels"), nil, &has) == nil {
		wants = append(wants, "its labels below metadata")
	}
	if len(wants) == 0 || n.name != "" && o.Name() != n.name || !n.selector.Matches(has) {
		return ""
	}
	return strings.Join(wants, " and ")
}

// isNearly reports whether one kind may be a slip for another one. An API server lists the objects of all versions as one kind.
func isNearly(kind, other injection.Kind) bool {
	is, want := schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind), schema.FromAPIVersionAndKind(other.APIVersion, other.Kind)
	if is.Group == want.Group {
		return is.Kind == want.Kind || isSlip(is.Kind, want.Kind)
	}
	return is.Kind == want.Kind && (is.Group == "" || is.Group == "core" || isSlip(is.Group, want.Group))
}

// isSlip reports whether a word is a misspelling of another one, for its length.
func isSlip(word, want string) bool {
	return strings.EqualFold(word, want) || selection.Misspelt(word, want) && len(selection.Similar(word, []string{want})) > 0
}
