package v1alpha2

import (
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// PackageVariantTemplate is the fields of a variant. A field whose name ends in
// Expr is an expression in CEL whose result must be a string; every other
// field is copied as it is. Expressions can use the variables repoDefault and
// packageDefault (strings), and upstream, target and repository (objects with
// name, namespace, labels and annotations). Lists of expressions, injectors
// and functions have at most 100 entries each in an API server.
//
// +kubebuilder:validation:XValidation:rule=`!has(self.adoptionPolicy) || self.adoptionPolicy in ["", "adoptNone", "adoptExisting"]`,message="can only be \"adoptNone\" or \"adoptExisting\"",fieldPath=".adoptionPolicy"
// +kubebuilder:validation:XValidation:rule=`!has(self.deletionPolicy) || self.deletionPolicy in ["", "delete", "orphan"]`,message="can only be \"orphan\" or \"delete\"",fieldPath=".deletionPolicy"
// +kubebuilder:validation:XValidation:rule=`!has(self.downstream) || !has(self.downstream.repo) || !has(self.downstream.repoExpr)`,message="may specify only one of `downstream.repo` and `downstream.repoExpr`"
// +kubebuilder:validation:XValidation:rule=`!has(self.downstream) || !has(self.downstream.__package__) || !has(self.downstream.packageExpr)`,message="may specify only one of `downstream.package` and `downstream.packageExpr`"
type PackageVariantTemplate struct {
	// Downstream is the location of the variant's package. Absent: that of the
	// target.
	Downstream *DownstreamTemplate `json:"downstream,omitempty"`
	// AdoptionPolicy is the policy for revisions that exist already: adoptNone or
	// adoptExisting. Defaults to adoptNone.
	AdoptionPolicy porchconfig.AdoptionPolicy `json:"adoptionPolicy,omitempty"`
	// DeletionPolicy is the policy for owned revisions that are no longer wanted:
	// delete or orphan. Defaults to delete.
	DeletionPolicy porchconfig.DeletionPolicy `json:"deletionPolicy,omitempty"`
	// Labels are put on the package revisions of every variant.
	Labels map[string]string `json:"labels,omitempty"`
	// LabelExprs are labels that differ by target. They replace those of Labels, and
	// later ones earlier ones.
	// +kubebuilder:validation:MaxItems=100
	LabelExprs []MapExpr `json:"labelExprs,omitempty"`
	// Annotations are put on the package revisions of every variant.
	Annotations map[string]string `json:"annotations,omitempty"`
	// AnnotationExprs are annotations that differ by target. They replace those of
	// Annotations, and later ones earlier ones.
	// +kubebuilder:validation:MaxItems=100
	AnnotationExprs []MapExpr `json:"annotationExprs,omitempty"`
	// PackageContext changes the context ConfigMap of every variant's package.
	PackageContext *PackageContextTemplate `json:"packageContext,omitempty"`
	// Pipeline holds functions that run before those of the package.
	Pipeline *PipelineTemplate `json:"pipeline,omitempty"`
	// Injectors select the objects to copy into injection points; the first match
	// is used.
	// +kubebuilder:validation:MaxItems=100
	Injectors []InjectionSelectorTemplate `json:"injectors,omitempty"`
}

// DownstreamTemplate is the location of a variant's package.
type DownstreamTemplate struct {
	// Repo is the name of the downstream Repository, instead of the target's.
	// Excludes repoExpr.
	Repo *string `json:"repo,omitempty"`
	// Package is the downstream package, instead of the target's. It may contain
	// slashes. Excludes packageExpr.
	Package *string `json:"package,omitempty"`
	// RepoExpr is a CEL expression for the name of the downstream Repository. It
	// cannot use the variable repository. Excludes repo.
	RepoExpr *string `json:"repoExpr,omitempty"`
	// PackageExpr is a CEL expression for the downstream package. Excludes
	// package.
	PackageExpr *string `json:"packageExpr,omitempty"`
}

// MapExpr is one entry of a map. Its key is Key or the result of KeyExpr; its
// value is Value or the result of ValueExpr. A part that is not given is
// empty.
//
// +kubebuilder:validation:XValidation:rule=`!has(self.key) || !has(self.keyExpr)`,message="may specify only one of `key` and `keyExpr`"
// +kubebuilder:validation:XValidation:rule=`!has(self.value) || !has(self.valueExpr)`,message="may specify only one of `value` and `valueExpr`"
type MapExpr struct {
	// Key of the entry, as it is. Excludes keyExpr.
	Key *string `json:"key,omitempty"`
	// KeyExpr is a CEL expression for the key. Excludes key.
	KeyExpr *string `json:"keyExpr,omitempty"`
	// Value of the entry, as it is. Excludes valueExpr.
	Value *string `json:"value,omitempty"`
	// ValueExpr is a CEL expression for the value. Excludes value.
	ValueExpr *string `json:"valueExpr,omitempty"`
}

// PackageContextTemplate changes the data of a package's context ConfigMap.
// The keys name and package-path cannot be changed. A key that is both set and
// removed is removed.
type PackageContextTemplate struct {
	// Data are keys to set, with their values.
	Data map[string]string `json:"data,omitempty"`
	// RemoveKeys are keys to remove.
	RemoveKeys []string `json:"removeKeys,omitempty"`
	// DataExprs are keys to set that differ by target. They replace those of Data,
	// and later ones earlier ones.
	// +kubebuilder:validation:MaxItems=100
	DataExprs []MapExpr `json:"dataExprs,omitempty"`
	// RemoveKeyExprs are CEL expressions for more keys to remove.
	RemoveKeyExprs []string `json:"removeKeyExprs,omitempty"`
}

// PipelineTemplate holds the functions that run before those of a package.
// Order of execution: all mutators, then all validators.
type PipelineTemplate struct {
	// Mutators change the package's resources, in order.
	// +kubebuilder:validation:MaxItems=100
	Mutators []FunctionTemplate `json:"mutators,omitempty"`
	// Validators check the package's resources and change nothing.
	// +kubebuilder:validation:MaxItems=100
	Validators []FunctionTemplate `json:"validators,omitempty"`
}

// FunctionTemplate is a function as in a Kptfile, with parts that differ by
// target. Its image is required, so a function of a set is never an
// executable.
//
// +kubebuilder:validation:XValidation:rule=`has(self.image) && self.image != ""`,message="must not be empty",reason=FieldValueRequired,fieldPath=".image"
type FunctionTemplate struct {
	kptfilev1.Function `json:",inline"`
	// ConfigMapExprs are entries of configMap that differ by target. They replace
	// those of configMap, and later ones earlier ones.
	// +kubebuilder:validation:MaxItems=100
	ConfigMapExprs []MapExpr `json:"configMapExprs,omitempty"`
}

// InjectionSelectorTemplate matches injection points by group, version and
// kind, and names the object to copy from. An unset part matches everything;
// "" as group is the core group.
//
// +kubebuilder:validation:XValidation:rule=`!has(self.name) || !has(self.nameExpr)`,message="may specify only one of `name` and `nameExpr`"
// +kubebuilder:validation:XValidation:rule=`has(self.name) || has(self.nameExpr)`,message="must specify either `name` or `nameExpr`"
type InjectionSelectorTemplate struct {
	// Group of the injection point. Absent matches every group; "" is the core
	// group.
	Group *string `json:"group,omitempty"`
	// Version of the injection point. Absent matches every version.
	Version *string `json:"version,omitempty"`
	// Kind of the injection point. Absent matches every kind.
	Kind *string `json:"kind,omitempty"`
	// Name of the object to copy from, in the namespace of the set. Exactly one of
	// name and nameExpr is required.
	Name *string `json:"name,omitempty"`
	// NameExpr is a CEL expression for the name of the object to copy from.
	// Excludes name.
	NameExpr *string `json:"nameExpr,omitempty"`
}
