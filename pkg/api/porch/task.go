// Package porch holds the kinds of API group porch.kpt.dev: PackageRevision and PackageRevisionResources, as far as Waybill needs
// them, and what it also reads from and writes to Git: the task that made a package revision, and the lifecycle stage of a revision.
//
// Shape: plain values with JSON tags. Fields are in the order of their JSON form: commit
// annotations, and so the ids of commits, depend on it.
// Cost: negligible.
// Errors: none here; a value that JSON cannot decode is refused by its reader.
// Source: Porch's API group porch.kpt.dev and its commit annotations.
//
// +kubebuilder:object:generate=true
// +groupName=porch.kpt.dev
// +versionName=v1alpha1
package porch

//go:generate go tool controller-gen object paths=.

// TaskType is the type of a Task, which has the part of that name.
type TaskType string

// PushOnRenderFailure is the annotation with which a draft is kept although it does not render, if its value is "true".
const PushOnRenderFailure = "porch.kpt.dev/push-on-render-failure"

// The task types. Render and push occur only in commit annotations, and have no part.
const (
	TaskInit    TaskType = "init"
	TaskClone   TaskType = "clone"
	TaskEdit    TaskType = "edit"
	TaskUpgrade TaskType = "upgrade"
	TaskRender  TaskType = "render"
	TaskPush    TaskType = "push"
)

// Task made a commit of a package revision. Only the part that Type names may be set.
type Task struct {
	Type    TaskType     `json:"type"`
	Init    *InitTask    `json:"init,omitempty"`
	Clone   *CloneTask   `json:"clone,omitempty"`
	Edit    *EditTask    `json:"edit,omitempty"`
	Upgrade *UpgradeTask `json:"upgrade,omitempty"`
}

// Creates reports whether the task can be the first of a revision.
func (t Task) Creates() bool {
	switch t.Type {
	case TaskInit, TaskClone, TaskEdit, TaskUpgrade:
		return true
	}
	return false
}

// InitTask starts an empty package.
type InitTask struct {
	Subpackage  string   `json:"subpackage,omitempty"`
	Description string   `json:"description,omitempty"`
	Keywords    []string `json:"keywords,omitempty"`
	Site        string   `json:"site,omitempty"`
}

// CloneTask starts a package from an upstream. The doubled upstreamRef.upstreamRef is the API's.
type CloneTask struct {
	Upstream UpstreamPackage `json:"upstreamRef"`
	Strategy string          `json:"strategy,omitempty"` // of later upgrades; the variant controllers leave it out
}

// UpstreamPackage is the source of a clone: exactly one of Git, OCI and UpstreamRef.
type UpstreamPackage struct {
	Type        RepositoryType      `json:"type,omitempty"`
	Git         *GitPackage         `json:"git,omitempty"`
	OCI         *OCIPackage         `json:"oci,omitempty"`
	UpstreamRef *PackageRevisionRef `json:"upstreamRef,omitempty"`
}

// RepositoryType is the kind of a repository.
type RepositoryType string

// The repository types.
const (
	RepositoryGit RepositoryType = "git"
	RepositoryOCI RepositoryType = "oci"
)

// GitPackage is a directory of a Git repository at a ref.
type GitPackage struct {
	Repo      string     `json:"repo"`
	Ref       string     `json:"ref"`
	Directory string     `json:"directory"`
	SecretRef *SecretRef `json:"secretRef,omitempty"`
}

// SecretRef names the Secret with the credentials, in the namespace of the revision.
type SecretRef struct {
	Name string `json:"name"`
}

// OCIPackage is a package in an OCI image.
type OCIPackage struct {
	Image string `json:"image"`
}

// PackageRevisionRef names a PackageRevision of the same namespace.
type PackageRevisionRef struct {
	Name string `json:"name"`
}

// EditTask continues a published revision of the same package.
type EditTask struct {
	Source *PackageRevisionRef `json:"sourceRef"`
}

// UpgradeTask merges the changes of upstream since OldUpstream into LocalPackageRevision.
type UpgradeTask struct {
	OldUpstream          PackageRevisionRef `json:"oldUpstreamRef"`
	NewUpstream          PackageRevisionRef `json:"newUpstreamRef"`
	LocalPackageRevision PackageRevisionRef `json:"localPackageRevisionRef"`
	Strategy             string             `json:"strategy,omitempty"`
}

// Lifecycle is the stage of a package revision.
type Lifecycle string

// The stages. A revision with DeletionProposed is still published.
const (
	Draft            Lifecycle = "Draft"
	Proposed         Lifecycle = "Proposed"
	Published        Lifecycle = "Published"
	DeletionProposed Lifecycle = "DeletionProposed"
)

// IsPublished reports whether a revision of this stage is published.
func (l Lifecycle) IsPublished() bool { return l == Published || l == DeletionProposed }
