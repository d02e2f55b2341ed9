package midonet

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
)

// UpdateError is a change of a Translation that a pusher without a memory cannot make.
type UpdateError struct {
	// Index is the index in the old list of the first resource concerned, and Resource that resource.
	Index    int
	Resource api.Resource
	why      string
}

func (e *UpdateError) Error() string {
	return fmt.Sprintf("resources[%d]: %s %s", e.Index, Describe(e.Resource), e.why)
}

// Identity identifies a resource as the backend does: two with the same Identity are one resource there.
func Identity(r api.Resource) string {
	if name, ok := leadingID(r); ok {
		return `["` + r.Kind + `" "` + name + `"]` // as identity writes it
	}
	known := newResource(r)
	return known.identity()
}

// leadingID is the id of a resource that only its id identifies and whose body begins with it, as the bodies of this package
// do: that needs no parser.
func leadingID(r api.Resource) (string, bool) {
	const field, size = `{"id":"`, len("00000000-0000-0000-0000-000000000000")
	known, _ := TypeOf(r.Kind)
	if !slices.Equal(known.Names, []string{"id"}) || !strings.HasPrefix(r.Body, field) || len(r.Body) < len(field)+size+2 {
		return "", false
	}
	name, rest := r.Body[len(field):len(field)+size], r.Body[len(field)+size:]
	_, isID := parseID(name)
	once := !strings.Contains(rest, `"id"`) && !strings.Contains(rest, `\`)
	return name, isID && once && (rest[:2] == `",` || rest == `"}`)
}

// Describe names a resource for a message: its kind and its identity.
func Describe(r api.Resource) string {
	name := shown(r.Kind)
	if names := newResource(r).names; len(names) > 0 {
		name += " " + shown(strings.Join(names, " "))
	}
	return name
}

const (
	whyGone    = "would be deleted: the resources of a Translation may grow, never shrink"
	whyMoved   = "would change its parent, which a backend cannot do in place"
	whyChanged = "would change, and a backend cannot replace its type in place"
)

// CheckUpdate compares the new resources of a Translation with the old ones. Each old one must still be there, in any place.
// It may differ only if the backend can replace its type, which an unknown type cannot. The content of a body counts, not its
// format. The error is an *UpdateError for the first old resource that violates this.
func CheckUpdate(old, new []api.Resource) error {
	now := make(map[string][]resource, len(new))
	for _, r := range new {
		wanted := newResource(r)
		now[wanted.identity()] = append(now[wanted.identity()], wanted)
	}
	for i, r := range old {
		was := newResource(r)
		if why := was.against(now[was.identity()]); why != "" {
			return &UpdateError{Index: i, Resource: r, why: why}
		}
	}
	return nil
}

// resource is a Resource with its parsed body.
type resource struct {
	api.Resource
	known  Type
	fields map[string]any // nil: the body is no JSON object
	names  []string       // the values that identify it, without its parent
}

func newResource(r api.Resource) resource {
	out := resource{Resource: r}
	out.known, _ = TypeOf(r.Kind)
	dec := json.NewDecoder(strings.NewReader(r.Body))
	dec.UseNumber()
	if dec.Decode(&out.fields) != nil || dec.More() {
		out.fields = nil
	}
	names := out.known.Names
	if out.known.Kind == "" {
		names = []string{"id"} // most types have one
	}
	for _, field := range names {
		if name, ok := out.fields[field].(string); ok {
			out.names = append(out.names, name)
		}
	}
	if len(out.names) < len(names) {
		out.names = nil
	}
	return out
}

// identity identifies a resource as the backend does. A resource without the fields for that is identified by all its
// content.
func (r *resource) identity() string {
	parts := append([]string{r.Kind}, r.names...)
	switch {
	case len(r.names) == 0 && len(r.known.Names) > 0 || r.known.Kind == "" && len(r.names) == 0:
		parts = append(parts, r.Parent, r.Body)
	case r.known.InParent:
		parts = append(parts, r.Parent)
	}
	return fmt.Sprintf("%q", parts)
}

// against is why none of now can replace r; "" if one can.
func (r *resource) against(now []resource) (why string) {
	why = whyGone
	for _, n := range now {
		switch same := n.same(r); {
		case same && n.Parent == r.Parent:
			return ""
		case n.Parent != r.Parent:
			why = whyMoved
		case !r.known.Replace:
			why = whyChanged
		default:
			return ""
		}
	}
	return why
}

// same reports whether two bodies have the same content.
func (r *resource) same(other *resource) bool {
	if r.fields == nil || other.fields == nil {
		return r.Body == other.Body
	}
	return reflect.DeepEqual(r.fields, other.fields)
}
