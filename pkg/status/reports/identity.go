package reports

import (
	"cmp"
	"fmt"
)

// Identity identifies a workload object: objects that differ in any part, the version included, are different objects.
type Identity struct{ Group, Version, Kind, Resource, Namespace, Name string }

// String is for messages: `Deployment shop/web (apps/v1 deployments)`.
func (id Identity) String() string {
	name, version := id.Name, id.Version
	if id.Namespace != "" {
		name = id.Namespace + "/" + name
	}
	if id.Group != "" {
		version = id.Group + "/" + version
	}
	return fmt.Sprintf("%s %s (%s %s)", id.Kind, name, version, id.Resource)
}

// Compare orders identities by their parts, bytewise.
func (id Identity) Compare(b Identity) int {
	return cmp.Or(
		cmp.Compare(id.Group, b.Group), cmp.Compare(id.Version, b.Version), cmp.Compare(id.Kind, b.Kind),
		cmp.Compare(id.Resource, b.Resource), cmp.Compare(id.Namespace, b.Namespace), cmp.Compare(id.Name, b.Name),
	)
}

// identityAt reads an identity from a map that has the names of its parts as keys.
func identityAt(m map[string]any) Identity {
	return Identity{
		Group: text(m, "group"), Version: text(m, "version"), Kind: text(m, "kind"),
		Resource: text(m, "resource"), Namespace: text(m, "namespace"), Name: text(m, "name"),
	}
}

// missing is the first part that is required and missing; "" when there is none.
func (id Identity) missing() string {
	for _, part := range []struct{ name, value string }{
		{"version", id.Version}, {"kind", id.Kind}, {"resource", id.Resource}, {"name", id.Name},
	} {
		if part.value == "" {
			return part.name
		}
	}
	return ""
}

// Unmapped is the identity without the resource, which a manifest does not say, and an agent does not know for an unknown kind.
func (id Identity) Unmapped() Identity {
	id.Resource = ""
	return id
}

// Place is one object in one cluster.
type Place struct {
	Object  Identity
	Cluster string
}

// Compare orders places by object, then by cluster, bytewise.
func (p Place) Compare(b Place) int {
	return cmp.Or(p.Object.Compare(b.Object), cmp.Compare(p.Cluster, b.Cluster))
}
