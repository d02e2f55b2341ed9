package manifestconfig

import (
	"cmp"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// rules are what an agent reports about an object (feedback), and the conditions that it derives.
//
// A rollout reads two conditions of a work. Progressing is true while it is true for any of its
// objects: the cluster is not done. Progressing and Degraded together mean that it failed. So every
// object has a rule for Progressing, which stays true for an object that failed. Degraded is true
// only if it is false for no object of the work. So only kinds that report a final failure themselves
// have a rule for it; for others the deadline of the rollout decides. A rule that an agent cannot evaluate
// counts as false, which for Progressing means done: expressions check that each field exists.
//
// No rule sets Complete: an agent does not update a work that is complete, and a rollout of the
// next version would wait forever.
type rules struct{ feedback, conditions *yaml.Node }

// rolloutKind is a kind that has rules of its own, with its version: agents know no other.
type rolloutKind struct{ apiVersion, kind string }

// Made when they are first used: most runs of a program bundle nothing.
var (
	rulesByKind = sync.OnceValue(func() map[rolloutKind]rules {
		return map[rolloutKind]rules{
			{"apps/v1", "Deployment"}:  newRules(wellKnownStatus(), deploymentProgressing, deploymentDegraded),
			{"apps/v1", "StatefulSet"}: newRules(statusFields("replicas", "readyReplicas", "updatedReplicas"), statefulSetProgressing, ""),
			{"apps/v1", "DaemonSet"}: newRules(statusFields("desiredNumberScheduled", "updatedNumberScheduled", "numberAvailable"),
				daemonSetProgressing, ""),
			{"batch/v1", "Job"}: newRules(wellKnownStatus(), jobProgressing, jobDegraded),
			{"v1", "Pod"}:       newRules(wellKnownStatus(), podProgressing, podDegraded),
		}
	})
	otherRules = sync.OnceValue(func() rules { return newRules(readyStatus(), otherProgressing, "") })
)

// RulesFor are the rules of an object.
func RulesFor(o *krm.Object) rules {
	return cmp.Or(rulesByKind()[rolloutKind{o.APIVersion(), o.Kind()}], otherRules())
}

func newRules(feedback *yaml.Node, progressing, degraded string) rules {
	list := manifest.List(celRule("Progressing", progressing))
	if degraded != "" {
		list.Content = append(list.Content, celRule("Degraded", degraded))
	}
	return rules{feedback: manifest.List(feedback), conditions: list}
}

func celRule(condition, expression string) *yaml.Node {
	return manifest.Map("condition", condition, "type", "CEL", "celExpressions", manifest.List(manifest.String(expression)))
}

// wellKnownStatus is the feedback that agents know for a kind.
func wellKnownStatus() *yaml.Node { return manifest.Map("type", "WellKnownStatus") }

func statusFields(names ...string) *yaml.Node {
	paths := manifest.List()
	for _, name := range names {
		paths.Content = append(paths.Content, jsonPath(strings.ToUpper(name[:1])+name[1:], ".status."+name))
	}
	return manifest.Map("type", "JSONPaths", "jsonPaths", paths)
}

func readyStatus() *yaml.Node {
	return manifest.Map("type", "JSONPaths", "jsonPaths", manifest.List(jsonPath("Ready", `.status.conditions[?(@.type=="Ready")].status`)))
}

func jsonPath(name, path string) *yaml.Node { return manifest.Map("name", name, "path", path) }

// The CEL expressions of rules, over the object on the cluster. An absent counter is zero, as
// Kubernetes omits zeros. Kinds with replicas are tested as by kubectl rollout status.
// No expression assumes that a field exists: one that fails is false to an agent, which for
// Progressing means done.

// notObserved is true until the controller has seen the current generation. Without it the counters
// of the previous version would count for this one.
var notObserved = `!has(object.status) || !has(object.status.observedGeneration)
|| object.status.observedGeneration < ` + generation

const generation = "(has(object.metadata.generation) ? object.metadata.generation : 0)"

// spec is the field at a path below spec, or value if any field of the path is absent.
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

	// A Deployment reports that its deadline has passed, until it progresses again.
	deploymentDegraded = lines(
		"!("+notObserved+")",
		"&& has(object.status.conditions)",
		"&& object.status.conditions.exists(c, c.type == 'Progressing' && c.status == 'False' && has(c.reason) "+
			"&& c.reason == 'ProgressDeadlineExceeded')")

	// Pods below the partition keep their version on purpose.
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

// otherProgressing is for kinds without a rule of their own. An object without status, such as a ConfigMap, is done
// when it exists; one that follows the conventions of Kubernetes is done when its conditions say so.
// Its schema is unknown, so the expression checks types too.
const otherProgressing = `has(object.status) && type(object.status) == map
&& (has(object.status.observedGeneration) && has(object.metadata.generation)
&& type(object.status.observedGeneration) == int && object.status.observedGeneration < object.metadata.generation
|| has(object.status.conditions) && type(object.status.conditions) == list && object.status.conditions.exists(c,
type(c) == map && has(c.type) && has(c.status)
&& (c.type in ['Ready', 'Available', 'Established'] && c.status != 'True' || c.type == 'Reconciling' && c.status == 'True')))`
