package writeback

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/status/reports"
)

func TestAggregate(t *testing.T) {
	none := []any{}
	cases := map[string]struct {
		reason       string
		id           reports.Identity
		statuses     map[string]string
		want, strict map[string]any // nil: left alone
	}{
		"Deployment": {"the least of what should be many, the most of what should be few", deployment, map[string]string{
			"e1": "{replicas: 3, updatedReplicas: 2, availableReplicas: 3, readyReplicas: 1, observedGeneration: 5, unavailableReplicas: 1, collisionCount: 1}",
			"e2": "{replicas: 2, updatedReplicas: 3, availableReplicas: 1, readyReplicas: 3, observedGeneration: 4, unavailableReplicas: 2}",
		},
			m{"replicas": int64(2), "updatedReplicas": int64(2), "availableReplicas": int64(1), "readyReplicas": int64(1), "observedGeneration": int64(4), "unavailableReplicas": int64(2), "conditions": none},
			m{"replicas": int64(2), "updatedReplicas": int64(2), "availableReplicas": int64(1), "readyReplicas": int64(1), "observedGeneration": int64(4), "unavailableReplicas": int64(2), "conditions": none}},
		"Missing": {"a counter that a cluster lacks is ignored or, strict, 0; one that all lack is 0", deployment, map[string]string{
			"e1": "{replicas: 3, readyReplicas: 3, unavailableReplicas: -1}",
			"e2": "{replicas: 2}",
		},
			m{"replicas": int64(2), "updatedReplicas": int64(0), "availableReplicas": int64(0), "readyReplicas": int64(3), "observedGeneration": int64(0), "unavailableReplicas": int64(-1), "conditions": none},
			m{"replicas": int64(2), "updatedReplicas": int64(0), "availableReplicas": int64(0), "readyReplicas": int64(0), "observedGeneration": int64(0), "unavailableReplicas": int64(0), "conditions": none}},
		"NoInteger": {"what is no whole number counts as missing", deployment, map[string]string{
			"e1": `{replicas: "1", updatedReplicas: 1.0, availableReplicas: true, readyReplicas: null, observedGeneration: 18446744073709551615, unavailableReplicas: [9]}`,
			"e2": "{replicas: 2, updatedReplicas: 2, availableReplicas: 2, readyReplicas: 2, observedGeneration: 2, unavailableReplicas: 2}",
		},
			m{"replicas": int64(2), "updatedReplicas": int64(2), "availableReplicas": int64(2), "readyReplicas": int64(2), "observedGeneration": int64(2), "unavailableReplicas": int64(2), "conditions": none},
			m{"replicas": int64(0), "updatedReplicas": int64(0), "availableReplicas": int64(0), "readyReplicas": int64(0), "observedGeneration": int64(0), "unavailableReplicas": int64(2), "conditions": none}},
		"Stuck": {"the first rollout that is stuck, by name of the cluster, then as listed; nothing else of the conditions", deployment, map[string]string{
			"e10": "{replicas: 1, conditions: [{type: Available, status: 'False', reason: ProgressDeadlineExceeded}, 3, {type: Progressing, reason: ProgressDeadlineExceeded, message: ten}]}",
			"e2":  "{replicas: 1, conditions: [{type: Progressing, reason: ProgressDeadlineExceeded, message: two}]}",
			"e1":  "{replicas: 1, conditions: [{type: Progressing, reason: NewReplicaSetAvailable}]}",
		},
			m{"replicas": int64(1), "updatedReplicas": int64(0), "availableReplicas": int64(0), "readyReplicas": int64(0), "observedGeneration": int64(0), "unavailableReplicas": int64(0),
				"conditions": []any{m{"type": "Progressing", "reason": "ProgressDeadlineExceeded", "message": "ten"}}},
			m{"replicas": int64(1), "updatedReplicas": int64(0), "availableReplicas": int64(0), "readyReplicas": int64(0), "observedGeneration": int64(0), "unavailableReplicas": int64(0),
				"conditions": []any{m{"type": "Progressing", "reason": "ProgressDeadlineExceeded", "message": "ten"}}}},
		"ReplicaSet": {"of ReplicaSets all are least, and any ReplicaFailure shows, whatever its status", replicaSet, map[string]string{
			"e1": "{replicas: 3, fullyLabeledReplicas: 3, readyReplicas: 3, availableReplicas: 3, observedGeneration: 1, unavailableReplicas: 5}",
			"e2": "{replicas: 4, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 2, observedGeneration: 2, conditions: [{type: ReplicaFailure, status: 'False'}]}",
		},
			m{"replicas": int64(3), "fullyLabeledReplicas": int64(2), "readyReplicas": int64(2), "availableReplicas": int64(2), "observedGeneration": int64(1), "conditions": []any{m{"type": "ReplicaFailure", "status": "False"}}},
			m{"replicas": int64(3), "fullyLabeledReplicas": int64(2), "readyReplicas": int64(2), "availableReplicas": int64(2), "observedGeneration": int64(1), "conditions": []any{m{"type": "ReplicaFailure", "status": "False"}}}},
		"DaemonSet": {"DaemonSets get no conditions", daemonSet, map[string]string{
			"e1": "{currentNumberScheduled: 1, desiredNumberScheduled: 2, numberReady: 3, observedGeneration: 4, updatedNumberScheduled: 5, numberAvailable: 6, numberMisscheduled: 7, conditions: [{type: ReplicaFailure}]}",
			"e2": "{currentNumberScheduled: 7, desiredNumberScheduled: 6, numberReady: 5, observedGeneration: 4, updatedNumberScheduled: 3, numberAvailable: 2, numberMisscheduled: 1}",
		},
			m{"currentNumberScheduled": int64(1), "desiredNumberScheduled": int64(2), "numberReady": int64(3), "observedGeneration": int64(4), "updatedNumberScheduled": int64(3), "numberAvailable": int64(2), "numberMisscheduled": int64(7)},
			m{"currentNumberScheduled": int64(1), "desiredNumberScheduled": int64(2), "numberReady": int64(3), "observedGeneration": int64(4), "updatedNumberScheduled": int64(3), "numberAvailable": int64(2), "numberMisscheduled": int64(7)}},
		"StatefulSet": {"no other kind of the group is aggregated", kindOf("apps", "v1", "StatefulSet", "statefulsets"),
			map[string]string{"e1": "{replicas: 1}", "e2": "{replicas: 2}"}, nil, nil},
		"OtherGroup": {"nor that kind of another group", kindOf("x.io", "v1", "Deployment", "deployments"),
			map[string]string{"e1": "{replicas: 1}", "e2": "{replicas: 2}"}, nil, nil},
		"AnyVersion": {"the version does not matter", kindOf("apps", "v1beta2", "DaemonSet", "daemonsets"), map[string]string{"e1": "{numberReady: 1}", "e2": "{numberReady: 2}"},
			m{"currentNumberScheduled": int64(0), "desiredNumberScheduled": int64(0), "numberReady": int64(1), "observedGeneration": int64(0), "updatedNumberScheduled": int64(0), "numberAvailable": int64(0), "numberMisscheduled": int64(0)},
			m{"currentNumberScheduled": int64(0), "desiredNumberScheduled": int64(0), "numberReady": int64(1), "observedGeneration": int64(0), "updatedNumberScheduled": int64(0), "numberAvailable": int64(0), "numberMisscheduled": int64(0)}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			of := seen(t, tc.id, tc.statuses)
			want := wanted(tc.id, nil, []string{"e2", "e10", "e1"})
			for strict, status := range map[bool]map[string]any{false: tc.want, true: tc.strict} {
				obj := subject(m{"old": true}, SingletonLabel)
				expected := subject(status, MultiLabel)
				if status == nil {
					expected = obj
				}
				got := apply(obj, Decide(ObjectOf(tc.id, obj), want, of, Options{StrictCounters: strict}))
				if diff := cmp.Diff(expected, got); diff != "" {
					t.Errorf("strict %t: %s (-want +got):\n%s", strict, tc.reason, diff)
				}
				checkLaws(t, tc.id, obj, want, of, Options{StrictCounters: strict})
			}
		})
	}
}

func TestFieldsFromCode(t *testing.T) {
	for name, v := range map[string]any{"int": 3, "int64": int64(3), "uint64": uint64(3)} {
		if n, whole := integer(v); n != 3 || !whole {
			t.Errorf("%s: want 3, got %d, %t", name, n, whole)
		}
	}
}
