package upstream_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// generatedIn is the annotation that says where an object was generated.
func generatedIn(t *testing.T, tree pkgtree.Tree, p string) string {
	t.Helper()
	data, _ := tree.Get(p)
	objects, err := krm.Read(p, data, krm.Limits{})
	if err != nil || len(objects) != 1 {
		t.Fatalf("%s: %v\n%s", p, err, data)
	}
	return objects[0].Annotation(fn.GeneratedIn)
}

func TestMarkCloned(t *testing.T) {
	in := packageOf(t, map[string][]byte{
		"Kptfile": []byte(kptfileText("here", "repo", "/web", "v1", "v1")), "w.yaml": []byte(made("w", "1")), "deep/w.yaml": []byte(made("w", "1")),
		"sub/Kptfile": []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: sub\n"), "sub/deep/w.yaml": []byte(made("w", "1")), "sub/hand.yaml": []byte(plain("red")),
	})
	out, err := upstream.MarkCloned(in)
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range map[string]string{"w.yaml": "", "deep/w.yaml": "", "sub/deep/w.yaml": fn.GeneratedUpstream, "sub/hand.yaml": ""} {
		if got := generatedIn(t, out, p); got != want {
			t.Errorf("%s: generated in %q, want %q", p, got, want)
		}
	}
	if again, err := upstream.MarkCloned(out); err != nil || len(out.Diff(again)) > 0 {
		t.Errorf("a second run changes %v: %v", out.Diff(again), err)
	}
}

func TestKeepOrigin(t *testing.T) {
	text := func(directory string) string {
		return strings.TrimPrefix(kptfileText("here", "https://git.example.org/a", directory, "v1", "v1"), "-- Kptfile --\n")
	}
	at := func(directory, mark string) pkgtree.Tree {
		return packageOf(t, map[string][]byte{"Kptfile": []byte(text(directory)),
			"w.yaml": []byte(strings.Replace(made("w", "1"), "\ndata:", "\n    waybill.dev/generated-in: "+mark+"\ndata:", 1))})
	}
	objects, err := krm.Read("Kptfile", []byte(text("/web")), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	own := fn.OriginsIn(objects).ID()
	for name, tc := range map[string]struct {
		reason        string
		before, after pkgtree.Tree
		keeps         bool
	}{
		"moved": {"what was generated here stays our own", at("/web", own), at("/shop", own), false},
		"same":  {"the upstream is the one that it was", at("/web", own), at("/web", own), true},
		"other": {"what was generated elsewhere does not become ours", at("/web", "sha256-0"), at("/shop", "sha256-0"), true},
	} {
		out, err := upstream.KeepOrigin(tc.before, tc.after)
		if err != nil {
			t.Fatal(err)
		}
		file, _ := out.Get("Kptfile")
		k, err := krm.Read("Kptfile", file, krm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		is := generatedIn(t, out, "w.yaml")
		if tc.keeps != (is == generatedIn(t, tc.after, "w.yaml")) || !tc.keeps && is != fn.OriginsIn(k).ID() {
			t.Errorf("%s: %s: %s", name, tc.reason, is)
		}
	}
}
