package porchconfig

import (
	"cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Repository is a Git repository or an OCI registry with packages.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=pkgrepo,categories=waybill
// +kubebuilder:printcolumn:name="Type",type=string,JSONPath=`.spec.type`,description="The kind of store."
// +kubebuilder:printcolumn:name="Deployment",type=boolean,JSONPath=`.spec.deployment`,description="Whether its packages are for clusters."
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="True while the last reading of the repository succeeded."
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="The reason of the condition Ready, in one word."
// +kubebuilder:printcolumn:name="Packages",type=integer,priority=1,JSONPath=`.status.packageCount`,description="How many packages were found."
// +kubebuilder:printcolumn:name="Repo",type=string,JSONPath=`.spec.git.repo`,description="URL of the Git repository."
// +kubebuilder:printcolumn:name="Branch",type=string,priority=1,JSONPath=`.spec.git.branch`,description="The branch with the published packages; main when empty."
// +kubebuilder:printcolumn:name="Directory",type=string,priority=1,JSONPath=`.spec.git.directory`,description="The root of the packages."
// +kubebuilder:printcolumn:name="Message",type=string,priority=1,JSONPath=`.status.conditions[?(@.type=="Ready")].message`,description="The reason of the condition Ready."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was created."
type Repository struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Spec is the location and the use of the packages. Required.
	Spec RepositorySpec `json:"spec"`
	// Status is the state of the repository; Porch writes it.
	Status RepositoryStatus `json:"status,omitzero"`
}

// RepositoryList is a list of Repositories.
//
// +kubebuilder:object:root=true
type RepositoryList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Repository `json:"items"`
}

// RepositorySpec is the location and the use of the packages.
//
// +kubebuilder:validation:XValidation:rule=`has(self.type) && self.type != ""`,message="missing required field spec.type",reason=FieldValueRequired,fieldPath=".type"
// +kubebuilder:validation:XValidation:rule=`!has(self.type) || self.type in ["", "git", "oci"]`,message="spec.type can only be \"git\" or \"oci\"",fieldPath=".type"
// +kubebuilder:validation:XValidation:rule=`!has(self.type) || self.type != "git" || has(self.git)`,message="missing required field spec.git",reason=FieldValueRequired,fieldPath=".git"
// +kubebuilder:validation:XValidation:rule=`!has(self.type) || self.type != "git" || !has(self.git) || self.git.repo != ""`,message="missing required field spec.git.repo",reason=FieldValueRequired,fieldPath=".git.repo"
// +kubebuilder:validation:XValidation:rule=`!has(self.type) || self.type != "oci" || has(self.oci)`,message="missing required field spec.oci",reason=FieldValueRequired,fieldPath=".oci"
// +kubebuilder:validation:XValidation:rule=`!has(self.type) || self.type != "oci" || !has(self.oci) || has(self.oci.registry) && self.oci.registry != ""`,message="missing required field spec.oci.registry",reason=FieldValueRequired,fieldPath=".oci.registry"
type RepositorySpec struct {
	// Type is the kind of store: git or oci. Required.
	Type RepositoryType `json:"type,omitempty"`
	// Description is for users. Empty by default. May change at any time.
	Description string `json:"description,omitempty"`
	// Content is deprecated and without effect: "" or "Package".
	Content string `json:"content,omitempty"`
	// Deployment marks a repository of packages for clusters: a clone into it gets
	// a package context. Defaults to false. May change at any time, without an
	// effect on present packages.
	Deployment bool `json:"deployment,omitempty"`
	// Sync is when the repository is read again. The default is the controller's.
	// May change at any time.
	Sync *RepositorySync `json:"sync,omitempty"`
	// Git is the location of the Git repository. Required when type is git.
	Git *GitRepository `json:"git,omitempty"`
	// OCI is the location of the OCI registry. Required when type is oci.
	OCI *OCIRepository `json:"oci,omitempty"`
}

// RepositoryType is the kind of a store.
type RepositoryType string

// The repository types.
const (
	RepositoryTypeGit RepositoryType = "git"
	RepositoryTypeOCI RepositoryType = "oci"
)

// RepositorySync is when a repository is read again.
type RepositorySync struct {
	// Schedule is a cron expression with five fields, such as "*/10 * * * *", in
	// UTC. Defaults to none.
	Schedule string `json:"schedule,omitempty"`
	// RunOnceAt is one more time to read it, besides the schedule. Defaults to
	// none.
	RunOnceAt *metav1.Time `json:"runOnceAt,omitempty"`
}

// GitRepository is a Git repository or a directory of one.
//
// +kubebuilder:validation:XValidation:rule=`(has(self.branch) && self.branch != "" ? self.branch : "main") == (has(oldSelf.branch) && oldSelf.branch != "" ? oldSelf.branch : "main")`,message="spec.git.branch is immutable",fieldPath=".branch"
// +kubebuilder:validation:XValidation:rule=`(has(self.directory) ? self.directory : "") == (has(oldSelf.directory) ? oldSelf.directory : "")`,message="spec.git.directory is immutable",fieldPath=".directory"
type GitRepository struct {
	// Repo is its URL: https or http, in a cluster. Required.
	Repo string `json:"repo"`
	// Branch holds the published packages. Defaults to main. Immutable.
	// +kubebuilder:validation:MaxLength=1024
	Branch string `json:"branch,omitempty"`
	// CreateBranch allows creating the branch if it is missing. Defaults to false.
	// May change at any time.
	CreateBranch bool `json:"createBranch,omitempty"`
	// Directory is the root of the packages, a path in the repository. Defaults to
	// the root of the repository. Immutable.
	// +kubebuilder:validation:MaxLength=4096
	Directory string `json:"directory,omitempty"`
	// SecretRef names the Secret with the credentials, in the Repository's
	// namespace. Defaults to none: no credentials are needed. May change at any time.
	SecretRef SecretRef `json:"secretRef,omitzero"`
	// Author is the name of the author of commits. Defaults to Porch's own.
	Author string `json:"author,omitempty"`
	// Email is the mail address of the author of commits. Defaults to Porch's own.
	Email string `json:"email,omitempty"`
}

// BranchName is the branch with the published packages: Branch, or main.
func (g *GitRepository) BranchName() string { return cmp.Or(g.Branch, "main") }

// OCIRepository is a registry with packages in it.
type OCIRepository struct {
	// Registry is its address, HOST or HOST/PATH. The repositories below it are
	// packages; those that the registry does not list are named by the annotation
	// waybill.dev/packages. Required.
	Registry string `json:"registry,omitempty"`
	// SecretRef names the Secret with the credentials, in the Repository's
	// namespace. Defaults to none.
	SecretRef SecretRef `json:"secretRef,omitzero"`
}

// SecretRef names a Secret in the namespace of the referring object.
type SecretRef struct {
	// Name of the Secret. Empty names none.
	Name string `json:"name,omitempty"`
}

// RepositoryStatus is the state of a repository in Porch.
type RepositoryStatus struct {
	// Conditions hold Ready: True while the last reading of the repository
	// succeeded, False otherwise; and Overlapping: True while another Repository of
	// the namespace shows some of the same revisions, absent otherwise. Where a
	// Porch keeps the status, Ready is Porch's, and waybill.dev/Ready is Waybill's.
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// LastFullSyncTime is when the repository was last read.
	LastFullSyncTime *metav1.Time `json:"lastFullSyncTime,omitempty"`
	// NextFullSyncTime is when it will be read next.
	NextFullSyncTime *metav1.Time `json:"nextFullSyncTime,omitempty"`
	// PackageCount is how many packages were found then.
	PackageCount int `json:"packageCount,omitempty"`
	// GitCommitHash is the commit of the branch then.
	GitCommitHash string `json:"gitCommitHash,omitempty"`
	// ObservedGeneration is the metadata.generation of this status.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// ObservedRunOnceAt is the spec.sync.runOnceAt that has been honoured.
	ObservedRunOnceAt *metav1.Time `json:"observedRunOnceAt,omitempty"`
}
