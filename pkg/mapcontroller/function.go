package mapcontroller

import (
	"context"
	_ "embed" // for the documentation
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

//go:embed map.md
var readme string

// Name is the function's.
const Name = "map"

// Function is the function map. Its hooks may name the linked functions, but not map itself; and programs and images, where
// it may call others (fn.CallerOf).
func Function(linked ...*fn.Function) *fn.Function {
	linked = slices.DeleteFunc(slices.Clone(linked), func(f *fn.Function) bool { return f.Name == Name })
	return &fn.Function{
		Name: Name, Kind: waybill.KindMapController, Doc: fn.MustDoc(readme, Name),
		Run: func(ctx context.Context, in *fn.Input) (*fn.Output, error) {
			return run(ctx, in, Offline{Functions: linked, Caller: fn.CallerOf(ctx)})
		},
	}
}

// run reconciles all parents among the items once. The config is the MapController.
func run(ctx context.Context, in *fn.Input, hooks Offline) (*fn.Output, error) {
	if in.Config == nil {
		return nil, field.Required(field.NewPath("functionConfig"), "it is the "+waybill.KindMapController)
	}
	types, faults := workload.TypesOf(in.Items)
	recordings, results := readRecordings(in.Items)
	results = append(results, workload.RefuseTypos(in.Items)...)
	hooks.Recordings = recordings
	c, err := New(in.Config, types, hooks)
	all := utilerrors.Flatten(utilerrors.NewAggregate([]error{faults.ToAggregate(), err}))
	if all != nil || len(results) > 0 {
		return &fn.Output{Items: in.Items, Results: results}, all
	}
	result, err := c.Run(ctx, Snapshot{Items: in.Items})
	if err != nil {
		return nil, err
	}
	out := &fn.Output{Items: result.Plan.Items, Results: result.Results}
	for _, parent := range result.Parents {
		if !parent.Held {
			status := parent.After
			if result.Failed() { // nothing changes
				status = parent.Observed
			}
			out.Report(sdk.Info, parent.Object, nil, "%s", status)
		}
	}
	if c.spec.StatusMode == waybill.StatusInPlace {
		writeStatus(c, out, result.Parents)
	}
	return out, nil
}

// writeStatus writes the final status of parents: files get no later reconcile.
func writeStatus(c *Controller, out *fn.Output, parents []Parent) {
	at := map[krm.ID]int{}
	for i, o := range out.Items {
		if o.Is(c.parent.Group, c.parent.Kind) {
			at[idOf(c.types, o)] = i
		}
	}
	for _, parent := range parents {
		i, is := at[idOf(c.types, parent.Object)]
		if !is || parent.Held { // the parent was deleted, as an output of another parent
			continue
		}
		edited := out.Items[i].DeepCopy()
		edited.ExpandAliases()
		if err := parent.After.WriteTo(edited); err != nil {
			out.Report(sdk.Error, parent.Object, field.NewPath("status"), "map(%s): %v", parent.Key, err)
			continue
		}
		if !krm.Equivalent(edited.Node(), out.Items[i].Node()) {
			out.Items[i] = edited
		}
	}
}
