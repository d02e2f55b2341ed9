package bundling

import (
	"context"
	_ "embed" // for the README
	"math"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/bundling/bindings"
	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/bundling/previous"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/template/expansion"
	"github.com/waybill-dev/waybill/pkg/transform"
	"github.com/waybill-dev/waybill/pkg/workload"
)

//go:embed bundle-manifestwork.md
var readme string

const kind = "BundleManifestWork"

// Function is bundle-manifestwork.
var Function = &fn.Function{Name: naming.Function, Kind: kind, Doc: fn.MustDoc(readme, naming.Function), Run: Run}

// Run writes the ManifestWorks of every Binding and deletes its own earlier ones that no Binding needs
// any more. Objects and Bindings stay as they are. If anything is wrong, no work of any Binding changes, and
// Run reports everything that is wrong.
func Run(_ context.Context, in *fn.Input) (*fn.Output, error) {
	opts, err := readOptions(in.Config)
	if err != nil {
		return &fn.Output{Items: slices.Clone(in.Items), Results: otherFaults(in)}, err
	}
	b := newBundler(in.Items, opts)
	works := b.bundle(in.Items)
	if b.failed() {
		return &fn.Output{Items: slices.Clone(in.Items), Results: b.results}, nil
	}
	out := fn.Generator{Function: naming.Function, Kinds: []string{naming.WorkKind}}.Regenerate(in, file(works, in.Items))
	out.Results = append(out.Results, b.results...)
	return out, nil
}

// otherFaults are the errors in the items that do not depend on the options.
func otherFaults(in *fn.Input) sdk.Results {
	opts := defaultOptions()
	opts.AllowEmptyInventory, opts.AllowEmptySelection, opts.MaxSize, opts.ManifestLimit = true, true, math.MaxInt32, math.MaxInt32
	b := newBundler(in.Items, opts)
	b.bundle(in.Items)
	return slices.DeleteFunc(b.results, func(r *sdk.Result) bool { return r.Severity != sdk.Error })
}

// bundler is the state of one run.
type bundler struct {
	earlier     []*previous.Work
	opts        Options
	kinds       *workload.Resources
	bindings    []bindings.Binding // by name
	sources     bindings.Sources
	inventory   *workload.Inventory
	transforms  *transform.Set
	contents    map[contentsKey]contents
	properties  map[string]map[string]string // by cluster, as templates see them
	allowance   *expansion.Allowance         // for all templates together
	results     sdk.Results
	reported    map[fault]bool
	strategies  map[schema.GroupKind]string // of option updateStrategies
	policies    map[schema.GroupKind]string // of option propagationPolicies
	kindConfigs map[kindConfigKey]*manifestconfig.Config
}

// fault is an error in an object. Several Bindings may meet it; it is reported once.
type fault struct {
	object *krm.Object
	text   string
}

func newBundler(items []*krm.Object, opts Options) *bundler {
	b := &bundler{opts: opts, contents: map[contentsKey]contents{},
		properties: map[string]map[string]string{}, allowance: expansion.NewAllowance(), reported: map[fault]bool{},
		kindConfigs: map[kindConfigKey]*manifestconfig.Config{}}
	var reading parallel.Group
	reading.Go(func() { b.earlier = previous.Read(items) })
	defer reading.Wait()
	b.strategies, _ = manifestconfig.ReadStrategies(opts.UpdateStrategies, nil)
	b.policies, _ = manifestconfig.ReadPolicies(opts.PropagationPolicies, nil)
	kinds, errs, found := workload.NewBoundResources(items, nil)
	for _, err := range errs {
		b.report(sdk.Error, nil, bindings.FieldPath(err), "%v", err)
	}
	b.kinds = kinds
	b.add(found)
	b.inventory, found = workload.ReadInventory(items, opts.AllowEmptyInventory)
	b.add(found)
	if b.transforms, found = transform.ParseSet(items); opts.CustomTransforms == apply {
		b.add(found) // else custom-transform reports them
		b.add(b.transforms.WarnUnknown(kinds, items))
	}
	b.bindings, found = bindings.Read(items, opts.WDSName)
	b.add(found)
	b.sources = bindings.NewSources(items, kinds, b.bindings)
	return b
}

func (b *bundler) add(results sdk.Results) { b.results = append(b.results, results...) }

func (b *bundler) report(sev sdk.Severity, o *krm.Object, at *field.Path, format string, args ...any) {
	b.results = append(b.results, fn.NewResult(sev, o, at, format, args...))
}

// fail reports what is wrong with a source object.
func (b *bundler) fail(o *krm.Object, err error) {
	if s := (fault{o, err.Error()}); !b.reported[s] {
		b.reported[s] = true
		b.report(sdk.Error, o, nil, "%v", err)
	}
}

func (b *bundler) failed() bool {
	return b.firstFault() != nil
}
