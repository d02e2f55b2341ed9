package writeback

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/status/reports"
)

func TestMode(t *testing.T) {
	one, two, none := []string{"e1"}, []string{"e1", "e2"}, []string{}
	cases := map[string]struct {
		reason            string
		singleton, multi  []string // nil: not requested
		statuses          map[string]string
		outcome           Outcome
		reasonOfTheResult string
	}{
		"BothSame":       {"both ask, and all have one cluster: its status", one, one, map[string]string{"e1": "replicas: 1"}, Copy, `the status in cluster "e1"`},
		"BothOneEmpty":   {"the union counts: one of them may have no cluster", none, one, map[string]string{"e1": "replicas: 1"}, Copy, `the status in cluster "e1"`},
		"BothApart":      {"together they have two clusters", one, []string{"e2"}, map[string]string{"e1": "replicas: 1", "e2": "replicas: 2"}, Aggregate, "the aggregate of 2 statuses from 2 clusters"},
		"BothMany":       {"two singleton clusters are aggregated when a policy requests that", two, one, map[string]string{"e1": "replicas: 1", "e2": "replicas: 2"}, Aggregate, "the aggregate of 2 statuses from 2 clusters"},
		"BothNone":       {"an aggregate of no cluster is none", none, none, nil, Clear, "no cluster reports a status"},
		"Singleton":      {"one cluster: its status", one, nil, map[string]string{"e1": "replicas: 1", "other1": "replicas: 5"}, Copy, `the status in cluster "e1"`},
		"SingletonNone":  {"no cluster: nothing to return", none, nil, map[string]string{"other1": "replicas: 5"}, Clear, "0 clusters have the object, one should"},
		"SingletonMany":  {"several clusters have no one status", two, nil, map[string]string{"e1": "replicas: 1"}, Clear, "2 clusters have the object, one should"},
		"Multi":          {"several clusters: the aggregate", nil, two, map[string]string{"e1": "replicas: 1", "e2": "replicas: 2"}, Aggregate, "the aggregate of 2 statuses from 2 clusters"},
		"MultiOne":       {"one cluster: its status", nil, one, map[string]string{"e1": "replicas: 1"}, Copy, `the status in cluster "e1"`},
		"MultiNone":      {"no cluster: nothing to return", nil, none, nil, Clear, "no cluster has the object"},
		"NotRequested":   {"no policy requests it, whatever is reported", nil, nil, map[string]string{"other1": "replicas: 1"}, Clear, "no policy requests the status"},
		"Twice":          {"a cluster that is named twice is one", []string{"e1", "e1"}, nil, map[string]string{"e1": "replicas: 1"}, Copy, `the status in cluster "e1"`},
		"NoReport":       {"a cluster that has not reported has nothing to copy", one, nil, nil, Clear, `0 objects report from cluster "e1", one should`},
		"Several":        {"two reports from a cluster: none is the one", one, nil, map[string]string{"e1": "replicas: 1", "e1'": "replicas: 2"}, Clear, `2 objects report from cluster "e1", one should`},
		"NoStatus":       {"without a status there is nothing to write, nor to take away", one, nil, map[string]string{"e1": "-"}, Leave, `cluster "e1" reports no status`},
		"EmptyStatus":    {"an empty status is what an object without one reports", one, nil, map[string]string{"e1": "{}"}, Leave, `cluster "e1" reports no status`},
		"MultiNoReport":  {"several clusters, none has reported", nil, two, nil, Clear, "no cluster reports a status"},
		"MultiNoStatus":  {"or none has a status", nil, two, map[string]string{"e1": "-", "e2": "{}"}, Clear, "no cluster reports a status"},
		"MultiOneStatus": {"one status of several clusters is copied", nil, two, map[string]string{"e2": "replicas: 2", "e1": "-"}, Copy, "the only status from 2 clusters"},
		"MultiPartly":    {"clusters without a status do not show", nil, []string{"e1", "e2", "e3"}, map[string]string{"e1": "replicas: 1", "e3": "replicas: 3"}, Aggregate, "the aggregate of 2 statuses from 3 clusters"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			want, of := wanted(deployment, tc.singleton, tc.multi), seen(t, deployment, tc.statuses)
			for _, label := range []string{SingletonLabel, MultiLabel} {
				obj := subject(m{"replicas": int64(9)}, label)
				d := Decide(ObjectOf(deployment, obj), want, of, Options{})
				if d.Outcome != tc.outcome || d.Reason != tc.reasonOfTheResult {
					t.Errorf("%s: want %s (%s), got %s (%s)", tc.reason, tc.outcome, tc.reasonOfTheResult, d.Outcome, d.Reason)
				}
				checkLaws(t, deployment, obj, want, of, Options{})
			}
			obj := subject(m{"replicas": int64(9)}, "")
			if d := Decide(ObjectOf(deployment, obj), want, of, Options{}); tc.outcome == Clear && d.Outcome != Leave {
				t.Errorf("an object that never had a returned status is touched: %+v", d)
			}
			checkLaws(t, deployment, obj, want, of, Options{})
		})
	}
}

func TestCopy(t *testing.T) {
	obj := subject(m{"old": true, "replicas": int64(9)}, MultiLabel)
	of := seen(t, job, map[string]string{"e1": "{observedGeneration: 7, conditions: [{type: Complete, status: 'True'}], odd: {x: null}}"})
	want := wanted(job, []string{"e1"}, nil)
	got := apply(obj, Decide(ObjectOf(job, obj), want, of, Options{}))
	status := m{"observedGeneration": int64(7), "conditions": []any{m{"type": "Complete", "status": "True"}}, "odd": m{"x": nil}}
	if diff := cmp.Diff(subject(status, SingletonLabel), got); diff != "" {
		t.Errorf("the whole status is replaced, word for word, and labels are swapped (-want +got):\n%s", diff)
	}
	checkLaws(t, job, obj, want, of, Options{})
}

func TestApplyToBare(t *testing.T) {
	of := seen(t, job, map[string]string{"e1": "succeeded: 1"})
	cases := map[string]struct {
		reason    string
		obj, want map[string]any
		singleton []string
	}{
		"NoLabels":   {"labels are made", m{"metadata": m{"name": "web"}}, m{"metadata": m{"name": "web", "labels": m{SingletonLabel: "true"}}, "status": m{"succeeded": int64(1)}}, []string{"e1"}},
		"Nothing":    {"so is metadata", m{}, m{"metadata": m{"labels": m{SingletonLabel: "true"}}, "status": m{"succeeded": int64(1)}}, []string{"e1"}},
		"LastLabel":  {"labels go with the last one", m{"metadata": m{"name": "web", "labels": m{MultiLabel: "true"}}}, m{"metadata": m{"name": "web"}, "status": m{}}, nil},
		"OddLabel":   {"the label counts, whatever its value", m{"metadata": m{"name": "web", "labels": m{MultiLabel: int64(1)}}}, m{"metadata": m{"name": "web"}, "status": m{}}, nil},
		"BothLabels": {"of two labels the stale one goes, even when all else is there", m{"metadata": m{"labels": m{SingletonLabel: "true", MultiLabel: "true"}}, "status": m{"succeeded": int64(1)}}, m{"metadata": m{"labels": m{SingletonLabel: "true"}}, "status": m{"succeeded": int64(1)}}, []string{"e1"}},
		"WrongValue": {"a label of another value is set right", m{"metadata": m{"labels": m{SingletonLabel: "no"}}, "status": m{"succeeded": int64(1)}}, m{"metadata": m{"labels": m{SingletonLabel: "true"}}, "status": m{"succeeded": int64(1)}}, []string{"e1"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			want := wanted(job, tc.singleton, nil)
			got := apply(tc.obj, Decide(ObjectOf(job, tc.obj), want, of, Options{}))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			checkLaws(t, job, tc.obj, want, of, Options{})
		})
	}
}

func TestNeverWritten(t *testing.T) {
	cases := map[string]struct {
		reason string
		id     reports.Identity
		never  bool
	}{
		"Namespace":      {"Namespaces are never written", reports.Identity{Version: "v1", Kind: "Namespace", Resource: "namespaces", Name: "shop"}, true},
		"CRD":            {"nor are definitions", reports.Identity{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition", Resource: "customresourcedefinitions", Name: "x"}, true},
		"OtherNamespace": {"a kind of that name in another group is", reports.Identity{Group: "x.io", Version: "v1", Kind: "Namespace", Resource: "namespaces", Name: "shop"}, false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			of := seen(t, tc.id, map[string]string{"e1": "phase: Active"})
			for _, want := range []Want{wanted(tc.id, []string{"e1"}, nil), wanted(tc.id, nil, nil)} { // to copy, and to clear
				obj := subject(m{"phase": "Old"}, MultiLabel)
				if d := Decide(ObjectOf(tc.id, obj), want, of, Options{}); tc.never != (d.Outcome == Leave) {
					t.Errorf("%s: %+v", tc.reason, d)
				}
				checkLaws(t, tc.id, obj, want, of, Options{})
			}
		})
	}
}

// TestFeedback returns what an agent of Open Cluster Management reports: whole fields and nothing else.
func TestFeedback(t *testing.T) {
	x := reports.New("git")
	work := value(t, `{apiVersion: work.open-cluster-management.io/v1, kind: ManifestWork, metadata: {namespace: e1, name: w}, status: {resourceStatus: {manifests: [
{resourceMeta: {group: batch, version: v1, kind: Job, resource: jobs, namespace: shop, name: web}, conditions: [{type: Available, status: "True"}],
statusFeedback: {values: [{name: JobComplete, fieldValue: {type: String, string: "True"}}, {name: JobSucceeded, fieldValue: {type: Integer, integer: 1}}, {name: mine, fieldValue: {type: Integer, integer: 4}}]}}]}}}`)
	if _, err := x.Put(work); err != nil {
		t.Fatal(err)
	}
	want, obj := wanted(job, []string{"e1"}, nil), subject(nil, "")
	got := apply(obj, Decide(ObjectOf(job, obj), want, x.Of(job), Options{}))
	if diff := cmp.Diff(subject(m{"succeeded": int64(1)}, SingletonLabel), got); diff != "" {
		t.Errorf("what an agent concludes, or calls by a name of its own, is no status of a Job (-want +got):\n%s", diff)
	}
	checkLaws(t, job, obj, want, x.Of(job), Options{})
}

// TestFailed returns nothing of a manifest that failed; a WorkStatus is copied, as KubeStellar does, whatever a
// work says.
func TestFailed(t *testing.T) {
	work := `{apiVersion: work.open-cluster-management.io/v1, kind: ManifestWork, metadata: {namespace: e1, name: w}, status: {resourceStatus: {manifests: [
{resourceMeta: {group: apps, version: v1, kind: Deployment, resource: deployments, namespace: shop, name: web}, conditions: [CONDITION],
statusFeedback: {values: [{name: ReadyReplicas, fieldValue: {type: Integer, integer: 3}}]}}]}}}`
	for name, tc := range map[string]struct {
		reason, condition string
		workStatus        bool
		outcome           Outcome
		why               string
	}{
		"Failed":     {"the status of an older object is not that of this one", `{type: Applied, status: "False", message: "Failed to apply manifest: immutable"}`, false, Clear, `cluster "e1": apply failed: immutable`},
		"Missing":    {"nor is that of one that is gone", `{type: Available, status: "False", message: gone}`, false, Clear, `cluster "e1": the object is missing: gone`},
		"WorkStatus": {"a WorkStatus is copied word for word", `{type: Applied, status: "False", message: immutable}`, true, Copy, `the status in cluster "e1"`},
		"Applied":    {"and so is feedback about the present object", `{type: Applied, status: "True"}`, false, Copy, `the status in cluster "e1"`},
	} {
		t.Run(name, func(t *testing.T) {
			x := reports.New("git")
			if _, err := x.Put(value(t, strings.Replace(work, "CONDITION", tc.condition, 1))); err != nil {
				t.Fatal(err)
			}
			if tc.workStatus {
				report(t, x, deployment, "e1", "web", m{"readyReplicas": int64(2)})
			}
			want, obj := wanted(deployment, []string{"e1"}, nil), subject(m{"readyReplicas": int64(3)}, SingletonLabel)
			if tc.outcome == Copy {
				obj = subject(nil, "")
			}
			d := Decide(ObjectOf(deployment, obj), want, x.Of(deployment), Options{})
			if d.Outcome != tc.outcome || d.Reason != tc.why || !d.Changed {
				t.Errorf("%s: got %+v", tc.reason, d)
			}
			checkLaws(t, deployment, obj, want, x.Of(deployment), Options{})
		})
	}
}
