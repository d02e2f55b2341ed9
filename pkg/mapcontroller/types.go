package mapcontroller

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Types holds the names and scopes of types.
type Types = workload.Types

// Type is a type of objects that a MapController names.
type Type struct {
	schema.GroupVersionKind
	Plural string
}

// resource is a type of objects that a rule names.
type resource struct {
	schema.GroupKind
	APIVersion string
	Plural     string
	Namespaced bool
	known      bool            // whether Namespaced is known
	field      string          // its name in a status
	selector   labels.Selector // of parents and inputs
	update     applyset.Update // of outputs
}

// key is the name of a type in requests.
func (r *resource) key() string { return r.Kind + "." + r.APIVersion }

func (r *resource) exported() Type {
	return Type{schema.FromAPIVersionAndKind(r.APIVersion, r.Kind), r.Plural}
}

func exported(all []resource) (types []Type) {
	for i := range all {
		types = append(types, all[i].exported())
	}
	return types
}

func kindsOf(types []resource) (kinds []schema.GroupKind) {
	for i := range types {
		kinds = append(kinds, types[i].GroupKind)
	}
	return kinds
}

// find returns the type of a group and kind; nil when it is not in the list.
func find(types []resource, group, kind string) *resource {
	i := slices.IndexFunc(types, func(r resource) bool { return r.Group == group && r.Kind == kind })
	if i < 0 {
		return nil
	}
	return &types[i]
}

// compileTypes resolves the types in the spec, each of which may occur once in its list.
func (c *Controller) compileTypes(spec *field.Path) (errs field.ErrorList) {
	var faults field.ErrorList
	c.parent, errs = c.selected(c.spec.ParentResource.MapType, c.spec.ParentResource.LabelSelector, spec.Child("parentResource"))
	c.inputs, faults = compileList(len(c.spec.InputResources), spec.Child("inputResources"),
		func(i int, at *field.Path) (resource, field.ErrorList) {
			return c.selected(c.spec.InputResources[i].MapType, c.spec.InputResources[i].LabelSelector, at)
		})
	errs = append(errs, faults...)
	c.outputs, faults = compileList(len(c.spec.OutputResources), spec.Child("outputResources"),
		func(i int, at *field.Path) (resource, field.ErrorList) {
			r, errs := resolve(c.types, c.spec.OutputResources[i].MapType, at)
			update, err := updateMethod(c.spec.OutputResources[i].UpdateStrategy, at.Child("updateStrategy", "method"))
			r.update = update
			return r, append(errs, err...)
		})
	return append(errs, faults...)
}

// selected resolves a type with a selector.
func (c *Controller) selected(rule waybill.MapType, s *metav1.LabelSelector, at *field.Path) (resource, field.ErrorList) {
	r, errs := resolve(c.types, rule, at)
	byLabel, faults := selector(s, at.Child("labelSelector"))
	r.selector = byLabel
	return r, append(errs, faults...)
}

// compileList compiles a list of n types and names them for a status: by the plural, with the group where two types have the
// same plural.
func compileList(
	n int, at *field.Path, compile func(i int, at *field.Path) (resource, field.ErrorList),
) (all []resource, errs field.ErrorList) {
	switch {
	case n == 0:
		errs = field.ErrorList{field.Required(at, "name at least one type")}
	case n > maxTypes:
		errs = field.ErrorList{field.TooMany(at, n, maxTypes)}
	}
	count := map[string]int{}
	for i := range n {
		r, faults := compile(i, at.Index(i))
		errs = append(errs, faults...)
		if r.Kind != "" && find(all, r.Group, r.Kind) != nil {
			errs = append(errs, field.Duplicate(at.Index(i), r.GroupKind.String()))
		}
		all = append(all, r)
		count[r.Plural]++
	}
	for i := range all {
		r := &all[i]
		if r.field = r.Plural; count[r.Plural] > 1 && r.Group != "" {
			r.field += "." + r.Group
		}
	}
	return all, errs
}

// selector converts a label selector; missing and empty ones select everything.
func selector(s *metav1.LabelSelector, at *field.Path) (labels.Selector, field.ErrorList) {
	if s == nil {
		return labels.Everything(), nil
	}
	ready, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		return labels.Nothing(), field.ErrorList{field.Invalid(at, field.OmitValueType{}, err.Error())}
	}
	return ready, nil
}

func updateMethod(u *waybill.MapUpdate, at *field.Path) (applyset.Update, field.ErrorList) {
	if u == nil || u.Method == "" {
		return applyset.InPlace, nil
	}
	methods := map[string]applyset.Update{
		waybill.UpdateInPlace: applyset.InPlace, waybill.UpdateRecreate: applyset.Recreate, waybill.UpdateOnDelete: applyset.OnDelete,
	}
	m, is := methods[u.Method]
	if !is {
		return m, field.ErrorList{field.NotSupported(at, u.Method,
			[]string{waybill.UpdateInPlace, waybill.UpdateOnDelete, waybill.UpdateRecreate})}
	}
	return m, nil
}

// resolve finds the type that a rule names.
func resolve(types Types, rule waybill.MapType, at *field.Path) (resource, field.ErrorList) {
	gv, err := schema.ParseGroupVersion(rule.APIVersion)
	var fault *field.Error
	switch {
	case rule.APIVersion == "":
		fault = field.Required(at.Child("apiVersion"), "name group and version")
	case err != nil || gv.Version == "":
		fault = field.Invalid(at.Child("apiVersion"), rule.APIVersion, "want group/version, or a version of the core group")
	case rule.Resource == "" && rule.Kind == "":
		fault = field.Required(at.Child("resource"), "name the resource or the kind")
	case rule.Kind == "":
		rule.Kind, fault = kindOf(types, gv.Group, rule.Resource, at.Child("resource"))
	}
	if fault != nil {
		return resource{}, field.ErrorList{fault}
	}
	res := types.Lookup(gv.Group, rule.Kind)
	if res.Known && rule.Resource != "" && res.Plural != rule.Resource {
		return resource{}, field.ErrorList{field.Invalid(at.Child("resource"), rule.Resource,
			fmt.Sprintf("the kind %s is called %s", rule.Kind, res.Plural))}
	}
	return resource{
		GroupKind: schema.GroupKind{Group: gv.Group, Kind: rule.Kind}, APIVersion: rule.APIVersion,
		Plural: cmp.Or(rule.Resource, res.Plural), Namespaced: res.Namespaced, known: res.Known,
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
