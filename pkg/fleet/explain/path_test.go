package explain

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
)

const pathObject = `kind: A
metadata:
  annotations: {example.com/x: dots, "a=b": equals, "a[0]": brackets}
list: [zero, {name: n, v: 1}]
items:
- {name: web, image: w}
- {name: side.car, image: s}
twins: [{name: a}, {name: a}]
empty: {}
"": nothing
`

func TestPath(t *testing.T) {
	objects, err := krm.Read("a.yaml", []byte(pathObject), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	root := objects[0].Node()
	cases := map[string]struct{ reason, path, want, written string }{
		"Dots":      {"fields", "metadata.annotations[example.com/x]", "dots", ""},
		"Equals":    {"an odd name is a name in a map", "metadata.annotations[a=b]", "equals", ""},
		"Brackets":  {"brackets within come in pairs", "metadata.annotations[a[0]]", "brackets", ""},
		"Key":       {"an item by its name", "items[name=side.car].image", "s", ""},
		"OtherKey":  {"an item by any field", "items[image=w].name", "web", ""},
		"Index":     {"an item by its place", "list[0]", "zero", "list[0]"},
		"Nested":    {"and on from there", "list[1].v", "1", "list[1].v"},
		"Boxed":     {"any name may stand in brackets", "[kind]", "A", "[kind]"},
		"Twins":     {"of two the first", "twins[name=a]", "{name: a}", ""},
		"Container": {"what holds nothing", "empty", "{}", ""},
		"Past":      {"an index that is none", "list[2]", "", ""},
		"Below":     {"below what holds nothing", "kind.x", "", ""},
		"NotThere":  {"a field that is not there", "no.where", "", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := ParsePath(tc.path)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if text := textOf(p.find(root)); text != nil {
				got = *text
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || p.String() != tc.path {
				t.Errorf("%s: %s (-want +got):\n%s", tc.reason, p, diff)
			}
		})
	}
}

func TestPathRefuses(t *testing.T) {
	for path, why := range map[string]string{
		"":       "name a field after #",
		"a..b":   `field "a..b": a name is missing before ".b"`,
		".a":     `field ".a": a name is missing before ".a"`,
		"a.":     `field "a.": want .name or [ before "."`,
		"a[":     `field "a[": want a name, an index or key=value between [ and ]`,
		"a[]":    `field "a[]": want a name, an index or key=value between [ and ]`,
		"a]b":    `field "a]b": ] without [ in "a]b"`,
		"a[b]c":  `field "a[b]c": want .name or [ before "c"`,
		"a.[b]":  `field "a.[b]": want .name or [ before ".[b]"`,
		"a[b[c]": `field "a[b[c]": want a name, an index or key=value between [ and ]`,
	} {
		if _, err := ParsePath(path); err == nil || err.Error() != why {
			t.Errorf("%q: %v, want %s", path, err, why)
		}
	}
}

// FuzzPath wants a path that was read to be written so that it reads back as the same.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{"a.b", "a[0].b[name=x.y]", "[a]b", "a[b[c]d]", "x[=]", "ä.\x00", "[[a]]", "a[b=c=d]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePath(text)
		if err != nil {
			return
		}
		again, err := ParsePath(p.String())
		if err != nil || again.String() != p.String() || len(again) != len(p) {
			t.Errorf("%q is written %q, which reads as %q: %v", text, p, again, err)
		}
	})
}

// TestLeaves wants every leaf to be found again by its path as it is written.
func TestLeaves(t *testing.T) {
	objects, err := krm.Read("a.yaml", []byte(pathObject), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range leaves(objects[0].Node(), nil) {
		got = append(got, p.String())
		if p[len(p)-1].name == "" {
			continue // what has no name cannot be asked for
		}
		if again, err := ParsePath(p.String()); err != nil || again.find(objects[0].Node()) != p.find(objects[0].Node()) {
			t.Errorf("%s does not lead back: %v", p, err)
		}
	}
	want := []string{"kind", "metadata.annotations[example.com/x]", "metadata.annotations[a=b]", "metadata.annotations[a[0]]", "list[0]", "list[1].name", "list[1].v",
		"items[name=web].name", "items[name=web].image", "items[name=side.car].name", "items[name=side.car].image", "twins[0].name", "twins[1].name", "empty", ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
