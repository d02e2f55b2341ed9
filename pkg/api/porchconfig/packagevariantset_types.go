package porchconfig

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PackageVariantSet is the set in version v1alpha1. It is read from old manifests
// only; no API server serves or stores it.
//
// +kubebuilder:object:root=true
// +kubebuilder:unservedversion
// +kubebuilder:resource:shortName=pkgvarset,categories=waybill
type PackageVariantSet struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Spec is the wanted state.
	Spec PackageVariantSetSpec `json:"spec,omitzero"`
	// Status is the result of the last pass.
	Status PackageVariantSetStatus `json:"status,omitzero"`
}

// PackageVariantSetList is a list of sets of version v1alpha1.
//
// +kubebuilder:object:root=true
type PackageVariantSetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []PackageVariantSet `json:"items"`
}

// PackageVariantSetSpec is the wanted state.
type PackageVariantSetSpec struct {
	// Upstream is the package revision that all variants follow. Required.
	Upstream *SetUpstream `json:"upstream,omitempty"`
	// Targets select the packages to make.
	Targets []SetTarget `json:"targets,omitempty"`
	// AdoptionPolicy of every variant.
	AdoptionPolicy AdoptionPolicy `json:"adoptionPolicy,omitempty"`
	// DeletionPolicy of every variant.
	DeletionPolicy DeletionPolicy `json:"deletionPolicy,omitempty"`
	// Labels of every variant's package revisions.
	Labels map[string]string `json:"labels,omitempty"`
	// Annotations of every variant's package revisions.
	Annotations map[string]string `json:"annotations,omitempty"`
}

// SetUpstream names a package revision, by revision or by Git tag.
type SetUpstream struct {
	// Package is the upstream package. Required.
	Package *SetPackage `json:"package,omitempty"`
	// Revision is the text of a revision, such as "v3".
	Revision string `json:"revision,omitempty"`
	// Tag is a Git tag.
	Tag string `json:"tag,omitempty"`
}

// SetPackage names a package of a repository.
type SetPackage struct {
	// Repo is the name of the Repository.
	Repo string `json:"repo,omitempty"`
	// Name of the package.
	Name string `json:"name,omitempty"`
}

// SetTarget selects the packages to make: exactly one of Package, Repositories
// and Objects.
type SetTarget struct {
	// Package is one downstream package.
	Package *SetPackage `json:"package,omitempty"`
	// Repositories selects Repository objects.
	Repositories *metav1.LabelSelector `json:"repositories,omitempty"`
	// Objects selects objects of any kind.
	Objects *SetObjects `json:"objects,omitempty"`
	// PackageName makes the name of the downstream package.
	PackageName *SetPackageName `json:"packageName,omitempty"`
}

// SetObjects selects objects and the repository for the package of each.
type SetObjects struct {
	// Selectors select the objects; any match is enough.
	Selectors []SetSelector `json:"selectors,omitempty"`
	// RepoName is the name of the downstream Repository.
	RepoName *ValueOrFromField `json:"repoName,omitempty"`
}

// SetSelector selects objects; all given parts must match.
type SetSelector struct {
	// APIVersion of the objects.
	APIVersion string `json:"apiVersion,omitempty"`
	// Kind of the objects.
	Kind string `json:"kind,omitempty"`
	// Name of the object.
	Name string `json:"name,omitempty"`
	// Namespace of the objects.
	Namespace string `json:"namespace,omitempty"`
	// Labels of the objects.
	Labels *metav1.LabelSelector `json:"labelSelector,omitempty"`
	// Annotations of the objects.
	Annotations map[string]string `json:"annotations,omitempty"`
}

// SetPackageName makes a name of three parts.
type SetPackageName struct {
	// BaseName is the middle. Defaults to the name of the upstream package.
	BaseName *ValueOrFromField `json:"baseName,omitempty"`
	// NamePrefix goes in front.
	NamePrefix *ValueOrFromField `json:"namePrefix,omitempty"`
	// NameSuffix goes behind.
	NameSuffix *ValueOrFromField `json:"nameSuffix,omitempty"`
}

// ValueOrFromField is a text, given as it is or as a field of the selected
// object.
type ValueOrFromField struct {
	// Value is the text itself.
	Value string `json:"value,omitempty"`
	// FromField is the path of a field, such as metadata.name.
	FromField string `json:"fromField,omitempty"`
}

// PackageVariantSetStatus is the result of the last pass.
type PackageVariantSetStatus struct {
	// Conditions of the set.
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
