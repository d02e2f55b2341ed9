package plan

import "slices"

// untie cuts the lightest ties of each circle of steps until none is left. It reports those that even
// needs tied together: nobody can tell in which order they succeed.
func (g *graph) untie() (knotted map[int]bool) {
	for w := listed; w > same; w-- {
		circles := g.circles()
		if len(circles) == 0 {
			return knotted
		}
		if w == needed {
			knotted = map[int]bool{}
		}
		for i, circle := range circles {
			if w == needed {
				knotted[i] = true
			}
			g.ties[i] = slices.DeleteFunc(g.ties[i], func(t tie) bool {
				other, tied := circles[t.before]
				return t.weight == w && tied && other == circle
			})
		}
	}
	return knotted
}

// search is one look for circles, after Tarjan: numbers of steps in the order in which they were met.
type search struct {
	*graph
	met, low []int // number, and the least number that can be reached; 0: not met yet
	open     []int // met, and not known to be in a circle or in none
	isOpen   []bool
	path     []visit
	circles  map[int]int
}

// visit is a step and how many of its ties were seen.
type visit struct{ step, seen int }

// circles are the steps that come before themselves, each with the number of its circle.
func (g *graph) circles() map[int]int {
	n := len(g.steps)
	s := &search{graph: g, met: make([]int, n), low: make([]int, n), isOpen: make([]bool, n), circles: map[int]int{}}
	count := 0
	for start := range g.steps {
		if s.met[start] > 0 {
			continue
		}
		for s.enter(start, &count); len(s.path) > 0; {
			if next, more := s.next(); more {
				s.enter(next, &count)
			}
		}
	}
	return s.circles
}

func (s *search) enter(i int, count *int) {
	*count++
	s.met[i], s.low[i], s.isOpen[i] = *count, *count, true
	s.open, s.path = append(s.open, i), append(s.path, visit{step: i})
}

// next is the next step to be met from the end of the path, or leaves that end.
func (s *search) next() (next int, more bool) {
	at := &s.path[len(s.path)-1]
	i := at.step
	for at.seen < len(s.ties[i]) {
		on := s.ties[i][at.seen].before
		at.seen++
		if s.met[on] == 0 {
			return on, true
		}
		if s.isOpen[on] {
			s.low[i] = min(s.low[i], s.met[on])
		}
	}
	s.path = s.path[:len(s.path)-1]
	if len(s.path) > 0 {
		from := s.path[len(s.path)-1].step
		s.low[from] = min(s.low[from], s.low[i])
	}
	if s.low[i] == s.met[i] {
		s.close(i)
	}
	return 0, false
}

// close takes what was met since a step, and can reach it, for a circle, if it is more than that step.
func (s *search) close(i int) {
	at := len(s.open) - 1
	for s.open[at] != i {
		at--
	}
	circle := s.open[at:]
	for _, j := range circle {
		s.isOpen[j] = false
		if len(circle) > 1 {
			s.circles[j] = i
		}
	}
	s.open = s.open[:at]
}

// order is the steps as they stand, but each after those that come before it. There are no circles.
func (g *graph) order() (ordered []int) {
	seen := make([]bool, len(g.steps))
	for start := range g.steps {
		if seen[start] {
			continue
		}
		seen[start] = true
		for path := []visit{{step: start}}; len(path) > 0; {
			at := &path[len(path)-1]
			if at.seen == 0 {
				slices.SortFunc(g.ties[at.step], func(a, b tie) int { return a.before - b.before })
			}
			if at.seen == len(g.ties[at.step]) {
				ordered, path = append(ordered, at.step), path[:len(path)-1]
				continue
			}
			on := g.ties[at.step][at.seen].before
			if at.seen++; !seen[on] {
				seen[on] = true
				path = append(path, visit{step: on})
			}
		}
	}
	return ordered
}
