package writeback

import (
	"strings"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status/limits"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// FuzzDecide returns random statuses into objects of every kind that has a rule. Whatever it
// makes of them obeys the laws and is in proportion.
func FuzzDecide(f *testing.F) {
	f.Add([]byte(`{"replicas": 2, "conditions": [{"type": "Progressing", "reason": "ProgressDeadlineExceeded"}]}`), []byte(`{"replicas": "x", "conditions": 3}`), []byte(`{}`), uint8(0))
	f.Add([]byte(`{"numberReady": 1e3}`), []byte(`{"numberReady": -9223372036854775808}`), []byte(`{"conditions": {}}`), uint8(77))
	f.Add([]byte(`{"conditions": [{"type": "ReplicaFailure"}]}`), []byte(`null`), []byte(`{"a": [[{}]]}`), uint8(255))
	f.Fuzz(func(t *testing.T, first, second, old []byte, choice uint8) {
		bit := func(n int) bool { return choice&(1<<n) != 0 }
		id := []reports.Identity{deployment, replicaSet, daemonSet, job}[choice%4]
		label := []string{"", SingletonLabel, MultiLabel, "x"}[choice/4%4]
		x := reports.New("git")
		for cluster, data := range map[string][]byte{"e1": first, "e2": second} {
			var status map[string]any
			if utiljson.Unmarshal(data, &status) != nil {
				return // no API server hands this out
			}
			report(t, x, id, cluster, "r", status)
		}
		var before map[string]any
		if utiljson.Unmarshal(old, &before) != nil {
			return
		}
		var singleton, multi []string
		if bit(4) {
			singleton = []string{"e1"}
		}
		if bit(5) {
			multi = []string{"e1", "e2"}
		}
		want, opts, obj := wanted(id, singleton, multi), Options{StrictCounters: bit(6)}, subject(before, label)
		checkLaws(t, id, obj, want, x.Of(id), opts)
		const room = 512
		if out := text(t, Decide(ObjectOf(id, obj), want, x.Of(id), opts).Status); len(out) > 8*(len(first)+len(second))+room {
			t.Errorf("%d bytes of status from %d and %d", len(out), len(first), len(second))
		}
	})
}

// FuzzReturned has an agent report any JSON for any field. What is written into the file of the object can
// be read again, and nothing is left to do then.
func FuzzReturned(f *testing.F) {
	lists := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	f.Add(".status", `{"d": `+lists(limits.Depth-1)+`}`)
	f.Add(".status", `{"d": `+lists(400)+`}`)
	f.Add(".status.1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16", lists(limits.Depth))
	f.Add(".status", `{"<<": {"": "~"}, "`+strings.Repeat("k", 2000)+`": {"\u0000\n": "\u0085\u2028\ufeff\u007f"}, "n": [1e300, -0, 1.0, 1e5]}`)
	f.Fuzz(func(t *testing.T, path, raw string) {
		x := reports.New("git")
		if _, err := x.Put(feedback(strings.ToValidUTF8(path, ""), strings.ToValidUTF8(raw, ""))); err != nil {
			t.Fatal(err)
		}
		want, of := wanted(deployment, []string{"e1"}, nil), x.Of(deployment)
		file := []byte("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\n")
		for pass := range 2 {
			objs, err := krm.Read("in.yaml", file, krm.Limits{})
			if err != nil {
				t.Fatalf("what is written can be read: %v", err)
			}
			o, err := ObjectIn(deployment, objs[0])
			if err != nil {
				t.Fatal(err)
			}
			d := Decide(o, want, of, Options{})
			if pass == 1 && d.Changed {
				t.Errorf("a second time changes something: %+v", d)
			}
			if err := Edit(objs[0], d); err != nil {
				t.Fatal(err)
			}
			if file, err = krm.Write(objs); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// feedback is a work whose agent reports JSON about the Deployment for a field.
func feedback(path, raw string) map[string]any {
	ref := m{"group": "apps", "version": "v1", "kind": "Deployment", "resource": "deployments", "namespace": "shop", "name": "web"}
	rule := m{"type": "JSONPaths", "jsonPaths": []any{m{"name": "a", "path": path}}}
	value := m{"name": "a", "fieldValue": m{"type": "JsonRaw", "jsonRaw": raw}}
	return m{
		"apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork", "metadata": m{"namespace": "e1", "name": "w"},
		"spec":   m{"manifestConfigs": []any{m{"resourceIdentifier": ref, "feedbackRules": []any{rule}}}},
		"status": m{"resourceStatus": m{"manifests": []any{m{"resourceMeta": ref, "statusFeedback": m{"values": []any{value}}}}}},
	}
}
