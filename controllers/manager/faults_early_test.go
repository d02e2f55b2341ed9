package manager_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// refusing answers like an API server that starts and does not know its roles yet, while early is set, and
// counts how often it refused a Secret.
type refusing struct {
	early   atomic.Bool
	refused atomic.Int32
}

func (r *refusing) answer(a *http.Response) {
	path := a.Request.URL.Path
	switch {
	case !r.early.Load():
	case path == "/readyz":
		a.StatusCode = http.StatusInternalServerError
	case strings.Contains(path, "/secrets/"):
		r.refused.Add(1)
		_ = a.Body.Close()
		const status = `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"secrets is forbidden","reason":"Forbidden","code":403}`
		a.StatusCode, a.Body, a.ContentLength = http.StatusForbidden, io.NopCloser(strings.NewReader(status)), int64(len(status))
		a.Header.Set("Content-Type", "application/json")
	}
}

// TestServerRefusesEarly has an API server refuse Secrets while it is not ready: nothing that the cluster is
// notified by that, and continues when it is.
func TestServerRefusesEarly(t *testing.T) {
	f := newFleet(t, []string{"eu"}, gittest.BasicAuth("porch", token))
	f.apply(secret+token, withSecret(f.objects["deployments.yaml"], "login"))
	server := &refusing{}
	line := newWire()
	line.after = server.answer
	p := f.launch(setup{wire: line})
	f.await("all is well", f.local.reconcile(), f.allRefs)
	f.await("and known to be", drafted("eu"), f.states)
	ready := func() string {
		return f.get("repository/deployments", `{range .status.conditions[?(@.type=="Ready")]}{.status} {.message} {.lastTransitionTime}{end}`)
	}
	f.await("the Repository, too", "True", func() string { return f.conditionStatus("repository/deployments") })
	before := ready()

	server.early.Store(true)
	f.put("eu", f.variant("eu")+"  packageContext:\n    data:\n      region: eu\n")
	f.await("the server is asked more than once", "true", func() string {
		if now := ready(); now != before {
			t.Fatalf("the Repository says something else: %s, was %s", now, before)
		}
		return map[bool]string{true: "true"}[server.refused.Load() > 10]
	})
	if states := f.states(); states != drafted("eu") {
		t.Errorf("a variant says something else:\n%s", states)
	}
	server.early.Store(false)
	f.settled(p, drafted("eu"))
	if events := f.kubectl("", "get", "events", "-o", `jsonpath={range .items[?(@.type=="Warning")]}{.message}{"\n"}{end}`); events != "" {
		t.Errorf("there must be no warning of that:\n%s", events)
	}
}

// TestNoRightToSecrets has a controller that may read no Secret: repositories that are open need none.
func TestNoRightToSecrets(t *testing.T) {
	w := newEnv(t)
	w.start() // with the rights of the manifests
	if _, err := w.Kubectl(t, w.Admin(), "", "delete", "clusterrolebinding", "waybill-secrets"); err != nil {
		t.Fatal(err)
	}
	w.apply(strings.Replace(w.objects["blueprints.yaml"], "name: blueprints", "name: later", 1),
		strings.Replace(withSecret(w.objects["deployments.yaml"], "login"), "name: deployments", "name: locked", 1))
	w.eventually("what has a Secret says that it may not be read", `False Error: secretRef: secrets "login" is forbidden: `+
		`User "system:serviceaccount:waybill-system:waybill-controller" cannot get resource "secrets" in API group "" in the namespace "`+w.namespace+`"`,
		func() string { return w.ready("repository/locked") })
	w.eventually("what has none is ready", "True Ready: the repository can be read", func() string { return w.ready("repository/later") })
	w.apply(w.objects["eu.yaml"])
	w.eventually("and serves", good, func() string { return w.ready("packagevariant/eu") })
}
