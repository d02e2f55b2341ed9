package writeback

import (
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// FuzzDecide returns statuses that nobody wrote into objects of every kind that has a rule. Whatever it
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
