package workload

import (
	"fmt"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// ResourcesAnnotation of a Binding holds what users declare about its kinds:
// entries as in the option resources, with ";" between them. With it the functions after
// bind-resolve know a kind as that function does. The annotation never ships.
const ResourcesAnnotation = fn.ReservedPrefix + "resources"

// declaration is the name and scope of a kind, as the option or a Binding declares them.
type declaration struct {
	by string // the option, or a Binding
	Resource
	isNew bool // the table and the CustomResourceDefinitions do not have it
}

// Declared is the entry of the option resources with what r knows of the kind of o; "" unless
// only the option or a Binding declares it.
func (r *Resources) Declared(o *krm.Object) string {
	k := typeKey{o.Group(), o.Kind()}
	t := r.declared[k]
	if !t.isNew {
		return ""
	}
	return FormatEntry(k.group, k.name, t.Resource)
}

// FormatEntry is the entry of the option resources that declares a kind as r.
func FormatEntry(group, kind string, r Resource) string {
	scope := "Cluster"
	if r.Namespaced {
		scope = "Namespaced"
	}
	return schema.GroupKind{Group: group, Kind: kind}.String() + "=" + r.Plural + "," + scope
}

// readOptions reads the entries of the option resources.
func (r *Resources) readOptions(config []string) (errs field.ErrorList) {
	for i, entry := range config {
		at := field.NewPath("resources").Index(i)
		k, res, err := parseEntry(entry)
		if err != nil {
			errs = append(errs, field.Invalid(at, entry, err.Error()))
			continue
		}
		if _, twice := r.declared[k]; twice {
			errs = append(errs, field.Duplicate(at, entry))
		}
		r.declare(k, declaration{by: "the option resources", Resource: res})
	}
	return errs
}

// readBindings reads the annotations of Bindings. They and the option have the same rank: an entry that disagrees
// with an earlier one is an error, and the earlier one counts.
func (r *Resources) readBindings(items []*krm.Object) (results sdk.Results) {
	var bindings []*krm.Object
	for _, o := range items {
		if o.Is("control.kubestellar.io", "Binding") && o.HasAnnotation(ResourcesAnnotation) {
			bindings = append(bindings, o)
		}
	}
	slices.SortFunc(bindings, Compare)
	at := field.NewPath("metadata", "annotations").Key(ResourcesAnnotation)
	for _, o := range bindings {
		for _, entry := range entriesIn(o.Annotation(ResourcesAnnotation)) {
			k, res, err := parseEntry(entry)
			if err != nil {
				results = append(results, fn.NewResult(sdk.Error, o, at, "%q: %v", entry, err))
				continue
			}
			if old, twice := r.declared[k]; !twice {
				r.declare(k, declaration{by: o.Describe(), Resource: res})
			} else if old.Resource != res {
				results = append(results, fn.NewResult(sdk.Error, o, at, "%q: %s declares another plural or scope of this kind",
					entry, old.by))
			}
		}
	}
	return results
}

func entriesIn(text string) (entries []string) {
	for entry := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ';' || c == '\n' }) {
		if entry = strings.TrimSpace(entry); entry != "" {
			entries = append(entries, entry)
		}
	}
	return entries
}

func (r *Resources) declare(k typeKey, t declaration) {
	t.isNew = r.kinds[k] != t.Resource || r.declared[k].isNew
	r.declared[k], r.kinds[k] = t, t.Resource
}

func parseEntry(entry string) (typeKey, Resource, error) {
	left, right, _ := strings.Cut(strings.TrimSpace(entry), "=")
	kind, group, _ := strings.Cut(strings.TrimSpace(left), ".")
	plural, scope, scoped := strings.Cut(strings.TrimSpace(right), ",")
	plural, scope = strings.TrimSpace(plural), strings.TrimSpace(scope)
	switch {
	case !isKind(kind):
		return typeKey{}, Resource{}, fmt.Errorf("want Kind.group=plural[,Cluster|Namespaced]; %q is not a kind", kind)
	case group != "" && len(validation.IsDNS1123Subdomain(group)) > 0:
		return typeKey{}, Resource{}, fmt.Errorf("want Kind.group=plural[,Cluster|Namespaced]; %q is not an API group", group)
	case !isPlural(plural):
		return typeKey{}, Resource{}, fmt.Errorf("want Kind.group=plural[,Cluster|Namespaced]; %q is not a lower-case plural", plural)
	case scoped && scope != "Cluster" && scope != "Namespaced":
		return typeKey{}, Resource{}, fmt.Errorf("want Cluster or Namespaced after the comma, not %q", scope)
	}
	return typeKey{group, kind}, Resource{Plural: plural, Namespaced: scope != "Cluster", Known: true, ListWatch: true}, nil
}

func isKind(s string) bool { return isPlural(strings.ToLower(s)) }

func isPlural(s string) bool { return len(validation.IsDNS1123Label(s)) == 0 }
