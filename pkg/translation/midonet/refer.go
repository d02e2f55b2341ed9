package midonet

import (
	"slices"
	"strings"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
)

// Mentions are the ids that a resource names, in lower case: that of its parent, and those in its body, its own
// among them.
func Mentions(r api.Resource) (out []string) {
	for _, text := range [...]string{r.Parent, r.Body} {
		out = appendIDs(out, text)
	}
	return out
}

// appendIDs appends the ids in a text. Each is looked for around its first hyphen.
func appendIDs(out []string, text string) []string {
	const before, size = len("00000000"), len("00000000-0000-0000-0000-000000000000")
	for at := 0; at < len(text); {
		hyphen := strings.IndexByte(text[at:], '-')
		if hyphen < 0 {
			return out
		}
		begin := at + hyphen - before
		at += hyphen + 1
		if begin < 0 || begin+size > len(text) {
			continue
		}
		if found, ok := parseID(text[begin : begin+size]); ok {
			out, at = append(out, found.String()), begin+size
		}
	}
	return out
}

// OwnID is the id by which others name a resource, in lower case; "" when it has none.
func OwnID(r api.Resource) string {
	if name, ok := leadingID(r); ok {
		return strings.ToLower(name)
	}
	known := newResource(r)
	if len(known.names) != 1 || known.known.Kind != "" && !slices.Equal(known.known.Names, []string{"id"}) {
		return ""
	}
	return strings.ToLower(known.names[0])
}

// TenantOf is the tenant that a resource says it is of; "" when it does not say.
func TenantOf(r api.Resource) string {
	known := newResource(r)
	tenant, _ := known.fields["tenantId"].(string)
	return tenant
}

// IsMadeAnew reports whether another version makes another resource of one: it is known by what is made of the
// version. The host of a tunnel zone is known by ids that people write.
func IsMadeAnew(r api.Resource) bool { return r.Kind != "TunnelZoneHost" }
