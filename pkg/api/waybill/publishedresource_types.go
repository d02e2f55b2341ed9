package waybill

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// PublishedResource offers a type of one API service, the destination, to the consumers of another, the
// source: each of their objects has a copy here, related objects are copied in either direction, and status
// is copied back.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories=waybill
// +kubebuilder:printcolumn:name="Group",type=string,JSONPath=`.spec.resource.apiGroup`,description="API group of the type here."
// +kubebuilder:printcolumn:name="Kind",type=string,JSONPath=`.spec.resource.kind`,description="Its kind."
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="True while all objects are in sync."
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="The reason of the condition Ready, in one word."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was created."
type PublishedResource struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Spec may change at any time, but copies are identified by this object's name and spec.agentName.
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

// PublishedResourceSpec is the offered type, and the settings of its synchronization.
//
// +kubebuilder:validation:XValidation:rule=`!has(self.view) || self.view in ["", "Complete", "Partial"]`,message="can only be \"Complete\" or \"Partial\"",fieldPath=".view"
// +kubebuilder:validation:XValidation:rule=`!has(self.adoptionPolicy) || self.adoptionPolicy in ["", "Converge", "Never", "Preserve"]`,message="can only be \"Converge\", \"Never\" or \"Preserve\"",fieldPath=".adoptionPolicy"
// +kubebuilder:validation:XValidation:rule=`!has(self.driftPolicy) || self.driftPolicy in ["", "Correct", "Tolerate"]`,message="can only be \"Correct\" or \"Tolerate\"",fieldPath=".driftPolicy"
// +kubebuilder:validation:XValidation:rule=`self.resource.apiGroup == oldSelf.resource.apiGroup && self.resource.kind == oldSelf.resource.kind`,message="spec.resource is immutable: copies are of that type; make another PublishedResource",fieldPath=".resource"
// +kubebuilder:validation:XValidation:rule=`(has(self.agentName) ? self.agentName : "") == (has(oldSelf.agentName) ? oldSelf.agentName : "")`,message="spec.agentName is immutable: copies are known by it",fieldPath=".agentName"
type PublishedResourceSpec struct {
	// Resource is the type at the destination. Its group and kind are immutable.
	Resource PublishedType `json:"resource"`
	// Filter selects objects of consumers. Absent: all.
	Filter *PublishedFilter `json:"filter,omitempty"`
	// Naming makes the names of copies. It is used when a copy is created, and not again.
	Naming *PublishedNaming `json:"naming,omitempty"`
	// EnableWorkspacePaths adds the path of the source's workspace to copies and to the data of templates.
	EnableWorkspacePaths bool `json:"enableWorkspacePaths,omitempty"`
	// Projection is the type for consumers. Absent: the same as here.
	Projection *PublishedProjection `json:"projection,omitempty"`
	// Mutation changes copies and status.
	Mutation *PublishedMutation `json:"mutation,omitempty"`
	// Related are objects that are synchronized too, at most 50 entries.
	// +kubebuilder:validation:MaxItems=50
	// +kubebuilder:validation:XValidation:rule=`self.all(a, self.exists_one(b, a.identifier == b.identifier))`,message="each identifier may be there once"
	Related []PublishedRelated `json:"related,omitempty"`
	// Synchronization can switch off the synchronization of objects. Absent: it is on.
	Synchronization *PublishedSynchronization `json:"synchronization,omitempty"`

	// Export names the APIExport of kcp, among the items of a package, that offers the type: it gets the schema of the
	// offered type. Absent: nothing is published. It has no effect in a cluster.
	// +kubebuilder:validation:MaxLength=253
	Export string `json:"export,omitempty"`
	// AgentName distinguishes syncers of one destination: a DNS label that begins with a letter, and a label of
	// copies. Empty by default. If it changes, all copies belong to another owner.
	// +kubebuilder:validation:MaxLength=63
	AgentName string `json:"agentName,omitempty"`
	// Cluster is the name of the workspace of source objects that do not name theirs: a label value.
	// +kubebuilder:validation:MaxLength=63
	Cluster string `json:"cluster,omitempty"`
	// Paths are the folders of both sides in a package. They have no effect in a cluster.
	Paths *PublishedPaths `json:"paths,omitempty"`
	// View is Complete or Partial, the default. Partial keeps copies whose source is missing.
	// +kubebuilder:validation:MaxLength=16
	View string `json:"view,omitempty"`
	// AllowEmpty allows the deletion of copies even if there is no source object at all.
	AllowEmpty bool `json:"allowEmpty,omitempty"`
	// MaxDeletions is the most deletions of one run: a number, or a percentage of all copies. Above it, the run
	// changes nothing. Absent: no limit.
	MaxDeletions *intstr.IntOrString `json:"maxDeletions,omitempty"`
	// AdoptionPolicy is the policy for an object that existed before the copy of a primary was made: Converge, the
	// default, adopts it as a copy and sets every field of the source; Preserve adopts it as it is; Never is an
	// error. An adopted object is never deleted, but released. Related objects have a policy of their own.
	// +kubebuilder:validation:MaxLength=16
	AdoptionPolicy string `json:"adoptionPolicy,omitempty"`
	// DriftPolicy is the policy for a field that another client changed in a copy: Tolerate, the default, leaves
	// it until the source changes it; Correct sets it again.
	// +kubebuilder:validation:MaxLength=16
	DriftPolicy string `json:"driftPolicy,omitempty"`
	// StatusBack is whether the status of copies is written to their sources. Defaults to true.
	StatusBack *bool `json:"statusBack,omitempty"`
	// WaitForFinalizers keeps the copy of a source that is being deleted while the source has finalizers of others.
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
// +kubebuilder:validation:XValidation:rule=`self.kind != ""`,message="must not be empty",reason=FieldValueRequired,fieldPath=".kind"
// +kubebuilder:validation:XValidation:rule=`!has(self.version) || self.version == "" || !has(self.versions) || self.versions.size() == 0`,message="there are versions already",fieldPath=".version"
type PublishedType struct {
	// APIGroup is its group; "" is the core group.
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
	// OnExclude is the policy for the copy of an object that does not match any more: Retain, the default,
	// leaves it as it is; Delete deletes it.
	// +kubebuilder:validation:MaxLength=16
	OnExclude string `json:"onExclude,omitempty"`
}

// PublishedNaming makes the names of copies by Go templates, or by the deprecated placeholders $remoteName and so on.
type PublishedNaming struct {
	// Name is the template of names.
	// +kubebuilder:validation:MaxLength=10240
	Name string `json:"name,omitempty"`
	// Namespace is the template of namespaces.
	// +kubebuilder:validation:MaxLength=10240
	Namespace string `json:"namespace,omitempty"`
}

// PublishedProjection is a type for consumers. An absent field stays as it is.
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
	// ShortNames replace the present ones; an empty list removes them. At most 50.
	// +kubebuilder:validation:MaxItems=50
	// +kubebuilder:validation:items:MaxLength=63
	ShortNames []string `json:"shortNames,omitzero"`
	// Categories replace the present ones; an empty list removes them. At most 50.
	// +kubebuilder:validation:MaxItems=50
	// +kubebuilder:validation:items:MaxLength=63
	Categories []string `json:"categories,omitzero"`
	// Versions maps names of versions here to names there, at most 50.
	// +kubebuilder:validation:MaxProperties=50
	Versions map[string]string `json:"versions,omitempty"`
	// Version is the name of the only offered version; it is deprecated, and excludes Versions.
	// +kubebuilder:validation:MaxLength=63
	Version string `json:"version,omitempty"`
}

// PublishedMutation are rules that change an object, one after the other.
type PublishedMutation struct {
	// Spec rules change the source before it is copied; all of it, metadata included. At most 100.
	// +kubebuilder:validation:MaxItems=100
	Spec []MutationRule `json:"spec,omitempty"`
	// Status rules change the destination before its status is copied. At most 100.
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

// MutationRegex replaces matches in the text of a field. Without a match, a missing field stays missing.
type MutationRegex struct {
	// Path is a path of gjson.
	// +kubebuilder:validation:MaxLength=1024
	Path string `json:"path"`
	// Pattern is a regular expression of RE2. Empty, any value is replaced.
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
	// Template can use .Value, .Self, .Other, .Source and .Destination. Empty, the field becomes "".
	// +kubebuilder:validation:MaxLength=10240
	Template string `json:"template"`
}

// MutationCEL sets a field to the value of an expression; optional.none() removes it.
type MutationCEL struct {
	// Path is a path of gjson.
	// +kubebuilder:validation:MaxLength=1024
	Path string `json:"path"`
	// Expression can use self, other and value.
	// +kubebuilder:validation:MaxLength=10240
	Expression string `json:"expression"`
}

// PublishedSynchronization can switch off the synchronization of objects.
type PublishedSynchronization struct {
	// Enabled false publishes the type without its objects: for types of related objects only.
	Enabled bool `json:"enabled"`
}

// PublishedPaths are folders of a package. An object with the annotation waybill.dev/side may be in any folder.
type PublishedPaths struct {
	// Source is the folder of consumers' objects.
	// +kubebuilder:validation:MaxLength=4096
	Source string `json:"source,omitempty"`
	// Destination is the folder of copies.
	// +kubebuilder:validation:MaxLength=4096
	Destination string `json:"destination,omitempty"`
}

// PublishedResourceStatus is the status of a live controller.
type PublishedResourceStatus struct {
	// ResourceSchemaName is the name of the schema of the offered type.
	ResourceSchemaName string `json:"resourceSchemaName,omitempty"`
	// Conditions hold Ready: True while all objects are in sync; and Stalled: True while the spec is invalid
	// and must be changed.
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// ObservedGeneration is the metadata.generation of this status.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}
