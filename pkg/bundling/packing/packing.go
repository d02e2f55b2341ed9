package packing

import (
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
)

// Assignment puts objects into works. numbers has the work that each is in so far.
type Assignment struct {
	limits  Limits
	weights []Weight
	numbers []int
	works   map[int]Load
	entries map[int]Load // hand-over entries of what has left a work
}

// NoWork is the number of no work.
const NoWork = -1

// New starts with the objects of those weights in the works of those numbers, which it changes.
func New(l Limits, weights []Weight, numbers []int) *Assignment {
	return &Assignment{limits: l, weights: weights, numbers: numbers, works: map[int]Load{}}
}

// Place leaves each object in the work it is in. What has no work goes to the first work with room
// for it, and where there is none to a new one of the lowest free number. So one object more or less
// changes one work, and no object leaves its work. It returns the works that are beyond the limits.
func (p *Assignment) Place() (overfull []Overfull) {
	for i, number := range p.numbers {
		if number != NoWork {
			p.put(i, number)
		}
	}
	for number, entries := range p.entries {
		p.works[number] = p.works[number].beside(entries)
	}
	inUse := slices.Sorted(maps.Keys(p.works))
	for _, number := range inUse {
		if over := p.limits.passed(p.works[number]); p.works[number].objects > 1 && over != (Limit{}) {
			overfull = append(overfull, Overfull{number, over})
		}
	}
	for i, number := range p.numbers {
		if number != NoWork {
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

func (p *Assignment) put(i, number int) {
	p.numbers[i] = number
	p.works[number] = p.limits.with(p.works[number], p.weights[i])
}

// Evict takes objects out of works that are beyond the limits, until the others fit beside the hand-over entries of those
// that leave: the last in the Binding's order first, and those for which stays is true last of all. reference is what an
// entry takes at least.
func (p *Assignment) Evict(stays func(i int) bool, reference func(i int) Weight) {
	members := map[int][]int{}
	for i, number := range p.numbers {
		if number != NoWork {
			members[number] = append(members[number], i)
		}
	}
	p.entries = map[int]Load{}
	for number, of := range members {
		if len(of) > 1 && !p.limits.hold(p.load(of)) {
			slices.SortStableFunc(of, func(i, j int) int { return order(stays(j)) - order(stays(i)) })
			p.entries[number] = p.vacateWork(of, reference)
		}
	}
}

// vacateWork takes out of a work with those members what does not fit, the last ones first. It returns what their
// entries take.
func (p *Assignment) vacateWork(members []int, reference func(i int) Weight) (entries Load) {
	kept, references := Load{}, make([]Weight, len(members))
	for n, i := range members { // any of them may leave
		references[n] = reference(i)
		entries = p.limits.with(entries, references[n])
	}
	for n, i := range members {
		own := references[n]
		rest := Load{Encoded: entries.Encoded - manifest.EncodedSize(own.Object), Sent: entries.Sent - own.Sent()}
		if then := p.limits.with(kept, p.weights[i]); kept.objects == 0 || p.limits.hold(then.beside(rest)) {
			kept, entries = then, rest
		} else {
			p.numbers[i] = NoWork
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
func (p *Assignment) load(members []int) (l Load) {
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
