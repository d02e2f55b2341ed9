package limits

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// nested is a list in a list, so many times.
func nested(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }

func TestTooDeep(t *testing.T) {
	cases := map[string]struct {
		reason, json string
		want         bool
	}{
		"Scalar":    {"a scalar is no level", `1`, false},
		"Deepest":   {"the bound is allowed", nested(Depth), false},
		"TooDeep":   {"one more is not", nested(Depth + 1), true},
		"Maps":      {"maps are levels, too", strings.Repeat(`{"a":`, Depth+1) + "1" + strings.Repeat("}", Depth+1), true},
		"Beside":    {"what is closed does not count", "[" + strings.Repeat("[],{},", 10*Depth) + "1]", false},
		"Text":      {"brackets in a text are none", `["` + strings.Repeat("[{", Depth) + `"]`, false},
		"Quote":     {"a quoted quote does not end a text", `["\"` + strings.Repeat("[", Depth+1) + `"]`, false},
		"Backslash": {"a quoted backslash does not quote", `["\\",` + nested(Depth) + `]`, true},
		"Cut":       {"text that ends early is no reason to panic", `["\`, false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, TooDeep(tc.json)); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

// FuzzTooDeep compares with a count of the delimiters that the decoder meets, for all that is JSON.
func FuzzTooDeep(f *testing.F) {
	for _, seed := range []string{nested(Depth), nested(Depth + 1), `{"a":["\"[",{"\\":[]}]}`, `[1,"]"]`, `"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			if TooDeep(text) && strings.Count(text, "[")+strings.Count(text, "{") <= Depth {
				t.Error("there are not that many brackets")
			}
			return
		}
		dec := json.NewDecoder(bytes.NewReader([]byte(text)))
		open, deepest := 0, 0
		for {
			token, err := dec.Token()
			if err != nil {
				break
			}
			switch token {
			case json.Delim('['), json.Delim('{'):
				open++
			case json.Delim(']'), json.Delim('}'):
				open--
			}
			deepest = max(deepest, open)
		}
		if got, want := TooDeep(text), deepest > Depth; got != want {
			t.Errorf("%d levels: TooDeep is %v", deepest, got)
		}
	})
}
