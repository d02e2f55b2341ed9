package html

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv"
	"github.com/waybill-dev/waybill/pkg/testenv/browser"
)

// The bounds of a page of 300 clusters with 40 objects each, and of what one more cluster costs, in bytes.
const (
	mostBytes        = 150_000
	mostClusterBytes = 100
)

// changesOnAll are the two kinds of changes whose pages are measured: an upgrade of all clusters, and one of three.
var changesOnAll = map[string]bool{"upgrade": false, "quiet": true}

// TestSize holds the page of a realistic fleet to its bounds, and its data to what the clusters receive.
func TestSize(t *testing.T) {
	for name, quiet := range changesOnAll {
		t.Run(name, func(t *testing.T) {
			a := realistic(t, 300, quiet)
			objects := 0
			for i := range a.Clusters {
				objects += total(a, &a.Clusters[i])
			}
			if objects != 300*40 {
				t.Fatalf("the fleet receives %d objects, want 300 × 40", objects)
			}
			checkData(t, a, raw(encode(a, MostText)))
			size := len(written(t, a, Options{Name: "shop"}))
			if size > mostBytes {
				t.Errorf("the page has %d bytes, want %d at most", size, mostBytes)
			}
			testenv.Long(t, "a thousand clusters")
			large := len(written(t, realistic(t, 1000, quiet), Options{Name: "shop"}))
			t.Logf("300 × 40: %d bytes; 1,000 × 40: %d bytes", size, large)
			if grown := (large - size) / 700; grown > mostClusterBytes {
				t.Errorf("a cluster costs %d bytes, want %d at most", grown, mostClusterBytes)
			}
		})
	}
}

// BenchmarkOpen has a browser open the page of a realistic fleet: ready-ms is the time from the navigation to a page that can be
// used.
func BenchmarkOpen(b *testing.B) {
	for _, clusters := range []int{300, 1000} {
		for name, quiet := range changesOnAll {
			b.Run(fmt.Sprintf("clusters=%d/%s", clusters, name), func(b *testing.B) {
				page := written(b, realistic(b, clusters, quiet), Options{Name: "shop"})
				file := filepath.Join(b.TempDir(), "report.html")
				if err := os.WriteFile(file, page, 0o600); err != nil {
					b.Fatal(err)
				}
				chromium := browser.Start(b)
				took := 0
				for b.Loop() {
					took += browser.Ask[int](chromium.Open(b, file, ready), `Number(document.documentElement.dataset.ready)`)
				}
				b.ReportMetric(float64(took)/float64(b.N), "ready-ms")
				b.ReportMetric(float64(len(page)), "bytes")
			})
		}
	}
}
