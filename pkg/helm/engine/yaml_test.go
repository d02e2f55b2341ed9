package engine

import (
	"encoding/json"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// FuzzToYAML wants the short way to YAML to write what Helm's way writes.
func FuzzToYAML(f *testing.F) {
	for _, doc := range []string{
		`{"a": [1, 1.5, -0.0, 1e21, 1e-7, 123456789012345678, 9007199254740993], "1": "1", "y": "y", "<<": 1, "~": null, "": ""}`,
		`["a\nb\n", " x", "x ", "\t", "# no", "a: b", "- a", "é", "\u007f", "\u0085", "\u2028", "\ufeff", "1e3", "0x1", "0o7", "1_000", "12:30", "=", "!", "&a", "*a", "%", "@", "` + "`" + `"]`,
		`[[], {}, [[]], [{}], {"a": {}}, {"a": [[1], {"b": [2]}]}, true, false, null, "true", "null", "no", "2001-01-01", "a  b", "a \n b", "\n", "a\n\n"]`,
		`{"` + strings.Repeat("k", 200) + `": "` + strings.Repeat("word ", 60) + `", "` + strings.Repeat("long key ", 130) + `": 1}`,
	} {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		var v any
		if json.Unmarshal([]byte(doc), &v) != nil {
			return
		}
		want, failed := yaml.Marshal(v)
		got, err := toYAML(v)
		if (failed == nil) != (err == nil) || failed == nil && got != strings.TrimSuffix(string(want), "\n") {
			t.Errorf("%s: got %v\n%s\nwant %v\n%s", doc, err, got, failed, want)
		}
	})
}
