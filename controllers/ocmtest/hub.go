package ocmtest

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	workv1 "open-cluster-management.io/api/work/v1"
	workv1alpha1 "open-cluster-management.io/api/work/v1alpha1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// stepTimeout is how long a step may take: far longer than it takes even on a busy machine.
const stepTimeout = 90 * time.Second

// Hub is an API server that accepts ManifestWorks, as far as its webhook allows. Several tests may call its methods at
// the same time.
type Hub struct {
	*clustertest.Cluster
	Client   client.Client // as the administrator
	programs string        // folder of OCM's programs
	webhook  *clustertest.Program
}

var (
	shared     = sync.OnceValues(newHub)
	installing sync.Mutex // held while definitions are created on the shared hub
)

// SharedHub is the hub of this test binary. What tests create there stays; each uses clusters or names of its own.
func SharedHub(t testing.TB) *Hub {
	t.Helper()
	testenv.Need(t, testenv.APIServer, testenv.OCM)
	h, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	installing.Lock()
	defer installing.Unlock()
	h.InstallCRDs(t, crds(t)) // only the first call changes anything
	return h
}

// StartHub is a new hub for this test alone.
func StartHub(t testing.TB) *Hub {
	t.Helper()
	testenv.Need(t, testenv.APIServer, testenv.OCM)
	h, err := hubOn(clustertest.Start(t))
	if err != nil {
		t.Fatal(err)
	}
	h.InstallCRDs(t, crds(t))
	return h
}

func newHub() (*Hub, error) {
	c, err := clustertest.New()
	if err != nil {
		return nil, err
	}
	return hubOn(c)
}

func hubOn(c *clustertest.Cluster) (h *Hub, err error) {
	h = &Hub{Cluster: c}
	if h.programs, _, err = testenv.OCMPrograms.Dir(); err != nil {
		return nil, err
	}
	if h.Client, err = newClient(h.Cluster); err != nil {
		return nil, err
	}
	return h, h.startWebhook()
}

// newClient is a client of a cluster's administrator, also for OCM's kinds.
func newClient(c *clustertest.Cluster) (client.Client, error) {
	s := runtime.NewScheme()
	if err := errors.Join(scheme.AddToScheme(s), workv1.Install(s), workv1alpha1.Install(s), clusterv1beta1.Install(s)); err != nil {
		return nil, err
	}
	return client.New(c.Admin(), client.Options{Scheme: s})
}

// crds is the folder of OCM's definitions of ManifestWork and AppliedManifestWork.
func crds(t testing.TB) string {
	t.Helper()
	return filepath.Join(clustertest.ModuleDir(t, "", "open-cluster-management.io/api"), "work", "v1")
}

// writeKubeconfigs writes the configurations of hub and cluster into the folder.
func writeKubeconfigs(folder string, hub, cluster *clustertest.Cluster) (hubFile, clusterFile string, err error) {
	hubFile, clusterFile = filepath.Join(folder, "hub"), filepath.Join(folder, "cluster")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", "", err
	}
	if err := clustertest.WriteKubeconfig(hubFile, hub.Admin()); err != nil {
		return "", "", err
	}
	return hubFile, clusterFile, clustertest.WriteKubeconfig(clusterFile, cluster.Admin())
}
