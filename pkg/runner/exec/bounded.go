package exec

// bounded collects what a program prints, no more than limit bytes of it. It grows by pieces: what has
// come is never copied into a larger buffer while a program floods it.
type bounded struct {
	pieces   [][]byte // all but the last are full
	held     int
	limit    int
	expect   int  // how much is likely to come: room for it is made at once
	cut      bool // drop what is too much instead of stopping the program
	over     bool
	overflow func()
}

// The sizes of pieces after the first: as much as there is, within these.
const leastPiece, mostPiece = 64 << 10, 4 << 20

func (b *bounded) Write(p []byte) (int, error) {
	n := len(p)
	if room := b.limit - b.held; n > room {
		p = p[:room]
		if !b.cut && !b.over {
			b.over = true
			b.overflow()
		}
	}
	for len(p) > 0 {
		p = p[b.keep(p):]
	}
	return n, nil
}

// keep takes as much of p as there is room for, after making some where there is none.
func (b *bounded) keep(p []byte) int {
	last := len(b.pieces) - 1
	if last < 0 || len(b.pieces[last]) == cap(b.pieces[last]) {
		size := min(max(b.held, leastPiece), mostPiece)
		if last < 0 {
			size = max(b.expect, len(p))
		}
		b.pieces = append(b.pieces, make([]byte, 0, min(size, b.limit-b.held)))
		last++
	}
	piece := b.pieces[last]
	n := min(len(p), cap(piece)-len(piece))
	b.pieces[last] = append(piece, p[:n]...)
	b.held += n
	return n
}

// bytes is what was collected. Nothing can be written after that.
func (b *bounded) bytes() []byte {
	if len(b.pieces) == 1 {
		return b.pieces[0]
	}
	all := make([]byte, 0, b.held)
	for i, piece := range b.pieces {
		all = append(all, piece...)
		b.pieces[i] = nil // so that its memory can be used again before the last one is copied
	}
	return all
}
