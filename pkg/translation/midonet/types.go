package midonet

// Type is what is known about a type of the backend's resources.
type Type struct {
	// Kind is that of a Resource.
	Kind string
	// Replace says that the backend can replace such a resource in place (PUT).
	Replace bool
	// Names are the fields of the body that identify a resource.
	Names []string
	// InParent says that they identify it only within its parent.
	InParent bool
}

// types are all types, in the order in which they depend on each other. Which of them can be replaced is said only here.
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

// TypeOf is the type of a kind; false when it is unknown.
func TypeOf(kind string) (Type, bool) {
	for _, t := range types {
		if t.Kind == kind {
			return t, true
		}
	}
	return Type{}, false
}
