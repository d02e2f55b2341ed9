package control

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Binding is a resolved policy: a list of objects and of the clusters that receive them. It is
// cluster-scoped. Users may write Bindings themselves, without a policy.
type Binding struct {
	TypeMeta          `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec   BindingSpec `json:"spec"`
	Status *Status     `json:"status,omitempty"`
}

// BindingSpec lists objects and clusters. Empty lists are absent.
type BindingSpec struct {
	Workload     Workload      `json:"workload"`
	Destinations []Destination `json:"destinations,omitempty"`
}

// Workload lists objects: those without a namespace, then those with one. An object occurs once,
// in any version.
type Workload struct {
	ClusterScope   []ClusterScopeObject   `json:"clusterScope,omitempty"`
	NamespaceScope []NamespaceScopeObject `json:"namespaceScope,omitempty"`
}

// ClusterScopeObject names an object without a namespace.
type ClusterScopeObject struct {
	Group    string `json:"group"`
	Version  string `json:"version"`
	Resource string `json:"resource"`
	Name     string `json:"name"`
	// ResourceVersion changes when the object as it ships does. "" says that it is not tracked.
	ResourceVersion string `json:"resourceVersion"`
	Modulation      `json:",inline"`
}

// NamespaceScopeObject names an object in a namespace.
type NamespaceScopeObject struct {
	Group     string `json:"group"`
	Version   string `json:"version"`
	Resource  string `json:"resource"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// ResourceVersion changes when the object as it ships does. "" says that it is not tracked.
	ResourceVersion string `json:"resourceVersion"`
	Modulation      `json:",inline"`
}

// Destination names a cluster.
type Destination struct {
	ClusterID string `json:"clusterId"`
}
