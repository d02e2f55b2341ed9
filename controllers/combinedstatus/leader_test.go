package combinedstatus_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/waybill-dev/waybill/controllers/combinedstatus"
)

// candidate is a controller that works while it leads, and notes what it writes.
type candidate struct {
	*testCluster
	ended  <-chan error
	cancel func()

	mu     sync.Mutex
	cut    bool // nothing gets through any more
	writes []string
}

var errCut = errors.New("the cable is cut")

func (c *candidate) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		c.mu.Lock()
		cut := c.cut
		if own := strings.Contains(req.URL.Path, "/leases") || strings.Contains(req.URL.Path, "/events"); !cut && !own && req.Method != http.MethodGet {
			c.writes = append(c.writes, req.Method+" "+req.URL.Path)
		}
		c.mu.Unlock()
		if cut {
			return nil, errCut
		}
		return next.RoundTrip(req)
	})
}

// wrote is what the candidate wrote so far.
func (c *candidate) wrote() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string{}, c.writes...)
}

// candidate starts one more controller.
func (w *testCluster) candidate() *candidate {
	w.Helper()
	c := &candidate{testCluster: w}
	lease, renew, retry := 3*time.Second, 2*time.Second, 200*time.Millisecond
	before := w.wrap
	w.wrap = c.wrap
	c.ended, c.cancel = w.launch(manager.Options{
		LeaderElection: true, LeaderElectionID: "controller.waybill.dev", LeaderElectionNamespace: "waybill-system", LeaderElectionReleaseOnCancel: true,
		LeaseDuration: &lease, RenewDeadline: &renew, RetryPeriod: &retry,
	}, combinedstatus.Options{
		Interval: 20 * time.Millisecond, FirstRetry: 20 * time.Millisecond, LastRetry: 200 * time.Millisecond, Log: logr.FromSlogHandler(slog.NewTextHandler(w.log, nil)),
	})
	w.wrap = before
	w.Cleanup(c.cancel)
	return c
}

// TestNextLeader has a second controller take over from the first, which goes, or cannot be reached any
// more. The second writes what is new and nothing else; the first writes nothing.
func TestNextLeader(t *testing.T) {
	cases := map[string]struct {
		reason string
		lose   func(*candidate)
		end    string
	}{
		"stopped":     {"it is told to end", func(c *candidate) { c.cancel() }, "<nil>"},
		"partitioned": {"it is alone, and knows what is to be written", func(c *candidate) { c.mu.Lock(); c.cut = true; c.mu.Unlock() }, "leader election lost"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWithDeployments(t)
			w.InstallCRDs(t, "../../testdata/crds/combinedstatus/policies")
			one := m{"wantSingletonReportedState": true}
			w.binding("p", []string{"edge1", "edge2"}, w.entry(deployments, "web", collected("sum", "list")), w.entry(deployments, "db", one))
			w.binding("q", []string{"edge1"}, w.entry(deployments, "web", m{"wantMultiWECReportedState": true}))
			w.collector("broken", m{"filter": "nonsense("})
			w.policy("p", nil)
			first := w.candidate()
			w.eventually("the first leads", `{"readyReplicas":1,"replicas":3} singletonstatus=true`, func() string { return w.returned("web") })
			w.eventually("it has said all", "3 writes", func() string { return w.said() })
			w.settled()
			second := w.candidate()
			before := w.versions()

			wrote := first.wrote()
			tc.lose(first)
			w.put(workStatuses, w.report("edge2", "web", m{"readyReplicas": int64(9)}))
			w.eventually("the second leads: "+tc.reason, "p list: edge1, edge2\np sum: 10", func() string { return w.results("web") })
			if got := fmt.Sprint(<-first.ended); got != tc.end {
				t.Errorf("the first ended with %s", got)
			}
			first.mu.Lock()
			first.cut = false
			first.mu.Unlock()
			w.put(workStatuses, w.report("edge2", "web", m{"readyReplicas": int64(8)}))
			w.eventually("it still does", "p list: edge1, edge2\np sum: 9", func() string { return w.results("web") })
			w.settled()
			if diff := cmp.Diff(wrote, first.wrote()); diff != "" {
				t.Errorf("the first goes on to write (-before +after):\n%s", diff)
			}
			if got := second.wrote(); len(got) != 2 || got[0] != got[1] || !strings.Contains(got[0], "/combinedstatuses/") {
				t.Errorf("want the second to write one result twice, got %q", got)
			}
			after := w.versions()
			for name := range after {
				if !strings.HasPrefix(name, "combinedstatuses ") && after[name] != before[name] {
					t.Errorf("%s was written without need", name)
				}
			}
			second.cancel()
			if err := <-second.ended; err != nil {
				t.Errorf("the second ended with %v", err)
			}
		})
	}
}

// said counts what is said about Bindings, collectors and policies.
func (w *testCluster) said() string {
	w.Helper()
	n := 0
	for _, ok := range []bool{
		w.condition("p") == available && w.condition("q") == available, w.get(collectors, "", "broken").Object["status"] != nil, strings.Contains(w.policyStatus("p"), "wrong number"),
	} {
		if ok {
			n++
		}
	}
	return fmt.Sprint(n, " writes")
}
