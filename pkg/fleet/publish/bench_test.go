package publish

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
)

// counted is a real registry behind a proxy that counts requests.
func counted(b testing.TB) (host string, requests *atomic.Int64) {
	b.Helper()
	target, err := url.Parse("http://" + ocitest.Registry(b).Host)
	if err != nil {
		b.Fatal(err)
	}
	proxy, requests := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = r.In.Host }}, &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		proxy.ServeHTTP(w, r)
	}))
	b.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://"), requests
}

// TestRequests counts them, over all artifacts: only what has changed takes any.
func TestRequests(t *testing.T) {
	host, requests := counted(t)
	prefix, err := oci.ParseReference("oci://" + host + "/fleet")
	if err != nil {
		t.Fatal(err)
	}
	for n, step := range []struct {
		reason  string
		values  []int
		atMost  int64
		atLeast int64
	}{
		{"two artifacts", []int{1, 1}, 100, 50}, {"a third one", []int{1, 1, 1}, 65, 30}, {"one has changed", []int{1, 1, 2}, 65, 30},
		{"another revision, and no change", []int{1, 1, 2}, 40, 5},
	} {
		for _, again := range []bool{false, true} {
			client, err := oci.New(oci.Options{MoveTags: true})
			if err != nil {
				t.Fatal(err)
			}
			start := requests.Load()
			if _, err := publisher(Below(prefix, client), n+1).Run(t.Context(), fleetOf(t, step.values...)); err != nil {
				t.Fatal(err)
			}
			got := requests.Load() - start
			t.Logf("%s, again %v: %d requests", step.reason, again, got)
			if !again && (got > step.atMost || got < step.atLeast) || again && got > 5 {
				t.Errorf("%s, again %v: %d requests", step.reason, again, got)
			}
		}
	}
}

// BenchmarkPublish publishes 1,000 clusters with 40 objects each to a real registry: the first time, without a change, with one changed
// cluster, and that again without trust in the index. Contents are made from the tree each time.
func BenchmarkPublish(b *testing.B) {
	const clusters, objects = 1000, 40
	host, requests := counted(b)
	files := map[string]string{}
	set := func(cluster, value int) {
		var all []string
		for i := range objects {
			all = append(all, configMap(fmt.Sprintf("c%d", i), fmt.Sprintf("v%d-%d", cluster, value)))
		}
		name := fmt.Sprintf("c%d", cluster)
		files["clusters/"+name+"/p/w.yaml"] = work(name, "w", "", all...)
	}
	for i := range clusters {
		set(i, 0)
	}
	revision := 0
	publish := func(b *testing.B, prefix string, check bool) {
		tree := treeOf(b, files)
		ref, err := oci.ParseReference("oci://" + host + "/" + prefix)
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		client, err := oci.New(oci.Options{MoveTags: true})
		if err != nil {
			b.Fatal(err)
		}
		contents, err := Contents(tree, Options{By: ByCluster, Content: Objects})
		if err != nil {
			b.Fatal(err)
		}
		p := publisher(Below(ref, client), revision)
		p.CheckTags = check
		if _, err := p.Run(b.Context(), contents); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
	}
	one := func(b *testing.B, prepare func(n int) (prefix string), check bool) {
		before, runs := int64(0), 0
		for b.Loop() {
			b.StopTimer()
			prefix := prepare(runs)
			start := requests.Load()
			publish(b, prefix, check)
			before, runs = before+requests.Load()-start, runs+1
			b.StartTimer()
		}
		b.ReportMetric(float64(before)/float64(runs), "requests/op")
	}
	publishOnce := func(b *testing.B) { b.StopTimer(); publish(b, "fleet", false); b.StartTimer() }
	b.Run("first", func(b *testing.B) { one(b, func(n int) string { return fmt.Sprintf("first%d-%d", b.N, n) }, false) })
	b.Run("unchanged", func(b *testing.B) { publishOnce(b); one(b, func(int) string { return "fleet" }, false) })
	change := func(n int) string { revision++; set(n%clusters, revision); return "fleet" }
	b.Run("one change", func(b *testing.B) { publishOnce(b); one(b, change, false) })
	b.Run("one change, tags checked", func(b *testing.B) { publishOnce(b); one(b, change, true) })
}
