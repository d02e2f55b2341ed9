package reports

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

const webInEdge1 = "edge1: Deployment shop/web (apps/v1 deployments)"

func TestIndex(t *testing.T) {
	ready := func(n int64) map[string]any { return map[string]any{"readyReplicas": n} }
	one := func(status map[string]any) map[string]Report {
		return map[string]Report{webInEdge1: {Known: true, Status: status, Fields: status, Sources: 1}}
	}
	beside := func(status map[string]any) map[string]Report { // a work
		r := one(status)[webInEdge1]
		r.Manifest.Feedback = map[string]any{"ReadyReplicas": int64(1)}
		return map[string]Report{webInEdge1: r}
	}
	cases := map[string]struct {
		reason, wds, text string
		want              view
	}{
		"Status": {"the status of an object is kept word for word", "git",
			workStatus("edge1", "a", ", status: {readyReplicas: 2}"), view{Reports: one(ready(2))}},
		"NoStatus": {"a cluster may know an object that has no status", "git",
			workStatus("edge1", "a", ""), view{Reports: one(nil)}},
		"NullStatus": {"null is no status", "git",
			workStatus("edge1", "a", ", status: null"), view{Reports: one(nil)}},
		"EmptyStatus": {"an empty status stays one, for who wants to tell", "git",
			workStatus("edge1", "a", ", status: {}"), view{Reports: one(map[string]any{})}},
		"OurSpace": {"the label names our workload space", "git",
			labelled(workStatus("edge1", "a", ", status: {readyReplicas: 2}"), "git"), view{Reports: one(ready(2))}},
		"OtherSpace": {"what is about another space is ignored", "git",
			labelled(workStatus("edge1", "a", ", status: {readyReplicas: 2}"), "wds2"), view{Reports: map[string]Report{}}},
		"EmptySpace": {"a label that is present and empty is another one", "git",
			labelled(workStatus("edge1", "a", ", status: {readyReplicas: 2}"), `""`), view{Reports: map[string]Report{}}},
		"AnySpace": {"who does not name a space wants all", "",
			labelled(workStatus("edge1", "a", ", status: {readyReplicas: 2}"), "wds2"), view{Reports: one(ready(2))}},
		"OtherSpaceWork": {"works carry the label, too", "git",
			labelled(manifestWork("edge1", "a", ""), "wds2"), view{Reports: map[string]Report{}}},
		"Two": {"of two the one with the smallest name is taken, bytewise", "git",
			workStatus("edge1", "b", ", status: {readyReplicas: 1}") + workStatus("edge1", "a9", ", status: {readyReplicas: 2}") + workStatus("edge1", "a10", ", status: {readyReplicas: 3}"),
			view{
				Reports:  map[string]Report{webInEdge1: {Known: true, Status: ready(3), Fields: ready(3), Sources: 3}},
				Warnings: []string{`WorkStatus "edge1/a10": 3 reports (WorkStatus) from cluster "edge1" about Deployment shop/web (apps/v1 deployments): "a10" is taken, ignored: "a9", "b"`},
			}},
		"Many": {"a warning stays short", "git",
			workStatus("edge1", "a", "") + workStatus("edge1", "b", "") + workStatus("edge1", "c", "") + workStatus("edge1", "d", "") + workStatus("edge1", "e", "") + workStatus("edge1", "f", "") + workStatus("edge1", "g", ""),
			view{
				Reports:  map[string]Report{webInEdge1: {Known: true, Sources: 7}},
				Warnings: []string{`WorkStatus "edge1/a": 7 reports (WorkStatus) from cluster "edge1" about Deployment shop/web (apps/v1 deployments): "a" is taken, ignored: "b", "c", "d", "e", 2 more`},
			}},
		"TwoClusters": {"clusters do not meet", "git",
			workStatus("edge1", "a", ", status: {readyReplicas: 1}") + workStatus("edge2", "a", ", status: {readyReplicas: 2}"),
			view{Reports: map[string]Report{
				webInEdge1: {Known: true, Status: ready(1), Fields: ready(1), Sources: 1},
				"edge2: Deployment shop/web (apps/v1 deployments)": {Known: true, Status: ready(2), Fields: ready(2), Sources: 1},
			}}},
		"OtherIdentity": {"any part of the identity makes another object", "git",
			workStatus("edge1", "a", "") +
				strings.Replace(workStatus("edge1", "b", ""), "version: v1,", "version: v1beta1,", 1) +
				strings.Replace(workStatus("edge1", "c", ""), "namespace: shop", "namespace: shop2", 1) +
				strings.Replace(workStatus("edge1", "d", ""), "group: apps", "group: other", 1) +
				strings.Replace(workStatus("edge1", "e", ""), "kind: Deployment", "kind: Deployed", 1) +
				strings.Replace(workStatus("edge1", "f", ""), "resource: deployments", "resource: deployeds", 1),
			view{Reports: map[string]Report{
				webInEdge1: {Known: true, Sources: 1},
				"edge1: Deployment shop/web (apps/v1beta1 deployments)": {Known: true, Sources: 1},
				"edge1: Deployment shop2/web (apps/v1 deployments)":     {Known: true, Sources: 1},
				"edge1: Deployment shop/web (other/v1 deployments)":     {Known: true, Sources: 1},
				"edge1: Deployed shop/web (apps/v1 deployments)":        {Known: true, Sources: 1},
				"edge1: Deployment shop/web (apps/v1 deployeds)":        {Known: true, Sources: 1},
			}}},
		"ClusterScoped": {"parts that are empty must be there; when they are not, they are taken for empty", "git",
			strings.NewReplacer("group: apps, ", "", ", namespace: shop", "").Replace(workStatus("edge1", "a", "")),
			view{
				Reports: map[string]Report{"edge1: Deployment web (v1 deployments)": {Known: true, Sources: 1}},
				Warnings: []string{
					`WorkStatus "edge1/a": spec.sourceRef.group: missing, taken as ""`,
					`WorkStatus "edge1/a": spec.sourceRef.namespace: missing, taken as ""`,
				},
			}},
		"WorkStatusWins": {"the word of the add-on counts more than feedback, whatever the names are", "git",
			manifestWork("edge1", "a", ", statusFeedback: {values: [{name: ReadyReplicas, fieldValue: {type: Integer, integer: 1}}]}") +
				workStatus("edge1", "z", ", status: {readyReplicas: 2}"), view{Reports: beside(ready(2))}},
		"EmptyWorkStatusWins": {"even one without a status", "git",
			manifestWork("edge1", "a", ", statusFeedback: {values: [{name: ReadyReplicas, fieldValue: {type: Integer, integer: 1}}]}") +
				workStatus("edge1", "z", ""), view{Reports: beside(nil)}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			objs := objects(t, tc.text)
			got := viewOf(indexOf(t, tc.wds, objs...))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			slices.Reverse(objs)
			if diff := cmp.Diff(got, viewOf(indexOf(t, tc.wds, objs...))); diff != "" {
				t.Errorf("order counts:\n%s", diff)
			}
			checkLaws(t, indexOf(t, tc.wds, objs...), objs)
		})
	}
}

// labelled adds the label that names the workload space.
func labelled(text, wds string) string {
	return strings.Replace(text, "metadata: {", "metadata: {labels: {transport.kubestellar.io/originWdsName: "+wds+"}, ", 1)
}

// checkLaws expects that objs are in x, each under a name of its own.
func checkLaws(t testing.TB, x *Index, objs []map[string]any) {
	t.Helper()
	all := viewOf(x)
	for _, o := range objs {
		if changed, err := x.Put(o); err != nil || len(changed) > 0 {
			t.Errorf("putting in again what is there changes %v (%v)", changed, err)
		}
	}
	if again := viewOf(x); !reflect.DeepEqual(all, again) { // cmp takes very long over lists in lists
		t.Errorf("putting in again what is there changes what is said:\n%v\n%v", all, again)
	}
	places := map[Place]bool{}
	for _, o := range objs {
		source, err := SourceOf(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range x.Delete(source) {
			places[p] = true
		}
	}
	if len(places) != len(all.Reports) {
		t.Errorf("taking out all changes %d places of %d", len(places), len(all.Reports))
	}
	if diff := cmp.Diff(viewOf(New("")), viewOf(x)); diff != "" || len(x.sources) > 0 || len(x.objects) > 0 {
		t.Errorf("something stays when all is taken out:\n%s", diff)
	}
}

func TestUnknown(t *testing.T) {
	x := indexOf(t, "git", objects(t, workStatus("edge1", "a", ""))...)
	want := Report{Updated: time.Unix(0, 0).UTC()}
	for name, got := range map[string]Report{"cluster": x.Of(web).In("edge2"), "object": x.Of(Identity{}).In("edge1")} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("an unknown %s (-want +got):\n%s", name, diff)
		}
	}
}

func TestUpdated(t *testing.T) {
	entry := func(kind, field, when string) string {
		return `{fieldsType: ` + kind + `, time: ` + when + `, fieldsV1: {"` + field + `": {}}}`
	}
	cases := map[string]struct{ reason, managed, want string }{
		"None":     {"nothing says when", "", "0001-01-01T00:00:00Z"},
		"NoStatus": {"writing something else is no update", entry("FieldsV1", "f:spec", `"2026-01-01T00:00:00Z"`), "0001-01-01T00:00:00Z"},
		"One":      {"the time of the writer", entry("FieldsV1", "f:status", `"2026-01-01T00:00:00Z"`), "2026-01-01T00:00:00Z"},
		"Bare":     {"a time without quotes is the same time", entry("FieldsV1", "f:status", `2026-01-01T00:00:00Z`), "2026-01-01T00:00:00Z"},
		"Latest": {"the latest of several, not the last", entry("FieldsV1", "f:status", `"2026-01-02T00:00:00Z"`) + ", " + entry("FieldsV1", "f:status", `"2026-01-01T00:00:00Z"`) + ", " +
			entry("FieldsV1", "f:spec", `"2026-01-03T00:00:00Z"`), "2026-01-02T00:00:00Z"},
		"Zones":     {"times are compared, not texts", entry("FieldsV1", "f:status", `"2026-01-01T01:00:00+03:00"`) + ", " + entry("FieldsV1", "f:status", `"2025-12-31T23:00:00Z"`), "2025-12-31T23:00:00Z"},
		"OtherType": {"fields of an unknown form say nothing", entry("FieldsV2", "f:status", `"2026-01-01T00:00:00Z"`), "0001-01-01T00:00:00Z"},
		"Details":   {"a field whose name begins so is another one", entry("FieldsV1", "f:statusDetails", `"2026-01-01T00:00:00Z"`), "0001-01-01T00:00:00Z"},
		"NoTime":    {"what is no time is passed over", entry("FieldsV1", "f:status", "soon") + ", {}, 3", "0001-01-01T00:00:00Z"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for kind, text := range map[string]string{"WorkStatus": workStatus("edge1", "a", ""), "ManifestWork": manifestWork("edge1", "a", `, conditions: [{type: Applied, status: "True"}]`)} {
				text = strings.Replace(text, "metadata: {", "metadata: {managedFields: ["+tc.managed+"], ", 1)
				got := indexOf(t, "git", objects(t, text)...).Of(web).In("edge1")
				if !got.Known || !got.Updated.Equal(at(t, tc.want)) {
					t.Errorf("%s: %s: want %s, got %s", kind, tc.reason, tc.want, got.Updated.Format(time.RFC3339))
				}
			}
		})
	}
}

func TestRefused(t *testing.T) {
	cases := map[string]struct{ reason, text, want string }{
		"Kind":        {"nothing else reports", "{apiVersion: v1, kind: WorkStatus, metadata: {name: a, namespace: b}}", `v1 "WorkStatus": only a WorkStatus or a ManifestWork reports status`},
		"NoCluster":   {"the namespace is the cluster", workStatus("", "a", ""), `WorkStatus "a": metadata.namespace: missing; it names the cluster`},
		"NoName":      {"names tell sources apart", workStatus("edge1", "", ""), `WorkStatus in namespace "edge1": metadata.name: missing`},
		"NoRef":       {"it must say what it is about", strings.Replace(workStatus("edge1", "a", ""), "sourceRef", "ref", 1), `WorkStatus "edge1/a": spec.sourceRef.version: want text that is not empty`},
		"NoKind":      {"each part counts", strings.Replace(workStatus("edge1", "a", ""), "kind: Deployment", "kind: 3", 1), `WorkStatus "edge1/a": spec.sourceRef.kind: want text that is not empty`},
		"StatusText":  {"a status has fields", workStatus("edge1", "a", ", status: fine"), `WorkStatus "edge1/a": status: want a map`},
		"BadManifest": {"a list of maps", strings.Replace(manifestWork("edge1", "a", ""), "manifests: [", "manifests: [3, ", 1), `ManifestWork "edge1/a": status.resourceStatus.manifests[0]: want a map`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			x := indexOf(t, "git", objects(t, workStatus("edge1", "a", ", status: {x: 1}")+manifestWork("edge1", "a", ""))...)
			before := viewOf(x)
			changed, err := x.Put(objects(t, tc.text)[0])
			if err == nil || err.Error() != tc.want || len(changed) > 0 {
				t.Errorf("%s: want %q, got %v and changes %v", tc.reason, tc.want, err, changed)
			}
			if diff := cmp.Diff(before, viewOf(x)); diff != "" {
				t.Errorf("an error changed the index:\n%s", diff)
			}
		})
	}
}

// TestChanges walks at random and holds what is said and what is called changed against an index made
// anew of all that is there.
func TestChanges(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	x, there := New("git"), map[Source]map[string]any{}
	for step := range testenv.Few(3000) {
		before := viewOf(x)
		var changed []Place
		cluster, name := pick("edge1", "edge2"), pick("a", "b", "c")
		if random.IntN(4) == 0 {
			s := Source{Kind(pick("WorkStatus", "ManifestWork")), cluster, name}
			changed = x.Delete(s)
			delete(there, s)
		} else {
			o := objects(t, pick(
				workStatus(cluster, name, pick("", ", status: {a: 1}", ", status: {a: 2}")),
				labelled(workStatus(cluster, name, ", status: {a: 1}"), pick("git", "other")),
				strings.Replace(workStatus(cluster, name, ", status: {a: 1}"), "metadata: {",
					"metadata: {managedFields: [{fieldsType: FieldsV1, time: "+pick("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")+", fieldsV1: {f:status: {}}}], ", 1),
				strings.Replace(workStatus(cluster, name, ""), "name: web", "name: "+pick("web", "db"), 1),
				manifestWork(cluster, name, ", conditions: [{type: Applied, status: "+pick(`"True"`, `"False"`)+"}]"),
				manifestWork(cluster, name, ", conditions: [{type: Available, status: "+pick(`"True"`, `"False"`)+"}]"),
				strings.Replace(manifestWork(cluster, name, `, conditions: [{type: Applied, status: "False", message: `+pick("a", "b")+"}]"), "resource: deployments, ", "", 1),
				strings.Replace(manifestWork(cluster, name, `, conditions: [{type: Applied, status: "True", observedGeneration: `+pick("1", "2")+"}]"), "metadata: {", "metadata: {generation: 2, ", 1),
			))[0]
			var err error
			if changed, err = x.Put(o); err != nil {
				t.Fatal(err)
			}
			s, _ := SourceOf(o)
			there[s] = o
		}
		after := viewOf(x)
		fresh := New("git")
		for _, o := range there {
			if _, err := fresh.Put(o); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(viewOf(fresh), after); diff != "" {
			t.Fatalf("step %d: (-anew +in place):\n%s", step, diff)
		}
		if diff := cmp.Diff(differing(before, after), covered(changed, before, after)); diff != "" {
			t.Fatalf("step %d: changes (-want +got):\n%s", step, diff)
		}
	}
}

// differing names the places at which two views disagree.
func differing(a, b view) map[string]bool {
	out := map[string]bool{}
	for _, v := range []view{a, b} {
		for place := range v.Reports {
			if was, is := a.Reports[place], b.Reports[place]; !cmp.Equal(was, is) {
				out[place] = true
			}
		}
	}
	return out
}

// covered names changed places. One without a resource stands for those with one that differ, too.
func covered(changed []Place, before, after view) map[string]bool {
	out := map[string]bool{}
	for _, p := range changed {
		name := p.Cluster + ": " + p.Object.String()
		out[name] = true
		for other := range differing(before, after) {
			if p.Object.Resource == "" && strings.HasPrefix(other, strings.TrimSuffix(name, ")")) {
				out[other] = true
			}
		}
	}
	return out
}
