package hooks_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/controllers/mapcontroller/hooks"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/runner/inproc"
)

// linked are functions that say what they are asked, and one that fails.
var linked = []*fn.Function{
	{Name: "count", Run: func(_ context.Context, in *fn.Input) (*fn.Output, error) {
		out := &fn.Output{}
		out.Report(sdk.Info, nil, nil, "%d items", len(in.Items))
		return out, nil
	}},
	{Name: "fail", Run: func(context.Context, *fn.Input) (*fn.Output, error) { return nil, errors.New("no") }},
	{Name: "wait", Run: func(ctx context.Context, _ *fn.Input) (*fn.Output, error) {
		<-ctx.Done()
		return &fn.Output{}, nil
	}},
	{Name: "map", Run: func(context.Context, *fn.Input) (*fn.Output, error) { return &fn.Output{}, nil }},
}

// runners stand in for those of images and programs.
type runners struct{}

func (runners) Prepare(_ context.Context, f *kptfilev1.Function) (runner.Runner, error) {
	switch {
	case f.Exec != "":
		return nil, errors.New("programs are not allowed")
	case f.Image == "broken":
		return broken{}, nil
	}
	return inproc.New(linked[0]), nil
}

type broken struct{}

func (broken) Kind() string { return "exec" }

func (broken) Run(context.Context, *fn.Input) (*runner.Output, error) {
	return nil, &runner.Failure{Stderr: "panic\nat " + strings.Repeat("x", 900), ExitCode: 2}
}

func TestFunctions(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, hook string
		o            hooks.Options
		want         string
	}{
		"linked":     {"by its name", "name: count", hooks.Options{Linked: linked}, "[info] 0 items"},
		"fails":      {"what it says is a result", "name: fail", hooks.Options{Linked: linked}, "[error] no"},
		"slow":       {"time is bounded", "name: wait", hooks.Options{Linked: linked, LinkedTime: 1}, `error: linked function "wait" ran longer than the 1ns that --function-timeout allows, and was stopped`},
		"unknown":    {"those that there are, are told, but for map itself", "name: x", hooks.Options{Linked: linked}, `new: spec.hooks.map.function: no function "x" is linked in; there are count, fail, wait`},
		"map":        {"map in map has no end", "name: map", hooks.Options{Linked: linked}, `new: spec.hooks.map.function: no function "map" is linked in; there are count, fail, wait`},
		"image":      {"by who runs images", "image: any", hooks.Options{Runners: runners{}}, "[info] 0 items"},
		"broken":     {"one line, of bounded length", "image: broken", hooks.Options{Runners: runners{}}, "error: exit status 2: panic at " + strings.Repeat("x", 276) + "..."},
		"no program": {"who runs programs decides", "exec: any", hooks.Options{Runners: runners{}}, "new: spec.hooks.map.function: programs are not allowed"},
		"no runner":  {"nobody is there to run it", "image: any", hooks.Options{}, "new: spec.hooks.map.function: this controller runs no programs and no images; name a function that is linked in, or use cel or a webhook"},
		"two names":  {"before anything is prepared", "image: any, exec: any", hooks.Options{Runners: runners{}}, "new: spec.hooks.map.function: Invalid value: give it exactly one of name, exec and image"},
	} {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(runFunction(t, tc.hook, tc.o), "; ")
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func runFunction(t *testing.T, hook string, o hooks.Options) (lines []string) {
	_, spec := config(t, "map: {function: {"+hook+"}}", "")
	h, err := hooks.New(t.Context(), spec, o)
	if err != nil {
		return []string{"new: " + err.Error()}
	}
	check(t, h.Check(spec.Hooks.Map))
	out, err := h.Function(t.Context(), spec.Hooks.Map.Function, &fn.Input{})
	if err != nil {
		return []string{"error: " + err.Error()}
	}
	for _, r := range out.Results {
		lines = append(lines, fn.FormatResult(r))
	}
	return lines
}

func TestWhoRunsAFunctionMayGiveUp(t *testing.T) {
	_, spec := config(t, "map: {function: {name: wait}}", "")
	h, err := hooks.New(t.Context(), spec, hooks.Options{Linked: linked})
	check(t, err)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(fmt.Errorf("no more: %w", context.Canceled))
	if _, err := h.Function(ctx, spec.Hooks.Map.Function, &fn.Input{}); !errors.Is(err, context.Canceled) {
		t.Errorf("want the context's error, got %v", err)
	}
}

func TestWhatNeverWorksIsInvalid(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, hook string
		o            hooks.Options
		want         bool
	}{
		"unknown":   {"no function comes while a process lives", "map: {function: {name: x}}", hooks.Options{Linked: linked}, true},
		"program":   {"nor does the permission to run programs", "map: {function: {exec: any}}", hooks.Options{Runners: runners{}}, true},
		"no runner": {"nor somebody who runs images", "map: {function: {image: any}}", hooks.Options{}, true},
		"both":      {"what passes does not help", "map: {function: {name: x}}, finalize: {webhook: {url: 'http://h', basicAuth: {secretRef: {name: s, namespace: n}}}}", hooks.Options{}, true},
		"secret":    {"a Secret may come", "map: {webhook: {url: 'http://h', basicAuth: {secretRef: {name: s, namespace: n}}}}", hooks.Options{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			_, spec := config(t, tc.hook, "")
			_, err := hooks.New(t.Context(), spec, tc.o)
			var invalid *hooks.InvalidError
			if err == nil || errors.As(err, &invalid) != tc.want {
				t.Errorf("%s: invalid is %v, want %v: %v", tc.reason, !tc.want, tc.want, err)
			}
		})
	}
}
