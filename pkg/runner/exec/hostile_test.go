//go:build unix

package exec

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// list prints a ResourceList with these items, as printf takes them.
func list(items string) string {
	return `printf 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n` + items + `'`
}

// TestHostile runs programs that do not keep to the protocol. Each is an error of one line that names
// the program, and takes no more time and memory than it may.
func TestHostile(t *testing.T) {
	quick := Limits{Time: 300 * time.Millisecond}
	cases := map[string]struct {
		reason, body, want string
		limits             Limits
	}{
		"unread":        {"a program that reads nothing is not waited for", "true", "it is empty", Limits{}},
		"hang":          {"one that hangs is stopped, with its children", "sleep 60 & wait", "ran longer than 300ms", quick},
		"hang unread":   {"also while it is being written to", "sleep 60", "ran longer than 300ms", quick},
		"last word":     {"what it said by then is told", "echo one >&2; echo two >&2; sleep 60", "ran longer than 300ms and was stopped: two", quick},
		"closed":        {"nothing more can come from a closed stdout", "exec >&-; cat >/dev/null", "it is empty", Limits{}},
		"child":         {"a child may still print", "cat; sleep 60 &", "left a process behind", Limits{}},
		"session":       {"also one in a session of its own", "setsid sleep 60 & cat", "left a process behind that may print more; it was stopped", Limits{}},
		"flood":         {"stdout is bounded", "yes", "printed more than 100000 bytes", Limits{Output: 100_000}},
		"flood stderr":  {"stderr is cut, and time is bounded", "yes >&2", "ran longer than 300ms", quick},
		"signal":        {"death by signal is no exit status", "echo a >&2; echo dying >&2; kill -9 $$", "ended by a signal: signal: killed: dying", Limits{}},
		"garbage":       {"stdout must be a ResourceList", "echo hello", "is not an object", Limits{}},
		"binary":        {"and text", `printf 'a\000b'`, "NUL byte", Limits{}},
		"log":           {"a message before the list is part of it", "echo working; cat", "not valid YAML", Limits{}},
		"kind":          {"a plain List is no ResourceList", `printf 'apiVersion: v1\nkind: List\nitems: []\n'`, `kind is "List"`, Limits{}},
		"version":       {"nor is one of another version", `printf 'apiVersion: config.kubernetes.io/v9\nkind: ResourceList\nitems: []\n'`, `apiVersion is "config.kubernetes.io/v9"`, Limits{}},
		"no items":      {"a list without items would delete everything", `printf 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n'`, "no items", Limits{}},
		"hole":          {"nothing is no item", list(`-\n`), "items[0] is not an object", Limits{}},
		"text":          {"nor is text", list(`- a: 1\n- b\n`), "items[1] is not an object", Limits{}},
		"duplicate key": {"which of the two?", list(`- a: 1\n  a: 2\n`), `"a" is given twice`, Limits{}},
		"cut off":       {"the end is missing", list(`- a: "b\n`), "not valid YAML", Limits{}},
		"bomb":          {"aliases do not multiply", list(`- a: &a [` + strings.Repeat("x,", 999) + `]\n  b: &b [` + strings.Repeat("*a,", 999) + `]\n  c: [*b,*b]\n`), "aliases stand for more than", Limits{}},
		"cycle":         {"nor do they go in circles", list(`- &a\n  b: *a\n`), "stands inside what it refers to", Limits{}},
		"deep":          {"nesting is bounded", list(`- a: ` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `\n`), "nested deeper", Limits{}},
		"scalar":        {"no item may be larger than a file", list(`- a: `) + `; head -c 70000000 /dev/zero | tr '\0' x; echo`, "more than the 67108864 bytes", Limits{}},
		"two paths":     {"path and its old spelling cannot mean two files", `sed -e "s, config.kubernetes.io/path: 'a, config.kubernetes.io/path: 'b,; s,internal.config.kubernetes.io/path: 'a,internal.config.kubernetes.io/path: 'c,"`, "they must agree", Limits{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := script(t, c.body)
			r, err := New("'"+file+"'", c.limits)
			if err != nil {
				t.Fatal(err)
			}
			big := strings.Replace(oneItem, "k: v", "k: "+strings.Repeat("v", 1<<20), 1) // more than a pipe holds
			_, err = r.Run(context.Background(), &fn.Input{Items: fntest.Parse(t, "a.yaml", []byte(big))})
			var f *runner.Failure
			if err == nil || errors.As(err, &f) && f.ExitCode != 0 { // with 0 it holds what one that was stopped had said
				t.Fatalf("%s: err = %v", c.reason, err)
			}
			text := err.Error()
			if !strings.Contains(text, c.want) || !strings.Contains(text, file) || strings.Contains(text, "\n") || len(text) > 1000 {
				t.Errorf("%s: err = %v, want one line with %q and %q", c.reason, err, c.want, file)
			}
		})
	}
}

// TestTolerated runs programs that are odd but do no harm.
func TestTolerated(t *testing.T) {
	empty := `printf 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: null\n'`
	cases := map[string]struct {
		reason, body string
		items        int
	}{
		"unread":         {"a generator need not read", list(`- a: 1\n`), 1},
		"flooded stderr": {"what is too much on stderr is cut", `head -c 5000000 /dev/zero | tr '\0' x >&2; cat`, 1},
		"null":           {"null is how Go prints no items", empty, 0},
		"twice":          {"a copy with the number of its original is a new item", list(`- a: 1\n  metadata:\n    annotations:\n      internal.config.kubernetes.io/id: "0"\n- a: 2\n  metadata:\n    annotations:\n      internal.config.kubernetes.io/id: "0"\n`), 2},
		"invented":       {"an unknown number has no meaning", list(`- a: 1\n  metadata:\n    annotations:\n      internal.config.kubernetes.io/id: "-7"\n`), 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out, _, err := run(t, c.body, Limits{})
			if err != nil || len(out.Items) != c.items || len(out.Stderr) > stderrLimit {
				t.Fatalf("%s: %v, %v", c.reason, out, err)
			}
			for _, o := range out.Items {
				if o.HasAnnotation("internal.config.kubernetes.io/id") {
					t.Errorf("%s: an item kept its number", c.reason)
				}
			}
		})
	}
}

// TestNothingIsLeftBehind holds that a child that lets go of the pipes ends with the program.
func TestNothingIsLeftBehind(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "held")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		f, err := os.Open(fifo)
		if err == nil {
			_, err = io.ReadAll(f) // to the end of the child, which holds it open
		}
		ended <- err
	}()
	if _, _, err := run(t, "sleep 600 </dev/null 2>/dev/null >'"+fifo+"' & cat", Limits{}); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the child lives on")
	}
}
