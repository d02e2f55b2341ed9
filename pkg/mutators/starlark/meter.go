package starlark

import (
	"errors"
	"math"
)

// mostWork is how much work, in bytes that are read or made, all operations of a script may do beyond the steps that the
// interpreter counts.
const mostWork = 256 << 20

// meter is how much work is left, and the buckets of large maps.
type meter struct {
	left   int
	tables tables
}

var errWork = errors.New("the script does too much: its operations take or make more than 256 MB, all together")

func (m *meter) pay(price int) error {
	if price > m.left || price < 0 {
		m.left = 0
		return errWork
	}
	m.left -= price
	return nil
}

// The bytes that new values take, with the garbage on the way.
const (
	small  = 64  // what has no elements
	slot   = 16  // an element of a list that is there
	listed = 48  // one of a list that is made, and grows
	entry  = 256 // one of a map or set that is made, and grows
	table  = 512 // a map or set itself
	built  = 3   // for every byte of a text that is made piece by piece
)

func plus(numbers ...int) (total int) {
	for _, n := range numbers {
		if total > math.MaxInt-n {
			return math.MaxInt
		}
		total += n
	}
	return total
}

func times(a, b int) int {
	if b > 0 && a > math.MaxInt/b {
		return math.MaxInt
	}
	return a * b
}
