package exec

import (
	"bytes"
	"testing"
)

// TestRoomForOutput holds that what is expected is made room for once, that what comes beyond it is
// never copied while it comes, and that no more is kept than is allowed.
func TestRoomForOutput(t *testing.T) {
	cases := map[string]struct {
		reason                       string
		expect, limit, written, kept int
		most                         int // room
	}{
		"expected": {"as much as was sent", 1 << 20, 1 << 30, 1 << 20, 1 << 20, 1 << 20},
		"more":     {"room grows", 1 << 10, 1 << 30, 1 << 20, 1 << 20, 2 << 20},
		"flood":    {"by pieces, not by doubling", 0, 64 << 20, 200 << 20, 64 << 20, 64 << 20},
		"limited":  {"a limit below what was sent", 1 << 20, 1 << 10, 1 << 20, 1 << 10, 1 << 10},
		"nothing":  {"nothing came", 1 << 20, 1 << 30, 0, 0, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := outputBuffer{expect: c.expect, limit: c.limit, truncate: true}
			block := bytes.Repeat([]byte("0123456789abcde\n"), 2<<10)
			for range c.written / len(block) {
				if n, err := b.Write(block); n != len(block) || err != nil {
					t.Fatal(n, err)
				}
			}
			room := 0
			for _, p := range b.pieces {
				room += cap(p)
			}
			if room > c.most {
				t.Errorf("%s: room for %d bytes, want no more than %d", c.reason, room, c.most)
			}
			got := b.bytes()
			if want := bytes.Repeat(block, c.kept/len(block)+1)[:c.kept]; !bytes.Equal(got, want) {
				t.Errorf("%s: %d bytes came out, want the first %d that came in", c.reason, len(got), c.kept)
			}
		})
	}
}

// TestDefaultOutput checks how much a program may print by default.
func TestDefaultOutput(t *testing.T) {
	for given, want := range map[int]int{0: 256 << 20, 100 << 20: 256 << 20, 200 << 20: 400 << 20, 900 << 20: 1 << 30} {
		if got := (Limits{}).withDefaults(given).Output; got != want {
			t.Errorf("who is given %d bytes may print %d, want %d", given, got, want)
		}
	}
	if got := (Limits{Output: 10}).withDefaults(100).Output; got != 10 {
		t.Errorf("a limit of 10 became %d", got)
	}
}
