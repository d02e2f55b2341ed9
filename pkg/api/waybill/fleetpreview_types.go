package waybill

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// KindFleetPreview is the kind that `waybill fleet preview` prints.
const KindFleetPreview = "FleetPreview"

// FleetPreview is the effect of a change on a whole fleet. It is printed, and is not an object of a cluster. Lists are
// sorted, and the same two sides give the same bytes. New fields may be added; the present ones keep their names and
// meaning.
//
// +kubebuilder:object:generate=false
type FleetPreview struct {
	metav1.TypeMeta `json:",inline"`
	// Before and After are the two sides.
	Before PreviewSide `json:"before"`
	After  PreviewSide `json:"after"`
	// Summary counts the differences.
	Summary PreviewSummary `json:"summary"`
	// Risks are the rules that apply to any change, the riskiest first.
	Risks []PreviewRisk `json:"risks"`
	// Groups are all changes, those of one kind to one object together, the riskiest first.
	Groups []PreviewGroup `json:"groups"`
}

// PreviewSide is one side of a preview.
//
// +kubebuilder:object:generate=false
type PreviewSide struct {
	// Name is its source: a folder, a commit.
	Name string `json:"name"`
	// Clusters is how many clusters receive an object.
	Clusters int `json:"clusters"`
	// Objects is how many objects are delivered, each counted for every cluster.
	Objects int `json:"objects"`
}

// PreviewSummary counts changes. An object counts for every cluster it is delivered to.
//
// +kubebuilder:object:generate=false
type PreviewSummary struct {
	// Clusters is how many clusters have a change, those that join or leave included.
	Clusters int `json:"clusters"`
	// Joined and Left are the clusters that receive objects on one side only.
	Joined []string `json:"joined"`
	Left   []string `json:"left"`
	// Leaving is the losses of the clusters that leave, grouped by equal losses.
	Leaving []PreviewLeaving `json:"leaving,omitempty"`
	// Added, Removed, Changed and Moved count objects. A removed object is deleted on the cluster; a moved one is unchanged and in
	// another ManifestWork.
	Added   int `json:"added"`
	Removed int `json:"removed"`
	Changed int `json:"changed"`
	Moved   int `json:"moved"`
	// Recreated is how many of those moved or changed are deleted and created again, because they are in other works and
	// not handed over; HandedOver is how many are.
	Recreated  int `json:"recreated"`
	HandedOver int `json:"handedOver"`
	// LeftBehind is how many objects stay on a cluster where no work holds them any more. They are not in Removed.
	LeftBehind int `json:"leftBehind"`
	// Released is how many times a work releases an object that stays as it is: another work holds it as before, or a
	// hand-over ends.
	Released int `json:"released"`
	// Works is how many ManifestWorks are themselves added, removed or changed, without the objects in them.
	Works int `json:"works"`
}

// PreviewLeaving is the losses of clusters that receive nothing any more. Each object counts once, with any update strategy.
//
// +kubebuilder:object:generate=false
type PreviewLeaving struct {
	// Clusters are sorted.
	Clusters []string `json:"clusters"`
	// Deleted is how many objects are deleted on each of them, and Data are those of kinds that hold data or other objects:
	// CustomResourceDefinition, Namespace, PersistentVolumeClaim, PersistentVolume and StatefulSet.
	Deleted int           `json:"deleted"`
	Data    []PreviewKind `json:"data,omitempty"`
	// LeftBehind is how many objects stay on each of them, and Kept are those of the kinds of Data.
	LeftBehind int           `json:"leftBehind"`
	Kept       []PreviewKind `json:"kept,omitempty"`
}

// PreviewKind is how many objects there are of a kind.
//
// +kubebuilder:object:generate=false
type PreviewKind struct {
	Group   string `json:"group,omitempty"`
	Kind    string `json:"kind"`
	Objects int    `json:"objects"`
}

// PreviewRisk is a rule that applies.
//
// +kubebuilder:object:generate=false
type PreviewRisk struct {
	// Name is that of the rule; docs/preview.md lists them.
	Name string `json:"name"`
	// Level is high, medium or low.
	Level string `json:"level"`
	// Says is the possible effect, in one sentence.
	Says string `json:"says"`
	// Clusters is how many clusters it applies to, and Changes how many changes.
	Clusters int `json:"clusters"`
	Changes  int `json:"changes"`
}

// PreviewGroup is changes of one kind to one object, in all clusters: it is added or removed, or the same fields change,
// possibly to different values.
//
// +kubebuilder:object:generate=false
type PreviewGroup struct {
	// Change is added, removed, changed or moved.
	Change string `json:"change"`
	// Outcome is the result for the object on the clusters, if works release it: deleted, recreated (deleted and created
	// again), handed-over, hand-over-ended, left-behind (it stays, and no work holds it) or still-held (by another work, as
	// before).
	Outcome string `json:"outcome,omitempty"`
	// Object is the changed object. That of a ManifestWork has no namespace, which is the cluster.
	Object PreviewObject `json:"object"`
	// With is joined or left when the reason is that the clusters do.
	With string `json:"with,omitempty"`
	// Level is that of the riskiest rule that applies, absent when none does; Risks names them all.
	Level string   `json:"level,omitempty"`
	Risks []string `json:"risks,omitempty"`
	// Clusters is how many there are in all shapes.
	Clusters int `json:"clusters"`
	// Shapes are the different forms of the change, the most frequent first.
	Shapes []PreviewShape `json:"shapes"`
	// Source is the place of the object in the package; absent when that is not known.
	Source *PreviewPlace `json:"source,omitempty"`
}

// PreviewObject names an object.
//
// +kubebuilder:object:generate=false
type PreviewObject struct {
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// PreviewShape is the same change in several clusters.
//
// +kubebuilder:object:generate=false
type PreviewShape struct {
	// Says is the effect on these clusters and what to do, if that depends on works.
	Says string `json:"says,omitempty"`
	// Fields are the changed fields, sorted; absent for an object that is added or removed.
	Fields []PreviewField `json:"fields,omitempty"`
	// Risks are the rules that apply.
	Risks []string `json:"risks,omitempty"`
	// Clusters are sorted. A cluster to which several works deliver the object is listed for each of them.
	Clusters []string `json:"clusters"`
	// File is that of the first cluster: in the tree after or, for a removal, before the change.
	File string `json:"file"`
}

// PreviewField is a change of one field, as in `waybill pkg diff`.
//
// +kubebuilder:object:generate=false
type PreviewField struct {
	// Field is the path with dots; "(work)" is the ManifestWork of the object, and "(hand-over)" one that has a
	// hand-over entry for it. It is empty for a difference without a field, such as the order of a list that
	// merges by keys.
	Field string `json:"field"`
	// Change is added, removed, changed or, of a list in another order, moved.
	Change string `json:"change"`
	// From and To are the values, short YAML on one line, absent where there is nothing. Values of Secrets are "(hidden)".
	From *string `json:"from,omitempty"`
	To   *string `json:"to,omitempty"`
}

// PreviewPlace is a line of a file of the package.
//
// +kubebuilder:object:generate=false
type PreviewPlace struct {
	File string `json:"file"`
	// Line counts from 1.
	Line int `json:"line"`
}
