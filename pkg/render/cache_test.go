package render

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// memory is a Cache in memory.
type memory map[[sha256.Size]byte][]byte

func (m memory) Get(key [sha256.Size]byte) []byte       { return m[key] }
func (m memory) Put(key [sha256.Size]byte, data []byte) { m[key] = data }
func (m memory) Private(text []byte) bool               { return bytes.Contains(text, []byte("private")) }

// rendered is the result of a render and its events.
type rendered struct {
	Digest, Err string
	Steps       []Step
	Packages    int
	Events      []string
	Cached      bool
}

func renderWith(tree pkgtree.Tree, c Cache, f runner.Factory, name string) (r rendered) {
	res, err := Render(context.Background(), tree, Options{Functions: f, Name: name, Cache: c, Observe: func(e Event) {
		text := fmt.Sprintf("%s done=%t", e.Package, e.Done)
		if e.Step != nil {
			text += fmt.Sprintf(" %s on %d", e.Step.Title(), e.Step.Selected)
		}
		if e.Done {
			text += fmt.Sprintf(" %v %v", e.Step.Results, e.Step.Stderr)
		}
		r.Events = append(r.Events, text)
	}})
	r.Digest, r.Err, r.Steps, r.Packages, r.Cached = res.Tree.Digest(), message(err), res.Steps, res.Packages, res.Cached
	return r
}

// TestCache renders every golden case without a cache, with an empty cache, and again with the same cache.
func TestCache(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 10 {
		t.Fatalf("found %d golden cases (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			in, m := section(t, ar, "in/"), memory{}
			want := renderWith(in, nil, testFactory{}, "p")
			first, second := renderWith(in, m, testFactory{}, "p"), renderWith(in, m, testFactory{}, "p")
			same := cmpopts.IgnoreFields(Step{}, "Took", "Runner", "Err")
			if d := cmp.Diff(want, first, same); d != "" {
				t.Errorf("(-without a cache +with an empty one):\n%s", d)
			}
			for _, data := range m {
				if err := CheckCached(data); err != nil {
					t.Errorf("what a render cached is not valid: %v", err)
				}
			}
			if second.Cached != (want.Err == "") {
				t.Errorf("cached is %t, and the error was %q", second.Cached, want.Err)
			}
			second.Cached = false
			if d := cmp.Diff(want, second, same, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("(-rendered +cached):\n%s", d)
			}
			for _, name := range []string{"other", ""} { // what it printed names the package as it is now
				want, got := renderWith(in, nil, testFactory{}, name), renderWith(in, m, testFactory{}, name)
				if got.Cached != (want.Err == "") {
					t.Errorf("named %q, cached is %t, and the error was %q", name, got.Cached, want.Err)
				}
				got.Cached = false
				if d := cmp.Diff(want, got, same, cmpopts.EquateEmpty()); d != "" {
					t.Errorf("named %q (-rendered +cached):\n%s", name, d)
				}
			}
		})
	}
}

// TestCacheKey changes, one at a time, all that a render depends on.
func TestCacheKey(t *testing.T) {
	files := map[string]string{"Kptfile": minimal + "pipeline:\n  mutators:\n  - image: relabel\n    configMap:\n      label: a\n", "a.yaml": "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n", "README": "x"}
	change := func(path, text string) pkgtree.Tree {
		data := map[string][]byte{path: []byte(text)}
		for p, t := range files {
			if p != path {
				data[p] = []byte(t)
			}
		}
		tree, err := pkgtree.New(data)
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	m := memory{}
	same := change("README", "x")
	renderWith(same, m, testFactory{}, "p")
	cases := map[string]struct {
		reason  string
		tree    pkgtree.Tree
		cache   Cache
		factory runner.Factory
		name    string
		want    bool
	}{
		"nothing":      {"the same again", same, m, testFactory{}, "p", true},
		"name":         {"only messages name the package", same, m, testFactory{}, "q", true},
		"resource":     {"another resource", change("a.yaml", files["a.yaml"]+"x: y\n"), m, testFactory{}, "p", false},
		"plain file":   {"a function may write to it", change("README", "y"), m, testFactory{}, "p", false},
		"new file":     {"even an empty one", change(".krmignore", ""), m, testFactory{}, "p", false},
		"config":       {"another option", change("Kptfile", files["Kptfile"]+"      b: c\n"), m, testFactory{}, "p", false},
		"unidentified": {"a function without an identity", same, m, testFactory{through: true}, "p", false},
		"no cache":     {"the caller has none", same, nil, testFactory{}, "p", false},
	}
	for name, c := range cases {
		if got := renderWith(c.tree, c.cache, c.factory, c.name); got.Cached != c.want || got.Err != "" {
			t.Errorf("%s: %s: cached is %t, want %t (%s)", name, c.reason, got.Cached, c.want, got.Err)
		}
	}
}

// TestNotKept renders packages that must not or cannot be kept.
func TestNotKept(t *testing.T) {
	cases := map[string]struct{ reason, kptfile, resource string }{
		"private": {"a resource that must not be kept", "", "private: x\n"},
		"fails":   {"the next render may succeed", "pipeline:\n  mutators:\n  - image: refuse\n", ""},
		"exec":    {"an executable depends on more than its file", "pipeline:\n  mutators:\n  - exec: cat\n", ""},
		"tag":     {"a version constraint means another image tomorrow", "pipeline:\n  mutators:\n  - image: relabel\n    tag: ~1\n", ""},
	}
	for name, c := range cases {
		tree, err := pkgtree.New(map[string][]byte{"Kptfile": []byte(minimal + c.kptfile), "a.yaml": []byte("apiVersion: v1\nkind: A\nmetadata:\n  name: a\n" + c.resource)})
		if err != nil {
			t.Fatal(err)
		}
		m := memory{}
		renderWith(tree, m, testFactory{}, "p")
		if len(m) > 0 {
			t.Errorf("%s: %s: it was kept", name, c.reason)
		}
	}
}

// TestUnusualResults checks that a record is kept only if decoding returns the same.
func TestUnusualResults(t *testing.T) {
	for name, c := range map[string]struct {
		reason string
		step   Step
		want   bool
	}{
		"texts":   {"like most results", Step{Image: "i", Stderr: "é", Results: sdk.Results{{Message: "m", Field: &sdk.Field{Path: "p", CurrentValue: "5"}}}}, true},
		"numbers": {"decoding returns another type", Step{Results: sdk.Results{{Message: "m", Field: &sdk.Field{Path: "p", CurrentValue: 5}}}}, false},
		"bytes":   {"JSON cannot hold them", Step{Stderr: "\xff"}, false},
	} {
		data := encodeRecord(recordOf(nil, &Result{Steps: []Step{c.step}}), nil)
		if (data != nil) != c.want {
			t.Errorf("%s: %s: kept is %t, want %t", name, c.reason, data != nil, c.want)
		}
	}
}

// FuzzDecodeRecord decodes any data, and encodes it again if it is a record.
func FuzzDecodeRecord(f *testing.F) {
	rec := recordOf([]Event{{Package: "p"}, {Package: "p", Step: &Step{}}, {Package: "p", Step: &Step{}, Done: true}}, &Result{Packages: 1, Steps: []Step{{Package: "p", Image: "i"}}})
	f.Add(encodeRecord(rec, map[string][]byte{"a": []byte("x"), "b": nil, "c": {}}))
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x02{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rec, changes := decodeRecord(data)
		if rec == nil {
			return
		}
		rec.events() // must find the step of each
		rec.Files = nil
		again := encodeRecord(rec, changes)
		if again == nil { // for example when a key is there twice
			return
		}
		rec2, changes2 := decodeRecord(again)
		if d := cmp.Diff(rec, rec2, cmpopts.EquateEmpty()); d != "" || !cmp.Equal(changes, changes2) {
			t.Errorf("decoding what was encoded again returns another record (-before +after):\n%s", d)
		}
	})
}

// TestCheckCached has records that no render makes.
func TestCheckCached(t *testing.T) {
	good := "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n"
	for name, c := range map[string]struct{ file, text, says string }{
		"good":        {"a/b.yaml", good, ""},
		"deleted":     {"a.yaml", "-", ""},
		"outside":     {"../a.yaml", good, "leaves the package"},
		"absolute":    {"/etc/a.yaml", good, "is absolute"},
		"git":         {".git/config", good, "lies in a .git directory"},
		"Kptfile":     {"Kptfile", "-", "it removes the root Kptfile"},
		"no resource": {".github/workflows/ci.yaml", "on: push\njobs: {}\n", "must contain only KRM resources"},
		"script":      {"run.sh", "#!/bin/sh\n", "holds no resource"},
		"empty":       {"a.yaml", "", "holds no resource"},
		"broken":      {"a.yaml", "a: [", "a.yaml"},
		"alias bomb":  {"a.yaml", good + "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\nh: [*g,*g,*g,*g,*g,*g,*g,*g,*g]\n", "a.yaml"},
	} {
		text := []byte(c.text)
		if c.text == "-" {
			text = nil
		}
		err := CheckCached(encodeRecord(&record{}, map[string][]byte{c.file: text}))
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %q", name, err, c.says)
		}
	}
	if CheckCached([]byte("x")) == nil {
		t.Error("no record at all is valid")
	}
}
