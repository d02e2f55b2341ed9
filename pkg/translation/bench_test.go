package translation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation"
)

// cluster is so many Services, each with Endpoints of two addresses, each object in a file of its own.
func cluster(t testing.TB, services int) []*krm.Object {
	t.Helper()
	var b strings.Builder
	for i := range services {
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Service\nmetadata: {name: web-%d, namespace: shop}\nspec:\n  type: ClusterIP\n  clusterIP: 10.96.%d.%d\n  ports:\n  - {name: http, protocol: TCP, port: 80, targetPort: 8080}\n", i, i/250, i%250)
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Endpoints\nmetadata: {name: web-%d, namespace: shop}\nsubsets:\n- addresses:\n", i)
		for j := range 2 {
			at := 2*i + j
			fmt.Fprintf(&b, "  - {ip: 10.%d.%d.%d, nodeName: n%d, targetRef: {kind: Pod, name: web-%d-%d, namespace: shop}}\n", at/62500, at/250%250, at%250, at%100, i, j)
		}
		b.WriteString("  ports:\n  - {name: http, port: 8080, protocol: TCP}\n")
	}
	objects := fntest.Parse(t, "cluster.yaml", []byte(b.String()))
	for _, o := range objects {
		o.SetPath(fmt.Sprintf("observed/%s_%s.yaml", strings.ToLower(o.Kind()), o.Name()), 0)
	}
	return objects
}

// apply runs the function and ends the test if it fails.
func apply(t testing.TB, in *fn.Input) []*krm.Object {
	t.Helper()
	out := translation.Function.Apply(t.Context(), in)
	if out.Failed() {
		t.Fatal(fn.FormatResult(out.Results[0]))
	}
	return out.Items
}

// moved is items with one address of one of the Endpoints changed.
func moved(t testing.TB, items []*krm.Object, name, from, to string) []*krm.Object {
	t.Helper()
	changed := append([]*krm.Object(nil), items...)
	for i, o := range items {
		if o.Kind() != "Endpoints" || o.Name() != name {
			continue
		}
		data, err := krm.WriteRaw(o)
		if err != nil || !strings.Contains(string(data), from) {
			t.Fatalf("%s is not in %s (%v)", from, data, err)
		}
		changed[i] = fntest.Parse(t, o.File(), []byte(strings.Replace(string(data), from, to, 1)))[0]
	}
	return changed
}

// BenchmarkTranslate translates 5,000 Services with 10,000 addresses: the first time, again without a
// change, and after one address moved.
func BenchmarkTranslate(b *testing.B) {
	small := &fn.Input{Items: cluster(b, 10)}
	fntest.CheckLaws(b, settled(), small, nil)
	const services = 5000
	first := &fn.Input{Items: cluster(b, services)}
	again := &fn.Input{Items: apply(b, first)}
	one := &fn.Input{Items: moved(b, again.Items, "web-4321", "10.0.34.142", "10.200.0.1")}
	const made = 4*services + 3
	if got := len(again.Items) - len(first.Items); got != made {
		b.Fatalf("%d Translations, want %d", got, made)
	}
	for _, run := range []struct {
		name string
		in   *fn.Input
	}{{"first", first}, {"again", again}, {"one-change", one}} {
		b.Run(fmt.Sprintf("services=%d/addresses=%d/%s", services, 2*services, run.name), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				apply(b, run.in)
			}
			b.ReportMetric(made*float64(b.N)/b.Elapsed().Seconds(), "translations/s")
		})
	}
}
