package applyset_test

import (
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/applyset"
)

// The naive model: the rules once more, on plain maps, in the most obvious way and with no regard to cost.

// thing is an output, or something that is in an output's way.
type thing struct {
	controller, input string // "" when it has no tags
	spec              map[string]int
	last              map[string]int // nil when nothing is known
	keep              bool
	adopted           string // how, of what was there before: Preserve or Converge
}

// wish is what an input asks for.
type wish struct {
	verdict   string // outputs, fail, retry or keep
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
	things map[string]thing
	wishes map[string]wish
	state  map[string]string // of every key: ok, error, wait, or kept in silence
}

// result is what a run leads to.
type result struct {
	things   map[string]thing
	troubled []string // keys that fail or wait: of one that has cause for both, either may be told
	ops      []string
}

func (n *naive) run() result {
	n.state = map[string]string{}
	for key, w := range n.wishes {
		n.state[key] = map[string]string{"outputs": "ok", "fail": "error", "retry": "wait", "keep": "kept"}[w.verdict]
	}
	for _, th := range n.things {
		if _, known := n.state[th.input]; th.controller == "maker" && !known {
			n.state[th.input] = "ok"
			if n.view == applyset.Partial || len(n.wishes) == 0 && !n.allowEmpty {
				n.state[th.input] = "kept"
			}
		}
	}
	n.circles()
	for n.spread() {
	}
	return n.apply()
}

// circles fails keys that depend on themselves, and those between two circles.
func (n *naive) circles() {
	reach := map[[2]string]bool{}
	for key, w := range n.wishes {
		for _, on := range w.dependsOn {
			if _, present := n.wishes[on]; present {
				reach[[2]string{key, on}] = true
			}
		}
	}
	for b := range n.wishes {
		for a := range n.wishes {
			for c := range n.wishes {
				if reach[[2]string{a, b}] && reach[[2]string{b, c}] {
					reach[[2]string{a, c}] = true
				}
			}
		}
	}
	round := func(k string) bool { return reach[[2]string{k, k}] }
	for k := range n.wishes {
		before, after := round(k), round(k)
		for c := range n.wishes {
			before = before || round(c) && reach[[2]string{c, k}]
			after = after || round(c) && reach[[2]string{k, c}]
		}
		if before && after {
			n.state[k] = "error"
		}
	}
}

// spread looks for one more key that cannot be ok.
func (n *naive) spread() bool {
	for _, key := range slices.Sorted(maps.Keys(n.wishes)) {
		if n.state[key] != "ok" && n.state[key] != "kept" {
			continue
		}
		for _, on := range n.wishes[key].dependsOn {
			if s := n.state[on]; n.wishes[on].verdict == "" || s == "error" || s == "wait" {
				n.state[key] = "wait"
				return true
			}
		}
		if n.state[key] == "ok" && !n.sound(key) {
			n.state[key] = "error"
			return true
		}
	}
	return false
}

// sound reports whether all that a key wants can be had.
func (n *naive) sound(key string) bool {
	for ref, want := range n.wishes[key].outputs {
		for other, w := range n.wishes {
			if _, claims := w.outputs[ref]; other != key && claims && w.verdict == "outputs" {
				return false
			}
		}
		have, exists := n.things[ref]
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

// merged is what an existing thing becomes.
func (n *naive) merged(have thing, want map[string]int) thing {
	spec := maps.Clone(have.spec)
	untagged, how := have.controller == "", have.adopted
	last := have.last
	if untagged {
		last, how = nil, "Converge"
	}
	switch {
	case untagged && n.adopt == applyset.Preserve:
		return thing{spec: spec, last: want, adopted: "Preserve", keep: have.keep}
	case n.update == applyset.OnDelete:
		return thing{spec: spec, last: have.last, adopted: how, keep: have.keep}
	case n.merge == applyset.Replace:
		return thing{spec: maps.Clone(want), adopted: how, keep: have.keep}
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
	return thing{spec: spec, last: want, adopted: how, keep: have.keep}
}

// apply does what is to be done for all keys that are ok.
func (n *naive) apply() result {
	r := result{things: maps.Clone(n.things)}
	for key, s := range n.state {
		if s == "error" || s == "wait" {
			r.troubled = append(r.troubled, key)
		}
	}
	deletions := 0
	for key, s := range n.state {
		if s != "ok" {
			continue
		}
		for ref, want := range n.wishes[key].outputs {
			n.make(&r, key, ref, want)
		}
		for ref, th := range n.things {
			if _, wanted := n.wishes[key].outputs[ref]; th.controller != "maker" || th.input != key || wanted || n.taken(ref) {
				continue
			}
			if th.keep || th.adopted != "" {
				r.ops = append(r.ops, "orphan "+ref)
				r.things[ref] = thing{spec: th.spec, keep: th.keep}
				continue
			}
			deletions++
			r.ops = append(r.ops, "delete "+ref)
			delete(r.things, ref)
		}
	}
	if n.maxDeletions >= 0 && deletions > n.maxDeletions {
		r.things, r.ops = n.things, nil
	}
	slices.Sort(r.troubled)
	slices.Sort(r.ops)
	return r
}

func (n *naive) make(r *result, key, ref string, want map[string]int) {
	have, exists := n.things[ref]
	after := thing{spec: maps.Clone(want), last: want}
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
	r.things[ref] = after
}

// same reports whether two things are the same; what the state says counts, when there is one.
func same(a, b thing) bool {
	return a.controller == b.controller && a.input == b.input && maps.Equal(a.spec, b.spec) &&
		(a.last == nil) == (b.last == nil) && maps.Equal(a.last, b.last) && a.adopted == b.adopted && a.keep == b.keep
}

// taken reports whether some key that is ok wants ref.
func (n *naive) taken(ref string) bool {
	for key, w := range n.wishes {
		if _, wanted := w.outputs[ref]; wanted && n.state[key] == "ok" {
			return true
		}
	}
	return false
}
