package fluxtest

import (
	"path/filepath"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// namespace is that of Flux and its objects.
const namespace = "flux-system"

// Flux is a pair of controllers on a cluster.
type Flux struct {
	*clustertest.Cluster
	client      client.Client
	programs    string // folder of the programs
	kubeconfig  string
	storage     string // address at which source-controller serves artifacts
	controllers map[string]*clustertest.Program
}

// Controllers are the names of both programs.
var Controllers = []string{"source-controller", "kustomize-controller"}

// Start starts Flux on a cluster, where it ends with the test, with all that it delivered. A cluster can have one at a time.
func Start(t testing.TB, c *clustertest.Cluster) *Flux {
	t.Helper()
	testenv.Need(t, testenv.Git, testenv.APIServer, testenv.Flux)
	f := &Flux{Cluster: c, controllers: map[string]*clustertest.Program{}, kubeconfig: c.Kubeconfig(t, c.Admin())}
	var err error
	if f.programs, _, err = testenv.FluxPrograms.Dir(); err != nil {
		t.Fatal(err)
	}
	if f.storage, err = clustertest.FreeAddress(); err != nil {
		t.Fatal(err)
	}
	if f.client, err = client.New(c.Admin(), client.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range Controllers { // the package of the test is two folders below the root
		module := clustertest.ModuleDir(t, filepath.Join("..", "..", "pkg", "testenv", "servers", "flux"), "github.com/fluxcd/"+name)
		c.InstallCRDs(t, filepath.Join(module, "config", "crd", "bases"))
	}
	f.createNamespace(t)
	for _, name := range Controllers {
		f.Resume(t, name)
		t.Cleanup(func() { f.Stop(name) })
	}
	t.Cleanup(func() { f.forget(t) })
	return f
}

// forget deletes what Flux delivered, and the objects that say so. The next Flux of the cluster would wait for artifacts of this one.
func (f *Flux) forget(t testing.TB) {
	for _, name := range Controllers {
		f.Resume(t, name)
	}
	const kinds = "kustomizations,gitrepositories,ocirepositories"
	out, err := f.Kubectl(t, f.Admin(), "", "delete", kinds, "--all", "--namespace", namespace, "--timeout=60s")
	if err != nil {
		t.Errorf("delete Flux's objects: %v\n%s\n%s", err, out, f.logs())
	}
}

// Stop kills a controller, as a crash would. It does nothing for one that is stopped.
func (f *Flux) Stop(controller string) { f.controllers[controller].Stop() }

// Resume starts a controller that does not run. Artifacts that source-controller had are still there.
func (f *Flux) Resume(t testing.TB, controller string) {
	t.Helper()
	if p := f.controllers[controller]; p != nil && p.Running() {
		return
	}
	args := []string{"env", "KUBECONFIG=" + f.kubeconfig, "RUNTIME_NAMESPACE=" + namespace, filepath.Join(f.programs, controller),
		"--metrics-addr=0", "--health-addr=0", "--min-retry-delay=200ms", "--max-retry-delay=5s", "--kube-api-qps=1000", "--kube-api-burst=1000"}
	switch folder, err := f.Folder("artifacts"); {
	case err != nil:
		t.Fatal(err)
	case controller == "source-controller":
		args = append(args, "--storage-path="+folder, "--storage-addr="+f.storage, "--storage-adv-addr="+f.storage)
	default:
		args = append(args, "--no-cross-namespace-refs", "--no-remote-bases")
	}
	p, err := f.Run(controller, args...)
	if err != nil {
		t.Fatal(err)
	}
	f.controllers[controller] = p
}

// logs are the last lines of both controllers.
func (f *Flux) logs() (text string) {
	for _, name := range Controllers {
		text += name + ":\n" + f.controllers[name].Log() + "\n"
	}
	return text
}
