package exec

// outputBuffer collects the output of a program, up to limit bytes. It grows by pieces: data is never
// copied into a larger buffer while the program prints.
type outputBuffer struct {
	pieces   [][]byte // all but the last are full
	size     int
	limit    int
	expect   int  // the expected size, which is allocated at once
	truncate bool // drop further output instead of stopping the program
	over     bool
	overflow func()
}

// The bounds of the sizes of pieces after the first: each is as large as those before it together.
const minPiece, maxPiece = 64 << 10, 4 << 20

func (b *outputBuffer) Write(p []byte) (int, error) {
	n := len(p)
	if room := b.limit - b.size; n > room {
		p = p[:room]
		if !b.truncate && !b.over {
			b.over = true
			b.overflow()
		}
	}
	for len(p) > 0 {
		p = p[b.keep(p):]
	}
	return n, nil
}

// keep copies as much of p as fits into the last piece, or into a new one if that is full.
func (b *outputBuffer) keep(p []byte) int {
	last := len(b.pieces) - 1
	if last < 0 || len(b.pieces[last]) == cap(b.pieces[last]) {
		size := min(max(b.size, minPiece), maxPiece)
		if last < 0 {
			size = max(b.expect, len(p))
		}
		b.pieces = append(b.pieces, make([]byte, 0, min(size, b.limit-b.size)))
		last++
	}
	piece := b.pieces[last]
	n := min(len(p), cap(piece)-len(piece))
	b.pieces[last] = append(piece, p[:n]...)
	b.size += n
	return n
}

// bytes is the collected output. Nothing can be written afterwards.
func (b *outputBuffer) bytes() []byte {
	if len(b.pieces) == 1 {
		return b.pieces[0]
	}
	all := make([]byte, 0, b.size)
	for i, piece := range b.pieces {
		all = append(all, piece...)
		b.pieces[i] = nil // frees its memory before the last piece is copied
	}
	return all
}
