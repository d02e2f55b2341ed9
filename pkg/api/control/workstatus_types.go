package control

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// WorkStatus is what one cluster reports about one object that a ManifestWork brought there. An
// agent writes it into the cluster's mailbox namespace; the namespace's name is the cluster's.
type WorkStatus struct {
	TypeMeta          `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec WorkStatusSpec `json:"spec"`
	// Status is the object's, word for word. nil: the object has none.
	Status Freeform `json:"status,omitzero"`
	// StatusDetails is about the agent's work and not looked at.
	StatusDetails Freeform `json:"statusDetails,omitzero"`
}

// WorkStatusSpec says which object is reported about.
type WorkStatusSpec struct {
	SourceRef SourceRef `json:"sourceRef"`
}

// SourceRef names an object. In documents Group and Namespace must be there even when empty.
type SourceRef struct {
	Group     string `json:"group"`
	Version   string `json:"version"`
	Resource  string `json:"resource"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}
