// Package schema is the function kubeconform: a validator of objects by the schemas of their kinds.
//
// Shape: options and items in; the same items and a result for every fault out. Schemas are those of
// Kubernetes' own kinds (pkg/mutators/schema/kubernetes), and those of the CustomResourceDefinitions among the
// items; nothing is fetched.
// The library is k8s.io/kube-openapi's validator, which API servers use for custom resources: it is
// maintained with Kubernetes, and reads its schemas as they are. kubeconform's own needs schemas from
// files or the network.
// Cost: Kubernetes' schemas are read once per process; then one walk per object.
// Errors: unsupported options; per object, every fault, and a kind without schema. No message
// holds a value out of a Secret.
// Source: the README of kubeconform in krm-functions-catalog; the OpenAPI schemas of Kubernetes.
package schema

import (
	"context"
	_ "embed" // for the README
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/schema/kubernetes"
)

//go:embed kubeconform.md
var readme string

const functionName, configKind = "kubeconform", "Kubeconform"

// Function is kubeconform.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// Run validates every object that is meant for a cluster.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	opts, err := readOptions(in.Config)
	if err != nil {
		return nil, err
	}
	r := &run{Options: opts, ctx: ctx, out: fn.NewOutput(in), known: map[kubernetes.Kind]*schemaOf{}, work: mostWork}
	for _, o := range in.Items {
		if o.Is("apiextensions.k8s.io", "CustomResourceDefinition") {
			r.learn(o)
		}
	}
	for _, o := range in.Items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !o.IsLocalConfig() && o.Group() != "kpt.dev" && !slices.Contains(r.SkipKinds, o.Kind()) {
			r.validate(o)
		}
	}
	if err := ctx.Err(); err != nil { // then the last result is not one
		return nil, err
	}
	return r.out, nil
}

// run is one run over all items.
type run struct {
	Options
	ctx   context.Context
	out   *fn.Output
	known map[kubernetes.Kind]*schemaOf // from the package
	work  int                           // how many comparisons with custom schemas are left
}

func (r *run) validate(o *krm.Object) {
	s := r.schema(o)
	switch {
	case s == nil && r.IgnoreMissingSchemas:
	case s == nil:
		r.out.Report(sdk.Error, o, field.NewPath("kind"), "%s", r.missing(o))
	default:
		for _, f := range r.faults(o, s) {
			r.out.Report(sdk.Error, o, f.at, "%s", f.message)
		}
	}
}
