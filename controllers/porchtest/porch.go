package porchtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// stepTimeout is how long a step may take: far longer than it takes even on a busy machine.
const stepTimeout = 2 * time.Minute

// systemNamespace holds the Service of Porch's API server.
const systemNamespace = "porch-system"

// Porch is an API server that serves Porch's kinds as well.
type Porch struct {
	*clustertest.Cluster
	Client     client.Client // as the administrator
	programs   string        // folder of Porch's programs
	dir        string        // folder of caches and certificates
	kubeconfig string
	port       string
	flags      []string

	server, controllers *clustertest.Program
}

// Start starts a Porch that ends with the test. Flags are further ones of Porch's API server.
func Start(t testing.TB, flags ...string) *Porch {
	t.Helper()
	testenv.Need(t, testenv.Git, testenv.APIServer, testenv.Porch)
	return start(t, clustertest.Start(t), flags)
}

var shared struct {
	sync.Mutex
	porch *Porch
}

// Shared is the Porch of this test binary, with its API server running. What tests create there stays; each takes a Namespace
// of its own, and deletes its Repositories, which Porch reads again and again. Such tests do not run in parallel.
func Shared(t testing.TB) *Porch {
	t.Helper()
	testenv.Need(t, testenv.Git, testenv.APIServer, testenv.Porch)
	shared.Lock()
	defer shared.Unlock()
	if shared.porch == nil {
		c, err := clustertest.New()
		if err != nil {
			t.Fatal(err)
		}
		shared.porch = start(t, c, nil)
	}
	if !shared.porch.server.Running() {
		shared.porch.StartServer(t)
	}
	return shared.porch
}

func start(t testing.TB, c *clustertest.Cluster, flags []string) *Porch {
	t.Helper()
	p := &Porch{Cluster: c, flags: flags}
	var err error
	if p.programs, _, err = testenv.PorchPrograms.Dir(); err != nil {
		t.Fatal(err)
	}
	for _, dir := range definitions(t) {
		p.InstallCRDs(t, dir)
	}
	if p.Client, err = client.New(p.Admin(), client.Options{}); err != nil {
		t.Fatal(err)
	}
	if p.dir, err = p.Folder("porch"); err != nil {
		t.Fatal(err)
	}
	p.kubeconfig = filepath.Join(p.dir, "kubeconfig")
	if err := clustertest.WriteKubeconfig(p.kubeconfig, p.Admin()); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("DB_HOST") != "" {
		p.emptyDatabase(t)
		p.flags = append(p.flags, "--cache-type=DB")
	}
	address, err := clustertest.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	_, p.port, _ = net.SplitHostPort(address)
	p.register(t)
	p.StartServer(t)
	return p
}

// servers is the module that has Porch's, as tests see it from their folders.
var servers = filepath.Join("..", "..", "pkg", "testenv", "servers", "porch")

// definitions are the folders of the release that hold the definitions of Porch's kinds.
func definitions(t testing.TB) (dirs []string) {
	t.Helper()
	module := clustertest.ModuleDir(t, servers, "github.com/nephio-project/porch")
	for _, dir := range []string{"api/porchconfig/v1alpha1", "internal/api/porchinternal/v1alpha1", "controllers/config/crd/bases"} {
		dirs = append(dirs, filepath.Join(module, filepath.FromSlash(dir)))
	}
	return dirs
}

// emptyDatabase empties the database that porch-server's own environment variables name. Porch keeps drafts there in place of Git.
func (p *Porch) emptyDatabase(t testing.TB) {
	t.Helper()
	sql := filepath.Join(clustertest.ModuleDir(t, servers, "github.com/nephio-project/porch"), "api", "sql")
	cmd := exec.Command("psql", "--quiet", "--set=ON_ERROR_STOP=1", "--host", os.Getenv("DB_HOST"), // #nosec G204 G702
		"--port", os.Getenv("DB_PORT"), "--username", os.Getenv("DB_USER"), "--dbname", os.Getenv("DB_NAME"),
		"--command=DROP SCHEMA public CASCADE; CREATE SCHEMA public",
		"--file", filepath.Join(sql, "porch-db.sql"))
	cmd.Env = append(os.Environ(), "PGPASSWORD="+os.Getenv("DB_PASSWORD"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("empty Porch's database: %v\n%s", err, out)
	}
}

// register makes the API server send requests for Porch's kinds to Porch's, which runs on this machine.
func (p *Porch) register(t testing.TB) {
	t.Helper()
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: systemNamespace, Name: "api"},
		Spec: corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: "localhost"}}
	var port int64
	if _, err := fmt.Sscan(p.port, &port); err != nil {
		t.Fatal(err)
	}
	kind := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
		"metadata": map[string]any{"name": "v1alpha1.porch.kpt.dev"},
		"spec": map[string]any{
			"group": "porch.kpt.dev", "version": "v1alpha1", "groupPriorityMinimum": int64(1000), "versionPriority": int64(15),
			"insecureSkipTLSVerify": true, // the server makes its own certificate
			"service":               map[string]any{"namespace": systemNamespace, "name": "api", "port": port},
		},
	}}
	for _, o := range []client.Object{&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: systemNamespace}}, service, kind} {
		if err := p.Client.Create(t.Context(), o); err != nil {
			t.Fatalf("register Porch's API server: %v", err)
		}
	}
}

// StartServer starts Porch's API server and waits until its kinds are served.
func (p *Porch) StartServer(t testing.TB) {
	t.Helper()
	var err error
	args := append([]string{"env", "HOME=" + p.dir, filepath.Join(p.programs, "porch-server"), "--kubeconfig=" + p.kubeconfig,
		"--authentication-kubeconfig=" + p.kubeconfig, "--authorization-kubeconfig=" + p.kubeconfig, "--secure-port=" + p.port,
		"--bind-address=127.0.0.1", "--cert-dir=" + p.dir, "--cache-directory=" + filepath.Join(p.dir, "cache"), "--repo-sync-frequency=3s",
		"--function-runner=127.0.0.1:1"}, p.flags...) // nothing listens there: Porch runs some functions itself
	p.server, err = p.Run("porch-server", args...)
	if err != nil {
		t.Fatal(err)
	}
	p.await(t, "serve PackageRevisions", func() error {
		_, err := p.Revisions(t, "default")
		return err
	})
}

// await calls done until it returns no error.
func (p *Porch) await(t testing.TB, what string, done func() error) {
	t.Helper()
	err := done()
	for began := time.Now(); err != nil && p.server.Running() && time.Since(began) < stepTimeout; err = done() {
		time.Sleep(200 * time.Millisecond)
	}
	if err != nil {
		t.Fatalf("Porch does not %s: %v\n%s", what, err, p.server.Log())
	}
}
