package combine

import (
	"context"
	_ "embed" // for the documentation
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

//go:embed combine-status.md
var readme string

// Name is the name of the function.
const Name = "combine-status"

const configKind = "CombineStatus"

// Function is combine-status.
var Function = &fn.Function{Name: Name, Kind: configKind, Doc: fn.MustDoc(readme, Name), Run: Run}

// Run writes a CombinedStatus for every object that a Binding names with collectors, and deletes its own earlier ones that
// are no longer requested. Objects change only with the option writeStatus. After any error nothing changes, and all errors
// are reported.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	opts, err := readOptions(in.Config)
	if err != nil {
		return &fn.Output{Items: in.Items, Results: otherFaults(ctx, in.Items)}, err
	}
	s, err := NewSummary(ctx, in.Items, opts)
	if err != nil {
		return nil, err
	}
	if s.Failed() {
		return &fn.Output{Items: in.Items, Results: s.Results}, nil
	}
	out := fn.Generator{Function: Name, Kinds: []string{control.KindCombinedStatus}}.
		Regenerate(&fn.Input{Items: s.Items}, file(s.Objects, in.Items))
	out.Results = append(append(out.Results, s.Results...), s.Failures()...)
	return out, nil
}

// otherFaults returns the errors of items that do not depend on options: fixing the config does not remove them.
func otherFaults(ctx context.Context, items []*krm.Object) sdk.Results {
	s, err := NewSummary(ctx, items, DefaultOptions())
	if err != nil {
		return nil // the error of the config is reported anyway
	}
	return slices.DeleteFunc(s.Results, func(r *sdk.Result) bool { return r.Severity != sdk.Error })
}
