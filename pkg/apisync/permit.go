package apisync

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// permits are the names that consumers may choose, by an entry of spec.related.
type permits struct {
	at                                  *field.Path
	names, namespaces, sourceNamespaces []string // patterns, in which * stands for any text
}

// of returns the patterns for namespaces of a side, and their field.
func (p *permits) of(side Side) (patterns []string, at *field.Path) {
	if side == Source {
		return p.sourceNamespaces, p.at.Child("allowedSourceNamespaces")
	}
	return p.namespaces, p.at.Child("allowedNamespaces")
}

// systemNamespaces are Waybill's own; those of the cluster have a prefix.
var (
	systemNamespaces = []string{"openshift", "waybill-system", "waybill-sync"}
	systemPrefixes   = []string{"kube-", "openshift-"}
)

// isSystem reports whether nothing is written to or read from a namespace unless the configuration names it in full.
func (s *Snapshot) isSystem(namespace string) bool {
	return slices.Contains(systemNamespaces, namespace) || slices.Contains(s.SystemNamespaces, namespace) ||
		slices.ContainsFunc(systemPrefixes, func(p string) bool { return strings.HasPrefix(namespace, p) })
}

// permitCopy refuses a system namespace for a primary's copy, and as one, unless spec.naming is exactly that name.
func (x *index) permitCopy(namespace, name string) error {
	naming := cmp.Or(x.rule.config.Spec.Naming, &waybill.PublishedNaming{})
	system, text, at := namespace, naming.Namespace, "namespace"
	if x.rule.local.GroupKind() == namespaceType.GroupKind() {
		system, text, at = name, naming.Name, "name"
	}
	if text == system || !x.snapshot.isSystem(system) {
		return nil
	}
	return fmt.Errorf("the namespace %q of the destination is a system namespace; let spec.naming.%s give another, or be exactly that name",
		system, at)
}

// permitNamespaces refuses namespaces that a consumer may not choose, on both sides. The namespaces of the primaries are always
// allowed.
func (q *query) permitNamespaces(m namePair) error {
	object, copied := q.x.refs[q.p.object].Namespace, q.x.refs[q.p.copy].Namespace
	names := map[Side]string{q.origins.Side: m.origin, q.copies.Side: m.copy}
	types := map[Side]Type{q.origins.Side: q.r.Origin, q.copies.Side: q.r.Copied}
	return cmp.Or(q.permitNamespace(Source, types[Source], names[Source], object),
		q.permitNamespace(Destination, types[Destination], names[Destination], copied))
}

// permitNamespace is permitNamespaces for one side, where the primary is in the namespace own.
func (q *query) permitNamespace(side Side, t Type, name, own string) error {
	l := q.r.namespaces
	if !t.Namespaced || name == "" || name == own || l == nil {
		return nil
	}
	patterns, at := q.r.permits.of(side)
	switch {
	case q.x.snapshot.isSystem(name) && !slices.Contains(patterns, name) && l.text != name:
		return l.forbid(fmt.Sprintf("the namespace %q of the %s is a system namespace; choose another, or list it by its full name in %s",
			name, side, at))
	case l.isChosen(side, side == q.origins.Side) && !matches(patterns, name):
		return l.forbid(fmt.Sprintf("the namespace %q of the %s is neither that of the primary nor in %s; choose another, or allow it there",
			name, side, at))
	}
	return nil
}

// permitName refuses a name at the destination that a consumer may not choose. A name that begins with the name of the
// primary's copy is allowed.
func (q *query) permitName(m namePair) error {
	l, t, name := q.r.names, q.r.Copied, m.copy
	if !q.r.FromSource {
		t, name = q.r.Origin, m.origin
	}
	own, at := q.p.copy.Name(), q.r.permits.at.Child("allowedNames")
	switch {
	case name == "":
		return nil
	case t.Group == "" && t.Kind == "Namespace" && q.x.snapshot.isSystem(name) && !slices.Contains(q.r.permits.names, name) && l.text != name:
		return l.forbid(fmt.Sprintf(
			"the namespace %q of the destination is a system namespace; choose another, or list it by its full name in %s",
			name, at))
	case !l.isChosen(Destination, !q.r.FromSource), name == own, strings.HasPrefix(name, own+"-"), strings.HasPrefix(name, own+"."),
		matches(q.r.permits.names, name):
		return nil
	}
	return l.forbid(fmt.Sprintf("the name of the object at the destination neither begins with that of the copy, %s-, nor is in %s; "+
		"choose another, or allow it there", own, at))
}

// The fields that templates may read without their result counting as a consumer's choice: values that the provider sets,
// and the name of the copy.
var (
	anywhere      = []string{"Side", "ClusterName", "ClusterPath"}
	ofDestination = append(slices.Clone(anywhere), "Object.status", "Object.metadata.name", "Object.metadata.namespace")
	ofSelectors   = []string{"ClusterName", "ClusterPath", "LocalObject.status", "LocalObject.metadata.name", "LocalObject.metadata.namespace"}
)

// isChosen reports whether a consumer may choose the name that a locator gives for a side, which is that of the origin or
// the other. The author of the PublishedResource chooses the text of locators, and the provider the status and labels.
func (l *locator) isChosen(side Side, origin bool) bool {
	switch {
	case l.selector != nil && origin:
		return !l.selector.ReadsOnly(ofSelectors...)
	case l.rewrite != nil:
		return !l.rewrite.ReadsOnly(ofSelectors...)
	case l.template != nil && side == Destination:
		return !l.template.ReadsOnly(ofDestination...)
	case l.template != nil:
		return !l.template.ReadsOnly(anywhere...)
	case l.pattern.isConstant():
		return false
	}
	return l.selector != nil || side == Source || !strings.HasPrefix(l.path, "status.")
}

// forbid is an error that names the field where a consumer chose, if there is one.
func (l *locator) forbid(why string) error {
	if l.path != "" {
		return field.Forbidden(field.NewPath(l.path), why)
	}
	return errors.New(why)
}

// matches reports whether a name matches some pattern.
func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matchesPattern(name, p) })
}

// matchesPattern reports whether a name matches a pattern, in which * stands for any text. There may be many names, for
// which a regular expression would be compiled each time.
func matchesPattern(name, pattern string) bool {
	parts := strings.Split(pattern, "*")
	last := len(parts) - 1
	if last == 0 {
		return name == pattern
	}
	rest, found := strings.CutPrefix(name, parts[0])
	for _, part := range parts[1:last] {
		if found {
			_, rest, found = strings.Cut(rest, part)
		}
	}
	return found && strings.HasSuffix(rest, parts[last])
}
