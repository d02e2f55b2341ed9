package control

import (
	"encoding/json"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// removed maps fields of old manifests, by their struct's type and name, to what became of them.
var removed = map[reflect.Type]map[string]string{
	reflect.TypeFor[BindingPolicySpec](): {
		"wantSingletonReportedState": "removed in KubeStellar 0.26: put it into the downsync clauses",
		"numberOfClusters":           "never implemented: remove it",
	},
	reflect.TypeFor[DownsyncClause](): {
		"statusCollection": "removed: name StatusCollectors in statusCollectors",
	},
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// checkShape holds a document against a Go type and lists every difference in document order:
// fields that are unknown or were removed, values of the wrong type, null elements of lists and
// maps. A null field is an absent field. What passes decodes without an error.
//
// krm.Decode alone will not do: encoding/json turns a null selector into the empty one, which
// selects everything, and names only the first wrong type, without its list index.
func checkShape(n *yaml.Node, at *field.Path, t reflect.Type) field.ErrorList {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	n = krm.Deref(n)
	switch {
	case reflect.PointerTo(t).Implements(unmarshaler):
		return fieldErrors(krm.DecodeLoose(n, at, reflect.New(t).Interface()), at)
	case t.Kind() == reflect.Struct:
		return checkStruct(n, at, t)
	case t.Kind() == reflect.Slice:
		return checkList(n, at, t)
	case t.Kind() == reflect.Map:
		return checkMap(n, at, t)
	}
	return checkScalar(n, at, t)
}

func checkStruct(n *yaml.Node, at *field.Path, t reflect.Type) (errs field.ErrorList) {
	if n.Kind != yaml.MappingNode {
		return wrongType(n, at, "a map of fields")
	}
	known := fields(t)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, krm.Deref(n.Content[i+1])
		ft, ok := known[key]
		switch gone := removed[t][key]; {
		case gone != "":
			errs = append(errs, field.Forbidden(at.Child(key), gone))
		case !ok:
			errs = append(errs, field.Forbidden(at.Child(key), "unknown field"))
		case !krm.IsNull(value):
			errs = append(errs, checkShape(value, at.Child(key), ft)...)
		}
	}
	return errs
}

func checkList(n *yaml.Node, at *field.Path, t reflect.Type) (errs field.ErrorList) {
	if n.Kind != yaml.SequenceNode {
		return wrongType(n, at, "a list")
	}
	for i, e := range n.Content {
		if krm.IsNull(krm.Deref(e)) {
			errs = append(errs, field.Required(at.Index(i), "the element is null; write it out or remove it"))
			continue
		}
		errs = append(errs, checkShape(e, at.Index(i), t.Elem())...)
	}
	return errs
}

func checkMap(n *yaml.Node, at *field.Path, t reflect.Type) (errs field.ErrorList) {
	if n.Kind != yaml.MappingNode {
		return wrongType(n, at, "a map")
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		at := at.Key(n.Content[i].Value)
		if krm.IsNull(krm.Deref(n.Content[i+1])) {
			errs = append(errs, field.Required(at, "the value is null; write it out or remove the key"))
			continue
		}
		errs = append(errs, checkShape(n.Content[i+1], at, t.Elem())...)
	}
	return errs
}

// scalars says, for a kind of Go value, which YAML tag it takes and how a person calls it.
var scalars = map[reflect.Kind]struct{ tag, name string }{
	reflect.String: {yaml.NodeTagString, "text"},
	reflect.Bool:   {yaml.NodeTagBool, "true or false"},
	reflect.Int64:  {yaml.NodeTagInt, "a whole number"},
}

func checkScalar(n *yaml.Node, at *field.Path, t reflect.Type) field.ErrorList {
	want := scalars[t.Kind()]
	if n.Kind != yaml.ScalarNode || !takes(want.tag, n.ShortTag()) {
		return wrongType(n, at, want.name)
	}
	return nil
}

// takes also lets pass for text what YAML alone, and not JSON, has a type for.
func takes(want, got string) bool {
	return want == got || want == yaml.NodeTagString && (got == "!!timestamp" || got == "!!binary")
}

func wrongType(n *yaml.Node, at *field.Path, want string) field.ErrorList {
	var value any = field.OmitValueType{}
	if n.Kind == yaml.ScalarNode {
		value = n.Value
	}
	return field.ErrorList{field.TypeInvalid(at, value, "want "+want)}
}

// fields maps the JSON names of a struct, inlined structs included, to their types.
func fields(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			for k, v := range fields(f.Type) {
				out[k] = v
			}
			continue
		}
		out[name] = f.Type
	}
	return out
}
