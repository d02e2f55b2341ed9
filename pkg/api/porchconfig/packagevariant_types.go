package porchconfig

import (
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PackageVariant is a downstream package that follows an upstream package, with
// changes.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=pkgvar,categories=waybill
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="True while the downstream is as in the spec."
// +kubebuilder:printcolumn:name="Downstream",type=string,JSONPath=`.spec.downstream.repo`,description="The Repository that the package is made in."
// +kubebuilder:printcolumn:name="Package",type=string,JSONPath=`.spec.downstream.package`,description="The package that is made."
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="The reason of the condition Ready, in one word."
// +kubebuilder:printcolumn:name="Message",type=string,priority=1,JSONPath=`.status.conditions[?(@.type=="Ready")].message`,description="The reason of the condition Ready."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was created."
// +kubebuilder:validation:XValidation:rule=`has(self.spec)`,message="missing required field spec.upstream; missing required field spec.downstream",reason=FieldValueRequired,fieldPath=".spec"
type PackageVariant struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Spec is the wanted state. All of it may change at any time.
	Spec PackageVariantSpec `json:"spec,omitzero"`
	// Status is the result of the last pass; the controller writes it.
	Status PackageVariantStatus `json:"status,omitzero"`
}

// PackageVariantList is a list of PackageVariants.
//
// +kubebuilder:object:root=true
type PackageVariantList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []PackageVariant `json:"items"`
}

// PackageVariantSpec is the wanted state. All of it may change at any time.
//
// +kubebuilder:validation:XValidation:rule=`has(self.upstream)`,message="missing required field spec.upstream",reason=FieldValueRequired,fieldPath=".upstream"
// +kubebuilder:validation:XValidation:rule=`has(self.downstream)`,message="missing required field spec.downstream",reason=FieldValueRequired,fieldPath=".downstream"
// +kubebuilder:validation:XValidation:rule=`!has(self.adoptionPolicy) || self.adoptionPolicy in ["", "adoptNone", "adoptExisting"]`,message="spec.adoptionPolicy field can only be \"adoptNone\" or \"adoptExisting\"",fieldPath=".adoptionPolicy"
// +kubebuilder:validation:XValidation:rule=`!has(self.deletionPolicy) || self.deletionPolicy in ["", "delete", "orphan"]`,message="spec.deletionPolicy can only be \"orphan\" or \"delete\"",fieldPath=".deletionPolicy"
type PackageVariantSpec struct {
	// Upstream is the package revision to follow. Required.
	// +kubebuilder:validation:XValidation:rule=`has(self.repo) && self.repo != ""`,message="missing required field spec.upstream.repo",reason=FieldValueRequired,fieldPath=".repo"
	// +kubebuilder:validation:XValidation:rule=`has(self.__package__) && self.__package__ != ""`,message="missing required field spec.upstream.package",reason=FieldValueRequired,fieldPath=".package"
	Upstream *Upstream `json:"upstream,omitempty"`
	// Downstream is the package to make. Required. When it changes,
	// DeletionPolicy applies to the revisions of the old one.
	// +kubebuilder:validation:XValidation:rule=`has(self.repo) && self.repo != ""`,message="missing required field spec.downstream.repo",reason=FieldValueRequired,fieldPath=".repo"
	// +kubebuilder:validation:XValidation:rule=`has(self.__package__) && self.__package__ != ""`,message="missing required field spec.downstream.package",reason=FieldValueRequired,fieldPath=".package"
	Downstream *Downstream `json:"downstream,omitempty"`
	// AdoptionPolicy is the policy for revisions that exist already: adoptNone or
	// adoptExisting. Defaults to adoptNone. DeletionPolicy applies to what was
	// adopted.
	AdoptionPolicy AdoptionPolicy `json:"adoptionPolicy,omitempty"`
	// DeletionPolicy is the policy for owned revisions that are no longer wanted:
	// delete or orphan. Defaults to delete.
	DeletionPolicy DeletionPolicy `json:"deletionPolicy,omitempty"`
	// Labels are put on new and on adopted package revisions. A change does not
	// reach the revisions that the variant owns already.
	Labels map[string]string `json:"labels,omitempty"`
	// Annotations are put on new and on adopted package revisions. A change does
	// not reach the revisions that the variant owns already.
	Annotations map[string]string `json:"annotations,omitempty"`
	// PackageContext changes the package's context ConfigMap.
	PackageContext *PackageContext `json:"packageContext,omitempty"`
	// Pipeline holds functions that run before those of the package.
	Pipeline *kptfilev1.Pipeline `json:"pipeline,omitempty"`
	// Injectors select the objects to copy into injection points; the first match
	// is used.
	Injectors []InjectionSelector `json:"injectors,omitempty"`
}

// Upstream names a package revision, by workspaceName, by revision or by both,
// which must name the same one; or it follows the newest of several by follow.
//
// +kubebuilder:validation:XValidation:rule=`!has(self.follow) || self.follow == "" || !(has(self.revision) && self.revision != 0 || has(self.workspaceName) && self.workspaceName != "")`,message="spec.upstream.follow excludes spec.upstream.revision and spec.upstream.workspaceName",fieldPath=".follow"
// +kubebuilder:validation:XValidation:rule=`!has(self.follow) || self.follow in ["", "latest"] || self.follow.matches("^[-0-9vxX*.,|<>=!~^ ]+$")`,message="spec.upstream.follow must be \"latest\" or a range of revision numbers such as \">=2 <5\"",fieldPath=".follow"
type Upstream struct {
	// Repo is the name of the Repository of the upstream package, in the same
	// namespace. Required.
	Repo string `json:"repo,omitempty"`
	// Package is the upstream package: its path in the repository, which may
	// contain slashes. Required.
	Package string `json:"package,omitempty"`
	// WorkspaceName selects the revision with this workspace, published or not.
	WorkspaceName string `json:"workspaceName,omitempty"`
	// Revision selects the published revision with this number, 1 or more. 0 is
	// the same as absent.
	Revision int `json:"revision,omitempty"`
	// Follow selects the highest published revision at any time:
	// "latest" of all of them, or of those in a range of revision numbers, such as
	// ">=2 <5" or "~3". New revisions are then used automatically, as new drafts. The
	// number n stands for version n.0.0 in ranges of semantic versions. Absent:
	// the revision stays until the spec changes. Excludes workspaceName and
	// revision. At most 256 characters in an API server.
	// +kubebuilder:validation:MaxLength=256
	Follow string `json:"follow,omitempty"`
}

// Downstream names a package to make.
type Downstream struct {
	// Repo is the name of the Repository to make the package in, in the same
	// namespace. Required.
	Repo string `json:"repo,omitempty"`
	// Package is the package to make: its path in the repository, which may
	// contain slashes. Required.
	Package string `json:"package,omitempty"`
}

// AdoptionPolicy is a policy for revisions that exist already.
type AdoptionPolicy string

// The adoption policies; "" is AdoptNone.
const (
	AdoptNone     AdoptionPolicy = "adoptNone"
	AdoptExisting AdoptionPolicy = "adoptExisting"
)

// DeletionPolicy is a policy for revisions that are no longer wanted.
type DeletionPolicy string

// The deletion policies; "" is DeletionDelete.
const (
	DeletionDelete DeletionPolicy = "delete"
	DeletionOrphan DeletionPolicy = "orphan"
)

// PackageContext changes the data of a package's context ConfigMap. The keys
// name and package-path cannot be changed. A key that is both set and
// removed is removed.
type PackageContext struct {
	// Data are keys to set, with their values.
	// +kubebuilder:validation:XValidation:rule=`!("name" in self)`,message="must not contain the key \"name\""
	// +kubebuilder:validation:XValidation:rule=`!("package-path" in self)`,message="must not contain the key \"package-path\""
	Data map[string]string `json:"data,omitempty"`
	// RemoveKeys are keys to remove.
	// +kubebuilder:validation:XValidation:rule=`!("name" in self)`,message="must not contain the key \"name\""
	// +kubebuilder:validation:XValidation:rule=`!("package-path" in self)`,message="must not contain the key \"package-path\""
	RemoveKeys []string `json:"removeKeys,omitempty"`
}

// InjectionSelector matches injection points by group, version and kind, and
// names the object to copy from. An unset part matches everything; "" as group
// is the core group.
//
// +kubebuilder:validation:XValidation:rule=`self.name != ""`,message="must not be empty",fieldPath=".name"
type InjectionSelector struct {
	// Group of the injection point. Absent matches every group; "" is the core
	// group.
	Group *string `json:"group,omitempty"`
	// Version of the injection point. Absent matches every version.
	Version *string `json:"version,omitempty"`
	// Kind of the injection point. Absent matches every kind.
	Kind *string `json:"kind,omitempty"`
	// Name of the object to copy from, in the namespace of the variant. Required.
	Name string `json:"name"`
}

// Adopts reports whether revisions that exist already are adopted.
func (s *PackageVariantSpec) Adopts() bool { return s.AdoptionPolicy == AdoptExisting }

// Orphans reports whether revisions that are no longer wanted are released
// instead of deleted.
func (s *PackageVariantSpec) Orphans() bool { return s.DeletionPolicy == DeletionOrphan }

// IsKnown reports whether p is a policy, or empty. An unknown policy must not delete anything.
func (p DeletionPolicy) IsKnown() bool { return p == "" || p == DeletionDelete || p == DeletionOrphan }
