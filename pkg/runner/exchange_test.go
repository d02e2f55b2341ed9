package runner

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestExchange holds, for each way in which a program may answer, that the items it left alone are those
// that were given, and that the others keep their form.
func TestExchange(t *testing.T) {
	const n = 30
	cases := map[string]struct {
		reason  string
		answer  func(string) string
		changed int
	}{
		"echo":      {"nothing changed", changing(0), 0},
		"some":      {"every tenth changed", changing(10), 3},
		"all":       {"all changed", changing(1), n},
		"reprinted": {"the same data in another form is no change", reprinting(t), 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			items := deployments(t, n)
			before := text(t, items)
			checkChanged(t, items, mustExchange(t, items, once(c.answer)), c.changed)
			if d := cmp.Diff(before, text(t, items)); d != "" {
				t.Errorf("%s: what was given has changed (-before +after):\n%s", c.reason, d)
			}
		})
	}
}

// TestExchangeReprinted holds that comments and the order of fields come back whatever the program made of
// them. Braces and quotes are the program's.
func TestExchangeReprinted(t *testing.T) {
	items := deployments(t, 3)
	out := mustExchange(t, items, once(func(s string) string {
		return strings.ReplaceAll(reprinting(t)(s), "replicas: 3", "replicas: 4")
	}))
	for i, o := range out {
		was, is := withoutStyle(t, items[i]), withoutStyle(t, o)
		if d := cmp.Diff(strings.Replace(was, "replicas: 3", "replicas: 4", 1), is); d != "" {
			t.Errorf("item %d (-want +got):\n%s", i, d)
		}
	}
}

func withoutStyle(t testing.TB, o *krm.Object) string {
	o = o.DeepCopy()
	var clear func(*yaml.Node)
	clear = func(n *yaml.Node) {
		n.Style = 0
		for _, c := range n.Content {
			clear(c)
		}
	}
	clear(o.Node())
	return raw(t, o)
}

func text(t testing.TB, items []*krm.Object) (all []string) {
	for _, o := range items {
		all = append(all, raw(t, o))
	}
	return all
}

func TestExchangeWithoutItems(t *testing.T) {
	out := mustExchange(t, nil, func(_ context.Context, stdin []byte) ([]byte, []byte, int, error) {
		if !bytes.Contains(stdin, []byte("\nitems: []\n")) {
			t.Errorf("a list without items is %q", stdin)
		}
		return bytes.Replace(stdin, []byte("[]"), []byte("[{a: 1}]"), 1), nil, 0, nil
	})
	if len(out) != 1 || raw(t, out[0]) != "{a: 1}\n" {
		t.Errorf("got %v", text(t, out))
	}
}

func TestExchangeErrors(t *testing.T) {
	broken := errors.New("broken")
	cases := map[string]struct {
		reason, stdout, stderr string
		code                   int
		err                    error
		want                   string
	}{
		"not run":  {"an error of the process passes", "", "", 0, broken, "broken"},
		"garbage":  {"what is wrong is said, not what was printed", "secret: x\n", "", 0, nil, `its output: input is not a ResourceList: kind is ""`},
		"silent":   {"nothing is no list", " \n", "", 0, nil, "its output: input is not a ResourceList: it is empty"},
		"failed":   {"a failure has results and a status", "", "a\nb\n\n", 7, nil, "b; exit status 7"},
		"long":     {"a message is of one line of some length", "", strings.Repeat("x", 5000), 1, nil, strings.Repeat("x", maxLine) + "…; exit status 1"},
		"binary":   {"and can be printed", "", "a\x1b[0m\xffb\r", 1, nil, "a [0m b; exit status 1"},
		"no words": {"the status alone", "garbage", "", 2, nil, "exit status 2"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Exchange(context.Background(), &fn.Input{}, func(context.Context, []byte) ([]byte, []byte, int, error) {
				return []byte(c.stdout), []byte(c.stderr), c.code, c.err
			})
			if err == nil || err.Error() != c.want {
				t.Errorf("%s: err = %v, want %q", c.reason, err, c.want)
			}
		})
	}
}

// TestMemoryOfAHandOver holds that what is sent is in memory once while the process runs, and that
// nothing of it stays when the items come back as they were.
func TestMemoryOfAHandOver(t *testing.T) {
	items := deployments(t, 2000)
	before := heap()
	var during, size int
	out := mustExchange(t, items, func(_ context.Context, stdin []byte) ([]byte, []byte, int, error) {
		during, size = heap()-before, len(stdin)
		return stdin, nil, 0, nil
	})
	after := heap() - before
	if during > size*3/2 || after > size/4 {
		t.Errorf("a list of %d bytes takes %d while the process runs and %d afterwards", size, during, after)
	}
	runtime.KeepAlive(items)
	runtime.KeepAlive(out)
}

func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
