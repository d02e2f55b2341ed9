package binding

import (
	"context"
	_ "embed" // for the documentation
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

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

// Options of bind-resolve.
type Options struct {
	// AllowEmptyInventory accepts that there are no clusters. Default false.
	AllowEmptyInventory bool `json:"allowEmptyInventory"`
	// MaxClusters is the most clusters one policy may select, at least 1. Absent: no limit.
	MaxClusters *int `json:"maxClusters"`
	// MaxObjects is the most objects one policy may select, at least 1. Absent: no limit.
	MaxObjects *int `json:"maxObjects"`
	// Resources teach plurals and scopes of kinds: Kind.group=plural[,Cluster|Namespaced].
	Resources []string `json:"resources"`
}

// Run gives every BindingPolicy among the items its Binding.
func Run(_ context.Context, in *fn.Input) (*fn.Output, error) {
	var opts Options
	if err := fn.DecodeConfig(in.Config, "BindResolve", &opts); err != nil {
		return nil, err
	}
	r := newResolver(in, opts)
	if failed(r.results) {
		return &fn.Output{Items: in.Items, Results: r.results}, nil
	}
	var desired []*krm.Object
	for _, p := range r.policies {
		r.resolve(p)
		desired = append(desired, r.binding(p))
	}
	r.reportUnshippable()
	r.reportOverlaps()
	r.reportSingletons()
	out := fn.Regenerate(in, Name, desired)
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
	universe   *universe
	policies   []*policy    // sorted by name
	clusters   []*yaml.Node // of Bindings' destinations, once somebody asked
	results    sdk.Results
}

// newResolver reads everything a run needs and reports all that is wrong with it.
func newResolver(in *fn.Input, opts Options) *resolver {
	r := &resolver{opts: opts, config: in.Config}
	r.checkLimit("maxClusters", opts.MaxClusters)
	r.checkLimit("maxObjects", opts.MaxObjects)
	var errs field.ErrorList
	r.resources, errs = workload.NewResources(in.Items, opts.Resources)
	r.faultResources(errs)
	var results sdk.Results
	// Whether a bad path may pass is for the function that removes it to say, not for this one.
	r.transforms, results = transform.ParseSetLenient(in.Items)
	r.results = append(r.results, results...)
	r.inventory, results = workload.ReadInventory(in.Items, opts.AllowEmptyInventory)
	r.results = append(r.results, results...)
	r.universe = r.newUniverse(in.Items)
	r.policies = r.readPolicies(in.Items)
	r.warnUnknownKinds()
	return r
}

func (r *resolver) checkLimit(option string, limit *int) {
	if limit != nil && *limit < 1 {
		r.fault(r.config, field.ErrorList{field.Invalid(r.optionPath(option), *limit, "want at least 1; leave it out for no limit")})
	}
}

// optionPath is where an option stands in the config.
func (r *resolver) optionPath(option string) *field.Path {
	if r.config.Kind() == "ConfigMap" {
		return field.NewPath("data", option)
	}
	return field.NewPath("spec", option)
}

// faultResources reports what is wrong with the names of kinds, entries of the option at their
// place in the config.
func (r *resolver) faultResources(errs field.ErrorList) {
	for _, e := range errs {
		if entry, ok := strings.CutPrefix(e.Field, "resources"); ok {
			e.Field = r.optionPath("resources").String() + entry
			r.fault(r.config, field.ErrorList{e})
		} else {
			r.fault(nil, field.ErrorList{e})
		}
	}
}

// report adds a result.
func (r *resolver) report(sev sdk.Severity, o *krm.Object, at *field.Path, format string, args ...any) {
	r.results = append(r.results, fn.NewResult(sev, o, at, format, args...))
}

// fault reports every error of errs about o, at its own field.
func (r *resolver) fault(o *krm.Object, errs field.ErrorList) {
	for _, e := range errs {
		res := fn.NewResult(sdk.Error, o, nil, "%v", e)
		res.Field = &sdk.Field{Path: e.Field}
		r.results = append(r.results, res)
	}
}

func failed(results sdk.Results) bool { return (&fn.Output{Results: results}).Failed() }
