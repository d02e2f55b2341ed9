package publish

import (
	"cmp"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const (
	definitionAPIVersion = "apiextensions.k8s.io/v1"
	definitionKind       = "CustomResourceDefinition"

	scopeCluster    = "Cluster"
	scopeNamespaced = "Namespaced"
)

// maxVersions is the most versions that a definition may have, far more than users need.
const maxVersions = 100

// definition is a CustomResourceDefinition as plain data.
type definition struct {
	object   *krm.Object
	spec     map[string]any
	group    string
	names    map[string]any
	versions []version
}

// version is one of a definition.
type version struct {
	fields   map[string]any
	name     string
	original string // its name before any renaming
	served   bool
	storage  bool
}

// DefinitionOf is the CustomResourceDefinition of a type; nil when there is none.
func DefinitionOf(of waybill.PublishedType, definitions []*krm.Object) *krm.Object {
	for _, crd := range definitions {
		if crd.String("spec", "group") == of.APIGroup && crd.String("spec", "names", "kind") == of.Kind {
			return crd
		}
	}
	return nil
}

// readDefinition reads the parts of a definition that this package needs; API servers check the rest.
func readDefinition(o *krm.Object) (*definition, error) {
	if o.APIVersion() != definitionAPIVersion || o.Kind() != definitionKind {
		return nil, fmt.Errorf("%s: want a %s of %s, got %s", o.Describe(), definitionKind, definitionAPIVersion, o.APIVersion())
	}
	spec := o.Lookup("spec")
	if spec == nil {
		return nil, fmt.Errorf("%s: %w", o.Describe(), field.Required(field.NewPath("spec"), "say what the type is"))
	}
	value, err := krm.Value(spec)
	if err != nil {
		return nil, fmt.Errorf("%s: spec: %w", o.Describe(), err)
	}
	d := &definition{object: o}
	r := reader{}
	d.spec = r.object(value, field.NewPath("spec"))
	d.read(&r, field.NewPath("spec"))
	if len(r.errs) > 0 {
		return nil, fmt.Errorf("%s: %w", o.Describe(), r.errs.ToAggregate())
	}
	return d, nil
}

func (d *definition) read(r *reader, at *field.Path) {
	if d.spec == nil {
		return
	}
	if d.spec["group"] != "" { // the core group
		d.group = r.word(d.spec, at, "group", validation.IsDNS1123Subdomain)
	}
	d.names = r.object(d.spec["names"], at.Child("names"))
	if d.names != nil {
		r.word(d.names, at.Child("names"), "kind", func(s string) []string { return validation.IsDNS1035Label(strings.ToLower(s)) })
		r.word(d.names, at.Child("names"), "plural", validation.IsDNS1035Label)
	}
	if scope := r.word(d.spec, at, "scope", nil); scope != "" && scope != scopeCluster && scope != scopeNamespaced {
		r.errs = append(r.errs, field.NotSupported(at.Child("scope"), scope, []string{scopeCluster, scopeNamespaced}))
	}
	d.readVersions(r, at.Child("versions"))
}

func (d *definition) readVersions(r *reader, at *field.Path) {
	list, is := d.spec["versions"].([]any)
	switch {
	case !is || len(list) == 0:
		r.errs = append(r.errs, field.Required(at, "list at least one version"))
		return
	case len(list) > maxVersions:
		r.errs = append(r.errs, field.TooMany(at, len(list), maxVersions))
		return
	}
	seen, stored := map[string]bool{}, 0
	for i, entry := range list {
		v := r.version(entry, at.Index(i))
		if v.name != "" && seen[v.name] {
			r.errs = append(r.errs, field.Duplicate(at.Index(i).Child("name"), v.name))
		}
		seen[v.name] = true
		if v.storage {
			stored++
		}
		d.versions = append(d.versions, v)
	}
	if stored != 1 && len(r.errs) == 0 {
		r.errs = append(r.errs, field.Invalid(at, field.OmitValueType{},
			fmt.Sprintf("want exactly one version with storage: true, got %d", stored)))
	}
}

// reader collects errors of plain data. They contain no values but names.
type reader struct{ errs field.ErrorList }

func (r *reader) object(value any, at *field.Path) map[string]any {
	m, is := value.(map[string]any)
	switch {
	case value == nil:
		r.errs = append(r.errs, field.Required(at, "want a map"))
	case !is:
		r.errs = append(r.errs, field.TypeInvalid(at, field.OmitValueType{}, "want a map"))
	}
	return m
}

// word is the string of a required field.
func (r *reader) word(of map[string]any, at *field.Path, name string, valid func(string) []string) string {
	text, is := of[name].(string)
	switch {
	case of[name] == nil || is && text == "":
		r.errs = append(r.errs, field.Required(at.Child(name), "want text"))
	case !is:
		r.errs = append(r.errs, field.TypeInvalid(at.Child(name), field.OmitValueType{}, "want text"))
	case valid != nil:
		if why := valid(text); len(why) > 0 {
			r.errs = append(r.errs, field.Invalid(at.Child(name), text, why[0]))
		}
	}
	return text
}

func (r *reader) flag(of map[string]any, at *field.Path, name string) bool {
	is, ok := of[name].(bool)
	if !ok && of[name] != nil {
		r.errs = append(r.errs, field.TypeInvalid(at.Child(name), field.OmitValueType{}, "want true or false"))
	}
	return is
}

func (r *reader) version(entry any, at *field.Path) (v version) {
	if v.fields = r.object(entry, at); v.fields == nil {
		return v
	}
	v.name = r.word(v.fields, at, "name", validation.IsDNS1035Label)
	v.original = v.name
	v.served = r.flag(v.fields, at, "served")
	v.storage = r.flag(v.fields, at, "storage")
	return v
}

// resource is <plural>.<group>, where the core group is called core.
func (d *definition) resource() string {
	return DefinitionName(schema.GroupResource{Group: d.group, Resource: d.name("plural")})
}

// coreGroup stands for the core group in names.
const coreGroup = "core"

// DefinitionName is the name of the CustomResourceDefinition of a type, if it has one.
func DefinitionName(of schema.GroupResource) string {
	return of.Resource + "." + cmp.Or(of.Group, coreGroup)
}

// name is one of the definition's names, "" if it is absent.
func (d *definition) name(of string) string {
	text, _ := d.names[of].(string)
	return text
}

// stored is the version with storage: true.
func (d *definition) stored() version {
	for _, v := range d.versions {
		if v.storage {
			return v
		}
	}
	return version{}
}
