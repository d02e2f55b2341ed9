package plan

import "slices"

// breakCycles removes the edges of highest rank from each cycle of steps until no cycle is left. It returns
// the steps that are in a cycle of required edges: their order cannot be known.
func (g *graph) breakCycles() (knotted map[int]bool) {
	for w := listOrder; w > sameResource; w-- {
		circles := g.cycles()
		if len(circles) == 0 {
			return knotted
		}
		if w == required {
			knotted = map[int]bool{}
		}
		for i, circle := range circles {
			if w == required {
				knotted[i] = true
			}
			g.edges[i] = slices.DeleteFunc(g.edges[i], func(t edge) bool {
				other, tied := circles[t.before]
				return t.rank == w && tied && other == circle
			})
		}
	}
	return knotted
}

// cycles are the steps that come before themselves, each with the number of its cycle: the strongly connected components, by
// Kosaraju's algorithm.
func (g *graph) cycles() map[int]int {
	after := make([][]int, len(g.steps))
	for i, edges := range g.edges {
		for _, e := range edges {
			after[e.before] = append(after[e.before], i)
		}
	}
	cycles, seen := map[int]int{}, make([]bool, len(g.steps))
	for _, start := range slices.Backward(g.postOrder()) {
		component := visit(start, seen, func(i, n int) (int, bool) { return at(after[i], n) })
		for _, i := range component {
			if len(component) > 1 {
				cycles[i] = start
			}
		}
	}
	return cycles
}

// order is the steps in their order, but each after those that come before it. There are no cycles.
func (g *graph) order() []int {
	for _, edges := range g.edges {
		slices.SortFunc(edges, func(a, b edge) int { return a.before - b.before })
	}
	return g.postOrder()
}

// postOrder is the steps in their order, but each after those that come before it, unless they are in a cycle.
func (g *graph) postOrder() []int {
	return postOrder(len(g.steps), func(i, n int) (int, bool) {
		e, more := at(g.edges[i], n)
		return e.before, more
	})
}

// postOrder is the numbers below size, each after its predecessors, of which before returns the n-th.
func postOrder(size int, before func(i, n int) (int, bool)) (ordered []int) {
	seen := make([]bool, size)
	for start := range size {
		ordered = append(ordered, visit(start, seen, before)...)
	}
	return ordered
}

// visit is what can be reached from start and was not seen, each after its own predecessors. It does not recurse: a path may
// be as long as a plan.
func visit(start int, seen []bool, before func(i, n int) (int, bool)) (ordered []int) {
	if seen[start] {
		return nil
	}
	type frame struct{ i, next int }
	seen[start] = true
	for path := []frame{{start, 0}}; len(path) > 0; {
		top := &path[len(path)-1]
		next, more := before(top.i, top.next)
		if top.next++; !more {
			ordered, path = append(ordered, top.i), path[:len(path)-1]
		} else if !seen[next] {
			seen[next] = true
			path = append(path, frame{next, 0})
		}
	}
	return ordered
}

func at[T any](list []T, n int) (element T, ok bool) {
	if n >= len(list) {
		return element, false
	}
	return list[n], true
}
