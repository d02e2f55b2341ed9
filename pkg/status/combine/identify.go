package combine

import (
	"fmt"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status/reports"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// identify finds the object of every entry. A fault is reported for the first Binding that names the object.
func (s *summarizer) identify() {
	var named []workload.Entry
	for _, b := range s.bindings {
		for _, e := range b.entries {
			named = append(named, e.Entry)
		}
	}
	found, kinds := s.kinds.Match(s.given, named), s.reportedKinds()
	s.identities = map[*krm.Object]reports.Identity{}
	told := map[workload.Entry]bool{}
	for _, b := range s.bindings {
		for _, e := range b.entries {
			s.identifyEntry(b, e, found[e.Entry].Objects, kinds, told[e.Entry])
			told[e.Entry] = true
		}
	}
}

func (s *summarizer) identifyEntry(b binding, e *entry, objects []*krm.Object, kinds map[typed]string, told bool) {
	say := func(sev sdk.Severity, format string, args ...any) {
		if !told {
			s.report(sev, b.object, e.at, format, args...)
		}
	}
	switch len(objects) {
	case 0:
		e.kind = kinds[typed{e.Entry, e.version}]
		if e.kind == "" {
			say(sdk.Warning, "the package has no %s, and no cluster reports about it; nothing is combined", e)
		} else {
			say(sdk.Warning, "the package has no %s; for expressions obj is empty", e)
		}
	case 1:
		e.object, e.kind = objects[0], objects[0].Kind()
		if v := e.object.Version(); v != e.version {
			say(sdk.Warning, "%s has version %q in the package, not %q; run bind-resolve before %s", e, v, e.version, Name)
			e.version = v
		}
		s.identities[e.object] = e.identity()
	default:
		say(sdk.Error, "%s", several(e, objects))
	}
}

// several is the error of an entry with several objects. Only the annotation distinguishes kinds.
func several(e *entry, objects []*krm.Object) string {
	var names []string
	kinds := map[string]bool{}
	for _, o := range objects {
		names = append(names, o.APIVersion()+" "+o.Describe())
		kinds[o.Kind()] = true
	}
	slices.Sort(names)
	help := "keep one"
	if len(kinds) > 1 {
		help += ", or say which kind " + e.Resource + " are by annotation " + workload.ResourcesAnnotation + " of the Binding"
	}
	return fmt.Sprintf("%s may be any of %s; %s", e, strings.Join(names, ", "), help)
}

// identity is the identity of the object in reports.
func (e *entry) identity() reports.Identity {
	return reports.Identity{Group: e.Group, Version: e.version, Kind: e.kind, Resource: e.Resource, Namespace: e.Namespace, Name: e.Name}
}

// typed is an entry with its version.
type typed struct {
	workload.Entry
	version string
}

// reportedKinds are the kinds that clusters report; the first, if they do not agree.
func (s *summarizer) reportedKinds() map[typed]string {
	kinds := map[typed]string{}
	for _, id := range s.index.Objects() {
		e := typed{workload.Entry{Group: id.Group, Resource: id.Resource, Namespace: id.Namespace, Name: id.Name}, id.Version}
		if kinds[e] == "" {
			kinds[e] = id.Kind
		}
	}
	return kinds
}

// identityOf is the identity in reports of an object, whether a Binding names it or not.
func (s *summarizer) identityOf(o *krm.Object) reports.Identity {
	if id, named := s.identities[o]; named {
		return id
	}
	return reports.Identity{Group: o.Group(), Version: o.Version(), Kind: o.Kind(), Resource: s.kinds.Of(o).Plural,
		Namespace: s.kinds.NamespaceOf(o), Name: o.Name()}
}
