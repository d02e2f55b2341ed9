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
//
// +kubebuilder:validation:XValidation:rule=`!has(self.view) || self.view in ["", "Complete", "Partial"]`,message="can only be \"Complete\" or \"Partial\"",fieldPath=".view"
// +kubebuilder:validation:XValidation:rule=`!has(self.adoptionPolicy) || self.adoptionPolicy in ["", "Converge", "Never", "Preserve"]`,message="can only be \"Converge\", \"Never\" or \"Preserve\"",fieldPath=".adoptionPolicy"
// +kubebuilder:validation:XValidation:rule=`!has(self.driftPolicy) || self.driftPolicy in ["", "Correct", "Tolerate"]`,message="can only be \"Correct\" or \"Tolerate\"",fieldPath=".driftPolicy"
// +kubebuilder:validation:XValidation:rule=`self.resource.apiGroup == oldSelf.resource.apiGroup && self.resource.kind == oldSelf.resource.kind`,message="spec.resource is immutable: copies are of that type; make another PublishedResource",fieldPath=".resource"
// +kubebuilder:validation:XValidation:rule=`(has(self.agentName) ? self.agentName : "") == (has(oldSelf.agentName) ? oldSelf.agentName : "")`,message="spec.agentName is immutable: copies are known by it",fieldPath=".agentName"
type PublishedResourceSpec struct {
	// Resource is the type at the destination. Its group and kind are immutable.
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
	// +kubebuilder:validation:XValidation:rule=`self.all(a, self.exists_one(b, a.identifier == b.identifier))`,message="each identifier may be there once"
	Related []PublishedRelated `json:"related,omitempty"`
	// Synchronization can switch off that objects are moved. Absent: they are.
	Synchronization *PublishedSynchronization `json:"synchronization,omitempty"`

	// Export names the APIExport of kcp, among the items of a package, that the type is offered by: it gets a schema of what is
	// offered. Absent: nothing is published. It means nothing in a cluster.
	// +kubebuilder:validation:MaxLength=253
	Export string `json:"export,omitempty"`
	// AgentName tells syncers apart that serve one destination: a DNS label that begins with a letter, which
	// copies carry as a label. Defaults to nothing. It must not change, or all copies look like another owner's.
	// +kubebuilder:validation:MaxLength=63
	AgentName string `json:"agentName,omitempty"`
	// Cluster is the name of the workspace of source objects that do not say theirs: a label value.
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
	// AdoptionPolicy says what to do with an object that is to be the copy of a primary and was there before:
	// Converge, the default, makes it one and asserts every field of the source; Preserve makes it one as it is;
	// Never is an error. What was adopted is never deleted: it is let go of. Related objects have a policy of their own.
	// +kubebuilder:validation:MaxLength=16
	AdoptionPolicy string `json:"adoptionPolicy,omitempty"`
	// DriftPolicy says what to do with a field that another client changed in a copy: Tolerate, the default,
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
//
// +kubebuilder:validation:XValidation:rule=`self.apiGroup != ""`,message="must not be empty",reason=FieldValueRequired,fieldPath=".apiGroup"
// +kubebuilder:validation:XValidation:rule=`self.kind != ""`,message="must not be empty",reason=FieldValueRequired,fieldPath=".kind"
// +kubebuilder:validation:XValidation:rule=`!has(self.version) || self.version == "" || !has(self.versions) || self.versions.size() == 0`,message="there are versions already",fieldPath=".version"
type PublishedType struct {
	// APIGroup is its group.
	// +kubebuilder:validation:MaxLength=253
	APIGroup string `json:"apiGroup"`
	// Kind is its kind.
	// +kubebuilder:validation:MaxLength=63
	Kind string `json:"kind"`
	// Versions are those that are offered, at most 50. Absent or empty: all.
	// +kubebuilder:validation:MaxItems=50
	// +kubebuilder:validation:items:MaxLength=63
	Versions []string `json:"versions,omitempty"`
	// Version is Versions with one entry; it is deprecated.
	// +kubebuilder:validation:MaxLength=63
	Version string `json:"version,omitempty"`
}

// PublishedFilter selects among source objects: both selectors must match.
//
// +kubebuilder:validation:XValidation:rule=`!has(self.onExclude) || self.onExclude in ["", "Delete", "Retain"]`,message="can only be \"Delete\" or \"Retain\"",fieldPath=".onExclude"
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
//
// +kubebuilder:validation:XValidation:rule=`!has(self.scope) || self.scope in ["", "Cluster", "Namespaced"]`,message="can only be \"Cluster\" or \"Namespaced\"",fieldPath=".scope"
// +kubebuilder:validation:XValidation:rule=`!has(self.version) || self.version == "" || !has(self.versions) || self.versions.size() == 0`,message="there are versions already",fieldPath=".version"
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
	// ShortNames replace those that there are; an empty list takes them away. At most 50.
	// +kubebuilder:validation:MaxItems=50
	// +kubebuilder:validation:items:MaxLength=63
	ShortNames []string `json:"shortNames,omitzero"`
	// Categories replace those that there are; an empty list takes them away. At most 50.
	// +kubebuilder:validation:MaxItems=50
	// +kubebuilder:validation:items:MaxLength=63
	Categories []string `json:"categories,omitzero"`
	// Versions maps names of versions here to names there, at most 50.
	// +kubebuilder:validation:MaxProperties=50
	Versions map[string]string `json:"versions,omitempty"`
	// Version names the only version that is offered; it is deprecated, and excludes Versions.
	// +kubebuilder:validation:MaxLength=63
	Version string `json:"version,omitempty"`
}

// PublishedMutation are rules that change an object, one after the other.
type PublishedMutation struct {
	// Spec rules change the source, before its copy is made of it; everything in it, metadata as well. At most 100.
	// +kubebuilder:validation:MaxItems=100
	Spec []MutationRule `json:"spec,omitempty"`
	// Status rules change the destination, before its status is taken. At most 100.
	// +kubebuilder:validation:MaxItems=100
	Status []MutationRule `json:"status,omitempty"`
}

// MutationRule is exactly one of its fields.
//
// +kubebuilder:validation:XValidation:rule=`[has(self.delete), has(self.regex), has(self.template), has(self.cel)].filter(given, given).size() == 1`,message="give it exactly one of delete, regex, template and cel"
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
