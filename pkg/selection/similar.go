package selection

import (
	"cmp"
	"slices"
	"strings"
)

// maxSimilar is the most names that Similar returns.
const maxSimilar = 3

// Similar are the names that the author of name may have meant, the most similar first, at most three.
func Similar(name string, names []string) (out []string) {
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
	for _, c := range slices.Compact(near) {
		out = append(out, c.name)
	}
	return out[:min(len(out), maxSimilar)]
}

// Typos are the names of which name may be a typo: they differ in case only, or in one or two letters.
func Typos(name string, names []string) []string {
	return slices.DeleteFunc(Similar(name, names), func(n string) bool {
		return !strings.EqualFold(name, n) && !Misspelt(strings.ToLower(name), strings.ToLower(n))
	})
}

// Misspelt reports whether name differs from want in one or two letters.
func Misspelt(name, want string) bool {
	const typos = 2
	return name != want && len(name) <= len(want)+typos && len(want) <= len(name)+typos && distance(name, want) <= typos
}

// longestCompared limits the work: no name in Kubernetes is longer.
const longestCompared = 300

// distance is how many bytes must be added, removed, replaced, or swapped with the next one, to turn a into b.
func distance(a, b string) int {
	if len(a) > longestCompared || len(b) > longestCompared {
		return longestCompared
	}
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range old {
		old[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			replaced := old[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(replaced, old[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
		older, old, row = old, row, older
	}
	return old[len(b)]
}
