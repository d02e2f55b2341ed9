package waybill

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// KindFleetExplanation is the kind that `waybill fleet explain` prints.
const KindFleetExplanation = "FleetExplanation"

// FleetExplanation says what a cluster receives and why, why an object is there or is not, or where the values of its
// fields come from. It is printed, and lives in no cluster. The same package and question give the same bytes. Fields may
// be added to it; those that are here keep their names and meaning. Values of Secrets are "(hidden)".
//
// +kubebuilder:object:generate=false
type FleetExplanation struct {
	metav1.TypeMeta `json:",inline"`
	// Question is what was asked.
	Question ExplainedQuestion `json:"question"`
	// There says that what was asked about is there: the cluster receives something, or the object, or the object has the
	// field.
	There bool `json:"there"`
	// Says is the answer in one sentence.
	Says string `json:"says"`
	// Cluster is what the inventory says about the cluster.
	Cluster ExplainedCluster `json:"cluster"`
	// Object is what the package says about the object that was asked about; absent when nothing was, and when the package
	// has none.
	Object *ExplainedObject `json:"object,omitempty"`
	// Deliveries are what the cluster receives or, of one object, how it comes, in the order of files.
	Deliveries []ExplainedDelivery `json:"deliveries"`
	// HandOvers are hand-over entries for what was asked about, in the order of files: a work names an object and lets go of
	// it. They are no deliveries.
	HandOvers []ExplainedHandOver `json:"handOvers,omitempty"`
	// Policies are all BindingPolicies that were resolved, those that select what was asked about first.
	Policies []ExplainedPolicy `json:"policies"`
	// Fields say where values come from, in the order of the object; absent when they were not asked for.
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

// ExplainedCluster is a cluster as policies see it.
//
// +kubebuilder:object:generate=false
type ExplainedCluster struct {
	Name string `json:"name"`
	// Known says that an inventory names it.
	Known bool `json:"known"`
	// Labels are what policies select it by.
	Labels map[string]string `json:"labels,omitempty"`
	// Place is where the inventory names it.
	Place *ExplainedPlace `json:"place,omitempty"`
	// Similar are names of clusters that may have been meant; of a cluster that is known or receives something there are
	// none.
	Similar []string `json:"similar,omitempty"`
}

// ExplainedPlace is a line of a file, counted from 1.
//
// +kubebuilder:object:generate=false
type ExplainedPlace struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	// By names the function that put the value there while rendering; absent for what stands in the file.
	By string `json:"by,omitempty"`
}

// ExplainedObject is the object that was asked about, in the package.
//
// +kubebuilder:object:generate=false
type ExplainedObject struct {
	PreviewObject `json:",inline"`
	// Place is where the package has it; absent for what the package does not have.
	Place *ExplainedPlace `json:"place,omitempty"`
	// Kept says why it is never sent anywhere, whatever policies say: it is local configuration, generated, or of a kind
	// that is not for clusters. Empty for workload.
	Kept string `json:"kept,omitempty"`
	// Labels are what policies select it by.
	Labels map[string]string `json:"labels,omitempty"`
	// Similar are objects that may have been meant.
	Similar []string `json:"similar,omitempty"`
}

// ExplainedDelivery is how one object comes to the cluster.
//
// +kubebuilder:object:generate=false
type ExplainedDelivery struct {
	Object PreviewObject `json:"object"`
	// Work is the ManifestWork, empty for an object that lies in the cluster's folder by itself. File is where it stands.
	Work string `json:"work,omitempty"`
	File string `json:"file"`
	// Binding is the Binding that the work is of, and BindingFile where that stands.
	Binding     string `json:"binding,omitempty"`
	BindingFile string `json:"bindingFile,omitempty"`
	// Policy is the BindingPolicy behind the Binding; empty when a person wrote the Binding.
	Policy string `json:"policy,omitempty"`
	// Source is where the package has the object that this is made of.
	Source *ExplainedPlace `json:"source,omitempty"`
}

// ExplainedHandOver is an object that a work lets go of, and that stays on the cluster.
//
// +kubebuilder:object:generate=false
type ExplainedHandOver struct {
	Object PreviewObject `json:"object"`
	// Work lets go of the object. File is where it stands.
	Work string `json:"work"`
	File string `json:"file"`
	// To are the works that hold the object, or files without a work, sorted; none where it is left behind.
	To []string `json:"to"`
}

// ExplainedPolicy is what one BindingPolicy says about the cluster and, if one was asked about, the object.
//
// +kubebuilder:object:generate=false
type ExplainedPolicy struct {
	Name  string         `json:"name"`
	Place ExplainedPlace `json:"place"`
	// Selects says that it selects all that was asked about: the cluster, and the object.
	Selects bool `json:"selects"`
	// SelectsCluster and SelectsObject are the two sides of that; SelectsObject is absent when no object was asked about.
	SelectsCluster bool  `json:"selectsCluster"`
	SelectsObject  *bool `json:"selectsObject,omitempty"`
	// Why is the first reason why it does not, in one sentence.
	Why string `json:"why,omitempty"`
	// Objects is how many objects it selects.
	Objects int `json:"objects"`
	// Cluster are its clusterSelectors, of which one has to hold.
	Cluster []ExplainedTest `json:"cluster"`
	// Clauses are those of spec.downsync, of which one has to hold; absent when no object was asked about.
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
	// Of is the field it stands in: clusterSelectors, apiGroup, resources, namespaces, namespaceSelectors,
	// objectSelectors, objectNames.
	Of string `json:"of"`
	// Wants is the condition as people write it: tier=prod, tier in (prod,stage), !tier; of lists of words the words.
	Wants string `json:"wants"`
	Holds bool   `json:"holds"`
	// Have is what there is: the value of the label, the group, the name; absent when there is no such label.
	Have *string `json:"have,omitempty"`
}

// ExplainedField is where the value of a field comes from.
//
// +kubebuilder:object:generate=false
type ExplainedField struct {
	// Field is the path with dots, items as [key=value] or [n] and odd names in brackets.
	Field string `json:"field"`
	// Value is what is delivered, as text on one line; absent for a field that is not there.
	Value *string `json:"value,omitempty"`
	// Steps are what made it so, in order: where it was read, then each step that changed it.
	Steps []ExplainedStep `json:"steps"`
}

// ExplainedStep is one thing that happened to a value.
//
// +kubebuilder:object:generate=false
type ExplainedStep struct {
	// Deed is read (from a file), made (with the whole object, by a function), changed, added, removed, shipped (made fit for a
	// work) or filled (from a template).
	Deed string `json:"deed"`
	// Value is the value from then on, absent after removal.
	Value *string `json:"value,omitempty"`
	// Place is where the value was read or, of a template, where it stands.
	Place *ExplainedPlace `json:"place,omitempty"`
	// Function did it; absent for what was read.
	Function *ExplainedFunction `json:"function,omitempty"`
	// Template is the text that was filled in.
	Template *string `json:"template,omitempty"`
	// Inputs are what the function took it from, as far as that is known: its config, properties of the cluster, a
	// context object.
	Inputs []ExplainedInput `json:"inputs,omitempty"`
}

// ExplainedFunction is a step of a pipeline.
//
// +kubebuilder:object:generate=false
type ExplainedFunction struct {
	Name string `json:"name"`
	// Image is what the Kptfile names, with its digest if it does; Exec is the command instead.
	Image string `json:"image,omitempty"`
	Exec  string `json:"exec,omitempty"`
	// Linked is the release of waybill whose linked function ran; empty for a container or a command.
	Linked string `json:"linked,omitempty"`
	// Place is where the Kptfile names it, and Config what configures it, if that is an object of its own.
	Place  *ExplainedPlace `json:"place,omitempty"`
	Config *ExplainedPlace `json:"config,omitempty"`
}

// ExplainedInput is a value that a step took.
//
// +kubebuilder:object:generate=false
type ExplainedInput struct {
	// Of says what it is: config, property (of the cluster), context (object that was injected), transform (that removed it).
	Of   string `json:"of"`
	Name string `json:"name"`
	// Value is absent for a property that the cluster does not have, and for what is an object.
	Value *string `json:"value,omitempty"`
	// Place is where it stands; absent for what stands nowhere, such as clusterName.
	Place *ExplainedPlace `json:"place,omitempty"`
}
