package pack

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// makeDelta returns the instructions that build target from base, nil if they take more than limit bytes. It is for versions
// that resemble each other: it copies what is equal at both ends, and between them it continues after each difference at the
// next line, or entry of a tree, that base has, too. go-git's DiffDelta looks for any 16 equal bytes, which takes
// 50 times as long: see BenchmarkMakeDelta.
func makeDelta(kind plumbing.ObjectType, base, target []byte, limit int) []byte {
	begin := equalBegin(base, target)
	end := equalEnd(base[begin:], target[begin:])
	d := &differ{base: tokensOf(kind, base), target: tokensOf(kind, target[:len(target)-end]), limit: limit}
	d.out = binary.AppendUvarint(binary.AppendUvarint(d.out, uint64(len(base))), uint64(len(target)))
	d.copy(0, begin)
	d.between(begin)
	d.copy(len(base)-end, end)
	if len(d.out) > limit {
		return nil
	}
	return d.out
}

// differ writes the delta of one object.
type differ struct {
	base, target tokens
	limit        int
	out          []byte
	index        map[string][]int // where in base a token begins, in order; nil until needed
}

// match says that base and target have equal bytes.
type match struct{ base, target, size int }

// between writes what makes the target between its equal ends; at is the end of the first, in base and target.
func (d *differ) between(at int) {
	from := at // in base
	for at < len(d.target.data) && len(d.out) <= d.limit {
		m := d.next(from, at)
		d.insert(d.target.data[at:m.target])
		d.copy(m.base, m.size)
		from, at = m.base+m.size, m.target+m.size
	}
}

// The lengths of matches: long ones are taken without a search for others, and short ones are not worth an instruction.
const (
	longMatch  = 128
	shortMatch = 12
	// mostCandidates is how many places in base are compared, for one in target.
	mostCandidates = 8
)

// next finds the next equal bytes, behind from in base and at in target. Their size is zero at the end of target.
func (d *differ) next(from, at int) match {
	base, target := d.base.next(from), d.target.next(at)
	for ; target < len(d.target.data); base, target = d.base.next(base+1), d.target.next(target+1) {
		m := d.extend(match{base: base, target: target}, at)
		if m.size < longMatch {
			m = d.search(m, from, target, at)
		}
		if m.size >= shortMatch {
			return m
		}
	}
	return match{target: len(d.target.data)}
}

// search returns the longest match of the token at target: the first one, or one that the index finds.
func (d *differ) search(longest match, from, target, at int) match {
	places := d.places(d.target.token(target))
	first, _ := slices.BinarySearch(places, from)
	first = max(0, min(first, len(places)-mostCandidates))
	for _, base := range places[first:min(len(places), first+mostCandidates)] {
		if m := d.extend(match{base: base, target: target}, at); m.size > longest.size {
			longest = m
		}
	}
	return longest
}

// extend makes a match as long as it is, also backwards, but not before the byte at in target.
func (d *differ) extend(m match, at int) match {
	m.size = equalBegin(d.base.data[min(m.base, len(d.base.data)):], d.target.data[m.target:])
	for m.size > 0 && m.base > 0 && m.target > at && d.base.data[m.base-1] == d.target.data[m.target-1] {
		m = match{m.base - 1, m.target - 1, m.size + 1}
	}
	return m
}

// mostIndexed bounds the memory of an index, which is a multiple of it.
const mostIndexed = 4 << 20

func (d *differ) places(token []byte) []int {
	if d.index == nil {
		d.index = map[string][]int{}
		if text := string(d.base.data); len(text) <= mostIndexed {
			for at := 0; at < len(text); at = d.base.next(at + 1) {
				key := text[at : at+len(d.base.token(at))]
				d.index[key] = append(d.index[key], at)
			}
		}
	}
	return d.index[string(token)]
}

// insert adds new bytes, at most 127 with an instruction.
func (d *differ) insert(data []byte) {
	for len(data) > 0 {
		n := min(len(data), 0x7f)
		d.out = append(append(d.out, byte(n)), data[:n]...)
		data = data[n:]
	}
}

// copy adds bytes of base, as many with an instruction as git's own packs have.
func (d *differ) copy(at, size int) {
	const most = 0x10000
	for ; size > 0; at, size = at+most, size-most {
		op := len(d.out)
		d.out = append(d.out, 0x80)
		n := min(size, most) & 0xffff // zero stands for the most
		for i, b := range []byte{byte(at), byte(at >> 8), byte(at >> 16), byte(at >> 24), byte(n), byte(n >> 8)} {
			if b != 0 {
				d.out[op] |= 1 << i
				d.out = append(d.out, b)
			}
		}
	}
}

// equalBegin returns how many bytes at the beginning are equal.
func equalBegin(a, b []byte) (n int) {
	const step = 256 // compared at once, faster than byte by byte
	for n+step <= min(len(a), len(b)) && bytes.Equal(a[n:n+step], b[n:n+step]) {
		n += step
	}
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// equalEnd returns how many bytes at the end are equal.
func equalEnd(a, b []byte) (n int) {
	const step = 256
	for n+step <= min(len(a), len(b)) && bytes.Equal(a[len(a)-n-step:len(a)-n], b[len(b)-n-step:len(b)-n]) {
		n += step
	}
	for n < min(len(a), len(b)) && a[len(a)-n-1] == b[len(b)-n-1] {
		n++
	}
	return n
}
