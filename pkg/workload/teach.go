package workload

import (
	"fmt"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// ResourcesAnnotation is where a Binding says what users told about kinds that it refers to:
// entries as the option resources takes them, parted by ";". By it the functions that come after
// bind-resolve know a kind as that function did. It is the package's and never ships.
const ResourcesAnnotation = fn.ReservedPrefix + "resources"

// teller is who told the name and scope of a kind.
type teller struct {
	who string // the option, or a Binding
	Resource
	news bool // it is not what the table or a CustomResourceDefinition says
}

// Told is the entry of the option resources that says what r knows of the kind of o; "" unless
// that is known from the option or a Binding alone.
func (r *Resources) Told(o *krm.Object) string {
	k := typeKey{o.Group(), o.Kind()}
	t := r.told[k]
	if !t.news {
		return ""
	}
	name, scope := k.name, "Cluster"
	if k.group != "" {
		name += "." + k.group
	}
	if t.Namespaced {
		scope = "Namespaced"
	}
	return name + "=" + t.Plural + "," + scope
}

// learnOptions takes in the entries of the option resources.
func (r *Resources) learnOptions(config []string) (errs field.ErrorList) {
	for i, entry := range config {
		at := field.NewPath("resources").Index(i)
		k, res, err := parseEntry(entry)
		if err != nil {
			errs = append(errs, field.Invalid(at, entry, err.Error()))
			continue
		}
		if _, twice := r.told[k]; twice {
			errs = append(errs, field.Duplicate(at, entry))
		}
		r.tell(k, teller{who: "the option resources", Resource: res})
	}
	return errs
}

// learnBindings takes in what Bindings say. They, and the option, are of one rank: what disagrees
// with an earlier one is an error, and the earlier one counts.
func (r *Resources) learnBindings(items []*krm.Object) (results sdk.Results) {
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
			if old, twice := r.told[k]; !twice {
				r.tell(k, teller{who: o.Describe(), Resource: res})
			} else if old.Resource != res {
				results = append(results, fn.NewResult(sdk.Error, o, at, "%q: %s tells another plural or scope of this kind; one kind has one",
					entry, old.who))
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

func (r *Resources) tell(k typeKey, t teller) {
	t.news = r.kinds[k] != t.Resource || r.told[k].news
	r.told[k], r.kinds[k] = t, t.Resource
}

func parseEntry(entry string) (typeKey, Resource, error) {
	left, right, _ := strings.Cut(strings.TrimSpace(entry), "=")
	kind, group, _ := strings.Cut(strings.TrimSpace(left), ".")
	plural, scope, scoped := strings.Cut(strings.TrimSpace(right), ",")
	plural, scope = strings.TrimSpace(plural), strings.TrimSpace(scope)
	switch {
	case !isKind(kind):
		return typeKey{}, Resource{}, fmt.Errorf("want Kind.group=plural[,Cluster|Namespaced]; %q is no kind", kind)
	case group != "" && len(validation.IsDNS1123Subdomain(group)) > 0:
		return typeKey{}, Resource{}, fmt.Errorf("want Kind.group=plural[,Cluster|Namespaced]; %q is no API group", group)
	case !isPlural(plural):
		return typeKey{}, Resource{}, fmt.Errorf("want Kind.group=plural[,Cluster|Namespaced]; %q is no lower-case plural", plural)
	case scoped && scope != "Cluster" && scope != "Namespaced":
		return typeKey{}, Resource{}, fmt.Errorf("want Cluster or Namespaced after the comma, not %q", scope)
	}
	return typeKey{group, kind}, Resource{Plural: plural, Namespaced: scope != "Cluster", Known: true, ListWatch: true}, nil
}

func isKind(s string) bool { return isPlural(strings.ToLower(s)) }

func isPlural(s string) bool { return len(validation.IsDNS1123Label(s)) == 0 }
