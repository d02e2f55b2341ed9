package safetext_test

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/safetext"
)

func TestReplaceWord(t *testing.T) {
	cases := map[string]struct{ reason, text, word, want string }{
		"Alone":    {"the whole text", "edge-1", "edge-1", "*"},
		"Inside":   {"between other characters than letters and digits", "https://api.edge-1.example.com/edge-1?x=edge-1", "edge-1", "https://api.*.example.com/*?x=*"},
		"Longer":   {"another word that begins or ends with it", "edge-12 ledge-1 edge-1ö", "edge-1", "edge-12 ledge-1 edge-1ö"},
		"Twice":    {"one directly after the other", "a-a aa", "a", "*-* aa"},
		"Scripts":  {"words beyond ASCII", "é-é", "é", "*-*"},
		"Nothing":  {"the empty word is nowhere", "a b", "", "a b"},
		"Not":      {"nowhere", "a b", "c", "a b"},
		"Compound": {"the name of a part is the name, too", "web-edge-1-0", "edge-1", "web-*-0"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := safetext.ReplaceWord(tc.text, tc.word, "*"); got != tc.want {
				t.Errorf("%s: %q, want %q", tc.reason, got, tc.want)
			}
		})
	}
}
