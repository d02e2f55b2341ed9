package packing

import (
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
)

// Assignment puts objects into works. numbers has the work of each object so far.
type Assignment struct {
	limits  Limits
	weights []Weight
	numbers []int
	works   map[int]Load
	entries map[int]Load // hand-over entries of the objects that have left a work
}

// NoWork is the number of an object that is in no work.
const NoWork = -1

// New starts with the objects of those weights in the works of those numbers. The assignment changes numbers.
func New(l Limits, weights []Weight, numbers []int) *Assignment {
	return &Assignment{limits: l, weights: weights, numbers: numbers, works: map[int]Load{}}
}

// Place leaves each object in its work. An object without a work goes to the first work with room for it, or
// else to a new one of the lowest free number. So one object more or less changes one work, and no object
// leaves its work. It returns the works that exceed the limits.
func (a *Assignment) Place() (overfull []Overfull) {
	for i, number := range a.numbers {
		if number != NoWork {
			a.put(i, number)
		}
	}
	for number, entries := range a.entries {
		a.works[number] = a.works[number].beside(entries)
	}
	inUse := slices.Sorted(maps.Keys(a.works))
	for _, number := range inUse {
		if over := a.limits.exceeded(a.works[number]); a.works[number].objects > 1 && over != (Limit{}) {
			overfull = append(overfull, Overfull{number, over})
		}
	}
	for i, number := range a.numbers {
		if number != NoWork {
			continue
		}
		at := slices.IndexFunc(inUse, func(number int) bool { return a.limits.hasRoom(a.works[number], a.weights[i]) })
		if at < 0 {
			at = firstGap(inUse)
			inUse = slices.Insert(inUse, at, at)
		}
		a.put(i, inUse[at])
	}
	return overfull
}

func (a *Assignment) put(i, number int) {
	a.numbers[i] = number
	a.works[number] = a.limits.with(a.works[number], a.weights[i])
}

// Evict removes objects from works that exceed the limits, until the others fit beside the hand-over entries of those
// that leave: first the last in the Binding's order, and those for which stays is true after all others. reference is the
// least weight of an entry.
func (a *Assignment) Evict(stays func(i int) bool, reference func(i int) Weight) {
	members := map[int][]int{}
	for i, number := range a.numbers {
		if number != NoWork {
			members[number] = append(members[number], i)
		}
	}
	a.entries = map[int]Load{}
	for number, of := range members {
		if len(of) > 1 && !a.limits.within(a.load(of)) {
			slices.SortStableFunc(of, func(i, j int) int { return order(stays(j)) - order(stays(i)) })
			a.entries[number] = a.evictFrom(of, reference)
		}
	}
}

// evictFrom removes from a work with those members the ones that do not fit, the last ones first. It returns the load of
// their entries.
func (a *Assignment) evictFrom(members []int, reference func(i int) Weight) (entries Load) {
	kept, references := Load{}, make([]Weight, len(members))
	for n, i := range members { // any of them may leave
		references[n] = reference(i)
		entries = a.limits.with(entries, references[n])
	}
	for n, i := range members {
		own := references[n]
		rest := Load{Encoded: entries.Encoded - manifest.EncodedSize(own.Object), Sent: entries.Sent - own.Sent()}
		if then := a.limits.with(kept, a.weights[i]); kept.objects == 0 || a.limits.within(then.beside(rest)) {
			kept, entries = then, rest
		} else {
			a.numbers[i] = NoWork
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

// load is the load of a work with those members.
func (a *Assignment) load(members []int) (l Load) {
	for _, i := range members {
		l = a.limits.with(l, a.weights[i])
	}
	return l
}

// firstGap is the lowest number that is not among sorted numbers, which is also its index there.
func firstGap(sorted []int) int {
	for i, n := range sorted {
		if n != i {
			return i
		}
	}
	return len(sorted)
}
