package bundling

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// stable reports whether objects stay in the work they were in. Where a work holds one object they
// do anyway.
func (b *bundler) stable() bool { return b.opts.Assignment == stable && b.opts.MaxObjects > 1 }

// assign says in which work each object goes. before is where the earlier works of the same Binding
// and cluster have it.
func (b *bundler) assign(load []shipped, before map[krm.ID]int) []int {
	weights := make([]weight, len(load))
	for i, s := range load {
		weights[i] = s.weight()
	}
	if !b.stable() {
		return b.opts.limits().cut(weights)
	}
	was := make([]int, len(load))
	for i, s := range load {
		was[i] = homeless
		if number, known := before[s.named.ID()]; known {
			was[i] = number
		}
	}
	return b.opts.limits().stay(weights, was)
}

// homeless is the number of no work.
const homeless = -1

// stay leaves each object in the work it was in, while that admits it, in the Binding's order; one
// that grew may have to leave, or make another leave. What has no work then goes to the first work
// that admits it, and where none does to a new one of the lowest free number. So one object more or
// less changes one work, and what was assigned this way stays as it is.
func (l limits) stay(weights []weight, was []int) []int {
	numbers, rooms := slices.Clone(was), map[int]room{}
	for i, w := range weights {
		if number := was[i]; number != homeless && l.admits(rooms[number], w) {
			rooms[number] = rooms[number].with(w)
		} else {
			numbers[i] = homeless
		}
	}
	inUse := slices.Sorted(maps.Keys(rooms))
	for i, w := range weights {
		if numbers[i] != homeless {
			continue
		}
		at := slices.IndexFunc(inUse, func(number int) bool { return l.admits(rooms[number], w) })
		if at < 0 {
			at = firstGap(inUse)
			inUse = slices.Insert(inUse, at, at)
		}
		numbers[i] = inUse[at]
		rooms[numbers[i]] = rooms[numbers[i]].with(w)
	}
	return numbers
}

// firstGap is the lowest number that is not among sorted numbers, which is also where it belongs.
func firstGap(sorted []int) int {
	for i, n := range sorted {
		if n != i {
			return i
		}
	}
	return len(sorted)
}

// earlierWorks says, by cluster, which of the works written before holds an object. Where two do,
// as after a merge, the lower number counts, whatever order the items come in.
func (b binding) earlierWorks(items []*krm.Object) map[string]map[krm.ID]int {
	out := map[string]map[krm.ID]int{}
	for _, o := range items {
		number, ours := b.numberOf(o)
		if !ours {
			continue
		}
		held := out[o.Namespace()]
		if held == nil {
			held = map[krm.ID]int{}
			out[o.Namespace()] = held
		}
		for _, id := range manifestsOf(o) {
			if n, twice := held[id]; !twice || number < n {
				held[id] = number
			}
		}
	}
	return out
}

// numberOf is the number of a work that this function made of b.
func (b binding) numberOf(o *krm.Object) (int, bool) {
	labels := o.Labels()
	if o.Annotation(fn.GeneratedBy) != name || !o.Is(workGroup, workKind) || labels[BindingLabel] != b.binding || labels[WDSLabel] != b.wds {
		return 0, false
	}
	digits, ours := strings.CutPrefix(o.Name(), b.shardName(""))
	n, err := strconv.Atoi(digits)
	const longest = 9 // a work that is named after its object has 12 hex digits here
	return n, ours && err == nil && strconv.Itoa(n) == digits && len(digits) <= longest && n >= 0
}

func manifestsOf(work *krm.Object) (ids []krm.ID) {
	list := work.Lookup("spec", "workload", "manifests")
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	for _, m := range list.Content {
		ids = append(ids, krm.FromNode(krm.Deref(m)).ID())
	}
	return ids
}
