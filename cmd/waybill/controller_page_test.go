package main

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestControllerPage runs the page on the controller against a real API server, with a controller that
// is started as the Deployment starts it and has its rights.
func TestControllerPage(t *testing.T) {
	testenv.Need(t, testenv.Git)
	const page = "../../docs/controller.md"
	c := clustertest.Shared(t)
	if _, err := c.Kubectl(t, c.Admin(), "", "apply", "-k", "../../controllers/manifests"); err != nil {
		t.Fatal(err)
	}
	blueprints, deployments := gittest.NewBare(t), gittest.NewBare(t)
	gittest.Commit(t, blueprints, gittest.Change{Files: gittest.Files(map[string]string{
		"shop/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n",
		"shop/region.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: region\n  annotations:\n" +
			"    kpt.dev/config-injection: required\ndata:\n  region: nowhere\n",
	})})
	gittest.Git(t, blueprints, "tag", "shop/v1", "main")
	gittest.Commit(t, deployments, gittest.Change{Message: "The fleet begins\n"})
	metrics := startController(t, c)
	keepAggregating(t, c)
	const password = "hush-4812"
	programs, _, err := testenv.APIServerPrograms.Dir()
	if err != nil {
		t.Fatal(err)
	}
	out := runPage(t, page, "../..", strings.NewReplacer("https://git.example.com/blueprints.git", gittest.NewHTTP(t, blueprints),
		"https://git.example.com/deployments.git", gittest.NewHTTP(t, deployments, gittest.BasicAuth("porch", password))),
		"KUBECONFIG="+c.Kubeconfig(t, c.Admin()), "PATH="+programs+":"+os.Getenv("PATH"), "HOME="+t.TempDir(), "GIT_PASSWORD="+password)
	checkShown(t, page, "", out)
	if got := gittest.Git(t, deployments, "show", "drafts/eu/shop/packagevariant-1:eu/shop/region.yaml"); !strings.HasSuffix(got, "region: eu") {
		t.Errorf("what was injected is not in the draft:\n%s", got)
	}
	const broken = "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: broken\n  namespace: fleet\nspec:\n  type: git\n  git:\n    repo: /srv\n"
	for _, args := range [][]string{{"apply", "-f", "-"}, {"wait", "-n", "fleet", "--for=condition=Ready=false", "--timeout=60s", "repository/broken"}} {
		if _, err := c.Kubectl(t, c.Admin(), broken, args...); err != nil {
			t.Fatal(err)
		}
	}
	checkMetricsShown(t, "../../docs/reference/metrics.md", scrape(t, c, metrics))
}

// startController runs a controller until the test ends, and returns where its metrics are. What a pod
// would have it know by being in one, it is told.
func startController(t *testing.T, c *clustertest.Cluster) (metrics string) {
	t.Helper()
	var d appsv1.Deployment
	data, err := os.ReadFile("../../controllers/manifests/deployment.yaml")
	if err == nil {
		err = yaml.UnmarshalStrict(data, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	probes, metrics := freeAddress(t), freeAddress(t)
	args := append(d.Spec.Template.Spec.Containers[0].Args, "--kubeconfig", c.Kubeconfig(t, c.ServiceAccount(t, "waybill-system", "waybill-controller")),
		"--leader-elect-namespace", "waybill-system", "--health-probe-bind-address", probes, "--metrics-bind-address", metrics, "--poll-interval", "1s")
	process := startProcess(t, args...)
	t.Cleanup(func() {
		if code := process.end(); code != exitDone || t.Failed() {
			t.Errorf("the controller ended with %d:\n%s", code, &process.log)
		}
	})
	for deadline := time.Now().Add(time.Minute); status(t, "http://"+probes+"/readyz", "") != http.StatusOK; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the controller does not get ready")
		}
	}
	return metrics
}

// keepAggregating does what kube-controller-manager does with the one labelled ClusterRole of the page.
func keepAggregating(t *testing.T, c *clustertest.Cluster) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			rules, err := c.Kubectl(t, c.Admin(), "", "get", "clusterrole", "-l", "rbac.waybill.dev/aggregate-to-controller=true", "-o", "jsonpath={.items[0].rules}")
			if err == nil {
				_, _ = c.Kubectl(t, c.Admin(), "", "patch", "clusterrole", "waybill-context", "--type", "merge", "-p", `{"rules":`+rules+"}") // it is tried again
			}
			select {
			case <-ctx.Done():
			case <-time.After(500 * time.Millisecond):
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
}

// scrape reads the metrics with the rights for it.
func scrape(t *testing.T, c *clustertest.Cluster, address string) string {
	t.Helper()
	namespace := c.Namespace(t)
	reader := c.ServiceAccount(t, namespace, "reader")
	if _, err := c.Kubectl(t, c.Admin(), "", "create", "clusterrolebinding", namespace, "--clusterrole=waybill-metrics-reader", "--serviceaccount="+namespace+":reader"); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+address+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+reader.BearerToken)
	insecure := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true} // #nosec G402 -- a certificate made for this run
	resp, err := insecure.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("metrics: %s, %v", resp.Status, err)
	}
	return string(text)
}

// checkMetricsShown holds the metrics that a page names to those that there are.
func checkMetricsShown(t *testing.T, page, metrics string) {
	t.Helper()
	text, err := os.ReadFile(page) // #nosec G304 -- a page of the repository
	if err != nil {
		t.Fatal(err)
	}
	named := func(pattern, in string) (names []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(in, -1) {
			names = append(names, m[1])
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	shown, _, _ := strings.Cut(string(text), "\n## waybill controller --") // what flags start has sections of its own
	if diff := cmp.Diff(named("# TYPE (waybill_[a-z_]+ [a-z]+)", metrics), named("(waybill_[a-z_]+ [a-z]+)", strings.ReplaceAll(shown, "` | ", " "))); diff != "" {
		t.Errorf("metrics (-served +named):\n%s", diff)
	}
}
