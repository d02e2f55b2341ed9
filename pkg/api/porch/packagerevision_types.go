package porch

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// PackageRevision is one revision of one package, as Porch's API server shows it. The server makes its name.
//
// +kubebuilder:object:root=true
type PackageRevision struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   PackageRevisionSpec   `json:"spec,omitempty"`
	Status PackageRevisionStatus `json:"status,omitempty"`
}

// PackageRevisionSpec says which revision it is. Only the lifecycle may change.
type PackageRevisionSpec struct {
	PackageName   string    `json:"packageName,omitempty"` // its path below the repository's directory
	Repository    string    `json:"repository,omitempty"`
	WorkspaceName string    `json:"workspaceName,omitempty"`
	Revision      int       `json:"revision,omitempty"` // 0 draft or proposal, N≥1 published, -1 what the main branch holds
	Lifecycle     Lifecycle `json:"lifecycle,omitempty"`
	Tasks         []Task    `json:"tasks,omitempty"` // at most one when it is created
}

// PackageRevisionStatus is what the server knows of it.
type PackageRevisionStatus struct {
	SelfLock    *Lock       `json:"selfLock,omitempty"` // absent in Porch 1.5.3
	PublishedBy string      `json:"publishedBy,omitempty"`
	PublishedAt metav1.Time `json:"publishTimestamp,omitempty"`
}

// Lock is a place in a repository.
type Lock struct {
	Git *GitLock `json:"git,omitempty"`
}

// GitLock is a place in a Git repository.
type GitLock struct {
	Commit string `json:"commit,omitempty"`
}

// PackageRevisionList is a list of PackageRevisions.
//
// +kubebuilder:object:root=true
type PackageRevisionList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []PackageRevision `json:"items"`
}

// PackageRevisionResources are the files of the PackageRevision with the same name.
//
// +kubebuilder:object:root=true
type PackageRevisionResources struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec PackageRevisionResourcesSpec `json:"spec,omitempty"`
}

// PackageRevisionResourcesSpec has the files. An update replaces all of them.
type PackageRevisionResourcesSpec struct {
	PackageName   string            `json:"packageName,omitempty"`
	Repository    string            `json:"repository,omitempty"`
	WorkspaceName string            `json:"workspaceName,omitempty"`
	Resources     map[string]string `json:"resources,omitempty"` // text by path below the package
}
