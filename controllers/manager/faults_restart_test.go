package manager_test

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// TestServersFail takes the API server, etcd or both away while a pass stands between Git and status.
func TestServersFail(t *testing.T) {
	api, etcd := func(f *fleet) { f.StopAPIServer(f) }, func(f *fleet) { f.StopEtcd(f) }
	cases := map[string]struct {
		reason string
		at     gitrepo.Step
		stop   []func(*fleet)
	}{
		"API server": {"drafts are pushed although no status can be written", gitrepo.StepVerified, []func(*fleet){api}},
		"etcd":       {"drafts are pushed when no status can be written", gitrepo.StepAccepted, []func(*fleet){etcd}},
		"both":       {"a machine that restarts", gitrepo.StepVerified, []func(*fleet){api, etcd}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t, []string{"eu", "fr", "jp"})
			g := newGate(tc.at)
			p := f.launch(setup{gate: g})
			f.hold(g)
			for _, stop := range tc.stop {
				stop(f)
			}
			g.let()
			f.await(tc.reason, f.local.reconcile(), f.allRefs)
			f.StartEtcd(t)
			f.StartAPIServer(t)
			f.settled(p, drafted("eu", "fr", "jp"))
		})
	}
}
