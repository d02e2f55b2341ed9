package injection_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/injection"
)

// BenchmarkFunction fills a tenth of a package's objects from as many context objects.
func BenchmarkFunction(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprintf("resources=%d", n), func(b *testing.B) {
			in := &fn.Input{Items: read(b, "in.yaml", packageWith(n)), Config: read(b, "config.yaml", "apiVersion: v1\nkind: ConfigMap\ndata:\n  injectors: '[{name: context-1}]'\n")[0]}
			for i, o := range in.Items {
				o.SetPath(o.File(), i)
			}
			if n == 100 { // what is timed is right
				fntest.CheckLaws(b, injection.Function, in, nil)
			}
			b.ReportAllocs()
			for b.Loop() {
				if out := injection.Function.Apply(context.Background(), in); len(out.Results) > 0 {
					b.Fatal(fn.FormatResult(out.Results[0]))
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "resources/s")
		})
	}
}

// packageWith is a package of n objects and its Kptfile.
func packageWith(n int) string {
	var text strings.Builder
	text.WriteString(header)
	for i := range n {
		name, annotation := fmt.Sprintf("plain-%d", i), "example.com/note: none"
		switch i % 10 {
		case 0:
			name, annotation = fmt.Sprintf("point-%d", i), "kpt.dev/config-injection: required"
		case 1:
			name, annotation = fmt.Sprintf("context-%d", i), "waybill.dev/context: 'true'"
		}
		fmt.Fprintf(&text, "---\napiVersion: infra.example/v1\nkind: Site\nmetadata:\n  name: %s\n  annotations:\n    %s\nspec:\n  cidr: 10.0.0.0/16\n  number: %d\n", name, annotation, i)
	}
	return text.String()
}
