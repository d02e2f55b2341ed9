package v1alpha2

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// PackageVariantSet makes one PackageVariant for each repository, package or
// object that its targets select, so that one object copies one package to many
// places.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:resource:shortName=pkgvarset,categories=waybill
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="True while every variant exists as in the targets."
// +kubebuilder:printcolumn:name="Upstream",type=string,JSONPath=`.spec.upstream.repo`,description="The Repository of the upstream package."
// +kubebuilder:printcolumn:name="Package",type=string,JSONPath=`.spec.upstream.package`,description="The upstream package."
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="The reason of the condition Ready, in one word."
// +kubebuilder:printcolumn:name="Message",type=string,priority=1,JSONPath=`.status.conditions[?(@.type=="Ready")].message`,description="The reason of the condition Ready."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was created."
// +kubebuilder:validation:XValidation:rule=`has(self.spec)`,message="spec.upstream is a required field; must specify at least one item in spec.targets",reason=FieldValueRequired,fieldPath=".spec"
type PackageVariantSet struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Spec is the wanted state. All of it may change at any time.
	Spec PackageVariantSetSpec `json:"spec,omitzero"`
	// Status is the result of the last pass; the controller writes it.
	Status PackageVariantSetStatus `json:"status,omitzero"`
}

// PackageVariantSetList is a list of PackageVariantSets.
//
// +kubebuilder:object:root=true
type PackageVariantSetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []PackageVariantSet `json:"items"`
}

// PackageVariantSetSpec is the wanted state. All of it may change at any time.
//
// +kubebuilder:validation:XValidation:rule=`has(self.upstream)`,message="spec.upstream is a required field",reason=FieldValueRequired,fieldPath=".upstream"
// +kubebuilder:validation:XValidation:rule=`has(self.targets) && self.targets.size() > 0`,message="must specify at least one item in spec.targets",reason=FieldValueRequired,fieldPath=".targets"
type PackageVariantSetSpec struct {
	// Upstream is the package revision that all variants follow. Required. It is
	// copied into every variant.
	// +kubebuilder:validation:XValidation:rule=`has(self.__package__) && self.__package__ != ""`,message="spec.upstream.package is a required field",reason=FieldValueRequired,fieldPath=".package"
	// +kubebuilder:validation:XValidation:rule=`has(self.repo) && self.repo != ""`,message="spec.upstream.repo is a required field",reason=FieldValueRequired,fieldPath=".repo"
	// +kubebuilder:validation:XValidation:rule=`has(self.revision) && self.revision != 0 || has(self.workspaceName) && self.workspaceName != "" || has(self.follow) && self.follow != ""`,message="either spec.upstream.revision or spec.upstream.workspaceName must be specified",reason=FieldValueRequired
	Upstream *porchconfig.Upstream `json:"upstream,omitempty"`
	// Targets select the variants, and have a template for them. At least one is
	// required, at most 64 in an API server. Two targets with the same downstream
	// repository and package make one variant, by the later target. A variant
	// without a target is deleted, and its deletion policy applies to its package
	// revisions.
	// +kubebuilder:validation:MaxItems=64
	Targets []Target `json:"targets,omitempty"`
}

// Target selects variants. Exactly one of Repositories, RepositorySelector and
// ObjectSelector is given. All of them select in the namespace of the set only.
//
// +kubebuilder:validation:XValidation:rule=`[has(self.repositories), has(self.repositorySelector), has(self.objectSelector)].filter(given, given).size() == 1`,message="must specify one of `repositories`, `repositorySelector`, or `objectSelector`"
type Target struct {
	// Repositories lists downstream repositories and packages by name: at least
	// one when given, at most 1000 in an API server. An empty list is an error, unlike
	// an absent one.
	// +optional
	// +kubebuilder:validation:MaxItems=1000
	// +kubebuilder:validation:XValidation:rule=`self.size() > 0`,message="must not be an empty list if specified"
	Repositories []RepositoryTarget `json:"repositories,omitzero"`
	// RepositorySelector selects Repository objects by label: one variant for
	// each, by default in that repository and with the package name of the
	// upstream. Empty selects all.
	RepositorySelector *metav1.LabelSelector `json:"repositorySelector,omitempty"`
	// ObjectSelector selects objects of one kind: one variant for each. By default
	// it is in the repository with the name of the object, and has the package
	// name of the upstream.
	ObjectSelector *ObjectSelector `json:"objectSelector,omitempty"`
	// Template is the other fields of each variant. Absent: a variant has an
	// upstream and a downstream only.
	Template *PackageVariantTemplate `json:"template,omitempty"`
}

// RepositoryTarget is a downstream repository and the packages to make in it.
//
// +kubebuilder:validation:XValidation:rule=`has(self.name) && self.name != ""`,message="cannot be empty",reason=FieldValueRequired,fieldPath=".name"
type RepositoryTarget struct {
	// Name of the Repository. Required.
	Name string `json:"name,omitempty"`
	// PackageNames are the packages to make there: one variant for each, none of
	// them empty. A name may contain slashes. At most 100 in an API server; put
	// more into another entry of the same name. Defaults to one package with the
	// name of the upstream's.
	// +kubebuilder:validation:MaxItems=100
	// +kubebuilder:validation:items:XValidation:rule=`self != ""`,message="cannot be empty"
	PackageNames []string `json:"packageNames,omitempty"`
}

// ObjectSelector selects objects of one kind, by label and by name: all given
// parts must match. Without matchLabels, matchExpressions and name it
// selects every object of the kind.
//
// +kubebuilder:validation:XValidation:rule=`has(self.apiVersion) && self.apiVersion != ""`,message="cannot be empty",reason=FieldValueRequired,fieldPath=".apiVersion"
// +kubebuilder:validation:XValidation:rule=`has(self.kind) && self.kind != ""`,message="cannot be empty",reason=FieldValueRequired,fieldPath=".kind"
type ObjectSelector struct {
	metav1.LabelSelector `json:",inline"`
	// APIVersion of the objects, such as "v1" or "apps/v1". Required.
	APIVersion string `json:"apiVersion,omitempty"`
	// Kind of the objects, such as "ConfigMap". Required.
	Kind string `json:"kind,omitempty"`
	// Name selects the one object with this name. Absent or empty selects objects
	// of every name.
	Name string `json:"name,omitempty"`
}

// PackageVariantSetStatus is the result of the last pass.
type PackageVariantSetStatus struct {
	// Conditions hold Stalled and Ready. Ready is True while every variant
	// exists as in the targets, False otherwise. Stalled is True while the set
	// needs a change, for example because its spec is invalid or its upstream is
	// missing; False otherwise.
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
