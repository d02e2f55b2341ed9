package krm

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	sigsyaml "sigs.k8s.io/yaml"
)

// yamlLibrary is one way to read a YAML file and to write what was read. docs/decisions/0005 tells why the
// first was chosen.
type yamlLibrary struct {
	name  string
	read  func(data []byte) (any, error)
	write func(read any) ([]byte, error)
}

var yamlLibraries = []yamlLibrary{
	{"krm", func(data []byte) (any, error) { return Read("f.yaml", data, Limits{}) }, func(v any) ([]byte, error) { return Write(v.([]*Object)) }},
	{"nodes", readNodes, writeNodes},
	{"kio", readKio, writeKio},
	{"sigs", readSigs, writeSigs},
}

// readNodes is go.yaml.in/yaml/v3, as kyaml passes it on, by itself.
func readNodes(data []byte) (any, error) {
	var out []*yaml.Node
	for dec := yaml.NewDecoder(bytes.NewReader(data)); ; {
		n := &yaml.Node{}
		switch err := dec.Decode(n); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, err
		}
		out = append(out, n)
	}
}

func writeNodes(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := yaml.NewEncoder(&buf)
	for _, n := range v.([]*yaml.Node) {
		if err := enc.Encode(n); err != nil {
			return nil, err
		}
	}
	err := enc.Close()
	return buf.Bytes(), err
}

// readKio is kpt's own reader, over the same nodes.
func readKio(data []byte) (any, error) {
	return (&kio.ByteReader{Reader: bytes.NewReader(data), PreserveSeqIndent: true, DisableUnwrapping: true}).Read()
}

func writeKio(v any) ([]byte, error) {
	var buf bytes.Buffer
	err := kio.ByteWriter{Writer: &buf}.Write(v.([]*yaml.RNode))
	return buf.Bytes(), err
}

// readSigs is sigs.k8s.io/yaml, by way of JSON into Go values.
func readSigs(data []byte) (any, error) {
	var out []any
	for _, d := range splitDocuments(data) {
		var v any
		if err := sigsyaml.Unmarshal(d.data, &v); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func writeSigs(v any) ([]byte, error) {
	var out [][]byte
	for _, o := range v.([]any) {
		data, err := sigsyaml.Marshal(o)
		if err != nil {
			return nil, err
		}
		out = append(out, data)
	}
	return bytes.Join(out, []byte("---\n")), nil
}

// traits are what decides between libraries, beside speed.
type traits struct {
	Comments, Order, KptBytes, OddScalars bool // what a file has after it was read and written
	Duplicates, Bomb, AliasToItself, Deep bool // what is refused when it is read
}

// traitsOf finds them out on small files.
func traitsOf(l yamlLibrary) traits {
	const text = "# head\nz: 1 # line\nb:\n- x\n# foot\na: 012\n"
	out := rewrite(l, text)
	refuses := func(text string) bool { _, err := l.read([]byte(text)); return err != nil }
	return traits{
		Comments:      strings.Contains(out, "# head") && strings.Contains(out, "# line") && strings.Contains(out, "# foot"),
		Order:         strings.Index(out, "z: 1") < strings.Index(out, "a: "),
		KptBytes:      out == text && rewrite(l, "a:\n  - b\n") == "a:\n  - b\n",
		OddScalars:    strings.Contains(out, "a: 012\n"),
		Duplicates:    refuses("a: 1\na: 2\n"),
		Bomb:          refuses(bomb(7)),
		AliasToItself: refuses("a: &a\n  b: *a\n"),
		Deep:          refuses(nested(1000)),
	}
}

// rewrite is what l makes of a file, or its error.
func rewrite(l yamlLibrary, text string) string {
	v, err := l.read([]byte(text))
	if err != nil {
		return err.Error()
	}
	out, err := l.write(v)
	if err != nil {
		return err.Error()
	}
	return string(out)
}

// TestLibraries holds what docs/decisions/0005 says of each library: when a new release of one changes
// its traits, the decision is to be looked at again.
func TestLibraries(t *testing.T) {
	want := map[string]traits{
		"krm":   {Comments: true, Order: true, KptBytes: true, OddScalars: true, Duplicates: true, Bomb: true, AliasToItself: true, Deep: true},
		"nodes": {Comments: true, Order: true, OddScalars: true},
		"kio":   {Comments: true, Order: true, KptBytes: true, OddScalars: true},
		"sigs":  {Bomb: true, AliasToItself: true},
	}
	for _, l := range yamlLibraries {
		if d := cmp.Diff(want[l.name], traitsOf(l)); d != "" {
			t.Errorf("%s is not as the decision says (-decision +library):\n%s", l.name, d)
		}
	}
}

// BenchmarkLibraries reads, and reads and writes, the same files with every library: a fleet of plain
// Deployments and, where WAYBILL_TESTDATA names one, packages of the real world.
func BenchmarkLibraries(b *testing.B) {
	benchLibraries(b, "deployments", [][]byte{[]byte(fleet(100))})
	if real := sharedData(b); len(real) > 0 {
		benchLibraries(b, "real", real)
	}
}

func benchLibraries(b *testing.B, name string, files [][]byte) {
	for _, l := range yamlLibraries {
		b.Run(name+"/read/"+l.name, func(b *testing.B) { benchLibrary(b, files, l, false) })
		b.Run(name+"/readwrite/"+l.name, func(b *testing.B) { benchLibrary(b, files, l, true) })
	}
}

func benchLibrary(b *testing.B, files [][]byte, l yamlLibrary, write bool) {
	var size int64
	for _, data := range files {
		size += int64(len(data))
		if text := rewrite(l, string(data)); !sameData(read(b, string(data)), text) {
			b.Fatalf("what is timed must be right; %s writes:\n%s", l.name, text)
		}
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, data := range files {
			v, err := l.read(data)
			if err == nil && write {
				_, err = l.write(v)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

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
