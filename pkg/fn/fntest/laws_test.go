package fntest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const items = `apiVersion: v1 # version
kind: ConfigMap
metadata:
  name: a
  annotations:
    internal.config.kubernetes.io/path: 'a.yaml'
    internal.config.kubernetes.io/index: '0'
# twice
data:
  # twice
  k: v

# below
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: b
  annotations:
    internal.config.kubernetes.io/path: 'b.yaml'
    internal.config.kubernetes.io/index: '0'
data: {k: w}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: c
  annotations:
    internal.config.kubernetes.io/path: 'c.yaml'
    internal.config.kubernetes.io/index: '0'
data: {k: x}
`

func input(t testing.TB) *fn.Input {
	return &fn.Input{
		Items:  Parse(t, "in.yaml", []byte(items)),
		Config: Parse(t, "config.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {n: x}\n"))[0],
	}
}

// edit is a function that puts an edited copy in the place of every item.
func edit(change func(i int, o *krm.Object)) func(*fn.Input) (*fn.Output, error) {
	return func(in *fn.Input) (*fn.Output, error) {
		out := fn.NewOutput(in)
		for i, o := range out.Items {
			out.Items[i] = o.DeepCopy()
			change(i, out.Items[i])
		}
		return out, nil
	}
}

func data(o *krm.Object, value string) {
	krm.SetField(o.Lookup("data"), "k", krm.StringNode(value))
}

// calls counts the runs of a wrong function, for those that remember.
var calls int

// wrong are functions that each break some law, with the laws they break, and a few that break none.
var wrong = map[string]struct {
	reason string
	run    func(in *fn.Input) (*fn.Output, error)
	lost   []string
	want   []string
}{
	"good: nothing": {reason: "a function that does nothing is lawful", run: func(in *fn.Input) (*fn.Output, error) { return fn.NewOutput(in), nil }},
	"good: edits":   {reason: "so is one that edits copies", run: edit(func(_ int, o *krm.Object) { o.SetAnnotation("seen", "x") })},
	"good: fails": {reason: "so is one that says what is wrong", run: func(in *fn.Input) (*fn.Output, error) {
		out, _ := edit(func(_ int, o *krm.Object) { data(o, "z") })(in)
		out.Report(sdk.Error, nil, nil, "no")
		return out, errors.New("nor that")
	}},
	"good: drops comments it says": {reason: "a case may expect a comment to be lost", lost: []string{"# version"},
		run: edit(func(_ int, o *krm.Object) { o.Node().Content[1].LineComment = "" })},
	"changes its input": {reason: "in place instead of on a copy", run: func(in *fn.Input) (*fn.Output, error) {
		in.Items[0].SetAnnotation("seen", "x")
		return fn.NewOutput(in), nil
	}, want: []string{"input untouched"}},
	"changes the list": {reason: "by its own sorting", run: func(in *fn.Input) (*fn.Output, error) {
		slices.Reverse(in.Items)
		return fn.NewOutput(in), nil
	}, want: []string{"input untouched", "input untouched", "the same items through the protocol"}},
	"swaps in the list": {reason: "an equal object is still another one", run: func(in *fn.Input) (*fn.Output, error) {
		in.Items[0] = in.Items[0].DeepCopy()
		return fn.NewOutput(in), nil
	}, want: []string{"input untouched"}},
	"changes its config": {reason: "which the next function may get", run: func(in *fn.Input) (*fn.Output, error) {
		in.Config.SetAnnotation("seen", "x")
		return fn.NewOutput(in), nil
	}, want: []string{"config untouched"}},
	"remembers": {reason: "a counter makes every run another", run: func(in *fn.Input) (*fn.Output, error) {
		calls++
		return edit(func(_ int, o *krm.Object) { data(o, strconv.Itoa(calls)) })(in)
	}, want: []string{"same input, same output", "items reversed: same output", "items rotated: same output", "the same items through the protocol", "a second run changes nothing"}},
	"says another thing": {reason: "each time, in a field that the line for people does not show", run: func(in *fn.Input) (*fn.Output, error) {
		calls++
		out := fn.NewOutput(in)
		out.Results = sdk.Results{{Message: "m", Tags: map[string]string{"call": strconv.Itoa(calls)}}}
		return out, nil
	}, want: []string{"same input, same results", "items reversed: same results", "items rotated: same results", "the same results through the protocol"}},
	"looks at the order": {reason: "it numbers its items", run: edit(func(i int, o *krm.Object) { data(o, strconv.Itoa(i)) }),
		want: []string{"items reversed: same output", "items rotated: same output"}},
	"reports the first": {reason: "whichever comes first", run: func(in *fn.Input) (*fn.Output, error) {
		out := fn.NewOutput(in)
		out.Report(sdk.Warning, in.Items[0], nil, "look")
		return out, nil
	}, want: []string{"items reversed: same results", "items rotated: same results"}},
	"adds each time": {reason: "it does not recognise its own work", run: edit(func(_ int, o *krm.Object) { data(o, o.String("data", "k")+"!") }),
		want: []string{"a second run changes nothing"}},
	"complains of itself": {reason: "its own output surprises it", run: func(in *fn.Input) (*fn.Output, error) {
		out, err := edit(func(_ int, o *krm.Object) { o.SetAnnotation("seen", "x") })(in)
		for _, o := range in.Items {
			if o.HasAnnotation("seen") {
				out.Report(sdk.Warning, o, nil, "seen before")
			}
		}
		return out, err
	}, want: []string{"a second run says the same"}},
	"loses a comment": {reason: "one that no case announced", run: edit(func(_ int, o *krm.Object) { o.Node().Content[1].LineComment = "" }),
		want: []string{"comments are kept"}},
	"loses one of two": {reason: "the same line stands elsewhere still", run: edit(func(_ int, o *krm.Object) { o.Node().Content[6].HeadComment = "" }),
		want: []string{"comments are kept"}},
	"rebuilds": {reason: "the comment below the object is lost with the object it was", run: func(in *fn.Input) (*fn.Output, error) {
		out := fn.NewOutput(in)
		for i, o := range out.Items {
			out.Items[i] = krm.FromNode(krm.CopyNode(o.Node()))
		}
		return out, nil
	}, want: []string{"comments are kept"}},
	"looks at files": {reason: "where it was read is unknown to a program", run: edit(func(_ int, o *krm.Object) { data(o, o.Source.File) }),
		want: []string{"the same items through the protocol"}},
	"writes nonsense": {reason: "a field given twice is no YAML for others", run: edit(func(_ int, o *krm.Object) {
		o.Node().Content = append(slices.Clone(o.Node().Content[:8]), krm.StringNode("data"), krm.MapNode())
	}), want: []string{"stdout is a ResourceList"}},
	"makes the unwritable": {reason: "text that is not UTF-8 cannot be written", run: edit(func(_ int, o *krm.Object) { data(o, "\xff") }),
		want: []string{"exit status reports errors", "stdout is a ResourceList"}},
	"fails by turns": {reason: "every second run", run: func(in *fn.Input) (*fn.Output, error) {
		if calls++; calls%2 == 0 {
			return nil, errors.New("not today")
		}
		return fn.NewOutput(in), nil
	}, want: []string{"same input, same results", "items rotated: same results", "a second run says the same"}},
	"edits and fails": {reason: "what it changed in place stays changed", run: func(in *fn.Input) (*fn.Output, error) {
		in.Items[0].SetAnnotation("seen", "x")
		return nil, errors.New("no")
	}, want: []string{"input untouched", "after an error the items are the input's"}},
}

func TestEachLawIsBrokenBySomething(t *testing.T) {
	for name, c := range wrong {
		t.Run(name, func(t *testing.T) {
			calls = 0
			f := &fn.Function{Name: "wrong", Run: func(_ context.Context, in *fn.Input) (*fn.Output, error) { return c.run(in) }}
			var got []string
			for _, b := range laws(f, input(t), c.lost) {
				if b.how == "" {
					t.Errorf("%s: %s does not say how it was broken", c.reason, b.law)
				}
				got = append(got, b.law)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s: laws broken (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

// recorder is a testing.TB that notes what is reported to it.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func TestCheckLawsReports(t *testing.T) {
	r := &recorder{TB: t}
	f := &fn.Function{Name: "wrong", Run: func(_ context.Context, in *fn.Input) (*fn.Output, error) {
		return edit(func(_ int, o *krm.Object) { data(o, o.String("data", "k")+"!") })(in)
	}}
	CheckLaws(r, f, input(t), nil)
	if len(r.errors) != 1 || !strings.HasPrefix(r.errors[0], "law broken: a second run changes nothing (-want +got):\n") || !strings.Contains(r.errors[0], "\"!\"") {
		t.Errorf("want one error with law and difference, got %q", r.errors)
	}
	r.errors = nil
	if !CheckLawsOfOneRun(r, f, input(t), nil) || r.errors != nil {
		t.Errorf("one run of it breaks no law, and the second is seen to differ: %q", r.errors)
	}
	if CheckLawsOfOneRun(r, f, &fn.Input{}, nil) || r.errors != nil {
		t.Errorf("without items nothing differs: %q", r.errors)
	}
	lossy := &fn.Function{Name: "wrong", Run: func(_ context.Context, in *fn.Input) (*fn.Output, error) { return wrong["loses a comment"].run(in) }}
	if CheckLawsOfOneRun(r, lossy, input(t), nil) || len(r.errors) != 1 {
		t.Errorf("the other laws hold still: %q", r.errors)
	}
	r.errors = nil
	good := &fn.Function{Name: "good", Run: func(_ context.Context, in *fn.Input) (*fn.Output, error) { return fn.NewOutput(in), nil }}
	CheckLaws(r, good, &fn.Input{}, nil)
	if r.errors != nil {
		t.Errorf("a lawful function on no items at all: %q", r.errors)
	}
}
