package status

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// Subject is the object of a CombinedStatus, under a BindingPolicy.
type Subject struct {
	Group, Version, Kind string
	// Resource is the lower-case plural of Kind.
	Resource string
	// Namespace is "" for a cluster-scoped object.
	Namespace, Name string
	// UID and PolicyUID are "" when they are not known, as in Git.
	UID       string
	Policy    string
	PolicyUID string
}

// String is for messages: `Deployment shop/web under BindingPolicy "shop"`.
func (s Subject) String() string {
	name := s.Name
	if s.Namespace != "" {
		name = s.Namespace + "/" + name
	}
	return fmt.Sprintf("%s %s under BindingPolicy %q", s.Kind, name, s.Policy)
}

// Name is the name of the CombinedStatus: both UIDs, or what follows from names alone unless both are known.
func Name(s Subject) string {
	if s.UID != "" && s.PolicyUID != "" {
		return s.UID + "." + s.PolicyUID
	}
	sum := sha256.Sum256([]byte(s.Group + "/" + s.Kind + "/" + s.Namespace + "/" + s.Name))
	return hex.EncodeToString(sum[:])[:12] + "." + s.Policy
}

// Namespace is the namespace of the CombinedStatus.
func Namespace(s Subject) string {
	if s.Namespace == "" {
		return control.ReportNamespace
	}
	return s.Namespace
}

// The labels of a CombinedStatus.
const (
	labelPrefix    = "status.kubestellar.io/"
	LabelGroup     = labelPrefix + "api-group"
	LabelResource  = labelPrefix + "resource"
	LabelNamespace = labelPrefix + "namespace"
	LabelName      = labelPrefix + "name"
	LabelPolicy    = labelPrefix + "binding-policy"
)

// Labels are the labels of the CombinedStatus. A name that cannot be a label value is an error: one that is too long, or has
// a colon, as those of roles may have.
func Labels(s Subject) (map[string]string, error) {
	labels := map[string]string{}
	for _, l := range []struct{ key, what, value string }{
		{LabelGroup, "API group", s.Group}, {LabelResource, "resource", s.Resource},
		{LabelNamespace, "namespace", s.Namespace}, {LabelName, "name", s.Name}, {LabelPolicy, "policy", s.Policy},
	} {
		if faults := validation.IsValidLabelValue(l.value); len(faults) > 0 {
			return nil, fmt.Errorf("%s: no CombinedStatus can be written, its %s %q is not a label value: %s", s, l.what, l.value,
				strings.Join(faults, "; "))
		}
		labels[l.key] = l.value
	}
	return labels, nil
}

// New makes the CombinedStatus of an object from results, which it sorts by name.
func New(s Subject, results []control.NamedStatusCombination) (*control.CombinedStatus, error) {
	labels, err := Labels(s)
	if err != nil {
		return nil, err
	}
	out := &control.CombinedStatus{
		TypeMeta:   control.TypeMeta{APIVersion: control.APIVersion, Kind: control.KindCombinedStatus},
		ObjectMeta: metav1.ObjectMeta{Name: Name(s), Namespace: Namespace(s), Labels: labels, OwnerReferences: owner(s)},
		Results:    slices.Clone(results),
	}
	slices.SortFunc(out.Results, func(a, b control.NamedStatusCombination) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// owner is the reference to the object, if its UID is known.
func owner(s Subject) []metav1.OwnerReference {
	if s.UID == "" {
		return nil
	}
	version := s.Version
	if s.Group != "" {
		version = s.Group + "/" + version
	}
	return []metav1.OwnerReference{{APIVersion: version, Kind: s.Kind, Name: s.Name, UID: types.UID(s.UID)}}
}
