package variant

import (
	"fmt"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// inject fills the injection points of every file and records the outcome in the root Kptfile.
func inject(tree pkgtree.Tree, pv *porchconfig.PackageVariant, in MutateInput) (pkgtree.Tree, error) {
	list := in.Context
	if list == nil {
		list = injection.FromObjects(nil, "")
	}
	files, err := readFiles(tree, in.Parsed, func(file string) bool { return isResource(file) && !in.isPlain(tree.Blob(file)) })
	if err != nil {
		return tree, err
	}
	var objects []*krm.Object
	for _, f := range files {
		if !slices.ContainsFunc(f.objects, isPoint) {
			in.Plain.add(tree.Blob(f.path))
			continue
		}
		objects = append(objects, f.objects...)
	}
	result, err := injection.Inject(objects, pv.Spec.Injectors, list)
	if err != nil {
		return tree, err
	}
	injected, err := replace(tree, files, func(o *krm.Object) *krm.Object {
		if n := result.Changed[o]; n != nil {
			return n
		}
		return o
	})
	if err != nil {
		return tree, err
	}
	return editKptfile(injected, result.Outcomes.Record)
}

// InjectionCondition says of a mutated package whether its required injection points have their
// objects, as the PackageVariant condition ConfigInjected; nil when it has no injection points.
// It is read from the root Kptfile's conditions and readiness gates.
func InjectionCondition(tree pkgtree.Tree) (*metav1.Condition, error) {
	f, err := rootKptfile(tree)
	if err != nil {
		return nil, err
	}
	points, required := 0, f.ReadinessGates()
	var missing []string
	for _, c := range f.Conditions() {
		if !strings.HasPrefix(c.Type, injection.ConditionPrefix) {
			continue
		}
		points++
		if c.Status != kptfilev1.ConditionTrue && slices.Contains(required, c.Type) {
			missing = append(missing, fmt.Sprintf("%s: %s", c.Type, c.Message))
		}
	}
	switch {
	case points == 0:
		return nil, nil
	case len(missing) > 0:
		c := condition(porchconfig.ConditionConfigInjected, metav1.ConditionFalse, porchconfig.ReasonNotInjected, strings.Join(missing, "; "))
		return &c, nil
	}
	c := condition(porchconfig.ConditionConfigInjected, metav1.ConditionTrue, porchconfig.ReasonInjected,
		"every required injection point has its object")
	return &c, nil
}
