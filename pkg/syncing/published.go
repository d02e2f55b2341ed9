package syncing

import (
	"fmt"
	"path"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/syncing/publish"
)

// kcpGroup is the API group of what offers a type to others.
const kcpGroup = "apis.kcp.io"

// withExport is items with a schema of what is offered, and an export that names it. Schemas are never changed and never taken
// away: somebody may be bound to them.
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
