package porchconfig

import (
	"cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Repository is a place where packages live.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=pkgrepo,categories=waybill
// +kubebuilder:printcolumn:name="Type",type=string,JSONPath=`.spec.type`,description="What kind of store it is."
// +kubebuilder:printcolumn:name="Deployment",type=boolean,JSONPath=`.spec.deployment`,description="Whether its packages are meant for clusters."
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="True while the last look at the repository went well."
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="Why Ready is what it is, in one word."
// +kubebuilder:printcolumn:name="Packages",type=integer,priority=1,JSONPath=`.status.packageCount`,description="How many packages were found."
// +kubebuilder:printcolumn:name="Repo",type=string,JSONPath=`.spec.git.repo`,description="URL of the Git repository."
// +kubebuilder:printcolumn:name="Branch",type=string,priority=1,JSONPath=`.spec.git.branch`,description="The branch that holds what is published; main when empty."
// +kubebuilder:printcolumn:name="Directory",type=string,priority=1,JSONPath=`.spec.git.directory`,description="The root of the packages."
// +kubebuilder:printcolumn:name="Message",type=string,priority=1,JSONPath=`.status.conditions[?(@.type=="Ready")].message`,description="Why Ready is what it is."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was made."
type Repository struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Spec says where the packages are and what they are for. Required.
	Spec RepositorySpec `json:"spec"`
	// Status is what was seen of the repository; Porch writes it.
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

// RepositorySpec says where the packages are and what they are for.
//
// +kubebuilder:validation:XValidation:rule=`has(self.type) && self.type != ""`,message="missing required field spec.type",reason=FieldValueRequired,fieldPath=".type"
// +kubebuilder:validation:XValidation:rule=`!has(self.type) || self.type in ["", "git", "oci"]`,message="spec.type can only be \"git\" or \"oci\"",fieldPath=".type"
// +kubebuilder:validation:XValidation:rule=`!has(self.type) || self.type != "git" || has(self.git)`,message="missing required field spec.git",reason=FieldValueRequired,fieldPath=".git"
// +kubebuilder:validation:XValidation:rule=`!has(self.type) || self.type != "git" || !has(self.git) || self.git.repo != ""`,message="missing required field spec.git.repo",reason=FieldValueRequired,fieldPath=".git.repo"
// +kubebuilder:validation:XValidation:rule=`!has(self.type) || self.type != "oci" || has(self.oci)`,message="missing required field spec.oci",reason=FieldValueRequired,fieldPath=".oci"
// +kubebuilder:validation:XValidation:rule=`!has(self.type) || self.type != "oci" || !has(self.oci) || has(self.oci.registry) && self.oci.registry != ""`,message="missing required field spec.oci.registry",reason=FieldValueRequired,fieldPath=".oci.registry"
type RepositorySpec struct {
	// Type is what kind of store it is: git or oci. Required.
	Type RepositoryType `json:"type,omitempty"`
	// Description is for people. Defaults to nothing. May change at any time.
	Description string `json:"description,omitempty"`
	// Content is deprecated and without effect: "" or "Package".
	Content string `json:"content,omitempty"`
	// Deployment says that packages here are meant for clusters: a clone into it
	// gets a package context. Defaults to false. May change at any time; packages
	// that exist keep what they have.
	Deployment bool `json:"deployment,omitempty"`
	// Sync says when to look at the repository again. Defaults to whatever suits
	// the controller. May change at any time.
	Sync *RepositorySync `json:"sync,omitempty"`
	// Git says where the Git repository is. Required when type is git.
	Git *GitRepository `json:"git,omitempty"`
	// OCI says where the OCI registry is. Required when type is oci.
	OCI *OCIRepository `json:"oci,omitempty"`
}

// RepositoryType is the kind of a store.
type RepositoryType string

// The repository types.
const (
	RepositoryTypeGit RepositoryType = "git"
	RepositoryTypeOCI RepositoryType = "oci"
)

// RepositorySync says when to look at a repository.
type RepositorySync struct {
	// Schedule is a cron expression with five fields, such as "*/10 * * * *", in
	// UTC. Defaults to none.
	Schedule string `json:"schedule,omitempty"`
	// RunOnceAt is one moment to look at it, besides the schedule. Defaults to
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
	// Branch holds what is published. Defaults to main. Immutable.
	// +kubebuilder:validation:MaxLength=1024
	Branch string `json:"branch,omitempty"`
	// CreateBranch lets the branch be made when it is missing. Defaults to false.
	// May change at any time.
	CreateBranch bool `json:"createBranch,omitempty"`
	// Directory is the root of the packages, a path in the repository. Defaults to
	// the root of the repository. Immutable.
	// +kubebuilder:validation:MaxLength=4096
	Directory string `json:"directory,omitempty"`
	// SecretRef names the Secret with the credentials, in the Repository's
	// namespace. Defaults to none: the repository is open. May change at any time.
	SecretRef SecretRef `json:"secretRef,omitzero"`
	// Author is the name of the author of commits. Defaults to Porch's own.
	Author string `json:"author,omitempty"`
	// Email is the mail address of the author of commits. Defaults to Porch's own.
	Email string `json:"email,omitempty"`
}

// BranchName is the branch that holds what is published: Branch, or main.
func (g *GitRepository) BranchName() string { return cmp.Or(g.Branch, "main") }

// OCIRepository is a registry with packages in it.
type OCIRepository struct {
	// Registry is its address. Required.
	Registry string `json:"registry,omitempty"`
	// SecretRef names the Secret with the credentials, in the Repository's
	// namespace. Defaults to none.
	SecretRef SecretRef `json:"secretRef,omitzero"`
}

// SecretRef names a Secret in the namespace of who refers to it.
type SecretRef struct {
	// Name of the Secret. Empty names none.
	Name string `json:"name,omitempty"`
}

// RepositoryStatus is what Porch has seen of a repository.
type RepositoryStatus struct {
	// Conditions hold Ready: True while the last look at the repository went well,
	// False otherwise; and Overlapping: True while another Repository of the
	// namespace shows revisions that this one shows, too, absent otherwise.
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// LastFullSyncTime is when the repository was looked at last.
	LastFullSyncTime *metav1.Time `json:"lastFullSyncTime,omitempty"`
	// NextFullSyncTime is when it will be looked at next.
	NextFullSyncTime *metav1.Time `json:"nextFullSyncTime,omitempty"`
	// PackageCount is how many packages were found then.
	PackageCount int `json:"packageCount,omitempty"`
	// GitCommitHash is the commit of the branch then.
	GitCommitHash string `json:"gitCommitHash,omitempty"`
	// ObservedGeneration is the metadata.generation that this status speaks of.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// ObservedRunOnceAt is the spec.sync.runOnceAt that has been honoured.
	ObservedRunOnceAt *metav1.Time `json:"observedRunOnceAt,omitempty"`
}
