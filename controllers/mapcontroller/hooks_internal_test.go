package mapcontroller

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/hooks"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/runner/inproc"
)

// linked are functions that count their items, fail, or wait.
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

// specOf is the spec of a MapController with hooks, which are YAML in one line.
func specOf(t testing.TB, hooks string) *waybill.MapControllerSpec {
	t.Helper()
	objects, err := krm.Read("c.yaml", fmt.Appendf(nil, `{apiVersion: waybill.dev/v1alpha1, kind: MapController, metadata: {name: c}, spec: {
		parentResource: {apiVersion: example.org/v1, kind: Policy}, inputResources: [{apiVersion: v1, resource: services}],
		outputResources: [{apiVersion: v1, resource: configmaps}], hooks: {%s}}}`, hooks), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var c waybill.MapController
	if err := objects[0].Decode(&c); err != nil {
		t.Fatal(err)
	}
	return &c.Spec
}

func TestFunctions(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, hook string
		f            functions
		want         string
	}{
		"linked":     {"by its name", "name: count", functions{linked: linked}, "[info] 0 items"},
		"fails":      {"its error is a result", "name: fail", functions{linked: linked}, "[error] no"},
		"slow":       {"time is bounded", "name: wait", functions{linked: linked, timeout: 1}, `error: linked function "wait" ran longer than the 1ns that --function-timeout allows, and was stopped`},
		"unknown":    {"the error lists the functions, except map itself", "name: x", functions{linked: linked}, `new: spec.hooks.map.function: no function "x" is linked in; there are count, fail, wait`},
		"map":        {"map cannot call itself", "name: map", functions{linked: linked}, `new: spec.hooks.map.function: no function "map" is linked in; there are count, fail, wait`},
		"image":      {"by the runner of images", "image: any", functions{runners: runners{}}, "[info] 0 items"},
		"broken":     {"one line, of bounded length", "image: broken", functions{runners: runners{}}, "error: exit status 2: panic at " + strings.Repeat("x", 276) + "..."},
		"no program": {"the runner decides about programs", "exec: any", functions{runners: runners{}}, "new: spec.hooks.map.function: programs are not allowed"},
		"no runner":  {"there is no runner", "image: any", functions{}, "new: spec.hooks.map.function: this controller runs no programs and no images; name a function that is linked in, or use cel or a webhook"},
		"two names":  {"before anything is prepared", "image: any, exec: any", functions{runners: runners{}}, "new: spec.hooks.map.function: Invalid value: give it exactly one of name, exec and image"},
	} {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(runFunction(t, tc.hook, tc.f), "; ")
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func runFunction(t *testing.T, hook string, f functions) (lines []string) {
	spec := specOf(t, "map: {function: {"+hook+"}}")
	h, err := hooks.New(t.Context(), spec, hooks.Options{Functions: f.prepare})
	if err != nil {
		return []string{"new: " + err.Error()}
	}
	if err := h.Check(spec.Hooks.Map); err != nil {
		t.Fatal(err)
	}
	out, err := h.Function(t.Context(), spec.Hooks.Map.Function, &fn.Input{})
	if err != nil {
		return []string{"error: " + err.Error()}
	}
	for _, r := range out.Results {
		lines = append(lines, fn.FormatResult(r))
	}
	return lines
}

func TestFunctionIsCancelled(t *testing.T) {
	spec := specOf(t, "map: {function: {name: wait}}")
	h, err := hooks.New(t.Context(), spec, hooks.Options{Functions: functions{linked: linked}.prepare})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(fmt.Errorf("no more: %w", context.Canceled))
	if _, err := h.Function(ctx, spec.Hooks.Map.Function, &fn.Input{}); !errors.Is(err, context.Canceled) {
		t.Errorf("want the context's error, got %v", err)
	}
}

func TestInvalidError(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, hook string
		f            functions
		want         bool
	}{
		"unknown":   {"the functions of a process do not change", "map: {function: {name: x}}", functions{linked: linked}, true},
		"program":   {"nor does the permission to run programs", "map: {function: {exec: any}}", functions{runners: runners{}}, true},
		"no runner": {"nor the runner of images", "map: {function: {image: any}}", functions{}, true},
		"both":      {"other errors that may pass do not count", "map: {function: {name: x}}, finalize: {webhook: {url: 'http://h', basicAuth: {secretRef: {name: s, namespace: n}}}}", functions{}, true},
		"secret":    {"a Secret may come", "map: {webhook: {url: 'http://h', basicAuth: {secretRef: {name: s, namespace: n}}}}", functions{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := hooks.New(t.Context(), specOf(t, tc.hook), hooks.Options{Functions: tc.f.prepare})
			var invalid *hooks.InvalidError
			if err == nil || errors.As(err, &invalid) != tc.want {
				t.Errorf("%s: invalid is %v, want %v: %v", tc.reason, !tc.want, tc.want, err)
			}
		})
	}
}
