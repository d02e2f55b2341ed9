package manifests_test

import (
	"crypto/tls"
	"encoding/json"
	"net"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/waybill-dev/waybill/controllers/manager"
)

// TestRightsAreUsed has the controller live through everything with the rights of its ServiceAccount:
// nothing is refused to it, and it uses all that it has.
func TestRightsAreUsed(t *testing.T) {
	w := everywhere(t)
	used := w.live(func(o *manager.Options) {
		o.LeaderElection, o.LeaderElectionNamespace = true, system
	})
	all := roles(t)
	want := granted(slices.Concat(all["waybill-controller"], all["waybill-secrets"], all["waybill-leader"], all["waybill-metrics-auth"], contextRules))
	for rare, reason := range map[right]string{
		{"get", porch + "/packagevariants"}: "after a conflict it looks what is there now",
		{"patch", "events.k8s.io/events"}:   "an event that comes again is counted",
		{"patch", "/events"}:                "so is one about who leads",
	} {
		if !want[rare] {
			t.Errorf("%v is excused, and not granted: %s", rare, reason)
		}
		used[rare] = true
	}
	if diff := cmp.Diff(want, used); diff != "" {
		t.Errorf("rights (-granted +used):\n%s", diff)
	}
}

// TestRightsOfOneNamespace is the same where the controller is narrowed to one namespace.
func TestRightsOfOneNamespace(t *testing.T) {
	w := narrowed(t)
	w.kubectl("", "create", "namespace", "other")
	w.review(controller, forbidden(w.namespace))
	w.review(controller, allowed(w.namespace, "fleet.controller.waybill.dev", true))
	w.review(controller, allowed("other", "fleet.controller.waybill.dev", false))
	w.live(func(o *manager.Options) {
		o.Namespaces, o.LeaderElection, o.LeaderElectionNamespace = []string{w.namespace}, true, system
	})
}

// contextRules let the controller inject from ConfigMaps, as the administrator of a cluster would.
var contextRules = []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"list", "watch"}}}

// aggregate does what kube-controller-manager does with ClusterRoles that have a label, which is not there: it
// puts their rules into another.
func (w *installation) aggregate(label, into string) {
	w.Helper()
	var list rbacv1.ClusterRoleList
	text := w.kubectl("", "get", "clusterroles", "-l", label+"=true", "-o", "json")
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		w.Fatal(err)
	}
	var rules []rbacv1.PolicyRule
	for _, role := range list.Items {
		rules = append(rules, role.Rules...)
	}
	patch, err := json.Marshal(map[string]any{"rules": rules})
	if err != nil {
		w.Fatal(err)
	}
	w.kubectl("", "patch", "clusterrole", into, "--type", "merge", "-p", string(patch))
}

// scrape reads the metrics as a user who may, and as a user who may not.
func (w *installation) scrape(address string) {
	w.Helper()
	w.kubectl("", "create", "clusterrolebinding", w.namespace+"-metrics", "--clusterrole=waybill-metrics-reader", "--serviceaccount="+w.namespace+":reader")
	insecure := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true} // #nosec G402 -- a certificate made for this run
	for name, want := range map[string]int{"reader": http.StatusOK, "stranger": http.StatusForbidden} {
		req, err := http.NewRequestWithContext(w.Context(), http.MethodGet, "https://"+address+"/metrics", nil)
		if err != nil {
			w.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+w.ServiceAccount(w, w.namespace, name).BearerToken)
		resp, err := insecure.RoundTrip(req)
		if err != nil {
			w.Fatal(err)
		}
		_ = resp.Body.Close() // the status is all
		if resp.StatusCode != want {
			w.Errorf("metrics for a %s: want %d, got %d", name, want, resp.StatusCode)
		}
	}
}

// freeAddress is one of this machine at which no server listens.
func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
