package midonet

import (
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// part is a place in an object: its node, nil when it is absent, and its path.
type part struct {
	node *yaml.Node
	at   *field.Path
}

func rootOf(o *krm.Object) part { return part{node: o.Node()} }

func (p part) child(name string) part { return part{krm.Lookup(p.node, name), p.at.Child(name)} }

func (p part) key(name string) part { return part{krm.Lookup(p.node, name), p.at.Key(name)} }

func (p part) isAbsent() bool {
	return p.node == nil || p.node.Kind == yaml.ScalarNode && p.node.ShortTag() == yaml.NodeTagNull
}

// reader reads values, and collects errors about their types. encoding/json would ignore the case of field names, and accept
// a null for any value.
type reader struct{ errs field.ErrorList }

func (r *reader) want(p part, what string) {
	r.errs = append(r.errs, field.TypeInvalid(p.at, field.OmitValueType{}, "want "+what))
}

// object is p if it is a map or absent.
func (r *reader) object(p part) part {
	if p.isAbsent() {
		return part{at: p.at}
	}
	if p.node.Kind != yaml.MappingNode {
		r.want(p, "a map of fields")
		return part{at: p.at}
	}
	return p
}

// objects are the elements of a list of maps.
func (r *reader) objects(p part) (out []part) {
	if p.isAbsent() {
		return nil
	}
	if p.node.Kind != yaml.SequenceNode {
		r.want(p, "a list")
		return nil
	}
	for i, n := range p.node.Content {
		element := part{krm.Deref(n), p.at.Index(i)}
		if element.node.Kind != yaml.MappingNode {
			r.want(element, "a map of fields")
			continue
		}
		out = append(out, element)
	}
	return out
}

// elements are the elements of a list; none for any other node.
func elements(n *yaml.Node) []*yaml.Node {
	if n = krm.Deref(n); n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

// text is a text; "" when absent.
func (r *reader) text(p part) string {
	if p.isAbsent() {
		return ""
	}
	if !isText(p.node) || !utf8.ValidString(p.node.Value) {
		r.want(p, "text")
		return ""
	}
	return p.node.Value
}

// isText accepts values for which YAML, unlike JSON, has types.
func isText(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode {
		return false
	}
	tag := n.ShortTag()
	return tag == yaml.NodeTagString || tag == "!!timestamp" || tag == "!!binary"
}

// flag is a boolean; false when absent.
func (r *reader) flag(p part) bool {
	if p.isAbsent() {
		return false
	}
	v, err := krm.Value(p.node)
	flag, ok := v.(bool)
	if err != nil || !ok {
		r.want(p, "true or false")
	}
	return flag
}

// number is a whole number; 0 when absent.
func (r *reader) number(p part) int64 {
	if p.isAbsent() {
		return 0
	}
	v, err := krm.Value(p.node)
	number, ok := v.(int64)
	if err != nil || !ok {
		r.want(p, "a whole number")
	}
	return number
}

// metadata is the metadata of an object.
func (r *reader) metadata(o *krm.Object) part { return r.object(rootOf(o).child("metadata")) }

// identity is the key of an object with this metadata. A namespaced object without a namespace gets the given one; for a
// cluster-scoped one it is "". A name that no API server accepts is a fault: a slash in it would make it the name of another
// object.
func (r *reader) identity(meta part, kind, namespace string) Key {
	name, known := meta.child("name"), len(r.errs)
	key := Key{Kind: kind, Namespace: namespace, Name: r.text(name)}
	switch faults := validation.NameIsDNSSubdomain(key.Name, false); {
	case len(r.errs) > known: // no text at all
	case key.Name == "":
		r.errs = append(r.errs, field.Required(name.at, "name the object"))
	case len(faults) > 0:
		r.errs = append(r.errs, field.Invalid(name.at, shown(key.Name), strings.Join(faults, "; ")))
	}
	given := r.text(meta.child("namespace"))
	if namespace == "" || given == "" {
		return key
	}
	key.Namespace = given
	if faults := validation.ValidateNamespaceName(given, false); len(faults) > 0 {
		r.errs = append(r.errs, field.Invalid(meta.at.Child("namespace"), shown(given), strings.Join(faults, "; ")))
	}
	return key
}

// shown is a value for a message, shortened.
func shown(s string) string { return safetext.Cut(s, 80, "…") }
