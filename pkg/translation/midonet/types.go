package midonet

import "slices"

// Type is what there is to know about a type of the backend's resources before one is changed.
type Type struct {
	// Kind is that of a Resource.
	Kind string
	// Replace reports whether the backend can replace a resource of the type in place (PUT).
	Replace bool
	// Names are the fields of the body by which the backend knows a resource.
	Names []string
	// InParent reports whether it knows the resource by them only within its parent.
	InParent bool
}

// types are all types, in the order in which they depend on each other. This is the one place that
// says which of them can be replaced.
var types = []Type{
	{Kind: "TunnelZone", Replace: true, Names: []string{"id"}},
	{Kind: "TunnelZoneHost", Names: []string{"hostId"}, InParent: true},
	{Kind: "Router", Replace: true, Names: []string{"id"}},
	{Kind: "Bridge", Replace: true, Names: []string{"id"}},
	{Kind: "Port", Replace: true, Names: []string{"id"}},
	{Kind: "PortLink", InParent: true},
	{Kind: "Route", Names: []string{"id"}},
	{Kind: "Chain", Names: []string{"id"}},
	{Kind: "Rule", Names: []string{"id"}},
	{Kind: "HostInterfacePort", Names: []string{"portId"}, InParent: true},
	{Kind: "MACPort", Names: []string{"macAddr", "portId"}, InParent: true},
	{Kind: "IPv4MACPair", Names: []string{"ip", "mac"}, InParent: true},
}

// Types are the types of resources that Translations are made of.
func Types() []Type { return slices.Clone(types) }

// TypeOf is the type of that kind; false when it is none of Types.
func TypeOf(kind string) (Type, bool) {
	for _, t := range types {
		if t.Kind == kind {
			return t, true
		}
	}
	return Type{}, false
}
