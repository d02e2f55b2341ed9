package overlap

import "math/bits"

// bitset is a set of small numbers.
type bitset []uint64

func newBitset(size int) bitset { return make(bitset, (size+63)/64) }

func (b bitset) add(i int) { b[i/64] |= 1 << (i % 64) }

func (b bitset) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }

// tally is the number of members of a set, and the first of them.
type tally struct{ n, first int }

// addWord counts the members in the i-th word of a set. Words come in order.
func (t *tally) addWord(i int, word uint64) {
	if t.n == 0 && word != 0 {
		t.first = i*64 + bits.TrailingZeros64(word)
	}
	t.n += bits.OnesCount64(word)
}

// common counts the members of both sets.
func (b bitset) common(other bitset) (t tally) {
	for i := range b {
		t.addWord(i, b[i]&other[i])
	}
	return t
}

// intersects reports whether two sets have a common member.
func (b bitset) intersects(other bitset) bool {
	for i := range b {
		if b[i]&other[i] != 0 {
			return true
		}
	}
	return false
}

// union is a new set.
func (b bitset) union(other bitset) bitset {
	out := make(bitset, len(b))
	for i := range b {
		out[i] = b[i] | other[i]
	}
	return out
}
