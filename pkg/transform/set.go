package transform

import (
	"fmt"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

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
// result at its field; several for one group and resource are joined, with a warning on each.
// The order of items does not matter; the errors come in the order of spec.remove, then warnings.
func ParseSet(items []*krm.Object) (*Set, sdk.Results) { return parseSet(items, sdk.Error) }

// ParseSetLenient is ParseSet for those who want what KubeStellar does: a path that cannot be
// read is a warning and is skipped. A path that hits an object's identity stays an error.
func ParseSetLenient(items []*krm.Object) (*Set, sdk.Results) { return parseSet(items, sdk.Warning) }

func parseSet(items []*krm.Object, badPath sdk.Severity) (*Set, sdk.Results) {
	p := &setParser{badPath: badPath, set: &Set{
		remove: map[groupResource][]removal{}, users: map[groupResource][]*krm.Object{}}}
	var found []*krm.Object
	for _, o := range items {
		if o.Is(controlGroup, customTransformKind) {
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
	set     *Set
	results sdk.Results
}

func (p *setParser) report(sev sdk.Severity, o *krm.Object, at *field.Path, format string, args ...any) {
	p.results = append(p.results, fn.NewResult(sev, o, at, format, args...))
}

func (p *setParser) add(o *krm.Object) {
	key, remove, errs := decode(o)
	for _, err := range errs {
		r := fn.NewResult(sdk.Error, o, nil, "%v", err)
		r.Field = &sdk.Field{Path: err.Field}
		p.results = append(p.results, r)
	}
	if len(errs) > 0 {
		return
	}
	p.set.users[key] = append(p.set.users[key], o)
	at := field.NewPath("spec", "remove")
	for i, query := range remove {
		if path, ok := p.path(o, at.Index(i), query); ok {
			p.set.remove[key] = append(p.set.remove[key], removal{path, o, at.Index(i).String()})
		}
	}
}

// path compiles one query of o, or reports why that cannot be.
func (p *setParser) path(o *krm.Object, at *field.Path, query *string) (Path, bool) {
	if query == nil {
		p.report(sdk.Error, o, at, "Error in %s: a path is required, not null", at)
		return nil, false
	}
	path, err := ParsePath(*query)
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
