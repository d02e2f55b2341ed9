package krm

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestDecodeTexts compares texts and maps of texts that are decoded directly with those that are decoded over JSON, on random values, and
// checks that neither accepts what the other refuses.
func TestDecodeTexts(t *testing.T) {
	values := []string{"a", "\"1\"", "'no'", "1", "no", "null", "~", "\"\"", "", "2020-01-01", "!!str 5", "!!binary YQ==", "0x10", "1e3", "é",
		"\"\\ufffd\\ud800\"", "\"\\x00\"", "{}", "[a]", "|\n  two\n  lines", "<>&", "&x text", "*y"}
	random := rand.New(rand.NewPCG(1, 2))
	direct, refused := 0, 0
	for range 5000 {
		text := strings.Builder{}
		text.WriteString("anchor: &y {k: v}\nmap:\n")
		for _, key := range []string{"a", "\"1\"", "é"}[:random.IntN(4)] {
			value := strings.ReplaceAll(values[random.IntN(len(values))], "\n", "\n  ")
			if random.IntN(2) == 0 {
				value = "text"
			}
			text.WriteString("  " + key + ": " + value + "\n")
		}
		objs, err := Read("a.yaml", []byte(text.String()), Limits{})
		if err != nil {
			continue
		}
		n := objs[0].Lookup("map")
		var got, want map[string]string
		err = DecodeNode(n, nil, &got)
		data, bad := CanonicalJSON(n)
		if bad == nil {
			bad = json.Unmarshal(data, &want)
		}
		if err == nil && (bad != nil || !maps.Equal(got, want) || (got == nil) != (want == nil)) {
			t.Fatalf("%s\ngot %q, want %q %v", &text, got, want, bad)
		}
		if err != nil {
			refused++
		} else if decodeTexts(n, new(map[string]string)) {
			direct++
		}
		for key, value := range Fields(n) {
			var got, want string
			data, bad := CanonicalJSON(value)
			if bad == nil {
				bad = json.Unmarshal(data, &want)
			}
			if err := DecodeNode(value, nil, &got); err == nil && (bad != nil || got != want) {
				t.Fatalf("%s\n%s: got %q, want %q %v", &text, key.Value, got, want, bad)
			}
		}
	}
	if direct < 100 || refused < 100 {
		t.Errorf("%d maps were decoded directly, and %d refused", direct, refused)
	}
	old := map[string]string{"kept": "v"}
	n := MapNode(StringNode("a"), StringNode("b"))
	if err := DecodeNode(n, nil, &old); err != nil || len(old) != 2 {
		t.Errorf("a map that is not empty: %v %v", old, err)
	}
}
