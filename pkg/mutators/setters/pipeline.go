package setters

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// addPipeline adds the values that the pipeline of the root Kptfile gives to apply-setters. Of several, the last counts.
func (l *listing) addPipeline(items []*krm.Object) {
	for _, k := range items {
		if k.Is("kpt.dev", "Kptfile") && k.File() == "Kptfile" {
			edit.Visit(k.Node(), "pipeline/mutators", func(f *yaml.Node) {
				if strings.Contains(krm.Text(f, "image"), functionName) {
					l.addValues(valuesOf(f, items))
				}
			})
		}
	}
}

// valuesOf are the values that a function of a pipeline gets: its configMap, or the data in the file of its configPath.
func valuesOf(function *yaml.Node, items []*krm.Object) *yaml.Node {
	path := krm.Text(function, "configPath")
	if path == "" {
		return krm.Lookup(function, "configMap")
	}
	if i := slices.IndexFunc(items, func(o *krm.Object) bool { return o.File() == path }); i >= 0 {
		return items[i].Lookup("data")
	}
	return nil
}

func (l *listing) addValues(values *yaml.Node) {
	for key, value := range krm.Fields(values) {
		value = krm.Deref(value)
		if list, err := readList(value.Value); err == nil && value.Value != "" {
			l.lists[key.Value] = &listed{value: textOf(itemsOf(list)), kind: arrayType}
		} else {
			l.scalars[key.Value] = &listed{value: value.Value, kind: textType}
		}
	}
}
