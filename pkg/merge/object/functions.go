package object

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/schema"
)

// functionType is the type of a function in a pipeline: its selectors merge by name if all have one.
var functionType = schema.Map(map[string]*schema.Type{
	"selectors": schema.List(nil, "name"),
	"exclude":   schema.List(nil, "name"),
})

// KptfileType is the type of these Kptfiles: how a list of functions merges depends on the functions.
func (m *Merger) KptfileType(o, u, l *yaml.Node) *schema.Type {
	lists := map[string]*schema.Type{}
	for _, list := range kptfile.Lists {
		name := string(list)
		by := keysOfFunctions(Functions(o, name), Functions(u, name), Functions(l, name))
		if by == nil {
			continue
		}
		lists[name] = schema.List(functionType, by.Keys...)
		if m.keyings == nil {
			m.keyings = map[*schema.Type]*Keying{}
		}
		m.keyings[lists[name]] = by
	}
	return schema.Map(map[string]*schema.Type{"pipeline": schema.Map(lists)})
}

// Functions is a list of functions, nil for none.
func Functions(n *yaml.Node, list string) *yaml.Node {
	return ifList(krm.Lookup(n, "pipeline", list))
}

// keysOfFunctions says how functions are identified: by name if all have one; if none has, by what they run,
// unless a list runs the same twice; else not at all.
func keysOfFunctions(lists ...*yaml.Node) *Keying {
	named, all := 0, 0
	for _, list := range lists {
		if list == nil {
			continue
		}
		for _, fn := range list.Content {
			if all++; ScalarAt(fn, "name") != "" {
				named++
			}
		}
	}
	by := &Keying{Keys: []string{"image"}, atomic: true, Ordered: true, Values: func(fn *yaml.Node) []string { return nonempty(runs(fn)) }}
	switch named {
	case 0:
	case all:
		by = &Keying{Keys: []string{"name"}, atomic: true, Ordered: true,
			Values: func(fn *yaml.Node) []string { return nonempty(ScalarAt(fn, "name")) }}
	default:
		return nil
	}
	if slices.ContainsFunc(lists, func(l *yaml.Node) bool { return l != nil && !by.identifiesAll(l) }) {
		return nil
	}
	return by
}

func nonempty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// ScalarAt returns the scalar of a field; empty where it has none.
func ScalarAt(n *yaml.Node, field string) string {
	if v := krm.Lookup(n, field); v != nil && v.Kind == yaml.ScalarNode && !krm.IsNull(v) {
		return v.Value
	}
	return ""
}

// runs is what a function runs: its image without tag and digest, or its executable.
func runs(fn *yaml.Node) string {
	image := ScalarAt(fn, "image")
	if image == "" {
		return ScalarAt(fn, "exec")
	}
	image, _, _ = strings.Cut(image, "@")
	if colon := strings.LastIndex(image, ":"); colon > strings.LastIndex(image, "/") {
		image = image[:colon]
	}
	return image
}
