package translation

import (
	"cmp"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// contextAnnotation "true" marks an object that is in the package only for reading.
const contextAnnotation = fn.ReservedPrefix + "context"

// scopes are the kinds that are converted or referred to; true for those that are in a namespace.
var scopes = map[string]bool{"Node": false, "Pod": true, "Service": true, "Endpoints": true}

var inputKinds = []schema.GroupKind{{Kind: "Node"}, {Kind: "Pod"}, {Kind: "Service"}, {Kind: "Endpoints"}}

// translator is one run.
type translator struct {
	Options
	converter       *midonet.Converter
	controller      string
	items           []*krm.Object
	maxTranslations int // Translations

	known   map[krm.ID]*krm.Object // the objects that count
	inputs  []applyset.Input       // the converted ones, copies included
	owners  []*owner               // by key
	byKey   map[string]*owner
	results sdk.Results

	misspelt map[string]*krm.Object // objects that may be misspelt inputs, by the key that they would have
	unnamed  map[krm.ID]*krm.Object // inputs that name no namespace, by kind and name

	duplicates      map[krm.ID]bool          // Translations that occur more than once
	hasTranslations map[string]bool          // keys of owners that have Translations
	existing        map[string][]*krm.Object // the Translations of owners, by key; nil until existingOf
	desiredIDs      map[krm.ID]bool          // desired Translations
	obsolete        []*krm.Object            // Translations that are no longer desired, by name
	held            map[krm.ID]hold          // those of them that stay
	dependencies    *dependencies            // nil until findDependencies

	tenantNote *string // nil until otherTenant
}

// owner is an object that is converted.
type owner struct {
	key           string
	object        *krm.Object
	outcome       midonet.Outcome
	conflictError error // why it cannot have its Translations: another object's, or a Translation that stays, has a resource of them
	moveError     error // why it must not have them: a resource would move there
	blocked       bool  // its Translations stay, which is reported once for all
}

func (t *translator) report(sev sdk.Severity, o *krm.Object, at *field.Path, format string, args ...any) {
	t.results = append(t.results, fn.NewResult(sev, o, at, Name+": "+format, args...))
}

// counts reports whether o may be an input: it is meant for a cluster, with a name or not, or is a context object.
func counts(o *krm.Object) bool {
	_, ours := scopes[o.Kind()]
	if !ours || o.Group() != "" || fn.IsGenerated(o) {
		return false
	}
	return o.APIVersion() != "" && !o.IsLocalConfig() || o.Annotation(contextAnnotation) == "true"
}

// ref is the identity of o where it lives. A Translation without a namespace gets the default one.
func (t *translator) ref(o *krm.Object) applyset.Ref {
	id := o.ID()
	namespaced, ours := scopes[id.Kind]
	switch {
	case ours && id.Group == "" && !namespaced:
		id.Namespace = ""
	case ours && id.Group == "" || id.Kind == api.KindTranslation && id.Group == api.Group:
		id.Namespace = cmp.Or(id.Namespace, t.Namespace)
	}
	return applyset.Ref{ID: id}
}

// readInputs finds the objects to convert, and those that they may refer to.
func (t *translator) readInputs() {
	t.known, t.byKey, t.misspelt = map[krm.ID]*krm.Object{}, map[string]*owner{}, map[string]*krm.Object{}
	t.unnamed = map[krm.ID]*krm.Object{}
	for _, o := range t.items {
		if !counts(o) {
			t.warnOfList(o)
			t.noteMisspelt(o)
			continue
		}
		ref := t.ref(o)
		if first := t.known[ref.ID]; first == nil || applyset.CompareCopies(o, first) < 0 {
			t.known[ref.ID] = o
		}
		if scopes[o.Kind()] && o.Namespace() == "" {
			t.unnamed[krm.ID{Kind: o.Kind(), Name: o.Name()}] = o
		}
		if t.converter.Handles(o) && t.isNamed(o, ref) {
			t.add(o, ref)
		}
	}
	slices.SortFunc(t.owners, func(a, b *owner) int { return cmp.Compare(a.key, b.key) })
}

// noteMisspelt records an object that may be a misspelt input, by every key that it may have: Podd is near to Node, too.
func (t *translator) noteMisspelt(o *krm.Object) {
	is := schema.FromAPIVersionAndKind(o.APIVersion(), o.Kind())
	if fn.IsGenerated(o) || slices.Contains(inputKinds, is.GroupKind()) {
		return
	}
	for _, kind := range inputKinds {
		if workload.Nearly(is, kind) == nil {
			continue
		}
		id := krm.ID{Kind: kind.Kind, Name: o.Name()}
		if scopes[kind.Kind] {
			id.Namespace = cmp.Or(o.Namespace(), t.Namespace)
		}
		t.misspelt[applyset.Ref{ID: id}.String()] = o
	}
}

// add makes o an input, and its first copy the owner.
func (t *translator) add(o *krm.Object, ref applyset.Ref) {
	if o.Lookup("metadata", "namespace") == nil && ref.Namespace != "" {
		t.report(sdk.Info, o, field.NewPath("metadata", "namespace"), "it names no namespace; treated as in namespace %q", ref.Namespace)
	}
	key := ref.String()
	t.inputs = append(t.inputs, applyset.Input{Key: key, Object: o})
	if t.byKey[key] == nil {
		t.byKey[key] = &owner{key: key}
		t.owners = append(t.owners, t.byKey[key])
	}
	t.byKey[key].object = t.known[ref.ID]
}

// isNamed reports whether an object's name gives a key. A name that is generated later is a warning, one that no API server
// accepts an error.
func (t *translator) isNamed(o *krm.Object, ref applyset.Ref) bool {
	switch {
	case ref.Name == "" && workload.IsNameless(o):
		t.report(sdk.Warning, o, field.NewPath("metadata", "generateName"), "it has no name yet, and so no Translations")
		return false
	case ref.Name != "" && !strings.ContainsAny(ref.Name+ref.Namespace, "/|"):
		return true
	}
	for _, e := range t.converter.Convert(o, nil).Errors {
		t.results = append(t.results, fn.NewResult(sdk.Error, o, field.NewPath(e.Field), "%s: %s", Name, e.ErrorBody()))
	}
	return false
}

// warnOfList warns about objects in a List, as kubectl prints it: functions do not unpack lists.
func (t *translator) warnOfList(o *krm.Object) {
	if !workload.IsList(o) || o.APIVersion() != "v1" {
		return
	}
	n := 0
	for _, part := range o.Lookup("items").Content {
		kind := strings.TrimSuffix(o.Kind(), "List")
		if said := krm.Lookup(part, "kind"); kind == "" && said != nil {
			kind = said.Value
		}
		if _, ours := scopes[kind]; ours {
			n++
		}
	}
	if n > 0 {
		t.report(sdk.Warning, o, field.NewPath("items"),
			"the function does not read the objects in a %s, here %d; make each a document of its own, "+
				"with %q between them", o.Kind(), n, "---")
	}
}
