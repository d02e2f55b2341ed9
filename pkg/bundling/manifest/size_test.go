package manifest

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestJSONSizeIsWhatTheEncoderWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyValue(3).Draw(t, "value")
		checkSize(t, n)
	})
}

func TestJSONSizeOfRareScalars(t *testing.T) {
	for _, text := range []string{
		"a: 0x1F", "a: 0o17", "a: 0755", "a: 1e3", "a: 1.50", "a: -0", "a: 18446744073709551615", "a: 1e21", "a: True",
		"a: ~", "a:", "a: {}", "a: []", "a: '<b>&\u2028'", `a: "\b\f\x01\x7f\t"`, "a: 2026-01-02", "1: b", "a: &x [1]\nb: *x",
	} {
		checkSize(t, parseNode(t, text))
	}
}

// checkSize compares jsonSize with Go's encoder, on a value and on its normal form.
func checkSize(t rapid.TB, n *yaml.Node) {
	v, err := krm.Value(n)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := json.NewEncoder(&b).Encode(v); err != nil {
		t.Fatal(err)
	}
	for _, form := range []*yaml.Node{n, Normalize(n)} {
		got, err := JSONSize(form)
		if err != nil {
			t.Fatal(err)
		}
		if CountedSize(got) != b.Len() {
			t.Fatalf("jsonSize says %d, the encoder writes %d: %s", CountedSize(got), b.Len(), b.String())
		}
	}
}

func TestJSONSizeRefusesWhatJSONCannotHold(t *testing.T) {
	if _, err := JSONSize(parseNode(t, "a: [.nan]")); err == nil {
		t.Error("no error for a value that is not a number")
	}
}

func TestEncodedSize(t *testing.T) {
	cases := map[string]struct {
		reason       string
		length, want int
	}{
		"Empty":       {"a tag and a length", 0, 2},
		"OneByte":     {"the longest with a length of one byte", 127, 129},
		"TwoBytes":    {"the shortest with a length of two bytes", 128, 131},
		"LastTwo":     {"the longest with a length of two bytes", 16383, 16386},
		"ThreeBytes":  {"the shortest with a length of three bytes", 16384, 16388},
		"FourBytes":   {"past two million the length takes four", 2097152, 2097157},
		"JustTooMuch": {"KubeStellar accepts 511999 bytes and a newline, the hub does not", 511999, 512003},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := EncodedSize(tc.length); got != tc.want {
				t.Errorf("%s: encodedSize(%d) = %d, want %d", tc.reason, tc.length, got, tc.want)
			}
		})
	}
}
