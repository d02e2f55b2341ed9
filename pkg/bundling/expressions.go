package bundling

import "strings"

// The CEL expressions of rules, over the object as it is on the cluster. Absent counters are zero:
// Kubernetes leaves zeros out. The tests of kinds with replicas are those of kubectl rollout status.

// notObserved holds until the controller has seen the present generation. Without it the counters
// of the version before would pass for those of this one.
const notObserved = `!has(object.status) || !has(object.status.observedGeneration)
|| object.status.observedGeneration < object.metadata.generation`

const onDelete = `(has(object.spec.updateStrategy) && has(object.spec.updateStrategy.type) && object.spec.updateStrategy.type == 'OnDelete')`

// orElse is the field at path, or value when there is none.
func orElse(path, value string) string { return "(has(" + path + ") ? " + path + " : " + value + ")" }

func status(counter string) string { return orElse("object.status."+counter, "0") }

func lines(terms ...string) string { return strings.Join(terms, "\n") }

var (
	wantedReplicas = orElse("object.spec.replicas", "1")

	deploymentProgressing = lines(notObserved,
		"|| "+status("updatedReplicas")+" < "+wantedReplicas,
		"|| "+status("replicas")+" > "+status("updatedReplicas"),
		"|| "+status("availableReplicas")+" < "+status("updatedReplicas"))

	// Past its deadline a Deployment says so, and takes it back when it moves again.
	deploymentDegraded = lines(
		"!("+notObserved+")",
		"&& has(object.status.conditions)",
		"&& object.status.conditions.exists(c, c.type == 'Progressing' && c.status == 'False' && c.reason == 'ProgressDeadlineExceeded')")

	// Pods below the partition keep their version by intent.
	partition = "(has(object.spec.updateStrategy) && has(object.spec.updateStrategy.rollingUpdate) && " +
		"has(object.spec.updateStrategy.rollingUpdate.partition) ? object.spec.updateStrategy.rollingUpdate.partition : 0)"
	statefulSetProgressing = lines(notObserved,
		"|| "+status("readyReplicas")+" < "+wantedReplicas,
		"|| !"+onDelete+" && "+status("updatedReplicas")+" < "+wantedReplicas+" - "+partition)

	daemonSetProgressing = lines(notObserved,
		"|| "+status("numberAvailable")+" < "+status("desiredNumberScheduled"),
		"|| !"+onDelete+" && "+status("updatedNumberScheduled")+" < "+status("desiredNumberScheduled"))

	jobProgressing = noCondition("Complete")
	jobDegraded    = condition("Failed")

	podProgressing = lines("!(has(object.status) && has(object.status.phase) && object.status.phase == 'Succeeded')",
		"&& ("+noCondition("Ready")+")")
	podDegraded = "has(object.status) && has(object.status.phase) && object.status.phase == 'Failed'"
)

func condition(kind string) string {
	return "has(object.status) && has(object.status.conditions) && object.status.conditions.exists(c, c.type == '" + kind + "' && c.status == 'True')"
}

func noCondition(kind string) string { return "!(" + condition(kind) + ")" }

// otherProgressing is for what has no rule of its own. What has no status, as a ConfigMap, is done
// when it is there; what reports by the conventions of Kubernetes is done when it says that it is.
const otherProgressing = `has(object.status)
&& (has(object.status.observedGeneration) && object.status.observedGeneration < object.metadata.generation
|| has(object.status.conditions) && object.status.conditions.exists(c,
c.type in ['Ready', 'Available', 'Established'] && c.status != 'True' || c.type == 'Reconciling' && c.status == 'True'))`
