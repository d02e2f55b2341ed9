package control

import (
	"encoding/json"
	"reflect"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// removed maps fields of old manifests, by their struct's type and name, to advice for the user.
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

// checkShape compares a document with a Go type and lists every difference in document order: fields that are unknown
// or were removed, values of the wrong type, null elements of lists and maps. A null field is an absent field. A
// document without differences decodes without an error.
//
// krm.Decode alone is not enough: encoding/json turns a null selector into the empty one, which selects everything.
func checkShape(n *yaml.Node, at *field.Path, t reflect.Type) field.ErrorList {
	s := &shape{}
	s.fit(n, at, t)
	return s.errs
}

// repaired is n with a zero value in place of each fault, so that the rest can be decoded as t and validated. Elements of
// lists keep their indices.
func repaired(n *yaml.Node, t reflect.Type) *yaml.Node { return (&shape{repairs: true}).fit(n, nil, t) }

// shape collects the faults of one document.
type shape struct {
	errs    field.ErrorList
	repairs bool // fit returns what fits, not just faults
}

func (s *shape) fit(n *yaml.Node, at *field.Path, t reflect.Type) *yaml.Node {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	n = krm.Deref(n)
	switch {
	case reflect.PointerTo(t).Implements(unmarshaler):
		errs := krm.DecodeErrors(n, at, reflect.New(t).Interface())
		if s.errs = append(s.errs, errs...); len(errs) > 0 {
			return scalar(yaml.NodeTagNull, "null")
		}
		return n
	case t.Kind() == reflect.Struct:
		return s.fields(n, at, t)
	case t.Kind() == reflect.Slice:
		return s.list(n, at, t.Elem())
	case t.Kind() == reflect.Map:
		return s.entries(n, at, t.Elem())
	}
	want := scalars[t.Kind()]
	if n.Kind != yaml.ScalarNode || !accepts(want.zero.Tag, n.ShortTag()) {
		s.wrongType(n, at, want.name)
		return want.zero
	}
	return n
}

// keep adds nodes to out if out is needed.
func (s *shape) keep(out *yaml.Node, nodes ...*yaml.Node) {
	if s.repairs {
		out.Content = append(out.Content, nodes...)
	}
}

func (s *shape) fields(n *yaml.Node, at *field.Path, t reflect.Type) *yaml.Node {
	out := krm.MapNode()
	if !krm.IsMap(n) {
		s.wrongType(n, at, "a map of fields")
		return out
	}
	known := krm.JSONFields(t)
	for key, value := range krm.Fields(n) {
		at := at.Child(key.Value)
		ft, ok := known[key.Value]
		switch why := removed[t][key.Value]; {
		case why != "":
			s.errs = append(s.errs, field.Forbidden(at, why))
		case !ok:
			s.errs = append(s.errs, field.Forbidden(at, "unknown field"))
		case !krm.IsNull(krm.Deref(value)):
			s.keep(out, key, s.fit(value, at, ft))
		}
	}
	return out
}

func (s *shape) list(n *yaml.Node, at *field.Path, t reflect.Type) *yaml.Node {
	out := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
	if !krm.IsList(n) {
		s.wrongType(n, at, "a list")
		return out
	}
	for i, e := range n.Content {
		s.keep(out, s.element(e, at.Index(i), t, "the element is null; write it out or remove it"))
	}
	return out
}

func (s *shape) entries(n *yaml.Node, at *field.Path, t reflect.Type) *yaml.Node {
	out := krm.MapNode()
	if !krm.IsMap(n) {
		s.wrongType(n, at, "a map")
		return out
	}
	for key, value := range krm.Fields(n) {
		s.keep(out, key, s.element(value, at.Key(key.Value), t, "the value is null; write it out or remove the key"))
	}
	return out
}

// element is fit for an element of a list or map, which must not be null.
func (s *shape) element(n *yaml.Node, at *field.Path, t reflect.Type, null string) *yaml.Node {
	if krm.IsNull(krm.Deref(n)) {
		s.errs = append(s.errs, field.Required(at, null))
		return repaired(n, t)
	}
	return s.fit(n, at, t)
}

// scalars has, for a kind of Go value, its zero value in YAML and its name in messages.
var scalars = map[reflect.Kind]struct {
	zero *yaml.Node
	name string
}{
	reflect.String: {scalar(yaml.NodeTagString, ""), "text"},
	reflect.Bool:   {scalar(yaml.NodeTagBool, "false"), "true or false"},
	reflect.Int64:  {scalar(yaml.NodeTagInt, "0"), "a whole number"},
}

func scalar(tag, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}
}

// accepts allows as text also the types of YAML that JSON does not have.
func accepts(want, got string) bool {
	return want == got || want == yaml.NodeTagString && (got == "!!timestamp" || got == "!!binary")
}

func (s *shape) wrongType(n *yaml.Node, at *field.Path, want string) {
	var value any = field.OmitValueType{}
	if n.Kind == yaml.ScalarNode {
		value = n.Value
	}
	s.errs = append(s.errs, field.TypeInvalid(at, value, "want "+want))
}
