package inert

import "slices"

// differences are, of each text, the first place where it differs from whichever of the others begins like it for longest.
// Of texts that are the same one counts.
func differences(all [][]string) []int {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return slices.Compare(all[x], all[y]) })
	out := make([]int, len(all))
	for n := 1; n < len(order); n++ { // the nearest before
		x, y := order[n-1], order[n]
		if out[y] = common(all[x], all[y]); slices.Equal(all[x], all[y]) {
			out[y] = out[x]
		}
	}
	behind := 0
	for n := len(order) - 2; n >= 0; n-- { // and behind
		x, y := order[n], order[n+1]
		if !slices.Equal(all[x], all[y]) {
			behind = common(all[x], all[y])
		}
		out[x] = max(out[x], behind)
	}
	return out
}

// common is how many pieces two texts begin with that are the same.
func common(a, b []string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
