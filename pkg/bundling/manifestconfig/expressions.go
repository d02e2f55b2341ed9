package manifestconfig

import "strings"

// The CEL expressions of rules, over the object as it is on the cluster. Absent counters are zero:
// Kubernetes leaves zeros out. The tests of kinds with replicas are those of kubectl rollout status.
// No field is taken for granted: to an agent an expression that fails is false, which for
// Progressing reads as done.

// notObserved holds until the controller has seen the present generation. Without it the counters
// of the version before would pass for those of this one.
var notObserved = `!has(object.status) || !has(object.status.observedGeneration)
|| object.status.observedGeneration < ` + generation

const generation = "(has(object.metadata.generation) ? object.metadata.generation : 0)"

// spec is the field at a path below spec, or value when any field on the way to it is absent.
func spec(value string, path ...string) string {
	at := "object.spec"
	guards := []string{"has(object.spec)"}
	for _, name := range path {
		at += "." + name
		guards = append(guards, "has("+at+")")
	}
	return "(" + strings.Join(guards, " && ") + " ? " + at + " : " + value + ")"
}

func status(counter string) string {
	return "(has(object.status." + counter + ") ? object.status." + counter + " : 0)"
}

func lines(terms ...string) string { return strings.Join(terms, "\n") }

var (
	wantedReplicas = spec("1", "replicas")
	notOnDelete    = spec("''", "updateStrategy", "type") + " != 'OnDelete'"

	deploymentProgressing = lines(notObserved,
		"|| "+status("updatedReplicas")+" < "+wantedReplicas,
		"|| "+status("replicas")+" > "+status("updatedReplicas"),
		"|| "+status("availableReplicas")+" < "+status("updatedReplicas"))

	// Past its deadline a Deployment says so, and takes it back when it moves again.
	deploymentDegraded = lines(
		"!("+notObserved+")",
		"&& has(object.status.conditions)",
		"&& object.status.conditions.exists(c, c.type == 'Progressing' && c.status == 'False' && has(c.reason) "+
			"&& c.reason == 'ProgressDeadlineExceeded')")

	// Pods below the partition keep their version by intent.
	partition              = spec("0", "updateStrategy", "rollingUpdate", "partition")
	statefulSetProgressing = lines(notObserved,
		"|| "+status("readyReplicas")+" < "+wantedReplicas,
		"|| "+notOnDelete+" && "+status("updatedReplicas")+" < "+wantedReplicas+" - "+partition)

	daemonSetProgressing = lines(notObserved,
		"|| "+status("numberAvailable")+" < "+status("desiredNumberScheduled"),
		"|| "+notOnDelete+" && "+status("updatedNumberScheduled")+" < "+status("desiredNumberScheduled"))

	jobProgressing = noCondition("Complete")
	jobDegraded    = condition("Failed")

	podProgressing = lines("!(has(object.status) && has(object.status.phase) && object.status.phase == 'Succeeded')",
		"&& ("+noCondition("Ready")+")")
	podDegraded = "has(object.status) && has(object.status.phase) && object.status.phase == 'Failed'"
)

func condition(kind string) string {
	return "has(object.status) && has(object.status.conditions) && object.status.conditions.exists(c, c.type == '" + kind +
		"' && c.status == 'True')"
}

func noCondition(kind string) string { return "!(" + condition(kind) + ")" }

// otherProgressing is for what has no rule of its own. What has no status, as a ConfigMap, is done
// when it is there; what reports by the conventions of Kubernetes is done when it says that it is.
// Nothing is known of its schema, so types are looked at too.
const otherProgressing = `has(object.status) && type(object.status) == map
&& (has(object.status.observedGeneration) && has(object.metadata.generation)
&& type(object.status.observedGeneration) == int && object.status.observedGeneration < object.metadata.generation
|| has(object.status.conditions) && type(object.status.conditions) == list && object.status.conditions.exists(c,
type(c) == map && has(c.type) && has(c.status)
&& (c.type in ['Ready', 'Available', 'Established'] && c.status != 'True' || c.type == 'Reconciling' && c.status == 'True')))`
