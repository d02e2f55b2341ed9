package memo

import (
	"context"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
)

const list = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"

// cat prints its input, with what change makes of it.
func cat(change func(string) string) func(string) (string, string, int) {
	return func(stdin string) (string, string, int) { return change(stdin), "talk\n", 0 }
}

func says(stdout, stderr string, code int) func(string) (string, string, int) {
	return func(string) (string, string, int) { return stdout, stderr, code }
}

const aSecret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: p}\n"

func TestLaws(t *testing.T) {
	same := func(s string) string { return s }
	cases := map[string]struct {
		reason   string
		answer   func(string) (string, string, int)
		resource string
		kept     bool
	}{
		"unchanged":       {"a function that changes nothing", cat(same), web, true},
		"set-namespace":   {"a function that changes some, of which comments and order are put back", linked("set-namespace"), web, true},
		"reprinted":       {"a function that drops comments", cat(func(s string) string { return strings.ReplaceAll(s, "# ", "#") }), web, true},
		"deleted":         {"a function that deletes everything", says(list+"items: []\n", "", 0), web, true},
		"added":           {"a function that adds an item", cat(func(s string) string { return s + "results: []\n" }), web, true},
		"warned":          {"a function that warns keeps warning", cat(func(s string) string { return s + "results:\n- message: careful\n  severity: warning\n" }), web, true},
		"error result":    {"an error result with exit status 0 passes", cat(func(s string) string { return s + "results:\n- message: hm\n  severity: error\n" }), web, true},
		"failed":          {"a failure is not kept: the next run may have better luck", says(list+"items: []\nresults:\n- message: no\n  severity: error\n", "no\n", 1), web, false},
		"garbage":         {"exit status 0 with garbage is a failure, too", says("hello", "", 0), web, false},
		"silent":          {"so is silence", says("", "", 0), web, false},
		"given Secret":    {"a Secret is never kept", cat(same), aSecret, false},
		"disguised":       {"however its kind is written", cat(same), strings.Replace(aSecret, "Secret", `"S\u0065cret"`, 1), false},
		"made Secret":     {"not one that a function makes either", cat(func(s string) string { return s + "- " + strings.ReplaceAll(aSecret, "\n", "\n  ") + "\n" }), strings.Split(web, "---")[0], false},
		"Secret in List":  {"nor one that is a part of something", cat(same), "apiVersion: v1\nkind: List\nmetadata: {name: l}\nitems:\n- {apiVersion: v1, kind: !!str Secret, metadata: {name: s}}\n", false},
		"Secret's friend": {"what only refers to one by name is kept", cat(same), "apiVersion: x/v1\nkind: SecretStore\nmetadata: {name: l}\nspec: {about: a Secret, secretName: a, kind: ExternalSecret}\n", true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			config := ""
			if name == "set-namespace" {
				config = "shop"
			}
			checkLaws(t, c.answer, input(t, c.resource, config), c.kept)
			if t.Failed() {
				t.Log(c.reason)
			}
		})
	}
}

// TestKeys changes what a run depends on, one at a time: each has the program run.
func TestKeys(t *testing.T) {
	c := open(t, t.TempDir()+"/cache", 0)
	p := &program{answer: linked("set-namespace"), name: "f@1"}
	try(t, c.Wrap(p), input(t, web, "shop"))
	steps := []struct {
		what string
		name string
		text string
		ns   string
		runs bool
	}{
		{"nothing", "f@1", web, "shop", false},
		{"the function", "f@2", web, "shop", true},
		{"the config", "f@1", web, "store", true},
		{"an item", "f@1", strings.Replace(web, "hello", "bye", 1), "shop", true},
		{"a comment", "f@1", strings.Replace(web, "whose", "hers", 1), "shop", true},
	}
	for _, s := range steps {
		p.ran, p.name = 0, s.name
		try(t, c.Wrap(p), input(t, s.text, s.ns))
		if (p.ran == 1) != s.runs {
			t.Errorf("with %s changed the program ran: %v, want %v", s.what, p.ran == 1, s.runs)
		}
	}
	if keyOf("ab", []byte("c")) == keyOf("a", []byte("bc")) {
		t.Error("a function's identity and its input trade bytes")
	}
}

func TestWrapLeavesOthersAlone(t *testing.T) {
	p := &program{answer: linked("set-namespace")}
	if got := open(t, t.TempDir(), 0).Wrap(p); got != p {
		t.Error("a program without an identity is remembered")
	}
	p.name = "f@1"
	if got := (*Cache)(nil).Wrap(p); got != p {
		t.Error("no cache remembers")
	}
	if got := open(t, t.TempDir(), 0).Wrap(p).Kind(); got != "test or cache" {
		t.Errorf("Kind = %q", got)
	}
	if hits, runs := (*Cache)(nil).Counts(); hits != 0 || runs != 0 {
		t.Errorf("no cache counts %d, %d", hits, runs)
	}
}

func TestCounts(t *testing.T) {
	c := open(t, t.TempDir()+"/cache", 0)
	p := &program{answer: linked("set-namespace"), name: "f@1"}
	for range 3 {
		try(t, c.Wrap(p), input(t, web, "shop"))
	}
	if hits, runs := c.Counts(); hits != 2 || runs != 1 {
		t.Errorf("Counts = %d, %d, want 2, 1", hits, runs)
	}
}

// TestCancelled asks for a cached result with a cancelled context.
func TestCancelled(t *testing.T) {
	c := open(t, t.TempDir()+"/cache", 0)
	p := &program{answer: linked("set-namespace"), name: "f@1"}
	try(t, c.Wrap(p), input(t, web, "shop"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p.ran = 0
	if _, err := c.Wrap(p).Run(ctx, input(t, web, "shop")); err != nil || p.ran != 1 {
		t.Errorf("the program, which would say so, was asked %d times (%v)", p.ran, err)
	}
}

// TestSecretInFile hands over a file with a Secret, which travels as base64 because of a byte that is no text: nothing is kept. A file
// without one is a part of the key.
func TestSecretInFile(t *testing.T) {
	for name, tc := range map[string]struct {
		file string
		runs int // of two inputs, one after the other, twice
	}{"secret": {aSecret + "\x00", 4}, "plain": {"text\x00", 2}} {
		t.Run(name, func(t *testing.T) {
			p := &program{answer: cat(func(s string) string { return s }), name: "test@1"}
			r := open(t, t.TempDir()+"/cache", 0).Wrap(p)
			for range 2 {
				for _, data := range []string{tc.file, tc.file + "\x00"} {
					in := input(t, web, "")
					in.Files = fn.Files{"charts/a": []byte(data)}
					if out := try(t, r, in); out.Err != "" || len(out.Same) != 2 {
						t.Errorf("%+v", out)
					}
				}
			}
			if p.ran != tc.runs {
				t.Errorf("it ran %d times, want %d", p.ran, tc.runs)
			}
		})
	}
}
