package transform

import (
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Set holds the compiled CustomTransforms of a list. It is immutable and may be shared;
// a nil Set removes nothing.
type Set struct {
	remove map[schema.GroupResource][]removal
	users  map[schema.GroupResource][]*krm.Object // the CustomTransforms of each
}

// removal is one element of a CustomTransform's spec.remove.
type removal struct {
	path Path
	by   *krm.Object // the CustomTransform
	at   string      // of path in it
}

// ParseSet compiles every CustomTransform among items. All that is wrong with one is an error
// result at its field, and so are two of one name; several for one group and resource are joined, with a warning at each.
// The order of items does not matter; errors are in the order of spec.remove, then warnings.
func ParseSet(items []*krm.Object) (*Set, sdk.Results) { return parseSet(items, sdk.Error) }

// ParseSetLenient is ParseSet as KubeStellar does it: a path that cannot be read is a warning, and
// nothing else. A path of an object's identity is still an error.
func ParseSetLenient(items []*krm.Object) (*Set, sdk.Results) { return parseSet(items, sdk.Warning) }

func parseSet(items []*krm.Object, badPath sdk.Severity) (*Set, sdk.Results) {
	p := &setParser{badPath: badPath, named: map[string]*krm.Object{}, set: &Set{
		remove: map[schema.GroupResource][]removal{}, users: map[schema.GroupResource][]*krm.Object{}}}
	found := workload.OfKind(items, control.Group, control.KindCustomTransform)
	for _, o := range found {
		p.add(o)
	}
	p.warnShared(found)
	return p.set, p.results
}

type setParser struct {
	badPath sdk.Severity
	named   map[string]*krm.Object
	set     *Set
	results sdk.Results
}

func (p *setParser) report(sev sdk.Severity, o *krm.Object, at *field.Path, format string, args ...any) {
	p.results = append(p.results, fn.NewResult(sev, o, at, format, args...))
}

// add compiles o. It checks paths even if o has other errors.
func (p *setParser) add(o *krm.Object) {
	if first := p.named[o.Name()]; first != nil {
		p.report(sdk.Error, o, field.NewPath("metadata", "name"), "two CustomTransforms have this name, also %s", first.Describe())
	} else {
		p.named[o.Name()] = o
	}
	t, errs := control.DecodeCustomTransform(o)
	p.results = append(p.results, fn.FieldErrors(o, errs)...)
	if t == nil {
		return
	}
	removals := p.removals(o, t.Spec.Remove, errs)
	if len(errs) == 0 {
		key := schema.GroupResource{Group: *t.Spec.APIGroup, Resource: t.Spec.Resource}
		p.set.users[key] = append(p.set.users[key], o)
		p.set.remove[key] = append(p.set.remove[key], removals...)
	}
}

// removals compiles the queries of o without errors.
func (p *setParser) removals(o *krm.Object, queries []string, errs field.ErrorList) (out []removal) {
	for i, query := range queries {
		at := field.NewPath("spec", "remove").Index(i)
		if slices.ContainsFunc(errs, func(err *field.Error) bool { return err.Field == at.String() }) {
			continue
		}
		if path, ok := p.path(o, at, query); ok {
			out = append(out, removal{path, o, at.String()})
		}
	}
	return out
}

// path compiles one query of o, or reports an error.
func (p *setParser) path(o *krm.Object, at *field.Path, query string) (Path, bool) {
	path, err := ParsePath(query)
	switch {
	case err != nil:
		p.report(p.badPath, o, at, "Error in %s: %v", at, err)
	case len(path) == 0:
		p.report(p.badPath, o, at, "Invalid %s: it identifies the whole object", at)
	case path.isIdentity():
		p.report(sdk.Error, o, at, "Invalid %s: it removes %s, without which the object cannot be identified", at, path)
	default:
		return path, true
	}
	return nil, false
}

// warnShared warns every CustomTransform of found that shares its group and resource with one of another name.
func (p *setParser) warnShared(found []*krm.Object) {
	names := map[*krm.Object]sets.Set[string]{}
	for _, users := range p.set.users {
		all := sets.New[string]()
		for _, o := range users {
			all.Insert(o.Name())
			names[o] = all
		}
	}
	for _, o := range found {
		if len(names[o]) > 1 {
			p.report(sdk.Warning, o, nil, "multiple CustomTransform objects specify the same GroupResource; their names are %v", names[o])
		}
	}
}
