package midonet

import (
	"slices"
	"strings"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
)

// Mentions are the ids in a resource, in lower case: that of its parent and those in its body, its own included.
func Mentions(r api.Resource) (out []string) {
	for _, text := range [...]string{r.Parent, r.Body} {
		out = appendIDs(out, text)
	}
	return out
}

// appendIDs appends the ids in a text, each found by its first hyphen.
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

// OwnID is the id by which others refer to a resource, in lower case; "" when it has none.
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

// TenantOf is the tenant in a resource; "" for none.
func TenantOf(r api.Resource) string {
	known := newResource(r)
	tenant, _ := known.fields["tenantId"].(string)
	return tenant
}

// DestinationAddress is the address of the traffic to which a rule applies; "" for any, and for no rule.
func DestinationAddress(r api.Resource) string {
	known := newResource(r)
	address, _ := known.fields["nwDstAddress"].(string)
	return address
}

// IsRecreated reports whether another version creates another resource: one whose id depends on the version. The host of a
// tunnel zone has ids that users write.
func IsRecreated(r api.Resource) bool { return r.Kind != "TunnelZoneHost" }
