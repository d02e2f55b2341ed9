package mapcontroller_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// plan is what tests turn knobs on: what there is in a namespace.
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

// changed turns some knobs.
func (p plan) changed(r *rand.Rand) plan {
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

// probes are the Probes that there should be: the naive model. Those of a Policy that is gone stay for the
// garbage collector, which is not there; tests delete them with it.
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

// become makes the namespace what the plan says.
func (w *world) become(p plan) {
	w.Helper()
	for i, pol := range p.policies {
		name := fmt.Sprint("p", i)
		if !pol.there {
			w.remove(group+"/v1", "Policy", name)
			w.collect(name)
			continue
		}
		selector := "{}"
		if pol.color != "" {
			selector = "{matchLabels: {color: " + pol.color + "}}"
		}
		// What stays where a selector matches nothing depends on what came before: see TestSelectsNothing.
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

// collect does what a garbage collector does for a parent that is gone: what it owned goes, and what is made
// later by somebody who does not know yet, as well.
func (w *world) collect(parent string) {
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

// becomes waits until the Probes are what the plan says, and collects what is left meanwhile.
func (w *world) becomes(reason string, p plan) {
	w.Helper()
	w.eventually(reason, func() string {
		for i, pol := range p.policies {
			if !pol.there {
				w.collect(fmt.Sprint("p", i))
			}
		}
		return differ(p.probes(), w.probes())
	})
}
