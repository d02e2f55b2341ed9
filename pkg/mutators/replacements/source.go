package replacements

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// value is that of the source of p: a text, or a field of the one object it selects.
func (r *run) value(p replacement, at *field.Path) (*yaml.Node, error) {
	if p.SourceValue != nil {
		return edit.NewScalar(*p.SourceValue), nil
	}
	at = at.Child("source")
	i, err := r.only(p.Source.ID, at)
	if err != nil {
		return nil, err
	}
	nodes, err := r.find(p.source, i, nothing)
	if err == nil && len(nodes) != 1 {
		err = errSeveral
	}
	if err == nil && !holdsData(nodes[0]) {
		err = errEmpty
	}
	if errors.Is(err, errWork) {
		return nil, err
	}
	if err != nil {
		return nil, field.Invalid(at.Child("fieldPath"), p.Source.FieldPath, err.Error()+" in "+r.copy(i).ID().String())
	}
	value, err := p.Source.Options.part(nodes[0])
	if err != nil {
		return nil, field.Invalid(at.Child("options"), field.OmitValueType{}, err.Error())
	}
	return krm.CopyNode(value), r.spend(size(value) / 256) // a target may set the same field
}

// only is the one item that id selects.
func (r *run) only(id ID, at *field.Path) (int, error) {
	items, err := r.exactly(id)
	switch {
	case err != nil:
		return 0, err
	case len(items) == 0:
		return 0, field.NotFound(at, id.String())
	case len(items) == 1:
		return items[0], nil
	}
	var names []string
	for _, i := range items {
		names = append(names, r.attributes[i].object.ID().String())
	}
	slices.Sort(names)
	return 0, field.Invalid(at, id.String(), fmt.Sprintf("selects %d objects, among them %s and %s", len(names), names[0], names[1]))
}
