package porchconfig

import (
	"encoding/json"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PackageVariant wants one downstream package to follow one upstream package, with changes.
type PackageVariant struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec   PackageVariantSpec   `json:"spec,omitzero"`
	Status PackageVariantStatus `json:"status,omitzero"`
}

// PackageVariantSpec is what is wanted. Everything in it may change at any time.
type PackageVariantSpec struct {
	// Upstream is the package revision to follow. Required.
	Upstream *Upstream `json:"upstream,omitempty"`
	// Downstream is the package to make and keep. Required. When it changes, DeletionPolicy
	// applies to the revisions of the old one.
	Downstream *Downstream `json:"downstream,omitempty"`
	// AdoptionPolicy says whether revisions that exist already may be taken over: adoptNone (the
	// default) or adoptExisting.
	AdoptionPolicy AdoptionPolicy `json:"adoptionPolicy,omitempty"`
	// DeletionPolicy says what becomes of owned revisions that are no longer wanted: delete (the
	// default) or orphan.
	DeletionPolicy DeletionPolicy `json:"deletionPolicy,omitempty"`
	// Labels and Annotations are put on new and on adopted package revisions.
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
	// PackageContext changes the package's context ConfigMap.
	PackageContext *PackageContext `json:"packageContext,omitempty"`
	// Pipeline holds functions that go in front of the package's own.
	Pipeline *kptfilev1.Pipeline `json:"pipeline,omitempty"`
	// Injectors choose the objects to copy into injection points; the first that matches wins.
	Injectors []InjectionSelector `json:"injectors,omitempty"`
}

// Upstream names a package revision. At least one of WorkspaceName and Revision is needed; when
// both are given they must name the same revision.
type Upstream struct {
	Repo          string `json:"repo,omitempty"`
	Package       string `json:"package,omitempty"`
	WorkspaceName string `json:"workspaceName,omitempty"`
	// Revision is the number of a published revision, 1 or more. 0 is not given.
	Revision int `json:"revision,omitempty"`
}

// Downstream names a package. Package may contain slashes.
type Downstream struct {
	Repo    string `json:"repo,omitempty"`
	Package string `json:"package,omitempty"`
}

// AdoptionPolicy says whether to take over what exists.
type AdoptionPolicy string

// The adoption policies; "" is AdoptNone.
const (
	AdoptNone     AdoptionPolicy = "adoptNone"
	AdoptExisting AdoptionPolicy = "adoptExisting"
)

// DeletionPolicy says what becomes of what is no longer wanted.
type DeletionPolicy string

// The deletion policies; "" is DeletionDelete.
const (
	DeletionDelete DeletionPolicy = "delete"
	DeletionOrphan DeletionPolicy = "orphan"
)

// PackageContext changes the data of a package's context ConfigMap. The keys name and
// package-path are not its to change. A key that is both set and removed is removed.
type PackageContext struct {
	Data       map[string]string `json:"data,omitempty"`
	RemoveKeys []string          `json:"removeKeys,omitempty"`
}

// InjectionSelector matches injection points by group, version and kind, and names the object to
// copy from. An unset part matches everything; "" as group is the core group.
type InjectionSelector struct {
	Group   *string `json:"group,omitempty"`
	Version *string `json:"version,omitempty"`
	Kind    *string `json:"kind,omitempty"`
	Name    string  `json:"name"`
}

// PackageVariantStatus is what came of it.
type PackageVariantStatus struct {
	// Conditions are those of conditions.go.
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// DownstreamTargets are the revisions that are kept now.
	DownstreamTargets []DownstreamTarget `json:"downstreamTargets,omitempty"`
}

// DownstreamTarget is a package revision that is kept.
type DownstreamTarget struct {
	Name         string       `json:"name,omitempty"`
	RenderStatus RenderStatus `json:"renderStatus,omitzero"`
}

// RenderStatus is how the last render went. Result is a FunctionResultList as it came.
type RenderStatus struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// Adopts reports whether revisions that exist already may be taken over.
func (s *PackageVariantSpec) Adopts() bool { return s.AdoptionPolicy == AdoptExisting }

// Orphans reports whether revisions that are no longer wanted are let go instead of deleted.
func (s *PackageVariantSpec) Orphans() bool { return s.DeletionPolicy == DeletionOrphan }
