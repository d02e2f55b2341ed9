package risk

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Level is how risky a change is.
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
	// applies reports whether a change of one object is of that kind; nil if that takes more than the object.
	applies func(*facts) bool
}

// ByObject reports whether one object before and after is enough to tell whether the rule applies.
func (r *Rule) ByObject() bool { return r.applies != nil }

// Names of rules that are not about one object alone.
const (
	ClusterLeaves = "cluster-leaves"
	ClusterJoins  = "cluster-joins"
	// WorkSettings does not apply where a setting only follows an object that comes or goes.
	WorkSettings   = "work-settings"
	UpdateStrategy = "update-strategy"
	// NowOrphaned and NoLongerOrphaned are about objects that a work holds before and after.
	NowOrphaned      = "now-orphaned"
	NoLongerOrphaned = "no-longer-orphaned"
)

// Rules are all rules, the riskiest first. A change that no rule recognises is an ordinary change.
var Rules = []Rule{
	{ClusterLeaves, High, "The cluster receives nothing any more: everything that was delivered to it is deleted there, " +
		"also create-only objects, except objects that are left behind.", nil},
	{"namespace-deleted", High, "Deleting a Namespace deletes everything in it, also objects of others.", nil},
	{"crd-deleted", High, "Deleting a CustomResourceDefinition deletes all objects of its kind.", nil},
	{"storage-deleted", High, "Volumes may be deleted, with the data in them.", nil},
	{"object-deleted", High, "The object is deleted.", nil},
	{"namespace-recreated", High, "The Namespace moves to another work without a hand-over: OCM deletes it with everything in it, " +
		"and creates it again.", nil},
	{"crd-recreated", High, "The CustomResourceDefinition moves to another work without a hand-over: OCM deletes it with all objects " +
		"of its kind, and creates it again.", nil},
	{"storage-recreated", High, "The object moves to another work without a hand-over: OCM deletes it, perhaps with the data in its " +
		"volumes, and creates it again.", nil},
	{"job-recreated", High, "The Job moves to another work without a hand-over: OCM deletes it and creates it again, so that it runs again.",
		nil},
	{"object-recreated", High, "The object moves to another work without a hand-over: OCM deletes it and creates it again.", nil},
	{"critical-hand-over", High, "An object whose loss would delete data or run a Job again is handed over to another work. " +
		"It stays on the cluster; render with handOver: finish only when every cluster has applied this.", nil},
	{"critical-hand-over-ended", High, "A hand-over ends for an object whose loss would delete data or run a Job again. " +
		"A cluster that was offline and has not applied the hand-over deletes the object: check first that every cluster has applied the work " +
		"that holds it now.", nil},
	{"selector-changed", High, "The API server refuses a new selector for existing workload; a Service or a policy then applies to " +
		"other pods.", selectorChanged},
	{"storage-changed", High, "Most fields of an existing claim, class or claim template cannot change; the API server refuses the change.",
		storageChanged},
	{WorkSettings, High, "The agent applies or deletes the objects of the work in another way: deleteOption, executor or " +
		"manifestConfigs changes.", workSettings},
	{NoLongerOrphaned, High, "Objects that were to stay on the cluster are deleted from now on when their work no longer holds them: " +
		"when the cluster leaves, their policy goes, or no policy selects them.", nil},
	{"rbac-widened", High, "A user, group or service account may do more than before.", rbacWidened},
	{"privileges-widened", High, "A pod gets more access to its node: privileged, or with the network, processes or files of the node.",
		privilegesWidened},
	{"admission-changed", High, "Webhooks and admission policies can refuse every request to the API server.", admissionChanged},
	{"image-registry", Medium, "An image comes from another registry, which the cluster may not reach or trust.", registryChanged},
	{"scaled-to-zero", Medium, "Nothing runs any more: replicas go to 0, or the job is suspended.", scaledToZero},
	{"crd-changed", Medium, "Existing objects may become invalid.", changed("apiextensions.k8s.io/CustomResourceDefinition")},
	{"namespace-changed", Medium, "Labels of a Namespace select policies for everything in it.", changed("/Namespace")},
	{"exposed", Medium, "The Service can be reached from outside of the cluster.", exposed},
	{ClusterJoins, Medium, "The cluster did not receive anything before.", nil},
	{"left-behind", Medium, "The object stays on the cluster, where no work holds it any more: nothing updates or deletes it.", nil},
	{"hand-over-ended", Medium, "A hand-over ends. A cluster that was offline and has not applied it deletes the object, " +
		"and creates it again if another work holds it: check first that every cluster has applied the work that holds it now.", nil},
	{UpdateStrategy, Low, "Objects are applied in another way: by server-side apply instead of updates, or the reverse. " +
		"This alone changes no object.", nil},
	{NowOrphaned, Low, "Objects stay on the cluster from now on when their work no longer holds them. This alone changes no object.", nil},
	{"handed-over", Low, "The object is handed over to another work and stays on the cluster; " +
		"render with handOver: finish when every cluster has applied this.", nil},
}

// RuleIndex is the index in Rules of the rule of that name.
func RuleIndex(name string) int {
	return slices.IndexFunc(Rules, func(r Rule) bool { return r.Name == name })
}

// Of are the indexes in Rules of the rules that apply to an object, sorted.
func Of(d *Diff) (out []int, err error) {
	f, err := newFacts(d)
	if err != nil {
		return nil, err
	}
	for i, r := range Rules {
		if r.applies != nil && r.applies(f) {
			out = append(out, i)
		}
	}
	return out, nil
}

// classes are kinds whose loss takes more than the object, by the prefix of their rules.
var classes = map[string][]string{
	"namespace": {"/Namespace"},
	"crd":       {"apiextensions.k8s.io/CustomResourceDefinition"},
	"storage":   {"/PersistentVolumeClaim", "/PersistentVolume", "storage.k8s.io/StorageClass", "apps/StatefulSet"},
	"job":       {"batch/Job"},
}

// ClassOf is the prefix of the rules about a kind.
func ClassOf(id krm.ID) string {
	for class, kinds := range classes {
		if slices.Contains(kinds, id.Group+"/"+id.Kind) {
			return class
		}
	}
	return "object"
}

func changed(kinds ...string) func(*facts) bool {
	return func(f *facts) bool { return f.changed() && len(f.fields) > 0 && slices.Contains(kinds, f.kind()) }
}
