package writeback

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

type m = map[string]any

func kindOf(group, version, kind, resource string) reports.Identity {
	return reports.Identity{Group: group, Version: version, Kind: kind, Resource: resource, Namespace: "shop", Name: "web"}
}

var (
	deployment = kindOf("apps", "v1", "Deployment", "deployments")
	replicaSet = kindOf("apps", "v1", "ReplicaSet", "replicasets")
	daemonSet  = kindOf("apps", "v1", "DaemonSet", "daemonsets")
	job        = kindOf("batch", "v1", "Job", "jobs")
)

// value reads a line of YAML as plain data.
func value(t testing.TB, text string) map[string]any {
	t.Helper()
	objs, err := krm.Read("in.yaml", []byte(text), krm.Limits{})
	if err != nil || len(objs) != 1 {
		t.Fatalf("%d objects (%v) in %s", len(objs), err, text)
	}
	v, err := krm.Value(objs[0].Node())
	if err != nil {
		t.Fatal(err)
	}
	return v.(map[string]any)
}

// seen is what clusters report about an object; "-" stands for a report without a status, and a
// cluster name with an apostrophe for one more report from that cluster.
func seen(t testing.TB, id reports.Identity, statuses map[string]string) reports.Object {
	t.Helper()
	x := reports.New("git")
	for _, name := range slices.Sorted(maps.Keys(statuses)) {
		cluster := name
		for cluster[len(cluster)-1] == '\'' {
			cluster = cluster[:len(cluster)-1]
		}
		var status any
		if text := statuses[name]; text != "-" {
			status = value(t, text)
		}
		report(t, x, id, cluster, fmt.Sprintf("r%d", len(name)), status)
	}
	return x.Of(id)
}

func report(t testing.TB, x *reports.Index, id reports.Identity, cluster, name string, status any) {
	t.Helper()
	if _, err := x.Put(m{
		"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "WorkStatus",
		"metadata": m{"namespace": cluster, "name": name},
		"spec": m{"sourceRef": m{
			"group": id.Group, "version": id.Version, "kind": id.Kind, "resource": id.Resource, "namespace": id.Namespace, "name": id.Name,
		}},
		"status": status,
	}); err != nil {
		t.Fatal(err)
	}
}

// wanted is what one policy for each flag asks for; nil for no policy.
func wanted(id reports.Identity, singleton, multi []string) Want {
	selections := []Selection{{Policy: "plain", Objects: []Selected{{Object: id}}, Destinations: []string{"other1", "other2"}}}
	if singleton != nil {
		selections = append(selections, Selection{Policy: "s", Objects: []Selected{{Object: id, Singleton: true}}, Destinations: singleton})
	}
	if multi != nil {
		selections = append(selections, Selection{Policy: "m", Objects: []Selected{{Object: id, Multi: true}}, Destinations: multi})
	}
	return Resolve(selections).Of(id)
}

// subject is a workload object with a status and a label; "" for no label.
func subject(status map[string]any, label string) map[string]any {
	metadata := m{"namespace": "shop", "name": "web", "labels": m{"app": "web"}}
	if label != "" {
		metadata["labels"].(m)[label] = LabelValue
	}
	obj := m{"apiVersion": "v1", "kind": "Any", "metadata": metadata}
	if status != nil {
		obj["status"] = status
	}
	return obj
}

// checkLaws holds for every decision.
func checkLaws(t testing.TB, id reports.Identity, obj map[string]any, want Want, of reports.Object, opts Options) {
	t.Helper()
	before := text(t, obj)
	d := Decide(ObjectOf(id, obj), want, of, opts)
	after := apply(obj, d)
	if text(t, obj) != before {
		t.Errorf("deciding or applying changed the object:\n%s", cmp.Diff(before, text(t, obj)))
	}
	if changed := text(t, after) != before; changed != d.Changed {
		t.Errorf("Changed is %t, the object changes: %t", d.Changed, changed)
	}
	if again := Decide(ObjectOf(id, after), want, of, opts); again.Changed || text(t, apply(after, again)) != text(t, after) {
		t.Errorf("a second time changes something: %+v", again)
	}
	if d.Outcome != Leave && d.Status == nil {
		t.Errorf("%s without a status", d.Outcome)
	}
	checkLabels(t, d, ObjectOf(id, after).Labels)
	checkEdit(t, obj, d, after)
}

// checkLabels expects the label of the outcome and no other.
func checkLabels(t testing.TB, d Decision, labels map[string]string) {
	t.Helper()
	have := map[string]string{}
	for _, label := range []string{SingletonLabel, MultiLabel} {
		if v, there := labels[label]; there {
			have[label] = v
		}
	}
	want := map[Outcome]map[string]string{
		Copy: {SingletonLabel: LabelValue}, Aggregate: {MultiLabel: LabelValue}, Clear: {}, Leave: have,
	}[d.Outcome]
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("labels after %s (-want +got):\n%s", d.Outcome, diff)
	}
}

// checkEdit expects of a file what Apply makes of plain data.
func checkEdit(t testing.TB, obj map[string]any, d Decision, want map[string]any) {
	t.Helper()
	o, err := krm.FromTyped(obj)
	if err != nil {
		t.Fatal(err)
	}
	if err := Edit(o, d); err != nil {
		t.Fatal(err)
	}
	got, err := krm.Value(o.Node())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text(t, want), text(t, got)); diff != "" {
		t.Errorf("editing is not applying (-apply +edit):\n%s", diff)
	}
}

// text is v as JSON: keys sorted.
func text(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
