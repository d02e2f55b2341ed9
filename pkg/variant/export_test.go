package variant

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// RuleNames are the names of the rules of Decide, sorted.
func RuleNames() (names []string) {
	for _, r := range rules {
		names = append(names, r.name)
	}
	slices.Sort(names)
	return names
}

// Mutate is MutateWith with the context objects of the variant's namespace.
func Mutate(tree pkgtree.Tree, pv *porchconfig.PackageVariant, objects []*krm.Object) (pkgtree.Tree, error) {
	return MutateWith(tree, pv, MutateInput{Context: injection.FromObjects(objects, pv.Namespace)})
}

// InjectionCondition is the condition ConfigInjected of a package.
func InjectionCondition(tree pkgtree.Tree) (*metav1.Condition, error) {
	f, err := RootKptfile(tree)
	if err != nil {
		return nil, err
	}
	return injectionCondition(f), nil
}

// UnmetGates are the readiness gates of a package that are not met.
func UnmetGates(tree pkgtree.Tree) ([]string, error) {
	f, err := RootKptfile(tree)
	if err != nil {
		return nil, err
	}
	return unmetGates(f), nil
}
