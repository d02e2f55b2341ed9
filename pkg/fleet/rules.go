package fleet

import "slices"

// Level is how much care a change asks for.
type Level string

// The levels, the highest first.
const (
	High   Level = "high"
	Medium Level = "medium"
	Low    Level = "low"
)

// Rule recognises one kind of risk.
type Rule struct {
	Name  string
	Level Level
	// Says is one sentence about what may happen.
	Says string
	// applies says whether a change of an object is of that kind; nil where it takes more than the object to tell.
	applies func(*facts) bool
}

// Names of rules that are not about one object alone.
const (
	ruleLeaves = "cluster-leaves"
	ruleJoins  = "cluster-joins"
	ruleMoves  = "moved-to-other-work"
	// ruleSettings does not apply where a setting only follows an object that comes or goes.
	ruleSettings = "work-settings"
)

// Rules are all rules, the riskiest first. What none of them recognises is an ordinary change.
var Rules = []Rule{
	{ruleLeaves, High, "The cluster receives nothing any more: all that was delivered to it is deleted there.", nil},
	{"namespace-deleted", High, "With a Namespace goes everything in it, whoever put it there.", removed("/Namespace")},
	{"crd-deleted", High, "With a CustomResourceDefinition go all objects of its kind.", removed("apiextensions.k8s.io/CustomResourceDefinition")},
	{"storage-deleted", High, "Volumes may be deleted, with the data in them.", removed("/PersistentVolumeClaim", "/PersistentVolume", "storage.k8s.io/StorageClass", "apps/StatefulSet")},
	{"object-deleted", High, "The object is deleted.", func(f *facts) bool { return f.gone && !f.itself }},
	{"selector-changed", High, "The API server refuses another selector for workload that exists; a Service or a policy applies to other pods.", selectorChanged},
	{"storage-changed", High, "Most of a claim, of a class and of the templates for claims cannot be changed once it exists; the API server refuses it.", storageChanged},
	{ruleSettings, High, "How the agent applies or deletes what the work carries is another: deleteOption, executor or manifestConfigs.", workSettings},
	{"rbac-widened", High, "Somebody may do more than before.", rbacWidened},
	{"privileges-widened", High, "A pod gets closer to its node: privileged, or with the node's network, processes or files.", privilegesWidened},
	{"admission-changed", High, "Webhooks and admission policies can refuse every request to the API server.", admissionChanged},
	{"image-registry", Medium, "An image comes from another registry, which the cluster may not reach or trust.", registryChanged},
	{"scaled-to-zero", Medium, "Nothing runs any more: replicas go to 0, or the job is suspended.", scaledToZero},
	{"crd-changed", Medium, "Objects that exist may not be valid any more.", changed("apiextensions.k8s.io/CustomResourceDefinition")},
	{"namespace-changed", Medium, "Labels of a Namespace decide on policies for all that is in it.", changed("/Namespace")},
	{"exposed", Medium, "The Service can be reached from outside of the cluster.", exposed},
	{ruleJoins, Medium, "The cluster did not receive anything before.", nil},
	{ruleMoves, Low, "The object comes in another work; until that is applied, the agent may take it for one that is gone.", nil},
}

// ruleNamed is the place in the table of the rule of that name.
func ruleNamed(name string) int {
	return slices.IndexFunc(Rules, func(r Rule) bool { return r.Name == name })
}

// risks are the places in the table of the rules that apply, in order. A general rule is left out where one about this
// kind of object says more.
func (f *facts) risks() (out []int) {
	for i, r := range Rules {
		if r.applies == nil || !r.applies(f) {
			continue
		}
		if r.Name == "object-deleted" && len(out) > 0 {
			continue
		}
		out = append(out, i)
	}
	return out
}

func removed(kinds ...string) func(*facts) bool {
	return func(f *facts) bool { return f.gone && slices.Contains(kinds, f.kind()) }
}

func changed(kinds ...string) func(*facts) bool {
	return func(f *facts) bool { return f.changed() && slices.Contains(kinds, f.kind()) }
}
