package manager_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestCredentialsRotate has the server of the deployments ask for another password in the middle of a push.
// The Secret follows later.
func TestCredentialsRotate(t *testing.T) {
	const old, fresh = "hush-before", "hush-after"
	var password atomic.Value
	password.Store(old)
	f := newFleet(t, []string{"eu", "fr"}, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			gittest.BasicAuth("porch", password.Load().(string))(next).ServeHTTP(w, r)
		})
	})
	f.apply(secret+old, strings.Replace(f.objects["deployments.yaml"], "  git:\n", "  git:\n    secretRef:\n      name: login\n", 1))
	f.launch(setup{}).settledOnce(drafted("eu", "fr"))

	f.put("lyon.yaml", replaced(f.env, "lyon.yaml", "10.2", "10.7"))
	g := newGate(gitrepo.StepVerified)
	p := f.launch(setup{gate: g})
	f.hold(g)
	password.Store(fresh)
	g.let()
	f.await("the old password is refused", "eu False, fr False", f.conditions)
	f.await("and the Repository says why", "False Error", func() string { s, _, _ := strings.Cut(f.ready("repository/deployments"), ":"); return s })
	f.apply(secret + fresh)
	f.settled(p, drafted("eu", "fr"))
	f.await("with the new one all is well", "True", func() string { return f.conditionStatus("repository/deployments") })
}
