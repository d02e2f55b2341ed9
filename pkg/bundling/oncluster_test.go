package bundling

// What an OCM rollout makes of the conditions that an agent sets by the rules of an object.
const (
	waits    = "waits: Progressing"
	succeeds = "succeeds: not Progressing"
	fails    = "fails: Progressing and Degraded"
)

// onCluster are objects as they are on a cluster, at generation 2 where they have one.
var onCluster = map[string]struct{ kind, reason, object, want string }{
	"Deployment/Fresh":      {"Deployment", "no controller has looked at it", "spec: {replicas: 2}", waits},
	"Deployment/NoSpec":     {"Deployment", "nothing but a name", "", waits},
	"Deployment/Stale":      {"Deployment", "the counters are those of the version before", "spec: {replicas: 2}\nstatus: {observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 2}", waits},
	"Deployment/Updating":   {"Deployment", "one of two has this version", "spec: {replicas: 2}\nstatus: {observedGeneration: 2, replicas: 2, updatedReplicas: 1, availableReplicas: 2}", waits},
	"Deployment/OldLeft":    {"Deployment", "one of the version before is still there", "spec: {replicas: 2}\nstatus: {observedGeneration: 2, replicas: 3, updatedReplicas: 2, availableReplicas: 3}", waits},
	"Deployment/NotUp":      {"Deployment", "an absent counter is zero", "spec: {replicas: 2}\nstatus: {observedGeneration: 2, replicas: 2, updatedReplicas: 2}", waits},
	"Deployment/Done":       {"Deployment", "all of this version, available, no other", "spec: {replicas: 2}\nstatus: {observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2}", succeeds},
	"Deployment/DoneBy1":    {"Deployment", "replicas that are not given are one", "spec: {}\nstatus: {observedGeneration: 2, replicas: 1, updatedReplicas: 1, availableReplicas: 1}", succeeds},
	"Deployment/Zero":       {"Deployment", "scaled to nothing is done, all counters being absent", "spec: {replicas: 0}\nstatus: {observedGeneration: 2}", succeeds},
	"Deployment/Ahead":      {"Deployment", "without a generation nothing can be stale", "metadata: {name: x}\nspec: {replicas: 0}\nstatus: {observedGeneration: 2}", succeeds},
	"Deployment/Failed":     {"Deployment", "it says that it has given up", "spec: {replicas: 2}\nstatus: {observedGeneration: 2, replicas: 2, updatedReplicas: 1, conditions: [{type: Available, status: 'True'}, {type: Progressing, status: 'False', reason: ProgressDeadlineExceeded}]}", fails},
	"Deployment/FailedThen": {"Deployment", "the failure is that of the version before", "spec: {replicas: 2}\nstatus: {observedGeneration: 1, conditions: [{type: Progressing, status: 'False', reason: ProgressDeadlineExceeded}]}", waits},
	"Deployment/NoReason":   {"Deployment", "a condition without a reason is no failure", "spec: {replicas: 2}\nstatus: {observedGeneration: 2, conditions: [{type: Progressing, status: 'False'}]}", waits},
	"Deployment/Recovered":  {"Deployment", "a failure that was taken back", "spec: {replicas: 1}\nstatus: {observedGeneration: 2, replicas: 1, updatedReplicas: 1, conditions: [{type: Progressing, status: 'True', reason: ReplicaSetUpdated}]}", waits},

	"StatefulSet/Fresh":     {"StatefulSet", "no controller has looked at it", "spec: {replicas: 3}", waits},
	"StatefulSet/Stale":     {"StatefulSet", "the counters are those of the version before", "spec: {replicas: 3}\nstatus: {observedGeneration: 1, readyReplicas: 3, updatedReplicas: 3}", waits},
	"StatefulSet/NotReady":  {"StatefulSet", "not all are ready", "spec: {replicas: 3}\nstatus: {observedGeneration: 2, readyReplicas: 2, updatedReplicas: 3}", waits},
	"StatefulSet/Updating":  {"StatefulSet", "not all have this version", "spec: {replicas: 3}\nstatus: {observedGeneration: 2, readyReplicas: 3, updatedReplicas: 1}", waits},
	"StatefulSet/Done":      {"StatefulSet", "all ready and of this version", "spec: {replicas: 3}\nstatus: {observedGeneration: 2, readyReplicas: 3, updatedReplicas: 3}", succeeds},
	"StatefulSet/Partition": {"StatefulSet", "those below the partition stay as they are", "spec: {replicas: 3, updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}}\nstatus: {observedGeneration: 2, readyReplicas: 3, updatedReplicas: 1}", succeeds},
	"StatefulSet/Above":     {"StatefulSet", "those above the partition do not", "spec: {replicas: 3, updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 1}}}\nstatus: {observedGeneration: 2, readyReplicas: 3, updatedReplicas: 1}", waits},
	"StatefulSet/OnDelete":  {"StatefulSet", "who deletes pods decides when they get this version", "spec: {replicas: 3, updateStrategy: {type: OnDelete}}\nstatus: {observedGeneration: 2, readyReplicas: 3}", succeeds},

	"DaemonSet/Fresh":    {"DaemonSet", "no controller has looked at it", "spec: {}", waits},
	"DaemonSet/Stale":    {"DaemonSet", "the counters are those of the version before", "spec: {}\nstatus: {observedGeneration: 1, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2}", waits},
	"DaemonSet/NotUp":    {"DaemonSet", "a node without an available pod", "spec: {}\nstatus: {observedGeneration: 2, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 1}", waits},
	"DaemonSet/Updating": {"DaemonSet", "a node with a pod of the version before", "spec: {}\nstatus: {observedGeneration: 2, desiredNumberScheduled: 2, updatedNumberScheduled: 1, numberAvailable: 2}", waits},
	"DaemonSet/Done":     {"DaemonSet", "this version on every node", "spec: {}\nstatus: {observedGeneration: 2, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2}", succeeds},
	"DaemonSet/OnDelete": {"DaemonSet", "who deletes pods decides when they get this version", "spec: {updateStrategy: {type: OnDelete}}\nstatus: {observedGeneration: 2, desiredNumberScheduled: 2, numberAvailable: 2}", succeeds},
	"DaemonSet/NoNodes":  {"DaemonSet", "no node wants it", "spec: {}\nstatus: {observedGeneration: 2, desiredNumberScheduled: 0}", succeeds},

	"Job/Fresh":   {"Job", "no controller has looked at it", "spec: {}", waits},
	"Job/Running": {"Job", "its pods run", "spec: {}\nstatus: {active: 1}", waits},
	"Job/Done":    {"Job", "complete", "spec: {}\nstatus: {succeeded: 1, conditions: [{type: SuccessCriteriaMet, status: 'True'}, {type: Complete, status: 'True'}]}", succeeds},
	"Job/Failed":  {"Job", "failed for good", "spec: {}\nstatus: {failed: 6, conditions: [{type: Failed, status: 'True', reason: BackoffLimitExceeded}]}", fails},
	"Job/NotYet":  {"Job", "a condition that is not true", "spec: {}\nstatus: {conditions: [{type: Complete, status: 'False'}, {type: Failed, status: 'False'}]}", waits},

	"Pod/Fresh":    {"Pod", "it is not scheduled", "spec: {}", waits},
	"Pod/Starting": {"Pod", "not ready", "spec: {}\nstatus: {phase: Running, conditions: [{type: Ready, status: 'False'}]}", waits},
	"Pod/Done":     {"Pod", "ready", "spec: {}\nstatus: {phase: Running, conditions: [{type: Ready, status: 'True'}]}", succeeds},
	"Pod/Finished": {"Pod", "it ran to its end", "spec: {}\nstatus: {phase: Succeeded, conditions: [{type: Ready, status: 'False'}]}", succeeds},
	"Pod/Failed":   {"Pod", "it failed", "spec: {}\nstatus: {phase: Failed}", fails},

	"Other/NoStatus":    {"Widget", "what has no status is done when it is there", "data: {k: v}", succeeds},
	"Other/EmptyStatus": {"Widget", "an empty status says nothing", "status: {}", succeeds},
	"Other/Stale":       {"Widget", "its controller has not seen this version", "status: {observedGeneration: 1, conditions: [{type: Ready, status: 'True'}]}", waits},
	"Other/NotReady":    {"Widget", "it says that it is not ready", "status: {observedGeneration: 2, conditions: [{type: Synced, status: 'False'}, {type: Ready, status: Unknown}]}", waits},
	"Other/Reconciling": {"Widget", "it says that it is at work", "status: {conditions: [{type: Reconciling, status: 'True'}]}", waits},
	"Other/Done":        {"Widget", "it says that it is done", "status: {observedGeneration: 2, conditions: [{type: Ready, status: 'True'}, {type: Reconciling, status: 'False'}]}", succeeds},
	"Other/NoVerdict":   {"Widget", "unknown conditions mean nothing", "status: {conditions: [{type: Progressing, status: 'False'}]}", succeeds},
	"Other/NoGen":       {"Widget", "a generation that is not there cannot be missed", "metadata: {name: x}\nstatus: {observedGeneration: 1, conditions: [{type: Ready, status: 'True'}]}", succeeds},
	"Other/HalfConds":   {"Widget", "conditions that lack a part are passed over, the others count", "status: {conditions: [{message: x}, {type: Ready}, {status: 'False'}, text, {type: Available, status: 'False'}]}", waits},
	"Other/OddStatus":   {"Widget", "a status of another shape says nothing", "status: fine", succeeds},
	"Other/NullStatus":  {"Widget", "nor does a null", "status: null", succeeds},
	"Other/OddFields":   {"Widget", "nor do fields of other types", "status: {observedGeneration: one, conditions: {Ready: 'False'}}", succeeds},
	"Other/OddConds":    {"Widget", "nor do conditions that are text", "status: {conditions: none}", succeeds},
}
