package waybill

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// PublishedResource offers a type of one API service, the destination, to the consumers of another, the
// source: of each object that they make there a copy is kept here, related objects follow in either
// direction, and status flows back.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories=waybill
// +kubebuilder:printcolumn:name="Group",type=string,JSONPath=`.spec.resource.apiGroup`,description="API group of the type here."
// +kubebuilder:printcolumn:name="Kind",type=string,JSONPath=`.spec.resource.kind`,description="Its kind."
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="True while all objects are kept in sync."
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="Why Ready is what it is, in one word."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was made."
type PublishedResource struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Spec may change at any time, but what is kept in sync is known by this object's name and spec.agentName.
	Spec PublishedResourceSpec `json:"spec"`
	// Status is the live controller's.
	Status PublishedResourceStatus `json:"status,omitzero"`
}

// PublishedResourceList is a list of PublishedResources.
//
// +kubebuilder:object:root=true
type PublishedResourceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []PublishedResource `json:"items"`
}

// PublishedResourceSpec says what is offered, and how it is kept.
type PublishedResourceSpec struct {
	// Resource is the type at the destination.
	Resource PublishedType `json:"resource"`
	// Filter says which objects of consumers count. Absent: all.
	Filter *PublishedFilter `json:"filter,omitempty"`
	// Naming says what copies are called. It is asked when a copy is made, and not again.
	Naming *PublishedNaming `json:"naming,omitempty"`
	// EnableWorkspacePaths has copies carry the path of their source's workspace, and templates see it.
	EnableWorkspacePaths bool `json:"enableWorkspacePaths,omitempty"`
	// Projection is what consumers see of the type. Absent: the same as it is here.
	Projection *PublishedProjection `json:"projection,omitempty"`
	// Mutation changes objects on their way.
	Mutation *PublishedMutation `json:"mutation,omitempty"`
	// Related are objects that go along, at most 50 kinds of them.
	// +kubebuilder:validation:MaxItems=50
	Related []PublishedRelated `json:"related,omitempty"`
	// Synchronization can switch off that objects are moved. Absent: they are.
	Synchronization *PublishedSynchronization `json:"synchronization,omitempty"`

	// AgentName tells syncers apart that serve one destination: a label value, which copies carry. Defaults
	// to nothing. It must not change, or all copies look like somebody else's.
	// +kubebuilder:validation:MaxLength=63
	AgentName string `json:"agentName,omitempty"`
	// Cluster is the name of the workspace of source objects that do not say theirs.
	// +kubebuilder:validation:MaxLength=63
	Cluster string `json:"cluster,omitempty"`
	// Paths say in which folders of a package the sides lie. It means nothing in a cluster.
	Paths *PublishedPaths `json:"paths,omitempty"`
	// View is Complete or Partial, the default. Partial keeps copies whose source is not seen.
	// +kubebuilder:validation:MaxLength=16
	View string `json:"view,omitempty"`
	// AllowEmpty lets copies go even where no source object at all is there any more.
	AllowEmpty bool `json:"allowEmpty,omitempty"`
	// MaxDeletions is the most that one run may delete: a number, or a percentage of all copies. Above it
	// nothing changes at all. Absent: no limit.
	MaxDeletions *intstr.IntOrString `json:"maxDeletions,omitempty"`
	// AdoptionPolicy says what to do with an object that is to be a copy and was there before: Converge, the
	// default, makes it one and asserts every field of the source; Preserve makes it one as it is; Never is an
	// error.
	// +kubebuilder:validation:MaxLength=16
	AdoptionPolicy string `json:"adoptionPolicy,omitempty"`
	// DriftPolicy says what to do with a field that somebody else changed in a copy: Tolerate, the default,
	// leaves it until the source changes it; Correct puts it right.
	// +kubebuilder:validation:MaxLength=16
	DriftPolicy string `json:"driftPolicy,omitempty"`
	// StatusBack has the status of copies written to their sources. Defaults to true.
	StatusBack *bool `json:"statusBack,omitempty"`
	// WaitForFinalizers has the copy of a source that is being deleted stay while others hold the source.
	WaitForFinalizers bool `json:"waitForFinalizers,omitempty"`
}

// Values of PublishedResourceSpec.DriftPolicy, PublishedFilter.OnExclude, PublishedRelated.CleanupPolicy and
// PublishedRelated.Origin; those of View and AdoptionPolicy are a MapController's.
const (
	DriftTolerate = "Tolerate"
	DriftCorrect  = "Correct"

	ExcludeRetain = "Retain"
	ExcludeDelete = "Delete"

	CleanupOrphan            = "Orphan"
	CleanupOnPrimaryDeletion = "OnPrimaryDeletion"
	CleanupMatchOrigin       = "MatchOrigin"

	OriginService = "service"
	OriginKCP     = "kcp"
)

// PublishedType is a type at the destination.
type PublishedType struct {
	// APIGroup is its group.
	// +kubebuilder:validation:MaxLength=253
	APIGroup string `json:"apiGroup"`
	// Kind is its kind.
	// +kubebuilder:validation:MaxLength=63
	Kind string `json:"kind"`
	// Versions are those that are offered. Absent: all.
	// +kubebuilder:validation:MaxItems=50
	Versions []string `json:"versions,omitempty"`
	// Version is Versions with one entry; it is deprecated.
	// +kubebuilder:validation:MaxLength=63
	Version string `json:"version,omitempty"`
}

// PublishedFilter selects among source objects: both selectors must match.
type PublishedFilter struct {
	// Namespace is matched against the labels of the object's namespace. An object without one matches.
	Namespace *metav1.LabelSelector `json:"namespace,omitempty"`
	// Resource is matched against the labels of the object.
	Resource *metav1.LabelSelector `json:"resource,omitempty"`
	// OnExclude says what becomes of the copy of an object that does not match any more: Retain, the
	// default, leaves it as it is; Delete deletes it.
	// +kubebuilder:validation:MaxLength=16
	OnExclude string `json:"onExclude,omitempty"`
}

// PublishedNaming says what copies are called, by Go templates, or by the deprecated placeholders $remoteName and so on.
type PublishedNaming struct {
	// Name is the template of names.
	// +kubebuilder:validation:MaxLength=10240
	Name string `json:"name,omitempty"`
	// Namespace is the template of namespaces.
	// +kubebuilder:validation:MaxLength=10240
	Namespace string `json:"namespace,omitempty"`
}

// PublishedProjection is what consumers see of a type. What is absent stays as it is.
type PublishedProjection struct {
	// Group is the API group.
	// +kubebuilder:validation:MaxLength=253
	Group string `json:"group,omitempty"`
	// Kind is the kind; the list kind, the singular and the plural follow it.
	// +kubebuilder:validation:MaxLength=63
	Kind string `json:"kind,omitempty"`
	// Plural is the plural, if it is not the kind's with an s.
	// +kubebuilder:validation:MaxLength=63
	Plural string `json:"plural,omitempty"`
	// Scope is Cluster or Namespaced.
	// +kubebuilder:validation:MaxLength=16
	Scope string `json:"scope,omitempty"`
	// ShortNames replace those that there are; an empty list takes them away.
	ShortNames []string `json:"shortNames,omitempty"`
	// Categories replace those that there are; an empty list takes them away.
	Categories []string `json:"categories,omitempty"`
	// Versions maps names of versions here to names there.
	Versions map[string]string `json:"versions,omitempty"`
	// Version names the only version; it is deprecated.
	// +kubebuilder:validation:MaxLength=63
	Version string `json:"version,omitempty"`
}

// PublishedMutation are rules that change an object, one after the other.
type PublishedMutation struct {
	// Spec rules change the source, before its copy is made of it; everything in it, metadata as well.
	// +kubebuilder:validation:MaxItems=100
	Spec []MutationRule `json:"spec,omitempty"`
	// Status rules change the destination, before its status is taken.
	// +kubebuilder:validation:MaxItems=100
	Status []MutationRule `json:"status,omitempty"`
}

// MutationRule is exactly one of its fields.
type MutationRule struct {
	Delete   *MutationDelete   `json:"delete,omitempty"`
	Regex    *MutationRegex    `json:"regex,omitempty"`
	Template *MutationTemplate `json:"template,omitempty"`
	CEL      *MutationCEL      `json:"cel,omitempty"`
}

// MutationDelete removes a field.
type MutationDelete struct {
	// Path is a path of gjson, such as spec.list.0.name.
	// +kubebuilder:validation:MaxLength=1024
	Path string `json:"path"`
}

// MutationRegex replaces what matches in the text of a field. Where nothing is there and nothing matches, nothing is written.
type MutationRegex struct {
	// Path is a path of gjson.
	// +kubebuilder:validation:MaxLength=1024
	Path string `json:"path"`
	// Pattern is a regular expression of RE2. Empty, the replacement is set whatever there is.
	// +kubebuilder:validation:MaxLength=4096
	Pattern string `json:"pattern,omitempty"`
	// Replacement may name groups as $1 or ${1}.
	// +kubebuilder:validation:MaxLength=4096
	Replacement string `json:"replacement,omitempty"`
}

// MutationTemplate sets a field to the trimmed text of a Go template.
type MutationTemplate struct {
	// Path is a path of gjson.
	// +kubebuilder:validation:MaxLength=1024
	Path string `json:"path"`
	// Template sees .Value, .Self, .Other, .Source and .Destination.
	// +kubebuilder:validation:MaxLength=10240
	Template string `json:"template"`
}

// MutationCEL sets a field to what an expression gives; optional.none() removes it.
type MutationCEL struct {
	// Path is a path of gjson.
	// +kubebuilder:validation:MaxLength=1024
	Path string `json:"path"`
	// Expression sees self, other and value.
	// +kubebuilder:validation:MaxLength=10240
	Expression string `json:"expression"`
}

// PublishedSynchronization can switch off that objects are moved.
type PublishedSynchronization struct {
	// Enabled false publishes the type and moves no objects: for types that only go along with others.
	Enabled bool `json:"enabled"`
}

// PublishedPaths are folders of a package. An object that says its side itself, by the annotation waybill.dev/side, may lie anywhere.
type PublishedPaths struct {
	// Source is the folder of what consumers made.
	// +kubebuilder:validation:MaxLength=4096
	Source string `json:"source,omitempty"`
	// Destination is the folder of copies.
	// +kubebuilder:validation:MaxLength=4096
	Destination string `json:"destination,omitempty"`
}

// PublishedRelated are objects that go along with a primary one.
type PublishedRelated struct {
	// Identifier names the entry, among those of one PublishedResource: letters, digits and dashes.
	// +kubebuilder:validation:MaxLength=63
	Identifier string `json:"identifier"`
	// Origin is where they are written: service, the destination; or kcp, the source.
	// +kubebuilder:validation:MaxLength=16
	Origin string `json:"origin"`
	// Group is the API group of their type at the origin; empty for the core group.
	// +kubebuilder:validation:MaxLength=253
	Group string `json:"group,omitempty"`
	// Version is the version of their type at the origin.
	// +kubebuilder:validation:MaxLength=63
	Version string `json:"version,omitempty"`
	// Resource is the lower-case plural of their type at the origin.
	// +kubebuilder:validation:MaxLength=63
	Resource string `json:"resource,omitempty"`
	// Kind is ConfigMap or Secret, in place of version and resource; it is deprecated.
	// +kubebuilder:validation:MaxLength=63
	Kind string `json:"kind,omitempty"`
	// IdentityHash is that of the export which the type comes from.
	// +kubebuilder:validation:MaxLength=253
	IdentityHash string `json:"identityHash,omitempty"`
	// Projection is their type on the other side. Absent: the same.
	Projection *RelatedProjection `json:"projection,omitempty"`
	// Object says which objects.
	Object RelatedObject `json:"object"`
	// Mutation changes them on their way.
	Mutation *PublishedMutation `json:"mutation,omitempty"`
	// Cleanup is CleanupPolicy OnPrimaryDeletion if true, and Orphan if false, where the origin is service.
	Cleanup *bool `json:"cleanup,omitempty"`
	// CleanupPolicy says when a copy is deleted: Orphan, never, it is let go of; OnPrimaryDeletion, with the
	// primary; or MatchOrigin, with the primary, and when its origin is gone or does not belong to the primary
	// any more. Defaults to OnPrimaryDeletion for origin service, and to MatchOrigin for kcp.
	// +kubebuilder:validation:MaxLength=32
	CleanupPolicy string `json:"cleanupPolicy,omitempty"`
	// SyncStatus has the status go along.
	SyncStatus bool `json:"syncStatus,omitempty"`
	// Watch says how a live controller finds the primary of an object that changed. Absent: it is noticed
	// when the primary is looked at.
	Watch *RelatedWatch `json:"watch,omitempty"`
}

// RelatedProjection is the type of related objects on the other side. What is empty stays as it is.
type RelatedProjection struct {
	// +kubebuilder:validation:MaxLength=253
	Group string `json:"group,omitempty"`
	// +kubebuilder:validation:MaxLength=63
	Version string `json:"version,omitempty"`
	// +kubebuilder:validation:MaxLength=63
	Resource string `json:"resource,omitempty"`
}

// RelatedObject says what related objects are called on both sides.
type RelatedObject struct {
	RelatedLocator `json:",inline"`
	// Namespace says likewise in which namespaces they are. Absent: in those of the primaries.
	Namespace *RelatedLocator `json:"namespace,omitempty"`
}

// RelatedLocator is exactly one of its fields.
type RelatedLocator struct {
	// Reference takes names from a field of the primary on either side.
	Reference *RelatedReference `json:"reference,omitempty"`
	// Selector selects at the origin by labels.
	Selector *RelatedSelector `json:"selector,omitempty"`
	// Template is a Go template that is filled in for each side.
	Template *RelatedTemplate `json:"template,omitempty"`
}

// RelatedReference takes names from a field.
type RelatedReference struct {
	// Path is a path of gjson.
	// +kubebuilder:validation:MaxLength=1024
	Path string `json:"path"`
	// Regex changes what stands there.
	Regex *RelatedRegex `json:"regex,omitempty"`
}

// RelatedRegex replaces what matches.
type RelatedRegex struct {
	// Pattern is a regular expression of RE2.
	// +kubebuilder:validation:MaxLength=4096
	Pattern string `json:"pattern,omitempty"`
	// Replacement may name groups as $1 or ${1}.
	// +kubebuilder:validation:MaxLength=4096
	Replacement string `json:"replacement,omitempty"`
}

// RelatedSelector selects objects by labels.
type RelatedSelector struct {
	metav1.LabelSelector `json:",inline"`
	// Rewrite makes the name at the other side of the one at the origin. Required.
	Rewrite RelatedRewrite `json:"rewrite"`
}

// RelatedRewrite is exactly one of its fields.
type RelatedRewrite struct {
	Regex    *RelatedRegex    `json:"regex,omitempty"`
	Template *RelatedTemplate `json:"template,omitempty"`
}

// RelatedTemplate is a Go template.
type RelatedTemplate struct {
	// Template is its text.
	// +kubebuilder:validation:MaxLength=10240
	Template string `json:"template"`
}

// RelatedWatch is exactly one of its fields.
type RelatedWatch struct {
	// ByOwner takes the primary from the owner references of the related object.
	ByOwner *RelatedByOwner `json:"byOwner,omitempty"`
	// BySelector takes all primaries that it selects.
	BySelector *metav1.LabelSelector `json:"bySelector,omitempty"`
}

// RelatedByOwner has no fields.
type RelatedByOwner struct{}

// PublishedResourceStatus says how a live controller gets on.
type PublishedResourceStatus struct {
	// ResourceSchemaName is the name of the schema under which the type is offered.
	ResourceSchemaName string `json:"resourceSchemaName,omitempty"`
	// Conditions hold Ready: True while all objects are kept in sync; and Stalled: True while the spec is
	// wrong, so that nothing helps until it is changed.
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// ObservedGeneration is the metadata.generation that this status speaks of.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}
