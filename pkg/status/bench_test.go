package status_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/status"
)

// tenSpecs are collectors such as people have: sums, groups, lists and filters.
var tenSpecs = []string{
	"{limit: 20, combinedFields: [{name: n, type: COUNT}, {name: ready, type: SUM, subject: 'has(returned.status.readyReplicas) ? returned.status.readyReplicas : 0'}]}",
	"{limit: 20, combinedFields: [{name: min, type: MIN, subject: returned.status.availableReplicas}, {name: max, type: MAX, subject: returned.status.availableReplicas}, {name: avg, type: AVG, subject: returned.status.availableReplicas}]}",
	"{limit: 20, filter: 'has(returned.status.availableReplicas) && obj.spec.replicas == returned.status.availableReplicas', select: [{name: wec, def: inventory.name}]}",
	"{limit: 20, filter: '!has(returned.status.readyReplicas) || returned.status.readyReplicas < obj.spec.replicas', select: [{name: wec, def: inventory.name}, {name: status, def: returned.status}]}",
	"{limit: 20, groupBy: [{name: ready, def: returned.status.readyReplicas}], combinedFields: [{name: n, type: COUNT}]}",
	"{limit: 20, groupBy: [{name: up, def: 'returned.status.conditions.exists(c, c.type == \"Available\" && c.status == \"True\")'}], combinedFields: [{name: n, type: COUNT}]}",
	"{limit: 20, select: [{name: wec, def: inventory.name}, {name: updated, def: propagation.lastReturnedUpdateTimestamp}]}",
	"{limit: 20, filter: 'inventory.name.startsWith(\"edge-1\")', combinedFields: [{name: n, type: COUNT}, {name: sum, type: SUM, subject: returned.status.replicas}]}",
	"{limit: 20, select: [{name: why, def: 'returned.status.conditions.filter(c, c.status != \"True\").map(c, c.type)'}]}",
	"{limit: 20, groupBy: [{name: gen, def: returned.status.observedGeneration}, {name: replicas, def: returned.status.replicas}], combinedFields: [{name: n, type: COUNT}, {name: avg, type: AVG, subject: 'double(returned.status.readyReplicas) / double(obj.spec.replicas)'}]}",
}

func fleet(n int) (obj map[string]any, all []status.Report) {
	obj = map[string]any{"kind": "Deployment", "spec": map[string]any{"replicas": int64(3)}}
	for i := range n {
		r := status.Report{Cluster: fmt.Sprintf("edge-%04d", i*7919%n), Known: i%50 != 0, Updated: time.Unix(int64(i), 0)}
		r.Status = map[string]any{
			"observedGeneration": int64(i % 3), "replicas": int64(3), "readyReplicas": int64(i % 4), "availableReplicas": int64(i % 4),
			"conditions": []any{
				map[string]any{"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable"},
				map[string]any{"type": "Available", "status": map[bool]string{true: "True", false: "False"}[i%4 == 3], "reason": "MinimumReplicasAvailable"},
			},
		}
		all = append(all, r)
	}
	return obj, all
}

func tenPrograms(b *testing.B) (out []*status.Program) {
	for _, spec := range tenSpecs {
		out = append(out, compile(b, "spec: "+spec+"\n"))
	}
	return out
}

// BenchmarkEvaluate looks at 2,000 reports by ten collectors: all again, and one that changed.
func BenchmarkEvaluate(b *testing.B) {
	const clusters = 2000
	ctx := context.Background()
	obj, all := fleet(clusters)
	programs := tenPrograms(b)
	for _, p := range programs {
		checkLaws(b, p, obj, all[:100], status.Options{})
	}
	b.Run("full pass", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range programs {
				if got, _ := p.Evaluate(ctx, obj, all, status.Options{}); got.Name != "c" {
					b.Fatal(got)
				}
			}
		}
		b.ReportMetric(float64(clusters*len(programs)*b.N)/b.Elapsed().Seconds(), "rows/s")
	})
	b.Run("one change", func(b *testing.B) {
		var kept []*status.Rows
		for _, p := range programs {
			rows := p.NewRows(obj, status.Options{})
			if err := rows.Set(ctx, all...); err != nil {
				b.Fatal(err)
			}
			kept = append(kept, rows)
		}
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			changed := all[i%clusters]
			changed.Status = all[(i+1)%clusters].Status
			for _, rows := range kept {
				if err := rows.Set(ctx, changed); err != nil {
					b.Fatal(err)
				}
				rows.Combine()
			}
			i++
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	c := collector(b, "spec: "+tenSpecs[9]+"\n")
	b.ReportAllocs()
	for b.Loop() {
		if _, errs := status.Compile(c); len(errs) > 0 {
			b.Fatal(errs)
		}
	}
}
