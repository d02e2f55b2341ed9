package manager_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// Secrets that must not be found anywhere.
const (
	plantedPassword = "planted-password-b71c"
	plantedToken    = "planted-token-59ae"
	plantedKey      = "planted-authority-key-e03d"
)

// TestSecretsShowNowhere plants a password, a token and a key, lets some in and refuses others, and looks for
// them in everything that a controller leaves behind: logs with all details, metrics, events, objects, refs,
// commits and files.
func TestSecretsShowNowhere(t *testing.T) {
	var locked atomic.Bool
	f := newFleet(t, []string{"eu", "fr"}, echoing(&locked), gittest.BasicAuth("porch", plantedPassword))
	f.serveAlso("vault", gittest.BearerAuth(plantedToken))
	f.apply(secret+plantedPassword,
		"apiVersion: v1\nkind: Secret\nmetadata:\n  name: bearer\nstringData:\n  bearerToken: "+plantedToken+"\n",
		"apiVersion: v1\nkind: Secret\nmetadata:\n  name: "+f.namespace+"-ca-bundle\nstringData:\n  tls.key: "+plantedKey+"\n",
		withSecret(f.objects["deployments.yaml"], "login"), withSecret(f.objects["vault.yaml"], "bearer"))
	details := &clustertest.Log{}
	everything := func(o *manager.Options) {
		o.Log = logr.FromSlogHandler(slog.NewTextHandler(io.MultiWriter(details, f.log), &slog.HandlerOptions{Level: slog.Level(-100)}))
	}
	f.launch(setup{tune: everything})
	f.await("the right credentials open repositories", drafted("eu", "fr"), f.states)
	f.await("a token does, too", "True Ready: the repository can be read", func() string { return f.ready("repository/vault") })

	locked.Store(true)
	f.put("lyon.yaml", replaced(f.env, "lyon.yaml", "10.2", "10.7"))
	f.await("a server that says what it was sent is in everybody's way", "eu False, fr False", f.conditions)
	locked.Store(false)
	f.await("for a while", drafted("eu", "fr"), f.states)
	f.apply(strings.Replace(secret, "password: ", "password: wrong-", 1) + plantedPassword)
	f.await("a password that is refused", "False", func() string { return f.conditionStatus("repository/deployments") })
	f.apply("apiVersion: v1\nkind: Secret\nmetadata:\n  name: " + f.namespace + "-ca-bundle\nstringData:\n  ca.crt: " + plantedKey + "\n")
	f.await("certificates that are none", "False", func() string { return f.conditionStatus("repository/vault") })

	counted, err := metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	kept := f.kubectl("", "get", "secrets", "-o", "yaml")
	for where, text := range map[string]string{
		"logs":    details.String(),
		"metrics": fmt.Sprint(counted),
		"objects": f.kubectl("", "get", "repositories,packagevariants,packagevariantsets,changebudgets,sites,events,leases,configmaps", "-o", "yaml"),
		"commits": gittest.Git(t, f.dirs["deployments"], "log", "--all", "--format=raw", "--patch"),
		"refs":    f.allRefs(),
	} {
		if found := finds(text); len(found) > 0 || !strings.Contains(text, "deployments") && !strings.Contains(text, "eu/shop") {
			t.Errorf("%s show %q", where, found)
		}
	}
	if found := finds(kept); len(found) < 3 {
		t.Errorf("a search that finds secrets finds them in Secrets, too; got %q", found)
	}
}

// finds is what a text shows of what was planted.
func finds(text string) (found []string) {
	for _, needle := range needles(plantedPassword, plantedToken, plantedKey) {
		if strings.Contains(text, needle) {
			found = append(found, needle)
		}
	}
	return found
}

// needles are secrets as they are and as they may be hidden: in base64, wherever they begin in it.
func needles(secrets ...string) (out []string) {
	for _, s := range secrets {
		out = append(out, s)
		for shift := range 3 {
			hidden := base64.StdEncoding.EncodeToString([]byte(strings.Repeat(" ", shift) + s))
			out = append(out, hidden[4:len(hidden)-4])
		}
	}
	return out
}

// echoing is a server that repeats, while locked, what it was sent, in its status and its words.
func echoing(locked *atomic.Bool) gittest.Option {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !locked.Load() {
				next.ServeHTTP(w, r)
				return
			}
			user, password, _ := r.BasicAuth()
			http.Error(w, fmt.Sprintf("no %s %s %s", r.Header.Get("Authorization"), user, password), http.StatusForbidden)
		})
	}
}

// serveAlso serves one more repository, whose object is like that of the deployments.
func (f *fleet) serveAlso(name string, served ...gittest.Option) {
	f.objects[name+".yaml"] = strings.Replace(f.elsewhere("URL"), "name: deployments", "name: "+name, 1)
	f.serve(name, served...)
	gittest.Commit(f, f.dirs[name], gittest.Change{})
}

func withSecret(repository, name string) string {
	return strings.Replace(repository, "  git:\n", "  git:\n    secretRef:\n      name: "+name+"\n", 1)
}
