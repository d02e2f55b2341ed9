package control

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// CustomTransform removes fields of every object of one group and resource before it ships. It is
// cluster-scoped.
type CustomTransform struct {
	TypeMeta          `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec   CustomTransformSpec    `json:"spec"`
	Status *CustomTransformStatus `json:"status,omitempty"`
}

// CustomTransformSpec is the fields to remove, and the type of the objects.
type CustomTransformSpec struct {
	// APIGroup must be present; "" is the core group.
	APIGroup *string `json:"apiGroup"`
	// Resource is the lower-case plural.
	Resource string `json:"resource"`
	// Remove lists JSONPaths, in the subset that KubeStellar reads.
	Remove []string `json:"remove,omitzero"`
}

// CustomTransformStatus is owned by a controller; functions of Waybill neither read nor write it.
type CustomTransformStatus struct {
	ObservedGeneration int64    `json:"observedGeneration"`
	Errors             []string `json:"errors,omitempty"`
	Warnings           []string `json:"warnings,omitempty"`
}
