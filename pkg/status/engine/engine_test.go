package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/reports"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

type m = map[string]any

var deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}

// state is what an API server and a hub have; an Engine gets it piece by piece.
type state struct {
	kind       bool // that of the workload is known
	reports    map[reports.Source]m
	collectors map[string]*control.StatusCollector
	bindings   map[string]*control.Binding
	objects    map[string]m
	lost       map[string]bool // Bindings of which nothing is known
	version    int
}

func newState() *state {
	return &state{
		reports: map[reports.Source]m{}, collectors: map[string]*control.StatusCollector{},
		bindings: map[string]*control.Binding{}, objects: map[string]m{}, lost: map[string]bool{},
	}
}

func identity(name string) reports.Identity {
	return reports.Identity{Group: "apps", Version: "v1", Kind: "Deployment", Resource: "deployments", Namespace: "shop", Name: name}
}

// oneShot is every CombinedStatus that the state comes to, each made from nothing by package status. Of
// Bindings of one policy the first counts.
func (s *state) oneShot(t fataler) map[types.NamespacedName]*control.CombinedStatus {
	index := reports.New("")
	for _, obj := range s.reports {
		if _, err := index.Put(obj); err != nil {
			t.Fatal(err)
		}
	}
	known := status.NewCollectors(slices.Collect(maps.Values(s.collectors))...)
	out := map[types.NamespacedName]*control.CombinedStatus{}
	for _, name := range slices.Sorted(maps.Keys(s.bindings)) {
		b := s.bindings[name]
		for _, o := range b.Spec.Workload.NamespaceScope {
			if len(o.StatusCollectors) == 0 || !s.kind {
				continue
			}
			obj := s.objects[o.Name]
			about := status.Subject{Group: "apps", Version: "v1", Kind: "Deployment", Resource: "deployments", Namespace: "shop", Name: o.Name,
				Policy: b.Name, PolicyUID: string(b.OwnerReferences[0].UID)}
			if obj != nil {
				about.UID = obj["metadata"].(m)["uid"].(string)
			}
			var rows []status.Report
			for _, d := range b.Spec.Destinations {
				r := index.Of(identity(o.Name)).In(d.ClusterID)
				rows = append(rows, status.Report{Cluster: d.ClusterID, Status: r.Status, Known: r.Known, Updated: r.Updated,
					Manifest: r.Manifest.Plain(), Failure: r.Manifest.Failure()})
			}
			var results []control.NamedStatusCombination
			programs, _ := known.Pick(o.StatusCollectors)
			for _, p := range programs {
				one, _ := p.Evaluate(context.Background(), obj, rows, status.Options{})
				results = append(results, one)
			}
			made, err := status.New(about, results)
			if err != nil {
				t.Fatal(err)
			}
			if at := (types.NamespacedName{Namespace: made.Namespace, Name: made.Name}); out[at] == nil {
				out[at] = made
			}
		}
	}
	return out
}

// returns is what the state comes to for the objects, by package writeback.
func (s *state) returns(t fataler) map[string]writeback.Decision {
	index := reports.New("")
	for _, obj := range s.reports {
		if _, err := index.Put(obj); err != nil {
			t.Fatal(err)
		}
	}
	wants := writeback.Resolve(s.selections())
	out := map[string]writeback.Decision{}
	for name, obj := range s.objects {
		id := identity(name)
		if want := wants.Of(id); len(s.lost) > 0 && !want.Singleton && !want.Multi {
			continue // perhaps what is lost asks
		}
		if d := writeback.Decide(writeback.ObjectOf(id, obj), wants.Of(id), index.Of(id), writeback.Options{}); d.Changed && s.kind {
			out[name] = d
		}
	}
	return out
}

// selections are what policies ask for.
func (s *state) selections() (selections []writeback.Selection) {
	for _, b := range s.bindings {
		one := writeback.Selection{Policy: b.Name}
		for _, o := range b.Spec.Workload.NamespaceScope {
			one.Objects = append(one.Objects, writeback.Selected{Object: identity(o.Name), Singleton: o.WantSingletonReportedState, Multi: o.WantMultiWECReportedState})
		}
		for _, d := range b.Spec.Destinations {
			one.Destinations = append(one.Destinations, d.ClusterID)
		}
		selections = append(selections, one)
	}
	return selections
}

// checkErrors expects the errors of package writeback: all of them, or none while the kind is not known,
// and then no certainty where there will be any.
func (s *state) checkErrors(rt *rapid.T, e *engine.Engine) {
	want := map[string]string{}
	for _, err := range writeback.Resolve(s.selections()).Errors() {
		want[err.Policy] = err.Text
	}
	for name := range s.bindings {
		text, sure := e.PolicyError(name)
		switch _, wrong := want[name]; {
		case s.kind && (text != want[name] || sure != (len(s.lost) == 0)):
			rt.Fatalf("policy %s: want %q, got %q, sure: %t", name, want[name], text, sure)
		case !s.kind && (text != "" || wrong && sure):
			rt.Fatalf("policy %s while nothing is known: got %q, sure: %t", name, text, sure)
		}
	}
}

// change makes one random change, and tells e.
func (s *state) change(rt *rapid.T, e *engine.Engine) {
	name := rapid.SampledFrom([]string{"web", "db", "api"}).Draw(rt, "name")
	cluster := rapid.SampledFrom([]string{"e1", "e2", "e3", "e4"}).Draw(rt, "cluster")
	gone := rapid.IntRange(0, 4).Draw(rt, "gone") == 0
	s.version++
	switch rapid.SampledFrom([]string{"report", "report", "report", "work", "collector", "binding", "lost", "object", "kind"}).Draw(rt, "what") {
	case "report":
		s.report(rt, e, reports.Source{Kind: reports.WorkStatus, Namespace: cluster, Name: name}, gone)
	case "work":
		s.report(rt, e, reports.Source{Kind: reports.ManifestWork, Namespace: cluster, Name: name}, gone)
	case "collector":
		c := anyCollector().Draw(rt, "collector")
		if s.collectors[c.Name] = c; gone {
			delete(s.collectors, c.Name)
			e.DeleteCollector(c.Name)
		} else {
			e.PutCollector(c)
		}
	case "binding":
		b := anyBinding().Draw(rt, "binding")
		delete(s.lost, b.Name)
		if s.bindings[b.Name] = b; gone {
			delete(s.bindings, b.Name)
			e.DeleteBinding(b.Name)
		} else {
			e.PutBinding(engine.NewBinding(b))
		}
	case "lost":
		name := rapid.SampledFrom([]string{"p", "q", "r"}).Draw(rt, "binding")
		if e.MarkUnreadable(name); s.bindings[name] == nil {
			s.lost[name] = true
		}
	case "object":
		s.object(rt, e, name, gone)
	case "kind":
		s.kind = !s.kind
		e.SetKind(deployments, map[bool]string{true: "Deployment"}[s.kind])
		for name, obj := range s.objects { // it forgot them
			if s.kind {
				e.PutObject(deployments, obj)
			} else {
				e.DeleteObject(engine.ObjectRef{GroupVersionResource: deployments, Namespace: "shop", Name: name})
			}
		}
	}
}

func (s *state) object(rt *rapid.T, e *engine.Engine, name string, gone bool) {
	if gone {
		delete(s.objects, name)
		e.DeleteObject(engine.ObjectRef{GroupVersionResource: deployments, Namespace: "shop", Name: name})
		return
	}
	labels := m{}
	if label := rapid.SampledFrom([]string{"", writeback.SingletonLabel, writeback.MultiLabel}).Draw(rt, "label"); label != "" {
		labels[label] = "true"
	}
	s.objects[name] = m{
		"metadata": m{"namespace": "shop", "name": name, "uid": fmt.Sprintf("%s-%d", name, rapid.IntRange(1, 2).Draw(rt, "uid")), "resourceVersion": fmt.Sprint(s.version), "labels": labels},
		"spec":     m{"replicas": rapid.Int64Range(0, 3).Draw(rt, "replicas")},
	}
	e.PutObject(deployments, s.objects[name])
}

func (s *state) report(rt *rapid.T, e *engine.Engine, source reports.Source, gone bool) {
	if gone {
		delete(s.reports, source)
		e.DeleteReport(source)
		return
	}
	ready := rapid.Int64Range(0, 3).Draw(rt, "ready")
	obj := m{
		"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "WorkStatus", "metadata": m{"namespace": source.Namespace, "name": source.Name},
		"spec":   m{"sourceRef": m{"group": "apps", "version": "v1", "kind": "Deployment", "resource": "deployments", "namespace": "shop", "name": source.Name}},
		"status": m{"readyReplicas": ready},
	}
	if source.Kind == reports.ManifestWork {
		obj["apiVersion"], obj["kind"] = "work.open-cluster-management.io/v1", "ManifestWork"
		delete(obj, "spec")
		meta := m{"group": "apps", "version": "v1", "kind": "Deployment", "resource": "deployments", "namespace": "shop", "name": source.Name}
		applied := m{"type": "Applied", "status": "True"}
		if rapid.IntRange(0, 2).Draw(rt, "applied") == 0 {
			applied["status"], applied["message"] = "False", rapid.SampledFrom([]string{"immutable", "forbidden"}).Draw(rt, "why")
			if rapid.Bool().Draw(rt, "unmapped") {
				delete(meta, "resource")
			}
		}
		obj["status"] = m{"resourceStatus": m{"manifests": []any{m{
			"resourceMeta":   meta,
			"conditions":     []any{applied},
			"statusFeedback": m{"values": []any{m{"name": "readyReplicas", "fieldValue": m{"type": "Integer", "integer": ready}}}},
		}}}}
	}
	s.reports[source] = obj
	if err := e.PutReport(obj); err != nil {
		rt.Fatal(err)
	}
}

func anyCollector() *rapid.Generator[*control.StatusCollector] {
	text := func(s string) *string { return &s }
	limit := int64(20)
	specs := []control.StatusCollectorSpec{
		{Limit: &limit, Select: []control.NamedExpression{{Name: "c", Def: "inventory.name"}, {Name: "r", Def: "returned.status.readyReplicas"}, {Name: "o", Def: "obj.spec.replicas"}}},
		{Limit: &limit, CombinedFields: []control.CombinedField{{Name: "n", Type: "COUNT"}, {Name: "avg", Type: "AVG", Subject: text("returned.status.readyReplicas")}}},
		{Limit: &limit, Filter: text("obj.spec.replicas == returned.status.readyReplicas"), GroupBy: []control.NamedExpression{{Name: "g", Def: "returned.status.readyReplicas"}}, CombinedFields: []control.CombinedField{{Name: "n", Type: "COUNT"}}},
		{Limit: &limit, Filter: text("nonsense(")},
	}
	return rapid.Custom(func(rt *rapid.T) *control.StatusCollector {
		return &control.StatusCollector{ObjectMeta: metav1.ObjectMeta{Name: rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "collector")}, Spec: rapid.SampledFrom(specs).Draw(rt, "spec")}
	})
}

func anyBinding() *rapid.Generator[*control.Binding] {
	names := []string{"web", "db", "api"}
	return rapid.Custom(func(rt *rapid.T) *control.Binding {
		b := &control.Binding{ObjectMeta: metav1.ObjectMeta{Name: rapid.SampledFrom([]string{"p", "q"}).Draw(rt, "binding")}}
		b.OwnerReferences = []metav1.OwnerReference{{APIVersion: control.APIVersion, Kind: "BindingPolicy", UID: types.UID(rapid.SampledFrom([]string{"1", "2"}).Draw(rt, "policy"))}}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 3, rapid.ID[string]).Draw(rt, "objects") {
			b.Spec.Workload.NamespaceScope = append(b.Spec.Workload.NamespaceScope, control.NamespaceScopeObject{
				Group: "apps", Version: "v1", Resource: "deployments", Namespace: "shop", Name: name,
				Modulation: control.Modulation{StatusCollectors: rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "missing"}), 0, 3).Draw(rt, "names"),
					WantSingletonReportedState: rapid.Bool().Draw(rt, "singleton"), WantMultiWECReportedState: rapid.Bool().Draw(rt, "multi")},
			})
		}
		for _, cluster := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"e1", "e2", "e3", "e4"}), 0, 4, rapid.ID[string]).Draw(rt, "destinations") {
			b.Spec.Destinations = append(b.Spec.Destinations, control.Destination{ClusterID: cluster})
		}
		return b
	})
}

func text(t testing.TB, v any) string {
	t.Helper()
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestEngine makes random changes, and has some of the rows evaluated in between. After each, the Engine has what
// package status makes of everything at once; its Changes are what changed; and what is not evaluated yet is
// undecided.
func TestEngine(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, e := newState(), engine.New(engine.Options{})
		told := map[types.NamespacedName]*control.CombinedStatus{} // what follows from Changes alone
		open := map[string]writeback.Decision{}
		take := func() {
			changes := e.Changes()
			for _, at := range changes.Combined {
				if w, is := e.Desired(at); is {
					told[at] = w.Object
				} else {
					delete(told, at)
				}
			}
			noteReturns(e, changes, open)
		}
		for range rapid.IntRange(1, 40).Draw(rt, "changes") {
			for range rapid.IntRange(1, 3).Draw(rt, "together") {
				s.change(rt, e)
				if rapid.Bool().Draw(rt, "pause") {
					s.evaluateSome(rt, e)
				}
				if rapid.Bool().Draw(rt, "look") {
					take()
				}
			}
			e.Reindex()
			if left, err := e.Evaluate(t.Context(), nil); err != nil || left || e.Waiting() != 0 {
				rt.Fatalf("left: %t, %d, %v", left, e.Waiting(), err)
			}
			take()
			want := s.oneShot(t)
			if diff := cmp.Diff(inOrder(want), e.Names()); diff != "" {
				rt.Fatalf("names (-one shot +engine):\n%s", diff)
			}
			for at := range want {
				w, _ := e.Desired(at)
				if diff := cmp.Diff(text(t, want[at]), text(t, w.Object)); diff != "" {
					rt.Fatalf("%v (-one shot +engine):\n%s", at, diff)
				}
				if diff := cmp.Diff(text(t, want[at]), text(t, told[at])); diff != "" {
					rt.Fatalf("%v changed and is not in Changes:\n%s", at, diff)
				}
				if about := engine.ResultKeyOf(w.Object.Labels); e.Undecided(about) != s.lost[about.Policy] {
					rt.Fatalf("%v is there and undecided", at)
				}
			}
			if len(told) != len(want) {
				rt.Fatalf("what was deleted is not in Changes: %v", inOrder(told))
			}
			if diff := cmp.Diff(s.returns(t), open); diff != "" {
				rt.Fatalf("returned statuses (-writeback +engine):\n%s", diff)
			}
			s.checkErrors(rt, e)
			if again, err := e.Refresh(t.Context()); err != nil || len(again.Combined)+len(again.Returned)+len(again.Decided)+again.Rows > 0 {
				rt.Fatalf("nothing changed, and yet: %+v, %v", again, err)
			}
		}
	})
}

// evaluateSome stops after some steps, each call after another number of them.
func (s *state) evaluateSome(rt *rapid.T, e *engine.Engine) {
	e.Reindex()
	for _, steps := range rapid.SliceOfN(rapid.IntRange(1, 4), 1, 3).Draw(rt, "steps") {
		before := e.Waiting()
		left, err := e.Evaluate(context.Background(), func(engine.Step) bool { steps--; return steps > 0 })
		if err != nil || left != (e.Waiting() > 0) || e.Waiting() > before {
			rt.Fatalf("left: %t, %d of %d, %v", left, e.Waiting(), before, err)
		}
	}
	for at, c := range s.oneShot(rt) {
		if _, is := e.Desired(at); !is && !e.Undecided(engine.ResultKeyOf(c.Labels)) {
			rt.Fatalf("%v is to be evaluated, and counts as not requested", at)
		}
	}
}

// noteReturns has open hold the decisions that were told of, as they are now.
func noteReturns(e *engine.Engine, changes engine.Changes, open map[string]writeback.Decision) {
	of := func(name string) engine.ObjectRef {
		return engine.ObjectRef{GroupVersionResource: deployments, Namespace: "shop", Name: name}
	}
	for _, at := range changes.Returned {
		open[at.Name] = writeback.Decision{}
	}
	for name := range open { // Changes do not list what is gone
		_, d, is := e.Return(of(name))
		if open[name] = d; !is {
			delete(open, name)
		}
	}
}

func inOrder[V any](of map[types.NamespacedName]V) []types.NamespacedName {
	return slices.SortedFunc(maps.Keys(of), func(a, b types.NamespacedName) int {
		return strings.Compare(a.Namespace+"\x00"+a.Name, b.Namespace+"\x00"+b.Name)
	})
}

type fataler interface{ Fatal(...any) }
