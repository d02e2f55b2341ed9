package reports

import (
	"fmt"
	"strings"
	"testing"
)

// fleet is a WorkStatus for each of 20 objects in each of n/20 clusters, of the size they have in life.
func fleet(b *testing.B, n int) (objs []map[string]any) {
	for i := range n {
		cluster, name := fmt.Sprintf("edge%d", i/20), fmt.Sprintf("app%d", i%20)
		text := workStatus(cluster, name, `, status: {observedGeneration: 3, replicas: 3, updatedReplicas: 3, readyReplicas: 2, availableReplicas: 2, conditions: [
{type: Available, status: "True", reason: MinimumReplicasAvailable, lastTransitionTime: "2026-01-01T00:00:00Z", lastUpdateTime: "2026-01-01T00:00:00Z", message: Deployment has minimum availability.},
{type: Progressing, status: "True", reason: NewReplicaSetAvailable, lastTransitionTime: "2026-01-01T00:00:00Z", lastUpdateTime: "2026-01-01T00:00:00Z", message: ReplicaSet has successfully progressed.}]}`)
		text = strings.Replace(text, "name: web", "name: "+name, 1)
		text = strings.Replace(text, "metadata: {", `metadata: {managedFields: [{manager: m, fieldsType: FieldsV1, time: "2026-01-01T00:00:00Z", fieldsV1: {"f:spec": {}}},
{manager: m, fieldsType: FieldsV1, time: "2026-01-02T00:00:00Z", fieldsV1: {"f:status": {"f:replicas": {}}}}], `, 1)
		objs = append(objs, objects(b, text)...)
	}
	return objs
}

func BenchmarkIndex(b *testing.B) {
	for _, n := range []int{200, 2000, 20_000} {
		objs := fleet(b, n)
		x := indexOf(b, "git", objs...)
		changed := plain(b, objs[n/2])
		changed["status"].(map[string]any)["readyReplicas"] = int64(1)
		b.Run(fmt.Sprintf("all/reports=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				indexOf(b, "git", objs...)
			}
		})
		b.Run(fmt.Sprintf("one/reports=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if places, err := x.Put([]map[string]any{changed, objs[n/2]}[i%2]); err != nil || len(places) != 1 {
					b.Fatal(places, err)
				}
			}
		})
		b.Run(fmt.Sprintf("read/reports=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			ids := x.Objects()
			for i := 0; b.Loop(); i++ {
				if !x.Of(ids[i%len(ids)]).In("edge3").Known {
					b.Fatal("unknown")
				}
			}
		})
		if n == 200 {
			checkLaws(b, indexOf(b, "git", objs...), objs)
		}
	}
}
