package bundling

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	workv1 "open-cluster-management.io/api/work/v1"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// agentModel is what OCM's agent makes of works on one cluster; controllers/ocmtest shows the same with the real one. It applies
// works one by one. It owns what a work applies, unless the work's deleteOption releases it, and deletes what it owns alone when
// the work drops it.
type agentModel struct {
	next   int
	uids   map[string]int             // by name; 0 for an object that is not there
	owners map[string]map[string]bool // by name, works
	held   map[string][]string        // by work, names
}

func newAgentModel() *agentModel {
	return &agentModel{uids: map[string]int{}, owners: map[string]map[string]bool{}, held: map[string][]string{}}
}

// apply applies works and deletes all others, in a random order, and then all again, as agents do every few minutes.
func (a *agentModel) apply(t *testing.T, r *rapid.T, works []*krm.Object) {
	specs := map[string]*workv1.ManifestWorkSpec{}
	for name := range a.held {
		specs[name] = nil
	}
	for _, o := range works {
		text, err := krm.CanonicalJSON(o.Node())
		w := workv1.ManifestWork{}
		if err == nil {
			err = json.Unmarshal(text, &w)
		}
		if err != nil {
			t.Fatal(err)
		}
		specs[w.Name] = &w.Spec
	}
	order := slices.Sorted(maps.Keys(specs))
	if len(order) > 0 {
		order = rapid.Permutation(order).Draw(r, "order")
	}
	for _, name := range append(order, order...) {
		a.sync(t, name, specs[name])
	}
}

// sync applies one work; a nil spec deletes it.
func (a *agentModel) sync(t *testing.T, work string, spec *workv1.ManifestWorkSpec) {
	before := a.held[work]
	if a.held[work] = nil; spec == nil {
		delete(a.held, work)
		spec = &workv1.ManifestWorkSpec{}
	}
	for _, m := range spec.Workload.Manifests {
		var o struct{ Metadata struct{ Name string } }
		if err := json.Unmarshal(m.Raw, &o); err != nil {
			t.Fatal(err)
		}
		name := o.Metadata.Name
		a.held[work] = append(a.held[work], name)
		if !isReadOnly(spec, name) {
			a.own(work, name, !orphans(spec.DeleteOption, name))
		}
	}
	for _, name := range before {
		if slices.Contains(a.held[work], name) || !a.owners[name][work] {
			continue
		}
		if delete(a.owners[name], work); len(a.owners[name]) == 0 {
			a.uids[name] = 0
		}
	}
}

// own creates an object that is not there, and takes or gives up its ownership.
func (a *agentModel) own(work, name string, owned bool) {
	if a.uids[name] == 0 {
		a.next++
		a.uids[name], a.owners[name] = a.next, map[string]bool{}
	}
	if owned {
		a.owners[name][work] = true
	} else {
		delete(a.owners[name], work)
	}
}

// isReadOnly looks at the first config that matches; in these tests names tell kinds.
func isReadOnly(spec *workv1.ManifestWorkSpec, name string) bool {
	for _, c := range spec.ManifestConfigs {
		if c.ResourceIdentifier.Name == name {
			return c.UpdateStrategy.Type == workv1.UpdateStrategyTypeReadOnly
		}
	}
	return false
}

func orphans(o *workv1.DeleteOption, name string) bool {
	if o == nil || o.PropagationPolicy != workv1.DeletePropagationPolicyTypeSelectivelyOrphan {
		return o != nil && o.PropagationPolicy == workv1.DeletePropagationPolicyTypeOrphan
	}
	return o.SelectivelyOrphan != nil && slices.ContainsFunc(o.SelectivelyOrphan.OrphaningRules, func(r workv1.OrphaningRule) bool { return r.Name == name })
}
