package html

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/waybill-dev/waybill/pkg/safetext"
)

// Marks of a template: the name of the cluster, and the number of a column between two marks. Package safetext spells out
// both characters, so no text that is shown has one.
const nameMark, columnMark = "\f", "\b"

// column is the part of a template that differs by row. A row is a delivery of an object, or a change on a cluster.
type column struct {
	values []string // different ones, the commonest first
	rows   int      // number of the list that says which value a row has; -1 if each row has the value of its own number
	bound  int      // how many of the values are within the limit of the page
}

// columns are interned: texts that differ by cluster in the same values share them.
type columns struct {
	all       []column
	rows      [][]int
	known     map[string]int // of all
	partition map[string]int // of rows
}

// number is the number of the column with these values by row.
func (c *columns) number(values []string) int {
	different, rows := distinct(values)
	col := column{values: different, rows: c.rowsNumber(rows)}
	key := binary.AppendVarint(nil, int64(col.rows))
	for _, v := range different {
		key = append(binary.AppendUvarint(key, uint64(len(v))), v...)
	}
	return number(c.known, string(key), func() { c.all = append(c.all, col) })
}

// rowsNumber is the number of a list of values by row, or -1.
func (c *columns) rowsNumber(rows []int) int {
	var key []byte
	ordered := true
	for i, n := range rows {
		ordered = ordered && n == i
		key = binary.AppendUvarint(key, uint64(n)) // #nosec G115 -- a place in a list
	}
	if ordered {
		return -1
	}
	return number(c.partition, string(key), func() { c.rows = append(c.rows, rows) })
}

// distinct are the different values, the commonest first, and which of them each row has.
func distinct(values []string) (different []string, rows []int) {
	places, count := map[string]int{}, []int{}
	for _, v := range values {
		n := number(places, v, func() { different, count = append(different, v), append(count, 0) })
		count[n]++
		rows = append(rows, n)
	}
	order := make([]int, len(different))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(count[y], count[x]) })
	sorted, becomes := make([]string, len(order)), make([]int, len(order))
	for to, from := range order {
		sorted[to], becomes[from] = different[from], to
	}
	for i, n := range rows {
		rows[i] = becomes[n]
	}
	return sorted, rows
}

// template is what the texts of some rows, which have as many lines, have in common, with columns where they differ.
func (c *columns) template(texts []string) string {
	different, rows := distinct(texts)
	split := make([][]string, len(different))
	for i, text := range different {
		split[i] = strings.Split(text, "\n")
	}
	out := slices.Clone(split[0])
	for line := range out {
		if all := lineOf(split, line); slices.ContainsFunc(all, func(s string) bool { return s != all[0] }) {
			out[line] = c.lineTemplate(all, rows)
		}
	}
	return strings.Join(out, "\n")
}

func lineOf(split [][]string, line int) []string {
	out := make([]string, len(split))
	for i := range split {
		out[i] = split[i][line]
	}
	return out
}

func (c *columns) lineTemplate(lines []string, rows []int) string {
	before, after := commonEnds(lines)
	values := make([]string, len(rows))
	for i, n := range rows {
		values[i] = lines[n][before : len(lines[n])-after]
	}
	first := lines[0]
	return first[:before] + columnMark + strconv.Itoa(c.number(values)) + columnMark + first[len(first)-after:]
}

// commonEnds is how many bytes all texts have in common at their beginnings and, of the rest, at their ends. No character is
// halved.
func commonEnds(texts []string) (before, after int) {
	first := texts[0]
	before, after = len(first), len(first)
	for _, text := range texts[1:] {
		n, most := 0, min(before, len(text))
		for n < most && first[n] == text[n] {
			n++
		}
		before = n
	}
	for before > 0 && before < len(first) && !utf8.RuneStart(first[before]) {
		before--
	}
	for _, text := range texts {
		n, most := 0, min(after, len(text)-before)
		for n < most && first[len(first)-1-n] == text[len(text)-1-n] {
			n++
		}
		after = n
	}
	for after > 0 && !utf8.RuneStart(first[len(first)-after]) {
		after--
	}
	return before, after
}

// withoutName puts the mark in place of the name of the cluster, where it is a word of the text.
func withoutName(text, name string) string { return safetext.ReplaceWord(text, name, nameMark) }

// needAll has all values of the columns so far in the page.
func (c *columns) needAll() {
	for i := range c.all {
		c.all[i].bound = len(c.all[i].values)
	}
}
