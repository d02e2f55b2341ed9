package waybill

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// PublishedRelated are objects that are synchronized with a primary one.
//
// +kubebuilder:validation:XValidation:rule=`self.identifier.matches("^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?$")`,message="want letters, digits and dashes, beginning and ending with a letter or digit",fieldPath=".identifier"
// +kubebuilder:validation:XValidation:rule=`!(self.identifier in ["out", "primary"])`,message="this name is reserved for the primary object",fieldPath=".identifier"
// +kubebuilder:validation:XValidation:rule=`self.origin in ["kcp", "service"]`,message="can only be \"kcp\" or \"service\"",fieldPath=".origin"
// +kubebuilder:validation:XValidation:rule=`!has(self.kind) || self.kind in ["", "ConfigMap", "Secret"]`,message="can only be \"ConfigMap\" or \"Secret\"",fieldPath=".kind"
// +kubebuilder:validation:XValidation:rule=`[has(self.kind) && self.kind != "", has(self.version) && self.version != "" && has(self.resource) && self.resource != ""].filter(given, given).size() == 1`,message="give it version and resource, or the deprecated kind in their place"
// +kubebuilder:validation:XValidation:rule=`!has(self.kind) || self.kind == "" || [has(self.group) && self.group != "", has(self.version) && self.version != "", has(self.resource) && self.resource != ""].filter(given, given).size() == 0`,message="excludes group, version and resource",fieldPath=".kind"
// +kubebuilder:validation:XValidation:rule=`!has(self.identityHash) || self.identityHash == "" || has(self.group) && self.group != ""`,message="needs group, version and resource",fieldPath=".identityHash"
// +kubebuilder:validation:XValidation:rule=`!has(self.cleanupPolicy) || self.cleanupPolicy in ["", "MatchOrigin", "OnPrimaryDeletion", "Orphan"]`,message="can only be \"MatchOrigin\", \"OnPrimaryDeletion\" or \"Orphan\"",fieldPath=".cleanupPolicy"
// +kubebuilder:validation:XValidation:rule=`!has(self.adoptionPolicy) || self.adoptionPolicy in ["", "Converge", "Never", "Preserve"]`,message="can only be \"Converge\", \"Never\" or \"Preserve\"",fieldPath=".adoptionPolicy"
// +kubebuilder:validation:XValidation:rule=`!has(self.cleanupPolicy) || self.cleanupPolicy == "" || !has(self.cleanup)`,message="there is cleanup already",fieldPath=".cleanupPolicy"
// +kubebuilder:validation:XValidation:rule=`!has(self.syncStatus) || !self.syncStatus || self.origin != "service" || has(self.watch)`,message="syncStatus needs it where the origin is service",reason=FieldValueRequired,fieldPath=".watch"
type PublishedRelated struct {
	// Identifier names the entry, among those of one PublishedResource: at most 57 letters, digits and dashes,
	// as names of annotations are made of it. It identifies the copies: a changed one is another entry. The names
	// out and primary are reserved for the primary object.
	// +kubebuilder:validation:MaxLength=57
	Identifier string `json:"identifier"`
	// Origin is the side of the originals: service, the destination; or kcp, the source.
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
	// IdentityHash is that of the export of the type.
	// +kubebuilder:validation:MaxLength=253
	IdentityHash string `json:"identityHash,omitempty"`
	// Projection is their type on the other side. Absent: the same.
	Projection *RelatedProjection `json:"projection,omitempty"`
	// Object selects the objects.
	Object RelatedObject `json:"object"`
	// Mutation changes their copies.
	Mutation *PublishedMutation `json:"mutation,omitempty"`
	// Cleanup is CleanupPolicy OnPrimaryDeletion if true, and Orphan if false, for origin service.
	Cleanup *bool `json:"cleanup,omitempty"`
	// CleanupPolicy is when a copy is deleted: Orphan, never, it is released; OnPrimaryDeletion, with the
	// primary; or MatchOrigin, with the primary, and when its origin is gone or does not belong to the primary
	// any more. Defaults to OnPrimaryDeletion for origin service, and to MatchOrigin for kcp.
	// +kubebuilder:validation:MaxLength=32
	CleanupPolicy string `json:"cleanupPolicy,omitempty"`
	// AdoptionPolicy is the policy for an object that existed before its copy was made: Never, the default, is an
	// error; Converge adopts it as a copy and sets every field of the origin; Preserve adopts it as it is. An adopted
	// object is never deleted, but released.
	// +kubebuilder:validation:MaxLength=16
	AdoptionPolicy string `json:"adoptionPolicy,omitempty"`
	// AllowedNames are the names at the destination that consumers may choose, besides those that begin with the name of
	// the primary's copy: at most 50, in which * stands for any text. A name is the consumer's choice unless the status
	// of the copy, or a template that reads nothing of the consumer's object, gives it.
	// +kubebuilder:validation:MaxItems=50
	// +kubebuilder:validation:items:MaxLength=253
	// +kubebuilder:validation:items:Pattern=`^[^/%\s]+$`
	AllowedNames []string `json:"allowedNames,omitempty"`
	// AllowedNamespaces are the namespaces of the destination that consumers may choose, besides that of the primary's
	// copy: at most 50, in which * stands for any text. A namespace of the system must be named in
	// full: kube-*, openshift-*, and those of Waybill.
	// +kubebuilder:validation:MaxItems=50
	// +kubebuilder:validation:items:MaxLength=63
	// +kubebuilder:validation:items:Pattern=`^[-a-z0-9*]+$`
	AllowedNamespaces []string `json:"allowedNamespaces,omitempty"`
	// AllowedSourceNamespaces are likewise the namespaces of the source, besides that of the primary.
	// +kubebuilder:validation:MaxItems=50
	// +kubebuilder:validation:items:MaxLength=63
	// +kubebuilder:validation:items:Pattern=`^[-a-z0-9*]+$`
	AllowedSourceNamespaces []string `json:"allowedSourceNamespaces,omitempty"`
	// SyncStatus is whether the status is synchronized too.
	SyncStatus bool `json:"syncStatus,omitempty"`
	// Watch is how a live controller finds the primary of a changed object. Absent: the change is found when
	// the primary is handled.
	Watch *RelatedWatch `json:"watch,omitempty"`
}

// RelatedProjection is the type of related objects on the other side. An empty field stays as it is.
type RelatedProjection struct {
	// Group is the API group of their type on the other side.
	// +kubebuilder:validation:MaxLength=253
	Group string `json:"group,omitempty"`
	// Version is its version.
	// +kubebuilder:validation:MaxLength=63
	Version string `json:"version,omitempty"`
	// Resource is its lower-case plural.
	// +kubebuilder:validation:MaxLength=63
	Resource string `json:"resource,omitempty"`
}

// RelatedObject is the names of related objects on both sides.
type RelatedObject struct {
	RelatedLocator `json:",inline"`
	// Namespace is their namespaces likewise. Absent: those of the primaries.
	Namespace *RelatedLocator `json:"namespace,omitempty"`
}

// RelatedLocator is exactly one of its fields.
//
// +kubebuilder:validation:XValidation:rule=`[has(self.reference), has(self.selector), has(self.template)].filter(given, given).size() == 1`,message="give it exactly one of reference, selector and template"
type RelatedLocator struct {
	// Reference takes names from a field of the primary on either side.
	Reference *RelatedReference `json:"reference,omitempty"`
	// Selector selects at the origin by labels. Keys and values of matchLabels may be Go templates.
	Selector *RelatedSelector `json:"selector,omitempty"`
	// Template is a Go template that is filled in for each side.
	Template *RelatedTemplate `json:"template,omitempty"`
}

// RelatedReference takes names from a field.
type RelatedReference struct {
	// Path is a path of gjson.
	// +kubebuilder:validation:MaxLength=1024
	Path string `json:"path"`
	// Regex changes the name.
	Regex *RelatedRegex `json:"regex,omitempty"`
}

// RelatedRegex replaces matches.
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
	// Rewrite makes the name on the other side from the one at the origin. Required.
	Rewrite RelatedRewrite `json:"rewrite"`
}

// RelatedRewrite is exactly one of its fields.
//
// +kubebuilder:validation:XValidation:rule=`has(self.regex) != has(self.template)`,message="give it exactly one of regex and template"
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
//
// +kubebuilder:validation:XValidation:rule=`has(self.byOwner) != has(self.bySelector)`,message="give it exactly one of byOwner and bySelector"
type RelatedWatch struct {
	// ByOwner takes the primary from the owner references of the related object.
	ByOwner *RelatedByOwner `json:"byOwner,omitempty"`
	// BySelector takes all primaries that it selects.
	BySelector *metav1.LabelSelector `json:"bySelector,omitempty"`
}

// RelatedByOwner has no fields.
type RelatedByOwner struct{}
