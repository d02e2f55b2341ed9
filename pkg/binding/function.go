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
	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/transform"
	"github.com/waybill-dev/waybill/pkg/workload"
)

//go:embed bind-resolve.md
var readme string

// Name is the name of the function.
const Name = "bind-resolve"

// Function resolves BindingPolicies to Bindings.
var Function = &fn.Function{Name: Name, Kind: "BindResolve", Doc: fn.MustDoc(readme, Name), Run: Run}

// Run writes a Binding for every BindingPolicy among the items.
func Run(_ context.Context, in *fn.Input) (*fn.Output, error) {
	var opts Options
	if err := fn.DecodeConfig(in.Config, "BindResolve", &opts); err != nil {
		return &fn.Output{Items: in.Items, Results: otherErrors(in, opts, err)}, err
	}
	r := newResolver(in, opts)
	valid := !failed(r.results)
	for _, p := range r.policies {
		r.resolve(p)
	}
	r.reportEmpty(in.Items)
	r.refuseNested(in.Items)
	r.reportUnshippable()
	r.reportInvalidNames()
	if !valid { // a comparison of only some policies would mislead
		return &fn.Output{Items: in.Items, Results: r.results}, nil
	}
	var desired []*krm.Object
	for _, p := range r.policies {
		desired = append(desired, r.binding(p))
	}
	r.add(overlap.Report(r.policies, r.inventory.Clusters, r.candidates.All))
	out := fn.Generator{Function: Name, Kinds: []string{control.KindBinding}}.Regenerate(in, desired)
	out.Results = append(out.Results, r.results...)
	return out, nil
}

// resolver is the state of one run.
type resolver struct {
	opts            Options
	config          *krm.Object
	resources       *workload.Resources
	transforms      *transform.Set
	inventory       *workload.Inventory
	candidates      *match.Candidates
	candidatesValid bool                    // they have no errors: their number can be compared with a limit
	inventoryValid  bool                    // the same for clusters
	policies        []*match.Policy         // sorted by name
	clusters        []*yaml.Node            // destinations in Bindings, by cluster; made when needed
	entries         map[entryKey]*yaml.Node // entries of Bindings; made when needed
	digests         []string                // by candidate; computed when needed
	results         sdk.Results
}

// newResolver reads everything that a run needs, and reports all that is wrong with it.
func newResolver(in *fn.Input, opts Options) *resolver {
	r := &resolver{opts: opts, config: in.Config, entries: map[entryKey]*yaml.Node{}}
	r.checkLimit("maxClusters", opts.MaxClusters)
	r.checkLimit("maxObjects", opts.MaxObjects)
	var reading parallel.Group
	var inventoryResults sdk.Results
	reading.Go(func() { r.inventory, inventoryResults = workload.ReadInventory(in.Items, opts.AllowEmptyInventory) })
	kinds := r.readResources(in.Items)
	r.add(kinds)
	// The function that removes a path checks it, not this one.
	var results sdk.Results
	r.transforms, results = transform.ParseSetLenient(in.Items)
	r.add(results)
	r.candidates = match.NewCandidates(in.Items, r.resources)
	reading.Wait()
	r.add(inventoryResults)
	r.inventoryValid = !failed(inventoryResults)
	before := len(r.results)
	r.clusters, r.digests = make([]*yaml.Node, len(r.inventory.Clusters)), make([]string, len(r.candidates.All))
	r.reportDuplicates()
	r.reportNamespaces()
	r.candidatesValid = !failed(kinds) && !failed(r.results[before:])
	r.warnNameless(in.Items)
	r.refuseLabels(in.Items)
	r.refuseTypos(in.Items)
	r.add(workload.Misspelt(in.Items, control.GroupKind(control.KindBindingPolicy), control.GroupKind(control.KindCustomTransform)))
	r.policies = r.readPolicies(in.Items)
	r.warnUnknownKinds(in.Items)
	return r
}

// readResources reads names and scopes of kinds, and returns what is wrong with them. Bindings that this function
// generated repeat what an earlier run knew; those of others may add something.
func (r *resolver) readResources(items []*krm.Object) sdk.Results {
	others := slices.DeleteFunc(slices.Clone(items), func(o *krm.Object) bool { return o.Annotation(fn.GeneratedBy) == Name })
	resources, errs, results := workload.NewBoundResources(others, r.opts.Resources)
	r.resources = resources
	return slices.Concat(results, r.resourceErrors(errs), workload.WarnOfDefinitions(others))
}
