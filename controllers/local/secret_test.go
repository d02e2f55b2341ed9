package local_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

const token = "s3cr3t-t0k3n/+="

// secret is a Secret of namespace fleet with these lines below its name.
func secret(lines string) string {
	return "apiVersion: v1\nkind: Secret\nmetadata:\n  name: token\n  namespace: fleet\n" + lines
}

// guarded is a fleet whose downstream repository lets in only who knows the token.
func guarded(t *testing.T, lines string, auth gittest.Option) *fleet {
	t.Helper()
	f := newFleet(t)
	f.write("secret.yaml", secret(lines))
	f.edit("repositories.yaml", "repo: ../deployments.git", "repo: "+f.serve(nil, auth)+"\n    secretRef:\n      name: token")
	return f
}

func TestCredentials(t *testing.T) {
	basic, bearer := gittest.BasicAuth("ada", token), gittest.BearerAuth(token)
	const welcome = "eu created: " + first + ": cloned from blueprints.shop.v1"
	const denied = `eu failed: downstream: repository fleet/deployments: repository "URL": authentication failed`
	for name, tc := range map[string]struct {
		reason string
		lines  string
		auth   gittest.Option
		want   string
	}{
		"basic":          {"name and password", "data:\n  username: YWRh\n  password: czNjcjN0LXQwazNuLys9\n", basic, welcome},
		"plain":          {"as people write them", "stringData:\n  username: ada\n  password: " + token + "\n", basic, welcome},
		"bearer":         {"a token", "stringData:\n  bearerToken: " + token + "\n", bearer, welcome},
		"wrong password": {"refused by the server", "stringData:\n  username: ada\n  password: " + token + "x\n", basic, denied},
		"wrong bearer":   {"refused by the server", "stringData:\n  bearerToken: " + token + "x\n", bearer, denied},
		"nothing":        {"a Secret without credentials", "stringData:\n  token: " + token + "\n", basic, `eu failed: downstream: repository fleet/deployments: secret "token" holds neither a password nor a bearerToken`},
		"not base64":     {"names the key, not the value", "data:\n  password: " + token + "!\n", basic, `eu failed: downstream: repository fleet/deployments: secret "token": data.password is not base64`},
		"not a string":   {"a value of another type", "data:\n  password: [" + token + "]\n", basic, `eu failed: downstream: repository fleet/deployments: secret "token" holds neither a password nor a bearerToken`},
	} {
		t.Run(name, func(t *testing.T) {
			f := guarded(t, tc.lines, tc.auth)
			moved := f.unmoved
			if tc.want == welcome {
				moved = func(_ string, do func()) { do() }
			}
			moved(tc.reason, func() {
				reports := f.reconcile()
				if diff := cmp.Diff([]string{tc.want}, f.anonymous(lines(reports))); diff != "" {
					t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
				}
				f.checkSecrecy(reports)
			})
		})
	}
}

// checkSecrecy looks for the token, or the part of it that survives every encoding, in everything
// that a reconcile leaves behind.
func (f *fleet) checkSecrecy(reports any) {
	f.Helper()
	asJSON, err := json.Marshal(reports)
	if err != nil {
		f.Fatal(err)
	}
	asYAML, err := yaml.Marshal(reports)
	if err != nil {
		f.Fatal(err)
	}
	dir := f.path("deployments.git")
	for what, text := range map[string]string{
		"the reports":         fmt.Sprintf("%v %+v %#v", reports, reports, reports),
		"the reports as JSON": string(asJSON),
		"the reports as YAML": string(asYAML),
		"refs":                f.refs(),
		"commits":             gittest.Git(f, dir, "log", "--all", "--format=raw", "--patch", "--no-ext-diff"),
		"Git's configuration": readAll(f, dir+"/config"),
	} {
		for _, s := range []string{token, "s3cr3t", "czNjcjN0", "YWRhOnMzY3IzdC"} { // plain, base64, "ada:" and all in base64
			if strings.Contains(text, s) {
				f.Errorf("%s hold %q:\n%s", what, s, text)
			}
		}
	}
}

func readAll(t testing.TB, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestServerRepeatsTheSecret talks to a server that shows what it was sent, and to one that tells of
// it in a redirect.
func TestServerRepeatsTheSecret(t *testing.T) {
	for name, evil := range map[string]http.HandlerFunc{
		"in an error": func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "no: "+r.Header.Get("Authorization"), http.StatusInternalServerError)
		},
		"in a refusal": func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "no: "+r.Header.Get("Authorization"), http.StatusForbidden)
		},
		"in nonsense": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
			_, _ = io.WriteString(w, "zzzz"+r.Header.Get("Authorization"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := guarded(t, "stringData:\n  username: ada\n  password: "+token+"\n", func(http.Handler) http.Handler { return evil })
			f.unmoved(name, func() {
				reports := f.reconcile()
				if reports[0].Err == nil {
					t.Error("want an error")
				}
				f.checkSecrecy(reports)
			})
		})
	}
}

// TestSecretInTheURL keeps what a URL carries out of the locks that drafts record, and of reports.
func TestSecretInTheURL(t *testing.T) {
	f := newFleet(t)
	dir := f.path("blueprints.git")
	url := gittest.NewHTTP(t, dir, gittest.BasicAuth("ada", "s3cr3t"))
	f.edit("repositories.yaml", "../blueprints.git", strings.Replace(url, "http://", "http://ada:s3cr3t@", 1))
	reports := f.expect("the credentials open the repository",
		"eu created: "+first+": cloned from blueprints.shop.v1")
	f.checkSecrecy(reports)
	if got := f.show(firstDraft, "eu/shop/Kptfile"); !strings.Contains(got, "repo: "+url+"\n") {
		t.Errorf("the lock names the repository; got\n%s", got)
	}
	f.expectQuiet("and knows it again", "eu unchanged: "+first+unchanged)
}

// TestSecretsStayOutOfPackages has an injection point that asks for a Secret.
func TestSecretsStayOutOfPackages(t *testing.T) {
	f := newFleet(t)
	f.write("secret.yaml", secret("stringData:\n  password: "+token+"\nspec:\n  password: "+token+"\n"))
	f.moveTo(2, map[string]*string{"shop/site.yaml": ptr("apiVersion: v1\nkind: Secret\nmetadata:\n  name: site\n  annotations:\n    kpt.dev/config-injection: required\n")})
	f.edit("eu.yaml", "kind: Site\n    name: lyon", "kind: Secret\n    name: token")
	reports := f.expect("there is no Secret to inject", "eu created: "+first+": cloned from blueprints.shop.v2; "+
		"config.injection.Secret.site: a Secret is never injected, because injected values are in Git: let the package refer to a Secret of the cluster by name")
	f.checkSecrecy(reports)
}

// TestBrokenSecretFiles has files that cannot be read and hold the token: the error does not.
func TestBrokenSecretFiles(t *testing.T) {
	for name, text := range map[string]string{
		"bad YAML":    secret("stringData:\n  password: \"" + token + "\n"),
		"bad indent":  secret("stringData:\n  password: " + token + "\n bad: " + token + "\n"),
		"same key":    secret("stringData:\n  password: " + token + "\n  password: " + token + "\n"),
		"twice":       secret("") + "---\n" + secret("stringData:\n  password: "+token+"\n"),
		"no name":     "apiVersion: v1\nkind: Secret\nstringData:\n  password: " + token + "\n",
		"odd alias":   secret("stringData:\n  password: *" + token + "\n"),
		"bad control": secret("stringData:\n  password: " + token + "\x01\n"),
		"Repository":  "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: x\nspec:\n  git: http://ada:" + token + "@example.com/x.git\n",
		"variant":     "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: x\nspec:\n  upstream: " + token + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			f.write("secret.yaml", text)
			_, err := local.Read([]string{f.path("fleet")}, strings.NewReader(""))
			if err == nil || strings.Contains(err.Error(), "s3cr3t") || !strings.Contains(err.Error(), "secret.yaml") {
				t.Errorf("want an error that names the file and not the secret, got %v", err)
			}
		})
	}
}
