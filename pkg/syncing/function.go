package syncing

import (
	"context"
	_ "embed" // for the documentation

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

//go:embed sync.md
var readme string

// Function is sync.
var Function = &fn.Function{Name: Name, Kind: waybill.KindPublishedResource, Doc: fn.MustDoc(readme, Name), Run: Run}

// Run keeps the two sides of a package in sync. The config is the PublishedResource.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	if in.Config == nil {
		return nil, field.Required(field.NewPath("functionConfig"), "it is the "+waybill.KindPublishedResource)
	}
	unfiled := in.Config.WithoutOrchestration().DeepCopy()
	unfiled.Source = krm.Source{} // who reports it says where it is
	config, err := waybill.ReadPublishedResource(unfiled)
	if err != nil {
		return nil, err
	}
	if refused := workload.RefuseSlips(in.Items); len(refused) > 0 {
		return &fn.Output{Items: in.Items, Results: refused}, nil
	}
	types, faults := workload.TypesOf(in.Items)
	rule, more := New(config, types, definitions(in.Items))
	if faults = append(faults, more...); len(faults) == 0 && rule.conversion != nil {
		faults = append(faults, asField(field.NewPath("spec", "projection", "versions"), rule.conversion))
	}
	if len(faults) > 0 {
		return nil, faults.ToAggregate()
	}
	out, err := rule.Converge(ctx, in.Items)
	if err != nil || out.Failed() {
		return out, err
	}
	out.Items, err = withExport(out.Items, config, definitions(in.Items))
	return out, err
}

// definitions are the CustomResourceDefinitions among items.
func definitions(items []*krm.Object) (crds []*krm.Object) {
	for _, o := range items {
		if o.Is("apiextensions.k8s.io", "CustomResourceDefinition") {
			crds = append(crds, o)
		}
	}
	return crds
}
