// Package midonet holds the kind of API group midonet.org, version v1: Translation, the resources of one
// Kubernetes object in a MidoNet backend; and the annotations and labels for MidoNet.
//
// Shape: plain values with JSON tags that are runtime.Objects, strictly decoded from objects by
// DecodeTranslation. Writing a decoded value back gives the same document.
// Cost: one walk over the document to decode it, one over each body to check its JSON.
// Errors: a field.ErrorList with every fault, each at its own path. Kinds of resources are checked by the
// backend's table of types, not here.
// Source: the API group midonet.org of midonet-kubernetes, and the patterns of its CRD.
//
// +kubebuilder:object:generate=true
// +groupName=midonet.org
// +versionName=v1
package midonet

//go:generate go tool controller-gen object paths=.

// The group, version and kind of this package.
const (
	Group           = "midonet.org"
	Version         = "v1"
	APIVersion      = Group + "/" + Version
	KindTranslation = "Translation"
)

// Annotations on Nodes, the last also on Pods.
const (
	// HostIDAnnotation is the UUID of a node in the backend.
	HostIDAnnotation = Group + "/host-id"
	// TunnelZoneIDAnnotation is the UUID of a node's tunnel zone; absent or empty means the default one.
	TunnelZoneIDAnnotation = Group + "/tunnel-zone-id"
	// TunnelEndpointIPAnnotation is the address at which other nodes reach a node's tunnel endpoint.
	TunnelEndpointIPAnnotation = Group + "/tunnel-endpoint-ip"
	// MACAnnotation is the MAC address of the interface of a node or a pod.
	MACAnnotation = Group + "/mac-address"
)

// Names on Translations.
const (
	// OwnerUIDLabel holds the UID of the object of a Translation, for selectors.
	OwnerUIDLabel = Group + "/owner-uid"
	// GlobalLabel, empty, marks the Translations without an object.
	GlobalLabel = Group + "/global"
	// Finalizer holds a Translation until its resources are gone from the backend. Every
	// Translation is created with it.
	Finalizer = Group + "/deleter"
)
