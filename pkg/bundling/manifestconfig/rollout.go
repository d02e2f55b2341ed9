package manifestconfig

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// rules are what an agent reports about an object (feedback) and concludes from it (conditions).
//
// A rollout over works looks at two conditions of a work. Progressing is true while any of its
// objects says so: the cluster is not done. Progressing and Degraded together: it failed. So every
// object gets a rule for Progressing, which stays true for an object that failed. Degraded is true
// only while no object of the work denies it, so only kinds that say by themselves that they have
// given up get one; for others a rollout's own deadline decides. A rule that cannot be evaluated
// counts as false, which for Progressing means done: expressions ask for each field first.
//
// No rule sets Complete: a work that is complete takes no update any more, and a rollout of the
// next version over it would wait for ever.
type rules struct{ feedback, conditions *yaml.Node }

// rolloutKind is of which objects rules are. Versions count: agents know no others.
type rolloutKind struct{ apiVersion, kind string }

var (
	rulesByKind = map[rolloutKind]rules{
		{"apps/v1", "Deployment"}:  newRules(wellKnownStatus(), deploymentProgressing, deploymentDegraded),
		{"apps/v1", "StatefulSet"}: newRules(statusFields("replicas", "readyReplicas", "updatedReplicas"), statefulSetProgressing, ""),
		{"apps/v1", "DaemonSet"}: newRules(statusFields("desiredNumberScheduled", "updatedNumberScheduled", "numberAvailable"),
			daemonSetProgressing, ""),
		{"batch/v1", "Job"}: newRules(wellKnownStatus(), jobProgressing, jobDegraded),
		{"v1", "Pod"}:       newRules(wellKnownStatus(), podProgressing, podDegraded),
	}
	otherRules = newRules(readyStatus(), otherProgressing, "")
)

func RulesFor(o *krm.Object) rules {
	if r, known := rulesByKind[rolloutKind{o.APIVersion(), o.Kind()}]; known {
		return r
	}
	return otherRules
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

// wellKnownStatus asks for what agents know to report about a kind without being told.
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
