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

// tarjan is one run of Tarjan's algorithm for strongly connected components.
type tarjan struct {
	*graph
	number, low []int // order of the first visit, and the least that can be reached; 0: not visited
	stack       []int // visited, and not yet in a component
	onStack     []bool
	path        []frame
	cycles      map[int]int
}

// frame is a step and how many of its edges were followed.
type frame struct{ step, seen int }

// cycles are the steps that come before themselves, each with the number of its cycle.
func (g *graph) cycles() map[int]int {
	n := len(g.steps)
	s := &tarjan{graph: g, number: make([]int, n), low: make([]int, n), onStack: make([]bool, n), cycles: map[int]int{}}
	count := 0
	for start := range g.steps {
		if s.number[start] > 0 {
			continue
		}
		for s.push(start, &count); len(s.path) > 0; {
			if next, more := s.next(); more {
				s.push(next, &count)
			}
		}
	}
	return s.cycles
}

func (s *tarjan) push(i int, count *int) {
	*count++
	s.number[i], s.low[i], s.onStack[i] = *count, *count, true
	s.stack, s.path = append(s.stack, i), append(s.path, frame{step: i})
}

// next is the next step to visit from the end of the path; without one it removes that end.
func (s *tarjan) next() (next int, more bool) {
	at := &s.path[len(s.path)-1]
	i := at.step
	for at.seen < len(s.edges[i]) {
		on := s.edges[i][at.seen].before
		at.seen++
		if s.number[on] == 0 {
			return on, true
		}
		if s.onStack[on] {
			s.low[i] = min(s.low[i], s.number[on])
		}
	}
	s.path = s.path[:len(s.path)-1]
	if len(s.path) > 0 {
		from := s.path[len(s.path)-1].step
		s.low[from] = min(s.low[from], s.low[i])
	}
	if s.low[i] == s.number[i] {
		s.popCycle(i)
	}
	return 0, false
}

// popCycle pops the component of a step from the stack, and records it if it has more than that step.
func (s *tarjan) popCycle(i int) {
	at := len(s.stack) - 1
	for s.stack[at] != i {
		at--
	}
	circle := s.stack[at:]
	for _, j := range circle {
		s.onStack[j] = false
		if len(circle) > 1 {
			s.cycles[j] = i
		}
	}
	s.stack = s.stack[:at]
}

// order is the steps in their order, but each after those that come before it. There are no cycles.
func (g *graph) order() (ordered []int) {
	seen := make([]bool, len(g.steps))
	for start := range g.steps {
		if seen[start] {
			continue
		}
		seen[start] = true
		for path := []frame{{step: start}}; len(path) > 0; {
			at := &path[len(path)-1]
			if at.seen == 0 {
				slices.SortFunc(g.edges[at.step], func(a, b edge) int { return a.before - b.before })
			}
			if at.seen == len(g.edges[at.step]) {
				ordered, path = append(ordered, at.step), path[:len(path)-1]
				continue
			}
			on := g.edges[at.step][at.seen].before
			if at.seen++; !seen[on] {
				seen[on] = true
				path = append(path, frame{step: on})
			}
		}
	}
	return ordered
}
