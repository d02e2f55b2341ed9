package manifests

import (
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// UnreadableError says that PackageVariants cannot be read, and why, in the order of their names.
type UnreadableError struct{ Causes []error }

// Error joins the causes.
func (e *UnreadableError) Error() string {
	texts := make([]string, len(e.Causes))
	for i, cause := range e.Causes {
		texts[i] = cause.Error()
	}
	return strings.Join(texts, "; ")
}

// unreadable is nil if every variant can be read.
func (m *Manifests) unreadable() error {
	if len(m.Unreadable) == 0 {
		return nil
	}
	e := &UnreadableError{}
	for _, pv := range m.Variants { // which are sorted
		if cause := m.Unreadable[types.NamespacedName{Namespace: pv.Namespace, Name: pv.Name}]; cause != nil {
			e.Causes = append(e.Causes, cause)
		}
	}
	return e
}

// stub is what other variants, sets and budgets need of a variant that cannot be read: it exists, and wants a package.
func stub(key types.NamespacedName, o *krm.Object) *porchconfig.PackageVariant {
	pv := &porchconfig.PackageVariant{}
	pv.Namespace, pv.Name = key.Namespace, key.Name
	pv.APIVersion, pv.Kind = porchconfig.APIVersion, porchconfig.KindPackageVariant
	labels := map[string]string{}
	if n := krm.Deref(o.Lookup("metadata", "labels")); n != nil && krm.DecodeNode(n, nil, &labels) == nil {
		pv.Labels = labels
	}
	text := func(field string) string {
		if n := krm.Deref(o.Lookup("spec", "downstream", field)); n != nil {
			return n.Value
		}
		return ""
	}
	pv.Spec.Downstream = &porchconfig.Downstream{Repo: text("repo"), Package: text("package")}
	return pv
}
