package risk

import (
	"reflect"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
)

// Diff is one object before and after a change.
type Diff struct {
	ID krm.ID
	// Itself says that the object is a ManifestWork, without the objects that it delivers.
	Itself        bool
	Before, After *krm.Object // nil where there is none
	Fields        []diff.Change
}

// facts are the input of rules: one object before and after, as plain data. The data of a missing object is nil.
type facts struct {
	id            krm.ID
	itself        bool
	gone, fresh   bool
	before, after map[string]any
	fields        []diff.Change
}

func newFacts(d *Diff) (*facts, error) {
	f := &facts{id: d.ID, itself: d.Itself, gone: d.After == nil, fresh: d.Before == nil, fields: d.Fields}
	var err error
	if f.before, err = dataOf(d.Before); err != nil {
		return nil, err
	}
	f.after, err = dataOf(d.After)
	return f, err
}

func dataOf(o *krm.Object) (map[string]any, error) {
	if o == nil {
		return nil, nil
	}
	v, err := krm.Value(o.Node())
	m, _ := v.(map[string]any)
	return m, err
}

func (f *facts) kind() string { return f.id.Group + "/" + f.id.Kind }

// changed reports whether the object is there before and after.
func (f *facts) changed() bool { return !f.gone && !f.fresh }

// differs reports whether the values at a path differ.
func (f *facts) differs(path ...string) bool {
	return !reflect.DeepEqual(at(f.before, path...), at(f.after, path...))
}

func at(v any, path ...string) any {
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

func textAt(v any, path ...string) string {
	s, _ := at(v, path...).(string)
	return s
}

func listAt(v any, path ...string) []any {
	l, _ := at(v, path...).([]any)
	return l
}

// each calls do for every map in v, with the path to it: fields by name, items by the name in them or their place.
func each(v any, path string, do func(path string, m map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		do(path, v)
		for name, child := range v { // do must not mind the order
			each(child, path+"."+name, do)
		}
	case []any:
		for _, child := range v {
			each(child, path+"["+textAt(child, "name")+"]", do)
		}
	}
}

// registries are the registries of an object's images, by container. Containers without names share one entry.
func registries(v any) map[string][]string {
	out := map[string][]string{}
	each(v, "", func(path string, m map[string]any) {
		if image, ok := m["image"].(string); ok && image != "" {
			out[path] = append(out[path], registryOf(image))
		}
	})
	return out
}

// registryOf is the registry in an image's name, by the rule of container engines: the part before the first slash, if it
// looks like a host.
func registryOf(image string) string {
	host, _, found := strings.Cut(image, "/")
	if found && (strings.ContainsAny(host, ".:") || host == "localhost") {
		return strings.ToLower(host)
	}
	return "docker.io"
}
