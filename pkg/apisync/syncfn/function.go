package syncfn

import (
	"context"
	_ "embed"
	"fmt"
	"path"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/apisync/publish"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

//go:embed sync.md
var readme string

// Function is sync.
var Function = &fn.Function{Name: apisync.Name, Kind: waybill.KindPublishedResource, Doc: fn.MustDoc(readme, apisync.Name), Run: Run}

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
	types, faults := typesOf(config, in.Items)
	rule, more := apisync.New(config, types, definitions(in.Items))
	if faults = append(faults, more...); len(faults) == 0 && config.Moves() && rule.Conversion() != nil {
		faults = append(faults, field.Invalid(field.NewPath("spec", "projection", "versions"), field.OmitValueType{}, rule.Conversion().Error()))
	}
	if len(faults) > 0 {
		return nil, faults.ToAggregate()
	}
	s := converger{rule: rule, folders: newFolders(config, in.Items), items: in.Items, reported: map[string]bool{}}
	out, err := s.converge(ctx)
	if err != nil || out.Failed() {
		return out, err
	}
	out.Items, err = withExport(out.Items, config, definitions(in.Items))
	return out, err
}

// definitions are the CustomResourceDefinitions among items.
func definitions(items []*krm.Object) []*krm.Object {
	return slices.DeleteFunc(slices.Clone(items), func(o *krm.Object) bool {
		return !o.Is("apiextensions.k8s.io", "CustomResourceDefinition")
	})
}

// withExport adds to items a schema of the published type, and its name to the export. Schemas are never changed or
// removed: consumers may be bound to them.
func withExport(items []*krm.Object, config *waybill.PublishedResource, definitions []*krm.Object) ([]*krm.Object, error) {
	name, at := config.Spec.Export, field.NewPath("spec", "export")
	if name == "" {
		return items, nil
	}
	crd := publish.DefinitionOf(config.Spec.Resource, definitions)
	if crd == nil {
		return nil, field.Invalid(at, name, "a schema is made of a CustomResourceDefinition, and there is none of "+
			apisync.TypeName(config.Spec.Resource)+": "+apisync.GiveDefinition)
	}
	i := indexOf(items, publish.KindExport, name)
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
	if indexOf(items, publish.KindSchema, schema.Name()) >= 0 {
		return items, nil
	}
	schema.SetAnnotation(fn.GeneratedBy, apisync.Name)
	file := path.Join(path.Dir(export.File()), "apiresourceschema_"+schema.Name()+".yaml")
	schema.SetPath(file, nextIndex(items, file))
	return append(items, schema), nil
}

// indexOf is the index of an object of kcp's API; -1 when there is none.
func indexOf(items []*krm.Object, kind, name string) int {
	return slices.IndexFunc(items, func(o *krm.Object) bool { return o.Is("apis.kcp.io", kind) && o.Name() == name })
}
