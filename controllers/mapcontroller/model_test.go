package mapcontroller_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// plan is the desired content of a namespace.
type plan struct {
	policies [2]policyPlan
	inputs   [4]inputPlan
}

type policyPlan struct {
	there bool
	color string // that it selects; "" for all
	value int
}

type inputPlan struct {
	there  bool
	color  string
	values [2]int // 0: no such entry
}

var colors = []string{"red", "blue"}

// mutated changes some fields at random.
func (p plan) mutated(r *rand.Rand) plan {
	for range 1 + r.IntN(4) {
		switch i := r.IntN(10); {
		case i == 0:
			p.policies[r.IntN(2)].there = r.IntN(3) > 0
		case i == 1:
			p.policies[r.IntN(2)].color = append(colors, "")[r.IntN(3)]
		case i == 2:
			p.policies[r.IntN(2)].value++
		case i < 5:
			in := &p.inputs[r.IntN(4)]
			in.there, in.color = r.IntN(3) > 0, colors[r.IntN(2)]
		default:
			p.inputs[r.IntN(4)].values[r.IntN(2)] = r.IntN(4)
		}
	}
	return p
}

// probes are the expected Probes: the naive model. Those of a deleted Policy stay for the garbage collector, which does not
// run; tests delete them in its place.
func (p plan) probes() map[string]any {
	out := map[string]any{}
	for i, pol := range p.policies {
		for j, in := range p.inputs {
			for k, v := range in.values {
				if pol.there && in.there && v > 0 && (pol.color == "" || pol.color == in.color) {
					out[fmt.Sprintf("p%d-i%d-k%d", i, j, k)] = map[string]any{
						"value": fmt.Sprint("v", v), "interval": int64(9007199254740993) + int64(pol.value), "big": int64(9007199254740993)}
				}
			}
		}
	}
	return out
}

// apply writes the plan to the namespace.
func (w *environment) apply(p plan) {
	w.Helper()
	for i, pol := range p.policies {
		name := fmt.Sprint("p", i)
		if !pol.there {
			w.remove(group+"/v1", "Policy", name)
			w.collectGarbage(name)
			continue
		}
		selector := "{}"
		if pol.color != "" {
			selector = "{matchLabels: {color: " + pol.color + "}}"
		}
		// What stays when a selector matches nothing depends on the history: see TestSelectsNothing.
		w.put(fmt.Sprintf("{apiVersion: map.example.org/v1, kind: Policy, metadata: {name: %s, namespace: NAMESPACE, annotations: {waybill.dev/allow-empty-selection: 'true'}}, spec: {interval: %d, selector: %s}}",
			name, 9007199254740993+int64(pol.value), selector))
	}
	for i, in := range p.inputs {
		name := fmt.Sprint("i", i)
		if !in.there {
			w.remove("v1", "ConfigMap", name)
			continue
		}
		data := ""
		for k, v := range in.values {
			if v > 0 {
				data += fmt.Sprintf("k%d: v%d, ", k, v)
			}
		}
		w.put(fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: NAMESPACE, labels: {input: 'yes', color: %s}}, data: {%s}}", name, in.color, data))
	}
}

// collectGarbage deletes the outputs of a deleted parent, as a garbage collector does, also those that are created later.
func (w *environment) collectGarbage(parent string) {
	w.Helper()
	there := map[string]bool{}
	for _, o := range w.list(group+"/v1", "Policy", w.namespace) {
		there[string(o.GetUID())] = true
	}
	for _, o := range w.list(group+"/v1", "Probe", w.namespace) {
		if refs := o.GetOwnerReferences(); len(refs) > 0 && refs[0].Name == parent && !there[string(refs[0].UID)] {
			w.must(client.IgnoreNotFound(w.Delete(context.Background(), o.DeepCopy())))
		}
	}
}

// awaitPlan waits until the Probes are those of the plan, and collects garbage meanwhile.
func (w *environment) awaitPlan(reason string, p plan) {
	w.Helper()
	w.eventually(reason, func() string {
		for i, pol := range p.policies {
			if !pol.there {
				w.collectGarbage(fmt.Sprint("p", i))
			}
		}
		return cmp.Diff(p.probes(), w.probes())
	})
}
