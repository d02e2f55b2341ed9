package applyset_test

import (
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/applyset"
)

// The naive model: the same rules on plain maps, in the most obvious way and without regard to cost.

// object is an output, or an object with the name of an output.
type object struct {
	controller, input string // "" when it has no tags
	spec              map[string]int
	last              map[string]int // nil when nothing is known
	keep              bool
	adopted           string // how it was adopted: Preserve or Converge
}

// request is what an input requests.
type request struct {
	decision  string // outputs, fail, retry or keep
	outputs   map[string]map[string]int
	dependsOn []string
}

// setup is the rule.
type setup struct {
	merge        applyset.Merge
	drift        applyset.Drift
	adopt        applyset.Adoption
	update       applyset.Update
	view         applyset.Extent
	allowEmpty   bool
	maxDeletions int  // -1 for none
	grows        bool // sizes must not shrink
}

// naive is a run.
type naive struct {
	setup
	objects  map[string]object
	requests map[string]request
	state    map[string]string // of every key: ok, error, wait, or kept without a report
}

// result is the result of a run.
type result struct {
	objects map[string]object
	failed  []string // keys that fail or wait; a key with reasons for both may report either
	ops     []string
}

func (n *naive) run() result {
	n.state = map[string]string{}
	for key, w := range n.requests {
		n.state[key] = map[string]string{"outputs": "ok", "fail": "error", "retry": "wait", "keep": "kept"}[w.decision]
	}
	for _, th := range n.objects {
		if _, known := n.state[th.input]; th.controller == "maker" && !known {
			n.state[th.input] = "ok"
			if n.view == applyset.Partial || len(n.requests) == 0 && !n.allowEmpty {
				n.state[th.input] = "kept"
			}
		}
	}
	n.failCycles()
	for n.propagate() {
	}
	return n.apply()
}

// failCycles fails the keys in a cycle of dependencies, and those between two cycles.
func (n *naive) failCycles() {
	reach := map[[2]string]bool{}
	for key, w := range n.requests {
		for _, on := range w.dependsOn {
			if _, present := n.requests[on]; present {
				reach[[2]string{key, on}] = true
			}
		}
	}
	for b := range n.requests {
		for a := range n.requests {
			for c := range n.requests {
				if reach[[2]string{a, b}] && reach[[2]string{b, c}] {
					reach[[2]string{a, c}] = true
				}
			}
		}
	}
	inCycle := func(k string) bool { return reach[[2]string{k, k}] }
	for k := range n.requests {
		before, after := inCycle(k), inCycle(k)
		for c := range n.requests {
			before = before || inCycle(c) && reach[[2]string{c, k}]
			after = after || inCycle(c) && reach[[2]string{k, c}]
		}
		if before && after {
			n.state[k] = "error"
		}
	}
}

// propagate finds one more key that cannot be ok.
func (n *naive) propagate() bool {
	for _, key := range slices.Sorted(maps.Keys(n.requests)) {
		if n.state[key] != "ok" && n.state[key] != "kept" {
			continue
		}
		for _, on := range n.requests[key].dependsOn {
			if s := n.state[on]; n.requests[on].decision == "" || s == "error" || s == "wait" {
				n.state[key] = "wait"
				return true
			}
		}
		if n.state[key] == "ok" && !n.isFeasible(key) {
			n.state[key] = "error"
			return true
		}
	}
	return false
}

// isFeasible reports whether a key can have all outputs that it requests.
func (n *naive) isFeasible(key string) bool {
	for ref, want := range n.requests[key].outputs {
		for other, w := range n.requests {
			if _, claims := w.outputs[ref]; other != key && claims && w.decision == "outputs" {
				return false
			}
		}
		have, exists := n.objects[ref]
		switch {
		case !exists:
			continue
		case have.controller == "" && n.adopt == applyset.Never:
			return false
		case have.controller != "" && have.controller != "maker":
			return false
		case have.controller == "maker" && have.input != key && n.state[have.input] != "ok":
			return false
		}
		if after := n.merged(have, want); n.grows && after.spec["size"] < have.spec["size"] && n.update != applyset.OnDelete {
			return false
		}
	}
	return true
}

// merged is an existing object after the merge.
func (n *naive) merged(have object, want map[string]int) object {
	spec := maps.Clone(have.spec)
	untagged, how := have.controller == "", have.adopted
	last := have.last
	if untagged {
		last, how = nil, "Converge"
	}
	switch {
	case untagged && n.adopt == applyset.Preserve:
		return object{spec: spec, last: want, adopted: "Preserve", keep: have.keep}
	case n.update == applyset.OnDelete:
		return object{spec: spec, last: have.last, adopted: how, keep: have.keep}
	case n.merge == applyset.Replace:
		return object{spec: maps.Clone(want), adopted: how, keep: have.keep}
	}
	tolerant := n.drift == applyset.Tolerate || have.adopted == "Preserve"
	for k := range last {
		if _, wanted := want[k]; !wanted {
			delete(spec, k)
		}
	}
	for k, v := range want {
		if before, known := last[k]; !tolerant || !known || before != v {
			spec[k] = v
		}
	}
	return object{spec: spec, last: want, adopted: how, keep: have.keep}
}

// apply applies the requests of all keys that are ok.
func (n *naive) apply() result {
	r := result{objects: maps.Clone(n.objects)}
	for key, s := range n.state {
		if s == "error" || s == "wait" {
			r.failed = append(r.failed, key)
		}
	}
	deletions := 0
	for key, s := range n.state {
		if s != "ok" {
			continue
		}
		for ref, want := range n.requests[key].outputs {
			n.make(&r, key, ref, want)
		}
		for ref, th := range n.objects {
			if _, wanted := n.requests[key].outputs[ref]; th.controller != "maker" || th.input != key || wanted || n.isRequested(ref) {
				continue
			}
			if th.keep || th.adopted != "" {
				r.ops = append(r.ops, "orphan "+ref)
				r.objects[ref] = object{spec: th.spec, keep: th.keep}
				continue
			}
			deletions++
			r.ops = append(r.ops, "delete "+ref)
			delete(r.objects, ref)
		}
	}
	if n.maxDeletions >= 0 && deletions > n.maxDeletions {
		r.objects, r.ops = n.objects, nil
	}
	slices.Sort(r.failed)
	slices.Sort(r.ops)
	return r
}

func (n *naive) make(r *result, key, ref string, want map[string]int) {
	have, exists := n.objects[ref]
	after := object{spec: maps.Clone(want), last: want}
	action := "create "
	if exists {
		after = n.merged(have, want)
		action = map[bool]string{true: "update ", false: "re-tag "}[have.input == key]
		if have.controller == "" {
			action = "adopt "
		}
	}
	if after.controller, after.input = "maker", key; n.merge == applyset.Replace {
		after.last = nil
	}
	if !exists || !same(have, after) {
		r.ops = append(r.ops, action+ref)
	}
	r.objects[ref] = after
}

// same reports whether two objects are equal, with their state if there is one.
func same(a, b object) bool {
	return a.controller == b.controller && a.input == b.input && maps.Equal(a.spec, b.spec) &&
		(a.last == nil) == (b.last == nil) && maps.Equal(a.last, b.last) && a.adopted == b.adopted && a.keep == b.keep
}

// isRequested reports whether a key that is ok requests ref.
func (n *naive) isRequested(ref string) bool {
	for key, w := range n.requests {
		if _, wanted := w.outputs[ref]; wanted && n.state[key] == "ok" {
			return true
		}
	}
	return false
}
