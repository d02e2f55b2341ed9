package krm

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// fitter lists the faults that keep a node from being decoded into a type, each at its own path, in
// document order. encoding/json stops at the first and leaves list indices out of its paths.
type fitter struct {
	names  bool // a field that the type does not have is a fault
	values bool // a value of another type is a fault
}

var (
	selfDecoding = reflect.TypeFor[json.Unmarshaler]()
	textDecoding = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// fit compares n with t. A type that decodes itself is called; an untyped one accepts everything.
func (f fitter) fit(n *yaml.Node, at *field.Path, t reflect.Type) field.ErrorList {
	n = Deref(n)
	for t.Kind() == reflect.Pointer && !t.Implements(selfDecoding) && !t.Implements(textDecoding) {
		t = t.Elem()
	}
	p := reflect.PointerTo(t)
	switch {
	case IsNull(n):
		return nil // as in JSON: the value stays as it is
	case p.Implements(selfDecoding) || p.Implements(textDecoding) || t.Kind() == reflect.Pointer:
		return f.try(n, at, t)
	case n.Kind == yaml.SequenceNode && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array):
		return f.list(n, at, t.Elem())
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		return f.entries(n, at, t.Elem())
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Struct:
		return f.fields(n, at, JSONFields(t))
	}
	return f.try(n, at, t)
}

func (f fitter) list(n *yaml.Node, at *field.Path, t reflect.Type) (errs field.ErrorList) {
	for i, e := range n.Content {
		errs = append(errs, f.fit(e, at.Index(i), t)...)
	}
	return errs
}

func (f fitter) entries(n *yaml.Node, at *field.Path, t reflect.Type) (errs field.ErrorList) {
	for key, value := range Fields(n) {
		errs = append(errs, f.fit(value, rooted(at).Key(key.Value), t)...)
	}
	return errs
}

func (f fitter) fields(n *yaml.Node, at *field.Path, known map[string]reflect.Type) (errs field.ErrorList) {
	for key, value := range Fields(n) {
		if t, ok := known[key.Value]; ok {
			errs = append(errs, f.fit(value, at.Child(key.Value), t)...)
		} else if f.names {
			errs = append(errs, field.Forbidden(at.Child(key.Value), "unknown field"))
		}
	}
	return errs
}

// try decodes n alone. The value stays out of the message: it may be a secret.
func (f fitter) try(n *yaml.Node, at *field.Path, t reflect.Type) field.ErrorList {
	if !f.values {
		return nil
	}
	data, err := CanonicalJSON(n)
	if err == nil {
		err = json.Unmarshal(data, reflect.New(t).Interface())
	}
	if err == nil {
		return nil
	}
	reason := strings.ReplaceAll(err.Error(), "\n", " ")
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		reason = "want " + wanted(t) + ", got " + given(n)
	}
	return field.ErrorList{field.TypeInvalid(rooted(at), field.OmitValueType{}, reason)}
}

// rooted names the root of an object in messages.
func rooted(at *field.Path) *field.Path {
	if at == nil {
		return field.NewPath("object")
	}
	return at
}

// wanted names a Go type in terms of YAML.
func wanted(t reflect.Type) string {
	switch k := t.Kind(); {
	case k == reflect.String:
		return "text"
	case k == reflect.Bool:
		return "true or false"
	case k >= reflect.Int && k <= reflect.Int64:
		return "a whole number"
	case k >= reflect.Uint && k <= reflect.Uintptr:
		return "a whole number from 0"
	case k == reflect.Float32 || k == reflect.Float64:
		return "a number"
	case k == reflect.Slice || k == reflect.Array:
		return "a list"
	}
	return "a map"
}

// given names the type of a node.
func given(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "a map"
	}
	switch n.ShortTag() {
	case yaml.NodeTagBool:
		return "true or false"
	case yaml.NodeTagInt, yaml.NodeTagFloat:
		return "a number"
	}
	return "text"
}

// knownFields caches JSONFields by type: a fleet's inventory is thousands of structs of one type.
var knownFields sync.Map

// JSONFields maps the JSON names of a struct, embedded structs included, to the types behind them. Callers must not
// change it.
func JSONFields(t reflect.Type) map[string]reflect.Type {
	if known, ok := knownFields.Load(t); ok {
		return known.(map[string]reflect.Type)
	}
	out := map[string]reflect.Type{}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		embedded := f.Type
		if embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
		case f.Anonymous && name == "" && embedded.Kind() == reflect.Struct:
			for k, v := range JSONFields(embedded) {
				if _, hidden := out[k]; !hidden {
					out[k] = v
				}
			}
		default: // a field of the struct itself hides an embedded one
			out[cmp.Or(name, f.Name)] = f.Type
		}
	}
	knownFields.Store(t, out)
	return out
}
