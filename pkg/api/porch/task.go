// Package porch holds the kinds of API group porch.kpt.dev that Waybill reads from and writes to
// Git: the task that made a package revision, and the stage of life a revision is in.
//
// Shape: plain values with JSON tags. The order of the fields is the order in which they are
// written, because commit annotations, and with them commit ids, depend on it.
// Errors: none here; a value that JSON cannot decode is refused where it is read.
// Source: Porch's API group porch.kpt.dev and its commit annotations.
package porch

// TaskType says which of a Task's parts is set.
type TaskType string

// The task types. Render and push occur only in commit annotations, and carry no part.
const (
	TaskInit    TaskType = "init"
	TaskClone   TaskType = "clone"
	TaskEdit    TaskType = "edit"
	TaskUpgrade TaskType = "upgrade"
	TaskRender  TaskType = "render"
	TaskPush    TaskType = "push"
)

// Task is what made a commit of a package revision. At most the part that Type names is set.
type Task struct {
	Type    TaskType     `json:"type"`
	Init    *InitTask    `json:"init,omitempty"`
	Clone   *CloneTask   `json:"clone,omitempty"`
	Edit    *EditTask    `json:"edit,omitempty"`
	Upgrade *UpgradeTask `json:"upgrade,omitempty"`
}

// Creates reports whether the task is one that a revision begins with.
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
}

// UpstreamPackage names where a clone comes from: exactly one of Git, OCI and UpstreamRef.
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

// UpgradeTask merges what upstream became since OldUpstream into LocalPackageRevision.
type UpgradeTask struct {
	OldUpstream          PackageRevisionRef `json:"oldUpstreamRef"`
	NewUpstream          PackageRevisionRef `json:"newUpstreamRef"`
	LocalPackageRevision PackageRevisionRef `json:"localPackageRevisionRef"`
	Strategy             string             `json:"strategy,omitempty"`
}

// Lifecycle is the stage of life a package revision is in.
type Lifecycle string

// The stages. DeletionProposed is still published: its content stays in force.
const (
	Draft            Lifecycle = "Draft"
	Proposed         Lifecycle = "Proposed"
	Published        Lifecycle = "Published"
	DeletionProposed Lifecycle = "DeletionProposed"
)

// IsPublished reports whether a revision of this stage is in force.
func (l Lifecycle) IsPublished() bool { return l == Published || l == DeletionProposed }
