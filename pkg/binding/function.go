package binding

import (
	"context"
	_ "embed" // for the documentation
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/binding/overlap"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/transform"
	"github.com/waybill-dev/waybill/pkg/workload"
)

//go:embed bind-resolve.md
var readme string

// Name is the function's.
const Name = "bind-resolve"

// Function resolves BindingPolicies to Bindings.
var Function = &fn.Function{Name: Name, Kind: "BindResolve", Doc: fn.MustDoc(readme, Name), Run: Run}

// Run gives every BindingPolicy among the items its Binding.
func Run(_ context.Context, in *fn.Input) (*fn.Output, error) {
	var opts Options
	if err := fn.DecodeConfig(in.Config, "BindResolve", &opts); err != nil {
		return &fn.Output{Items: in.Items, Results: otherFaults(in, opts, err)}, err
	}
	r := newResolver(in, opts)
	sound := !failed(r.results)
	for _, p := range r.policies {
		r.resolve(p)
	}
	r.reportEmpty(in.Items)
	r.refuseNested(in.Items)
	r.reportUnshippable()
	r.reportUnacceptable()
	if !sound { // what policies have in common would be told of half of them
		return &fn.Output{Items: in.Items, Results: r.results}, nil
	}
	var desired []*krm.Object
	for _, p := range r.policies {
		desired = append(desired, r.binding(p))
	}
	r.results = append(r.results, overlap.Report(r.policies, r.inventory.Clusters, r.universe.All)...)
	out := fn.Generator{Function: Name, Kinds: []string{control.KindBinding}}.Regenerate(in, desired)
	out.Results = append(out.Results, r.results...)
	return out, nil
}

// resolver holds what one run works with.
type resolver struct {
	opts       Options
	config     *krm.Object
	resources  *workload.Resources
	transforms *transform.Set
	inventory  *workload.Inventory
	universe   *match.Candidates
	countable  bool                    // the universe is sound: what is counted there is worth holding against a limit
	fleetSound bool                    // the inventory is, likewise
	policies   []*match.Policy         // sorted by name
	clusters   []*yaml.Node            // Bindings' destinations, by cluster; made when needed
	entries    map[entryKey]*yaml.Node // Bindings' entries; made when needed
	digests    []string                // by object; computed when needed
	results    sdk.Results
}

// newResolver reads everything a run needs and reports all that is wrong with it.
func newResolver(in *fn.Input, opts Options) *resolver {
	r := &resolver{opts: opts, config: in.Config, entries: map[entryKey]*yaml.Node{}}
	r.checkLimit("maxClusters", opts.MaxClusters)
	r.checkLimit("maxObjects", opts.MaxObjects)
	taught := r.learnResources(in.Items)
	r.results = append(r.results, taught...)
	// Whether a bad path may pass is for the function that removes it to say, not for this one.
	var results sdk.Results
	r.transforms, results = transform.ParseSetLenient(in.Items)
	r.results = append(r.results, results...)
	r.inventory, results = workload.ReadInventory(in.Items, opts.AllowEmptyInventory)
	r.results = append(r.results, results...)
	r.fleetSound = !failed(results)
	before := len(r.results)
	r.universe = match.NewCandidates(in.Items, r.resources)
	r.reportTwice(r.universe.All)
	for _, e := range r.universe.All {
		r.reportNamespace(e)
	}
	r.countable = !failed(taught) && !failed(r.results[before:])
	r.warnNameless(in.Items)
	r.refuseLabels(in.Items)
	r.refuseSlips(in.Items)
	r.results = append(r.results, workload.Misspelt(in.Items,
		control.GroupKind(control.KindBindingPolicy), control.GroupKind(control.KindCustomTransform))...)
	r.policies = r.readPolicies(in.Items)
	r.warnUnknownKinds(in.Items)
	return r
}

// learnResources learns names and scopes of kinds, and returns what is wrong with them. Bindings of
// our own making repeat what an earlier render was told; those of others may tell something.
func (r *resolver) learnResources(items []*krm.Object) sdk.Results {
	var others []*krm.Object
	for _, o := range items {
		if o.Annotation(fn.GeneratedBy) != Name {
			others = append(others, o)
		}
	}
	resources, errs, results := workload.NewBoundResources(others, r.opts.Resources)
	r.resources = resources
	return slices.Concat(results, r.faultsOfResources(errs), workload.WarnOfDefinitions(others))
}
