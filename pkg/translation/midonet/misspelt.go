package midonet

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// needed are, by kind, the fields without which an object has fewer Translations, or none.
var needed = map[string][][]string{
	"Node": {
		{"metadata", "annotations", api.HostIDAnnotation}, {"metadata", "annotations", api.TunnelZoneIDAnnotation},
		{"metadata", "annotations", api.TunnelEndpointIPAnnotation}, {"metadata", "annotations", api.MACAnnotation},
		{"status", "addresses", "type"}, {"status", "addresses", "address"},
	},
	"Pod":       {{"spec", "nodeName"}, {"metadata", "annotations", api.MACAnnotation}, {"status", "podIP"}},
	"Service":   {{"spec", "clusterIP"}, {"spec", "ports"}},
	"Endpoints": {{"subsets", "addresses", "ip"}, {"subsets", "ports"}},
}

// alike are fields of Kubernetes with similar names.
var alike = []string{"hostIP"}

// addressTypes are the types of a Node's addresses that get routes.
var addressTypes = []string{"InternalIP", "ExternalIP"}

// Misspelt is the error for a needed field that is absent while a field has a similar name; nil if there is none.
func Misspelt(o *krm.Object) *field.Error {
	for _, path := range needed[o.Kind()] {
		if fault := rootOf(o).misspelt(path); fault != nil {
			return fault
		}
	}
	if o.Kind() == "Node" {
		return misspeltType(rootOf(o).child("status").child("addresses"))
	}
	return nil
}

// misspeltType is the error for an address type that is similar to one of addressTypes.
func misspeltType(addresses part) *field.Error {
	var r reader
	for _, p := range r.objects(addresses) {
		is := r.text(p.child("type"))
		for _, want := range addressTypes {
			if !slices.Contains(addressTypes, is) && isSlip(is, want) {
				return field.Invalid(p.child("type").at, shown(is),
					"want "+want+", without which there are fewer Translations: correct it, or remove the address")
			}
		}
	}
	return nil
}

// misspelt follows a path, into all elements of lists.
func (p part) misspelt(path []string) *field.Error {
	if len(path) == 0 || p.isAbsent() {
		return nil
	}
	for i, n := range elements(p.node) {
		if fault := (part{krm.Deref(n), p.at.Index(i)}).misspelt(path); fault != nil {
			return fault
		}
	}
	next := p.child(path[0])
	if !next.isAbsent() && (path[0] != "annotations" || !next.key(path[1]).isAbsent()) {
		return next.misspelt(path[1:])
	}
	if fault := next.misspelt(path[1:]); fault != nil { // other clients add annotations beside misspelt ones
		return fault
	}
	for _, name := range krm.FieldNames(p.node) {
		if isSlip(name, path[0]) && !p.isEmptyList(name) { // podIPs without podIP is a slip, too, unless it is empty
			return p.slip(name, path[0])
		}
	}
	return nil
}

func (p part) isEmptyList(name string) bool {
	n := p.child(name).node
	return n != nil && n.Kind == yaml.SequenceNode && len(n.Content) == 0
}

// slip is the error for a field with a name similar to the needed one.
func (p part) slip(name, want string) *field.Error {
	at := p.child(name).at
	if strings.Contains(name, "/") {
		at = p.key(name).at
	}
	return field.Invalid(at, field.OmitValueType{},
		"want "+want+", without which there are fewer Translations: correct the name, or remove the field")
}

func isSlip(name, want string) bool {
	return name != want && !slices.Contains(alike, name) && (strings.EqualFold(name, want) || selection.Misspelt(name, want))
}
