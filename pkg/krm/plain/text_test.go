package plain

import (
	"bytes"
	"testing"
)

// TestPrintable finds each byte that is not printable at every place of a text, beside bytes at the edges.
func TestPrintable(t *testing.T) {
	for _, edge := range []byte("\n ~a") {
		for b := range 256 {
			for at := range 40 {
				text := bytes.Repeat([]byte{edge}, 40)
				text[at] = byte(b)
				want := at
				if b >= ' ' && b < 0x7f || b == '\n' {
					want = len(text)
				}
				if got := Printable(text); got != want {
					t.Fatalf("%q: got %d, want %d", text, got, want)
				}
			}
		}
	}
}
