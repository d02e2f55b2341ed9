package krm

import (
	"reflect"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// UnknownFields lists every field of n that out's type has no place for, each at its own path
// below at, in document order. It is the strict half of DecodeNode, for kinds whose values are
// decoded by YAML's rules and not by JSON's.
func UnknownFields(n *yaml.Node, at *field.Path, out any) field.ErrorList {
	return fitter{names: true}.fit(n, at, reflect.TypeOf(out))
}
