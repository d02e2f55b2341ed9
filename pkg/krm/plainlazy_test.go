package krm

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// plainSeeds are texts, and whether they are known as valid without a parser.
var plainSeeds = map[string]bool{
	"spec:\n  a: 1\n  b:\n  - x: y\n    z:\n      q: \"a: b # c\"\n  - --flag\n  - - 1\n    - 2\n  c: {}\n  d: []\n": true,
	"spec:\n  a: |\n    - [\n      {\n  b: >-\n    k: [\n  c:\n  d: 'it # is'\n":                                     true,
	"spec:\n  a:\n    - x\n    - y: 1\n      k:\n      - 2\n":                                                        true,
	"spec:\n  image: registry.example.com/web:1.7@sha256:0\n  args: [\"a\"]\n":                                       false,
	"spec:\n  a: 1\n  a: 2\n":                         false,
	"spec:\n  a:\n  - b: 1\n    b: 2\n":               false,
	"spec:\n  a: 1\n   b: 2\n":                        false,
	"spec:\n  a: 1\n    b: 2\n":                       false,
	"spec:\n  a: b: c\n":                              false,
	"spec:\n  a: - b\n":                               false,
	"spec:\n  a: [1\n":                                false,
	"spec:\n  a: \"x\n":                               false,
	"spec:\n  a: \"x\\\"\n":                           false,
	"spec:\n  a: 'x''\n":                              false,
	"spec:\n  a: x\n  - b\n":                          false,
	"spec:\n  - b\n  a: x\n":                          false,
	"spec:\n  a: |\n      x\n    y\n":                 false,
	"spec:\n  a: |\n  b\n":                            false,
	"spec:\n  a: |\n    x\u2028y: [\n":                false,
	"spec:\n  a: |\n    x\ry\n":                       false,
	"spec:\n  a: |1\n    x\n":                         false,
	"spec:\n  a: x # c\n":                             true,
	"spec:\n  # c\n  a: x\n":                          true,
	"spec:\n  a: &x y\n":                              false,
	"spec:\n  a: *x\n":                                false,
	"spec:\n  a: !!int x\n":                           false,
	"spec:\n  <<: x\n":                                false,
	"spec:\n  null: x\n":                              false,
	"spec:\n  ~: x\n":                                 false,
	"spec:\n  1: x\n":                                 false,
	"spec:\n  ? a\n":                                  false,
	"spec:\n  \"a\": 1\n  a: 2\n":                     false,
	"spec:\n  a: x\n\n  b: y\n":                       true,
	"spec:\n  a: x\n  \n":                             true,
	"spec:\n  a: x":                                   false,
	"spec:\n  a: x\n   y\n":                           false,
	"spec:\n\ta: x\n":                                 false,
	"spec:\n  a:\tx\n":                                false,
	"spec:\n  a: @x\n":                                false,
	"spec:\n  a: `x`\n":                               false,
	"spec:\n  a: %x\n":                                false,
	"- spec: a\n":                                     false,
	"  spec: a\n":                                     false,
	"spec:\n  " + strings.Repeat("k", 2000) + ": x\n": false,
}

// checkKnownValid holds that text which is known as valid without a parser is valid for the parser.
func checkKnownValid(t *testing.T, text string) bool {
	t.Helper()
	known := DefaultLimits.isPlain([]byte(text))
	if at, _ := badText([]byte(text)); known && at == 0 {
		o, _, err := readDocument(document{data: []byte(text), line: 1}, Limits{}.withDefaults(len(text)))
		if err != nil {
			t.Fatalf("known as valid, and the parser says %v:\n%q", err.Reason, text)
		}
		if o != nil && o.aliased > 0 {
			t.Fatalf("known as plain, and it has an alias:\n%q", text)
		}
	}
	return known
}

func TestIsPlain(t *testing.T) {
	for text, want := range plainSeeds {
		if got := checkKnownValid(t, text); got != want {
			t.Errorf("known as valid: %v, want %v:\n%s", got, want, text)
		}
	}
}

// TestIsPlainRandom damages valid texts in random places.
func TestIsPlainRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	bits := []string{"\n", " ", "  ", "- ", ": ", ":", "a", "\"", "'", "#", "|", ">", "[", "{", "}", "*", "&", "?", "!", "\t", "\\", "a: 1\n", "- b\n", "|\n", "1", "~", "<<"}
	known := 0
	for range 100_000 {
		text := "spec:\n"
		for indent := 2; rnd.IntN(12) > 0; indent = max(1, indent+2*rnd.IntN(3)-2) {
			line := []string{"a: 1", "b:", "- c: x", "- d", "e: |", "f: \"q\"", "- - g", "h: {}", "k" + fmt.Sprint(rnd.IntN(5)) + ": v w", "- l:"}[rnd.IntN(10)]
			text += strings.Repeat(" ", indent) + line + "\n"
		}
		for range rnd.IntN(3) {
			at := rnd.IntN(len(text))
			text = text[:at] + bits[rnd.IntN(len(bits))] + text[at+rnd.IntN(2):]
		}
		if checkKnownValid(t, text) {
			known++
		}
	}
	if known < 5_000 {
		t.Errorf("only %d texts are plain", known)
	}
}

func FuzzIsPlain(f *testing.F) {
	for text := range plainSeeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkKnownValid(t, text) })
}
