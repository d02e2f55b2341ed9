package exec

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// script writes an executable shell script and returns its path.
func script(t *testing.T, body string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "function")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+body), 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

const oneItem = "apiVersion: v1\nkind: ConfigMap\nmetadata: # note\n  name: a\n  annotations:\n    config.kubernetes.io/path: 'a.yaml'\n    internal.config.kubernetes.io/path: 'a.yaml'\ndata:\n  k: v\n"

func run(t *testing.T, body string, limits Limits) (*runner.Output, []*krm.Object, error) {
	t.Helper()
	items := fntest.Parse(t, "a.yaml", []byte(oneItem))
	r, err := New("'"+script(t, body)+"' --flag 'two words'", limits)
	if err != nil {
		t.Fatal(err)
	}
	out, err := r.Run(context.Background(), &fn.Input{Items: items})
	return out, items, err
}

func TestPassThrough(t *testing.T) {
	out, items, err := run(t, `[ "$1" = --flag ] && [ "$2" = "two words" ] || exit 9; echo talk >&2; cat`, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Items) != 1 || out.Items[0] != items[0] {
		t.Errorf("an item that came back unchanged is not the item that was given: %v", out.Items)
	}
	if out.Stderr != "talk\n" {
		t.Errorf("stderr = %q", out.Stderr)
	}
}

func TestChangeKeepsCommentAndOrigin(t *testing.T) {
	out, items, err := run(t, `sed -e 's/k: v/k: changed/' -e 's/ # note//'`, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := krm.Write(out.Items)
	if err != nil {
		t.Fatal(err)
	}
	if want := "apiVersion: v1\nkind: ConfigMap\nmetadata: # note\n  name: a\ndata:\n  k: changed\n"; string(data) != want {
		t.Errorf("got:\n%swant:\n%s", data, want)
	}
	if out.Items[0].Origin() != items[0].Origin() {
		t.Error("a changed item is not recognised as the one that was given")
	}
}

func TestPathPairs(t *testing.T) {
	cases := map[string]struct{ reason, sed, want, err string }{
		"legacy":   {"a function that knows only the legacy name moves the item", `s, config.kubernetes.io/path: 'a, config.kubernetes.io/path: 'b,`, "b.yaml", ""},
		"internal": {"a function that knows only the internal name moves the item", `s,internal.config.kubernetes.io/path: 'a,internal.config.kubernetes.io/path: 'b,`, "b.yaml", ""},
		"both":     {"two different moves cannot both be meant", `s, config.kubernetes.io/path: 'a, config.kubernetes.io/path: 'b,; s,internal.config.kubernetes.io/path: 'a,internal.config.kubernetes.io/path: 'c,`, "", "they must agree"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out, _, err := run(t, `sed -e "`+c.sed+`"`, Limits{})
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("%s: err = %v", c.reason, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			o := out.Items[0]
			if p, l := o.Annotation(krm.PathAnnotation), o.Annotation(krm.LegacyPathAnnotation); p != c.want || l != c.want {
				t.Errorf("%s: %q and %q, want %q", c.reason, p, l, c.want)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	cases := map[string]struct{ reason, body, want string }{
		"exit":    {"the last line of stderr tells why", "echo one >&2; echo two >&2; exit 3", "two; exit status 3"},
		"silent":  {"or the status alone", "exit 3", "exit status 3"},
		"results": {"results are read although the items are not", "printf 'apiVersion: config.kubernetes.io/v1\\nkind: ResourceList\\nitems: []\\nresults:\\n- message: no good\\n  severity: error\\n'; exit 1", "no good"},
		"odd":     {"what would move the cursor does not get into a message", `printf 'a\033[2Jb\n' >&2; exit 1`, "a [2Jb; exit status 1"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, _, err := run(t, c.body, Limits{})
			var f *runner.Failure
			if !errors.As(err, &f) || err.Error() != c.want {
				t.Fatalf("%s: err = %v, want %q", c.reason, err, c.want)
			}
		})
	}
}

func TestCommandLine(t *testing.T) {
	for line, want := range map[string]string{"": "names no program", "   ": "names no program", `"" a`: "names no program", `"open`: "EOF", "a\x00b": "holds a NUL byte", "a b\x00": "holds a NUL byte"} {
		if _, err := New(line, Limits{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New(%q): err = %v, want %q", line, err, want)
		}
	}
	r, err := New("/no/such/program", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Run(context.Background(), &fn.Input{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("err = %v, want one that says the program does not exist", err)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	r, err := New(script(t, "sleep 60"), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Run(ctx, &fn.Input{}); err == nil {
		t.Error("a cancelled run succeeded")
	}
}
