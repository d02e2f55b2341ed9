package reports

import (
	"strings"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// spot is the place of a value in a status.
type spot struct {
	field     []string // the path of the field; empty: the whole status
	condition string   // or the type of the condition whose status it is
	known     bool     // false: there is no known place
}

var (
	fieldPath     = lazyregexp.New(`^\.status((?:\.[A-Za-z0-9_-]+)*)$`)
	conditionPath = lazyregexp.New(`^\.status\.conditions\[\?\(\s*@\.type\s*==\s*["']([^"'\\]+)["']\s*\)\]\.status$`)
)

// maxSteps bounds the depth of a field.
const maxSteps = 16

// spotOfPath parses paths to a field and to the status of a condition, and no others.
func spotOfPath(path string) spot {
	if m := conditionPath.FindStringSubmatch(path); m != nil {
		return spot{condition: m[1], known: true}
	}
	m := fieldPath.FindStringSubmatch(path)
	if m == nil || strings.Count(m[1], ".") > maxSteps {
		return spot{}
	}
	var steps []string
	if m[1] != "" {
		steps = strings.Split(m[1][1:], ".")
	}
	return spot{field: steps, known: true}
}

// kindName is a kind of any version.
type kindName struct{ group, kind string }

// agentNames are the names that agents use by themselves and that differ from the field.
var agentNames = map[kindName]map[string]spot{
	{"batch", "Job"}: {
		"JobComplete":  {condition: "Complete", known: true},
		"JobSucceeded": {field: []string{"succeeded"}, known: true},
	},
	{"", "Pod"}: {
		"PodReady": {condition: "Ready", known: true},
		"PodPhase": {field: []string{"phase"}, known: true},
	},
}

// counters are, by kind, the fields that a value of the same name is when the work does not say what it requested. The first
// letter may be a capital, as in the names that agents use.
var counters = map[kindName][]string{
	{"apps", "Deployment"}: {
		"availableReplicas", "observedGeneration", "readyReplicas", "replicas", "unavailableReplicas", "updatedReplicas",
	},
	{"apps", "ReplicaSet"}: {
		"availableReplicas", "fullyLabeledReplicas", "observedGeneration", "readyReplicas", "replicas",
	},
	{"apps", "StatefulSet"}: {
		"availableReplicas", "currentReplicas", "observedGeneration", "readyReplicas", "replicas", "updatedReplicas",
	},
	{"apps", "DaemonSet"}: {
		"currentNumberScheduled", "desiredNumberScheduled", "numberAvailable", "numberMisscheduled",
		"numberReady", "numberUnavailable", "observedGeneration", "updatedNumberScheduled",
	},
	{"batch", "Job"}: {"active", "failed", "ready", "succeeded"},
}

// spotOfName finds the place of a well-known name.
func spotOfName(k kindName, name string) spot {
	if s, known := agentNames[k][name]; known {
		return s
	}
	for _, field := range counters[k] {
		if name != "" && name[1:] == field[1:] && (name[0] == field[0] || name[0] == field[0]-'a'+'A') {
			return spot{field: []string{field}, known: true}
		}
	}
	return spot{}
}
