package waybill

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// KindFleetExplanation is the kind that `waybill fleet explain` prints.
const KindFleetExplanation = "FleetExplanation"

// FleetExplanation is the objects of a cluster with the reasons, why one object is there or is not, or the origin of the
// values of its fields. It is printed, and is not an object of a cluster. The same package and question give the same bytes. New fields may
// be added; the present ones keep their names and meaning. Values of Secrets are "(hidden)".
//
// +kubebuilder:object:generate=false
type FleetExplanation struct {
	metav1.TypeMeta `json:",inline"`
	// Question is the question.
	Question ExplainedQuestion `json:"question"`
	// There is the short answer: whether the cluster receives any object, or the given one, or that object has the given
	// field.
	There bool `json:"there"`
	// Says is the answer in one sentence.
	Says string `json:"says"`
	// Cluster is the cluster in the inventory.
	Cluster ExplainedCluster `json:"cluster"`
	// Object is the given object in the package; absent when none was given, and when the package does not have it.
	Object *ExplainedObject `json:"object,omitempty"`
	// Deliveries are the objects that the cluster receives, or those of the given object, in the order of files.
	Deliveries []ExplainedDelivery `json:"deliveries"`
	// HandOvers are hand-over entries for the given object or cluster, in the order of files: a work names an object and
	// releases it. They are no deliveries.
	HandOvers []ExplainedHandOver `json:"handOvers,omitempty"`
	// Policies are all BindingPolicies that were resolved, those that select the cluster and object first.
	Policies []ExplainedPolicy `json:"policies"`
	// Fields are the origins of values, in the order of the object; absent when no field was given.
	Fields []ExplainedField `json:"fields,omitempty"`
}

// ExplainedQuestion is CLUSTER[/KIND[.GROUP]/NAMESPACE/NAME[#FIELD]].
//
// +kubebuilder:object:generate=false
type ExplainedQuestion struct {
	Cluster   string `json:"cluster"`
	Kind      string `json:"kind,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	Field     string `json:"field,omitempty"`
}

// ExplainedCluster is a cluster as in the policies.
//
// +kubebuilder:object:generate=false
type ExplainedCluster struct {
	Name string `json:"name"`
	// Known is whether an inventory names it.
	Known bool `json:"known"`
	// Labels are what policies select it by.
	Labels map[string]string `json:"labels,omitempty"`
	// Place is its place in the inventory.
	Place *ExplainedPlace `json:"place,omitempty"`
	// Similar are similar names of other clusters; none for a cluster that is known or receives an object.
	Similar []string `json:"similar,omitempty"`
}

// ExplainedPlace is a line of a file, counted from 1.
//
// +kubebuilder:object:generate=false
type ExplainedPlace struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	// By names the function that set the value while rendering; absent for a value in the file.
	By string `json:"by,omitempty"`
}

// ExplainedObject is the given object, in the package.
//
// +kubebuilder:object:generate=false
type ExplainedObject struct {
	PreviewObject `json:",inline"`
	// Place is its place in the package; absent if the package does not have it.
	Place *ExplainedPlace `json:"place,omitempty"`
	// Kept is the reason why it is never sent to a cluster by any policy: it is local configuration, generated, or of a
	// kind that is not for clusters. Empty for workload.
	Kept string `json:"kept,omitempty"`
	// Labels are what policies select it by.
	Labels map[string]string `json:"labels,omitempty"`
	// Similar are objects with similar names.
	Similar []string `json:"similar,omitempty"`
}

// ExplainedDelivery is the delivery of one object to the cluster.
//
// +kubebuilder:object:generate=false
type ExplainedDelivery struct {
	Object PreviewObject `json:"object"`
	// Work is the ManifestWork, empty for an object that is in the cluster's folder by itself. File is its file.
	Work string `json:"work,omitempty"`
	File string `json:"file"`
	// Binding is the Binding of the work, and BindingFile its file.
	Binding     string `json:"binding,omitempty"`
	BindingFile string `json:"bindingFile,omitempty"`
	// Policy is the BindingPolicy behind the Binding; empty when a person wrote the Binding.
	Policy string `json:"policy,omitempty"`
	// Source is the place of the original object in the package.
	Source *ExplainedPlace `json:"source,omitempty"`
}

// ExplainedHandOver is an object that a work releases, and that stays on the cluster.
//
// +kubebuilder:object:generate=false
type ExplainedHandOver struct {
	Object PreviewObject `json:"object"`
	// Work releases the object. File is its file.
	Work string `json:"work"`
	File string `json:"file"`
	// To are the works that hold the object, or files without a work, sorted; none if it is left behind.
	To []string `json:"to"`
}

// ExplainedPolicy is the result of one BindingPolicy for the cluster and, if one was given, the object.
//
// +kubebuilder:object:generate=false
type ExplainedPolicy struct {
	Name  string         `json:"name"`
	Place ExplainedPlace `json:"place"`
	// Selects is whether it selects the cluster, and the object if one was given.
	Selects bool `json:"selects"`
	// SelectsCluster and SelectsObject are the two parts of that; SelectsObject is absent when no object was given.
	SelectsCluster bool  `json:"selectsCluster"`
	SelectsObject  *bool `json:"selectsObject,omitempty"`
	// Why is the first reason why it does not, in one sentence.
	Why string `json:"why,omitempty"`
	// Objects is how many objects it selects.
	Objects int `json:"objects"`
	// Cluster are its clusterSelectors, of which one must match.
	Cluster []ExplainedTest `json:"cluster"`
	// Clauses are those of spec.downsync, of which one must match; absent when no object was given.
	Clauses []ExplainedTest `json:"clauses,omitempty"`
}

// ExplainedTest is conditions that must all hold.
//
// +kubebuilder:object:generate=false
type ExplainedTest struct {
	// Number is its place in its list, from 1.
	Number int             `json:"number"`
	Place  ExplainedPlace  `json:"place"`
	Holds  bool            `json:"holds"`
	Terms  []ExplainedTerm `json:"terms"`
}

// ExplainedTerm is one condition.
//
// +kubebuilder:object:generate=false
type ExplainedTerm struct {
	// Of is its field: clusterSelectors, apiGroup, resources, namespaces, namespaceSelectors,
	// objectSelectors, objectNames.
	Of string `json:"of"`
	// Wants is the condition in the usual notation: tier=prod, tier in (prod,stage), !tier; of lists of words the words.
	Wants string `json:"wants"`
	Holds bool   `json:"holds"`
	// Have is the actual value: of the label, the group, the name; absent when there is no such label.
	Have *string `json:"have,omitempty"`
}

// ExplainedField is the origin of the value of a field.
//
// +kubebuilder:object:generate=false
type ExplainedField struct {
	// Field is the path with dots, items as [key=value] or [n] and odd names in brackets.
	Field string `json:"field"`
	// Value is the delivered value, as text on one line; absent for a missing field.
	Value *string `json:"value,omitempty"`
	// Steps are the reading of the value and each change of it, in order.
	Steps []ExplainedStep `json:"steps"`
}

// ExplainedStep is one change of a value.
//
// +kubebuilder:object:generate=false
type ExplainedStep struct {
	// Deed is read (from a file), made (with the whole object, by a function), changed, added, removed, shipped (made fit for a
	// work) or filled (from a template).
	Deed string `json:"deed"`
	// Value is the value after the step, absent after removal.
	Value *string `json:"value,omitempty"`
	// Place is that of the value in a file or, for a template, of the template.
	Place *ExplainedPlace `json:"place,omitempty"`
	// Function made the change; absent for reading.
	Function *ExplainedFunction `json:"function,omitempty"`
	// Template is the text of the template.
	Template *string `json:"template,omitempty"`
	// Inputs are the sources of the value, if they are known: the config of the function, properties of the cluster, a
	// context object.
	Inputs []ExplainedInput `json:"inputs,omitempty"`
}

// ExplainedFunction is a step of a pipeline.
//
// +kubebuilder:object:generate=false
type ExplainedFunction struct {
	Name string `json:"name"`
	// Image is that in the Kptfile, with the digest if there is one; Exec is the command instead.
	Image string `json:"image,omitempty"`
	Exec  string `json:"exec,omitempty"`
	// Linked is the version of the function that is linked into waybill and ran; empty for a container or a command.
	Linked string `json:"linked,omitempty"`
	// Place is that in the Kptfile, and Config that of its configuration, if it is an object of its own.
	Place  *ExplainedPlace `json:"place,omitempty"`
	Config *ExplainedPlace `json:"config,omitempty"`
}

// ExplainedInput is a value that a step used.
//
// +kubebuilder:object:generate=false
type ExplainedInput struct {
	// Of is its kind: config, property (of the cluster), context (object that was injected), transform (that removed it).
	Of   string `json:"of"`
	Name string `json:"name"`
	// Value is absent for a property that the cluster does not have, and for an object.
	Value *string `json:"value,omitempty"`
	// Place is its place; absent for a value that is in no file, such as clusterName.
	Place *ExplainedPlace `json:"place,omitempty"`
}
