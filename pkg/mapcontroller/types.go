package mapcontroller

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Types holds the names and scopes of types.
type Types = workload.Types

// resource is a type of objects that a rule names.
type resource struct {
	schema.GroupKind
	APIVersion string
	Plural     string
	Namespaced bool
	known      bool   // whether Namespaced is known
	field      string // its name in a status
}

// key is the name of a type in requests.
func (r *resource) key() string { return r.Kind + "." + r.APIVersion }

// resolve finds the type that a rule names.
func resolve(types Types, rule waybill.MapType, at *field.Path) (resource, field.ErrorList) {
	gv, err := schema.ParseGroupVersion(rule.APIVersion)
	switch {
	case rule.APIVersion == "":
		return resource{}, field.ErrorList{field.Required(at.Child("apiVersion"), "name group and version")}
	case err != nil || gv.Version == "":
		return resource{}, field.ErrorList{field.Invalid(at.Child("apiVersion"), rule.APIVersion,
			"want group/version, or a version of the core group")}
	case rule.Resource == "" && rule.Kind == "":
		return resource{}, field.ErrorList{field.Required(at.Child("resource"), "name the resource or the kind")}
	}
	kind, fault := rule.Kind, (*field.Error)(nil)
	if kind == "" {
		kind, fault = kindOf(types, gv.Group, rule.Resource, at.Child("resource"))
	}
	if fault != nil {
		return resource{}, field.ErrorList{fault}
	}
	res := types.Lookup(gv.Group, kind)
	if res.Known && rule.Resource != "" && res.Plural != rule.Resource {
		return resource{}, field.ErrorList{field.Invalid(at.Child("resource"), rule.Resource,
			fmt.Sprintf("the kind %s is called %s", kind, res.Plural))}
	}
	if rule.Resource != "" {
		res.Plural = rule.Resource
	}
	return resource{
		GroupKind: schema.GroupKind{Group: gv.Group, Kind: kind}, APIVersion: rule.APIVersion,
		Plural: res.Plural, Namespaced: res.Namespaced, known: res.Known,
	}, nil
}

func kindOf(types Types, group, plural string, at *field.Path) (string, *field.Error) {
	switch kinds := types.Kinds(group, plural); len(kinds) {
	case 0:
		return "", field.Invalid(at, plural, "its kind is not known; name the kind, too, or add its CustomResourceDefinition")
	case 1:
		return kinds[0], nil
	default:
		return "", field.Invalid(at, plural, "this may be any of the kinds "+strings.Join(kinds, ", ")+"; name the kind, too")
	}
}
