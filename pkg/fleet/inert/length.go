package inert

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// cut stands for what is left out.
const cut = "…"

// pieces are the characters of a text as they are shown, each whole.
func pieces(text string) (out []string) {
	for i, r := range text {
		out = append(out, spelt(text[i:], r))
	}
	return out
}

func size(pieces []string) (n int) {
	for _, p := range pieces {
		n += utf8.RuneCountInString(p)
	}
	return n
}

// first and last are the pieces that have room at the beginning and at the end.
func first(pieces []string, room int) []string {
	for n, p := range pieces {
		if room -= utf8.RuneCountInString(p); room < 0 {
			return pieces[:n]
		}
	}
	return pieces
}

func last(pieces []string, room int) []string {
	for n, p := range slices.Backward(pieces) {
		if room -= utf8.RuneCountInString(p); room < 0 {
			return pieces[n+1:]
		}
	}
	return pieces
}

// Short is text on one line, of most characters at most: the end is cut off, and a sign says so.
func Short(text string, most int) string {
	all := pieces(head(text, most+1))
	if size(all) <= most {
		return strings.Join(all, "")
	}
	return strings.Join(first(all, most), "") + cut
}

// head is the beginning of a text, as many characters as may be shown.
func head(text string, most int) string {
	for i := range text {
		if most--; most < 0 {
			return text[:i]
		}
	}
	return text
}

// Middle is text on one line, of most characters at most, the sign for what is cut out of the middle included.
func Middle(text string, most int) string { return around(pieces(bounded(text)), 0, most) }

// longest bounds the work; what is longer has its middle cut out before it is looked at.
const longest = 4096

func bounded(text string) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest/2], "") + strings.ToValidUTF8(text[len(text)-longest/2:], "")
}

// Apart are texts as Middle has them, but that of each there is shown where it begins to differ from those that begin like
// it. Two that are the same afterwards differ in more than one place, or are the same.
func Apart(texts []string, most int) []string {
	out := make([]string, len(texts))
	all := make([][]string, len(texts))
	for i, text := range texts {
		all[i] = pieces(bounded(text))
	}
	differs := differences(all)
	for i := range all {
		out[i] = around(all[i], differs[i], most)
	}
	return out
}

// around is a text with its beginning, its end, and what stands about a place, as far as there is room for them.
func around(all []string, place, most int) string {
	if size(all) <= most {
		return strings.Join(all, "")
	}
	half, quarter := most/2, max(1, (most-2)/4)
	before, behind := size(all[:min(place+1, len(all))]), size(all[min(place, len(all)):])
	switch {
	case before <= most-1-quarter: // it is in the beginning
		return joined(first(all, max(half, before)), nil, all, most)
	case behind <= most-1-quarter: // or in the end
		end := last(all, max(half, behind))
		return joined(first(all, most-1-size(end)), nil, end, most)
	}
	begin := first(all, quarter)
	return joined(begin, all[max(len(begin), place-quarter):], last(all, quarter), most)
}

// joined is begin, and of the rest what there is room for.
func joined(begin, middle, end []string, most int) string {
	text := strings.Join(begin, "") + cut
	if middle != nil {
		text += strings.Join(first(middle, most-2-size(begin)-size(end)), "") + cut
	}
	return text + strings.Join(last(end, most-utf8.RuneCountInString(text)), "")
}
