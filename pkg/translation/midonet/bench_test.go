package midonet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// cluster is the YAML of so many Services, with two addresses each.
func cluster(services int) string {
	var b strings.Builder
	for i := range services {
		ip := fmt.Sprintf("10.96.%d.%d", i/250, i%250)
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Service\nmetadata: {name: web-%d, namespace: shop}\nspec:\n  type: ClusterIP\n  clusterIP: %s\n  ports:\n  - {name: http, protocol: TCP, port: 80, targetPort: 8080}\n", i, ip)
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Endpoints\nmetadata: {name: web-%d, namespace: shop}\nsubsets:\n- addresses:\n", i)
		for j := range 2 {
			at := 2*i + j
			fmt.Fprintf(&b, "  - {ip: 10.%d.%d.%d, nodeName: n%d, targetRef: {kind: Pod, name: web-%d-%d, namespace: shop}}\n", at/62500, at/250%250, at%250, at%100, i, j)
		}
		b.WriteString("  ports:\n  - {name: http, port: 8080, protocol: TCP}\n")
	}
	return b.String()
}

// BenchmarkConvert converts 5,000 Services with 10,000 addresses that are parsed already.
func BenchmarkConvert(b *testing.B) {
	const services = 5000
	c := converter(b, nil)
	objects := read(b, cluster(services))
	for i := range 10 { // all are alike
		pair := objects[2*i : 2*i+2]
		checkLaws(b, c, pair[0], pair)
		checkLaws(b, c, pair[1], pair)
	}
	b.ReportAllocs()
	made := 0
	for b.Loop() {
		made = 0
		for i := 0; i < len(objects); i += 2 {
			made += len(c.Convert(objects[i], nil).Translations) + len(c.Convert(objects[i+1], objects[i]).Translations)
		}
	}
	if want := services*2 + 2*services; made != want {
		b.Fatalf("made %d Translations, want %d", made, want)
	}
	b.ReportMetric(float64(made)*float64(b.N)/b.Elapsed().Seconds(), "translations/s")
}

// BenchmarkRead is what stands before that: the same objects from YAML.
func BenchmarkRead(b *testing.B) {
	text := []byte(cluster(5000))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if objects, err := krm.Read("in.yaml", text, krm.Limits{}); err != nil || len(objects) != 10000 {
			b.Fatalf("%d objects, %v", len(objects), err)
		}
	}
}
