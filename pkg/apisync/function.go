package apisync

import (
	"context"
	_ "embed"
	"fmt"
	"path"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync/publish"
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
	unfiled.Source = krm.Source{} // the caller reports the position
	config, err := waybill.ReadPublishedResource(unfiled)
	if err != nil {
		return nil, err
	}
	if refused := workload.RefuseTypos(in.Items); len(refused) > 0 {
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

// kcpGroup is the API group of exports and their schemas.
const kcpGroup = "apis.kcp.io"

// withExport adds to items a schema of the published type, and its name to the export. Schemas are never changed or
// removed: consumers may be bound to them.
func withExport(items []*krm.Object, config *waybill.PublishedResource, definitions []*krm.Object) ([]*krm.Object, error) {
	name, at := config.Spec.Export, field.NewPath("spec", "export")
	if name == "" {
		return items, nil
	}
	crd := definitionOf(config.Spec.Resource, definitions)
	if crd == nil {
		return nil, field.Invalid(at, name, "the type has no CustomResourceDefinition, which a schema is made of")
	}
	i := slices.IndexFunc(items, func(o *krm.Object) bool { return o.Is(kcpGroup, publish.KindExport) && o.Name() == name })
	if i < 0 {
		return nil, field.NotFound(at, name)
	}
	projected, err := publish.Project(crd, config)
	if err != nil {
		return nil, err
	}
	schema, err := publish.Schema(projected, config)
	if err != nil {
		return nil, err
	}
	export, err := publish.Export(items[i], publish.Offer{Resource: config, Schema: schema})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", items[i].Describe(), err)
	}
	items = slices.Clone(items)
	items[i] = export
	if slices.ContainsFunc(items, func(o *krm.Object) bool { return o.Is(kcpGroup, publish.KindSchema) && o.Name() == schema.Name() }) {
		return items, nil
	}
	schema.SetAnnotation(fn.GeneratedBy, Name)
	file := path.Join(path.Dir(export.File()), "apiresourceschema_"+schema.Name()+".yaml")
	schema.SetPath(file, nextIndex(items, file))
	return append(items, schema), nil
}

// definitionOf is the CustomResourceDefinition of a type; nil when there is none.
func definitionOf(of waybill.PublishedType, definitions []*krm.Object) *krm.Object {
	for _, crd := range definitions {
		if crd.String("spec", "group") == of.APIGroup && crd.String("spec", "names", "kind") == of.Kind {
			return crd
		}
	}
	return nil
}
