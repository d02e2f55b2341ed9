package lazy

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestAnyLine compares a search eight bytes at a time with one line by line, on random texts that are mostly line ends and blanks.
func TestAnyLine(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found := map[bool]int{}
	for range 200_000 {
		text := make([]byte, random.IntN(40))
		for i := range text {
			text[i] = "\n\n   -a\x8a\xa0\x80\xff"[random.IntN(11)]
		}
		if random.IntN(2) == 0 {
			text = bytes.ReplaceAll(text, []byte("\n-"), []byte("  ")) // else hardly any has no such line
		}
		dash, other := false, false
		for _, line := range bytes.SplitAfter(text, []byte("\n"))[1:] {
			if len(line) > 0 {
				dash, other = dash || line[0] == '-', other || line[0] != ' '
			}
		}
		if got := AnyLineBegins(text, '-'); got != dash {
			t.Fatalf("%q: a line begins with a dash: %v, want %v", text, got, dash)
		}
		if got := anyLine(text, ' ', false); got != other {
			t.Fatalf("%q: a line begins with another byte than a blank: %v, want %v", text, got, other)
		}
		found[dash]++
	}
	if found[true] < 1000 || found[false] < 1000 {
		t.Errorf("of the texts, %d have such a line and %d have none", found[true], found[false])
	}
}
