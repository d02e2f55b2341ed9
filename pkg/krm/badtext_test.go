package krm

import (
	"math/rand/v2"
	"testing"
)

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
