package krm

import (
	"bytes"
	"fmt"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/memlimit"
)

// bytesPerValue is the memory of a value of a package: as it was read, and as a function changed it.
const bytesPerValue = 512

// MostValues is how many values the files of a package may hold together, in half of the memory of this
// process: two million with 2 GiB. It is never less than one document may hold.
func MostValues() int {
	return int(min(max(memlimit.Bytes()/2/bytesPerValue, int64(DefaultLimits.Nodes)), 100_000_000))
}

// Budget limits the values of texts that are read together. It is safe for concurrent use.
type Budget struct {
	Most int // how many values

	mu    sync.Mutex
	used  int
	large sync.Mutex // held while a large document is parsed: one at a time
}

// NewBudget is a budget of MostValues.
func NewBudget() *Budget { return &Budget{Most: MostValues()} }

// Unused is a Budget of the same size of which nothing is taken.
func (b *Budget) Unused() *Budget {
	if b == nil {
		return NewBudget()
	}
	return &Budget{Most: b.Most}
}

// Take takes so many values from the budget. The error says that too few are left, and what to do. A nil
// Budget is unlimited.
func (b *Budget) Take(values int) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used = min(b.used+values, 2*b.Most); b.used <= b.Most {
		return nil
	}
	return fmt.Errorf("with this object, the package holds more than the %d values allowed in all; "+
		"split the package, or give the process more memory, which the limit follows", b.Most)
}

// Over reports whether more was taken than the budget had.
func (b *Budget) Over() bool {
	if b == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used > b.Most
}

// alone runs parse; large texts are parsed one at a time.
func (b *Budget) alone(marks int, parse func()) {
	const large = 100_000
	if b != nil && marks > large {
		b.large.Lock()
		defer b.large.Unlock()
	}
	parse()
}

// Values is about how many values objects held when they were read. Lazy fields that are not parsed yet do not count.
func Values(objects []*Object) (total int) {
	for _, o := range objects {
		total += o.values
	}
	return total
}

// valueMarks are signs before or after a value, at least one for each but the keys of a map in braces.
var valueMarks = [][]byte{[]byte("\n"), []byte(","), []byte(":"), []byte("["), []byte("{"), []byte("- "), []byte("? ")}

// Marks is about how many values text may hold, found without parsing it. In a long string of text, marks
// do not begin a value.
func Marks(text []byte) (n int) {
	for _, mark := range valueMarks {
		n += bytes.Count(text, mark)
	}
	return n
}

// tooMany says why text with so many marks is not parsed; "" when it is parsed.
func tooMany(marks int, l Limits) string {
	const always = 100_000
	if most := 2 * l.Nodes; marks > max(most, always) {
		return fmt.Sprintf("its %d lines, commas, colons and brackets may hold more than the %d values allowed; "+
			"split it into several objects", marks, l.Nodes)
	}
	return ""
}

// CheckValues refuses an object that holds more values than one document may. An item of a list can.
func CheckValues(o *Object) error {
	if n := CountValues(o.Node()); n > DefaultLimits.Nodes {
		return fmt.Errorf("holds %d values, more than the %d allowed in one object; split it into several", n, DefaultLimits.Nodes)
	}
	return nil
}

// CountValues counts n and all nodes that are written below it.
func CountValues(n *yaml.Node) int {
	total := 1
	for _, c := range n.Content {
		total += CountValues(c)
	}
	return total
}
