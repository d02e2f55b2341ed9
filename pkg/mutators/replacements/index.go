package replacements

import (
	"slices"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// index has the current names of all items.
type index struct {
	*work
	attributes []*attributes // by item
	parts      [parts]values
	version    int // grows with every change, and begins with 1

	remembered int // items, in all selections
}

// attributes are what an item is selected by.
type attributes struct {
	object              *krm.Object
	parts               [parts]string
	values              [parts]int // their numbers
	labels, annotations labels.Set // nil before the first use
}

// values are the different texts of one part, by numbers.
type values struct {
	texts   []string
	numbers map[string]int
	items   [][]int // by number: the items with it, in order
	sorted  []int   // the numbers of the first texts, sorted by text
	found   map[*pattern]*matches
}

// matches are the texts that a pattern matches.
type matches struct {
	numbers []int // in order
	upTo    int   // how many texts were compared
	items   int   // how many items have such a text
	version int   // of the index, when they were counted
}

func newIndex(items []*krm.Object, w *work) (*index, error) {
	x := &index{work: w, version: 1, attributes: make([]*attributes, len(items))}
	for p := range x.parts {
		x.parts[p].numbers, x.parts[p].found = map[string]int{}, map[*pattern]*matches{}
	}
	for i, o := range items {
		if err := w.spend(1); err != nil {
			return nil, err
		}
		x.attributes[i] = &attributes{object: o, parts: partsOf(o)}
		for p, text := range x.attributes[i].parts {
			x.attributes[i].values[p] = x.parts[p].add(text, i)
		}
	}
	for p := range x.parts {
		v := &x.parts[p]
		for n := range v.texts {
			v.sorted = append(v.sorted, n)
		}
		slices.SortFunc(v.sorted, func(a, b int) int { return strings.Compare(v.texts[a], v.texts[b]) })
	}
	return x, nil
}

// add records that item i has text, and returns the number of text.
func (v *values) add(text string, i int) int {
	n, ok := v.numbers[text]
	if !ok {
		n = len(v.texts)
		v.texts, v.items, v.numbers[text] = append(v.texts, text), append(v.items, nil), n
	}
	at, _ := slices.BinarySearch(v.items[n], i)
	v.items[n] = slices.Insert(v.items[n], at, i)
	return n
}

func (v *values) remove(n, i int) {
	if at, ok := slices.BinarySearch(v.items[n], i); ok {
		v.items[n] = slices.Delete(v.items[n], at, at+1)
	}
}

// update records that item i is o now, or is o and has changed.
func (x *index) update(i int, o *krm.Object, byLabels bool) error {
	before, now := x.attributes[i], &attributes{object: o, parts: partsOf(o)}
	if now.values = before.values; now.parts == before.parts && !byLabels {
		return x.spend(5)
	}
	for p, text := range now.parts {
		if text != before.parts[p] {
			x.parts[p].remove(before.values[p], i)
			now.values[p] = x.parts[p].add(text, i)
		}
	}
	x.attributes[i] = now
	x.version++
	return x.spend(100) // a new name takes memory
}

// match is the texts of a part that p matches.
func (x *index) match(part int, p *pattern) (*matches, error) {
	v := &x.parts[part]
	if p.re == nil {
		return v.only(p.text), x.spend(1)
	}
	m := v.found[p]
	if m == nil {
		m = &matches{}
		v.found[p] = m
		if err := x.matchSorted(v, p, m); err != nil {
			return nil, err
		}
	}
	if m.version == x.version {
		return m, x.spend(1)
	}
	for ; m.upTo < len(v.texts); m.upTo++ {
		if err := x.try(v, m.upTo, p, m); err != nil {
			return nil, err
		}
	}
	m.items, m.version = 0, x.version
	for _, n := range m.numbers {
		m.items += len(v.items[n])
	}
	return m, x.spend(1 + len(m.numbers))
}

// only is text itself.
func (v *values) only(text string) *matches {
	n, ok := v.numbers[text]
	if !ok {
		return &matches{}
	}
	return &matches{numbers: []int{n}, items: len(v.items[n])}
}

// matchSorted compares p with those of the first texts that begin with its prefix.
func (x *index) matchSorted(v *values, p *pattern, m *matches) error {
	from := sort.Search(len(v.sorted), func(i int) bool { return v.texts[v.sorted[i]] >= p.prefix })
	for _, n := range v.sorted[from:] {
		if !strings.HasPrefix(v.texts[n], p.prefix) {
			break
		}
		if err := x.try(v, n, p, m); err != nil {
			return err
		}
	}
	slices.Sort(m.numbers)
	m.upTo = len(v.sorted)
	return nil
}

func (x *index) try(v *values, n int, p *pattern, m *matches) error {
	if p.re.MatchString(v.texts[n]) {
		m.numbers = append(m.numbers, n)
		if err := x.spend(8); err != nil { // it takes memory
			return err
		}
	}
	return x.spend(2 + len(v.texts[n])/16)
}
