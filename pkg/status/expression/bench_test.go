package expression_test

import (
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/status/expression"
)

func BenchmarkEval(b *testing.B) {
	vars := expression.NewVars(map[string]any{"spec": map[string]any{"replicas": int64(3)}})
	vars.Set("edge1", map[string]any{
		"readyReplicas": int64(1000),
		"conditions":    []any{map[string]any{"type": "Progressing", "status": "True"}, map[string]any{"type": "Available", "status": "True"}},
	}, nil, time.Time{})
	for name, text := range map[string]string{
		"path":   "returned.status.readyReplicas",
		"filter": "has(returned.status.readyReplicas) && returned.status.readyReplicas > obj.spec.replicas",
		"equal":  "obj.spec.replicas == returned.status.readyReplicas",
		"loop":   "returned.status.conditions.exists(c, c.type == 'Available' && c.status == 'True')",
		"error":  "returned.status.nothing",
	} {
		b.Run(name, func(b *testing.B) {
			e, err := expression.Compile(text)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Eval(vars, 0); (err != nil) != (name == "error") {
					b.Fatal(err)
				}
			}
		})
	}
}
