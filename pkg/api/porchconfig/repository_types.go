package porchconfig

import (
	"cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Repository is a place where packages live.
type Repository struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec   RepositorySpec   `json:"spec"`
	Status RepositoryStatus `json:"status,omitzero"`
}

// RepositorySpec says where the packages are and what they are for.
type RepositorySpec struct {
	// Type is what kind of store it is: git or oci. Required.
	Type RepositoryType `json:"type,omitempty"`
	// Description is for people.
	Description string `json:"description,omitempty"`
	// Content is deprecated: "" or "Package".
	Content string `json:"content,omitempty"`
	// Deployment says that packages here are meant for clusters: a clone into it gets a package
	// context. Defaults to false. May change at any time; packages that exist keep what they have.
	Deployment bool `json:"deployment,omitempty"`
	// Sync says when to look at the repository again.
	Sync *RepositorySync `json:"sync,omitempty"`
	// Git is required when Type is git.
	Git *GitRepository `json:"git,omitempty"`
	// OCI is required when Type is oci.
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
	// Schedule is a cron expression.
	Schedule string `json:"schedule,omitempty"`
	// RunOnceAt is one moment to look at it, besides the schedule.
	RunOnceAt *metav1.Time `json:"runOnceAt,omitempty"`
}

// GitRepository is a Git repository or a directory of one.
type GitRepository struct {
	// Repo is its URL. Required.
	Repo string `json:"repo"`
	// Branch holds what is published. Defaults to main. Immutable.
	Branch string `json:"branch,omitempty"`
	// CreateBranch lets the branch be made when it is missing. Defaults to false.
	CreateBranch bool `json:"createBranch,omitempty"`
	// Directory is the root of the packages. Defaults to the root of the repository. Immutable.
	Directory string `json:"directory,omitempty"`
	// SecretRef names the Secret with the credentials, in the Repository's namespace.
	SecretRef SecretRef `json:"secretRef,omitzero"`
	// Author and Email of commits. Default to Porch's own.
	Author string `json:"author,omitempty"`
	Email  string `json:"email,omitempty"`
}

// BranchName is the branch that holds what is published: Branch, or main.
func (g *GitRepository) BranchName() string { return cmp.Or(g.Branch, "main") }

// OCIRepository is a registry with packages in it.
type OCIRepository struct {
	Registry  string    `json:"registry,omitempty"`
	SecretRef SecretRef `json:"secretRef,omitzero"`
}

// SecretRef names a Secret in the namespace of who refers to it.
type SecretRef struct {
	Name string `json:"name,omitempty"`
}

// RepositoryStatus is what Porch has seen of a repository.
type RepositoryStatus struct {
	// Conditions hold Ready: True while the last look at the repository went well.
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
	LastFullSyncTime   *metav1.Time       `json:"lastFullSyncTime,omitempty"`
	NextFullSyncTime   *metav1.Time       `json:"nextFullSyncTime,omitempty"`
	PackageCount       int                `json:"packageCount,omitempty"`
	GitCommitHash      string             `json:"gitCommitHash,omitempty"`
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	ObservedRunOnceAt  *metav1.Time       `json:"observedRunOnceAt,omitempty"`
}
