package krm

import "testing"

// FuzzCanonicalJSON holds the quick way to the library's.
func FuzzCanonicalJSON(f *testing.F) {
	for _, text := range []string{"a: 1\nb: [x, ~, true, null, '1', 1.5, 0x10, 007, -0, +1, .inf, yes, 2026-01-02]\n", "b: {d: 1, c: }\na: \"\\n\"\n", "a: é\n",
		"a: <&>\n", "x: &a {y: z}\nz: *a\n", "? [a]\n: b\n", "1: a\ntrue: b\n~: c\n", "a: !!str 1\nb: !!int '1'\nc: !!binary aGk=\n", "<<: {a: b}\n", "True: TRUE\nb: False\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		objects, err := Read("in.yaml", data, Limits{Bytes: 4096})
		if err != nil {
			return
		}
		for _, o := range objects {
			want, err := canonicalByLibrary(o.Node())
			if got, gotErr := CanonicalJSON(o.Node()); string(got) != string(want) || (err == nil) != (gotErr == nil) {
				t.Errorf("%q: %s (%v), want %s (%v)", data, got, gotErr, want, err)
			}
		}
	})
}
