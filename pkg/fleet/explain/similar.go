package explain

import (
	"cmp"
	"slices"
	"strings"
)

// mostSimilar is how many names are offered.
const mostSimilar = 3

// similar are the names that somebody may have meant who wrote name, the likeliest first.
func similar(name string, names []string) (out []string) {
	type candidate struct {
		name string
		far  int
	}
	var near []candidate
	for _, n := range names {
		if far := distance(strings.ToLower(name), strings.ToLower(n)); far <= max(1, len(name)/3) {
			near = append(near, candidate{n, far})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.name, b.name)) })
	for _, c := range near[:min(len(near), mostSimilar)] {
		out = append(out, c.name)
	}
	return slices.Compact(out)
}

// longestCompared bounds the work: no name that Kubernetes takes is longer.
const longestCompared = 300

// distance is how many bytes have to be added, dropped or replaced to make b of a.
func distance(a, b string) int {
	if len(a) > longestCompared || len(b) > longestCompared {
		return longestCompared
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := before
			if a[i] != b[j] {
				replaced++
			}
			before, row[j+1] = row[j+1], min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
