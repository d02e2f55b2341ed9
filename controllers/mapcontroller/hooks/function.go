package hooks

import (
	"context"
	"errors"
	"slices"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	mapping "github.com/waybill-dev/waybill/pkg/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/runner/inproc"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// function runs a function. Its errors are results.
type function func(ctx context.Context, in *fn.Input) (*fn.Output, error)

// addFunction makes a function ready.
func (m *maker) addFunction(ctx context.Context, hook *waybill.FunctionHook, at *field.Path) {
	run, err := m.prepare(ctx, hook)
	if err != nil { // what runs functions refuses before it asks anybody
		m.fault(at, err)
		m.invalid = true
		return
	}
	m.made.functions[*hook] = func(ctx context.Context, in *fn.Input) (*fn.Output, error) {
		out, err := runner.Answer(ctx, run, in)
		if err != nil && ctx.Err() == nil {
			err = errors.New(safetext.SingleLine(err.Error(), maxMessage))
		}
		return out, err
	}
}

var errNoRunner = errors.New("this controller runs no programs and no images; name a function that is linked in, or use cel or a webhook")

// prepare settles how a function is run. By name it is linked in, whatever runs images.
func (m *maker) prepare(ctx context.Context, hook *waybill.FunctionHook) (runner.Runner, error) {
	if hook.Name == "" && m.Runners != nil {
		return m.Runners.Prepare(ctx, &kptfilev1.Function{Exec: hook.Exec, Image: hook.Image})
	}
	if hook.Name == "" {
		return nil, errNoRunner
	}
	linked := slices.DeleteFunc(slices.Clone(m.Linked), func(f *fn.Function) bool { return f.Name == mapping.Name })
	if err := (mapping.Offline{Functions: linked}).Check(&waybill.MapHook{Function: hook}); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(linked, func(f *fn.Function) bool { return f.Name == hook.Name })
	return inproc.Within(linked[at], m.LinkedTime), nil
}
