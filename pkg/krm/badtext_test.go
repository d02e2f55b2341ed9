package krm

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// TestArePrintable compares eight bytes at once with one after the other, for every byte at every place, beside bytes at the edges.
func TestArePrintable(t *testing.T) {
	edges := []byte{0, '\t', '\n', 0x0b, '\r', 0x1f, ' ', 'a', '~', 0x7f, 0x80, 0x8a, 0xff}
	for b := range 256 {
		for at := range 8 {
			for _, edge := range edges {
				text := []byte{edge, edge, edge, edge, edge, edge, edge, edge}
				text[at] = byte(b)
				want := true
				for _, c := range text {
					want = want && (c >= ' ' && c < 0x7f || c == '\n')
				}
				if got := arePrintable(binary.LittleEndian.Uint64(text)); got != want {
					t.Fatalf("%q: got %v, want %v", text, got, want)
				}
			}
		}
	}
}

// TestBadTextAnywhere finds the same bad letter wherever it stands, and reports the same reason as for the letter alone.
func TestBadTextAnywhere(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, bad := range []string{"\x00", "\x7f", "\x80", "\u0085x", "\u0090", "\x1b", "\ufffe", "é", "\ufeff", "日本", "\xe6\x97", "\r\n"} {
		_, want := badText([]byte(bad))
		for n := range 40 {
			text := make([]byte, n)
			for i := range text {
				text[i] = "ab \n~"[random.IntN(5)]
			}
			at, got := badText(append(append(text, bad...), "tail of a line\n"...))
			if got != want || want != "" && at != n {
				t.Fatalf("%q after %d bytes: %q at %d, want %q", bad, n, got, at, want)
			}
		}
	}
}
