package transform

import (
	"fmt"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Set is every CustomTransform of a list, compiled. It is not changed by use and may be shared;
// a nil Set removes nothing.
type Set struct {
	remove map[groupResource][]removal
	users  map[groupResource][]*krm.Object // the CustomTransforms that name it
}

type groupResource struct{ group, resource string }

// removal is one element of a CustomTransform's spec.remove.
type removal struct {
	path Path
	by   *krm.Object // the CustomTransform
	at   string      // where path stands in it
}

// ParseSet compiles every CustomTransform among items. Whatever is wrong with one is an error
// result at its field, and so are two of one name; several for one group and resource are joined, with a warning on each.
// The order of items does not matter; the errors come in the order of spec.remove, then warnings.
func ParseSet(items []*krm.Object) (*Set, sdk.Results) { return parseSet(items, sdk.Error) }

// ParseSetLenient is ParseSet for those who want what KubeStellar does: a path that cannot be
// read is a warning and is skipped. A path that hits an object's identity stays an error.
func ParseSetLenient(items []*krm.Object) (*Set, sdk.Results) { return parseSet(items, sdk.Warning) }

func parseSet(items []*krm.Object, badPath sdk.Severity) (*Set, sdk.Results) {
	p := &setParser{badPath: badPath, named: map[string]*krm.Object{}, set: &Set{
		remove: map[groupResource][]removal{}, users: map[groupResource][]*krm.Object{}}}
	var found []*krm.Object
	for _, o := range items {
		if o.Is(control.Group, control.KindCustomTransform) {
			found = append(found, o)
		}
	}
	slices.SortStableFunc(found, workload.Compare)
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

// add compiles what o asks for. Paths are looked at even when nothing comes of them because
// something else is wrong.
func (p *setParser) add(o *krm.Object) {
	p.refuseTwin(o)
	t, errs := control.DecodeCustomTransform(o)
	faulty := map[string]bool{}
	for _, err := range errs {
		r := fn.NewResult(sdk.Error, o, nil, "%v", err)
		r.Field = &sdk.Field{Path: err.Field}
		p.results = append(p.results, r)
		faulty[err.Field] = true
	}
	if t == nil {
		return
	}
	removals := p.removals(o, t.Spec.Remove, faulty)
	if len(errs) == 0 {
		key := groupResource{*t.Spec.APIGroup, t.Spec.Resource}
		p.set.users[key] = append(p.set.users[key], o)
		p.set.remove[key] = append(p.set.remove[key], removals...)
	}
}

// refuseTwin reports o when it has the name of an earlier CustomTransform.
func (p *setParser) refuseTwin(o *krm.Object) {
	if first := p.named[o.Name()]; first != nil {
		p.report(sdk.Error, o, field.NewPath("metadata", "name"), "two CustomTransforms have this name, also %s", first.Describe())
		return
	}
	p.named[o.Name()] = o
}

// removals compiles the queries of o that can be read.
func (p *setParser) removals(o *krm.Object, queries []string, faulty map[string]bool) (out []removal) {
	for i, query := range queries {
		at := field.NewPath("spec", "remove").Index(i)
		if faulty[at.String()] {
			continue
		}
		if path, ok := p.path(o, at, query); ok {
			out = append(out, removal{path, o, at.String()})
		}
	}
	return out
}

// path compiles one query of o, or reports why that cannot be.
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

// warnShared tells every CustomTransform of found that is not alone with its group and resource.
func (p *setParser) warnShared(found []*krm.Object) {
	told := map[*krm.Object]string{}
	for _, users := range p.set.users {
		text := sharing(users)
		for _, o := range users {
			told[o] = text
		}
	}
	for _, o := range found {
		if told[o] != "" {
			p.report(sdk.Warning, o, nil, "%s", told[o])
		}
	}
}

// sharing says who shares a group and resource, "" when there is but one name.
func sharing(users []*krm.Object) string {
	names := map[string]struct{}{}
	for _, o := range users {
		names[o.Name()] = struct{}{}
	}
	if len(names) < 2 {
		return ""
	}
	return fmt.Sprintf("multiple CustomTransform objects specify the same GroupResource; their names are %v", names)
}
