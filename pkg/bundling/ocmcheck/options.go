package ocmcheck

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation"
	workv1 "open-cluster-management.io/api/work/v1"
)

// checkOptions checks the options of the whole work: what happens to its objects when it is
// deleted, and which account applies it.
func checkOptions(spec *workv1.ManifestWorkSpec, manifests []manifest) (faults []string) {
	return append(checkDelete(spec.DeleteOption, manifests), checkExecutor(spec.Executor)...)
}

var propagations = []workv1.DeletePropagationPolicyType{"", workv1.DeletePropagationPolicyTypeForeground,
	workv1.DeletePropagationPolicyTypeOrphan, workv1.DeletePropagationPolicyTypeSelectivelyOrphan} // "" is Foreground

func checkDelete(o *workv1.DeleteOption, manifests []manifest) (faults []string) {
	if o == nil {
		return nil
	}
	fault := func(format string, args ...any) {
		faults = append(faults, "deleteOption: "+fmt.Sprintf(format, args...))
	}
	if !slices.Contains(propagations, o.PropagationPolicy) {
		fault("unknown policy %q", o.PropagationPolicy)
	}
	if o.SelectivelyOrphan == nil {
		return faults
	}
	if o.PropagationPolicy != workv1.DeletePropagationPolicyTypeSelectivelyOrphan {
		fault("selectivelyOrphans has no effect on policy %q", o.PropagationPolicy)
	}
	for i, r := range o.SelectivelyOrphan.OrphaningRules {
		switch id := workv1.ResourceIdentifier(r); {
		case r.Resource == "" || r.Name == "":
			fault("orphaningRules[%d]: lacks a resource or name", i)
		case len(fitting(id, manifests)) == 0:
			fault("orphaningRules[%d]: names an object that is not in this work", i)
		}
	}
	return faults
}

func checkExecutor(e *workv1.ManifestWorkExecutor) (faults []string) {
	switch {
	case e == nil:
		return nil
	case e.Subject.Type != workv1.ExecutorSubjectTypeServiceAccount:
		return []string{fmt.Sprintf("executor: unknown subject type %q", e.Subject.Type)}
	case e.Subject.ServiceAccount == nil:
		return []string{"executor: names no service account"}
	}
	for _, name := range []string{e.Subject.ServiceAccount.Namespace, e.Subject.ServiceAccount.Name} {
		for _, why := range validation.IsDNS1123Subdomain(name) {
			faults = append(faults, fmt.Sprintf("executor: service account: %q: %s", name, why))
		}
	}
	return faults
}
