package safetext

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// ellipsis marks text that was cut out.
const ellipsis = "…"

// splitVisible splits a text into its characters as Visible shows them. A spelled-out character is one piece, so that no
// cut halves it.
func splitVisible(text string) (out []string) {
	for i, r := range text {
		out = append(out, spellOut(text[i:], r))
	}
	return out
}

func runeCount(pieces []string) (n int) {
	for _, p := range pieces {
		n += utf8.RuneCountInString(p)
	}
	return n
}

// prefixOf returns the leading pieces that fit into room characters, suffixOf the trailing ones.
func prefixOf(pieces []string, room int) []string {
	for n, p := range pieces {
		if room -= utf8.RuneCountInString(p); room < 0 {
			return pieces[:n]
		}
	}
	return pieces
}

func suffixOf(pieces []string, room int) []string {
	for n, p := range slices.Backward(pieces) {
		if room -= utf8.RuneCountInString(p); room < 0 {
			return pieces[n+1:]
		}
	}
	return pieces
}

// Short is Visible with at most most characters. An ellipsis follows if the end was cut off.
func Short(text string, most int) string {
	all := splitVisible(firstRunes(text, most+1))
	if runeCount(all) <= most {
		return strings.Join(all, "")
	}
	return strings.Join(prefixOf(all, most), "") + ellipsis
}

// firstRunes is the first most characters of text.
func firstRunes(text string, most int) string {
	for i := range text {
		if most--; most < 0 {
			return text[:i]
		}
	}
	return text
}

// Middle is Visible with at most most characters, the ellipsis included. It cuts text out of the middle.
func Middle(text string, most int) string { return excerpt(splitVisible(boundInput(text)), 0, most) }

// longestInput bounds the work, in bytes: a longer text loses its middle first.
const longestInput = 4096

func boundInput(text string) string {
	if len(text) <= longestInput {
		return text
	}
	return strings.ToValidUTF8(text[:longestInput/2], "") + strings.ToValidUTF8(text[len(text)-longestInput/2:], "")
}

// Distinct shortens texts as Middle does, and keeps in each the place where it begins to differ from the text that shares
// the longest prefix with it. Two results are equal only if the texts are equal or differ in more than one place.
func Distinct(texts []string, most int) []string {
	out := make([]string, len(texts))
	all := make([][]string, len(texts))
	for i, text := range texts {
		all[i] = splitVisible(boundInput(text))
	}
	differs := firstDifferences(all)
	for i := range all {
		out[i] = excerpt(all[i], differs[i], most)
	}
	return out
}

// excerpt is a text of at most most characters: its beginning, its end, and what surrounds place.
func excerpt(all []string, place, most int) string {
	if runeCount(all) <= most {
		return strings.Join(all, "")
	}
	half, quarter := most/2, max(1, (most-2)/4)
	before, behind := runeCount(all[:min(place+1, len(all))]), runeCount(all[min(place, len(all)):])
	switch {
	case before <= most-1-quarter: // place is near the beginning
		return joinExcerpt(prefixOf(all, max(half, before)), nil, all, most)
	case behind <= most-1-quarter: // or near the end
		end := suffixOf(all, max(half, behind))
		return joinExcerpt(prefixOf(all, most-1-runeCount(end)), nil, end, most)
	}
	begin := prefixOf(all, quarter)
	return joinExcerpt(begin, all[max(len(begin), place-quarter):], suffixOf(all, quarter), most)
}

// joinExcerpt joins the parts of an excerpt. It shortens middle and end to the room that is left.
func joinExcerpt(begin, middle, end []string, most int) string {
	text := strings.Join(begin, "") + ellipsis
	if middle != nil {
		text += strings.Join(prefixOf(middle, most-2-runeCount(begin)-runeCount(end)), "") + ellipsis
	}
	return text + strings.Join(suffixOf(end, most-utf8.RuneCountInString(text)), "")
}

// firstDifferences returns, for each text, the index of the first piece that differs from the text that shares the longest
// prefix with it. Equal texts count as one.
func firstDifferences(all [][]string) []int {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return slices.Compare(all[x], all[y]) })
	out := make([]int, len(all))
	for n := 1; n < len(order); n++ { // the neighbour before
		x, y := order[n-1], order[n]
		if out[y] = commonPrefix(all[x], all[y]); slices.Equal(all[x], all[y]) {
			out[y] = out[x]
		}
	}
	behind := 0
	for n := len(order) - 2; n >= 0; n-- { // the neighbour behind
		x, y := order[n], order[n+1]
		if !slices.Equal(all[x], all[y]) {
			behind = commonPrefix(all[x], all[y])
		}
		out[x] = max(out[x], behind)
	}
	return out
}

// commonPrefix is the number of leading pieces that a and b share.
func commonPrefix(a, b []string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
