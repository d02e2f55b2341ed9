package memo

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// program is a Program in this process that counts how often it runs.
type program struct {
	answer func(stdin string) (stdout, stderr string, code int)
	name   string
	ran    int
}

func (p *program) Kind() string     { return "test" }
func (p *program) Identity() string { return p.name }

func (p *program) Run(ctx context.Context, in *fn.Input) (*runner.Output, error) {
	return runner.Exchange(ctx, in, p.Process)
}

func (p *program) Process(_ context.Context, stdin []byte) ([]byte, []byte, int, error) {
	p.ran++
	stdout, stderr, code := p.answer(string(stdin))
	return []byte(stdout), []byte(stderr), code, nil
}

// linked is a linked function, run the way its image runs it.
func linked(name string) func(string) (string, string, int) {
	return func(stdin string) (string, string, int) {
		var stdout, stderr strings.Builder
		code := catalog.ByName(name).Serve(context.Background(), nil, strings.NewReader(stdin), &stdout, &stderr)
		return stdout.String(), stderr.String(), code
	}
}

const web = `# the shop's front
apiVersion: apps/v1
kind: Deployment
metadata: # whose
  name: web
  labels: {app: web}
spec:
    replicas: 3   # per cluster
---
apiVersion: v1
kind: ConfigMap
metadata: {name: quiet, namespace: kept}
data:
  word: "hello"
`

// input is what functions are given here; namespace configures set-namespace.
func input(t testing.TB, text, namespace string) *fn.Input {
	in := &fn.Input{Items: fntest.Parse(t, "web.yaml", []byte(text))}
	for i, o := range in.Items {
		o.SetPath("web.yaml", i)
	}
	if namespace != "" {
		in.Config = fntest.Parse(t, "config.yaml", fmt.Appendf(nil, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {namespace: %s}\n", namespace))[0]
	}
	return in
}

// outcome is all that a run shows, in a form to compare.
type outcome struct {
	Items, Results, Stderr, Err string
	Paths                       []string
	Same                        []int // which items are the very ones that were given
}

func outcomeOf(t testing.TB, in *fn.Input, out *runner.Output, err error) (o outcome) {
	t.Helper()
	if err != nil {
		o.Err = err.Error()
		if failed := (*runner.Failure)(nil); errors.As(err, &failed) {
			o.Stderr = failed.Stderr
		}
		return o
	}
	data, err := krm.Write(out.Items)
	if err != nil {
		t.Fatal(err)
	}
	o.Items, o.Stderr = string(data), out.Stderr
	for _, r := range out.Results {
		o.Results += fn.FormatResult(r) + "\n"
	}
	for i, item := range out.Items {
		o.Paths = append(o.Paths, item.File())
		if i < len(in.Items) && item == in.Items[i] {
			o.Same = append(o.Same, i)
		}
	}
	return o
}

func try(t testing.TB, r runner.Runner, in *fn.Input) outcome {
	t.Helper()
	out, err := r.Run(context.Background(), in)
	return outcomeOf(t, in, out, err)
}

// checkLaws holds for every program and input: with a cache, new or filled, in this process or the
// next, the outcome is what it is without; and a program runs again exactly if it is not kept.
func checkLaws(t testing.TB, answer func(string) (string, string, int), in *fn.Input, kept bool) {
	t.Helper()
	p := &program{answer: answer, name: "test@1"}
	want := try(t, p, in)
	dir := t.TempDir() + "/cache"
	here, next := open(t, dir, 0), open(t, dir, 0)
	for i, use := range []string{"a new cache", "a filled cache", "the next process"} {
		p.ran = 0
		got := try(t, []*Cache{here, here, next}[i].Wrap(p), in)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s changes the outcome (-without +with):\n%s", use, diff)
		}
		if again := i == 0 || !kept; (p.ran == 1) != again || p.ran > 1 {
			t.Errorf("with %s the program ran %d times, want it to run: %v", use, p.ran, again)
		}
	}
}

// open makes a Cache that has nothing to report.
func open(t testing.TB, dir string, limit int64) *Cache {
	return New(dir, limit, func(err error) { t.Errorf("reported: %v", err) })
}
