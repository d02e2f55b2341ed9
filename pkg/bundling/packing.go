package bundling

import (
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
)

// packing puts objects into works. numbers has the work that each is in so far.
type packing struct {
	limits  limits
	weights []weight
	numbers []int
	works   map[int]load
	entries map[int]load // hand-over entries of what has left a work
}

// noWork is the number of no work.
const noWork = -1

// settle leaves each object in the work it is in. What has no work goes to the first work with room
// for it, and where there is none to a new one of the lowest free number. So one object more or less
// changes one work, and no object leaves its work. It returns the works that are beyond the limits.
func (p *packing) settle() (overfull []overfullWork) {
	for i, number := range p.numbers {
		if number != noWork {
			p.put(i, number)
		}
	}
	for number, entries := range p.entries {
		p.works[number] = p.works[number].beside(entries)
	}
	inUse := slices.Sorted(maps.Keys(p.works))
	for _, number := range inUse {
		if over := p.limits.passed(p.works[number]); p.works[number].objects > 1 && over != (limit{}) {
			overfull = append(overfull, overfullWork{number, over})
		}
	}
	for i, number := range p.numbers {
		if number != noWork {
			continue
		}
		at := slices.IndexFunc(inUse, func(number int) bool { return p.limits.welcomes(p.works[number], p.weights[i]) })
		if at < 0 {
			at = firstGap(inUse)
			inUse = slices.Insert(inUse, at, at)
		}
		p.put(i, inUse[at])
	}
	return overfull
}

func (p *packing) put(i, number int) {
	p.numbers[i] = number
	p.works[number] = p.limits.with(p.works[number], p.weights[i])
}

// vacate takes objects out of works that are beyond the limits, until the others fit beside the hand-over entries of those
// that leave: the last in the Binding's order first, and those for which stays is true last of all. reference is what an
// entry takes at least.
func (p *packing) vacate(stays func(i int) bool, reference func(i int) weight) {
	members := map[int][]int{}
	for i, number := range p.numbers {
		if number != noWork {
			members[number] = append(members[number], i)
		}
	}
	p.entries = map[int]load{}
	for number, of := range members {
		if len(of) > 1 && !p.limits.hold(p.load(of)) {
			slices.SortStableFunc(of, func(i, j int) int { return order(stays(j)) - order(stays(i)) })
			p.entries[number] = p.vacateWork(of, reference)
		}
	}
}

// vacateWork takes out of a work with those members what does not fit, the last ones first. It returns what their
// entries take.
func (p *packing) vacateWork(members []int, reference func(i int) weight) (entries load) {
	kept, references := load{}, make([]weight, len(members))
	for n, i := range members { // any of them may leave
		references[n] = reference(i)
		entries = p.limits.with(entries, references[n])
	}
	for n, i := range members {
		own := references[n]
		rest := load{encoded: entries.encoded - manifest.EncodedSize(own.object), sent: entries.sent - own.sent()}
		if then := p.limits.with(kept, p.weights[i]); kept.objects == 0 || p.limits.hold(then.beside(rest)) {
			kept, entries = then, rest
		} else {
			p.numbers[i] = noWork
		}
	}
	return entries
}

func order(first bool) int {
	if first {
		return 1
	}
	return 0
}

// load is what a work of those objects holds.
func (p *packing) load(members []int) (l load) {
	for _, i := range members {
		l = p.limits.with(l, p.weights[i])
	}
	return l
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
